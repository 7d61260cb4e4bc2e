/* trail.c - the way to an error: found again, and gone again before it is believed.
 *
 * Depth-first has the way on its stack, and a tree of open states has it. Otherwise it is known
 * of which state each was which successor first, and the way is gone from the initial state.
 * Either way the trail is replayed by firing its events one by one, and must end in the error
 * that was noted.
 */
#include "search/core.h"
#include "search/error/walk.h"

#include <string.h>

const uint8_t *worker_walk_initial(struct worker *w, uint32_t which, uint32_t *length) {
  uint8_t *row = walk_row(&w->walk, WALK_PARENT);
  memset(row, 0, w->walk.stride);
  *length = ts_code(w->search->ts)->initial(w->search->ts, which, row);
  return row;
}

/* Rows without a state do not count. */
bool worker_follow(struct worker *w, const uint8_t *row, uint32_t *length, uint32_t by,
                   uint32_t nth, struct ts_event *event) {
  const struct ts *ts = w->search->ts;
  struct ts_batch *walk = &w->walk;
  uint8_t *parent = walk_row(walk, WALK_PARENT);
  struct ts_event cursor = {0, 0};
  struct open open = {.by = {by, 0}};
  if (row != parent)
    memcpy(parent, row, walk->stride);
  const uint64_t *skip = NULL;
  uint32_t note = w->chooses ? nth % (CHOOSE_NOTES + 1) : CHOOSE_BESIDE;
  if (note == CHOOSE_BESIDE)
    skip = worker_skip(w, &open);
  else if (note != 0)
    skip = worker_choose_again(w, parent, *length, note);
  nth /= w->chooses ? CHOOSE_NOTES + 1 : 1;
  for (bool more = true; more;) {
    walk->n = 0;
    more = ts_code(ts)->successors(ts, parent, *length, &cursor, skip, walk) != 0;
    for (uint32_t i = 0; i < walk->n; i++) {
      const struct ts_edge *edge = &walk->edge[i];
      if (edge->kind == TS_MODEL_ERROR || nth-- > 0)
        continue;
      *event = edge->event;
      *length = edge->length;
      memcpy(parent, walk_row(walk, i), walk->stride);
      return true;
    }
  }
  return false;
}

/* Room for a trail of n events after the one that names the initial state. */
static bool make_room(struct search *s, uint64_t n) {
  struct search_error *error = &s->result->error;
  if (n >= TS_NONE)
    return false;
  s->result->trail_bytes = (n + 1) * sizeof *error->trail.event;
  error->trail.event = budget_alloc(s->budget, BUDGET_OTHER, s->result->trail_bytes);
  error->trail.n_events = error->trail.event == NULL ? 0 : (uint32_t)n;
  return error->trail.event != NULL;
}

/* Moves the initial state out of the list of events: the trail is complete. */
static void seal(struct search_trail *trail) {
  trail->initial = trail->event[0].choice;
  memmove(trail->event, trail->event + 1, trail->n_events * sizeof *trail->event);
}

/* Makes the trail of the error found; false: the way does not lead there. Where memory runs
 * out there is none. */
static bool make_trail(struct search *s) {
  struct search_trail *trail = &s->result->error.trail;
  const struct search_found *found = &s->found;
  bool has_event = found->number == STORE_NONE || found->event.action != TS_NONE;
  uint64_t n = s->way.path(s, found->number, NULL);
  if (!make_room(s, n + has_event - 1))
    return true;
  if (s->way.path(s, found->number, trail->event) == WAY_BROKEN)
    return false;
  if (has_event)
    trail->event[n] = found->event;
  seal(trail);
  return true;
}

void search_replace_trail(struct search *s) {
  budget_free(s->budget, BUDGET_OTHER, s->kept_trail, s->result->trail_bytes);
  s->kept_trail = NULL;
  if (make_trail(s))
    s->kept_trail = s->result->error.trail.event;
}

void search_keep_trail(struct search *s) {
  struct search_error *error = &s->result->error;
  if (error->kind != SEARCH_NO_ERROR && error->trail.initial == TS_NONE && make_trail(s))
    s->kept_trail = error->trail.event;
}

/* Whether a state is the error noted, all but errors of an event. */
static bool state_is_error(struct worker *w, const uint8_t *row, uint32_t length) {
  const struct ts *ts = w->search->ts;
  const struct search_error *error = &w->search->result->error;
  const struct ts_code *code = ts_code(ts);
  if (error->kind == SEARCH_DEADLOCK || error->kind == SEARCH_INVALID_END) {
    struct ts_event cursor = {0, 0};
    w->walk.n = 0;
    if (error->kind == SEARCH_INVALID_END && ts_ends(ts, row, length))
      return false;
    return code->successors(ts, row, length, &cursor, NULL, &w->walk) == 0 && w->walk.n == 0;
  }
  for (uint32_t from = 0; from < ts->shape->n_properties; from++) {
    uint32_t fault = TS_NONE;
    from = code->violated(ts, row, length, from, &fault);
    if (from < ts->shape->n_properties &&
        (error->kind == SEARCH_MODEL_ERROR ? fault == error->index
                                           : fault == TS_NONE && from == error->index))
      return true;
  }
  return false;
}

struct confirmation {
  struct worker *worker;
  bool holds;
};

static bool confirm_step(void *context, uint32_t n, const struct ts_edge *edge,
                         const uint8_t *state, uint32_t length) {
  struct confirmation *confirmation = context;
  const struct search_error *error = &confirmation->worker->search->result->error;
  if (n < error->trail.n_events)
    return true;
  if (!error->in_last_event)
    confirmation->holds = (edge == NULL || edge->kind != TS_MODEL_ERROR) &&
                          state_is_error(confirmation->worker, state, length);
  else if (edge != NULL)
    confirmation->holds =
        edge->kind != TS_FINE && edge->fault == error->index &&
        search_fault_error(confirmation->worker->search->shape, edge) == error->kind;
  return true;
}

void search_confirm_trail(struct search *s) {
  struct search_result *result = s->result;
  bool found = true;
  if (result->error.kind == SEARCH_NO_ERROR)
    return;
  if (result->error.trail.initial == TS_NONE && s->way.of != WAY_NONE && s->way.lasts)
    found = make_trail(s);
  if (found && result->error.trail.initial == TS_NONE)
    return;
  struct confirmation confirmation = {.worker = s->worker};
  const bool is_lasso = result->error.trail.n_cycle > 0;
  if (is_lasso ? !worker_trail_cycles(s->worker, &result->error.trail)
               : !found ||
                     !walk_replay(s->ts, &result->error.trail, &s->worker->walk, confirm_step,
                                  &confirmation) ||
                     !confirmation.holds)
    result->internal_error = "the counterexample that was found does not replay: this is a "
                             "fault of the model's code or of the search";
}
