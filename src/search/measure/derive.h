/* derive.h - a measure of progress taken from the model itself. */
#ifndef CAIRN_SEARCH_MEASURE_DERIVE_H
#define CAIRN_SEARCH_MEASURE_DERIVE_H

#include "search/measure/measure.h"

#include "base/budget.h"

/* Adds slots to an empty measure, level 0 to 5: the higher, the more of them, and the
 * more events that lead back. False if the budget is exhausted. */
bool derive_progress(struct measure *, uint32_t level, struct budget *);

#endif
