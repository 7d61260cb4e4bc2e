/* marking.c - terms over markings, evaluated as trees. */
#include "net/marking.h"

#include "net/fire.h"

static int64_t count(const struct fire *f, const struct net_term *term, const uint8_t *state) {
  uint64_t sum = (uint64_t)term->value;
  for (uint32_t i = 0; i < term->n; i++)
    sum += net_tokens(f->layout, term->item[i], state);
  return (int64_t)sum;
}

static bool any_enabled(const struct fire *f, const struct net_term *term,
                        const uint8_t *state) {
  for (uint32_t i = 0; i < term->n; i++)
    if (f->number[term->item[i]] != TS_NONE && fire_enabled(f, f->number[term->item[i]], state))
      return true;
  return false;
}

static bool is_bounded(const struct fire *f, int64_t most, const uint8_t *state) {
  for (uint32_t i = 0; i < f->net->n_place_groups; i++)
    if (f->net->place_group[i].most_constant > (uint64_t)most)
      return false;
  for (uint32_t i = 0; i < f->layout->n_slots; i++) {
    const struct net_slot *slot = &f->layout->slot[i];
    if (slot->is_unit
            ? most < 1
            : slot->most > most && net_tokens(f->layout, slot->place[0], state) > most)
      return false;
  }
  return true;
}

static int64_t binary(enum net_term_kind kind, int64_t a, int64_t b) {
  switch (kind) {
  case NET_ADD:
    return (int64_t)((uint64_t)a + (uint64_t)b);
  case NET_SUB:
    return (int64_t)((uint64_t)a - (uint64_t)b);
  case NET_MUL:
    return (int64_t)((uint64_t)a * (uint64_t)b);
  case NET_LT:
    return a < b;
  case NET_LE:
    return a <= b;
  case NET_EQ:
    return a == b;
  default:
    return a != b;
  }
}

int64_t net_evaluate(const struct fire *f, const struct net_term *term, const uint8_t *state) {
  switch (term->kind) {
  case NET_CONST:
    return term->value;
  case NET_TOKENS:
    return count(f, term, state);
  case NET_FIREABLE:
    return any_enabled(f, term, state);
  case NET_DEAD:
    return !fire_any(f, state);
  case NET_BOUNDED:
    return is_bounded(f, term->value, state);
  case NET_NEG:
    return (int64_t)(0 - (uint64_t)net_evaluate(f, term->a, state));
  case NET_NOT:
    return net_evaluate(f, term->a, state) == 0;
  case NET_AND:
    return net_evaluate(f, term->a, state) != 0 && net_evaluate(f, term->b, state) != 0;
  case NET_OR:
    return net_evaluate(f, term->a, state) != 0 || net_evaluate(f, term->b, state) != 0;
  default:
    return binary(term->kind, net_evaluate(f, term->a, state), net_evaluate(f, term->b, state));
  }
}
