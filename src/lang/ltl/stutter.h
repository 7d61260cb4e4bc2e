/* stutter.h - whether a formula can tell a step from two. */
#ifndef CAIRN_LANG_LTL_STUTTER_H
#define CAIRN_LANG_LTL_STUTTER_H

#include "lang/ltl/buchi.h"
#include "lang/ltl/syntax.h"

/* Whether the formula has no "next", so that repeating a letter of a word changes nothing. */
bool stutter_is_obvious(const struct ltl_node *);

/* The same found by looking: given the automata of a formula and of its negation, whether no
 * word of the one differs from a word of the other only by repetition of letters. False also
 * if that is too much work to find out. */
bool stutter_is_invariant(const struct buchi *yes, const struct buchi *no);

/* The same of an automaton alone. Only a deterministic one has a complement that is easily
 * made. */
enum stutter { STUTTER_UNKNOWN, STUTTER_INVARIANT, STUTTER_SENSITIVE };
enum stutter stutter_of(const struct buchi *);

#endif
