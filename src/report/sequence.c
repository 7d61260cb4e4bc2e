/* sequence.c - a run as a message chart.
 *
 * A line for each step, a column for each process that moves. A handshake is an arrow from the
 * sender to the receiver. A message that waits in a channel is a number at its sender, and
 * where it is received an arrow from the sender's column: that of the earliest message of this
 * channel with these values that was not received yet.
 */
#include "report/sequence.h"

#include "report/steps.h"

#include <string.h>

#define SEQUENCE_NUMBER 6u /* columns of the step's number */
#define SEQUENCE_LEAST  14u
#define SEQUENCE_MOST   30u
#define SEQUENCE_WIDTH  (SEQUENCE_NUMBER + 64u * SEQUENCE_MOST)

struct message { /* that was sent */
  const char *channel, *text;
  uint32_t column, step, number;
  bool is_received;
};

struct sequence {
  const struct ts *ts;
  struct arena *arena;
  FILE *out;
  struct inside *inside; /* or NULL */
  uint8_t *previous;
  uint32_t length, step;
  bool prints;      /* else columns are only found */
  uint32_t *column; /* [component]: its column, or TS_NONE */
  uint32_t n_columns, width;
  char line[SEQUENCE_WIDTH + 1]; /* the one that is drawn */
  uint32_t mover;                /* column of who moves, where notes are told */
  uint32_t waited;               /* messages that were no halves of handshakes */
  struct {
    struct message *at;
    uint32_t n, capacity;
  } sent;
};

/* ---- drawing -------------------------------------------------------------------------- */

static uint32_t line_of(const struct sequence *s, uint32_t column) {
  return SEQUENCE_NUMBER + column * s->width;
}

static void clear(struct sequence *s) {
  memset(s->line, ' ', SEQUENCE_WIDTH);
  for (uint32_t i = 0; i < s->n_columns; i++)
    s->line[line_of(s, i)] = '|';
}

/* Text from `at` on, at most `most` bytes; what has no place of one column is a "?". */
static void put(struct sequence *s, uint32_t at, const char *text, uint32_t most) {
  uint32_t n = 0;
  for (; text[n] != '\0' && n < most && at + n < SEQUENCE_WIDTH; n++)
    s->line[at + n] = text[n] < ' ' || text[n] > '~' ? '?' : text[n];
  if (text[n] != '\0' && n > 1)
    s->line[at + n - 1] = '~';
}

static void end_line(struct sequence *s, bool numbered) {
  char number[16] = "";
  uint32_t end = SEQUENCE_WIDTH;
  if (numbered)
    snprintf(number, sizeof number, "%4u", s->step);
  put(s, 0, number, SEQUENCE_NUMBER - 1);
  while (end > 0 && s->line[end - 1] == ' ')
    end--;
  fprintf(s->out, "%.*s\n", (int)end, s->line);
  clear(s);
}

static void local(struct sequence *s, uint32_t column, const char *text) {
  s->line[line_of(s, column)] = '*';
  put(s, line_of(s, column) + 2, text, s->width - 3);
}

static void arrow(struct sequence *s, uint32_t from, uint32_t to, const char *text) {
  const uint32_t a = line_of(s, from), b = line_of(s, to);
  const uint32_t low = a < b ? a : b, high = a < b ? b : a;
  memset(s->line + low, '-', high - low);
  s->line[a] = s->line[b] = '*';
  if (a < b)
    s->line[b - 1] = '>';
  else if (b < a)
    s->line[b + 1] = '<';
  if (high > low + 8)
    put(s, low + 4, text, high - low - 7);
}

/* ---- columns -------------------------------------------------------------------------- */

static uint32_t column_of(struct sequence *s, const struct ts_mover *m) {
  if (m->component == TS_NONE)
    return TS_NONE;
  if (s->column[m->component] == TS_NONE && !s->prints)
    s->column[m->component] = s->n_columns++;
  return s->column[m->component];
}

static void head(struct sequence *s) {
  const struct ts_shape *shape = s->ts->shape;
  memset(s->line, ' ', SEQUENCE_WIDTH);
  for (uint32_t i = 0; i < shape->n_components; i++)
    if (s->column[i] != TS_NONE)
      put(s, line_of(s, s->column[i]), shape->component[i].name, s->width - 1);
  end_line(s, false);
}

/* ---- steps ---------------------------------------------------------------------------- */

static void send(struct sequence *s, const struct inside_note *note) {
  struct message *m = ARENA_PUSH(s->arena, &s->sent);
  *m = (struct message){.channel = arena_text(s->arena, note->channel, strlen(note->channel)),
                        .text = arena_text(s->arena, note->text, strlen(note->text)),
                        .column = s->mover,
                        .step = s->step,
                        .number = ++s->waited};
  local(s, s->mover, arena_printf(s->arena, "%s!%s  #%u", m->channel, m->text, m->number));
}

/* Both halves are on one line. */
static void handshake(struct sequence *s) {
  clear(s);
  s->waited--;
}

static void receive(struct sequence *s, const struct inside_note *note) {
  const char *label = arena_printf(s->arena, "%s: %s", note->channel, note->text);
  for (uint32_t i = 0; i < s->sent.n; i++) {
    struct message *m = &s->sent.at[i];
    if (m->is_received || strcmp(m->channel, note->channel) != 0 ||
        strcmp(m->text, note->text) != 0)
      continue;
    m->is_received = true;
    if (m->step != s->step)
      label = arena_printf(s->arena, "#%u %s", m->number, label);
    else
      handshake(s);
    if (m->column == s->mover)
      local(s, s->mover, label);
    else
      arrow(s, m->column, s->mover, label);
    return;
  }
  local(s, s->mover, label);
}

struct part {
  struct sequence *s;
  bool is_shown; /* by a message */
  bool waits;    /* a line is drawn and not printed: it may be half of a handshake */
};

static void tell(void *context, const struct inside_note *note) {
  struct part *part = context;
  struct sequence *s = part->s;
  if (note->kind == INSIDE_PRINT)
    return;
  part->is_shown = true;
  if (note->kind == INSIDE_SEND) {
    if (part->waits)
      end_line(s, true);
    send(s, note);
    part->waits = true;
    return;
  }
  if (part->waits && (s->sent.n == 0 || s->sent.at[s->sent.n - 1].step != s->step ||
                      strcmp(s->sent.at[s->sent.n - 1].channel, note->channel) != 0))
    end_line(s, true);
  receive(s, note);
  end_line(s, true);
  part->waits = false;
}

/* What an edge of a language without messages in its traces says of a handshake. */
static const char *handshake_text(struct sequence *s, const char *text) {
  const char *sync = text == NULL ? NULL : strstr(text, "sync ");
  if (sync == NULL)
    return text == NULL ? "" : text;
  return arena_printf(s->arena, "%.*s", (int)strcspn(sync + 5, ";"), sync + 5);
}

static void draw_action(struct sequence *s, const struct ts_action *action, uint32_t inner,
                        struct part *part) {
  const struct ts_mover *m = action->mover;
  part->is_shown = false;
  s->mover = action->n_movers > 0 ? column_of(s, &m[0]) : TS_NONE;
  if (s->mover == TS_NONE)
    return;
  if (action->n_movers == 2 && column_of(s, &m[1]) != TS_NONE) {
    arrow(s, s->mover, column_of(s, &m[1]), handshake_text(s, m[0].text));
    end_line(s, true);
    return;
  }
  if (s->inside != NULL && inner < s->inside->n_steps)
    inside_each(s->inside, s->ts->shape, inner, tell, part);
  if (part->is_shown)
    return;
  if (part->waits)
    end_line(s, true);
  part->waits = false;
  local(s, s->mover, steps_statement(s->ts->shape, &m[0]));
  end_line(s, true);
}

static void find_columns(struct sequence *s, const struct ts_action *action) {
  for (uint32_t m = 0; m < action->n_movers; m++)
    column_of(s, &action->mover[m]);
}

static void draw_event(struct sequence *s, struct ts_event event) {
  const struct ts_shape *shape = s->ts->shape;
  uint32_t action[STEPS_INNER];
  struct part part = {.s = s};
  const uint32_t n = steps_inner(s->ts, s->inside, s->previous, s->length, event, action);
  for (uint32_t i = 0; i < n; i++)
    if (s->prints)
      draw_action(s, &shape->action[action[i]], i, &part);
    else
      find_columns(s, &shape->action[action[i]]);
  if (part.waits)
    end_line(s, true);
}

static bool follow(void *context, uint32_t n, const struct ts_edge *edge, const uint8_t *state,
                   uint32_t length) {
  struct sequence *s = context;
  s->step = n;
  if (edge != NULL)
    draw_event(s, edge->event);
  if (edge == NULL || edge->kind != TS_MODEL_ERROR) {
    ts_copy(s->ts->shape, s->previous, state, length);
    s->length = length;
  }
  return !ferror(s->out);
}

/* As wide as lines allow, and not narrower than is of use. */
static uint32_t width_of(uint32_t n_columns) {
  const uint32_t room = n_columns == 0 ? 0 : (STEPS_COLUMNS - SEQUENCE_NUMBER) / n_columns;
  return room < SEQUENCE_LEAST ? SEQUENCE_LEAST : room > SEQUENCE_MOST ? SEQUENCE_MOST : room;
}

void sequence_print(const struct ts *ts, const struct search_trail *trail,
                    struct budget *budget, struct arena *arena, FILE *out) {
  enum { MOST_COLUMNS = 64 };
  const uint32_t n = ts->shape->n_components;
  struct sequence *s = ARENA_NEW(arena, struct sequence);
  struct inside inside;
  *s = (struct sequence){.ts = ts, .arena = arena, .out = out};
  s->previous = arena_alloc(arena, ts_stride(ts->shape) + 8u);
  s->column = ARENA_ARRAY(arena, n + (size_t)1, uint32_t);
  for (uint32_t i = 0; i < n; i++)
    s->column[i] = TS_NONE;
  if (ts_notes(ts->shape)->n_statements > 0 && inside_open(&inside, ts, budget))
    s->inside = &inside;
  search_replay(ts, trail, budget, follow, s);
  for (uint32_t i = 0; i < n; i++)
    if (s->column[i] != TS_NONE && s->column[i] >= MOST_COLUMNS)
      s->column[i] = TS_NONE;
  s->n_columns = s->n_columns > MOST_COLUMNS ? MOST_COLUMNS : s->n_columns;
  s->width = width_of(s->n_columns);
  s->prints = true;
  head(s);
  search_replay(ts, trail, budget, follow, s);
  if (s->inside != NULL)
    inside_close(s->inside);
}
