/* nearest.h - the shortest lasso near the initial state, by a bounded effort. */
#ifndef CAIRN_SEARCH_ERROR_NEAREST_H
#define CAIRN_SEARCH_ERROR_NEAREST_H

#include "search/region.h"

/* Of a product with one mark, in a store that numbers its states: looks for a lasso
 * from the state of this number on, with fewer than `most` events, among the states that are
 * stored, or with `anew` among all; new ones are stored. It goes to `way`, and the length of
 * its cycle to *n_cycle. False: none was found, or memory ran out. The region gives its rows,
 * and room for the way. */
bool nearest_lasso(struct region *, uint64_t from, bool anew, uint32_t most,
                   struct region_way *way, uint32_t *n_cycle);

#endif
