/* sim_run.c - a run of `cairn sim`, step by step.
 *
 * By hand, the states of the run are kept on a stack, so that a step can be taken back; a
 * random run keeps only the last one. Its events are kept where the run is shown again when it
 * is over.
 */
#include "cli/sim.h"

#include "base/array.h"
#include "base/bits.h"

#include <string.h>

static bool make_room(struct sim *s) {
  if (s->n < s->capacity)
    return true;
  uint64_t new = s->capacity == 0 ? 64 : 2 * s->capacity;
  size_t stride = s->expand.batch.stride;
  void *states = budget_realloc(s->loaded.budget, BUDGET_OTHER, s->states, s->capacity * stride,
                                new *stride);
  if (states == NULL)
    return false;
  s->states = states;
  void *length = budget_realloc(s->loaded.budget, BUDGET_OTHER, s->length,
                                s->capacity * sizeof *s->length, new * sizeof *s->length);
  if (length == NULL)
    return false;
  s->length = length;
  s->capacity = new;
  return true;
}

static bool push_state(struct sim *s, const uint8_t *row, uint32_t length) {
  if (!s->by_hand)
    s->n = 0;
  if (!make_room(s))
    return false;
  memcpy(sim_state(s, s->n), row, s->expand.batch.stride);
  s->length[s->n++] = length;
  return true;
}

/* The first thing that is broken counts. Where only prints are shown, it goes to standard
 * error.
 */
static void note(struct sim *s, uint64_t step, const char *text) {
  s->broke = true;
  if (*s->error == '\0') {
    snprintf(s->error, sizeof s->error, "%s", text);
    s->error_step = step;
  }
  if (s->prints)
    fprintf(stderr, "%s\n", text);
}

static void say(struct sim *s, const char *text) {
  note(s, s->taken, text);
  if (s->shows)
    printf("      %s\n", text);
}

/* Names every property that the last state breaks. */
static void name_violations(struct sim *s) {
  const struct ts_shape *shape = s->ts->shape;
  const uint8_t *state = sim_state(s, s->n - 1);
  uint32_t length = s->length[s->n - 1], fault = TS_NONE;
  const struct ts_code *code = ts_code(s->ts);
  char text[SIM_TEXT];
  for (uint32_t i = 0; i < shape->n_properties; i++) {
    i = code->violated(s->ts, state, length, i, &fault);
    if (fault == TS_NONE && i >= shape->n_properties)
      return;
    if (fault != TS_NONE) {
      snprintf(text, sizeof text, "model error: %s", shape->fault[fault].message);
      say(s, text);
      return;
    }
    static const struct {
      const char *before, *after;
    } said[] = {[TS_PROPERTY_ASSERTION] = {"assertion '", "' fails here"},
                [TS_PROPERTY_INVARIANT] = {"invariant '", "' fails here"},
                [TS_PROPERTY_CLAIM] = {"", " has come to its end"},
                [TS_PROPERTY_FORMULA] = {"", ": whatever follows, this run is an error"}};
    const enum ts_property_kind kind = shape->property[i].kind;
    snprintf(text, sizeof text, "%s%s%s", said[kind].before, shape->property[i].text,
             said[kind].after);
    say(s, text);
  }
}

bool sim_begin(struct sim *s) {
  const struct ts_shape *shape = s->ts->shape;
  uint8_t *row = s->expand.batch.rows;
  memset(row, 0, s->expand.batch.stride);
  uint32_t which =
      shape->n_initial < 2 ? 0 : (uint32_t)(bits_next_random(&s->random) % shape->n_initial);
  uint32_t length = ts_code(s->ts)->initial(s->ts, which, row);
  s->initial = which;
  if (!push_state(s, row, length))
    return false;
  if (s->shows) {
    printf("%*u  initial state\n", s->steps.number_width, 0);
    steps_state(&s->steps, sim_state(s, 0), false);
  }
  name_violations(s);
  return true;
}

/* The event has all marks of the claim. */
static bool is_accepting(const struct sim *s, struct ts_event event) {
  const struct ts_code *code = ts_code(s->ts);
  if (s->product == NULL || !s->ts->shape->product_of->has_cycles)
    return false;
  const uint64_t all = ~UINT64_C(0) >> (64 - s->ts->shape->n_marks);
  return (code->marks(s->ts, sim_state(s, s->n - 1), s->length[s->n - 1], event) & all) == all;
}

static void print_note(void *context, const struct inside_note *note) {
  (void)context;
  if (note->kind == INSIDE_PRINT)
    fputs(note->text, stdout);
}

/* What the model prints in an event. */
static void print_only(const struct sim *s, struct ts_event event) {
  struct inside *inside = s->steps.inside;
  if (inside == NULL ||
      !inside_read(inside, s->ts, sim_state(s, s->n - 1), s->length[s->n - 1], event))
    return;
  for (uint32_t i = 0; i < inside->n_steps; i++)
    inside_each(inside, s->ts->shape, i, print_note, NULL);
}

/* A fault on the way: the steps show it, if they are shown. */
static void note_fault(struct sim *s, const struct ts_edge *edge) {
  const struct ts_shape *shape = s->ts->shape;
  const char *kind = edge->kind == TS_ASSERTION ? "assertion" : "model error";
  if (edge->kind == TS_FINE || edge->fault >= shape->n_faults)
    return;
  const struct ts_fault *fault = &shape->fault[edge->fault];
  char text[SIM_TEXT];
  if (fault->place.file != NULL)
    snprintf(text, sizeof text, "%s: %s (%s:%u)", kind, fault->message, fault->place.file,
             fault->place.line);
  else
    snprintf(text, sizeof text, "%s: %s", kind, fault->message);
  note(s, s->taken + 1, text); /* the step is not over */
}

static bool keep_event(struct sim *s, struct ts_event event) {
  if (!s->keeps_events)
    return true;
  if (s->n_events == s->event_capacity) {
    void *grown = array_grow(s->loaded.budget, BUDGET_OTHER, s->event, &s->event_capacity,
                             sizeof *s->event);
    if (grown == NULL)
      return false;
    s->event = grown;
  }
  s->event[s->n_events++] = event;
  return true;
}

static void show_step(struct sim *s, const struct ts_edge *edge, const uint8_t *after) {
  const uint64_t last = s->n - 1;
  if (s->shows)
    steps_step(&s->steps, s->taken + 1, edge, sim_state(s, last), s->length[last], after);
  else if (s->prints)
    print_only(s, edge->event);
  note_fault(s, edge);
}

bool sim_take(struct sim *s, uint32_t i, bool *over) {
  const struct ts_edge *edge = &s->expand.batch.edge[i];
  const uint8_t *row = expand_row(&s->expand, i);
  *over = edge->kind == TS_MODEL_ERROR;
  s->broke |= edge->kind != TS_FINE;
  show_step(s, edge, *over ? NULL : row);
  if (!keep_event(s, edge->event))
    return false;
  if (*over) {
    s->end = SIM_MODEL_ERROR;
    return true;
  }
  if (s->shows && is_accepting(s, edge->event))
    puts("      (the claim accepts if this happens again and again)");
  if (!push_state(s, row, edge->length))
    return false;
  s->taken++;
  name_violations(s);
  return true;
}

static bool is_proper_end(const struct sim *s) {
  return ts_ends(s->ts, sim_state(s, s->n - 1), s->length[s->n - 1]);
}

/* Who waits for what. Without memory for it nothing is said. */
static void find_waiters(struct sim *s) {
  jmp_buf spent;
  s->why = (struct why){0};
  if (setjmp(spent) == 0) {
    arena_guard(s->loaded.arena, &spent);
    ts_explain_waiters(s->ts, sim_state(s, s->n - 1), s->loaded.arena, &s->why.waiters);
    s->why.is_stuck = true;
  }
  arena_guard(s->loaded.arena, NULL);
  ts_copy(s->ts->shape, s->steps.previous, sim_state(s, s->n - 1), s->length[s->n - 1]);
}

void sim_say_end(struct sim *s) {
  const unsigned long long n = s->taken;
  const char *plural = n == 1 ? "" : "s";
  s->end = s->product != NULL ? SIM_REFUSED : is_proper_end(s) ? SIM_PROPER : SIM_STUCK;
  if (s->end == SIM_STUCK)
    find_waiters(s);
  FILE *to = s->shows ? stdout : stderr;
  if (!s->shows && (!s->prints || s->end == SIM_PROPER))
    return;
  if (s->end == SIM_REFUSED)
    fprintf(to, "%s accepts no run that goes on from here, after %llu step%s\n",
            s->ts->shape->product_of->what, n, plural);
  else if (s->end == SIM_PROPER)
    fprintf(to, "the run ends properly after %llu step%s\n", n, plural);
  else
    fprintf(to, "deadlock: no event is enabled after %llu step%s\n", n, plural);
  if (s->shows && s->why.is_stuck)
    why_print(&s->why, &s->steps);
}
