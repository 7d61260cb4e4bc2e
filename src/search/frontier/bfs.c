/* bfs.c - breadth-first: the queue is the range of the store's ids.
 *
 * States are numbered in the order in which they are stored. A store with dense ids
 * in order of insertion is a queue already: the next state to expand is the next
 * id, and a level is a range of ids. For other stores there is a queue of handles or
 * packed states beside it (queue.h), and a level is a range of numbers. Rows gather
 * across states until there are enough to hide the latency of the store's
 * index, but never across levels, for the end of a level is known only once
 * all of its predecessors' successors are in.
 *
 * With ids levels make back-level edges easy: an edge from the level being expanded
 * is one iff its target's id lies before the end of the level. Its length takes a
 * search through the levels, which is done only for targets in front of the
 * first level that would beat the record.
 */
#include "search/frontier/frontier.h"

#include "search/frontier/origins.h"
#include "search/frontier/queue.h"

#define QUEUE_BEHIND (UINT64_C(2) << 20) /* bytes: what blocks of a queue may leave unused */

struct frontier {
  struct frontier_config config;
  struct rows rows;
  uint32_t enough;              /* rows that make a batch */
  bool has_ids;                 /* else open states are in the queue */
  struct queue queue, next;     /* next: for the store that the states move to */
  bool failed;                  /* memory ran out while the queue was rewritten */
  uint8_t *row, *spare;         /* the state being expanded; for rewriting */
  struct pack *pack;            /* only to know how long states get */
  uint32_t length;              /* of it, while it is partial */
  bool root_done, partial;      /* partial: the state at head has events left */
  struct ts_event cursor;       /* the first of them */
  uint64_t head, level_end;     /* next state to expand; end of its level */
  uint64_t *first;              /* of each level, the first state */
  uint64_t levels, room;        /* room: of the array first */
  uint64_t back_edges, longest; /* longest: length of the longest of them */
  uint64_t record_below;        /* targets before this id beat the record */
  bool any_back_edge;
  struct origins origins; /* if asked */
};

static void bfs_close(struct frontier *f) {
  struct budget *budget = f->config.budget;
  rows_close(&f->rows, budget);
  queue_close(&f->queue);
  queue_close(&f->next);
  pack_close(f->pack);
  budget_free(budget, BUDGET_OPEN, f->row, ts_stride(f->config.shape));
  budget_free(budget, BUDGET_OPEN, f->spare, ts_stride(f->config.shape));
  budget_free(budget, BUDGET_OPEN, f->first, f->room * sizeof *f->first);
  origins_free(&f->origins);
  budget_free(budget, BUDGET_OPEN, f, sizeof *f);
}

static struct frontier *bfs_open(const struct frontier_config *config) {
  struct frontier *f = budget_alloc(config->budget, BUDGET_OPEN, sizeof *f);
  if (f == NULL)
    return NULL;
  f->config = *config;
  f->enough = rows_enough(config->shape);
  f->row = budget_alloc(config->budget, BUDGET_OPEN, ts_stride(config->shape));
  uint32_t capacity = f->enough + rows_events(config->shape);
  f->has_ids = (config->store_kind->has & STORE_IDS) && (config->store_kind->has & STORE_GETS);
  f->queue.budget = f->next.budget = config->budget;
  f->pack = pack_open(config->shape, config->budget);
  f->spare = budget_alloc(config->budget, BUDGET_OPEN, ts_stride(config->shape));
  if (f->row == NULL || f->spare == NULL || f->pack == NULL ||
      (config->tells_by && !origins_open(&f->origins, config->shape, config->budget)) ||
      !frontier_rows_open(&f->rows, config, capacity) ||
      (!f->has_ids && !queue_open(&f->queue, config->store_kind, config->work, config->shape,
                                  config->budget))) {
    bfs_close(f);
    return NULL;
  }
  f->rows.has_parents = f->has_ids;
  return f;
}

static bool bfs_ready(struct frontier *f, bool flush, struct frontier_range *range) {
  uint32_t n = f->rows.batch.n;
  if (n == 0 || !(n >= f->enough || f->head == f->level_end || f->partial || flush))
    return false;
  *range = (struct frontier_range){&f->rows, 0, n, f->levels};
  return true;
}

/* The level of a state: the last one whose first id is not behind it. */
static uint64_t level_of(const struct frontier *f, uint64_t id) {
  uint64_t low = 0, high = f->levels;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (f->first[middle] <= id)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Targets before the first id of level - longest are further back than any yet. */
static void set_record(struct frontier *f) {
  uint64_t level = f->levels - 1;
  if (!f->any_back_edge)
    f->record_below = f->level_end;
  else
    f->record_below = level < f->longest ? 0 : f->first[level - f->longest];
}

/* Starts the level that begins at head. Room for one level more is kept, for states
 * beyond a level that was not finished. */
static bool enter_level(struct frontier *f) {
  if (f->levels + 1 >= f->room) {
    uint64_t room = f->room == 0 ? 64 : 2 * f->room;
    uint64_t *first = budget_realloc(f->config.budget, BUDGET_OPEN, f->first,
                                     f->room * sizeof *first, room * sizeof *first);
    if (first == NULL)
      return false;
    f->first = first;
    f->room = room;
  }
  f->first[f->levels++] = f->head;
  f->level_end = f->config.figures->stored;
  set_record(f);
  return true;
}

/* Once the last state of a level is done and all rows are settled, what was stored
 * meanwhile is the next level. */
static bool advance(struct frontier *f) {
  if (f->rows.batch.n > 0 || f->partial || f->head != f->level_end ||
      f->config.figures->stored == f->head)
    return true;
  return enter_level(f);
}

/* Counts the back-level edges among the rows just settled. */
static void count_back_edges(struct frontier *f, const struct frontier_range *range) {
  const uint64_t *ref = f->rows.ref;
  uint64_t back = 0, least = UINT64_MAX, end = f->level_end;
  /* New states have ids behind the level, so there is no need to look at answers. */
  for (uint32_t i = range->from; i < range->to; i++) {
    back += ref[i] < end;
    least = ref[i] < least ? ref[i] : least;
  }
  f->back_edges += back;
  if (least < f->record_below) {
    f->longest = f->levels - 1 - level_of(f, least);
    f->any_back_edge = true;
    set_record(f);
  }
}

/* Adds the new states among the rows to the queue. */
static bool enqueue(struct frontier *f, const struct frontier_range *range) {
  const struct ts_batch *batch = &f->rows.batch;
  for (uint32_t i = range->from; i < range->to; i++)
    if (f->rows.answer[i] == STORE_NEW &&
        !queue_add(&f->queue, f->rows.ref[i], batch->rows + i * batch->stride,
                   batch->edge[i].length))
      return false;
  return true;
}

static bool bfs_settled(struct frontier *f, const struct frontier_range *range) {
  if (f->origins.at != NULL && !origins_add(&f->origins, range, f->head))
    return false;
  if (f->has_ids)
    count_back_edges(f, range);
  else if (!enqueue(f, range))
    return false;
  f->rows.batch.n = 0;
  uint64_t waiting = f->config.figures->stored - f->head;
  if (waiting > f->config.figures->peak.open)
    f->config.figures->peak.open = waiting;
  return advance(f);
}

static bool bfs_next(struct frontier *f, struct frontier_open *open) {
  open->into = &f->rows;
  open->hashed = open->ahead = false;
  open->noted = (struct ts_event){0, 0};
  open->cursor = f->partial ? f->cursor : (struct ts_event){0, 0};
  if (!f->root_done) {
    open->ref = STORE_NONE;
    open->depth = UINT64_MAX;
    return true;
  }
  if (f->head == f->level_end)
    return false;
  open->ref = f->head;
  open->depth = f->levels - 1;
  if (f->origins.at != NULL)
    open->by.action = origins_of(&f->origins, f->head);
  open->row = f->row;
  if (f->has_ids)
    f->length = f->config.store_kind->get(f->config.work, f->head, f->row);
  else if (!f->partial)
    f->length = queue_take(&f->queue, f->row);
  open->length = f->length;
  return true;
}

static bool bfs_push(struct frontier *f, const struct frontier_open *open, uint32_t from,
                     bool done) {
  /* Until the batch is full the store's index has time to come into the caches. */
  f->config.store_kind->prefetch(f->config.work, f->rows.hash + from, f->rows.batch.n - from);
  f->partial = !done;
  f->cursor = open->cursor;
  if (!done)
    return true;
  if (open->ref == STORE_NONE)
    f->root_done = true;
  else
    f->head++;
  return advance(f);
}

static bool bfs_idle(const struct frontier *f, uint64_t *first) {
  *first = f->head;
  return f->root_done && f->rows.batch.n == 0 && !f->partial;
}

/* Open states by number that are not in hand. */
static uint64_t first_waiting(const struct frontier *f) {
  return f->head + (f->partial && f->root_done);
}

static bool becomes_packed(const struct frontier *f, const struct store_kind *to) {
  return !f->has_ids && f->queue.kind != NULL && (to->has & STORE_HANDLES) == 0;
}

static uint64_t bfs_move_needs(const struct frontier *f, const struct store_kind *to) {
  uint64_t waiting = f->config.figures->stored - first_waiting(f);
  uint64_t room = pack_bytes(f->pack) + 8;
  return becomes_packed(f, to) ? waiting * room + QUEUE_BEHIND : 0;
}

/* Handles become packed states, as long as the old store can be asked. */
static void unhandle(struct frontier *f) {
  uint64_t waiting = f->config.figures->stored - first_waiting(f);
  for (; waiting > 0 && !f->failed; waiting--) {
    uint32_t length = queue_take(&f->queue, f->spare);
    f->failed = !queue_add(&f->next, 0, f->spare, length);
  }
}

static bool bfs_move(struct frontier *f, const struct store_kind *to) {
  const struct frontier_config *c = &f->config;
  if (!f->has_ids && f->queue.kind == NULL)
    return true; /* packed states, which stay as they are */
  if (!f->has_ids && !becomes_packed(f, to))
    return false;
  if (!queue_open(&f->next, to, NULL, c->shape, c->budget))
    return false;
  if (!f->has_ids)
    unhandle(f);
  return true;
}

static bool bfs_moved(struct frontier *f, uint64_t old_ref, uint64_t ref, const uint8_t *row,
                      uint32_t length) {
  if (f->failed)
    return false;
  if (!f->has_ids || old_ref < first_waiting(f) || old_ref >= f->config.figures->stored)
    return true;
  return queue_add(&f->next, ref, row, length);
}

static void bfs_use(struct frontier *f, const struct store_kind *kind,
                    struct store_work *work) {
  f->config.store_kind = kind;
  f->config.work = work;
  if (f->has_ids || f->queue.kind != NULL) {
    queue_close(&f->queue);
    f->queue = f->next;
    f->queue.work = work;
    f->next = (struct queue){.budget = f->config.budget};
  }
  f->has_ids = f->rows.has_parents = false;
}

static void bfs_report(const struct frontier *f, struct search_figures *figures) {
  figures->open = figures->stored - (f->head < figures->stored ? f->head : figures->stored);
  figures->level.known = true;
  figures->level.back_edges_known = f->has_ids;
  figures->level.n = f->levels + (figures->stored > f->level_end);
  figures->depth = figures->level.n == 0 ? 0 : figures->level.n - 1;
  uint64_t widest = 0;
  for (uint64_t i = 0; i < figures->level.n; i++) {
    uint64_t begin = i < f->levels ? f->first[i] : f->level_end;
    uint64_t end = i + 1 < f->levels    ? f->first[i + 1]
                   : i + 1 == f->levels ? f->level_end
                                        : figures->stored;
    widest = end - begin > widest ? end - begin : widest;
  }
  figures->level.widest = widest;
  figures->level.back_edges = f->back_edges;
  figures->level.longest_back_edge = f->longest;
}

static uint64_t *bfs_widths(struct frontier *f, size_t *bytes) {
  uint64_t *width = f->first, stored = f->config.figures->stored;
  if (width == NULL)
    return NULL;
  *bytes = f->room * sizeof *width;
  width[f->levels] = f->level_end;
  for (uint64_t i = 0; i < f->levels; i++)
    width[i] = width[i + 1] - width[i];
  width[f->levels] = stored - f->level_end;
  f->first = NULL;
  f->room = 0;
  return width;
}

extern const struct frontier_kind frontier_bfs_tree;

const struct frontier_kind frontier_bfs = {
    .name = "bfs",
    .summary = "breadth-first: shortest counterexamples, fastest",
    .strategy = "share/8+random",
    .traits = FRONTIER_SHORTEST | FRONTIER_NUMBERED | FRONTIER_MOVES | FRONTIER_LEVELS,
    .with_tree = &frontier_bfs_tree,
    .open = bfs_open,
    .close = bfs_close,
    .ready = bfs_ready,
    .settled = bfs_settled,
    .next = bfs_next,
    .push = bfs_push,
    .idle = bfs_idle,
    .move_needs = bfs_move_needs,
    .move = bfs_move,
    .moved = bfs_moved,
    .use = bfs_use,
    .report = bfs_report,
    .widths = bfs_widths,
};
