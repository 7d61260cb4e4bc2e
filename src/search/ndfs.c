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

#include "search/core.h"
#include "search/stack/stack.h"

#include "base/array.h"

#include <string.h>

enum colour { CYAN, BLUE, RED }; /* a new state has bits 0, and is entered at once */

#define MARKED (UINT64_C(1) << 63) /* entered by an accepting event */

struct ndfs {
  struct worker *worker;
  const struct ts *ts;
  struct frontier_listener listener;
  bool nests;              /* not weak: there is a second search */
  uint64_t *path, n, room; /* the store's names of the states on the path, and MARKED */
  struct stack red;
  struct rows rows, taken; /* successors in the second search; one row that waited */
};

static bool is_accepting(const struct ndfs *d, const struct open *top, struct ts_event event) {
  return top->row != NULL &&
         (ts_code(d->ts)->marks(d->ts, top->row, top->length, event) & 1) != 0;
}

static enum colour colour_of(const struct ndfs *d, uint64_t ref) {
  return (enum colour)d->worker->search->store_kind->bits(d->worker->store, ref);
}

static void set_colour(const struct ndfs *d, uint64_t ref, enum colour colour) {
  d->worker->search->store_kind->set_bits(d->worker->store, ref, colour);
}

/* ---- a cycle ------------------------------------------------------------------------------
 */

/* Where on the path a cyan state is: 0 is the initial state. */
static uint64_t place_of(const struct ndfs *d, uint64_t ref) {
  uint64_t at = d->n;
  while (at > 0 && (d->path[at - 1] & ~MARKED) != ref)
    at--;
  return at - 1;
}

/* The path, then an event if there is one, then those of the second search if it is at work,
 * then the event `last`, which leads to a cyan state. */
static bool note_cycle(struct ndfs *d, const struct ts_event *after, bool nested,
                       const struct ts_event *last, uint64_t ref) {
  struct worker *w = d->worker;
  struct budget *budget = w->search->budget;
  const uint64_t path = w->order->path(w->frontier, NULL);
  const uint64_t inner = nested ? stack_path(&d->red, NULL) : 0;
  const uint64_t n = path + (after != NULL) + inner + (last != NULL);
  struct ts_event *event = budget_alloc(budget, BUDGET_OTHER, n * sizeof *event);
  if (event == NULL)
    return false;
  uint64_t at = w->order->path(w->frontier, event);
  if (after != NULL)
    event[at++] = *after;
  if (nested)
    at += stack_path(&d->red, event + at);
  if (last != NULL)
    event[at++] = *last;
  const bool fine = worker_note_cycle(w, event, n, n - 1 - place_of(d, ref));
  budget_free(budget, BUDGET_OTHER, event, n * sizeof *event);
  return fine;
}

/* ---- the second search --------------------------------------------------------------------
 */

static bool enter_red(struct ndfs *d, const struct ts_edge *edge, const uint8_t *row,
                      uint64_t ref) {
  set_colour(d, ref, RED);
  d->worker->figures.nested++;
  return stack_push(&d->red, edge, row, STORE_NONE);
}

/* Rows without a state go, and the others are looked up. */
static void look_up(struct ndfs *d, struct rows *rows, const uint8_t *row, uint32_t length) {
  struct worker *w = d->worker;
  struct ts_batch *batch = &rows->batch;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < batch->n; i++) {
    if (batch->edge[i].kind == TS_MODEL_ERROR)
      continue;
    if (kept < i) {
      batch->edge[kept] = batch->edge[i];
      memcpy(rows_at(rows, kept), rows_at(rows, i), batch->stride);
    }
    kept++;
  }
  batch->n = kept;
  const struct hash_parent parent = {row, length, hash_raw(w->search->hash, row, length)};
  hash_successors(w->search->hash, &parent, batch, 0, rows->raw, rows->hash);
  w->search->store_kind->find(w->store, rows, 0, kept);
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
  look_up(d, rows, row, length);
  w->clock.work += rows->batch.n + 1;
  if (left == 1 && !stack_put_cursor(&d->red, cursor))
    return false;
  for (uint32_t i = 0; i < rows->batch.n; i++) {
    if (rows->answer[i] != STORE_OLD) /* left out at a limit */
      continue;
    const enum colour colour = colour_of(d, rows->ref[i]);
    if (colour == CYAN) {
      *found = true;
      return note_cycle(d, after, true, &rows->batch.edge[i].event, rows->ref[i]);
    }
    if (colour == BLUE && !stack_wait(&d->red, rows, i))
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
  *entered = rows->answer[0] == STORE_OLD && colour_of(d, rows->ref[0]) == BLUE;
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

static bool grow(struct ndfs *d) {
  uint64_t *more =
      array_grow(d->worker->search->budget, BUDGET_OPEN, d->path, &d->room, sizeof *d->path);
  d->path = more == NULL ? d->path : more;
  return more != NULL;
}

static bool entered(void *context, const struct open *top, const struct rows *rows, uint32_t i,
                    bool *keep) {
  struct ndfs *d = context;
  const bool marked = d->nests && is_accepting(d, top, rows->batch.edge[i].event);
  if (d->n == d->room && !grow(d))
    return false;
  d->path[d->n++] = rows->ref[i] | (marked ? MARKED : 0);
  *keep = marked;
  return true;
}

static bool found(void *context, const struct open *top, const struct rows *rows, uint32_t i) {
  struct ndfs *d = context;
  const struct ts_edge *edge = &rows->batch.edge[i];
  if (search_is_decided(d->worker->search) || !is_accepting(d, top, edge->event))
    return true;
  const enum colour colour = colour_of(d, rows->ref[i]);
  if (colour == CYAN)
    return note_cycle(d, NULL, false, &edge->event, rows->ref[i]);
  return colour == RED || !d->nests ||
         search_red(d, &edge->event, edge, rows_at(rows, i), rows->ref[i]);
}

static bool left(void *context, const struct open *top) {
  struct ndfs *d = context;
  const uint64_t name = d->path[--d->n], ref = name & ~MARKED;
  set_colour(d, ref, BLUE);
  if (!(name & MARKED) || search_is_decided(d->worker->search))
    return true;
  return search_red(d, NULL, &(struct ts_edge){.length = top->length}, top->row, ref);
}

/* ---- the engine ---------------------------------------------------------------------------
 */

static void close_ndfs(struct worker *w) {
  struct ndfs *d = w->engine_own;
  struct budget *budget = w->search->budget;
  if (d == NULL)
    return;
  array_free(budget, BUDGET_OPEN, d->path, d->room * sizeof *d->path);
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
  return stack_open(&d->red, &config) &&
         rows_open(&d->rows, s->shape, s->budget, rows_events(s->shape)) &&
         rows_open(&d->taken, s->shape, s->budget, 1);
}

const struct engine engine_ndfs = {.name = "ndfs",
                                   .summary = "nested depth-first search",
                                   .needs = ENGINE_ORDER | ENGINE_CYCLES | ENGINE_PATH |
                                            ENGINE_ONE_MARK,
                                   .bits = 2,
                                   .open = open_ndfs,
                                   .close = close_ndfs,
                                   .run = engine_explore_run};
