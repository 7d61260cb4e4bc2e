/* wording.c - from any ts to what its model says of a value, an event or a state. */
#include "ts/wording.h"

#include "ts/product.h"
#include "ts/product_shape.h"

bool wording_value(const struct ts_shape *shape, uint32_t slot, const uint8_t *state,
                   char *text, size_t size) {
  const struct ts_words *words = ts_notes(shape)->words;
  const bool in_product = shape->product_of != NULL;
  if (words == NULL || words->value == NULL || (in_product && slot == 0))
    return false;
  words->value(words->shape, in_product ? slot - 1 : slot,
               in_product ? ts_product_system(state) : state, text, size);
  return true;
}

bool wording_event(const struct ts_shape *shape, struct ts_event event, const uint8_t *state,
                   char *text, size_t size) {
  const struct ts_words *words = ts_notes(shape)->words;
  if (words == NULL || words->event == NULL || event.action >= words->shape->n_actions)
    return false;
  if (shape->product_of != NULL) {
    event.choice /= product_most_edges(shape->product_of);
    state = ts_product_system(state);
  }
  words->event(words->shape, event, state, text, size);
  return true;
}

bool wording_state(const struct ts_shape *shape, const uint8_t *state, char *text,
                   size_t size) {
  const struct ts_words *words = ts_notes(shape)->words;
  if (words == NULL || words->state == NULL)
    return false;
  words->state(words->shape, shape->product_of != NULL ? ts_product_system(state) : state, text,
               size - 1);
  size_t n = 0;
  for (; text[n] != '\0'; n++)
    if (((unsigned char)text[n] < 32 && text[n] != '\n') || text[n] == 127)
      text[n] = '?';
  if (n > 0 && text[n - 1] != '\n') {
    text[n] = '\n';
    text[n + 1] = '\0';
  }
  return n > 0;
}
