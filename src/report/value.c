/* value.c - what a state says, in terms of the model. */
#include "report/value.h"

#include "ts/wording.h"

#include <stdio.h>
#include <string.h>

void value_number(const struct ts_shape *shape, const struct ts_field *field, int64_t number,
                  const uint8_t *state, char *text, size_t size) {
  uint32_t channel = TS_NONE;
  if (field->is_channel && number > 0)
    channel = ts_channel_numbered(shape, number, state);
  if (channel != TS_NONE)
    snprintf(text, size, "%s", ts_notes(shape)->channel[channel].name);
  else if (field->values != NULL && number >= 0 && number < (int64_t)field->n_values &&
           field->values[number] != NULL)
    snprintf(text, size, "%s", field->values[number]);
  else
    snprintf(text, size, "%lld", (long long)number);
}

/* ---- channels ----------------------------------------------------------------------- */

/* <1, red>, or 1 where a message has one field. */
static void message_text(const struct ts_shape *shape, const struct ts_channel *c, uint32_t i,
                         const uint8_t *state, char *text, size_t size) {
  size_t used = 0;
  bool one = c->n_fields == 1;
  text[0] = '\0';
  for (uint32_t f = 0; f < c->n_fields && used + 1 < size; f++) {
    char number[VALUE_NAME];
    int64_t value = ts_value(&shape->slot[c->cells[f] + i], state);
    value_number(shape, &c->field[f], value, state, number, sizeof number);
    snprintf(text + used, size - used, "%s%s", f > 0 ? ", " : one ? "" : "<", number);
    used += strlen(text + used);
  }
  if (!one && used + 1 < size)
    snprintf(text + used, size - used, c->n_fields == 0 ? "<>" : ">");
}

/* All messages, or the first ones and how many there are. */
static void channel_text(const struct ts_shape *shape, const struct ts_channel *c,
                         const uint8_t *state, char *text, size_t size) {
  const size_t rest = sizeof ", … (4294967295 in all)]";
  uint32_t n = (uint32_t)ts_value(&shape->slot[c->count], state);
  size_t used = 1;
  snprintf(text, size, "[");
  for (uint32_t i = 0; i < n && i < c->capacity; i++) {
    char one[VALUE_TEXT];
    message_text(shape, c, i, state, one, sizeof one);
    if (used + strlen(one) + rest > size) {
      snprintf(text + used, size - used, "%s… (%u in all)]", i > 0 ? ", " : "", n);
      return;
    }
    snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", one);
    used += strlen(text + used);
  }
  snprintf(text + used, size - used, "]");
}

/* ---- all of a state ------------------------------------------------------------------- */

bool value_read(const struct ts_shape *shape, uint32_t slot, const uint8_t *state,
                struct value *out) {
  const struct ts_slot *s = &shape->slot[slot];
  const struct ts_variable *v = &shape->variable[s->variable];
  if (v->is_hidden || !ts_is_there(shape, slot, state))
    return false;
  *out = (struct value){.n_slots = 1};
  if (v->channel > 0) {
    const struct ts_channel *c = &ts_notes(shape)->channel[v->channel - 1];
    if (slot != c->first)
      return false;
    out->n_slots = c->n_slots;
    out->is_channel = true;
    out->is_zero = ts_value(&shape->slot[c->count], state) == 0;
    snprintf(out->name, sizeof out->name, "%s", c->name);
    channel_text(shape, c, state, out->text, sizeof out->text);
    return true;
  }
  const struct ts_field field = {
      .n_values = v->n_values, .values = v->values, .is_channel = v->is_channel};
  ts_slot_name(shape, slot, out->name, sizeof out->name);
  if (!wording_value(shape, slot, state, out->text, sizeof out->text))
    value_number(shape, &field, ts_value(s, state), state, out->text, sizeof out->text);
  out->is_zero = ts_value(s, state) == 0;
  out->is_own = v->is_channel && strcmp(out->name, out->text) == 0;
  return true;
}

bool value_differs(const struct ts_shape *shape, const struct value *value, uint32_t slot,
                   const uint8_t *before, const uint8_t *after) {
  for (uint32_t i = slot; i < slot + value->n_slots; i++)
    if (ts_value(&shape->slot[i], before) != ts_value(&shape->slot[i], after))
      return true;
  return false;
}
