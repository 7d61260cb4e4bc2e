/* stubborn.h - stubborn sets of steps, by closure over guards.
 *
 * Finer than sets of processes (por.c), and dearer: a process may be in the set with some of
 * its steps only, and what a step conflicts with counts only as far as it can come to be.
 */
#ifndef CAIRN_SEARCH_REDUCE_STUBBORN_H
#define CAIRN_SEARCH_REDUCE_STUBBORN_H

#include "search/reduce/conflict.h"
#include "search/reduce/related.h"
#include "search/reduce/seen.h"

struct stubborn;

/* A state, as it is known where sets are looked for. */
struct stubborn_state {
  struct seen *seen;        /* its guards */
  const uint32_t *location; /* by process; TS_NONE: it is not there */
  const uint32_t *there;    /* the processes that are */
  uint32_t n_there;
  const uint32_t *enabled; /* by step: `stamp` if it is */
  uint32_t stamp;
  bool is_still; /* all are always there, and nobody moves */
};

/* NULL if the budget is exhausted. Of too many steps nothing is made, and no set is found. */
struct stubborn *stubborn_open(const struct related *, const struct conflict *,
                               struct budget *);
void stubborn_close(struct stubborn *); /* NULL: nothing happens */

/* Looks for sets of a state, each better than those before, the best first: how many were
 * found. Adds to *work. */
uint32_t stubborn_find(struct stubborn *, const struct stubborn_state *, uint64_t *work);
/* Takes the actions of set number `which` of those found last out of `leave`, which holds
 * all. */
void stubborn_keep(const struct stubborn *, uint32_t which, uint64_t *leave);

#endif
