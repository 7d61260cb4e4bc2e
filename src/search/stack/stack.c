/* stack.c - records on a pile: frames, anchors, waiting rows, cursors. */
#include "search/stack/stack.h"

#include "search/stack/delta.h"
#include "ts/hash.h"

#include <assert.h>
#include <string.h>

/* The other bits of a record's kind say what it has: a length if it is not the anchor's. */
enum {
  PARTIAL = STACK_RECORD_PARTIAL,
  FRAME = STACK_RECORD_FRAME,
  WAITING = STACK_RECORD_WAITING,
  ANCHOR = STACK_RECORD_ANCHOR,
  KINDS = STACK_KINDS,
  CHOICE = STACK_CHOICE,
  LENGTH = 8
};

enum {
  CHANGED = 65, /* bytes, at most, of a list of what changed */
  NEAR = 8      /* frames that are looked under for rows that wait */
};

static inline bool is_frame(struct pile_record record) {
  return record.kind & 1;
}

/* ---- what records consist of ------------------------------------------------------- */

/* Returns the place after what it wrote. */
static inline uint8_t *write_state(const struct stack *s, const uint8_t *row, uint32_t length,
                                   uint8_t *at, uint32_t *kind) {
  length ^= s->anchor_length;
  if (length != 0) {
    memcpy(at, &length, sizeof length);
    at += sizeof length;
    *kind |= LENGTH;
  }
  return delta_write(s->anchor, row, s->words, at);
}

/* What changed, as a list of bits. Both return the place after it. */
static inline uint8_t *write_changed(uint64_t changed, uint8_t *at) {
  uint8_t *list = at + 1;
  for (; changed != 0; changed &= changed - 1)
    *list++ = (uint8_t)__builtin_ctzll(changed);
  *at = (uint8_t)(list - at - 1);
  return list;
}

static inline const uint8_t *read_changed(const uint8_t *at, uint64_t *changed) {
  const uint8_t *end = at + 1 + *at;
  *changed = 0;
  for (at++; at < end; at++)
    *changed |= UINT64_C(1) << *at;
  return end;
}

/* Returns the place after the event. */
static inline const uint8_t *read_event(const struct stack *s, const uint8_t *at, uint32_t kind,
                                        struct ts_event *event, bool *of_few) {
  memcpy(&event->action, at, sizeof event->action);
  *of_few = (event->action & s->of_few) != 0;
  event->action &= s->no_action;
  if (event->action == s->no_action)
    event->action = TS_NONE;
  event->choice = 0;
  at += s->action_bytes;
  if (kind & CHOICE) {
    memcpy(&event->choice, at, sizeof event->choice);
    at += sizeof event->choice;
  }
  return at;
}

/* Makes the anchor in `row`, or another place, the state of the record that ends at `end`;
 * returns what its length is xor the anchor's. */
static inline uint32_t read_state(const struct stack *s, const uint8_t *at, const uint8_t *end,
                                  uint32_t kind, uint8_t *row) {
  uint32_t length = 0;
  if (kind & LENGTH) {
    memcpy(&length, at, sizeof length);
    at += sizeof length;
  }
  delta_apply(row, s->words, at, end);
  return length;
}

/* ---- opening ----------------------------------------------------------------------- */

bool stack_open(struct stack *s, const struct stack_config *config) {
  *s = (struct stack){.config = *config};
  pile_init(&s->pile, config->budget);
  s->words = ts_stride(config->shape) / 8;
  s->action_bytes = config->shape->n_actions < 0x7FFF ? 2 : 4;
  s->no_action = s->action_bytes == 2 ? 0x7FFF : TS_NONE >> 1;
  s->of_few = s->no_action + 1;
  s->room = (config->keeps_names ? CHANGED : 0) + sizeof(uint64_t) + 3 * sizeof(uint32_t) +
            (size_t)DELTA_MOST * s->words + DELTA_SLACK + PILE_TAIL;
  s->row = budget_alloc(config->budget, BUDGET_OPEN, ts_stride(config->shape));
  s->anchor = budget_alloc(config->budget, BUDGET_OPEN, ts_stride(config->shape));
  return s->row != NULL && s->anchor != NULL;
}

void stack_close(struct stack *s) {
  struct budget *budget = s->config.budget;
  if (s->config.shape == NULL)
    return;
  pile_free(&s->pile);
  budget_free(budget, BUDGET_OPEN, s->row, ts_stride(s->config.shape));
  budget_free(budget, BUDGET_OPEN, s->anchor, ts_stride(s->config.shape));
}

/* ---- records are put --------------------------------------------------------------- */

uint8_t *stack_make_room(struct stack *s) {
  uint8_t *at = NULL;
  while (at == NULL && s->config.relieve != NULL && s->config.relieve(s->config.context))
    at = pile_room(&s->pile, s->room);
  return at;
}

/* The state of the top frame, which was pushed last, becomes the anchor. There is room for
 * that in its record. */
static void drop_anchor(struct stack *s) {
  struct pile_record frame = pile_ending(s->pile.top);
  uint8_t *old = s->anchor;
  assert((frame.kind & KINDS) == FRAME);
  uint32_t kind = frame.kind | ANCHOR;
  uint8_t *at = frame.at + frame.bytes;
  if (s->config.keeps_names) {
    memcpy(at, &s->anchor_name, sizeof s->anchor_name);
    at += sizeof s->anchor_name;
  }
  const uint8_t *end = write_state(s, s->row, s->length, at, &kind);
  s->pile.top = frame.at;
  pile_push(&s->pile, kind, (uint32_t)(end - frame.at));
  s->anchor = s->row;
  s->anchor_length = s->length;
  s->anchor_name = s->name;
  s->row = old;
  s->anchored = true;
}

void stack_keep(struct stack *s) {
  if (!s->anchored)
    drop_anchor(s);
}

bool stack_wait(struct stack *s, const struct rows *rows, uint32_t i) {
  if (!s->anchored)
    drop_anchor(s);
  uint8_t *from = stack_room(s), *at = from;
  const struct ts_edge *edge = &rows->batch.edge[i];
  uint32_t kind = WAITING;
  if (at == NULL)
    return false;
  memcpy(at, &rows->raw[i], sizeof rows->raw[i]);
  at = stack_write_event(s, edge, at + sizeof rows->raw[i], &kind);
  if (s->config.keeps_names)
    at = write_changed(edge->changed, at);
  at = write_state(s, rows_at(rows, i), edge->length, at, &kind);
  pile_push(&s->pile, kind, (uint32_t)(at - from));
  return true;
}

bool stack_put_cursor(struct stack *s, struct ts_event cursor) {
  if (!s->anchored)
    drop_anchor(s);
  uint8_t *at = stack_room(s);
  if (at == NULL)
    return false;
  memcpy(at, &cursor, sizeof cursor);
  pile_push(&s->pile, PARTIAL, sizeof cursor);
  return true;
}

/* ---- and taken --------------------------------------------------------------------- */

void stack_lift_anchor(struct stack *s, struct pile_record top) {
  const uint8_t *at = top.at + s->action_bytes + (top.kind & CHOICE ? sizeof(uint32_t) : 0);
  if (s->config.keeps_names) {
    memcpy(&s->anchor_name, at, sizeof s->anchor_name);
    at += sizeof s->anchor_name;
  }
  s->anchor_length ^= read_state(s, at, top.at + top.bytes, top.kind, s->anchor);
}

void stack_empty(struct stack *s) {
  for (struct pile_record top = pile_top(&s->pile); top.at != NULL; top = pile_top(&s->pile))
    pile_pop(&s->pile, top);
  s->frames = 0;
  s->anchored = false;
  s->anchor_length = 0;
  memset(s->anchor, 0, (size_t)8 * s->words);
}

void stack_take(struct stack *s, struct rows *rows) {
  struct pile_record top = pile_top(&s->pile);
  uint32_t n = 0;
  for (; (top.kind & KINDS) == WAITING && n < rows->batch.capacity; top = pile_top(&s->pile)) {
    struct ts_edge *edge = &rows->batch.edge[n];
    uint8_t *row = rows_at(rows, n);
    bool of_few;
    const uint8_t *at =
        read_event(s, top.at + sizeof *rows->raw, top.kind, &edge->event, &of_few);
    edge->note = of_few ? OPEN_OF_FEW : 0;
    if (s->config.keeps_names)
      at = read_changed(at, &edge->changed);
    memcpy(row, s->anchor, (size_t)8 * s->words);
    edge->length = s->anchor_length ^ read_state(s, at, top.at + top.bytes, top.kind, row);
    rows->raw[n] = delta_load(top.at);
    rows->hash[n] = hash_finish(rows->raw[n]);
    n++;
    pile_pop(&s->pile, top);
  }
  rows->batch.n = n;
}

void stack_resume(const struct stack *s, struct open *open) {
  uint32_t segment = s->pile.current;
  struct pile_record top = pile_ending(s->pile.top);
  struct pile_record frame = pile_under(&s->pile, top, &segment);
  assert((top.kind & KINDS) == PARTIAL && frame.at != NULL && is_frame(frame));
  memcpy(&open->cursor, top.at, sizeof open->cursor);
  read_event(s, frame.at, frame.kind, &open->by, &open->of_few);
  open->row = s->anchor;
  open->length = s->anchor_length;
  open->hashed = false;
}

uint32_t stack_soon(const struct stack *s, uint64_t *hash, uint32_t most) {
  uint32_t segment = s->pile.current, n = 0, frames = 0;
  struct pile_record at = pile_top(&s->pile);
  while (at.at != NULL && is_frame(at) && frames++ < NEAR)
    at = pile_under(&s->pile, at, &segment);
  for (; at.at != NULL && (at.kind & KINDS) == WAITING && n < most;
       at = pile_under(&s->pile, at, &segment))
    hash[n++] = hash_finish(delta_load(at.at));
  return n;
}

uint64_t stack_path(const struct stack *s, struct ts_event *event) {
  uint64_t n = s->frames - 1, left = event == NULL ? 0 : n;
  uint32_t segment = s->pile.current;
  struct pile_record at = pile_top(&s->pile);
  bool of_few;
  for (; left > 0 && at.at != NULL; at = pile_under(&s->pile, at, &segment))
    if (is_frame(at))
      read_event(s, at.at, at.kind, &event[--left], &of_few);
  return n;
}

bool stack_pass(struct stack *s, struct sink *sink) {
  size_t stride = ts_stride(s->config.shape);
  sink_section(sink, "stack");
  sink_same(sink, s->config.keeps_names, "has a stack with other names");
  if (sink_is_read(sink))
    while (s->frames > 0)
      stack_pop(s);
  sink_pass(sink, &s->frames, sizeof s->frames);
  sink_pass(sink, s->row, stride);
  sink_pass(sink, s->anchor, stride);
  sink_pass(sink, &s->length, sizeof s->length);
  sink_pass(sink, &s->anchor_length, sizeof s->anchor_length);
  sink_pass(sink, &s->name, sizeof s->name);
  sink_pass(sink, &s->anchor_name, sizeof s->anchor_name);
  sink_pass(sink, &s->anchored, sizeof s->anchored);
  return pile_pass(&s->pile, sink);
}
