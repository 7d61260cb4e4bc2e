/* cut.h - strongly connected components of a graph that is in memory (Tarjan 1972). */
#ifndef CAIRN_BASE_CUT_H
#define CAIRN_BASE_CUT_H

#include "base/budget.h"

#include <stdbool.h>
#include <stdint.h>

struct cut {
  struct budget *budget;
  uint64_t n;     /* states */
  uint64_t *part; /* [state]: the part that it belongs to; 0: it is left out */
  uint64_t parts; /* the highest id given out */
  const void *context;
  uint64_t (*first)(const void *context, uint64_t state); /* of its arcs; of n: how many arcs */
  uint64_t (*to)(const void *context, uint64_t arc);
};

/* Cuts the states of a part into components, each with an id of its own above all that there
 * are. False if memory ran out; then the parts mean nothing. */
bool cut_part(struct cut *, uint64_t id);

#endif
