/* least.h - the fewest events that any lasso of a product has: what lengths can be compared
 * with. */
#ifndef CAIRN_BENCH_LEAST_H
#define CAIRN_BENCH_LEAST_H

#include "ts/ts.h"

#include "base/budget.h"

#include <stdbool.h>
#include <stdint.h>

struct least {
  uint64_t states, arcs;
  uint32_t length,
      cycle; /* of a shortest one; without a cycle: no lasso is shorter than length */
  bool exact;
};

/* Lists the whole product, which has one mark. False if memory ran out or no cycle is accepted.
 */
bool least_lasso(const struct ts *, struct budget *, struct least *);

#endif
