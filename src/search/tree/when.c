/* when.c - whether there is a tree of open states, and since when.
 *
 * From the start where a method needs it; later in the search where it may wait (late.c).
 */
#include "search/tree/inside.h"

/* What is forgotten once is forgotten otherwise where memory is short, and that needs a tree:
 * from the beginning, or made then. */
static bool may_run_short(const struct worker *w) {
  const struct search_options *options = w->search->options;
  return tree_forgets_once(w) && (options->forget.kind->traits & FORGET_DROPS) &&
         !due_may_graft(w) &&
         (options->forget.cache_size > 0 || w->search->resumes_tree ||
          !(w->order->traits & FRONTIER_NUMBERED));
}

/* Whatever is forgotten. */
static bool needs_nodes(const struct worker *w) {
  const struct search_options *options = w->search->options;
  return (w->order->traits & FRONTIER_TREE) || may_run_short(w) ||
         (options->watch != NULL && (options->watch->hears & WATCH_CLOSED));
}

static bool is_needed(const struct worker *w) {
  return w->search->options->forget.kind != NULL || needs_nodes(w);
}

bool tree_open(struct worker *w) {
  struct search *s = w->search;
  const struct search_options *options = s->options;
  if (!is_needed(w))
    return true;
  struct tree *tree = s->tree = budget_alloc(s->budget, BUDGET_OTHER, sizeof *tree);
  if (tree == NULL)
    return false;
  tree->worker = w;
  tree->forget_kind = options->forget.kind;
  tree->most_stored = options->forget.cache_size > 0 ? options->forget.cache_size : UINT64_MAX;
  if (tree_forgets_once(w) && !needs_nodes(w))
    return tree_begin_forgetting(tree) && once_listen(tree);
  return late_may_wait(w) && !s->resumes_tree ? late_begin(tree) : tree_begin(tree);
}

void tree_attend(struct worker *w) {
  struct tree *tree = w->search->tree;
  if (tree == NULL || tree->has_nodes)
    return;
  if (tree_forgets_once(w))
    graft_make(tree);
  else
    late_make(tree);
}
