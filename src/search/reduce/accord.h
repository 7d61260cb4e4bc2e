/* accord.h - the rows of related.h that say what a step does not accord with, and what may make
 * it enabled. */
#ifndef CAIRN_SEARCH_REDUCE_ACCORD_H
#define CAIRN_SEARCH_REDUCE_ACCORD_H

#include "search/reduce/related.h"

/* Finds out which indices the rows of steps and guards depend on, and fills these and the rows
 * in. False if the budget is exhausted. */
bool accord_make(struct related *);

#endif
