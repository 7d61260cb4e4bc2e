/* buckets.h - open nodes by a small number, which may change while they wait.
 *
 * Of each number a list of nodes, linked by their own numbers, so that one is added, moved or
 * taken in constant time. Nodes of the least number come first, of them the one that has waited
 * longest with this number.
 */
#ifndef CAIRN_SEARCH_TREE_BUCKETS_H
#define CAIRN_SEARCH_TREE_BUCKETS_H

#include "base/budget.h"
#include "base/sink.h"

#include <stdbool.h>

enum { BUCKETS = 64 }; /* larger numbers go to the last one */

struct bucket_link {
  uint32_t next, before; /* in its list; TDTREE_NONE: none */
  uint8_t number;
  bool waits; /* it is in a list */
};

struct buckets {
  struct bucket_link *at; /* by node */
  uint64_t room;
  uint32_t first[BUCKETS], last[BUCKETS];
  uint64_t any; /* lists that are not empty */
  uint64_t n;
  struct budget *budget;
};

void buckets_init(struct buckets *, struct budget *);
void buckets_free(struct buckets *);

/* The number of a node, whether it waits or will be added; until it is set it is that of the
 * node that had this name before, or 0. */
void buckets_set(struct buckets *, uint32_t node, uint32_t number);

/* False if the budget is exhausted. */
bool buckets_add(struct buckets *, uint32_t node);

/* Takes the first one; there must be one. */
uint32_t buckets_take(struct buckets *);

/* Saves them, or loads them into empty ones. False if memory ran out or the sink refused. */
bool buckets_pass(struct buckets *, struct sink *);

#endif
