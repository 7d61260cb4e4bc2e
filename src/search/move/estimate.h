/* estimate.h - what the states found so far would take in each store.
 *
 * Which exact store is smallest depends on the model: a tree of pairs suits states whose parts
 * vary together, the automaton those whose parts vary alone. So stores are tried, with the
 * first states in the order in which they were found, and the growth seen there is extended to
 * as many as there are (curve.h). A sample spread over all states would not do: the automaton
 * is small because what it has is nearly complete.
 *
 * For a move, when half of the memory is used, the stored states are put into every store in
 * turn (estimate.c). When memory has run out everything is closed first, and then the states
 * are searched for anew with each store in turn (pilot.c): no search need keep anything for it,
 * whatever its store can list, all of the memory is there, and a store that rebuilds states by
 * firing events can be tried as well.
 */
#ifndef CAIRN_SEARCH_MOVE_ESTIMATE_H
#define CAIRN_SEARCH_MOVE_ESTIMATE_H

#include "search/core.h"

struct curve;

/* Once, for a move: fills result->estimate, the smallest first. Whether there are estimates:
 * not if the store cannot list its states (STORE_IDS and STORE_GETS), or if they are too few to
 * go by. A store for whose try there is no memory is left out, and so are those that rebuild
 * states.
 */
bool search_estimate_move(struct search *);

/* Whether the search could have begun with this store: where cycles are looked for not all are
 * as good. */
bool search_suits(const struct search *, const struct store_kind *);

/* Which exact store the states should move to, `next` being what is usual, or NULL: the
 * smallest one, if it is estimated to take clearly less than that and that is not small enough,
 * or without a usual one clearly less than the present store; else `next`, or NULL where that
 * takes more than the present one. Only those that suit. From `full`, which
 * hands states out as they were found: in another order the automaton would be large before it
 * is small. */
const struct store_kind *search_better_store(const struct search *,
                                             const struct store_kind *next);

/* Adds what was seen of a store. There must be room for it, and something seen. */
void search_add_estimate(struct search_result *, const struct store_kind *,
                         const struct curve *);

/* The watch of a search with options->growth: looks at the worker's store when it is time. */
uint32_t search_note_growth(void *worker, struct rows *, uint32_t from, uint32_t to, bool put);

#endif
