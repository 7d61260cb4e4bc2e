/* on_stack.h - the states on a depth-first stack, by their hashes.
 *
 * Whether an event leads back to the stack. Only hashes are compared, so it may say so
 * where it is not true, about once in 2^64 / depth events, but never misses one: reductions
 * are careful where it says yes. A set beside the stack, for the stores do not know what is
 * open.
 */
#ifndef CAIRN_SEARCH_REDUCE_ON_STACK_H
#define CAIRN_SEARCH_REDUCE_ON_STACK_H

#include "base/budget.h"
#include "base/sink.h"

struct path {
  uint64_t *at; /* hashes, the root's first */
  uint64_t n, room;
  uint64_t n_put; /* so many of them, from the root on, are in the table: */
  uint64_t *slot; /* where they hash to; 0: free */
  uint64_t slots; /* a power of two, or 0 */
  struct budget *budget;
};

void path_free(struct path *);

/* False if the budget is exhausted. */
bool path_push(struct path *, uint64_t raw);
void path_pop(struct path *);
/* Saves it, or loads it into an empty one. False if memory ran out or the sink refused. */
bool path_pass(struct path *, struct sink *);
bool path_has(const struct path *, uint64_t raw);

#endif
