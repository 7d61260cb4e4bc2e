/* steps.c - states and steps of a run as text. */
#include "report/steps.h"

#include "base/terminal.h"

#include "report/number.h"
#include "report/style.h"
#include "report/value.h"
#include "ts/wording.h"

#include <string.h>

/* Of a long atomic sequence that many statements are shown, the first and the last ones. */
#define STEPS_HEAD   8u
#define STEPS_TAIL   4u
/* Room for a place. */
#define STEPS_PLACE  300
/* The longest place, and the longest name, for which a column is widened. */
#define STEPS_FAR    40
#define STEPS_WIDEST 24

#define STEPS_COLUMNS 96 /* where there is no terminal */

/* ---- wrapped lists of values ------------------------------------------------------- */

struct list {
  const struct steps *steps;
  int indent, column;
};

int steps_columns(FILE *out) {
  const uint32_t columns = terminal_columns(out);
  return columns == 0 ? STEPS_COLUMNS : (int)columns;
}

/* Adds one item, on a new line where it would pass the margin. */
static void list_add(struct list *list, const char *name, const char *text) {
  FILE *out = list->steps->out;
  bool color = list->steps->color;
  int width = (int)(strlen(name) + strlen(text));
  if (list->column == 0) {
    fprintf(out, "%*s", list->indent, "");
    list->column = list->indent;
  } else if (list->column + width + 2 > list->steps->columns) {
    fprintf(out, ",\n%*s", list->indent, "");
    list->column = list->indent;
  } else {
    fputs(", ", out);
    list->column += 2;
  }
  fprintf(out, "%s%s%s%s", style_on(color, STYLE_NAME), name, style_off(color), text);
  list->column += width;
}

static void list_end(struct list *list) {
  if (list->column > 0)
    fputc('\n', list->steps->out);
}

static int indent_of(const struct steps *steps) {
  return steps->number_width + 4;
}

/* What the model itself makes of a state; `before`: not if it would be the same as of that one.
 */
static void print_own_state(const struct steps *steps, const uint8_t *before,
                            const uint8_t *state) {
  char text[WORDING_STATE], old[WORDING_STATE];
  if (!wording_state(steps->ts->shape, state, text, sizeof text) ||
      (before != NULL && wording_state(steps->ts->shape, before, old, sizeof old) &&
       strcmp(text, old) == 0))
    return;
  for (const char *line = text, *end; *line != '\0'; line = end + 1) {
    end = strchr(line, '\n');
    fprintf(steps->out, "%*s%.*s\n", end == line ? 0 : indent_of(steps), "", (int)(end - line),
            line);
  }
}

void steps_state(const struct steps *steps, const uint8_t *state, bool full) {
  const struct ts_shape *shape = steps->ts->shape;
  print_own_state(steps, NULL, state);
  struct list list = {.steps = steps, .indent = indent_of(steps)};
  bool zero = false, empty = false;
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    const struct ts_variable *v = &shape->variable[shape->slot[i].variable];
    struct value value;
    if (!value_read(shape, i, state, &value) || value.is_own)
      continue;
    if (!full && !v->is_location && value.is_zero) {
      zero |= !value.is_channel;
      empty |= value.is_channel;
      continue;
    }
    char text[VALUE_TEXT + 8];
    snprintf(text, sizeof text, " = %s", value.text);
    list_add(&list, value.name, text);
  }
  if (zero || empty)
    list_add(&list, "",
             zero && empty ? "all others 0 or []"
             : zero        ? "all others 0"
                           : "all others []");
  list_end(&list);
}

/* ---- steps ----------------------------------------------------------------------- */

const char *steps_mover(const struct ts_shape *shape, const struct ts_mover *m) {
  if (m->name != NULL)
    return m->name;
  return m->component == TS_NONE ? "" : shape->component[m->component].name;
}

static int name_width(const struct ts_shape *shape, const struct ts_mover *m) {
  return (int)strlen(steps_mover(shape, m));
}

/* Where control is given by the place in the text: locations have names of their own only where
 * the text has a label. */
static bool goes_by_statements(const struct ts_shape *shape) {
  return ts_notes(shape)->n_statements > 0;
}

static bool is_label(const char *location) {
  return location != NULL && strncmp(location, "line ", 5) != 0 &&
         strcmp(location, "-end-") != 0;
}

/* "model.pml:12 (loop)": the label in front of the statement, if there is one. */
static int text_of_place(const struct ts_shape *shape, const struct ts_mover *m, char *text,
                         size_t size) {
  if (m->place.file == NULL)
    return snprintf(text, size, "%s", "");
  if (goes_by_statements(shape) && is_label(m->from))
    return snprintf(text, size, "%s:%u (%s)", m->place.file, m->place.line, m->from);
  return snprintf(text, size, "%s:%u", m->place.file, m->place.line);
}

bool steps_open(struct steps *steps, const struct ts *ts, FILE *out, struct budget *budget) {
  const struct ts_shape *shape = ts->shape;
  *steps =
      (struct steps){.ts = ts, .out = out, .columns = steps_columns(out), .number_width = 4};
  for (uint32_t a = 0; a < shape->n_actions; a++)
    for (uint32_t m = 0; m < shape->action[a].n_movers; m++) {
      const struct ts_mover *mover = &shape->action[a].mover[m];
      char place[STEPS_PLACE];
      int name = name_width(shape, mover);
      int where = text_of_place(shape, mover, place, sizeof place);
      if (name > steps->process_width && name <= STEPS_WIDEST)
        steps->process_width = name;
      if (where > steps->place_width && where <= STEPS_FAR)
        steps->place_width = where;
    }
  steps->previous = budget_alloc(budget, BUDGET_OTHER, ts_stride(shape) + 8u);
  if (steps->previous == NULL)
    return false;
  if (ts_notes(shape)->n_statements > 0) {
    steps->inside = budget_alloc(budget, BUDGET_OTHER, sizeof *steps->inside);
    if (steps->inside == NULL || !inside_open(steps->inside, ts, budget))
      return false;
  }
  return true;
}

void steps_close(struct steps *steps, struct budget *budget) {
  if (steps->previous != NULL)
    budget_free(budget, BUDGET_OTHER, steps->previous, ts_stride(steps->ts->shape) + 8u);
  if (steps->inside != NULL) {
    inside_close(steps->inside);
    budget_free(budget, BUDGET_OTHER, steps->inside, sizeof *steps->inside);
  }
  steps->previous = NULL;
  steps->inside = NULL;
}

const char *steps_statement(const struct ts_shape *shape, const struct ts_mover *m) {
  const char *text = m->text == NULL ? "" : m->text;
  return *text == '\0' && goes_by_statements(shape) ? "the process ends" : text;
}

/* What a mover does: the statement, and where that is said by locations, those. */
static void mover_text(const struct ts_shape *shape, const struct ts_mover *m, char *text,
                       size_t size) {
  const char *statement = steps_statement(shape, m);
  if (goes_by_statements(shape))
    snprintf(text, size, "%s", statement);
  else if (m->from != NULL && m->to != NULL)
    snprintf(text, size, "%s -> %s%s%s", m->from, m->to, *statement == '\0' ? "" : "  ",
             statement);
  else
    snprintf(text, size, "%s", statement);
}

/* Who moves and where is not repeated within a step; `last` is NULL for the first line of it.
 */
static void print_mover(const struct steps *steps, const char *number, const struct ts_mover *m,
                        const struct ts_mover *last) {
  const struct ts_shape *shape = steps->ts->shape;
  char place[STEPS_PLACE], before[STEPS_PLACE] = "", text[600];
  const char *name = steps_mover(shape, m);
  text_of_place(shape, m, place, sizeof place);
  mover_text(shape, m, text, sizeof text);
  if (last != NULL && strcmp(name, steps_mover(shape, last)) == 0) {
    name = "";
    text_of_place(shape, last, before, sizeof before);
    if (strcmp(place, before) == 0)
      place[0] = '\0';
  }
  fprintf(steps->out, "%*s  %-*s  %s%-*s%s  %s\n", steps->number_width, number,
          steps->process_width, name, style_on(steps->color, STYLE_DIM), steps->place_width,
          place, style_off(steps->color), text);
}

uint32_t steps_inner(const struct ts *ts, struct inside *inside, const uint8_t *before,
                     uint32_t length, struct ts_event event, uint32_t *action) {
  const struct ts_code *code = ts_code(ts);
  if (inside != NULL && inside_read(inside, ts, before, length, event)) {
    uint32_t most = inside->n_steps < STEPS_INNER ? inside->n_steps : STEPS_INNER;
    for (uint32_t i = 0; i < most; i++)
      action[i] = inside_action(inside, i);
    return most;
  }
  if (code->steps == NULL) {
    action[0] = event.action;
    return 1;
  }
  uint32_t n = code->steps(ts, before, length, event, action, STEPS_INNER);
  return n < STEPS_INNER ? n : STEPS_INNER;
}

/* True if the slot is the location of one of the movers. */
static bool told_by_movers(const struct ts_shape *shape, uint32_t slot, const uint32_t *action,
                           uint32_t n) {
  const struct ts_variable *v = &shape->variable[shape->slot[slot].variable];
  if (!v->is_location)
    return false;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t m = 0; m < shape->action[action[i]].n_movers; m++)
      if (shape->action[action[i]].mover[m].component == v->component)
        return true;
  return false;
}

/* Processes that are there now and were not, and the other way round. */
static void list_lives(struct list *list, const uint8_t *before, const uint8_t *after) {
  const struct ts_shape *shape = list->steps->ts->shape;
  for (uint32_t i = 0; i < shape->n_variables; i++) {
    const struct ts_variable *v = &shape->variable[i];
    if (!v->is_location || v->given_most == 0)
      continue;
    const bool was = ts_is_there(shape, v->first_slot, before);
    const bool is = ts_is_there(shape, v->first_slot, after);
    if (was != is)
      list_add(list, v->name, is ? " starts" : " is gone");
  }
}

static void print_changes(const struct steps *steps, const uint8_t *before,
                          const uint8_t *after, const uint32_t *action, uint32_t n) {
  const struct ts_shape *shape = steps->ts->shape;
  struct list list = {.steps = steps, .indent = indent_of(steps)};
  print_own_state(steps, before, after);
  list_lives(&list, before, after);
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    struct value old, new;
    char text[2 * VALUE_TEXT + 16];
    if (!value_read(shape, i, after, &new) || !value_differs(shape, &new, i, before, after) ||
        told_by_movers(shape, i, action, n))
      continue;
    bool was_there = value_read(shape, i, before, &old);
    if (new.is_own && (!was_there || old.is_zero))
      continue;
    if (!was_there)
      snprintf(old.text, sizeof old.text, new.is_channel ? "[]" : "0");
    snprintf(text, sizeof text, ": %s -> %s", old.text, new.text);
    list_add(&list, new.name, text);
  }
  list_end(&list);
}

static void print_fault(const struct steps *steps, const struct ts_edge *edge) {
  const struct ts_shape *shape = steps->ts->shape;
  if (edge->kind == TS_FINE || edge->fault >= shape->n_faults)
    return;
  const struct ts_fault *fault = &shape->fault[edge->fault];
  const char *kind = fault->is_exclusive          ? "exclusive use"
                     : edge->kind != TS_ASSERTION ? "model error"
                     : fault->is_trace            ? "trace"
                                                  : "assertion";
  fprintf(steps->out, "%*s%s%s: %s%s", indent_of(steps), "", style_on(steps->color, STYLE_BAD),
          kind, fault->message, style_off(steps->color));
  if (fault->place.file != NULL)
    fprintf(steps->out, " (%s:%u)", fault->place.file, fault->place.line);
  fputc('\n', steps->out);
}

static void print_own_words(const struct steps *steps, uint64_t number, const char *text) {
  fprintf(steps->out, "%*llu  %s\n", steps->number_width, (unsigned long long)number, text);
}

static void note_that(void *context, const struct inside_note *note) {
  (void)note;
  *(bool *)context = true;
}

/* The middle of a long atomic sequence, but for what is sent, received and printed. */
static bool is_left_out(const struct steps *steps, uint32_t i, uint32_t n) {
  bool tells = false;
  if (steps->full || n <= STEPS_HEAD + STEPS_TAIL + 1 || i < STEPS_HEAD || i + STEPS_TAIL >= n)
    return false;
  if (steps->inside != NULL && i < steps->inside->n_steps)
    inside_each(steps->inside, steps->ts->shape, i, note_that, &tells);
  return !tells;
}

static void print_movers(const struct steps *steps, uint64_t number, const uint32_t *action,
                         uint32_t n) {
  const struct ts_shape *shape = steps->ts->shape;
  const struct ts_mover *last = NULL;
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  const char *label = text;
  for (uint32_t i = 0, left_out = 0; i < n; i++) {
    if (is_left_out(steps, i, n)) {
      left_out++;
      continue;
    }
    if (left_out > 0)
      fprintf(steps->out, "%*s… %u statements left out …\n", indent_of(steps), "", left_out);
    left_out = 0;
    for (uint32_t m = 0; m < shape->action[action[i]].n_movers; m++) {
      print_mover(steps, label, &shape->action[action[i]].mover[m], last);
      last = &shape->action[action[i]].mover[m];
      label = "";
    }
    if (steps->inside != NULL && i < steps->inside->n_steps)
      inside_print(steps->inside, shape, i, indent_of(steps), steps->out);
  }
  if (*label != '\0')
    fprintf(steps->out, "%*s\n", steps->number_width, label);
}

void steps_step(const struct steps *steps, uint64_t number, const struct ts_edge *edge,
                const uint8_t *before, uint32_t before_length, const uint8_t *after) {
  uint32_t action[STEPS_INNER];
  uint32_t n =
      steps_inner(steps->ts, steps->inside, before, before_length, edge->event, action);
  char text[VALUE_TEXT];
  if (wording_event(steps->ts->shape, edge->event, before, text, sizeof text))
    print_own_words(steps, number, text);
  else
    print_movers(steps, number, action, n);
  print_fault(steps, edge);
  if (after == NULL)
    return;
  if (steps->full)
    steps_state(steps, after, true);
  else
    print_changes(steps, before, after, action, n);
}

/* Adds what the movers of one action do, after a bar. `statements`: without locations, but
 * where there is nothing else. */
static void label_action(const struct ts_shape *shape, const struct ts_action *action,
                         bool statements, char *text, size_t size) {
  for (uint32_t m = 0; m < action->n_movers; m++) {
    const struct ts_mover *mover = &action->mover[m];
    const size_t used = strlen(text);
    char one[600];
    if (used + 1 >= size)
      return;
    if (statements && *steps_statement(shape, mover) != '\0')
      snprintf(one, sizeof one, "%s", steps_statement(shape, mover));
    else
      mover_text(shape, mover, one, sizeof one);
    snprintf(text + used, size - used, "%s%s%s%s", used > 0 ? " | " : "",
             steps_mover(shape, mover), *steps_mover(shape, mover) != '\0' ? ": " : "", one);
  }
}

void steps_label(const struct ts *ts, const struct steps_labelling *how, const uint8_t *before,
                 struct ts_event event, char *text, size_t size) {
  enum { HEAD = 3, TAIL = 2 };
  const struct ts_shape *shape = ts->shape;
  uint32_t action[STEPS_INNER];
  bool own = wording_event(shape, event, before, text, size);
  uint32_t n = own ? 0 : steps_inner(ts, how->inside, before, how->length, event, action);
  if (!own)
    text[0] = '\0';
  for (uint32_t i = 0; i < n; i++) {
    if (i == HEAD && n > HEAD + TAIL + 1) {
      const size_t used = strlen(text);
      i = n - TAIL;
      snprintf(text + used, size - used, " | ... %u more ...", n - HEAD - TAIL);
    }
    label_action(shape, &shape->action[action[i]], how->statements, text, size);
  }
  for (char *c = text; *c != '\0'; c++)
    if ((unsigned char)*c < 32 || *c == 127)
      *c = '?';
}

/* Where the cycle of a lasso begins and ends. */
static void print_cycle(const struct steps *steps, uint32_t n) {
  const uint32_t begins = steps->n_events - steps->n_cycle;
  if (steps->n_cycle == 0)
    return;
  if (n == begins)
    fprintf(steps->out, "%*s%sthe cycle begins here%s\n", indent_of(steps), "",
            style_on(steps->color, STYLE_BAD), style_off(steps->color));
  else if (n == steps->n_events)
    fprintf(steps->out, "%*s%sback to step %u%s\n", indent_of(steps), "",
            style_on(steps->color, STYLE_BAD), begins, style_off(steps->color));
}

bool steps_replay(void *context, uint32_t n, const struct ts_edge *edge, const uint8_t *state,
                  uint32_t length) {
  struct steps *steps = context;
  if (edge == NULL) {
    fprintf(steps->out, "%*u  initial state\n", steps->number_width, 0);
    steps_state(steps, state, steps->full);
  } else if (n >= steps->skip_from && n < steps->skip_to) {
    if (n == steps->skip_from)
      fprintf(steps->out, "%*s  … %s steps left out …\n", steps->number_width, "",
              number_grouped(steps->skip_to - steps->skip_from).at);
  } else {
    bool ends = edge->kind == TS_MODEL_ERROR;
    steps_step(steps, n, edge, steps->previous, steps->previous_length, ends ? NULL : state);
  }
  print_cycle(steps, n);
  if (edge == NULL || edge->kind != TS_MODEL_ERROR) {
    ts_copy(steps->ts->shape, steps->previous, state, length);
    steps->previous_length = length;
  }
  return !ferror(steps->out);
}
