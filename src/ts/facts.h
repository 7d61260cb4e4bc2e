/* facts.h - what statement merging and dead variables take for granted, and a decorator that
 * does not believe it.
 *
 * It wraps a model without these reductions and behaves like it, but tests in every state that
 * is expanded what is said of where its processes are. The first complaint is remembered.
 */
#ifndef CAIRN_TS_FACTS_H
#define CAIRN_TS_FACTS_H

#include "ts/ts.h"

#include "base/budget.h"

/* A process at a location of its control; a slot TS_NONE asks nothing. */
struct ts_at {
  uint32_t location_slot, location;
  uint32_t live_slot, number; /* there are more processes than this */
  uint32_t tag_slot, tag;
  bool gone; /* it is not there, at no location */
};

/* The process is there: nobody else can notice when its actions [first, first + n) are taken.
 */
struct ts_quiet {
  struct ts_at at;
  uint32_t first, n;
};

/* The process is there: what these slots hold makes no difference. */
struct ts_unread {
  struct ts_at at;
  const struct ts_range *slots;
  uint32_t n;
};

struct ts_facts {
  const struct ts_quiet *quiet;
  const struct ts_unread *unread;
  uint32_t n_quiet, n_unread;
};

/* Of a shape that has facts; the inner ts must outlive it. NULL if the budget is exhausted. */
struct ts *ts_facts_open(const struct ts *inner, struct budget *);
/* The first fact that does not hold, one sentence, or NULL. Owned by the decorator. */
const char *ts_facts_complaint(const struct ts *);
/* Facts that were tested so far, in each state anew; states of which not all were, for there
 * was no memory. */
uint64_t ts_facts_tested(const struct ts *);
uint64_t ts_facts_untested(const struct ts *);
void ts_facts_close(struct ts *);

#endif
