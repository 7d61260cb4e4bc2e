/* words.h - the words of a row that each bit of an edge's mask of changed components is about.
 */
#ifndef CAIRN_TS_WORDS_H
#define CAIRN_TS_WORDS_H

#include "ts/ts.h"

enum { WORDS_PARTS = 64 }; /* bits of an edge's mask */

struct words_range { /* of words; empty: from is not below to */
  uint32_t from, to;
};

/* Part i is component i, and the last part all others. `words`: of the longest row. Returns
 * whether components ascend, so that the words of all changed parts can be visited once each,
 * in order, by leaving out those that were visited. */
bool words_of_parts(const struct ts_shape *, uint32_t words, struct words_range *part);

#endif
