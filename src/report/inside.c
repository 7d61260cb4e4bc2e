/* inside.c - the steps of one event, with the messages and prints on the way. */
#include "report/inside.h"

#include "report/value.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

#define INSIDE_WORDS 1024u      /* room for a trace at first */
#define INSIDE_MOST  (1u << 26) /* words; longer ones are not shown */

bool inside_open(struct inside *in, const struct ts *ts, struct budget *budget) {
  *in = (struct inside){.budget = budget, .stride = ts_stride(ts->shape) + 8};
  in->row = budget_alloc(budget, BUDGET_OTHER, in->stride);
  in->trace.capacity = INSIDE_WORDS;
  in->trace.at = budget_alloc(budget, BUDGET_OTHER, INSIDE_WORDS * sizeof(uint32_t));
  if (in->row != NULL && in->trace.at != NULL)
    return true;
  inside_close(in);
  return false;
}

void inside_close(struct inside *in) {
  if (in->row != NULL)
    budget_free(in->budget, BUDGET_OTHER, in->row, in->stride);
  if (in->trace.at != NULL)
    budget_free(in->budget, BUDGET_OTHER, in->trace.at, in->trace.capacity * sizeof(uint32_t));
  if (in->step != NULL)
    array_free(in->budget, BUDGET_OTHER, in->step, in->capacity * sizeof(uint32_t));
  *in = (struct inside){0};
}

static bool grow(struct inside *in, uint32_t words) {
  struct ts_trace *t = &in->trace;
  if (words > INSIDE_MOST)
    return false;
  uint32_t *at = budget_realloc(in->budget, BUDGET_OTHER, t->at, t->capacity * sizeof *at,
                                words * sizeof *at);
  if (at == NULL)
    return false;
  t->at = at;
  t->capacity = words;
  return true;
}

static bool keep_step(struct inside *in, uint32_t record) {
  if (in->n_steps == in->capacity) {
    uint32_t *step =
        array_grow(in->budget, BUDGET_OTHER, in->step, &in->capacity, sizeof *step);
    if (step == NULL)
      return false;
    in->step = step;
  }
  in->step[in->n_steps++] = record;
  return true;
}

/* From the last step back to the first, then turned round. */
static bool follow_back(struct inside *in) {
  for (uint32_t at = in->trace.last; at != TS_NONE; at = in->trace.at[at + 2])
    if (!keep_step(in, at))
      return false;
  for (uint32_t i = 0, k = in->n_steps; i + 1 < k; i++) {
    uint32_t swap = in->step[i];
    in->step[i] = in->step[--k];
    in->step[k] = swap;
  }
  return in->n_steps > 0;
}

bool inside_read(struct inside *in, const struct ts *ts, const uint8_t *state, uint32_t length,
                 struct ts_event event) {
  struct ts_edge edge;
  in->n_steps = 0;
  in->before = state;
  if (ts_notes(ts->shape)->n_statements == 0)
    return false;
  for (;;) {
    in->trace.n = 0;
    in->trace.last = TS_NONE;
    if (!ts_fire_traced(ts, state, length, event, &edge, in->row, &in->trace))
      return false;
    if (in->trace.n <= in->trace.capacity)
      return follow_back(in);
    if (!grow(in, in->trace.n))
      return false;
  }
}

uint32_t inside_action(const struct inside *in, uint32_t i) {
  return in->trace.at[in->step[i] + 3];
}

/* ---- records ------------------------------------------------------------------------ */

static void print_symbol(const struct ts_shape *shape, uint32_t value, FILE *out) {
  if (value < ts_notes(shape)->n_symbols && ts_notes(shape)->symbol[value] != NULL)
    fputs(ts_notes(shape)->symbol[value], out);
  else
    fprintf(out, "%d", (int)value);
}

static void print_value(const struct ts_shape *shape, char conversion, uint32_t value,
                        FILE *out) {
  switch (conversion) {
  case 'd':
    fprintf(out, "%d", (int)value);
    break;
  case 'u':
    fprintf(out, "%u", value);
    break;
  case 'x':
    fprintf(out, "%x", value);
    break;
  case 'o':
    fprintf(out, "%o", value);
    break;
  case 'c':
    fputc((int)(value & 255), out);
    break;
  default:
    print_symbol(shape, value, out);
    break;
  }
}

static void print_format(const struct ts_shape *shape, const uint32_t *word, uint32_t n,
                         FILE *out) {
  const char *at =
      word[0] < ts_notes(shape)->n_prints ? ts_notes(shape)->print[word[0]].format : "";
  const uint32_t unknown = word[n - 1]; /* an index was out of range, a divisor 0 … */
  uint32_t next = 1;
  for (; *at != '\0'; at++) {
    if (*at != '%' || at[1] == '\0')
      fputc(*at, out);
    else if (*++at == '%')
      fputc('%', out);
    else if (next + 1 < n && (unknown >> (next < 32 ? next - 1 : 31) & 1) != 0)
      next++, fputc('?', out);
    else if (next + 1 < n)
      print_value(shape, *at, word[next++], out);
  }
}

/* Of a channel that was made or is gone within the event one of the two states knows. */
static uint32_t channel_of(const struct inside *in, const struct ts_shape *shape,
                           uint32_t number, const uint8_t **state) {
  uint32_t index = ts_channel_numbered(shape, number, *state = in->before);
  return index != TS_NONE ? index : ts_channel_numbered(shape, number, *state = in->row);
}

static void print_message(const struct inside *in, const struct ts_shape *shape,
                          const uint32_t *word, uint32_t n, FILE *out) {
  const uint8_t *state;
  const uint32_t index = channel_of(in, shape, word[0], &state);
  const struct ts_channel *c = index == TS_NONE ? NULL : &ts_notes(shape)->channel[index];
  for (uint32_t i = 1; i < n; i++) {
    static const struct ts_field number = {0};
    char text[VALUE_NAME];
    value_number(shape, c != NULL && i <= c->n_fields ? &c->field[i - 1] : &number,
                 (int32_t)word[i], state, text, sizeof text);
    fprintf(out, "%s%s", i > 1 ? ", " : "", text);
  }
}

/* One record, as text. Without memory for it nothing is said. */
static void tell_record(const struct inside *in, const struct ts_shape *shape, uint32_t at,
                        void (*tell)(void *context, const struct inside_note *),
                        void *context) {
  const uint32_t *word = &in->trace.at[at + 2];
  const uint32_t kind = in->trace.at[at], n = in->trace.at[at + 1];
  struct inside_note note = {.kind = kind == TS_TRACE_PRINT  ? INSIDE_PRINT
                                     : kind == TS_TRACE_SEND ? INSIDE_SEND
                                                             : INSIDE_RECEIVE};
  char *text = NULL, name[32];
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return;
  if (note.kind == INSIDE_PRINT) {
    print_format(shape, word, n, out);
  } else {
    const uint8_t *state;
    const uint32_t index = channel_of(in, shape, word[0], &state);
    snprintf(name, sizeof name, "channel %u", word[0]);
    note.channel = index == TS_NONE ? name : ts_notes(shape)->channel[index].name;
    print_message(in, shape, word, n, out);
  }
  if (fclose(out) == 0) {
    note.text = text;
    tell(context, &note);
  }
  free(text);
}

void inside_each(const struct inside *in, const struct ts_shape *shape, uint32_t i,
                 void (*tell)(void *context, const struct inside_note *), void *context) {
  const struct ts_trace *t = &in->trace;
  for (uint32_t at = in->step[i] + 4; at < t->n && t->at[at] != TS_TRACE_STEP;
       at += 2 + t->at[at + 1])
    tell_record(in, shape, at, tell, context);
}

struct printing {
  FILE *out;
  int indent;
};

/* Lines of a print go under each other. */
static void print_note(void *context, const struct inside_note *note) {
  const struct printing *p = context;
  if (note->kind != INSIDE_PRINT) {
    fprintf(p->out, "%*s%s %s%s%s\n", p->indent, "", note->channel,
            note->kind == INSIDE_SEND ? "!" : "?", *note->text == '\0' ? "" : " ", note->text);
    return;
  }
  const char *line = note->text;
  do {
    const size_t n = strcspn(line, "\n");
    fprintf(p->out, "%*s> %.*s\n", p->indent, "", (int)n, line);
    line += n + (line[n] != '\0');
  } while (*line != '\0');
}

void inside_print(const struct inside *in, const struct ts_shape *shape, uint32_t i, int indent,
                  FILE *out) {
  struct printing p = {out, indent};
  inside_each(in, shape, i, print_note, &p);
}
