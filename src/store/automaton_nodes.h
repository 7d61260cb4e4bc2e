/* automaton_nodes.h - the nodes of a minimal automaton: shared, counted, each content once.
 *
 * A node cuts the numbers from 0 to UINT32_MAX into ranges: edge i leads from edge[i].low
 * up to the next edge's low (the last one: to the end) to a child. Neighbours have different
 * children, and what is in front of the first leads nowhere, as does a child that is
 * AUTOMATON_DEAD. Two nodes with the same edges are one node. All are in one array of units
 * of eight bytes; a node's number is its place there, so it has 32 bits for 32 GiB.
 */
#ifndef CAIRN_STORE_AUTOMATON_NODES_H
#define CAIRN_STORE_AUTOMATON_NODES_H

#include "base/budget.h"
#include "base/sink.h"

#include <stdbool.h>
#include <stdint.h>

#define AUTOMATON_DEAD  0u
#define AUTOMATON_WORD  1u /* where words end */
#define AUTOMATON_SIZES 160u

struct automaton_edge {
  uint32_t low, child;
};

struct automaton_node {
  uint32_t refs; /* edges that lead here, and 1 for the root */
  uint32_t hash; /* sum over the edges */
  uint32_t n;    /* edges */
  uint32_t next; /* with the same slot; of a free node, the next of its size */
  struct automaton_edge edge[];
};

/* A node's edges with edges [from, from + gone) replaced by others. */
struct automaton_change {
  const struct automaton_node *old; /* NULL: no edges */
  uint32_t from, gone, come, hash;
  struct automaton_edge edge[5];
};

struct automaton_nodes {
  struct budget *budget;
  uint64_t *unit;
  uint64_t end, capacity; /* units in use and reserved */
  uint32_t *slot;
  uint64_t slots, nodes, hash_mask;
  uint64_t free_units;
  uint32_t widest; /* edges of the widest node that there was */
  uint32_t free[AUTOMATON_SIZES];
};

/* False if memory ran out, and then there is nothing to close. */
bool automaton_nodes_open(struct automaton_nodes *, struct budget *, uint64_t hash_mask);
void automaton_nodes_close(struct automaton_nodes *);

/* Makes room for `nodes` nodes of `edges` edges in sum; after it, that many can be made
 * without fail. May move all nodes. */
bool automaton_nodes_reserve(struct automaton_nodes *, uint64_t nodes, uint64_t edges);

/* Quick: is there room for one changed copy each of any N nodes? */
static inline bool automaton_nodes_room(const struct automaton_nodes *t, uint64_t nodes) {
  uint64_t edges = t->widest + 2u;
  return t->nodes + nodes <= t->slots &&
         t->end + nodes * (3 + edges + edges / 4) <= t->capacity;
}

static inline struct automaton_node *automaton_node(const struct automaton_nodes *t,
                                                    uint32_t id) {
  return (struct automaton_node *)(void *)(t->unit + id);
}

/* The edge that `symbol` is in; node->n: it is in front of the first. Numbers are given in
 * order, so in many nodes every symbol from the first on has its own edge: tried at once. */
static inline uint32_t automaton_edge_of(const struct automaton_node *node, uint32_t symbol) {
  const struct automaton_edge *edge = node->edge;
  uint32_t n = node->n;
  if (n == 0 || edge->low > symbol)
    return node->n;
  uint32_t most = symbol - edge->low;
  if (most < n) {
    if (edge[most].low == symbol)
      return most;
    n = most;
  }
  while (n > 1) {
    uint32_t half = n / 2;
    edge += edge[half].low <= symbol ? half : 0;
    n -= half;
  }
  return (uint32_t)(edge - node->edge);
}

/* Where `symbol` leads. */
static inline uint32_t automaton_follow(const struct automaton_node *node, uint32_t symbol) {
  uint32_t at = automaton_edge_of(node, symbol);
  return at < node->n ? node->edge[at].child : AUTOMATON_DEAD;
}

/* Is the symbol the only one of its range? */
static inline bool automaton_is_alone(const struct automaton_node *node, uint32_t symbol) {
  uint32_t at = automaton_edge_of(node, symbol);
  return at + 1 < node->n && node->edge[at].low == symbol &&
         node->edge[at + 1].low == symbol + 1;
}

/* What becomes of the node (NULL: of none) when `symbol` leads to `child`. */
void automaton_change(struct automaton_change *, const struct automaton_node *, uint32_t symbol,
                      uint32_t child);

/* The node with the changed edges, with one reference more for the caller, who gives up one
 * to `child`. If `own`, no one else needs node `id` as it is: it may be changed in place, and
 * is then the answer, without a reference more. Room has been reserved. */
uint32_t automaton_make(struct automaton_nodes *, uint32_t id, bool own,
                        const struct automaton_change *, uint32_t child);

/* Gives up a reference; a node without any is freed, and gives up its children. */
void automaton_drop(struct automaton_nodes *, uint32_t id);

uint64_t automaton_nodes_reserved(const struct automaton_nodes *);
uint64_t automaton_nodes_used(const struct automaton_nodes *);

/* See room/save.h. */
void automaton_nodes_save(const struct automaton_nodes *, struct sink *);
bool automaton_nodes_load(struct automaton_nodes *, struct sink *);

/* Walks all nodes; a sentence naming the first broken invariant, or NULL. On return *words is
 * the number of words that lead from the root to the end. */
const char *automaton_nodes_check(const struct automaton_nodes *, uint32_t root,
                                  uint64_t *words);

#endif
