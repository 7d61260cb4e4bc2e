/* sequence.c - a run as a message chart: which lines it has. How they are drawn is in
 * sequence_text.c and sequence_svg.c.
 *
 * A line for each step, a column for each process that moves. A handshake is an arrow from the
 * sender to the receiver. A message that waits in a channel is a number at its sender, and
 * where it is received an arrow from the sender's column: that of the earliest message of this
 * channel with these values that was not received yet.
 */
#include "report/sequence.h"

#include "report/sequence_pen.h"
#include "report/steps.h"
#include "ts/wording.h"

#include <string.h>

/* More processes are not shown. */
#define SEQUENCE_MOST 64u

struct message { /* that was sent */
  const char *channel, *text;
  uint32_t column, step, number;
  bool is_received;
};

struct sequence {
  const struct ts *ts;
  struct arena *arena;
  struct sequence_pen pen;
  struct inside *inside; /* or NULL */
  uint8_t *previous;
  uint32_t length, step;
  bool prints; /* else columns are only found */
  uint32_t n_columns;
  const char *name[SEQUENCE_MOST]; /* of the processes, by column */
  struct sequence_row row;         /* the one that is drawn */
  uint32_t mover;                  /* column of who moves, where notes are told */
  uint32_t waited;                 /* messages that were no halves of handshakes */
  struct {
    struct message *at;
    uint32_t n, capacity;
  } sent;
};

/* ---- rows ----------------------------------------------------------------------------- */

/* Both halves of a handshake on one line are one arrow: so a line has two marks at most. */
static void mark(struct sequence *s, uint32_t from, uint32_t to, const char *text) {
  if (s->row.n < sizeof s->row.mark / sizeof s->row.mark[0])
    s->row.mark[s->row.n++] = (struct sequence_mark){from, to, text};
}

static void local(struct sequence *s, uint32_t column, const char *text) {
  mark(s, column, column, text);
}

static void end_line(struct sequence *s) {
  s->row.step = s->step;
  s->pen.row(&s->pen, &s->row);
  s->row.n = 0;
}

/* ---- columns -------------------------------------------------------------------------- */

/* By the name of who moves: models in C have no components for their processes. */
static uint32_t column_of(struct sequence *s, const struct ts_mover *m) {
  const char *name = steps_mover(s->ts->shape, m);
  if (*name == '\0')
    return TS_NONE;
  for (uint32_t i = 0; i < s->n_columns; i++)
    if (s->name[i] == name || strcmp(s->name[i], name) == 0)
      return i;
  if (s->prints || s->n_columns == SEQUENCE_MOST)
    return TS_NONE;
  s->name[s->n_columns] = name;
  return s->n_columns++;
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
  s->row.n = 0;
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
      mark(s, m->column, s->mover, label);
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
      end_line(s);
    send(s, note);
    part->waits = true;
    return;
  }
  if (part->waits && (s->sent.n == 0 || s->sent.at[s->sent.n - 1].step != s->step ||
                      strcmp(s->sent.at[s->sent.n - 1].channel, note->channel) != 0))
    end_line(s);
  receive(s, note);
  end_line(s);
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
    mark(s, s->mover, column_of(s, &m[1]), handshake_text(s, m[0].text));
    end_line(s);
    return;
  }
  if (s->inside != NULL && inner < s->inside->n_steps)
    inside_each(s->inside, s->ts->shape, inner, tell, part);
  if (part->is_shown)
    return;
  if (part->waits)
    end_line(s);
  part->waits = false;
  local(s, s->mover, steps_statement(s->ts->shape, &m[0]));
  end_line(s);
}

static void find_columns(struct sequence *s, const struct ts_action *action) {
  for (uint32_t m = 0; m < action->n_movers; m++)
    column_of(s, &action->mover[m]);
}

/* An event that the model has words of its own for. */
static bool draw_own_words(struct sequence *s, struct ts_event event) {
  const struct ts_action *action = &s->ts->shape->action[event.action];
  char text[256];
  if (!s->prints || !wording_event(s->ts->shape, event, s->previous, text, sizeof text))
    return false;
  s->mover = action->n_movers > 0 ? column_of(s, &action->mover[0]) : TS_NONE;
  if (s->mover != TS_NONE) {
    local(s, s->mover, arena_text(s->arena, text, strlen(text)));
    end_line(s);
  }
  return true;
}

static void draw_event(struct sequence *s, struct ts_event event) {
  const struct ts_shape *shape = s->ts->shape;
  uint32_t action[STEPS_INNER];
  struct part part = {.s = s};
  if (draw_own_words(s, event))
    return;
  const uint32_t n = steps_inner(s->ts, s->inside, s->previous, s->length, event, action);
  for (uint32_t i = 0; i < n; i++)
    if (s->prints)
      draw_action(s, &shape->action[action[i]], i, &part);
    else
      find_columns(s, &shape->action[action[i]]);
  if (part.waits)
    end_line(s);
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
  return !ferror(s->pen.out);
}

/* Twice: to find the columns, and to draw. */
static void draw(struct sequence *s, const struct search_trail *trail, struct budget *budget) {
  search_replay(s->ts, trail, budget, follow, s);
  s->prints = true;
  s->pen.n_columns = s->n_columns;
  s->pen.name = s->name;
  s->pen.begin(&s->pen);
  search_replay(s->ts, trail, budget, follow, s);
  s->pen.end(&s->pen);
}

void sequence_draw(const struct ts *ts, const struct search_trail *trail, struct budget *budget,
                   struct arena *arena, const struct sequence_pen *pen) {
  struct sequence *s = ARENA_NEW(arena, struct sequence);
  struct inside inside;
  *s = (struct sequence){.ts = ts, .arena = arena, .pen = *pen};
  s->previous = arena_alloc(arena, ts_stride(ts->shape) + 8u);
  if (ts_notes(ts->shape)->n_statements > 0 && inside_open(&inside, ts, budget))
    s->inside = &inside;
  draw(s, trail, budget);
  if (s->inside != NULL)
    inside_close(s->inside);
}
