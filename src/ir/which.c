/* which.c - which channels an expression may name.
 *
 * A number that an instance has permanently is one channel, and so is the name of a channel of
 * its own that it never assigns. An array of channels that nobody assigns is a table of
 * numbers.
 */
#include "ir/which.h"

static const struct ir_channel *numbered(const struct ir_model *m, int32_t number) {
  int32_t k = 0;
  for (uint32_t i = 0; i < m->n_channels; i++) {
    k += !m->channel[i]->owner;
    if (!m->channel[i]->owner && k == number)
      return m->channel[i];
  }
  return NULL;
}

struct which which_channels(const struct ir_model *m, struct value_births *births,
                            const struct ir_seat *seat, uint32_t number,
                            const struct ir_expr *e) {
  while (e->kind == IR_EXCLUSIVE)
    e = e->a;
  struct ir_value value = value_for(births, seat, number, e);
  struct which w = {.one = value.known ? numbered(m, value.at)
                                       : value_own_channel(births, seat, number, e)};
  if (w.one == NULL && e->kind == IR_ELEMENT && e->variable->is_const &&
      e->variable->owner == NULL && e->variable->initial != NULL)
    w.table = e->variable;
  return w;
}

bool which_has(const struct which *w, const struct ir_channel *c, int32_t number) {
  if (w->one != NULL)
    return c == w->one;
  if (w->table == NULL)
    return true;
  for (uint32_t i = 0; i < w->table->length && !c->owner; i++)
    if (w->table->initial[i] == number)
      return true;
  return false;
}
