/* trail.c - the way to an error: found again, and gone again before it is believed.
 *
 * Depth-first has the way on its stack, and a tree of open states has it. Otherwise it is known
 * of which state each was which successor first, and the way is gone from the initial state.
 * Either way the trail is replayed by firing its events one by one, and must end in the error
 * that was noted.
 */
#include "search/run.h"

#include <string.h>

enum { WALK_ROWS = 16, PARENT_ROW = WALK_ROWS, CHILD_ROW, WALK_ROOM };

/* Memory for a batch of rows and, behind them, two rows more. */
static bool walk_open(struct ts_batch *walk, size_t *bytes, const struct ts_shape *shape,
                      struct budget *budget) {
  size_t stride = ts_stride(shape);
  size_t edges = WALK_ROWS * sizeof *walk->edge;
  *bytes = WALK_ROOM * stride + edges;
  uint8_t *at = budget_map(budget, BUDGET_OTHER, *bytes, false);
  *walk = (struct ts_batch){.edge = (struct ts_edge *)(void *)at,
                            .rows = at == NULL ? NULL : at + edges,
                            .stride = stride,
                            .capacity = WALK_ROWS};
  return at != NULL;
}

static void walk_close(struct ts_batch *walk, size_t bytes, struct budget *budget) {
  if (walk->edge != NULL)
    budget_unmap(budget, BUDGET_OTHER, walk->edge, bytes);
  walk->edge = NULL;
}

static uint8_t *walk_row(const struct ts_batch *walk, uint32_t i) {
  return walk->rows + i * walk->stride;
}

bool run_trail_open(struct run *run) {
  return walk_open(&run->walk, &run->walk_bytes, run->shape, run->budget);
}

void run_trail_close(struct run *run) {
  walk_close(&run->walk, run->walk_bytes, run->budget);
}

/* Room for a trail of n events behind the one that names the initial state. */
static bool make_room(struct run *run, uint64_t n) {
  struct search_error *error = &run->result->error;
  if (n >= TS_NONE)
    return false;
  run->result->trail_bytes = (n + 1) * sizeof *error->trail.event;
  error->trail.event = budget_alloc(run->budget, BUDGET_OTHER, run->result->trail_bytes);
  error->trail.n_events = error->trail.event == NULL ? 0 : (uint32_t)n;
  return error->trail.event != NULL;
}

/* Moves the initial state out of the list of events: the trail is complete. */
static void seal(struct search_trail *trail) {
  trail->initial = trail->event[0].choice;
  memmove(trail->event, trail->event + 1, trail->n_events * sizeof *trail->event);
}

/* Whether an event follows the path to the error's parent. */
static bool has_event(const struct run_error *at) {
  return at->parent == STORE_NONE || at->event.action != TS_NONE;
}

/* The events to the state before the error, unless `event` is NULL, and how many. */
static uint64_t path(struct run *run, struct ts_event *event) {
  if (!run->has_tree)
    return run->order->path(run->frontier, event);
  if (run->error.parent == STORE_NONE)
    return 0;
  return tdtree_path(&run->tree, (uint32_t)run->error.parent, event);
}

void run_keep_path(struct run *run) {
  struct search_trail *trail = &run->result->error.trail;
  uint64_t n = path(run, NULL);
  budget_free(run->budget, BUDGET_OTHER, run->kept_trail, run->result->trail_bytes);
  run->kept_trail = NULL;
  if (!make_room(run, n + has_event(&run->error) - 1))
    return;
  run->kept_trail = trail->event;
  path(run, trail->event);
  if (has_event(&run->error))
    trail->event[n] = run->error.event;
  seal(trail);
}

/* Goes from the state in PARENT_ROW to its successor number `nth` (rows without a state
 * do not count): its event and its length. `by`: the action that led to it. */
static bool follow(struct run *run, uint32_t *length, uint32_t by, uint32_t nth,
                   struct ts_event *event) {
  struct ts_batch *walk = &run->walk;
  struct ts_event cursor = {0, 0};
  struct frontier_open open = {.by = {by, 0}};
  for (bool more = true; more;) {
    walk->n = 0;
    more = ts_code(run->ts)->successors(run->ts, walk_row(walk, PARENT_ROW), *length, &cursor,
                                        run_skip(run, &open), walk) != 0;
    for (uint32_t i = 0; i < walk->n; i++) {
      const struct ts_edge *edge = &walk->edge[i];
      if (edge->kind == TS_MODEL_ERROR || nth-- > 0)
        continue;
      *event = edge->event;
      *length = edge->length;
      memcpy(walk_row(walk, PARENT_ROW), walk_row(walk, i), walk->stride);
      return true;
    }
  }
  return false;
}

bool run_find_event(struct run *run, uint64_t ref, uint32_t by, uint32_t nth,
                    struct ts_event *event) {
  uint8_t *row = walk_row(&run->walk, PARENT_ROW);
  uint32_t length = run->store_kind->get(run->store_work, ref, row);
  return follow(run, &length, by, nth, event);
}

/* Follows the parents from the error back to an initial state, then goes forwards from
 * there. The store is not asked: it need not be able to give states back. */
static bool trace_parents(struct run *run) {
  struct search_trail *trail = &run->result->error.trail;
  const struct run_error *at = &run->error;
  struct parents_cursor cursor = {0};
  uint64_t n = 0;
  for (uint64_t id = at->parent; id != STORE_NONE; n++)
    id = parents_get(&run->parents, &cursor, id).parent;
  if (!make_room(run, n + has_event(at) - 1))
    return true;
  struct ts_event *event = trail->event;
  if (has_event(at))
    event[n] = at->event;
  cursor = (struct parents_cursor){0};
  uint64_t id = at->parent;
  for (uint64_t i = n; i-- > 0;) {
    struct parents_step step = parents_get(&run->parents, &cursor, id);
    event[i] = (struct ts_event){TS_NONE, step.nth};
    id = step.parent;
  }
  uint8_t *row = walk_row(&run->walk, PARENT_ROW);
  memset(row, 0, run->walk.stride);
  uint32_t length = n == 0 ? 0 : ts_code(run->ts)->initial(run->ts, event[0].choice, row);
  for (uint64_t i = 1; i < n; i++)
    if (!follow(run, &length, event[i - 1].action, event[i].choice, &event[i]))
      return false;
  seal(trail);
  return true;
}

void run_keep_trail(struct run *run) {
  struct search_error *error = &run->result->error;
  if (error->kind != SEARCH_NO_ERROR && error->trail.initial == TS_NONE && trace_parents(run))
    run->kept_trail = error->trail.event;
}

typedef bool step_function(void *, uint32_t, const struct ts_edge *, const uint8_t *, uint32_t);

static bool replay(const struct ts *ts, const struct search_trail *trail, struct ts_batch *walk,
                   step_function *step, void *context) {
  uint8_t *row = walk_row(walk, PARENT_ROW), *next = walk_row(walk, CHILD_ROW);
  if (trail->initial >= ts->shape->n_initial)
    return false;
  memset(row, 0, walk->stride);
  uint32_t length = ts_code(ts)->initial(ts, trail->initial, row);
  if (!step(context, 0, NULL, row, length))
    return true;
  for (uint32_t i = 0; i < trail->n_events; i++) {
    struct ts_edge edge;
    if (!ts_fire(ts, row, length, trail->event[i], &edge, next))
      return false;
    if (!step(context, i + 1, &edge, next, edge.length))
      return true;
    if (edge.kind == TS_MODEL_ERROR)
      return i + 1 == trail->n_events;
    uint8_t *old = row;
    row = next;
    next = old;
    length = edge.length;
  }
  return true;
}

bool search_replay(const struct ts *ts, const struct search_trail *trail, struct budget *budget,
                   step_function *step, void *context) {
  struct ts_batch walk;
  size_t bytes;
  if (!walk_open(&walk, &bytes, ts->shape, budget))
    return false;
  bool done = replay(ts, trail, &walk, step, context);
  walk_close(&walk, bytes, budget);
  return done;
}

/* Whether a state is the error noted, all but errors of an event. */
static bool state_is_error(struct run *run, const uint8_t *row, uint32_t length) {
  const struct search_error *error = &run->result->error;
  const struct ts_code *code = ts_code(run->ts);
  if (error->kind == SEARCH_DEADLOCK || error->kind == SEARCH_INVALID_END) {
    struct ts_event cursor = {0, 0};
    run->walk.n = 0;
    if (error->kind == SEARCH_INVALID_END && ts_ends(run->ts, row, length))
      return false;
    return code->successors(run->ts, row, length, &cursor, NULL, &run->walk) == 0 &&
           run->walk.n == 0;
  }
  for (uint32_t from = 0; from < run->shape->n_properties; from++) {
    uint32_t fault = TS_NONE;
    from = code->violated(run->ts, row, length, from, &fault);
    if (from < run->shape->n_properties &&
        (error->kind == SEARCH_MODEL_ERROR ? fault == error->index
                                           : fault == TS_NONE && from == error->index))
      return true;
  }
  return false;
}

struct confirmation {
  struct run *run;
  bool holds;
};

static bool confirm_step(void *context, uint32_t n, const struct ts_edge *edge,
                         const uint8_t *state, uint32_t length) {
  struct confirmation *confirmation = context;
  const struct search_error *error = &confirmation->run->result->error;
  if (n < error->trail.n_events)
    return true;
  if (!error->in_last_event)
    confirmation->holds = (edge == NULL || edge->kind != TS_MODEL_ERROR) &&
                          state_is_error(confirmation->run, state, length);
  else if (edge != NULL)
    confirmation->holds =
        edge->fault == error->index &&
        edge->kind == (error->kind == SEARCH_MODEL_ERROR ? TS_MODEL_ERROR : TS_ASSERTION);
  return true;
}

void run_make_trail(struct run *run) {
  struct search_result *result = run->result;
  bool found = true;
  if (result->error.trail.initial == TS_NONE && run->keeps_parents)
    found = trace_parents(run);
  if (found && result->error.trail.initial == TS_NONE)
    return;
  struct confirmation confirmation = {.run = run};
  if (!found ||
      !replay(run->ts, &result->error.trail, &run->walk, confirm_step, &confirmation) ||
      !confirmation.holds)
    result->internal_error = "the counterexample that was found does not replay: this is a "
                             "fault of the model's code or of the search";
}
