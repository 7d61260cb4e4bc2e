/* alone.h - which processes can be fired alone, whatever the others do: worked out before a
 * search. */
#ifndef CAIRN_SEARCH_REDUCE_ALONE_H
#define CAIRN_SEARCH_REDUCE_ALONE_H

#include "search/reduce/conflict.h"

/* By process: all actions that are not its own, rows of `words`. The slots of the shape's
 * control do not matter. */
void alone_actions(const struct ts_shape *, uint64_t *rest, uint32_t words);

/* By location: none of its steps conflicts with anything, ever. */
void alone_locations(const struct conflict *, bool *alone);

/* Whether nobody ever moves, comes or goes. */
bool alone_still(const struct ts_control *);

#endif
