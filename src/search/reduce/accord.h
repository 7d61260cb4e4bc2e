/* accord.h - the rows of related.h that say what a step does not accord with, and what may make
 * it enabled. For related.c. */
#ifndef CAIRN_SEARCH_REDUCE_ACCORD_H
#define CAIRN_SEARCH_REDUCE_ACCORD_H

#include "search/reduce/related.h"

/* Fills in which indices the rows of steps and guards depend on, and so how many rows there
 * are.
 */
void accord_find_keys(struct related *);

/* Fills in the rows, which are all zeros. False if the budget is exhausted. */
bool accord_make(struct related *);

#endif
