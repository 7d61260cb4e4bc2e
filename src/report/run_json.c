/* run_json.c - a run as JSON: states and steps, for programs and for pages. */
#include "report/run_json.h"

#include "report/inside.h"
#include "report/steps.h"
#include "report/value.h"
#include "ts/wording.h"

#include <string.h>

struct writing {
  struct json *json;
  const struct ts *ts;
  struct inside *inside; /* or NULL */
  uint8_t *previous;
  uint32_t length;
  uint32_t skip_from, skip_to; /* steps that are left out */
};

/* ---- parts of a step ------------------------------------------------------------------ */

static void write_state(struct json *json, const char *key, const struct ts_shape *shape,
                        const uint8_t *state) {
  json_object(json, key, true);
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    struct value value;
    if (value_read(shape, i, state, &value) && !value.is_own)
      json_string(json, value.name, value.text);
  }
  json_close_object(json);
}

/* What the model itself makes of a state, or null. */
static void write_own_state(struct json *json, const char *key, const struct ts_shape *shape,
                            const uint8_t *state) {
  char text[WORDING_STATE];
  json_string(json, key, wording_state(shape, state, text, sizeof text) ? text : NULL);
}

static void write_changes(struct writing *w, const uint8_t *after) {
  const struct ts_shape *shape = w->ts->shape;
  struct json *json = w->json;
  json_array(json, "changes", true);
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    struct value old, new;
    const bool is_now = value_read(shape, i, after, &new);
    const bool was = value_read(shape, i, w->previous, &old);
    const struct value *any = is_now ? &new : &old;
    if ((!is_now && !was) || any->is_own ||
        (is_now == was && !value_differs(shape, any, i, w->previous, after)))
      continue;
    json_object(json, NULL, true);
    json_string(json, "name", any->name);
    json_string(json, "from", was ? old.text : NULL);
    json_string(json, "to", is_now ? new.text : NULL);
    json_close_object(json);
  }
  json_close_array(json);
}

static void write_note(void *context, const struct inside_note *note) {
  static const char *const kind[] = {
      [INSIDE_SEND] = "send", [INSIDE_RECEIVE] = "receive", [INSIDE_PRINT] = "print"};
  struct json *json = context;
  json_object(json, NULL, true);
  json_string(json, "kind", kind[note->kind]);
  json_string(json, "channel", note->channel);
  json_string(json, "text", note->text);
  json_close_object(json);
}

static void write_place(struct json *json, const struct ts_place *place) {
  json_string(json, "file", place->file);
  if (place->file == NULL)
    json_null(json, "line");
  else
    json_unsigned(json, "line", place->line);
}

/* One process's part of the step; what was sent, received and printed is with the first part.
 */
static void write_move(struct writing *w, const struct ts_mover *m, uint32_t inner,
                       bool is_first) {
  struct json *json = w->json;
  json_object(json, NULL, true);
  json_string(json, "process", steps_mover(w->ts->shape, m));
  write_place(json, &m->place);
  json_string(json, "from", m->from);
  json_string(json, "to", m->to);
  json_string(json, "statement", steps_statement(w->ts->shape, m));
  json_array(json, "messages", true);
  if (is_first && w->inside != NULL && inner < w->inside->n_steps)
    inside_each(w->inside, w->ts->shape, inner, write_note, json);
  json_close_array(json);
  json_close_object(json);
}

static void write_moves(struct writing *w, struct ts_event event) {
  const struct ts_shape *shape = w->ts->shape;
  uint32_t action[STEPS_INNER];
  const uint32_t n = steps_inner(w->ts, w->inside, w->previous, w->length, event, action);
  json_array(w->json, "moves", false);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t m = 0; m < shape->action[action[i]].n_movers; m++)
      write_move(w, &shape->action[action[i]].mover[m], i, m == 0);
  json_close_array(w->json);
}

static void write_fault(struct writing *w, const struct ts_edge *edge) {
  const struct ts_shape *shape = w->ts->shape;
  const bool is_fine = edge->kind == TS_FINE || edge->fault >= shape->n_faults;
  json_string(w->json, "fault", is_fine ? NULL : shape->fault[edge->fault].message);
}

/* ---- the run -------------------------------------------------------------------------- */

static void write_step(struct writing *w, uint32_t n, const struct ts_edge *edge,
                       const uint8_t *state) {
  char text[VALUE_TEXT] = "";
  json_object(w->json, NULL, false);
  json_unsigned(w->json, "step", n);
  wording_event(w->ts->shape, edge->event, w->previous, text, sizeof text);
  json_string(w->json, "text", *text == '\0' ? NULL : text);
  write_moves(w, edge->event);
  write_changes(w, edge->kind == TS_MODEL_ERROR ? w->previous : state);
  write_own_state(w->json, "state", w->ts->shape,
                  edge->kind == TS_MODEL_ERROR ? w->previous : state);
  write_fault(w, edge);
  json_close_object(w->json);
}

static bool write(void *context, uint32_t n, const struct ts_edge *edge, const uint8_t *state,
                  uint32_t length) {
  struct writing *w = context;
  if (edge == NULL) {
    write_state(w->json, "initial", w->ts->shape, state);
    write_own_state(w->json, "initial_state", w->ts->shape, state);
    json_array(w->json, "steps", false);
  } else if (n < w->skip_from || n >= w->skip_to) {
    write_step(w, n, edge, state);
  }
  if (edge == NULL || edge->kind != TS_MODEL_ERROR) {
    ts_copy(w->ts->shape, w->previous, state, length);
    w->length = length;
  }
  return !ferror(w->json->file);
}

/* The run must be one of the model: `steps` is opened with its first state. */
static void write_run(struct writing *w, const struct search_trail *trail,
                      struct budget *budget) {
  search_replay(w->ts, trail, budget, write, w);
  json_close_array(w->json);
  json_unsigned(w->json, "left_out", w->skip_to - w->skip_from);
  write_state(w->json, "final", w->ts->shape, w->previous);
  write_own_state(w->json, "final_state", w->ts->shape, w->previous);
}

void run_json_write(struct json *json, const char *key, const struct ts *ts,
                    const struct search_trail *trail, bool all, struct budget *budget) {
  const size_t bytes = ts_stride(ts->shape) + 8u;
  struct writing w = {.json = json, .ts = ts};
  struct inside inside;
  w.previous = budget_alloc(budget, BUDGET_OTHER, bytes);
  if (w.previous == NULL) {
    json_null(json, key);
    return;
  }
  if (!all && trail->n_events > RUN_JSON_MOST) {
    w.skip_from = RUN_JSON_MOST / 2 + 1;
    w.skip_to = trail->n_events - RUN_JSON_MOST / 2 + 1;
  }
  if (ts_notes(ts->shape)->n_statements > 0 && inside_open(&inside, ts, budget))
    w.inside = &inside;
  json_object(json, key, false);
  write_run(&w, trail, budget);
  json_close_object(json);
  if (w.inside != NULL)
    inside_close(w.inside);
  budget_free(budget, BUDGET_OTHER, w.previous, bytes);
}
