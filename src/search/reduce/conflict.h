/* conflict.h - whom a step must not be separated from: tables worked out before a search.
 *
 * For each step there are two sets of locations (of other processes). Where the step is
 * enabled: those from which something can be reached, without this step's process, with which
 * its order matters. Where it is not: those from which something can be reached that may enable
 * it; where it waits for a message of a channel that has another one, what is sent there does
 * not. So whether the steps of one process may be fired alone is found by one bit per other
 * process.
 *
 * Equal sets are kept once; most are empty.
 */
#ifndef CAIRN_SEARCH_REDUCE_CONFLICT_H
#define CAIRN_SEARCH_REDUCE_CONFLICT_H

#include "search/reduce/related.h"

struct conflict {
  const struct related *related;
  const struct ts_control *control;
  struct budget *budget;
  uint32_t *bit;  /* of each location in the sets. Locations of one process that are in the same
                   * sets, as those of a cycle, share one; */
  uint32_t watch; /* the last bit: what a property looks at may change */
  uint32_t words; /* of a set */
  uint64_t *set;  /* all different sets, the empty one first */
  uint64_t n_sets, most_sets;            /* that there are, that there is room for */
  uint32_t *enabled, *disabled, *filled; /* by step: the number of its set; filled: it waits for
                                          * another message than there is */
  uint32_t
      *waits; /* by guard: those from which something can be reached that may make it true */
};

/* NULL if the budget is exhausted. Facts so large that the tables would take too long are no
 * facts: then each step conflicts with everything. */
struct conflict *conflict_open(const struct related *, struct budget *);
void conflict_close(struct conflict *);

/* A set by its number. */
static inline const uint64_t *conflict_set(const struct conflict *c, uint32_t set) {
  return c->set + (uint64_t)set * c->words;
}

#endif
