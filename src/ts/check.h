/* check.h - a decorator that does not trust a model's facts.
 *
 * Wraps any ts and behaves like it, but tests at every expansion what the facts
 * say: an event changes no slot outside its action's write set and no component
 * outside `changed`; changing a slot outside the read set (to a value seen in
 * another state) neither enables, disables nor alters the event; bytes after
 * the length are zero; the order ascends; resuming by the cursor and firing one
 * event give the same rows; a second call gives the same. A wrong fact makes
 * silently wrong verdicts, so the first one found is remembered and named.
 */
#ifndef CAIRN_TS_CHECK_H
#define CAIRN_TS_CHECK_H

#include "ts/ts.h"

#include "base/budget.h"

/* The inner ts must outlive it. NULL if the budget is exhausted. */
struct ts *ts_check_open(const struct ts *inner, struct budget *);
/* The first wrong fact found, one sentence, or NULL. Owned by the decorator. */
const char *ts_check_complaint(const struct ts *);
/* Calls that were not tested to the end, for there was no memory. */
uint64_t ts_check_untested(const struct ts *);
void ts_check_close(struct ts *);

#endif
