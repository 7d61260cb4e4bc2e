/* node_list.h - an array of open nodes that grows. For orders that keep a tree. */
#ifndef CAIRN_SEARCH_TREE_NODE_LIST_H
#define CAIRN_SEARCH_TREE_NODE_LIST_H

#include "base/array.h"
#include "store/room/save.h"

struct node_list {
  uint32_t *at;
  uint64_t n, room;
  struct budget *budget;
};

static inline void node_list_free(struct node_list *nodes) {
  array_free(nodes->budget, BUDGET_OPEN, nodes->at, nodes->room * sizeof *nodes->at);
  nodes->at = NULL;
}

/* False if the budget is exhausted. */
static inline bool node_list_add(struct node_list *nodes, uint32_t node) {
  if (nodes->n == nodes->room) {
    uint32_t *at = array_grow(nodes->budget, BUDGET_OPEN, nodes->at, &nodes->room, sizeof *at);
    if (at == NULL)
      return false;
    nodes->at = at;
  }
  nodes->at[nodes->n++] = node;
  return true;
}

/* Saves them, or loads them into an empty one. False if memory ran out or the sink refused. */
static inline bool node_list_pass(struct node_list *nodes, struct sink *sink) {
  void *at = nodes->at;
  sink_pass(sink, &nodes->n, sizeof nodes->n);
  if (!sink_is_read(sink)) {
    array_save(sink, nodes->at, nodes->room, nodes->n, sizeof *nodes->at);
    return true;
  }
  bool fine = array_load(sink, nodes->budget, BUDGET_OPEN, &at, &nodes->room, nodes->n,
                         sizeof *nodes->at);
  nodes->at = at;
  return fine;
}

#endif
