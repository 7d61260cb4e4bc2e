/* why.c - why the run of a counterexample ends as it does. */
#include "report/why.h"

#include "report/json.h"
#include "report/style.h"

#include <string.h>

#define WHY_TEXT 700u /* longest text about one process; more is cut */

/* ---- finding out ---------------------------------------------------------------------- */

struct finding {
  const struct ts *ts;
  struct arena *arena;
  uint32_t n;
  struct ts_edge edge;    /* the last one */
  uint8_t *before, *last; /* the state before it, and the last state */
  uint32_t before_length, last_length;
  struct inside *inside;
};

static bool keep(void *context, uint32_t n, const struct ts_edge *edge, const uint8_t *state,
                 uint32_t length) {
  struct finding *f = context;
  f->n = n;
  if (edge != NULL)
    f->edge = *edge;
  memcpy(f->before, f->last, ts_stride(f->ts->shape));
  f->before_length = f->last_length;
  if (edge == NULL || edge->kind != TS_MODEL_ERROR) {
    ts_copy(f->ts->shape, f->last, state, length);
    f->last_length = length;
  }
  return true;
}

static const char *fault_values(struct finding *f, uint32_t index) {
  const struct ts_shape *shape = f->ts->shape;
  uint32_t *action = ARENA_ARRAY(f->arena, STEPS_INNER, uint32_t);
  if (index >= shape->n_faults || f->n == 0)
    return NULL;
  struct ts_event_part part = {.action = action, .place = shape->fault[index].place};
  part.n = steps_inner(f->ts, f->inside, f->before, f->before_length, f->edge.event, action);
  return ts_explain_fault(f->ts, f->before, &part, f->arena);
}

static void find(struct finding *f, const struct search_error *error, struct why *why) {
  switch (error->kind) {
  case SEARCH_DEADLOCK:
  case SEARCH_INVALID_END:
    why->is_stuck = true;
    ts_explain_waiters(f->ts, f->last, f->arena, &why->waiters);
    break;
  case SEARCH_ASSERTION:
  case SEARCH_INVARIANT:
  case SEARCH_MODEL_ERROR:
    why->values = error->in_last_event
                      ? fault_values(f, error->index)
                      : ts_explain_property(f->ts, error->index, f->last, f->arena);
    break;
  default:
    break;
  }
}

bool why_find(const struct ts *ts, const struct search_error *error, struct budget *budget,
              struct arena *arena, struct why *why) {
  const size_t stride = ts_stride(ts->shape) + 8u;
  struct finding f = {.ts = ts, .arena = arena};
  *why = (struct why){0};
  f.before = arena_alloc(arena, stride);
  f.last = arena_alloc(arena, stride);
  if (error->kind == SEARCH_NO_ERROR || error->trail.initial == TS_NONE ||
      !search_replay(ts, &error->trail, budget, keep, &f) || f.n != error->trail.n_events)
    return false;
  struct inside inside;
  if (ts_notes(ts->shape)->n_statements > 0 && inside_open(&inside, ts, budget))
    f.inside = &inside;
  find(&f, error, why);
  if (f.inside != NULL)
    inside_close(f.inside);
  return why->is_stuck || why->values != NULL;
}

/* ---- showing it ----------------------------------------------------------------------- */

/* The label of where a process is, or NULL: its control location has only a line. */
static const char *label_of(const struct ts_waiter *w) {
  return w->at == NULL || strncmp(w->at, "line ", 5) == 0 ? NULL : w->at;
}

/* Whether the statement is said by what it needs: its condition is in it. */
static bool is_said(const struct ts_need *need) {
  const char *end = strstr(need->why, ", is ");
  if (end == NULL)
    end = strstr(need->why, ", with ");
  const size_t n = end == NULL ? strlen(need->why) : (size_t)(end - need->why);
  char condition[WHY_TEXT];
  snprintf(condition, sizeof condition, "%.*s", (int)n, need->why);
  return *need->statement == '\0' || (n > 0 && strstr(need->statement, condition) != NULL);
}

static void need_text(const struct ts_need *need, char *text, size_t size) {
  const bool said = is_said(need);
  if (*need->why == '\0')
    snprintf(text, size, "%s", need->statement);
  else
    snprintf(text, size, "%s%sneeds %s", said ? "" : need->statement, said ? "" : "  ",
             need->why);
}

static void place_text(const struct ts_place *place, const char *label, char *text,
                       size_t size) {
  if (place->file == NULL)
    snprintf(text, size, "%s%s%s", label == NULL ? "" : "(", label == NULL ? "" : label,
             label == NULL ? "" : ")");
  else
    snprintf(text, size, "%s:%u%s%s%s", place->file, place->line, label == NULL ? "" : " (",
             label == NULL ? "" : label, label == NULL ? "" : ")");
}

struct widths {
  int process, place;
};

static void widen(int *width, const char *text) {
  enum { WIDEST = 40 };
  const int n = (int)strlen(text);
  if (n > *width && n <= WIDEST)
    *width = n;
}

static struct widths measure(const struct why *why) {
  struct widths widths = {0, 0};
  char text[WHY_TEXT];
  for (uint32_t i = 0; i < why->waiters.n; i++) {
    const struct ts_waiter *w = &why->waiters.at[i];
    place_text(&w->place, label_of(w), text, sizeof text);
    widen(&widths.process, w->process);
    widen(&widths.place, text);
  }
  return widths;
}

/* The text, broken between words at the margin; its lines begin at `column`. */
static void print_wrapped(const struct steps *steps, const char *text, int column) {
  FILE *out = steps->out;
  int at = column;
  while (*text != '\0') {
    const int word = (int)strcspn(text, " ");
    if (at > column && at + 1 + word > steps->columns) {
      fprintf(out, "\n%*s", column, "");
      at = column;
    } else if (at > column) {
      fputc(' ', out);
      at++;
    }
    fprintf(out, "%.*s", word, text);
    at += word;
    text += word;
    text += strspn(text, " ");
  }
  fputc('\n', out);
}

static void print_waiter(const struct ts_waiter *w, const struct widths *widths,
                         const struct steps *steps) {
  const int indent = steps->number_width + 2;
  const int column = indent + widths->process + 2 + widths->place + 2;
  const uint32_t lines = w->n_needs > 0 ? w->n_needs : 1;
  for (uint32_t i = 0; i < lines; i++) {
    char place[WHY_TEXT], text[WHY_TEXT + 40] = "", need[WHY_TEXT] = "";
    const struct ts_place *at = i == 0 ? &w->place : &w->need[i].place;
    place_text(at, i == 0 ? label_of(w) : NULL, place, sizeof place);
    if (w->n_needs > 0)
      need_text(&w->need[i], need, sizeof need);
    snprintf(text, sizeof text, "%s%s%s", i == 0 && w->is_at_end ? "at a valid end" : "",
             i == 0 && w->is_at_end && w->n_needs > 0 ? "; " : "", need);
    fprintf(steps->out, "%*s%s%-*s%s  %s%-*s%s  ", indent, "",
            style_on(steps->color, STYLE_NAME), widths->process, i == 0 ? w->process : "",
            style_off(steps->color), style_on(steps->color, STYLE_DIM), widths->place, place,
            style_off(steps->color));
    print_wrapped(steps, *text == '\0' ? "has no statement left" : text, column);
  }
  if (w->n_more > 0)
    fprintf(steps->out, "%*sand %u more\n", column, "", w->n_more);
}

void why_print(const struct why *why, const struct steps *steps) {
  const int indent = steps->number_width + 2;
  if (why->values != NULL)
    fprintf(steps->out, "%*swhere %s\n", steps->number_width + 4, "", why->values);
  if (!why->is_stuck)
    return;
  fprintf(steps->out, "\n%*s%snobody can move%s in this state:\n", indent, "",
          style_on(steps->color, STYLE_BAD), style_off(steps->color));
  steps_state(steps, steps->previous, false);
  const struct widths widths = measure(why);
  if (why->waiters.n > 0)
    fputc('\n', steps->out);
  for (uint32_t i = 0; i < why->waiters.n; i++)
    print_waiter(&why->waiters.at[i], &widths, steps);
}

/* ---- as JSON -------------------------------------------------------------------------- */

static void write_place(struct json *json, const struct ts_place *place) {
  json_string(json, "file", place->file);
  if (place->file == NULL) {
    json_null(json, "line");
    json_null(json, "column");
    return;
  }
  json_unsigned(json, "line", place->line);
  json_unsigned(json, "column", place->column);
}

void why_write_json(const struct why *why, struct json *json) {
  if (why == NULL || !why->is_stuck) {
    json_null(json, "stuck");
    return;
  }
  json_array(json, "stuck", false);
  for (uint32_t i = 0; i < why->waiters.n; i++) {
    const struct ts_waiter *w = &why->waiters.at[i];
    json_object(json, NULL, false);
    json_string(json, "process", *w->process == '\0' ? NULL : w->process);
    write_place(json, &w->place);
    json_string(json, "label", label_of(w));
    json_bool(json, "valid_end", w->is_at_end);
    json_array(json, "waits", false);
    for (uint32_t k = 0; k < w->n_needs; k++) {
      json_object(json, NULL, true);
      json_string(json, "statement", w->need[k].statement);
      write_place(json, &w->need[k].place);
      json_string(json, "needs", w->need[k].why);
      json_close_object(json);
    }
    json_close_array(json);
    json_unsigned(json, "left_out", w->n_more);
    json_close_object(json);
  }
  json_close_array(json);
}
