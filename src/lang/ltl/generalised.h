/* generalised.h - from the alternating automaton of a formula to a generalised Büchi one. */
#ifndef CAIRN_LANG_LTL_GENERALISED_H
#define CAIRN_LANG_LTL_GENERALISED_H

#include "lang/ltl/alternating.h"
#include "lang/ltl/buchi.h"

/* Automata beyond these are refused. */
#define GENERALISED_STATES 4096u
#define GENERALISED_EDGES  65536u

/* `suspend`: parts whose truth is the same at all times wait for others that end. NULL, with
 * a reason in *why, if the automaton would be too large. */
struct buchi *generalised_of(const struct alternating *, bool suspend, const char **why);

#endif
