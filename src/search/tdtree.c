/* tdtree.c - the tree of open states and of those from which they were reached.
 *
 * Figure 3 of Evangelista and Kristensen keeps two attributes with every stored state,
 * `pred` and `refs`. Here they lie in nodes that only states of the tree have: a state
 * that leaves gives its node back, so the nodes are as many as the tree was large at its
 * peak, whatever is stored. A node also keeps the event that led to it, from which
 * reductions know how a state was discovered, and counterexamples how to get there.
 *
 * Invariants: refs of a node is the number of its children in the tree, plus one while
 * it is open (I4 of the paper); so a node with refs 0 has no open descendant and is not
 * needed (I3). Initial states are roots: there may be several, and then it is a forest.
 *
 * Keeping the states of all nodes is enough to end: a search that went round a cycle for
 * ever would generate each state of it from the one before, so that all of them were in
 * the tree and stored, and the last edge of the cycle would find its target. Two kinds
 * of states may go even so, and their nodes stay without a state: those of chains
 * (docs/caching.md), and those that the sweep-line has passed.
 */
#include "search/tdtree.h"

#define TDTREE_LEAST 4096u /* bytes of the smallest segment */

bool tdtree_open(struct tdtree *tree, const struct ts_shape *shape,
                 const struct store_kind *kind, struct store *store, struct budget *budget) {
  *tree = (struct tdtree){
      .free = TDTREE_NONE, .store_kind = kind, .store = store, .budget = budget};
  uint32_t bytes = sizeof(struct tdtree_node);
  if (kind->get == NULL || !(kind->has & (STORE_IDS | STORE_HANDLES))) {
    tree->pack = pack_open(shape, budget);
    if (tree->pack == NULL)
      return false;
    bytes += pack_bytes(tree->pack) + 8;
  }
  segments_init(&tree->nodes, budget, BUDGET_OPEN, (bytes + 7u) & ~7u, TDTREE_LEAST);
  return true;
}

void tdtree_close(struct tdtree *tree) {
  if (tree->nodes.budget != NULL)
    segments_free(&tree->nodes);
  if (tree->pack != NULL)
    pack_close(tree->pack);
  *tree = (struct tdtree){0};
}

static uint32_t take_node(struct tdtree *tree) {
  uint32_t node = tree->free;
  if (node != TDTREE_NONE) {
    tree->free = tdtree_at(tree, node)->pred;
    tree->n_free--;
    return node;
  }
  if (tree->made == TDTREE_NONE || segments_make(&tree->nodes, tree->made) == NULL)
    return TDTREE_NONE;
  return tree->made++;
}

uint32_t tdtree_add(struct tdtree *tree, uint32_t pred, struct ts_event event, uint64_t ref,
                    const uint8_t *row, uint32_t length) {
  uint32_t node = take_node(tree);
  if (node == TDTREE_NONE)
    return node;
  struct tdtree_node *at = tdtree_at(tree, node);
  *at = (struct tdtree_node){.pred = pred, .refs = 1, .event = event, .ref = ref};
  if (pred != TDTREE_NONE) {
    struct tdtree_node *from = tdtree_at(tree, pred);
    from->refs++;
    at->depth = from->depth + 1;
  }
  if (tree->pack != NULL)
    pack_row(tree->pack, row, length, (uint8_t *)(at + 1));
  tree->n++;
  tree->pinned++;
  if (tree->n > tree->peak)
    tree->peak = tree->n;
  return node;
}

uint32_t tdtree_state(const struct tdtree *tree, uint32_t node, uint8_t *row) {
  const struct tdtree_node *at = tdtree_at(tree, node);
  if (tree->pack != NULL)
    return pack_unrow(tree->pack, (const uint8_t *)(at + 1), row);
  return tree->store_kind->get(tree->store, at->ref, row);
}

/* What was given back last is given out first, which keeps few nodes in use; or, for
 * orders that take states level by level, what was given back first, so that nodes lie in
 * the order in which they will be asked for. */
static void give_back(struct tdtree *tree, uint32_t node) {
  bool behind = tree->in_turn && tree->free != TDTREE_NONE;
  tdtree_at(tree, node)->pred = behind ? TDTREE_NONE : tree->free;
  if (behind)
    tdtree_at(tree, tree->free_last)->pred = node;
  else
    tree->free = node;
  if (behind || tree->n_free == 0)
    tree->free_last = node;
  tree->n_free++;
}

bool tdtree_shut(struct tdtree *tree, uint32_t node) {
  struct tdtree_node *at = tdtree_at(tree, node);
  bool fine = true;
  assert(!(at->flags & TDTREE_CLOSED) && at->refs > 0);
  at->flags |= TDTREE_CLOSED;
  if (tree->hooks.closed != NULL)
    fine = tree->hooks.closed(tree->hooks.context, node);
  while (node != TDTREE_NONE && --at->refs == 0) {
    uint32_t pred = at->pred;
    if (tree->hooks.leaves != NULL)
      fine = tree->hooks.leaves(tree->hooks.context, node) && fine;
    tree->pinned -= at->ref != STORE_NONE;
    tree->n--;
    give_back(tree, node);
    node = pred;
    if (node != TDTREE_NONE)
      at = tdtree_at(tree, node);
  }
  return fine;
}

uint64_t tdtree_unpin(struct tdtree *tree, uint32_t node) {
  struct tdtree_node *at = tdtree_at(tree, node);
  uint64_t ref = at->ref;
  tree->pinned -= ref != STORE_NONE;
  at->ref = STORE_NONE;
  return ref;
}

uint64_t tdtree_path(const struct tdtree *tree, uint32_t node, struct ts_event *event) {
  uint64_t n = (uint64_t)tdtree_at(tree, node)->depth + 1;
  for (uint64_t left = event == NULL ? 0 : n; left > 0;) {
    const struct tdtree_node *at = tdtree_at(tree, node);
    event[--left] = at->event;
    node = at->pred;
  }
  return n;
}

const char *tdtree_check(const struct tdtree *tree) {
  uint64_t free = 0, n = tree->made;
  for (uint32_t node = tree->free; node != TDTREE_NONE; node = tdtree_at(tree, node)->pred)
    if (++free > n)
      return "tree: the free nodes are a circle";
  if (n - free != tree->n)
    return "tree: the number of nodes is wrong";
  size_t bytes = (size_t)n * sizeof(uint32_t) + 1;
  uint32_t *refs = budget_alloc(tree->budget, BUDGET_OTHER, bytes);
  const char *broken = NULL;
  if (refs == NULL)
    return NULL;
  for (uint32_t node = tree->free; node != TDTREE_NONE; node = tdtree_at(tree, node)->pred)
    refs[node] = TDTREE_NONE;
  for (uint32_t i = 0; i < n; i++) {
    const struct tdtree_node *at = tdtree_at(tree, i);
    if (refs[i] == TDTREE_NONE)
      continue;
    refs[i] += !(at->flags & TDTREE_CLOSED);
    if (at->pred != TDTREE_NONE && refs[at->pred] == TDTREE_NONE)
      broken = "tree: a node comes from one that is free";
    else if (at->pred != TDTREE_NONE)
      refs[at->pred]++;
  }
  for (uint32_t i = 0; i < n && broken == NULL; i++)
    if (refs[i] != TDTREE_NONE && (refs[i] != tdtree_at(tree, i)->refs || refs[i] == 0))
      broken = "tree: a node has not as many references as are counted";
  budget_free(tree->budget, BUDGET_OTHER, refs, bytes);
  return broken;
}
