/* combination.h - one way to search: an order, a store, and what may be forgotten.
 *
 * Written as ORDER[:N,N]/STORE/FORGETTING:STRATEGY[/REDUCTION], with marks: ~ for hashes of
 * eight bits, > for states that move to smaller stores, ^ for chains, ! for
 * reductions that go on where they may lose states, < and ? for actions backwards and in any
 * order; of two reductions one beside the other has a + between. Of the numbers that a
 * reduction takes, the first, the last and one between are tried. A list of all that
 * search_refusal() allows is made from the tables of the seams, so that what is added to them
 * is tested without a word here.
 */
#ifndef CAIRN_TESTS_SOUNDNESS_COMBINATION_H
#define CAIRN_TESTS_SOUNDNESS_COMBINATION_H

#include "search/forget/forget.h"
#include "search/forget/strategy.h"
#include "search/measure/measure.h"
#include "search/search.h"

enum { COMBINATION_NAME = 120, COMBINATION_ACTIONS = 64 };

struct combination {
  char name[COMBINATION_NAME];
  struct search_options options;
  struct store_kind store; /* a copy, perhaps altered; options.store.kind points to it later */
  const struct store_kind *kind;
  bool narrow; /* hashes of eight bits */
  struct strategy strategy;
  struct measure order_measure, progress;
  uint32_t action_order; /* 0: of the model, 1: backwards, 2: any */
  uint32_t rank[COMBINATION_ACTIONS];
};

/* All that are allowed, for free(); how many. Ends the program if memory runs out. */
struct combination *combination_all(uint32_t *n);
/* Takes out all but the one with this name or, if there is none such, those whose names have
 * this part; how many are left. */
uint32_t combination_keep(struct combination *list, uint32_t n, const char *part);

/* The options of a combination, for one search at a time. What a combination leaves open
 * (measures, the size of a cache) is taken from the seed. */
struct search_options combination_options(struct combination *, const struct ts *,
                                          uint32_t n_states, uint64_t seed);

#endif
