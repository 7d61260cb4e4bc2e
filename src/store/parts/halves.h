/* halves.h - which bits of a state belong to which half of a pair. See halves.c. */
#ifndef CAIRN_STORE_PARTS_HALVES_H
#define CAIRN_STORE_PARTS_HALVES_H

#include "ts/ts.h"

#include "base/budget.h"

/* Fewer states of a sample say too little. */
#define HALVES_LEAST 4096u

/* `front`: masks of the bits of each word of a row that are in the front half. Changes them if
 * there are better halves by the sample, the first states in breadth-first order. False, and
 * they stay, if there are none, if the sample is too small, or if the budget is exhausted. */
bool halves_choose(const struct ts_shape *, const struct ts_batch *sample, struct budget *,
                   uint64_t *front);

#endif
