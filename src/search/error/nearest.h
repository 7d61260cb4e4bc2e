/* nearest.h - the shortest lasso, or stem, in a part of the product that is known. */
#ifndef CAIRN_SEARCH_ERROR_NEAREST_H
#define CAIRN_SEARCH_ERROR_NEAREST_H

#include "search/error/around.h"

/* A lasso; there is room for fewer events than `most`. */
struct nearest_lasso {
  struct ts_event *event;
  uint32_t n, n_cycle, most;
};

/* A lasso from state 0 on whose cycle has the first mark. False: there is none
 * of fewer than `most` events, or memory ran out. */
bool nearest_lasso(const struct around *, struct nearest_lasso *);

/* A way from state 0 to the nearest of n states (AROUND_NONE: not known), as the stem of a
 * lasso: `which` of them. False: none is fewer than `most` events away, or memory ran out. */
bool nearest_stem(const struct around *, const uint32_t *state, uint32_t n,
                  struct nearest_lasso *, uint32_t *which);

#endif
