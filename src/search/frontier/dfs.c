/* dfs.c - depth-first, exact: the open states are always a path.
 *
 * The stack (search/stack/stack.h) holds the path and what waits beside it. Here is what
 * happens between: the successors of a state are looked up, not put. Those already stored are
 * done with; the others wait and are put into the store one by one, each when all below its
 * elder siblings is done. It may have become old by then. (Inserting all at expansion is faster
 * and gives another order, in which the stack is no path, depth and first error differ, and
 * neither the stack proviso of partial-order reduction nor nested search works.)
 *
 * The first row that is not there need not wait: its turn comes at once,
 * and it stays where it is, in one of two batches that are used in turn. For
 * most expansions it is the only one. Rows taken off the stack are looked up again,
 * all siblings at once: most have become old, and old they stay. (On a model of ten
 * events per state this was 44 % faster than one after the other.)
 *
 * The look-ups of one state are few, and its buckets and then its vectors would each be
 * waited for. So the engine fires ahead: from the tags of the rows alone the store guesses
 * which of them is the next state, that state is fired, and while its successors' buckets
 * come, the vectors of the rows have come, which are compared then. The guess is wrong only
 * where two hashes agree, and then what was fired ahead is dropped. Measured 2026-11-27
 * (2 cores, AMD EPYC 9005-class at about 2.6 GHz, 2 MiB pages by madvise, 160 ns per miss):
 * at.4 from 6.0 to 8.3, phils.6 from 5.4 to 8.0 million events per second. Asking for the
 * buckets of waiting rows before it is known that no child is new gained nothing.
 *
 * Where a tree is kept, a state is closed as soon as its frame is taken off, and open states
 * may be given from outside: each begins an empty stack.
 */
#include "search/frontier/frontier.h"

#include "search/stack/stack.h"
#include "search/tree/node_list.h"

#include <assert.h>

/* An open state is handed out just after it was written, member by member: read back by vector
 * instructions, it would have to be waited for. */
#ifndef __clang__
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

enum { TAKEN = 16 }; /* waiting rows that are looked up at once */

/* What comes next. From LOOK the rows that are there are dropped: FRESH if any is left, which
 * was put, else BACK. FRESH is handed out: OUT; when it was fired: LOOK, or BACK if it has no
 * successors. BACK takes off frames that are done,
 * then what is on top: LOOK if rows wait there, OUT if a state has events left, or the first
 * of those given from outside. FAILED: memory ran out, as the next answer will say. */
enum phase { LOOK, FRESH, OUT, BACK, FAILED };

struct frontier {
  struct frontier_config config;
  struct stack stack;
  struct rows two[2], taken; /* taken: rows taken off the stack */
  uint32_t turn;             /* of two: where the next expansion goes */
  enum phase phase;
  struct open_range range; /* of LOOK */
  uint32_t likely;         /* the row of it that was fired ahead, or UINT32_MAX */
  struct open top;         /* the state just stored or begun, of FRESH */
  uint32_t node;           /* of the top frame; TDTREE_NONE: the root, or no tree is kept */
  uint64_t base;           /* depth of the state of the lowest frame; of the root UINT64_MAX */
  struct node_list added;  /* from outside, */
  uint64_t begun;          /* of them those that were begun */
};

static void dfs_close(struct frontier *f) {
  struct budget *budget = f->config.budget;
  stack_close(&f->stack);
  rows_close(&f->two[0], budget);
  rows_close(&f->two[1], budget);
  rows_close(&f->taken, budget);
  node_list_free(&f->added);
  budget_free(budget, BUDGET_OPEN, f, sizeof *f);
}

/* Whether the rows say of which stored state they are successors. */
static void say_parents(struct frontier *f, bool has_parents) {
  f->two[0].has_parents = f->two[1].has_parents = f->taken.has_parents = has_parents;
}

static uint64_t number_of_top(const struct frontier *f) {
  return f->node != TDTREE_NONE ? f->node : f->stack.frames == 1 ? STORE_NONE : OPEN_UNKNOWN;
}

static uint64_t depth_of_top(const struct frontier *f) {
  return f->base + f->stack.frames - 1;
}

/* All but the root's. */
static uint64_t frames_of_states(const struct frontier *f) {
  bool root = f->base == UINT64_MAX && f->stack.frames > 0;
  return f->stack.frames - root;
}

/* The state of a new frame, which is in f->top, is the next to expand. */
static bool enter(struct frontier *f, const struct ts_edge *edge, uint64_t name) {
  struct search_figures *figures = f->config.figures;
  if (!stack_push(&f->stack, edge, f->top.row, name))
    return false;
  f->phase = FRESH;
  f->top.number = number_of_top(f);
  f->top.name = name;
  f->top.depth = depth_of_top(f);
  f->top.cursor = (struct ts_event){0, 0};
  f->top.by = edge->event;
  f->top.of_few = open_is_of_few(edge);
  if (f->top.number == STORE_NONE)
    return true;
  uint64_t frames = frames_of_states(f), open = frames + f->added.n - f->begun;
  if (f->top.depth > figures->depth)
    figures->depth = f->top.depth;
  if (open > figures->peak.open)
    figures->peak.open = open;
  if (f->node != TDTREE_NONE && frames > figures->peak.stack)
    figures->peak.stack = frames;
  return true;
}

static struct frontier *dfs_open(const struct frontier_config *config) {
  struct budget *budget = config->budget;
  struct frontier *f = budget_alloc(budget, BUDGET_OPEN, sizeof *f);
  if (f == NULL)
    return NULL;
  struct stack_config stack = {.shape = config->shape,
                               .budget = budget,
                               .keeps_names = config->names,
                               .relieve = config->relieve,
                               .context = config->context};
  uint32_t capacity = rows_events(config->shape);
  f->config = *config;
  f->node = TDTREE_NONE;
  f->base = UINT64_MAX;
  f->phase = BACK;
  f->added.budget = budget;
  bool fine = stack_open(&f->stack, &stack) &&
              frontier_rows_open(&f->two[0], config, capacity) &&
              frontier_rows_open(&f->two[1], config, capacity) &&
              frontier_rows_open(&f->taken, config, capacity < TAKEN ? capacity : TAKEN);
  say_parents(f, config->names);
  f->top.row = f->stack.row;
  if (fine && !config->begun)
    fine = enter(f, &(struct ts_edge){.event = {TS_NONE, 0}}, STORE_NONE);
  if (fine)
    return f;
  dfs_close(f);
  return NULL;
}

/* Rows [from, n) are to be looked up next. */
static void set_look(struct frontier *f, struct rows *rows, uint32_t from) {
  f->range = (struct open_range){rows, from, rows->batch.n, .ask = OPEN_FIRST,
                                 .depth = depth_of_top(f) + 1};
  f->likely = UINT32_MAX;
  f->phase = from < rows->batch.n ? LOOK : BACK;
}

/* The state on top, for the listener; of the root and of one that is not there no row. */
static struct open top_of(const struct frontier *f) {
  struct open top = {.number = number_of_top(f), .name = stack_name(&f->stack)};
  if (top.number != STORE_NONE && stack_has_state(&f->stack))
    top.row = stack_state(&f->stack, &top.length);
  return top;
}

static bool tell_left(const struct frontier *f) {
  const struct frontier_listener *listener = f->config.listener;
  const struct open top = top_of(f);
  return top.number == STORE_NONE || listener->left(listener->context, &top);
}

/* Rows that were stored before. */
static bool tell_found(const struct frontier *f, const struct open_range *range) {
  const struct frontier_listener *listener = f->config.listener;
  const struct open top = top_of(f);
  return range->from == range->to || listener->found(listener->context, &top, range);
}

/* The frame on top is done. */
static bool leave(struct frontier *f) {
  uint32_t node = f->node;
  if (f->config.listener != NULL && !tell_left(f))
    return false;
  stack_pop(&f->stack);
  if (node == TDTREE_NONE)
    return true;
  f->node = f->stack.frames == 0 ? TDTREE_NONE : tdtree_at(f->config.tree, node)->pred;
  return tdtree_shut(f->config.tree, &node, 1);
}

/* The rows that wait on top. */
static void take_waiting(struct frontier *f) {
  struct rows *rows = &f->taken;
  uint64_t number = number_of_top(f), name = stack_name(&f->stack);
  stack_take(&f->stack, rows);
  for (uint32_t i = 0; i < rows->batch.n; i++) {
    rows->pred[i] = number;
    rows->parent[i] = name;
  }
  set_look(f, rows, 0);
}

/* The next of the states given from outside, at the bottom of an empty stack. */
static bool begin_added(struct frontier *f) {
  struct open *top = &f->top;
  uint32_t node = f->added.at[f->begun++];
  if (f->begun == f->added.n)
    f->added.n = f->begun = 0;
  frontier_open_node(f->config.tree, node, f->taken.batch.rows, top);
  top->hashed = top->ahead = false;
  f->node = node;
  f->base = top->depth;
  const struct ts_edge edge = {
      .event = top->by, .length = top->length, .note = top->of_few ? OPEN_OF_FEW : 0};
  return enter(f, &edge, STORE_NONE);
}

/* Frames that are done are taken off, down to something that is not. */
static __attribute__((noinline)) void go_back(struct frontier *f) {
  enum stack_top top = STACK_FRAME;
  while (f->phase == BACK && (top = stack_top(&f->stack)) == STACK_FRAME)
    if (!leave(f))
      f->phase = FAILED;
  if (f->phase == BACK && top == STACK_WAITING)
    take_waiting(f);
  else if (f->phase == BACK && top == STACK_EMPTY && f->begun < f->added.n && !begin_added(f))
    f->phase = FAILED;
  if (f->phase == FAILED)
    f->range = (struct open_range){&f->taken, 0, 0, .ask = OPEN_PUT};
}

static bool dfs_ready(struct frontier *f, bool flush, struct open_range *range) {
  (void)flush;
  if (f->phase == BACK)
    go_back(f);
  if (f->phase != LOOK && f->phase != FAILED)
    return false;
  range->rows = f->range.rows;
  range->from = f->range.from;
  range->to = f->range.to;
  range->ask = f->range.ask;
  range->guessed = false;
  range->first = range->to;
  range->depth = f->range.depth;
  return true;
}

/* The state of row i, a successor of the top frame's, is to become the top. */
static void set_top(struct frontier *f, const struct rows *rows, uint32_t i) {
  const struct ts_edge *edge = &rows->batch.edge[i];
  struct open *top = &f->top;
  top->number = OPEN_UNKNOWN;
  top->row = rows_at(rows, i);
  top->length = edge->length;
  top->raw = rows->raw[i];
  top->hashed = true;
  top->ahead = false;
  top->depth = depth_of_top(f) + 1;
  top->cursor = (struct ts_event){0, 0};
  top->by = edge->event;
  top->of_few = open_is_of_few(edge);
}

/* The same as enter(), and the listener hears of it. */
static bool enter_told(struct frontier *f, const struct rows *rows, uint32_t i) {
  const struct frontier_listener *listener = f->config.listener;
  const struct open top = top_of(f);
  bool keep = false;
  if (!listener->entered(listener->context, &top, rows, i, &keep) ||
      !enter(f, &rows->batch.edge[i], rows->ref[i]))
    return false;
  if (keep)
    stack_keep(&f->stack);
  return true;
}

/* Of the rows looked up the first that is not there was put and is next, the others wait. */
static bool dfs_settled(struct frontier *f, const struct open_range *range) {
  struct rows *rows = range->rows;
  uint32_t first = range->first;
  if (f->phase == FAILED)
    return false;
  f->phase = BACK;
  if (f->config.listener != NULL && !tell_found(f, range))
    return false;
  for (uint32_t i = range->to; i-- > first + 1;)
    if (rows->answer[i] != STORE_OLD && !stack_wait(&f->stack, rows, i))
      return false;
  if (first >= range->to || rows->answer[first] != STORE_NEW)
    return true;
  if (first != f->likely)
    set_top(f, rows, first);
  f->top.ahead = first == f->likely;
  f->node = tdtree_node_if(f->config.tree, rows->number[first]);
  return f->config.listener != NULL ? enter_told(f, rows, first)
                                    : enter(f, &rows->batch.edge[first], rows->ref[first]);
}

static bool dfs_next(struct frontier *f, struct open *open) {
  if (f->phase != FRESH) {
    if (stack_top(&f->stack) != STACK_PARTIAL)
      return false;
    stack_resume(&f->stack, &f->top);
    f->top.number = number_of_top(f);
    f->top.name = f->config.names ? stack_name(&f->stack) : STORE_NONE;
    f->top.depth = depth_of_top(f);
    f->top.ahead = false;
  }
  f->phase = OUT;
  f->top.into = &f->two[f->turn];
  f->top.into->batch.n = 0;
  f->turn ^= 1;
  open_copy(open, &f->top);
  return true;
}

static bool dfs_push(struct frontier *f, const struct open *open, uint32_t from, bool done) {
  stack_take_cursor(&f->stack);
  if (!done && !stack_put_cursor(&f->stack, open->cursor))
    return false;
  set_look(f, open->into, from);
  return true;
}

static bool dfs_add(struct frontier *f, uint32_t node) {
  return node_list_add(&f->added, node);
}

static void dfs_likely(struct frontier *f, const struct open_range *range, uint32_t i,
                       struct open *open) {
  f->likely = i;
  set_top(f, range->rows, i);
  open_copy(open, &f->top);
  open->into = &f->two[f->turn];
  open->into->batch.n = 0;
}

static uint32_t dfs_soon(const struct frontier *f, uint64_t hash[FRONTIER_SOON]) {
  return stack_soon(&f->stack, hash, FRONTIER_SOON);
}

static uint64_t dfs_path(const struct frontier *f, struct ts_event *event) {
  return stack_path(&f->stack, event);
}

/* Nothing is asked of the store, and no name is needed. */

static uint64_t dfs_move_needs(const struct frontier *f, const struct store_kind *to) {
  (void)f;
  (void)to;
  return 0;
}

static bool dfs_move(struct frontier *f, const struct store_kind *to) {
  (void)f;
  (void)to;
  return true;
}

static bool dfs_moved(struct frontier *f, uint64_t old_ref, uint64_t ref, const uint8_t *row,
                      uint32_t length) {
  (void)f;
  (void)old_ref;
  (void)ref;
  (void)row;
  (void)length;
  return true;
}

static void dfs_use(struct frontier *f, const struct store_kind *kind,
                    struct store_work *store) {
  (void)kind;
  (void)store;
  say_parents(f, false);
}

/* Then all there is is on the stack. */
/* The rows of the state fired last. */
static struct rows *last_rows(struct frontier *f) {
  return &f->two[f->turn ^ 1];
}

/* Also with rows that were not looked up yet: on the way down there are always some. */
static bool dfs_rests(const struct frontier *f) {
  return f->phase == BACK || (f->phase == LOOK && f->range.rows == &f->two[f->turn ^ 1]);
}

/* Where the store changed names are not what they were, and rows have no parents any more. */
static bool dfs_pass(struct frontier *f, struct sink *sink) {
  bool has_parents = f->taken.has_parents;
  sink_pass(sink, &f->node, sizeof f->node);
  sink_pass(sink, &f->base, sizeof f->base);
  sink_pass(sink, &f->begun, sizeof f->begun);
  sink_pass(sink, &f->turn, sizeof f->turn);
  sink_pass(sink, &has_parents, sizeof has_parents);
  uint64_t looks = f->phase == LOOK, from = f->range.from;
  sink_pass_count(sink, &looks, 1);
  f->turn &= 1;
  f->phase = BACK;
  say_parents(f, has_parents);
  if (looks != 0) {
    sink_pass_count(sink, &from, last_rows(f)->batch.capacity);
    rows_pass(last_rows(f), sink);
    set_look(f, last_rows(f), (uint32_t)from);
  }
  return node_list_pass(&f->added, sink) && stack_pass(&f->stack, sink);
}

static void dfs_report(const struct frontier *f, struct search_figures *figures) {
  figures->open = frames_of_states(f) + f->added.n - f->begun;
  figures->level.known = false;
}

const struct frontier_kind frontier_dfs = {
    .name = "dfs",
    .summary = "depth-first: follows one run to its end before the next",
    .traits = FRONTIER_STACK | FRONTIER_PATH | FRONTIER_AHEAD | FRONTIER_MOVES,
    .open = dfs_open,
    .close = dfs_close,
    .ready = dfs_ready,
    .settled = dfs_settled,
    .next = dfs_next,
    .push = dfs_push,
    .add = dfs_add,
    .likely = dfs_likely,
    .soon = dfs_soon,
    .path = dfs_path,
    .move_needs = dfs_move_needs,
    .move = dfs_move,
    .moved = dfs_moved,
    .use = dfs_use,
    .rests = dfs_rests,
    .pass = dfs_pass,
    .report = dfs_report,
};
