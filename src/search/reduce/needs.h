/* needs.h - who has to be in a set with a process, because of its steps.
 *
 * As sets of locations (conflict.h): for steps that are enabled, from where something conflicts
 * with them; for those that are not, from where something may enable them. Nearly all of this
 * depends only on where the process is and which of its steps are enabled there, and is kept by
 * these two: a look-up in each state. What depends on more is asked for only where it matters:
 * which element a step picks, which guard of a step is false, whether there is a message.
 */
#ifndef CAIRN_SEARCH_REDUCE_NEEDS_H
#define CAIRN_SEARCH_REDUCE_NEEDS_H

#include "search/reduce/conflict.h"
#include "search/reduce/seen.h"

struct needs;

/* A process: where it is, and which steps of that location are enabled: by step `stamp`, and as
 * bits, if there are no more than 64. */
struct needs_of {
  uint32_t location;
  uint64_t steps;
};

struct needs_known {
  uint64_t *least; /* needed in any case, and */
  uint64_t *most;  /* whatever else the state is like */
  uint64_t open;   /* steps, as bits, of which that says too little; 0: both are the same */
};

/* NULL if the budget is exhausted. `enabled`: by step, the stamp of the state where it was. */
struct needs *needs_open(const struct conflict *, struct seen *, const uint32_t *enabled,
                         struct budget *);
void needs_close(struct needs *); /* NULL: nothing happens */

/* Valid until the next call. */
struct needs_known needs_find(struct needs *, struct needs_of);
/* All that is needed in the state of `seen`, in which processes are at the locations of `at`.
 * Adds to *work. */
const uint64_t *needs_settle(struct needs *, struct needs_of, uint64_t open, const uint64_t *at,
                             uint64_t *work);

#endif
