/* simulation.h - states of a Büchi automaton that can do whatever others can. */
#ifndef CAIRN_LANG_LTL_SIMULATION_H
#define CAIRN_LANG_LTL_SIMULATION_H

#include "lang/ltl/buchi.h"

/* Larger automata are left as they are: the relation is a square of bits. */
#define SIMULATION_STATES 600u

/* Each gives an automaton of the same language with no more states and edges. The automaton
 * given should be clean (clean.h). */

/* By direct simulation: states that simulate each other become one, and a letter is taken from
 * an edge if another with as many marks leads to a state that can do more. */
struct buchi *simulation_forward(const struct buchi *);
/* The same, looking backwards. */
struct buchi *simulation_backward(const struct buchi *);
/* By language, as far as simulation shows it when marks between components count for nothing:
 * states that a component lower down can stand for are replaced by it, and so are edges. */
struct buchi *simulation_redirect(const struct buchi *);

#endif
