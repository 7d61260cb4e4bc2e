/* move.c - when memory is short the states move to a smaller store, and the search goes on.
 *
 * One store follows the other: `full`, which is fast, then `tree`, which is exact too and
 * mostly takes a sixth; and if the user allows it those that may miss states. If not, another
 * exact store takes the place of `tree` where it is estimated to take less (estimate.h). That
 * one is the last: it does not hand its states out again, as those that may miss states need. A
 * move goes piece by piece. The old store first gives back what only look-ups need (of `full`
 * the index: more than `tree` takes in all), then hands out states and gives back what held
 * them, while the new one grows; so a move needs no memory of its own. The rows for it are
 * taken when the search begins.
 *
 * Where cycles are looked for states only go to stores with which the search could have begun.
 * Its engine hears of each (engine.h), and rewrites the names that it keeps.
 *
 * What does not change: the numbers of states in the order in which they were reached, by which
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
#include "search/move/estimate.h"
#include "search/tree/tree.h"

#include "base/clock.h"

#include <string.h>

enum {
  MOVE_ROWS = 2 * STORE_DRAIN,
  MOVE_NEAR = 16,     /* of a budget of that many parts one is left: it is time */
  MOVE_LAST = 64,     /* the same where states may be missed from then on */
  MOVE_WORTH = 8,     /* the store has more than one of that many parts of the budget */
  MOVE_LOOK = 1 << 14 /* states between two looks at the clock */
};

struct road {
  const char *from, *to;
  bool exact;
};

static const struct road roads[] = {{"full", "tree", true},
                                    {"full", "collapse", true},
                                    {"tree", "compact", false},
                                    {"compact", "bitline", false}};

static const struct store_kind *usual_next(const struct search *s) {
  for (uint32_t i = 0; i < sizeof roads / sizeof *roads; i++)
    if (strcmp(roads[i].from, s->store_kind->name) == 0 &&
        (roads[i].exact || s->options->store.allow_lossy) &&
        search_suits(s, store_by_name(roads[i].to)))
      return store_by_name(roads[i].to);
  return NULL;
}

static void set_next(struct search *s) {
  s->moving.next = usual_next(s);
  if (!s->options->store.allow_lossy)
    s->moving.next = search_better_store(s, s->moving.next);
  if (!(s->store_kind->has & STORE_DRAINS) || s->result->n_moves == SEARCH_MOST_MOVES)
    s->moving.next = NULL;
  s->moving.at = s->moving.next == NULL || s->options->store.move_after == 0
                     ? UINT64_MAX
                     : s->worker->figures.stored + s->options->store.move_after;
}

bool search_open_moving(struct search *s) {
  struct search_moving *cargo = &s->moving;
  s->moving.at = UINT64_MAX;
  if (!s->options->store.moves || !(s->worker->order->traits & FRONTIER_MOVES) ||
      tree_names_states(s))
    return true;
  size_t stride = ts_stride(s->shape);
  cargo->bytes =
      MOVE_ROWS * (stride + sizeof(struct ts_edge) + 4 * sizeof(uint64_t)) + MOVE_ROWS;
  uint64_t *at = budget_map(s->budget, BUDGET_OTHER, cargo->bytes, false);
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
  set_next(s);
  return true;
}

void search_close_moving(struct search *s) {
  if (s->moving.rows.hash != NULL)
    budget_unmap(s->budget, BUDGET_OTHER, s->moving.rows.hash, s->moving.bytes);
}

static void hash_cargo(struct search *s) {
  struct rows *rows = &s->moving.rows;
  for (uint32_t i = 0; i < rows->batch.n; i++)
    rows->hash[i] =
        hash_finish(hash_raw(s->hash, rows_at(rows, i), rows->batch.edge[i].length));
}

static bool tell_engine(struct search *s, uint32_t i) {
  const struct search_moving *cargo = &s->moving;
  const struct engine_moved state = {cargo->old_ref[i], cargo->rows.ref[i], cargo->bits[i],
                                     rows_at(&cargo->rows, i),
                                     cargo->rows.batch.edge[i].length};
  const struct engine *engine = s->worker->engine;
  return engine->moved == NULL || engine->moved(s->worker, &state);
}

/* Puts what is in hand into the store `to`; false: memory ran out. */
static bool unload(struct search *s, const struct store_kind *kind, struct store_work *to) {
  struct search_moving *cargo = &s->moving;
  struct rows *rows = &cargo->rows;
  uint32_t n = rows->batch.n;
  memcpy(cargo->old_ref, rows->ref, n * sizeof *rows->ref);
  if (kind->put(to, rows, 0, n) < n)
    return false;
  for (uint32_t i = 0; i < n; i++) {
    if (s->store_bits > 0 && (kind->has & STORE_KEEPS_BITS))
      kind->set_bits(to, rows->ref[i], cargo->bits[i]);
    if (!s->worker->order->moved(s->worker->frontier, cargo->old_ref[i], rows->ref[i],
                                 rows_at(rows, i), rows->batch.edge[i].length) ||
        !tell_engine(s, i))
      return false;
  }
  return true;
}

static bool carry(struct search *s, const struct store_kind *kind, struct store_work *to) {
  struct search_moving *cargo = &s->moving;
  bool keeps_states = (s->store_kind->has & STORE_GETS) != 0;
  uint32_t n, looked = 0;
  cargo->rows.batch.capacity = MOVE_ROWS;
  while ((n = store_drain(s->store_kind, s->worker->store, &cargo->cursor, &cargo->rows,
                          cargo->bits)) > 0) {
    cargo->rows.batch.n = n;
    if (keeps_states)
      hash_cargo(s);
    if (!unload(s, kind, to)) {
      search_limit(s, SEARCH_MEMORY);
      return false;
    }
    looked += n;
    if (looked >= MOVE_LOOK) {
      looked = 0;
      worker_check_limits(s->worker);
      if (s->stop)
        return false;
    }
  }
  return true;
}

static bool open_target(struct search *s, const struct store_kind *kind, struct store **target,
                        struct store_work **work) {
  struct store_usage usage;
  s->store_kind->usage(s->store, &usage);
  uint64_t limit = budget_limit(s->budget), used = budget_used_all(s->budget);
  uint64_t room = usage.reserved + (used < limit ? limit - used : 0);
  struct store_config config = {
      .kept_bits = usage.kept_bits, .states = s->worker->figures.stored, .room = room};
  s->moving.cursor = 0;
  s->store_kind->release(s->worker->store, 0, 0);
  return search_open_store(s->worker, kind, &config, target, work);
}

void search_ask_anew(struct search *s, struct rows *rows, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    const uint8_t answer = rows->answer[i];
    s->store_kind->find(s->worker->store, rows, i, i + 1);
    rows->answer[i] = answer;
  }
}

/* The new store takes the place of the old one, and of what that may have missed. */
static void replace(struct search *s, const struct store_kind *kind, struct store *to,
                    struct store_work *work) {
  struct store_usage before, after;
  s->store_kind->usage(s->store, &before);
  kind->usage(to, &after);
  s->moving.wrong_before += before.wrong_matches - after.wrong_matches;
  s->store_kind->end(s->worker->store);
  s->store_kind->close(s->store);
  budget_trim();
  if (!(kind->has & STORE_KEEPS_BITS))
    s->store_bits = 0;
  s->store_kind = kind;
  s->store = to;
  s->worker->store = work;
  s->result->move[s->result->n_moves++] =
      (struct search_move){kind, s->worker->figures.stored, clock_now() - s->began};
}

/* Whether what open states will take leaves a gain, and there is room for it now. */
static bool pays(struct search *s, const struct store_kind *kind) {
  struct store_usage usage;
  uint64_t limit = budget_limit(s->budget), used = budget_used_all(s->budget);
  uint64_t needs = s->worker->order->move_needs(s->worker->frontier, kind);
  s->store_kind->usage(s->store, &usage);
  return needs == 0 || (used < limit && needs < limit - used &&
                        (s->options->store.move_after > 0 || needs < usage.reserved / 2));
}

/* Nobody has anything against it. An order that engines of a path follow has nothing to undo.
 */
static bool agreed(struct search *s, const struct store_kind *kind) {
  struct worker *w = s->worker;
  return pays(s, kind) && w->order->move(w->frontier, kind) &&
         (w->engine->move == NULL || w->engine->move(w, kind));
}

bool search_move(struct search *s, struct rows *rows, uint32_t from, uint32_t to) {
  const struct store_kind *kind = s->moving.next;
  if (kind == NULL || s->moving.is_moving || s->stop || !agreed(s, kind))
    return false;
  s->moving.is_moving = true;
  struct store *store;
  struct store_work *work;
  bool opened = open_target(s, kind, &store, &work), fine = opened && carry(s, kind, work);
  if (opened)
    replace(s, kind, store, work);
  else
    search_limit(s, SEARCH_MEMORY);
  s->result->cut_in_move = opened && !fine;
  s->worker->order->use(s->worker->frontier, s->store_kind, s->worker->store);
  if (fine && rows != NULL)
    search_ask_anew(s, rows, from, to);
  s->moving.is_moving = false;
  set_next(s);
  return fine;
}

bool worker_relieve(struct worker *w) {
  const struct open_range *asked = w->asked;
  return asked == NULL ? search_move(w->search, NULL, 0, 0)
                       : search_move(w->search, asked->rows, asked->from, asked->to);
}

void search_move_if_due(struct search *s) {
  struct store_usage usage;
  uint64_t limit = budget_limit(s->budget), used = budget_used_all(s->budget);
  if (s->stop || (used < limit && limit - used > limit / 2))
    return;
  if (search_estimate_move(s) && s->moving.rows.hash != NULL)
    set_next(s);
  if (s->moving.next == NULL)
    return;
  s->store_kind->usage(s->store, &usage);
  uint64_t needs = s->worker->order->move_needs(s->worker->frontier, s->moving.next);
  if (s->moving.next->has & STORE_EXACT)
    needs += usage.index_bytes / 4 + limit / MOVE_NEAR;
  else
    needs += limit / (s->store_kind->has & STORE_EXACT ? MOVE_LAST : MOVE_NEAR);
  if ((used >= limit || limit - used <= needs) && usage.reserved > limit / MOVE_WORTH)
    search_move(s, NULL, 0, 0);
}
