/* levels.c - a stack of levels: breadth-first, depth-first, and what is between.
 *
 * After Evangelista and Kristensen ("Search-order independent state space caching", section
 * 5.1). Open states are in levels, each after the one its states came from. The states
 * of the top level are expanded in their order, and what is new goes to the level above
 * it. When that one is full, or the top one done, it becomes the top; when a level is
 * done and has none above it, the search returns to the one below, whose first state may
 * be partially expanded. How many states a level takes makes the order: bbfs.c, alt.c.
 *
 * Levels follow each other in one array of nodes, so the array ends with the level
 * being filled; a level that is done gives its place to the one above it.
 *
 * Rows gather across states while there is certainly room for all of them in the next
 * level, so only those of the state fired last can be too many. What is too many is
 * dropped, and fired again when the level's turn is back, unless it is stored already (to
 * which no level matters): rows without room are passed, up to the first that is not there.
 * This spares keeping rows on the stack, as dfs.c does, and a state whose last new successor
 * was found is closed at once.
 */
#include "search/frontier/levels.h"

#include "search/tree/node_list.h"
#include "store/room/save.h"

#include "ts/hash.h"

#include "base/array.h"

#define EVERYTHING ((struct ts_event){TS_NONE, TS_NONE})

struct level {
  uint64_t begin, head;          /* first item, and the first that is not done */
  struct ts_event cursor, noted; /* of the first */
};

struct frontier {
  struct frontier_config config;
  struct rows rows;
  uint32_t enough;
  uint32_t looked_up; /* rows that were */
  bool passing;       /* the level is full, and rows up to pass_end are being passed */
  uint32_t pass_end;
  struct node_list items;
  struct level *level;
  uint64_t n_levels, room;
  uint64_t next_begin; /* of the level being filled; the end of the top one */
  uint64_t fired;      /* the next item to fire */
  bool partial;        /* it was fired in part, up to part_end */
  struct ts_event part_end;
  bool root_done;
  struct ts_event root_cursor;
  levels_width *width; /* above a depth; NULL: any number */
  uint8_t *row;
  uint32_t hot; /* the node whose state is in row, or TDTREE_NONE */
  uint32_t hot_length;
  uint64_t hot_raw;
  uint64_t open;
};

void levels_close(struct frontier *f) {
  struct budget *budget = f->config.budget;
  rows_close(&f->rows, budget);
  node_list_free(&f->items);
  array_free(budget, BUDGET_OPEN, f->level, f->room * sizeof *f->level);
  budget_free(budget, BUDGET_OPEN, f->row, ts_stride(f->config.shape));
  budget_free(budget, BUDGET_OPEN, f, sizeof *f);
}

struct frontier *levels_open(const struct frontier_config *config, levels_width *width) {
  struct frontier *f = budget_alloc(config->budget, BUDGET_OPEN, sizeof *f);
  if (f == NULL)
    return NULL;
  f->config = *config;
  f->width = width;
  f->root_done = config->begun;
  f->items.budget = config->budget;
  f->hot = TDTREE_NONE;
  f->enough = rows_enough(config->shape);
  f->row = budget_alloc(config->budget, BUDGET_OPEN, ts_stride(config->shape));
  if (f->row != NULL &&
      frontier_rows_open(&f->rows, config, f->enough + rows_events(config->shape)))
    return f;
  levels_close(f);
  return NULL;
}

static inline struct level *top(const struct frontier *f) {
  return &f->level[f->n_levels - 1];
}

/* How many states the level being filled takes yet. */
static uint64_t room_above(const struct frontier *f) {
  if (f->n_levels == 0 || f->width == NULL)
    return UINT64_MAX;
  uint32_t node = f->items.at[top(f)->head];
  uint64_t width = f->width(f->config.parameter, tdtree_at(f->config.tree, node)->depth);
  return width - (f->items.n - f->next_begin);
}

static bool can_fire(const struct frontier *f) {
  if (f->partial || (!f->root_done && f->rows.batch.n > 0))
    return false;
  return f->n_levels > 0 && f->fired < f->next_begin && room_above(f) > f->rows.batch.n;
}

bool levels_ready(struct frontier *f, bool flush, struct open_range *range) {
  enum { ONCE = 16 };
  uint32_t n = f->rows.batch.n;
  if (f->passing) {
    f->pass_end = n - f->looked_up < ONCE ? n : f->looked_up + ONCE;
    *range = (struct open_range){&f->rows, f->looked_up, f->pass_end, .ask = OPEN_PASS};
    return true;
  }
  if (n == 0 || (n < f->enough && !flush && can_fire(f)))
    return false;
  uint64_t room = room_above(f), left = n - f->looked_up;
  uint32_t to = room < left ? f->looked_up + (uint32_t)room : n;
  *range = (struct open_range){&f->rows, f->looked_up, to, .ask = OPEN_PUT};
  return true;
}

/* Room for one level more: entering one never fails. */
static bool make_room(struct frontier *f) {
  if (f->n_levels < f->room)
    return true;
  struct level *level =
      array_grow(f->config.budget, BUDGET_OPEN, f->level, &f->room, sizeof *level);
  if (level == NULL)
    return false;
  f->level = level;
  return true;
}

/* The level being filled becomes the top. */
static void enter_level(struct frontier *f) {
  uint64_t begin = f->next_begin;
  struct node_list *items = &f->items;
  if (f->n_levels > 0 && top(f)->head == f->next_begin) {
    begin = top(f)->begin;
    memmove(items->at + begin, items->at + f->next_begin,
            (items->n - f->next_begin) * sizeof *items->at);
    items->n -= f->next_begin - begin;
    f->n_levels--;
  }
  f->level[f->n_levels++] = (struct level){.begin = begin, .head = begin};
  f->next_begin = items->n;
  f->fired = begin;
  if (f->n_levels > f->config.figures->peak.stack)
    f->config.figures->peak.stack = f->n_levels;
}

/* The top level is done and nothing came of it that is still open. */
static void leave_level(struct frontier *f) {
  f->items.n = f->next_begin = top(f)->begin;
  f->n_levels--;
  f->fired = f->n_levels > 0 ? top(f)->head : 0;
}

static bool append(struct frontier *f, uint32_t node) {
  struct search_figures *figures = f->config.figures;
  uint64_t depth = tdtree_at(f->config.tree, node)->depth;
  if (!make_room(f) || !node_list_add(&f->items, node))
    return false;
  if (++f->open > figures->peak.open)
    figures->peak.open = f->open;
  if (depth > figures->depth)
    figures->depth = depth;
  return true;
}

/* Closes the first states of the top level, up to `end`, which becomes the first. */
static bool shut_until(struct frontier *f, uint64_t end) {
  struct level *level = top(f);
  uint64_t n = end - level->head;
  if (n == 0)
    return true;
  bool fine = tdtree_shut(f->config.tree, f->items.at + level->head, n);
  f->open -= n;
  level->head = end;
  level->cursor = level->noted = (struct ts_event){0, 0};
  return fine;
}

/* Rows from `from` on have no room: the state fired last, from which they all came, is
 * taken up again there. */
static bool put_back(struct frontier *f, uint32_t from) {
  struct ts_event cursor = f->rows.batch.edge[from].event;
  struct ts_event noted = f->partial ? f->part_end : EVERYTHING;
  uint64_t last = f->partial ? f->fired : f->fired - 1;
  bool fine = shut_until(f, last);
  struct level *level = top(f);
  level->cursor = cursor;
  if (open_before(level->noted, noted))
    level->noted = noted;
  f->fired = last;
  return fine;
}

/* Of the rows those before `done` are done with, and the others have no room. */
static bool finish(struct frontier *f, uint32_t done) {
  uint32_t n = f->rows.batch.n;
  bool fine = true, full = f->n_levels > 0 && room_above(f) == 0;
  if (done < n)
    fine = put_back(f, done);
  else if (f->n_levels > 0)
    fine = shut_until(f, f->fired);
  if (f->partial && done == n)
    top(f)->cursor = f->part_end;
  f->partial = f->passing = false;
  f->rows.batch.n = f->looked_up = 0;
  if (full)
    enter_level(f);
  return fine;
}

/* The state of row i will be the next to expand: it need not be got back. */
static void keep_hot(struct frontier *f, uint32_t i) {
  const struct rows *rows = &f->rows;
  f->hot = tdtree_node(rows->number[i]);
  f->hot_length = rows->batch.edge[i].length;
  f->hot_raw = rows->raw[i];
  memcpy(f->row, rows_at(rows, i), rows->batch.stride);
}

bool levels_settled(struct frontier *f, const struct open_range *range) {
  struct rows *rows = range->rows;
  uint32_t n = rows->batch.n;
  bool fine = true;
  f->looked_up = range->to;
  if (range->ask == OPEN_PASS)
    return range->to == f->pass_end && range->to < n ? true : finish(f, range->to);
  for (uint32_t i = range->from; i < range->to && fine; i++)
    if (rows->answer[i] == STORE_NEW)
      fine = append(f, tdtree_node(rows->number[i]));
  bool full = f->n_levels > 0 && room_above(f) == 0;
  if (!fine || (range->to < n && !full))
    return fine;
  f->hot = TDTREE_NONE;
  if (range->to > range->from && rows->answer[range->to - 1] == STORE_NEW && full &&
      f->items.n - f->next_begin == 1)
    keep_hot(f, range->to - 1);
  f->passing = range->to < n;
  return f->passing || finish(f, n);
}

/* Nodes were taken where they were free, so those of a wide level are not all side by
 * side: asks for one of the next. */
static inline void prefetch_node(const struct frontier *f) {
  enum { AHEAD = 8 };
  if (f->fired + AHEAD < f->next_begin)
    __builtin_prefetch(tdtree_at(f->config.tree, f->items.at[f->fired + AHEAD]), 1);
}

bool levels_next(struct frontier *f, struct open *open) {
  open_clear(open, &f->rows);
  if (!f->root_done) {
    frontier_open_root(open, f->root_cursor);
    return true;
  }
  while (f->n_levels == 0 || f->fired == f->next_begin) {
    if (f->items.n > f->next_begin)
      enter_level(f);
    else if (f->n_levels > 0)
      leave_level(f);
    else
      return false;
  }
  prefetch_node(f);
  uint32_t node = f->items.at[f->fired];
  if (f->fired == top(f)->head) {
    open->cursor = top(f)->cursor;
    open->noted = top(f)->noted;
  }
  if (f->hot == node) {
    frontier_name_node(f->config.tree, node, open);
    open->row = f->row;
    open->length = f->hot_length;
    open->raw = f->hot_raw;
    open->hashed = true;
  } else {
    frontier_open_node(f->config.tree, node, f->row, open);
  }
  f->hot = TDTREE_NONE;
  return true;
}

bool levels_push(struct frontier *f, const struct open *open, uint32_t from, bool done) {
  uint32_t n = f->rows.batch.n;
  (void)from;
  if (open->number == STORE_NONE) {
    f->root_done = done;
    f->root_cursor = open->cursor;
    return true;
  }
  f->partial = !done;
  f->part_end = open->cursor;
  if (!done) {
    if (n == 0) { /* nothing but faults */
      top(f)->cursor = open->cursor;
      f->partial = false;
    }
    return true;
  }
  f->fired++;
  return n > 0 || shut_until(f, f->fired);
}

bool levels_add(struct frontier *f, uint32_t node) {
  return append(f, node);
}

bool levels_rests(const struct frontier *f) {
  return f->root_done && f->rows.batch.n == 0 && !f->partial && !f->passing;
}

bool levels_pass(struct frontier *f, struct sink *sink) {
  void *level = f->level;
  uint64_t *const number[] = {&f->n_levels, &f->next_begin, &f->fired, &f->open};
  for (uint32_t i = 0; i < sizeof number / sizeof *number; i++)
    sink_pass(sink, number[i], sizeof *number[i]);
  f->root_done = true;
  f->hot = TDTREE_NONE;
  if (!node_list_pass(&f->items, sink))
    return false;
  if (!sink_is_read(sink)) {
    array_save(sink, f->level, f->room, f->n_levels, sizeof *f->level);
    return true;
  }
  bool fine = array_load(sink, f->config.budget, BUDGET_OPEN, &level, &f->room, f->n_levels,
                         sizeof *f->level);
  f->level = level;
  return fine;
}

void levels_report(const struct frontier *f, struct search_figures *figures) {
  figures->open = f->open;
  figures->level.known = figures->level.back_edges_known = false;
}
