/* components.h - strongly connected components of a Büchi automaton, and which accept. */
#ifndef CAIRN_LANG_LTL_COMPONENTS_H
#define CAIRN_LANG_LTL_COMPONENTS_H

#include "lang/ltl/buchi.h"

struct components {
  uint32_t n;
  uint32_t *of;      /* of a state; a component leads only to itself and to lower numbers */
  bool *cyclic;      /* has an edge inside */
  bool *accepting;   /* has every mark inside */
  bool *without_bad; /* every cycle inside has all marks */
};

/* In the automaton's arena. States that the initial one does not reach count as well. */
struct components *components_of(const struct buchi *);

static inline bool components_inside(const struct components *c, const struct buchi_edge *e) {
  return c->of[e->from] == c->of[e->to];
}

#endif
