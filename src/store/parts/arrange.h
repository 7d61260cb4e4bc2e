/* arrange.h - the varying units of a sample in an order in which what depends on each other is
 * side by side. See arrange.c. */
#ifndef CAIRN_STORE_PARTS_ARRANGE_H
#define CAIRN_STORE_PARTS_ARRANGE_H

#include "store/parts/vary.h"

/* Puts up to `most` units that vary into `order`, those with the most entropy; how many. 0 too
 * if the budget is exhausted. */
uint32_t arrange_units(const struct vary *, uint32_t *order, uint32_t most);

#endif
