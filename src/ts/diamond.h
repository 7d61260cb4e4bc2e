/* diamond.h - a decorator that does not trust the independence of actions.
 *
 * Wraps any ts and behaves like it, but tests in every state that is expanded, for all
 * events a and, after it, b of independent actions: b and then a leads from there to the
 * same state, and b has the same fault. The first pair that does not is remembered.
 */
#ifndef CAIRN_TS_DIAMOND_H
#define CAIRN_TS_DIAMOND_H

#include "ts/ts.h"

#include "base/budget.h"

/* The inner ts must outlive it. NULL if the budget is exhausted. */
struct ts *ts_diamond_open(const struct ts *inner, struct budget *);
/* The first pair of actions that does not commute, one sentence, or NULL. Owned by the
 * decorator. */
const char *ts_diamond_complaint(const struct ts *);
/* Pairs of events tested so far. */
uint64_t ts_diamond_pairs(const struct ts *);
/* States of which some pairs were not tested, for there was no memory. */
uint64_t ts_diamond_untested(const struct ts *);
void ts_diamond_close(struct ts *);

#endif
