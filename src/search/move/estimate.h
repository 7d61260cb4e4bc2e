/* estimate.h - what the states found so far would take in each store.
 *
 * Which exact store is smallest depends on the model: a tree of pairs suits states whose parts
 * vary together, the automaton those whose parts vary alone. So up to 262,144 states are put
 * into every store in turn, in the order in which they were found, and the growth seen there is
 * extended to as many as there are (estimate.c). A sample spread over all states would not do:
 * the automaton is small because what it has is nearly complete.
 *
 * For a move this is done when half of the memory is used. When memory has run out, the first
 * states are searched for anew by a pilot, after everything is closed: no search need keep
 * anything for it, whatever its store can list, and all of the memory is there.
 */
#ifndef CAIRN_SEARCH_MOVE_ESTIMATE_H
#define CAIRN_SEARCH_MOVE_ESTIMATE_H

#include "search/core.h"

/* Fills result->estimate, the smallest first, with what `states` would take, as at most `most`
 * of those stored show. Does nothing if the store cannot list its states (STORE_IDS and
 * STORE_GETS), or if they are too few to go by. A store for whose try there is no memory is
 * left out, and so are those that rebuild states. */
void search_estimate(struct search *, uint64_t states, uint64_t most);

/* The same once, for a move, for the states that there are. Whether there are estimates. */
bool search_estimate_move(struct search *);

/* Which exact store the states should move to, `next` being what is usual, or NULL: the
 * smallest one, if it is estimated to take clearly less than that, or without a usual one than
 * the present store; else `next`. From `full`, which hands states out as they were found: in
 * another order the automaton would be large before it is small. */
const struct store_kind *search_better_store(const struct search *,
                                             const struct store_kind *next);

/* A search for the first states, in a part of the memory. */
struct search_pilot {
  struct search_options options;
  struct budget *budget;
  uint64_t states, least; /* seen; of bytes, to be left */
};

/* After a search that ended for want of memory, and was closed: fills the pilot that makes
 * estimates for it. False: there is no need for one, or no use. */
bool search_pilot(const struct search_result *, const struct search_options *,
                  struct search_pilot *);

#endif
