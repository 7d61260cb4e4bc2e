/* cache.h - states that left the tree, and forgetting them one by one. Private to this
 * folder. */
#ifndef CAIRN_SEARCH_FORGET_CACHE_H
#define CAIRN_SEARCH_FORGET_CACHE_H

#include "search/forget/candidates.h"
#include "search/forget/forget.h"
#include "search/forget/strategy.h"

struct cache {
  struct forget_config config;
  struct candidates *candidates;
  uint8_t *row;
};

/* False if the budget is exhausted; it can be closed then, too. */
bool cache_begin(struct cache *, const struct forget_config *);
void cache_end(struct cache *);

/* For the hook: the state of a node, if it is kept, may go from now on. */
bool cache_take_over(struct cache *, uint32_t node);
/* The same: an event led to a stored state; of strategies that count. */
void cache_count(struct cache *, uint64_t ref);
uint64_t cache_drop(struct cache *, uint64_t n);
/* Forgets this state. */
bool cache_forget(struct cache *, uint64_t ref);

#endif
