/* estimate.h - what the states found so far would take in each store.
 *
 * Which exact store is smallest depends on the model: a tree of pairs suits states whose parts
 * vary together, the automaton those whose parts vary alone. So when half of the memory is
 * used, some thousand of the states are put into every store in turn, and what the second half
 * of them adds is the estimate. It errs upwards: tables of parts grow ever more slowly.
 *
 * It is made where the user chose the store, too: when memory has run out, and advice is due,
 * there is none left for a sample.
 */
#ifndef CAIRN_SEARCH_MOVE_ESTIMATE_H
#define CAIRN_SEARCH_MOVE_ESTIMATE_H

#include "search/core.h"

/* Fills result->estimate, the smallest first. Does nothing if that was done or tried before, if
 * the store cannot list its states (STORE_IDS and STORE_GETS), or if they are too few to go by.
 * A store for whose sample there is no memory is left out. Whether there are new estimates. */
bool search_estimate(struct search *);

/* Which exact store the states should move to, `next` being what is usual, or NULL: the
 * smallest one, if it is estimated to take clearly less than that, or without a usual one than
 * the present store; else `next`. */
const struct store_kind *search_better_store(const struct search *,
                                             const struct store_kind *next);

#endif
