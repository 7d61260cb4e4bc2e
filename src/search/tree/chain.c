/* chain.c - states with one successor need not be kept for the tree.
 *
 * Evangelista and Kristensen, "Search-order independent state space caching", section 4.1,
 * after Behrmann, Larsen and Pelánek, "To store or not to store": a cycle is still detected if
 * of every run of states with a single successor the last is kept. So when the search has left
 * such a chain, its states may be forgotten, although their nodes stay for the way to an error.
 * Why the search still ends: docs/caching.md.
 */
#include "search/tree/inside.h"

static bool release(struct tdtree *nodes, uint32_t node) {
  for (; node != TDTREE_NONE; node = tdtree_at(nodes, node)->pred) {
    const struct tdtree_node *at = tdtree_at(nodes, node);
    if (!(at->flags & TDTREE_SINGLE) || at->ref == STORE_NONE)
      return true;
    if (at->flags & TDTREE_PERSISTENT)
      continue;
    if (!nodes->hooks.leaves(nodes->hooks.context, node))
      return false;
    tdtree_unpin(nodes, node);
  }
  return true;
}

bool chain_fired(struct tree *tree, uint32_t node) {
  struct tdtree_node *at = tdtree_at(&tree->nodes, node);
  if (at->degree == 1)
    at->flags |= TDTREE_SINGLE;
  return (at->flags & TDTREE_SINGLE) || release(&tree->nodes, at->pred);
}
