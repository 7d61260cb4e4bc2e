/* ndfs.c - nested depth-first search: a cycle with an accepting event, on the way.
 *
 * Courcoubetis, Vardi, Wolper and Yannakakis 1992, with the improvements of Schwoon and
 * Esparza, "A Note on On-The-Fly Verification Algorithms" (TACAS 2005), figure 1; here it is
 * events that are accepting, not states. Two bits of each state are its colour:
 *
 *   cyan   on the path of the first search
 *   blue   left by the first search
 *   red    left, and visited by the second one: no state of the path can be reached from it
 *
 * The first search is that of explore.c, depth-first; this engine is its listener. An accepting
 * event to a cyan state closes a cycle at once. One to a blue state, or to a state that was
 * entered by it and is now left, begins the second search there, in blue states only: all of
 * them were left before, so what it meets is blue, red or cyan, and cyan closes a cycle, for
 * the path leads from there to the accepting event. If there is none, whatever it visited is
 * red: none of that leads to the path, nor will it to a later one, as all of it has been left.
 * So each state is visited twice at most.
 *
 * In a weak automaton the second search has nothing to find: the edges inside of an accepting
 * component all have the mark, so the event that closes a cycle there has it.
 */
#include "search/engine.h"

#include "search/fire.h"
#include "search/paint.h"
#include "search/stack/stack.h"

struct ndfs {
  struct worker *worker;
  const struct ts *ts;
  struct frontier_listener listener;
  bool nests; /* not weak: there is a second search */
  struct paint paint;
  struct stack red;
  struct rows rows, taken; /* successors in the second search; one row that waited */
};

static bool is_accepting(const struct ndfs *d, const struct open *top, struct ts_event event) {
  return top->row != NULL &&
         (ts_code(d->ts)->marks(d->ts, top->row, top->length, event) & 1) != 0;
}

/* ---- a cycle ------------------------------------------------------------------------------
 */

/* The path, then an event if there is one, then those of the second search if it is at work,
 * then the event of row i, whose state is cyan. */
static bool note_cycle(struct ndfs *d, const struct ts_event *after, bool nested,
                       const struct rows *rows, uint32_t i) {
  struct worker *w = d->worker;
  struct budget *budget = w->search->budget;
  const uint64_t path = w->order->path(w->frontier, NULL);
  const uint64_t inner = nested ? stack_path(&d->red, NULL) : 0;
  const uint64_t n = path + (after != NULL) + inner + 1;
  if (!worker_wants_cycle(w))
    return worker_note_cycle(w, NULL, 0, 0);
  struct ts_event *event = budget_alloc(budget, BUDGET_OTHER, n * sizeof *event);
  if (event == NULL)
    return false;
  uint64_t at = w->order->path(w->frontier, event);
  if (after != NULL)
    event[at++] = *after;
  if (nested)
    at += stack_path(&d->red, event + at);
  event[at] = rows->batch.edge[i].event;
  const bool fine = worker_note_cycle(w, event, n, n - 1 - paint_place(&d->paint, rows, i));
  budget_free(budget, BUDGET_OTHER, event, n * sizeof *event);
  return fine;
}

/* ---- the second search --------------------------------------------------------------------
 */

static bool enter_red(struct ndfs *d, const struct ts_edge *edge, const uint8_t *row,
                      uint64_t ref) {
  d->worker->figures.nested++;
  return paint_redden(&d->paint, ref, row, edge->length) &&
         stack_push(&d->red, edge, row, STORE_NONE);
}

/* Fires the state on top from the cursor on; what is blue waits. *found: a cycle was. */
static bool expand_red(struct ndfs *d, struct ts_event cursor, const struct ts_event *after,
                       bool *found) {
  struct worker *w = d->worker;
  struct rows *rows = &d->rows;
  uint32_t length;
  const uint8_t *row = stack_state(&d->red, &length);
  rows->batch.n = 0;
  const int32_t left =
      ts_code(d->ts)->successors(d->ts, row, length, &cursor, NULL, &rows->batch);
  if (left == 2)
    return true;
  worker_find(w, rows, row, length);
  w->clock.work += rows->batch.n + 1;
  if (left == 1 && !stack_put_cursor(&d->red, cursor))
    return false;
  for (uint32_t i = 0; i < rows->batch.n; i++) {
    if (rows->answer[i] != STORE_OLD) /* left out at a limit */
      continue;
    const enum colour colour = paint_of(&d->paint, rows, i);
    if (colour == COLOUR_CYAN) {
      *found = true;
      return note_cycle(d, after, true, rows, i);
    }
    if (colour == COLOUR_BLUE && !stack_wait(&d->red, rows, i))
      return false;
  }
  return true;
}

/* Takes one row that waits, and enters it unless it has become red meanwhile. */
static bool take_waiting(struct ndfs *d, bool *entered) {
  struct worker *w = d->worker;
  struct rows *rows = &d->taken;
  stack_take(&d->red, rows);
  w->search->store_kind->find(w->store, rows, 0, 1);
  *entered = rows->answer[0] == STORE_OLD && paint_of(&d->paint, rows, 0) == COLOUR_BLUE;
  return !*entered || enter_red(d, &rows->batch.edge[0], rows_at(rows, 0), rows->ref[0]);
}

/* One step of it. False if memory ran out. */
static bool step_red(struct ndfs *d, const struct ts_event *after, bool *found) {
  static const struct ts_event begin = {0, 0};
  struct open open;
  bool entered;
  switch (stack_top(&d->red)) {
  case STACK_WAITING:
    return take_waiting(d, &entered) && (!entered || expand_red(d, begin, after, found));
  case STACK_PARTIAL:
    stack_resume(&d->red, &open);
    stack_take_cursor(&d->red);
    return expand_red(d, open.cursor, after, found);
  default:
    stack_pop(&d->red);
    return true;
  }
}

/* From a blue state, to which the event `after` leads from the top of the path; NULL: it is the
 * top of the path itself. */
static bool search_red(struct ndfs *d, const struct ts_event *after, const struct ts_edge *edge,
                       const uint8_t *row, uint64_t ref) {
  struct worker *w = d->worker;
  bool found = false;
  bool fine =
      enter_red(d, edge, row, ref) && expand_red(d, (struct ts_event){0, 0}, after, &found);
  while (fine && !found && !w->search->stop && stack_top(&d->red) != STACK_EMPTY) {
    fine = step_red(d, after, &found);
    if (w->clock.work >= w->clock.next)
      worker_check_limits(w);
  }
  stack_empty(&d->red);
  return fine;
}

/* ---- the path of the first search ---------------------------------------------------------
 */

static bool entered(void *context, const struct open *top, const struct rows *rows, uint32_t i,
                    bool *keep) {
  struct ndfs *d = context;
  const bool marked = d->nests && is_accepting(d, top, rows->batch.edge[i].event);
  *keep = marked;
  return paint_enter(&d->paint, rows, i, marked);
}

static bool found(void *context, const struct open *top, const struct rows *rows, uint32_t i) {
  struct ndfs *d = context;
  const struct ts_edge *edge = &rows->batch.edge[i];
  if (search_is_decided(d->worker->search) || !is_accepting(d, top, edge->event))
    return true;
  const enum colour colour = paint_of(&d->paint, rows, i);
  if (colour == COLOUR_CYAN)
    return note_cycle(d, NULL, false, rows, i);
  return colour == COLOUR_RED || !d->nests ||
         search_red(d, &edge->event, edge, rows_at(rows, i), rows->ref[i]);
}

static bool left(void *context, const struct open *top) {
  struct ndfs *d = context;
  uint64_t name;
  const bool marked = paint_leave(&d->paint, &name);
  if (!marked || search_is_decided(d->worker->search))
    return true;
  return search_red(d, NULL, &(struct ts_edge){.length = top->length}, top->row, name);
}

/* ---- the engine ---------------------------------------------------------------------------
 */

static void close_ndfs(struct worker *w) {
  struct ndfs *d = w->engine_own;
  struct budget *budget = w->search->budget;
  if (d == NULL)
    return;
  paint_close(&d->paint);
  stack_close(&d->red);
  rows_close(&d->rows, budget);
  rows_close(&d->taken, budget);
  budget_free(budget, BUDGET_OTHER, d, sizeof *d);
  w->engine_own = NULL;
  w->listener = NULL;
}

static bool open_ndfs(struct worker *w) {
  struct search *s = w->search;
  struct ndfs *d = budget_alloc(s->budget, BUDGET_OTHER, sizeof *d);
  w->engine_own = d;
  if (d == NULL)
    return false;
  *d = (struct ndfs){.worker = w, .ts = s->ts, .nests = !s->shape->marks_are_weak};
  d->listener = (struct frontier_listener){d, entered, found, left};
  w->listener = &d->listener;
  const struct stack_config config = {.shape = s->shape, .budget = s->budget};
  return paint_open(&d->paint, w) && stack_open(&d->red, &config) &&
         rows_open(&d->rows, s->shape, s->budget, rows_events(s->shape)) &&
         rows_open(&d->taken, s->shape, s->budget, 1);
}

/* The second search is never under way between two expansions. */
static bool pass_ndfs(struct worker *w, struct sink *sink) {
  struct ndfs *d = w->engine_own;
  return paint_pass(&d->paint, sink);
}

const struct engine engine_ndfs = {.name = "ndfs",
                                   .summary = "nested depth-first search",
                                   .needs = ENGINE_ORDER | ENGINE_CYCLES | ENGINE_PATH |
                                            ENGINE_ONE_MARK,
                                   .bits = PAINT_BITS,
                                   .open = open_ndfs,
                                   .close = close_ndfs,
                                   .run = engine_explore_run,
                                   .pass = pass_ndfs};
