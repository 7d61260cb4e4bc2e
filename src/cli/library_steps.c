/* library_steps.c - the counterexample of a run of the library, step by step.
 *
 * The run is gone once when somebody first asks, and its states are kept: whoever shows a run
 * goes back and forth in it.
 */
#include "cli/library.h"

#include "report/steps.h"
#include "report/value.h"
#include "ts/wording.h"

#include <string.h>

struct library_steps {
  const struct ts *ts;
  struct budget *budget;
  uint32_t n; /* states that are there, the initial one included */
  uint32_t stride, most;
  uint8_t *state;   /* most * stride bytes */
  uint32_t *length; /* of each; 0: the event led to no state */
  struct ts_event *event;
  struct inside inside;
  bool has_inside;
  char text[1200], state_text[WORDING_STATE];
  struct value value;
};

static const struct search_trail *trail_of(const struct cairn *c) {
  const struct outcome *outcome = &c->check.now.outcome;
  const bool is_there = c->is_open && outcome->replayed != NULL && outcome->result != NULL &&
                        c->check.now.result.error.trail.initial != TS_NONE;
  return is_there ? &c->check.now.result.error.trail : NULL;
}

int cairn_has_run(struct cairn *c) {
  return trail_of(c) != NULL;
}

uint32_t cairn_steps(struct cairn *c) {
  const struct search_trail *trail = trail_of(c);
  return trail == NULL ? 0 : trail->n_events;
}

uint32_t cairn_cycle_steps(struct cairn *c) {
  const struct search_trail *trail = trail_of(c);
  return trail == NULL ? 0 : trail->n_cycle;
}

void library_forget_steps(struct cairn *c) {
  struct library_steps *s = c->steps;
  if (s == NULL)
    return;
  c->steps = NULL;
  if (s->has_inside)
    inside_close(&s->inside);
  budget_free(s->budget, BUDGET_OTHER, s->state, (size_t)s->most * s->stride);
  budget_free(s->budget, BUDGET_OTHER, s->length, s->most * sizeof *s->length);
  budget_free(s->budget, BUDGET_OTHER, s->event, s->most * sizeof *s->event);
  budget_free(s->budget, BUDGET_OTHER, s, sizeof *s);
}

static bool keep(void *context, uint32_t n, const struct ts_edge *edge, const uint8_t *state,
                 uint32_t length) {
  struct library_steps *s = context;
  if (n >= s->most)
    return false;
  if (edge != NULL)
    s->event[n] = edge->event;
  if (edge == NULL || edge->kind != TS_MODEL_ERROR) {
    ts_copy(s->ts->shape, s->state + (size_t)n * s->stride, state, length);
    s->length[n] = length;
  }
  s->n = n + 1;
  return true;
}

/* The states of the run; NULL: there is none, or no memory for them. */
static struct library_steps *steps_of(struct cairn *c) {
  const struct search_trail *trail = trail_of(c);
  if (c->steps != NULL || trail == NULL)
    return c->steps;
  struct budget *budget = c->check.loaded.budget;
  struct library_steps *s = c->steps = budget_alloc(budget, BUDGET_OTHER, sizeof *s);
  if (s == NULL) {
    library_fail(c, "out of memory");
    return NULL;
  }
  s->ts = c->check.now.base;
  s->budget = budget;
  s->stride = ts_stride(s->ts->shape) + 8u; /* states are copied by words */
  s->most = trail->n_events + 1;
  s->state = budget_alloc(budget, BUDGET_OTHER, (size_t)s->most * s->stride);
  s->length = budget_alloc(budget, BUDGET_OTHER, s->most * sizeof *s->length);
  s->event = budget_alloc(budget, BUDGET_OTHER, s->most * sizeof *s->event);
  const bool fine = s->state != NULL && s->length != NULL && s->event != NULL &&
                    search_replay(s->ts, trail, budget, keep, s);
  s->has_inside = fine && ts_notes(s->ts->shape)->n_statements > 0 &&
                  inside_open(&s->inside, s->ts, budget);
  if (fine)
    return s;
  library_forget_steps(c);
  library_fail(c, "out of memory");
  return NULL;
}

/* The state after a step; that before it where it led to none. */
static const uint8_t *state_of(const struct library_steps *s, uint32_t step) {
  if (step > 0 && s->length[step] == 0)
    step--;
  return s->state + (size_t)step * s->stride;
}

static bool has_step(struct cairn *c, const struct library_steps *s, uint32_t step,
                     uint32_t least) {
  if (s != NULL && step >= least && step < s->n)
    return true;
  if (s != NULL || trail_of(c) == NULL)
    library_fail(c, "the run has no step %u", step);
  return false;
}

const char *cairn_step_text(struct cairn *c, uint32_t step) {
  struct library_steps *s = steps_of(c);
  if (!has_step(c, s, step, 1))
    return NULL;
  library_enter(c);
  const struct steps_labelling how = {.inside = s->has_inside ? &s->inside : NULL,
                                      .length = s->length[step - 1]};
  steps_label(s->ts, &how, state_of(s, step - 1), s->event[step], s->text, sizeof s->text);
  library_leave(c);
  return s->text;
}

const char *cairn_step_place(struct cairn *c, uint32_t step, uint32_t *line) {
  struct library_steps *s = steps_of(c);
  *line = 0;
  if (!has_step(c, s, step, 1))
    return NULL;
  uint32_t action[STEPS_INNER];
  const struct ts_shape *shape = s->ts->shape;
  const uint32_t n =
      steps_inner(s->ts, s->has_inside ? &s->inside : NULL, state_of(s, step - 1),
                  s->length[step - 1], s->event[step], action);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t m = 0; m < shape->action[action[i]].n_movers; m++) {
      const struct ts_place *place = &shape->action[action[i]].mover[m].place;
      if (place->file == NULL)
        continue;
      *line = place->line;
      return place->file;
    }
  return NULL;
}

int cairn_values(struct cairn *c, uint32_t step,
                 void (*call)(void *context, const char *name, const char *value),
                 void *context) {
  struct library_steps *s = steps_of(c);
  if (!has_step(c, s, step, 0))
    return -1;
  const uint8_t *state = state_of(s, step);
  for (uint32_t i = 0; i < s->ts->shape->n_slots; i++) {
    library_enter(c);
    const bool is_shown = value_read(s->ts->shape, i, state, &s->value) && !s->value.is_own;
    library_leave(c);
    if (is_shown)
      call(context, s->value.name, s->value.text);
  }
  return 0;
}

const char *cairn_value(struct cairn *c, uint32_t step, const char *name) {
  struct library_steps *s = steps_of(c);
  if (!has_step(c, s, step, 0))
    return NULL;
  const uint8_t *state = state_of(s, step);
  const char *found = NULL;
  library_enter(c);
  for (uint32_t i = 0; i < s->ts->shape->n_slots && found == NULL; i++)
    if (value_read(s->ts->shape, i, state, &s->value) && strcmp(s->value.name, name) == 0)
      found = s->value.text;
  library_leave(c);
  return found;
}

const char *cairn_state_text(struct cairn *c, uint32_t step) {
  struct library_steps *s = steps_of(c);
  if (!has_step(c, s, step, 0))
    return NULL;
  return wording_state(s->ts->shape, state_of(s, step), s->state_text, sizeof s->state_text)
             ? s->state_text
             : NULL;
}
