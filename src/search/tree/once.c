/* once.c - forgetting states that are not reached again, which needs no tree of open states.
 *
 * Whoever forgets them is told of each event when it has come to its target, and of each state
 * that need not be kept any longer for being open. That is when it was fired, for the order has
 * a copy in hand, and rows do not say of which stored state they are successors
 * (names_are_of_use() in order.c); or, where the order keeps a tree, when it is closed there,
 * for it may be handed out more than once before.
 */
#include "search/tree/inside.h"

#include "search/tree/distinct.h"

/* The store's name of a state, where the order does not know it. */
static uint64_t look_up(struct tree *tree, const struct open *open) {
  const struct worker *w = tree->worker;
  struct rows *one = &tree->one;
  rows_set(one, open->row, open->length, hash_raw(w->search->hash, open->row, open->length));
  w->search->store_kind->find(w->store, one, 0, 1);
  return one->answer[0] == STORE_OLD ? one->ref[0] : STORE_NONE;
}

/* A state is fired in parts where not all of its successors fit. */
static void note_begun(struct tree *tree, const struct open *open) {
  if ((tree->forget_kind->traits & FORGET_BACKWARD) && open_begins(open) &&
      !open_is_noted(open))
    tree->forget_kind->begun(tree->forget, tdtree_node(open->number));
}

static bool closed(void *context, uint64_t number) {
  struct tree *tree = context;
  uint32_t node = tdtree_node(number);
  bool stays = tree->nodes.hooks.leaves != NULL; /* memory is short: until it leaves the tree */
  uint64_t ref = stays ? tdtree_at(&tree->nodes, node)->ref : tdtree_unpin(&tree->nodes, node);
  if (ref != STORE_NONE)
    tree->forget_kind->closed(tree->forget, ref, NULL, 0);
  return true;
}

/* Whether the order asks the store for no state that was fired, and memory is not short: then
 * states need not be kept for being open until they are closed. */
static bool has_copies(const struct tree *tree) {
  return (tree->worker->order->traits & FRONTIER_PATH) && tree->nodes.hooks.leaves == NULL;
}

static bool fired(void *context, const struct open *open, uint32_t from, bool more) {
  struct tree *tree = context;
  const struct rows *rows = open->into;
  if (tree->forget_kind->traits & FORGET_COUNTS)
    tree->forget_kind->prefetch(tree->forget, rows->hash + from, rows->batch.n - from);
  if (open->number == STORE_NONE)
    return true;
  if (tree_nodes(tree->worker->search) != NULL) {
    note_begun(tree, open);
    return more || !has_copies(tree) || closed(context, open->number);
  }
  if (more)
    return true;
  uint64_t ref = open->name == STORE_NONE ? look_up(tree, open) : open->name;
  if (ref != STORE_NONE)
    tree->forget_kind->closed(tree->forget, ref, open->row, open->length);
  return true;
}

static uint32_t answered(void *context, struct rows *rows, uint32_t from, uint32_t to,
                         bool put) {
  struct tree *tree = context;
  for (uint32_t i = from; i < to && tree->distinct != NULL; i++)
    if (put && rows->answer[i] != STORE_OLD)
      distinct_note(tree->distinct, rows->hash[i]);
  if (put && tree->grafts && due_for_graft(tree->worker))
    tree->worker->attention = true;
  if (put) {
    tree->forget_kind->answered(tree->forget, rows, from, to);
    return to;
  }
  for (uint32_t i = from; i < to; i++) /* mostly one run of old rows */
    if (rows->answer[i] == STORE_OLD)
      tree->forget_kind->answered(tree->forget, rows, i, i + 1);
  return to;
}

bool once_listen(struct tree *tree) {
  struct worker *w = tree->worker;
  const struct search *s = w->search;
  bool nodes = tree_nodes(s) != NULL;
  tree->grafts = !nodes && due_may_graft(w);
  unsigned hears = WATCH_FIRED | WATCH_ANSWERED | WATCH_LOOKED | (nodes ? WATCH_CLOSED : 0u);
  watches_add(&w->watches, (struct watch){.hears = hears,
                                          .context = tree,
                                          .fired = fired,
                                          .answered = answered,
                                          .closed = closed});
  return nodes || rows_open(&tree->one, s->shape, s->budget, 1);
}
