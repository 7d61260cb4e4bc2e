/* graft.c - breadth-first, where states are forgotten once: the tree is made when seven eighths
 * of the memory are used.
 *
 * Until then no tree is needed (once.c), and how each state was found is known in 1.3 bytes
 * (parents.h). But when memory is short, states go that may be reached again, and then it is
 * (forget/shortage.c). What leads from the initial state to those that are open then has
 * left memory, or may: so each of them becomes a root. Its node keeps the number that it has
 * among the parents, which lead on from there to the initial state.
 */
#include "search/tree/inside.h"

#include "search/error/parents.h"
#include "search/tree/node_list.h"

/* Whether there is memory for n nodes, and for the order to list them. */
static bool has_room(const struct worker *w, uint64_t n) {
  enum { LISTED = 4 * sizeof(uint32_t) }; /* twice, in arrays that grow */
  const uint64_t bytes = n * (sizeof(struct tdtree_node) + LISTED);
  struct budget *budget = w->search->budget;
  return bytes < budget_limit(budget) - budget_used_all(budget);
}

static bool add_root(struct tree *tree, const struct open *open, struct node_list *list) {
  if (open->number >= TDTREE_NONE)
    return false; /* a node has no room for the number */
  const struct ts_event event = {open->by.action, (uint32_t)open->number};
  uint32_t node =
      tdtree_add(&tree->nodes, TDTREE_NONE, event, open->name, open->row, open->length);
  if (node == TDTREE_NONE)
    return false;
  struct tdtree_node *at = tdtree_at(&tree->nodes, node);
  at->depth = (uint32_t)open->depth;
  at->flags = (uint8_t)(TDTREE_GRAFTED | (open->of_few ? TDTREE_OF_FEW : 0));
  return node_list_add(list, node);
}

/* The order gives its open states away one by one, as if nothing led on from them. */
static bool add_roots(struct tree *tree, uint64_t n, struct node_list *list) {
  struct worker *w = tree->worker;
  struct open open;
  for (uint64_t i = 0; i < n; i++)
    if (!w->order->next(w->frontier, &open) || !add_root(tree, &open, list) ||
        !w->order->push(w->frontier, &open, 0, true))
      return false;
  return true;
}

static bool make(struct tree *tree, uint64_t n, struct node_list *list) {
  struct worker *w = tree->worker;
  struct search *s = w->search;
  if (!tdtree_open(&tree->nodes, s->shape, s->store_kind, w->store, s->budget))
    return false;
  tree->has_nodes = true;
  if (!add_roots(tree, n, list))
    return false;
  watches_remove(&w->watches, tree);
  way_close(s);
  tree->grafted = true;
  if (!tree_listen(tree) || !tree->forget_kind->planted(tree->forget, &tree->nodes))
    return false;
  worker_close_order(w);
  if (!worker_open_order(w, true))
    return false;
  for (uint64_t i = 0; i < n; i++)
    if (!w->order->add(w->frontier, list->at[i]))
      return false;
  return true;
}

void graft_make(struct tree *tree) {
  struct worker *w = tree->worker;
  struct search *s = w->search;
  struct node_list list = {.budget = s->budget};
  uint64_t first;
  if (!tree->grafts || !due_for_graft(w))
    return;
  if (!w->order->idle(w->frontier, &first)) {
    w->attention = true;
    return;
  }
  if (!has_room(w, w->found - first)) {
    tree->grafts = false; /* it ends when memory is exhausted */
    return;
  }
  search_keep_trail(s);
  if (make(tree, w->found - first, &list))
    tree_shrink(tree);
  else
    search_limit(s, SEARCH_MEMORY);
  node_list_free(&list);
}
