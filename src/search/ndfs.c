/* ndfs.c - nested depth-first search: a cycle with an accepting event, on the way.
 *
 * Courcoubetis, Vardi, Wolper and Yannakakis 1992, with the improvements of Schwoon and
 * Esparza, "A Note on On-The-Fly Verification Algorithms" (TACAS 2005), figure 1; here it is
 * events that are accepting, not states. Two bits of each state are its colour:
 *
 *   cyan   on the path of the first search
 *   blue   left by the first search
 *   red    left, and on no cycle that is accepted
 *
 * The first search is that of explore.c, depth-first; this engine is its listener. An accepting
 * event to a cyan state closes a cycle at once. One to a blue state, or to a state that was
 * entered by it and is now left, begins the second search there, in blue states only: all of
 * them were left before, so what it reaches is blue, red or cyan, and cyan closes a cycle, for
 * the path leads from there to the accepting event. If there is none, whatever it visited is
 * red: none of that leads to the path, nor will it to a later one, as all of it has been left.
 * So each state is visited twice at most. A state that leads to red states only is red when it
 * is left, and needs no second search (Gaiser and Schwoon, "Comparison of algorithms for
 * checking emptiness on Büchi automata", MEMICS 2009, section 3.1): mostly all that is on no
 * cycle.
 *
 * A cycle stays within one component of the claim (ts/claim_parts.h), so events that leave it
 * count for nothing here. In a component without accepting events inside nothing is looked for,
 * and in one with no others the event that closes a cycle is accepting: no second search.
 */
#include "search/engine.h"

#include "search/fire.h"
#include "search/paint.h"
#include "search/stack/stack.h"
#include "ts/claim_parts.h"
#include "ts/product.h"

struct ndfs {
  struct worker *worker;
  const struct ts *ts;
  struct frontier_listener listener;
  const struct claim_part *part; /* by state of the claim, or NULL */
  struct paint paint;
  struct stack red;
  struct rows rows, taken; /* successors in the second search; one row that waited */
};

static bool is_accepting(const struct ndfs *d, const struct open *top, struct ts_event event) {
  return (ts_code(d->ts)->marks(d->ts, top->row, top->length, event) & 1) != 0;
}

/* Of what is no product nothing is known. */
static struct claim_part part_of(const struct ndfs *d, const uint8_t *state) {
  return d->part == NULL ? (struct claim_part){0, CLAIM_PART_SOME}
                         : d->part[ts_product_state(state)];
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

/* Rows of other parts go, and what is no state. */
static void keep_inside(const struct ndfs *d, struct rows *rows, uint32_t part) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < rows->batch.n; i++)
    if (rows->batch.edge[i].kind != TS_MODEL_ERROR && part_of(d, rows_at(rows, i)).part == part)
      rows_move(rows, kept++, i);
  rows->batch.n = kept;
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
  keep_inside(d, rows, part_of(d, row).part);
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
  const struct claim_part to = part_of(d, rows_at(rows, i));
  unsigned flags = to.marks == CLAIM_PART_SOME ? PAINT_CLEAR : 0;
  if (to.marks == CLAIM_PART_SOME && top->row != NULL && part_of(d, top->row).part == to.part) {
    *keep = is_accepting(d, top, rows->batch.edge[i].event);
    flags |= PAINT_INSIDE | (*keep ? PAINT_MARKED : 0);
  }
  return paint_enter(&d->paint, rows, i, flags);
}

/* An event of the state on top to row i, which was stored before and is of the same part. */
static bool meet(struct ndfs *d, const struct open *top, const struct rows *rows, uint32_t i,
                 bool nests) {
  const struct ts_edge *edge = &rows->batch.edge[i];
  const bool accepts = is_accepting(d, top, edge->event);
  if (!accepts && !(nests && paint_is_clear(&d->paint)))
    return true;
  const enum colour colour = paint_of(&d->paint, rows, i);
  if (accepts && colour == COLOUR_CYAN)
    return note_cycle(d, NULL, false, rows, i);
  if (accepts && colour == COLOUR_BLUE && nests)
    return search_red(d, &edge->event, edge, rows_at(rows, i), rows->ref[i]);
  if (nests && colour != COLOUR_RED)
    paint_cloud(&d->paint);
  return true;
}

static bool found(void *context, const struct open *top, const struct open_range *range) {
  struct ndfs *d = context;
  const struct rows *rows = range->rows;
  if (top->row == NULL)
    return true;
  const struct claim_part here = part_of(d, top->row);
  bool fine = here.marks != CLAIM_PART_NONE;
  for (uint32_t i = range->from; i < range->to && fine; i++) {
    if (i == range->first || rows->answer[i] != STORE_OLD ||
        part_of(d, rows_at(rows, i)).part != here.part)
      continue;
    if (search_is_decided(d->worker->search))
      break;
    fine = meet(d, top, rows, i, here.marks == CLAIM_PART_SOME);
  }
  return fine || here.marks == CLAIM_PART_NONE;
}

static bool left(void *context, const struct open *top) {
  struct ndfs *d = context;
  uint64_t name;
  const unsigned flags = paint_leave(&d->paint, &name);
  if ((flags & (PAINT_INSIDE | PAINT_CLEAR)) != PAINT_INSIDE)
    return true;
  if ((flags & PAINT_MARKED) == 0) {
    paint_cloud(&d->paint);
    return true;
  }
  return search_is_decided(d->worker->search) ||
         search_red(d, NULL, &(struct ts_edge){.length = top->length}, top->row, name);
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
  *d = (struct ndfs){.worker = w, .ts = s->ts, .part = s->shape->claim_part};
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

static bool move_ndfs(struct worker *w, const struct store_kind *to) {
  struct ndfs *d = w->engine_own;
  return paint_move(&d->paint, to);
}

static bool moved_ndfs(struct worker *w, const struct engine_moved *state) {
  struct ndfs *d = w->engine_own;
  return paint_moved(&d->paint, state);
}

const struct engine engine_ndfs = {.name = "ndfs",
                                   .summary = "nested depth-first search",
                                   .needs = ENGINE_ORDER | ENGINE_CYCLES | ENGINE_PATH |
                                            ENGINE_ONE_MARK,
                                   .bits = PAINT_BITS,
                                   .open = open_ndfs,
                                   .close = close_ndfs,
                                   .run = engine_explore_run,
                                   .pass = pass_ndfs,
                                   .move = move_ndfs,
                                   .moved = moved_ndfs};
