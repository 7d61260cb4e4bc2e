/* ts.c - the services that every ts gets for free.
 *
 * Firing one event is not a function of its own in the compiled code: the
 * successor function with a cursor and room for one row does it, so there is
 * one text of each effect and nothing that could disagree.
 */
#include "ts/ts.h"

#include <stdio.h>
#include <string.h>

void ts_copy(const struct ts_shape *shape, uint8_t *row, const uint8_t *state,
             uint32_t length) {
  memcpy(row, state, length);
  memset(row + length, 0, ts_stride(shape) - length);
}

int64_t ts_value(const struct ts_slot *slot, const uint8_t *state) {
  const uint8_t *at = state + slot->offset;
  uint32_t raw = at[0];
  if (slot->bytes > 1)
    raw |= (uint32_t)at[1] << 8;
  if (slot->bytes > 2)
    raw |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  if (!slot->is_signed)
    return raw;
  switch (slot->bytes) {
  case 1:
    return (int8_t)raw;
  case 2:
    return (int16_t)raw;
  default:
    return (int32_t)raw;
  }
}

/* "r[].in.a[]" with the number of an element, counted as they are. */
static void element_name(const struct ts_variable *v, uint32_t number, char *text,
                         size_t size) {
  uint32_t rest = v->n_slots, k = 0;
  size_t used = 0;
  const char *at = v->element;
  text[0] = '\0';
  for (const char *open = strstr(at, "[]"); open != NULL && used < size;
       at = open + strlen("[]"), open = strstr(at, "[]"), used += strlen(text + used)) {
    rest /= v->extent[k++];
    snprintf(text + used, size - used, "%.*s[%u]", (int)(open - at), at, number / rest);
    number %= rest;
  }
  snprintf(text + used, size - used, "%s", at);
}

void ts_slot_name(const struct ts_shape *shape, uint32_t slot, char *text, size_t size) {
  const struct ts_slot *s = &shape->slot[slot];
  const struct ts_variable *v = &shape->variable[s->variable];
  if (v->element != NULL)
    element_name(v, s->index, text, size);
  else if (v->is_array)
    snprintf(text, size, "%s[%u]", v->name, s->index);
  else
    snprintf(text, size, "%s", v->name);
}

bool ts_is_there(const struct ts_shape *shape, uint32_t slot, const uint8_t *state) {
  const struct ts_variable *v = &shape->variable[shape->slot[slot].variable];
  if (v->given_most == 0)
    return true;
  int64_t value = ts_value(&shape->slot[v->given], state);
  return value >= v->given_least && value <= v->given_most;
}

uint32_t ts_channel_numbered(const struct ts_shape *shape, int64_t number,
                             const uint8_t *state) {
  for (uint32_t i = 0; i < ts_notes(shape)->n_channels; i++) {
    const struct ts_channel *c = &ts_notes(shape)->channel[i];
    int64_t value = c->given_most == 0 ? 0 : ts_value(&shape->slot[c->given], state);
    bool there = c->given_most == 0 || (value >= c->given_least && value <= c->given_most);
    if (there && --number == 0)
      return i;
  }
  return TS_NONE;
}

bool ts_ends(const struct ts *ts, const uint8_t *state, uint32_t length) {
  const struct ts_code *code = ts_code(ts);
  return code->ends != NULL && code->ends(ts, state, length) != 0;
}

bool ts_fire_traced(const struct ts *ts, const uint8_t *state, uint32_t length,
                    struct ts_event event, struct ts_edge *edge, uint8_t *row,
                    struct ts_trace *trace) {
  struct ts_batch one = {
      .edge = edge, .rows = row, .stride = ts_stride(ts->shape), .capacity = 1, .trace = trace};
  struct ts_event cursor = event;
  ts_code(ts)->successors(ts, state, length, &cursor, NULL, &one);
  return one.n == 1 && edge->event.action == event.action && edge->event.choice == event.choice;
}

bool ts_fire(const struct ts *ts, const uint8_t *state, uint32_t length, struct ts_event event,
             struct ts_edge *edge, uint8_t *row) {
  return ts_fire_traced(ts, state, length, event, edge, row, NULL);
}
