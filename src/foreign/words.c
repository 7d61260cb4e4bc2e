/* words.c - how a model written in C prints its values and events. */
#include "foreign/foreign.h"

#include <stdio.h>

static const struct foreign *of_shape(const struct ts_shape *shape) {
  return (const struct foreign *)(const void *)shape;
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

static void print_state(void *context) {
  const struct printing *p = context;
  p->model->print_state(p->state, p->text, p->size);
}

static void print_event(void *context) {
  const struct printing *p = context;
  p->model->print_event(p->state, p->which, p->index, p->text, p->size);
}

/* Texts end where their room does, whatever the model writes. */
static void say(const struct foreign *f, void (*call)(void *), struct printing *p) {
  if (*f->words_are_endless)
    return;
  *f->words_are_endless = foreign_call(f, call, p) == GUARD_STOPPED;
  p->text[p->size - 1] = '\0';
}

void foreign_word_value(const struct ts_shape *shape, uint32_t slot, const uint8_t *state,
                        char *text, size_t size) {
  const struct foreign *f = of_shape(shape);
  const struct ts_slot *s = &shape->slot[slot];
  const struct ts_variable *v = &shape->variable[s->variable];
  const int64_t value = ts_value(s, state);
  const uint32_t variable = f->number[s->variable];
  if (v->values != NULL && value >= 0 && value < v->n_values)
    snprintf(text, size, "%s", v->values[value]);
  else
    snprintf(text, size, "%lld", (long long)value);
  if (variable == TS_NONE || f->model->print_value == NULL)
    return;
  struct printing p = {f->model, state, variable, s->index, text, size};
  say(f, print_value, &p);
}

void foreign_word_event(const struct ts_shape *shape, struct ts_event event,
                        const uint8_t *state, char *text, size_t size) {
  const struct foreign *f = of_shape(shape);
  snprintf(text, size, "%s", shape->action[event.action].mover->text);
  if (event.action == f->crash_action)
    return;
  struct printing p = {f->model, state, event.action, event.choice, text, size};
  say(f, print_event, &p);
}

void foreign_word_state(const struct ts_shape *shape, const uint8_t *state, char *text,
                        size_t size) {
  const struct foreign *f = of_shape(shape);
  struct printing p = {f->model, state, 0, 0, text, size};
  text[0] = '\0';
  say(f, print_state, &p);
}
