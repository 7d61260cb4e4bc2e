/* bfs.c - breadth-first: open states wait in a queue, and what is in it is cut into levels.
 *
 * States are numbered in the order in which they are stored. A store with dense names in order
 * of insertion is a queue already: the next state to expand is the next number; else there is a
 * queue (queue.h), of nodes where a tree is kept. A level is a range of numbers. Rows gather
 * across states until there are enough to hide the latency of the store's index, but never
 * across levels, for the end of a level is known only once all of its predecessors' successors
 * are in.
 *
 * Where numbers are names, back-level edges are easy: an edge from the level being expanded
 * is one iff its target comes before the end of the level. Its length takes a search through
 * the levels, which is done only for targets before the first level that would beat the record.
 *
 * Where a tree is kept, states may be found again, or be given from outside, and levels are
 * only turns of the queue: they are not reported.
 */
#include "search/frontier/frontier.h"

#include "search/frontier/origins.h"
#include "search/frontier/queue.h"
#include "search/tree/node_list.h"

#include "base/array.h"

#define QUEUE_SLACK (UINT64_C(2) << 20) /* bytes: what blocks of a queue may leave unused */

struct frontier {
  struct frontier_config config;
  struct rows rows;
  uint32_t enough;          /* rows that make a batch */
  struct queue queue, next; /* next: for the store that the states move to */
  bool failed;              /* memory ran out while the queue was rewritten */
  uint8_t *row, *spare;     /* the state being expanded; for rewriting */
  struct pack *pack;        /* only to know how long states get */
  struct open open;         /* the state being expanded, */
  bool root_done, partial;  /* while it, or the root, has events left */
  uint64_t expanded;        /* states */
  uint64_t level_end;       /* that many will be when the level is done */
  uint64_t levels;
  uint64_t *first;              /* of each level, the first state */
  uint64_t room;                /* of the array first */
  uint64_t back_edges, longest; /* longest: length of the longest of them */
  uint64_t record_below;        /* targets before this number beat the record */
  bool any_back_edge;
  struct origins origins; /* if asked */
  struct node_list done;  /* expanded, and the last rows of them not answered yet */
};

static void bfs_close(struct frontier *f) {
  struct budget *budget = f->config.budget;
  rows_close(&f->rows, budget);
  queue_close(&f->queue);
  queue_close(&f->next);
  pack_close(f->pack);
  budget_free(budget, BUDGET_OPEN, f->row, ts_stride(f->config.shape));
  budget_free(budget, BUDGET_OPEN, f->spare, ts_stride(f->config.shape));
  array_free(budget, BUDGET_OPEN, f->first, f->room * sizeof *f->first);
  origins_free(&f->origins);
  node_list_free(&f->done);
  budget_free(budget, BUDGET_OPEN, f, sizeof *f);
}

/* Whether the store's names of states are at hand: they are numbers, or nodes know them. */
static bool names_parents(const struct frontier *f) {
  return f->queue.keeps == QUEUE_NOTHING || f->queue.keeps == QUEUE_NODES;
}

/* A store that rebuilds states is told which are closed, and rebuilds the more at less cost the
 * more it is asked about together. */
static bool sheds(const struct frontier *f) {
  return (f->config.store_kind->has & STORE_REBUILDS) && f->queue.keeps == QUEUE_NOTHING;
}

static uint32_t rows_of_a_batch(const struct frontier_config *config) {
  enum { MOST = 1024 };
  return config->store_kind->has & STORE_REBUILDS ? MOST : rows_enough(config->shape);
}

static struct frontier *bfs_open(const struct frontier_config *config) {
  struct budget *budget = config->budget;
  struct frontier *f = budget_alloc(budget, BUDGET_OPEN, sizeof *f);
  if (f == NULL)
    return NULL;
  f->config = *config;
  f->enough = rows_of_a_batch(config);
  f->root_done = config->begun;
  f->done.budget = f->next.budget = budget;
  f->row = budget_alloc(budget, BUDGET_OPEN, ts_stride(config->shape));
  f->spare = budget_alloc(budget, BUDGET_OPEN, ts_stride(config->shape));
  f->pack = pack_open(config->shape, budget);
  bool fine = queue_open(&f->queue, config) && f->row != NULL && f->spare != NULL &&
              f->pack != NULL &&
              frontier_rows_open(&f->rows, config, f->enough + rows_events(config->shape));
  if (fine && config->tells_by && f->queue.keeps != QUEUE_NODES)
    fine = origins_open(&f->origins, config->shape, budget);
  if (!fine) {
    bfs_close(f);
    return NULL;
  }
  f->rows.has_parents = config->names && names_parents(f);
  if (sheds(f))
    config->store_kind->shed(config->store, 0);
  return f;
}

static bool bfs_ready(struct frontier *f, bool flush, struct open_range *range) {
  uint32_t n = f->rows.batch.n;
  if (n == 0 || !(n >= f->enough || f->expanded == f->level_end || f->partial || flush))
    return false;
  *range = (struct open_range){&f->rows, 0, n, .depth = f->levels};
  return true;
}

/* ---- levels ------------------------------------------------------------------------ */

/* The level of a state: the last one whose first state does not come after it. */
static uint64_t level_of(const struct frontier *f, uint64_t number) {
  uint64_t low = 0, high = f->levels;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (f->first[middle] <= number)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Targets before the first state of level - longest are further back than any yet. */
static void set_record(struct frontier *f) {
  uint64_t level = f->levels - 1;
  if (!f->any_back_edge)
    f->record_below = f->level_end;
  else
    f->record_below = level < f->longest ? 0 : f->first[level - f->longest];
}

/* What is in the queue is the next level. */
static bool enter_level(struct frontier *f) {
  if (f->queue.keeps == QUEUE_NODES) { /* not reported */
    f->level_end = f->queue.tail;
    return true;
  }
  if (f->levels + 1 >= f->room) { /* one more, for the end of the last level */
    uint64_t *first =
        array_grow(f->config.budget, BUDGET_OPEN, f->first, &f->room, sizeof *first);
    if (first == NULL)
      return false;
    f->first = first;
  }
  f->first[f->levels++] = f->expanded;
  f->level_end = f->queue.tail;
  set_record(f);
  return true;
}

/* Once the last state of a level is done and all rows are settled, the next level begins. */
static bool advance(struct frontier *f) {
  if (f->rows.batch.n > 0 || f->partial || f->expanded != f->level_end ||
      f->queue.tail == f->expanded)
    return true;
  return enter_level(f);
}

/* Counts the back-level edges among the rows just settled. */
static void count_back_edges(struct frontier *f, const struct open_range *range) {
  const uint64_t *ref = f->rows.ref;
  uint64_t back = 0, least = UINT64_MAX, end = f->level_end;
  /* New states have names after the level, so there is no need to look at answers. */
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

/* ---- the queue --------------------------------------------------------------------- */

static bool bfs_add(struct frontier *f, uint32_t node) {
  struct search_figures *figures = f->config.figures;
  uint64_t depth = tdtree_at(f->config.tree, node)->depth;
  if (!queue_add(&f->queue, node, NULL, 0))
    return false;
  uint64_t open = f->queue.tail - f->expanded + f->done.n;
  if (depth > figures->depth)
    figures->depth = depth;
  if (open > figures->peak.open)
    figures->peak.open = open;
  return true;
}

/* Adds the new states among the rows. */
static bool enqueue(struct frontier *f, const struct open_range *range) {
  const struct rows *rows = &f->rows;
  uint64_t fresh = 0;
  if (f->queue.keeps == QUEUE_NOTHING) {
    for (uint32_t i = range->from; i < range->to; i++)
      fresh += rows->answer[i];
    queue_extend(&f->queue, f->queue.tail + fresh);
    return true;
  }
  bool nodes = f->queue.keeps == QUEUE_NODES;
  for (uint32_t i = range->from; i < range->to; i++)
    if (rows->answer[i] == STORE_NEW) {
      if (nodes ? !bfs_add(f, tdtree_node(rows->number[i]))
                : !queue_add(&f->queue, rows->ref[i], rows_at(rows, i),
                             rows->batch.edge[i].length))
        return false;
    }
  return true;
}

/* What was expanded is closed: all its rows are answered. */
static bool close_done(struct frontier *f) {
  bool fine = f->done.n == 0 || tdtree_shut(f->config.tree, f->done.at, f->done.n);
  f->done.n = 0;
  return fine;
}

static bool bfs_settled(struct frontier *f, const struct open_range *range) {
  if (f->origins.at != NULL && !origins_add(&f->origins, range, f->expanded))
    return false;
  if (f->queue.keeps == QUEUE_NOTHING)
    count_back_edges(f, range);
  bool fine = enqueue(f, range);
  if (range->to < f->rows.batch.n)
    return fine; /* a limit was hit */
  f->rows.batch.n = 0;
  if (sheds(f))
    f->config.store_kind->shed(f->config.store, f->queue.head);
  uint64_t waiting = f->queue.tail - f->expanded; /* without a tree no others are known */
  if (waiting > f->config.figures->peak.open)
    f->config.figures->peak.open = waiting;
  return close_done(f) && fine && advance(f);
}

static bool bfs_next(struct frontier *f, struct open *open) {
  if (f->partial) {
    *open = f->open;
    return true;
  }
  open_clear(open, &f->rows);
  if (!f->root_done) {
    frontier_open_root(open, open->cursor);
    return true;
  }
  if (f->expanded == f->level_end && f->queue.keeps == QUEUE_NODES)
    enter_level(f); /* of what was added from outside */
  if (f->expanded == f->level_end)
    return false;
  open->depth = f->levels - 1; /* not of nodes, which know theirs */
  queue_take(&f->queue, f->row, open);
  if (f->origins.at != NULL)
    origins_of(&f->origins, open->number, open);
  return true;
}

static bool bfs_push(struct frontier *f, const struct open *open, uint32_t from, bool done) {
  (void)from;
  f->partial = !done;
  if (!done) {
    f->open = *open;
    return true;
  }
  if (open->number == STORE_NONE) {
    f->root_done = true;
    return advance(f);
  }
  f->expanded++;
  if (f->queue.keeps == QUEUE_NODES && !node_list_add(&f->done, tdtree_node(open->number)))
    return false;
  return (f->rows.batch.n > 0 || close_done(f)) && advance(f);
}

static bool bfs_idle(const struct frontier *f, uint64_t *first) {
  *first = f->expanded;
  return f->root_done && f->rows.batch.n == 0 && !f->partial;
}

static uint64_t bfs_first_open(const struct frontier *f) {
  return f->queue.keeps == QUEUE_NOTHING ? f->queue.head : STORE_NONE;
}

/* ---- when the states move ---------------------------------------------------------- */

static bool becomes_packed(const struct frontier *f, const struct store_kind *to) {
  return f->queue.keeps == QUEUE_NAMES && (to->has & STORE_HANDLES) == 0;
}

static uint64_t bfs_move_needs(const struct frontier *f, const struct store_kind *to) {
  uint64_t waiting = f->queue.tail - f->queue.head;
  uint64_t room = pack_bytes(f->pack) + 8;
  return becomes_packed(f, to) ? waiting * room + QUEUE_SLACK : 0;
}

/* Names become packed states, as long as the old store can be asked. */
static void pack_all(struct frontier *f) {
  struct open open;
  f->next.head = f->next.tail = f->queue.head;
  while (!queue_is_empty(&f->queue) && !f->failed) {
    queue_take(&f->queue, f->spare, &open);
    f->failed = !queue_add(&f->next, 0, f->spare, open.length);
  }
}

static bool bfs_move(struct frontier *f, const struct store_kind *to) {
  const struct frontier_config *c = &f->config;
  if (f->queue.keeps == QUEUE_STATES)
    return true; /* which stay as they are */
  if (f->queue.keeps == QUEUE_NAMES && !becomes_packed(f, to))
    return false;
  if (!queue_open_for(&f->next, to, c->shape, c->budget))
    return false;
  f->next.head = f->next.tail = f->queue.head;
  if (f->queue.keeps == QUEUE_NAMES)
    pack_all(f);
  return true;
}

static bool bfs_moved(struct frontier *f, uint64_t old_ref, uint64_t ref, const uint8_t *row,
                      uint32_t length) {
  if (f->failed)
    return false;
  if (f->queue.keeps != QUEUE_NOTHING || old_ref < f->queue.head || old_ref >= f->queue.tail)
    return true;
  return queue_add(&f->next, ref, row, length);
}

static void bfs_use(struct frontier *f, const struct store_kind *kind,
                    struct store_work *store) {
  f->config.store_kind = kind;
  f->config.store = store;
  if (f->queue.keeps != QUEUE_STATES) {
    queue_close(&f->queue);
    f->queue = f->next;
    queue_serve(&f->queue, store);
    f->next = (struct queue){.budget = f->config.budget};
  }
  f->rows.has_parents = false;
}

/* ---- the rest ---------------------------------------------------------------------- */

static bool bfs_rests(const struct frontier *f) {
  return f->root_done && f->rows.batch.n == 0 && !f->partial && f->done.n == 0;
}

static bool pass_levels(struct frontier *f, struct sink *sink) {
  uint64_t room = f->room;
  sink_pass(sink, &room, sizeof room);
  if (sink_is_read(sink) && f->levels >= room && f->levels > 0)
    sink_refuse(sink, "has more levels than there is room for");
  if (sink_is_read(sink) && room > 0) {
    if (!sink_is_fine(sink) || room > SAVE_MOST)
      return false;
    f->first = array_resize(f->config.budget, BUDGET_OPEN, NULL, 0, room * sizeof *f->first);
    if (f->first == NULL)
      return false;
    f->room = room;
  }
  sink_pass(sink, f->first, f->levels * sizeof *f->first);
  return sink_is_fine(sink);
}

static bool bfs_pass(struct frontier *f, struct sink *sink) {
  uint64_t *const number[] = {&f->expanded,   &f->level_end, &f->levels,
                              &f->back_edges, &f->longest,   &f->record_below};
  for (uint32_t i = 0; i < sizeof number / sizeof *number; i++)
    sink_pass(sink, number[i], sizeof *number[i]);
  sink_pass(sink, &f->any_back_edge, sizeof f->any_back_edge);
  f->root_done = true;
  if (!queue_pass(&f->queue, f->config.shape, sink) || !pass_levels(f, sink))
    return false;
  f->rows.has_parents = f->config.names && names_parents(f);
  return f->origins.at == NULL || origins_pass(&f->origins, f->expanded, sink);
}

/* States, some of which may have left the store. */
static uint64_t found_so_far(const struct search_figures *figures) {
  return figures->stored + figures->forgetting.states;
}

static void bfs_report(const struct frontier *f, struct search_figures *figures) {
  figures->open = f->queue.tail - f->expanded + f->done.n;
  figures->level.known = f->queue.keeps != QUEUE_NODES;
  figures->level.back_edges_known = f->queue.keeps == QUEUE_NOTHING;
  if (!figures->level.known)
    return;
  uint64_t found = found_so_far(figures);
  figures->level.n = f->levels + (found > f->level_end);
  figures->depth = figures->level.n == 0 ? 0 : figures->level.n - 1;
  uint64_t widest = 0;
  for (uint64_t i = 0; i < figures->level.n; i++) {
    uint64_t begin = i < f->levels ? f->first[i] : f->level_end;
    uint64_t end = i + 1 < f->levels    ? f->first[i + 1]
                   : i + 1 == f->levels ? f->level_end
                                        : found;
    widest = end - begin > widest ? end - begin : widest;
  }
  figures->level.widest = widest;
  figures->level.back_edges = f->back_edges;
  figures->level.longest_back_edge = f->longest;
}

static uint64_t *bfs_widths(struct frontier *f, size_t *bytes) {
  uint64_t *width = f->first, found = found_so_far(f->config.figures);
  if (width == NULL || f->queue.keeps == QUEUE_NODES)
    return NULL;
  *bytes = f->room * sizeof *width;
  width[f->levels] = f->level_end;
  for (uint64_t i = 0; i < f->levels; i++)
    width[i] = width[i + 1] - width[i];
  width[f->levels] = found - f->level_end;
  f->first = NULL;
  f->room = 0;
  return width;
}

const struct frontier_kind frontier_bfs = {
    .name = "bfs",
    .summary = "breadth-first: shortest counterexamples, fastest",
    .strategy = "share/8+random",
    .traits = FRONTIER_SHORTEST | FRONTIER_GATHERS | FRONTIER_NUMBERED | FRONTIER_MOVES |
              FRONTIER_LEVELS,
    .open = bfs_open,
    .close = bfs_close,
    .ready = bfs_ready,
    .settled = bfs_settled,
    .next = bfs_next,
    .push = bfs_push,
    .add = bfs_add,
    .idle = bfs_idle,
    .first_open = bfs_first_open,
    .move_needs = bfs_move_needs,
    .move = bfs_move,
    .moved = bfs_moved,
    .use = bfs_use,
    .rests = bfs_rests,
    .pass = bfs_pass,
    .report = bfs_report,
    .widths = bfs_widths,
};
