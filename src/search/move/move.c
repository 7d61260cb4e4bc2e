/* move.c - when memory is short the states move to a smaller store, and the search goes on.
 *
 * One store follows the other: `full`, which is fast, then `tree`, which is exact too and
 * takes a sixth; and if the user allows it those that may miss states. A move goes
 * piece by piece. The old store first gives back what only look-ups need (of `full` the
 * index: more than `tree` takes in all), then hands out states and gives back what
 * held them, while the new one grows; so a move needs no memory of its own. The rows for it
 * are taken when the search begins.
 *
 * What does not change: the numbers of states in the order in which they were met, by which
 * parents are kept and levels counted. What does: the refs that open states are waiting
 * under. Orders rewrite these (frontier.h), and here those of rows in hand are asked for anew.
 *
 * It is due when a store, the stack or the list of parents finds no memory, or a little
 * before: when the next growth of the store's table would leave too little, so that it is not
 * the queue that finds none, which cannot ask. From an exact store to one that may miss states
 * it is put off to the last, for the whole search may yet fit. A move that comes to its end too
 * early (memory ran out in spite of all, a time limit) has lost states: then the search ends,
 * and says so.
 */
#include "search/run.h"

#include "base/clock.h"

#include <string.h>

enum {
  MOVE_ROWS = 2 * STORE_DRAIN,
  MOVE_NEAR = 16,     /* of a budget of so many parts one is left: it is time */
  MOVE_LAST = 64,     /* the same where states may be missed from then on */
  MOVE_WORTH = 8,     /* the store has more than one of so many parts of the budget */
  MOVE_LOOK = 1 << 14 /* states between two looks at the clock */
};

struct way {
  const char *from, *to;
  bool exact;
};

static const struct way ways[] = {
    {"full", "tree", true}, {"tree", "compact", false}, {"compact", "bitline", false}};

static void set_next(struct run *run) {
  run->next_kind = NULL;
  for (uint32_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (strcmp(ways[i].from, run->store_kind->name) == 0 &&
        (ways[i].exact || run->options->store.allow_lossy))
      run->next_kind = store_by_name(ways[i].to);
  if (!(run->store_kind->has & STORE_DRAINS) || run->result->n_moves == SEARCH_MOST_MOVES)
    run->next_kind = NULL;
  run->move_at = run->next_kind == NULL || run->options->store.move_after == 0
                     ? UINT64_MAX
                     : run->figures->stored + run->options->store.move_after;
}

bool run_move_open(struct run *run) {
  struct run_cargo *cargo = &run->cargo;
  run->move_at = UINT64_MAX;
  if (!run->options->store.moves || !(run->order->traits & FRONTIER_MOVES) ||
      run->options->forget.kind != NULL)
    return true;
  size_t stride = ts_stride(run->shape);
  cargo->bytes =
      MOVE_ROWS * (stride + sizeof(struct ts_edge) + 4 * sizeof(uint64_t)) + MOVE_ROWS;
  uint64_t *at = budget_map(run->budget, BUDGET_OTHER, cargo->bytes, false);
  if (at == NULL)
    return false;
  struct ts_edge *edge = (struct ts_edge *)(void *)(at + 4 * MOVE_ROWS);
  uint8_t *row = (uint8_t *)(edge + MOVE_ROWS);
  cargo->rows = (struct rows){.batch = {.rows = row, .edge = edge, .stride = stride},
                              .hash = at,
                              .ref = at + MOVE_ROWS,
                              .answer = row + MOVE_ROWS * stride};
  cargo->old_ref = at + 2 * MOVE_ROWS;
  cargo->bits = at + 3 * MOVE_ROWS;
  memset(edge, 0, MOVE_ROWS * sizeof *edge);
  set_next(run);
  return true;
}

void run_move_close(struct run *run) {
  if (run->cargo.rows.hash != NULL)
    budget_unmap(run->budget, BUDGET_OTHER, run->cargo.rows.hash, run->cargo.bytes);
}

static void hash_cargo(struct run *run) {
  struct rows *rows = &run->cargo.rows;
  for (uint32_t i = 0; i < rows->batch.n; i++)
    rows->hash[i] =
        hash_finish(hash_raw(run->hash, rows_at(rows, i), rows->batch.edge[i].length));
}

/* Puts what is in hand into the store `to`; false: memory ran out. */
static bool unload(struct run *run, const struct store_kind *kind, struct store_work *to) {
  struct run_cargo *cargo = &run->cargo;
  struct rows *rows = &cargo->rows;
  uint32_t n = rows->batch.n;
  memcpy(cargo->old_ref, rows->ref, n * sizeof *rows->ref);
  if (kind->put(to, rows, 0, n) < n)
    return false;
  for (uint32_t i = 0; i < n; i++) {
    if (run->store_bits > 0 && (kind->has & STORE_KEEPS_BITS))
      kind->set_bits(to, rows->ref[i], cargo->bits[i]);
    if (!run->order->moved(run->frontier, cargo->old_ref[i], rows->ref[i], rows_at(rows, i),
                           rows->batch.edge[i].length))
      return false;
  }
  return true;
}

static bool carry(struct run *run, const struct store_kind *kind, struct store_work *to) {
  struct run_cargo *cargo = &run->cargo;
  bool keeps_states = (run->store_kind->has & STORE_GETS) != 0;
  uint32_t n, looked = 0;
  cargo->rows.batch.capacity = MOVE_ROWS;
  while ((n = run->store_kind->drain(run->store_work, &cargo->rows, cargo->bits)) > 0) {
    cargo->rows.batch.n = n;
    if (keeps_states)
      hash_cargo(run);
    if (!unload(run, kind, to)) {
      run_limit(run, SEARCH_MEMORY);
      return false;
    }
    looked += n;
    if (looked >= MOVE_LOOK) {
      looked = 0;
      run_check_limits(run);
      if (run->stop)
        return false;
    }
  }
  return true;
}

bool run_open_store(struct run *run, const struct store_kind *kind,
                    const struct store_config *asked, struct store **opened,
                    struct store_work **work) {
  struct store_config config = *asked;
  struct ts_batch sample;
  size_t bytes;
  config.shape = run->shape;
  config.budget = run->budget;
  config.bits = run->store_bits;
  bool sampled = kind->samples && run_sample_open(run, &sample, &bytes);
  if (sampled) {
    run_sample_fill(run, &sample);
    config.sample = &sample;
  }
  *opened = kind->open(&config);
  if (sampled)
    run_sample_close(run, &sample, bytes);
  *work = *opened == NULL ? NULL : kind->begin(*opened);
  if (*opened != NULL && *work == NULL) {
    kind->close(*opened);
    *opened = NULL;
  }
  return *opened != NULL;
}

static bool open_target(struct run *run, const struct store_kind *kind, struct store **target,
                        struct store_work **work) {
  struct store_usage usage;
  run->store_kind->usage(run->store, &usage);
  uint64_t limit = budget_limit(run->budget), used = budget_used_all(run->budget);
  uint64_t room = usage.reserved + (used < limit ? limit - used : 0);
  struct store_config config = {
      .kept_bits = usage.kept_bits, .states = run->figures->stored, .room = room};
  run->cargo.rows.batch.capacity = 0;
  run->store_kind->drain(run->store_work, &run->cargo.rows, run->cargo.bits);
  return run_open_store(run, kind, &config, target, work);
}

/* Rows [from, to) were answered by the old store: what the new one calls those that are new. */
static void ask_anew(struct run *run, struct rows *rows, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++)
    if (rows->answer[i] == STORE_NEW) {
      run->store_kind->find(run->store_work, rows, i, i + 1);
      rows->answer[i] = STORE_NEW;
    }
}

/* The new store takes the place of the old one, and of what that may have missed. */
static void replace(struct run *run, const struct store_kind *kind, struct store *to,
                    struct store_work *work) {
  struct store_usage before, after;
  run->store_kind->usage(run->store, &before);
  kind->usage(to, &after);
  run->wrong_before += before.wrong_matches - after.wrong_matches;
  run->store_kind->end(run->store_work);
  run->store_kind->close(run->store);
  run->store_kind = kind;
  run->store = to;
  run->store_work = work;
  run->result->move[run->result->n_moves++] =
      (struct search_move){kind, run->figures->stored, clock_now() - run->began};
}

/* Whether what open states will take leaves a gain, and there is room for it now. */
static bool pays(struct run *run, const struct store_kind *kind) {
  struct store_usage usage;
  uint64_t limit = budget_limit(run->budget), used = budget_used_all(run->budget);
  uint64_t needs = run->order->move_needs(run->frontier, kind);
  run->store_kind->usage(run->store, &usage);
  return needs == 0 || (used < limit && needs < limit - used &&
                        (run->options->store.move_after > 0 || needs < usage.reserved / 2));
}

bool run_move(struct run *run, struct rows *rows, uint32_t from, uint32_t to) {
  const struct store_kind *kind = run->next_kind;
  if (kind == NULL || run->is_moving || run->stop || !pays(run, kind) ||
      !run->order->move(run->frontier, kind))
    return false;
  run->is_moving = true;
  struct store *store;
  struct store_work *work;
  bool opened = open_target(run, kind, &store, &work), fine = opened && carry(run, kind, work);
  if (opened)
    replace(run, kind, store, work);
  else
    run_limit(run, SEARCH_MEMORY);
  run->result->cut_in_move = opened && !fine;
  run->order->use(run->frontier, run->store_kind, run->store_work);
  if (fine && rows != NULL)
    ask_anew(run, rows, from, to);
  run->is_moving = false;
  set_next(run);
  return fine;
}

void run_move_if_due(struct run *run) {
  struct store_usage usage;
  uint64_t limit = budget_limit(run->budget), used = budget_used_all(run->budget);
  if (run->next_kind == NULL || run->stop || (used < limit && limit - used > limit / 2))
    return;
  run->store_kind->usage(run->store, &usage);
  uint64_t needs = run->order->move_needs(run->frontier, run->next_kind);
  if (run->next_kind->has & STORE_EXACT)
    needs += usage.index_bytes / 4 + limit / MOVE_NEAR;
  else
    needs += limit / (run->store_kind->has & STORE_EXACT ? MOVE_LAST : MOVE_NEAR);
  if ((used >= limit || limit - used <= needs) && usage.reserved > limit / MOVE_WORTH)
    run_move(run, NULL, 0, 0);
}
