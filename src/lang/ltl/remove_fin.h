/* remove_fin.h - from any condition of acceptance to generalised Büchi acceptance. */
#ifndef CAIRN_LANG_LTL_REMOVE_FIN_H
#define CAIRN_LANG_LTL_REMOVE_FIN_H

#include "lang/ltl/acceptance.h"
#include "lang/ltl/buchi.h"

/* Edges times copies: with more, no automaton is made. */
#define REMOVE_FIN_EDGES 4000000u

/* The automaton of these edges, which accepts a run if the condition over their marks does. The
 * list is used up. NULL: it would be too large. */
struct buchi *remove_fin(struct arena *, uint32_t n_states, uint32_t initial,
                         struct buchi_edges *, const struct acceptance *);

#endif
