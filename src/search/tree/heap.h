/* heap.h - open nodes of which the one with the least key comes first. */
#ifndef CAIRN_SEARCH_TREE_HEAP_H
#define CAIRN_SEARCH_TREE_HEAP_H

#include "base/budget.h"
#include "base/sink.h"

struct heap_item {
  uint64_t key;
  uint32_t age; /* among equal keys the older first */
  uint32_t node;
};

struct heap {
  struct heap_item *at;
  uint64_t n, room;
  uint32_t age;
  struct budget *budget;
};

void heap_free(struct heap *);

/* False if the budget is exhausted. */
bool heap_add(struct heap *, uint64_t key, uint32_t node);

/* The first one; there must be one. */
static inline struct heap_item heap_first(const struct heap *heap) {
  return heap->at[0];
}

void heap_take(struct heap *);

/* Saves it, or loads it into an empty one. False if memory ran out or the sink refused. */
bool heap_pass(struct heap *, struct sink *);

#endif
