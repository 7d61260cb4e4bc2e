/* unmatched.h - a decorator for models in which some bytes of a state do not tell it from
 * others.
 *
 * Such bytes belong to a state, and its successors depend on them, but two states that differ
 * in them alone are the same one: it has the bytes with which it was entered first.
 */
#ifndef CAIRN_TS_UNMATCHED_H
#define CAIRN_TS_UNMATCHED_H

#include "ts/ts.h"

#include "base/budget.h"

/* The bytes of these ranges of slots, which are a byte each and always there, are zero in the
 * states of the new ts. NULL if the budget is exhausted. */
struct ts *unmatched_open(const struct ts *inner, const struct ts_range *, uint32_t n,
                          struct budget *);
void unmatched_close(struct ts *);

/* No state was met yet. `depth_first`: a state is entered from where it was met last before it
 * is expanded, and has the bytes of that. */
void unmatched_begin(struct ts *, bool depth_first);

/* Whether memory ran out. The search was asked to stop then, and what it found means nothing.
 */
bool unmatched_is_spent(const struct ts *);

#endif
