/* fold.h - the sets of conflict.h with one bit for all locations that no set tells apart. */
#ifndef CAIRN_SEARCH_REDUCE_FOLD_H
#define CAIRN_SEARCH_REDUCE_FOLD_H

#include "search/reduce/conflict.h"

/* Fills in `bit` and `watch`, from sets that have a bit for each location, and one for what a
 * property looks at. False if the budget is exhausted. */
bool fold_locations(struct conflict *);

#endif
