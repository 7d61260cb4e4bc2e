/* ask.c - the same: names to terms. */
#include "lang/pnml/ask.h"

static void add_names(struct names *names, const struct net_group *group, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    names_add(names, group[i].id, i);
  for (uint32_t i = 0; i < n; i++)
    names_add(names, group[i].name, i);
}

void ask_open(struct ask *a, const struct net *net, struct diag *diag) {
  *a = (struct ask){.arena = net->arena, .net = net, .diag = diag};
  a->place.arena = a->dropped.arena = a->place_group.arena = net->arena;
  a->transition.arena = a->transition_group.arena = net->arena;
  add_names(&a->place_group, net->place_group, net->n_place_groups);
  add_names(&a->transition_group, net->transition_group, net->n_transition_groups);
  for (uint32_t i = 0; i < net->n_places; i++)
    names_add(&a->place, net->place[i].name, i);
  for (uint32_t i = 0; i < net->n_dropped; i++)
    names_add(&a->dropped, net->dropped[i].name, i);
  for (uint32_t i = 0; i < net->n_transitions; i++)
    names_add(&a->transition, net->transition[i].name, i);
}

static struct net_term *make(struct ask *a, enum net_term_kind kind) {
  struct net_term *term = ARENA_NEW(a->arena, struct net_term);
  term->kind = kind;
  return term;
}

const struct net_term *ask_constant(struct ask *a, int64_t value) {
  struct net_term *term = make(a, NET_CONST);
  term->value = value;
  return term;
}

const struct net_term *ask_binary(struct ask *a, enum net_term_kind kind,
                                  const struct net_term *left, const struct net_term *right) {
  struct net_term *term = make(a, kind);
  term->a = left;
  term->b = right;
  return term;
}

static struct net_term *over(struct ask *a, enum net_term_kind kind, uint32_t first,
                             uint32_t n) {
  struct net_term *term = make(a, kind);
  uint32_t *item = ARENA_ARRAY(a->arena, n, uint32_t);
  for (uint32_t i = 0; i < n; i++)
    item[i] = first + i;
  term->item = item;
  term->n = n;
  return term;
}

const struct net_term *ask_tokens(struct ask *a, const char *name) {
  uint32_t i = names_find(&a->place_group, name);
  if (i != NAMES_NONE) {
    const struct net_group *group = &a->net->place_group[i];
    struct net_term *term = over(a, NET_TOKENS, group->first, group->n);
    term->value = (int64_t)group->constant;
    return term;
  }
  i = names_find(&a->place, name);
  if (i != NAMES_NONE)
    return over(a, NET_TOKENS, i, 1);
  i = names_find(&a->dropped, name);
  return i == NAMES_NONE ? NULL : ask_constant(a, a->net->dropped[i].tokens);
}

const struct net_term *ask_fireable(struct ask *a, const char *name) {
  uint32_t i = names_find(&a->transition_group, name);
  if (i != NAMES_NONE) {
    const struct net_group *group = &a->net->transition_group[i];
    return over(a, NET_FIREABLE, group->first, group->n);
  }
  i = names_find(&a->transition, name);
  return i == NAMES_NONE ? NULL : over(a, NET_FIREABLE, i, 1);
}
