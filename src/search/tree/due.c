/* due.c - when a tree is made in mid-search: late.c, graft.c. */
#include "search/tree/inside.h"

bool due_at(const struct worker *w, uint64_t most) {
  const struct search_options *options = w->search->options;
  uint64_t stored = w->figures.stored;
  return budget_used_all(w->search->budget) > most ||
         (options->forget.cache_size > 0 && stored > options->forget.cache_size / 2) ||
         (options->store.move_after > 0 && stored > options->store.move_after);
}

bool due_may_graft(const struct worker *w) {
  const struct search_options *options = w->search->options;
  const struct search_forget_options *forget = &options->forget;
  const unsigned both = FORGET_ONCE | FORGET_DROPS;
  return forget->kind != NULL && (forget->kind->traits & both) == both &&
         (w->order->traits & FRONTIER_NUMBERED) && options->parents &&
         !w->search->resumes_tree &&
         (forget->cache_size == 0 || options->store.move_after > 0 ||
          forget->cache_size / 2 > SEARCH_MOST_ROWS);
}

bool due_for_graft(const struct worker *w) {
  const uint64_t limit = budget_limit(w->search->budget);
  return due_at(w, limit - limit / 8);
}
