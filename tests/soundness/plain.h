/* plain.h - reductions in their plainest form, on tables.
 *
 * What a reduction promises can be tried without the program: these are the algorithms
 * as they are printed, a few lines each. They say which combinations of order and reduction
 * keep every state, and that this harness notices one that does not: sleep sets
 * without any removal lose states once in some thousand systems with cycles.
 */
#ifndef CAIRN_TESTS_SOUNDNESS_PLAIN_H
#define CAIRN_TESTS_SOUNDNESS_PLAIN_H

#include "table.h"

/* Ways to search: of an order and a reduction. */
enum plain_way {
  PLAIN_DFS_LEAN,      /* edge-lean, depth-first */
  PLAIN_DFS_LEAN_DOWN, /* the same, letters fired from the last to the first */
  PLAIN_BFS_LEAN,      /* first in, first out */
  PLAIN_BFS_LEAN_DOWN,
  PLAIN_ANY_LEAN,     /* any open state, one event at a time */
  PLAIN_ANY_LEAN_ALL, /* any open state, all of its events */
  PLAIN_STACK_LEAN,   /* the last open state, all of its events */
  PLAIN_STACK_LEAN_DOWN,
  PLAIN_FIFO_FORGET, /* edge-lean and state caching: first in, first out */
  PLAIN_ANY_FORGET,  /* any open state, one event at a time */
  PLAIN_TNF,         /* trace normal forms */
  PLAIN_SLEEP,       /* sleep sets, nothing removed */
  PLAIN_SLEEP_STACK, /* letters that lead to the stack removed */
  PLAIN_WAYS
};

extern const char *const plain_names[PLAIN_WAYS];

/* How many of the table's states are not reached; *fired: events that were followed. */
uint32_t plain_lost(const struct table *, enum plain_way, uint64_t seed, uint64_t *fired);

/* Whether the way is to keep every state of such a table. */
static inline bool plain_is_sound(const struct table *t, enum plain_way way) {
  return t->acyclic || (way != PLAIN_TNF && way != PLAIN_SLEEP);
}

#endif
