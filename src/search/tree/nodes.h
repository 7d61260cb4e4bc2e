/* nodes.h - an array of open nodes that grows. For orders that keep a tree. */
#ifndef CAIRN_SEARCH_TREE_NODES_H
#define CAIRN_SEARCH_TREE_NODES_H

#include "store/room/array.h"
#include "store/room/save.h"

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

/* Saves them, or loads them into an empty one. False if memory ran out or the sink refused. */
static inline bool nodes_pass(struct nodes *nodes, struct sink *sink) {
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
