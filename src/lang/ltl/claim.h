/* claim.h - automata of formulas as the claims that the search wing knows. */
#ifndef CAIRN_LANG_LTL_CLAIM_H
#define CAIRN_LANG_LTL_CLAIM_H

#include "ir/ir.h"
#include "lang/ltl/buchi.h"
#include "lang/ltl/syntax.h"

/* Of both: states from which every word is accepted are errors, and their cycles need not be
 * looked for. Marks of a weak automaton are put so that each cycle of a component that accepts
 * has them on all edges. All lives in the arena. */

/* The claim of a formula: it accepts what violates it. `claim` comes with a name, what it is,
 * and its atoms. False, with a reason in *why, if the automaton would be too large. */
bool ltl_claim_make(struct arena *, const struct ltl_node *, struct claim *claim,
                    const char **why);

/* The claim of an automaton from elsewhere, which is reduced first. */
void ltl_claim_take(const struct buchi *, struct claim *claim);

#endif
