/* nodes.h - an array of open nodes that grows. For orders that keep a tree. */
#ifndef CAIRN_SEARCH_TREE_NODES_H
#define CAIRN_SEARCH_TREE_NODES_H

#include "store/room/array.h"

struct nodes {
  uint32_t *at;
  uint64_t n, room;
  struct budget *budget;
};

static inline void nodes_free(struct nodes *nodes) {
  array_free(nodes->budget, BUDGET_OPEN, nodes->at, nodes->room * sizeof *nodes->at);
  nodes->at = NULL;
}

/* False if the budget is spent. */
static inline bool nodes_add(struct nodes *nodes, uint32_t node) {
  if (nodes->n == nodes->room) {
    uint64_t old = nodes->room * sizeof *nodes->at;
    uint64_t bytes = array_size((nodes->room + nodes->room / 2 + 1) * sizeof *nodes->at);
    uint32_t *at = array_resize(nodes->budget, BUDGET_OPEN, nodes->at, old, bytes);
    if (at == NULL)
      return false;
    nodes->at = at;
    nodes->room = bytes / sizeof *at;
  }
  nodes->at[nodes->n++] = node;
  return true;
}

#endif
