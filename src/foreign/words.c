/* words.c - how a model written in C prints its values and events. */
#include "foreign/foreign.h"

#include "ts/product_shape.h"

#include <stdio.h>

/* The shape may be that of a product, where more bytes and a variable come first; its words are
 * those of the model. */
static const struct foreign *of_words(const struct ts_shape *shape) {
  return (const struct foreign *)(const void *)ts_notes(shape)->words;
}

static const uint8_t *own_state(const struct ts_shape *shape, const uint8_t *state) {
  return state + (shape->max_bytes - of_words(shape)->shape.max_bytes);
}

/* Each of a product's events is one of the model's and one of the claim's edges. */
static uint32_t own_choice(const struct ts_shape *shape, struct ts_event event) {
  return shape->product_of == NULL ? event.choice
                                   : event.choice / product_most_edges(shape->product_of);
}

struct printing {
  const struct cairn_model *model;
  const uint8_t *state;
  uint32_t which, index;
  char *text;
  size_t size;
};

static void print_value(void *context) {
  const struct printing *p = context;
  p->model->print_value(p->state, p->which, p->index, p->text, p->size);
}

static void print_event(void *context) {
  const struct printing *p = context;
  p->model->print_event(p->state, p->which, p->index, p->text, p->size);
}

void foreign_word_value(const struct ts_shape *shape, uint32_t slot, const uint8_t *state,
                        char *text, size_t size) {
  const struct foreign *f = of_words(shape);
  const struct ts_slot *s = &shape->slot[slot];
  const struct ts_variable *v = &shape->variable[s->variable];
  const int64_t value = ts_value(s, state);
  const uint32_t more = shape->n_variables - f->shape.n_variables;
  const uint32_t variable = s->variable < more ? TS_NONE : f->number[s->variable - more];
  if (v->values != NULL && value >= 0 && value < v->n_values)
    snprintf(text, size, "%s", v->values[value]);
  else
    snprintf(text, size, "%lld", (long long)value);
  if (variable == TS_NONE || f->model->print_value == NULL)
    return;
  struct printing p = {f->model, own_state(shape, state), variable, s->index, text, size};
  guard_call(print_value, &p, (struct guard_stop){NULL, NULL});
}

void foreign_word_event(const struct ts_shape *shape, struct ts_event event,
                        const uint8_t *state, char *text, size_t size) {
  const struct foreign *f = of_words(shape);
  snprintf(text, size, "%s", shape->action[event.action].mover->text);
  if (event.action >= f->crash_action)
    return;
  struct printing p = {
      f->model, own_state(shape, state), event.action, own_choice(shape, event), text, size};
  guard_call(print_event, &p, (struct guard_stop){NULL, NULL});
}
