/* caching.c - what the loop does where a tree of open states is kept.
 *
 * The lines that figure 3 of Evangelista and Kristensen ("Search-order independent state
 * caching") adds to the loop, and the reduction of chains of section 4.1. */
#include "search/run.h"

#include "search/forget/strategy.h"
#include "search/tree/distinct.h"

/* One of so many parts of the budget: what a store takes, it never gives back. */
enum { RESERVE = 8 };

bool run_tree_open(struct run *run) {
  const struct forget_kind *kind = run->options->forget.kind;
  if (!tdtree_open(&run->tree, run->shape, run->store_kind, run->store_work, run->budget))
    return false;
  run->tree.in_turn = (run->order->traits & FRONTIER_SHORTEST) != 0;
  if (kind == NULL)
    return true;
  struct forget_config config = {.shape = run->shape,
                                 .store_kind = run->store_kind,
                                 .work = run->store_work,
                                 .tree = &run->tree,
                                 .hash = run->hash,
                                 .budget = run->budget,
                                 .strategy = run->options->forget.strategy,
                                 .progress = run->options->forget.progress,
                                 .seed = run->options->seed,
                                 .figures = run->figures};
  run->forget = kind->open(&config);
  run->distinct = budget_alloc(run->budget, BUDGET_OTHER, DISTINCT_REGISTERS);
  uint64_t part = budget_limit(run->budget) / RESERVE;
  if (budget_claim(run->budget, BUDGET_OTHER, part))
    run->reserve = part;
  return run->forget != NULL && run->distinct != NULL;
}

void run_tree_short(struct run *run) {
  if (run->reserve > 0)
    budget_return(run->budget, BUDGET_OTHER, run->reserve);
  run->reserve = 0;
  if (run->figures->stored < run->most_stored)
    run->most_stored = run->figures->stored;
}

void run_tree_look(struct run *run) {
  uint64_t most = budget_limit(run->budget);
  if (run->reserve > 0 && budget_used_all(run->budget) > most - most / 12)
    run_tree_short(run);
}

void run_tree_close(struct run *run) {
  if (run->forget != NULL)
    run->options->forget.kind->close(run->forget);
  run->forget = NULL;
  budget_free(run->budget, BUDGET_OTHER, run->distinct, DISTINCT_REGISTERS);
  if (run->reserve > 0)
    budget_return(run->budget, BUDGET_OTHER, run->reserve);
  run->reserve = 0;
  tdtree_close(&run->tree);
}

/* Whether the strategy goes by this. */
static inline bool asks(const struct run *run, enum strategy_what what) {
  return run->forget != NULL && (run->options->forget.strategy->asks >> what & 1);
}

uint32_t run_tree_add(struct run *run, struct rows *rows, uint32_t from, uint32_t to) {
  const struct tdtree_hooks *hooks = &run->tree.hooks;
  uint32_t entry = asks(run, STRATEGY_ENTRY) ? strategy_step(run->figures->visited) : 0;
  for (uint32_t i = from; i < to; i++) {
    if (rows->answer[i] == STORE_OLD) {
      if (hooks->matched != NULL)
        hooks->matched(hooks->context, rows->ref[i]);
      continue;
    }
    uint32_t pred = rows->parent[i] == STORE_NONE ? TDTREE_NONE : (uint32_t)rows->parent[i];
    uint32_t node =
        tdtree_add(&run->tree, pred, rows->batch.edge[i].event, rows->ref[i],
                   rows->batch.rows + i * rows->batch.stride, rows->batch.edge[i].length);
    if (node == TDTREE_NONE)
      return i;
    if (entry > 0)
      tdtree_set_entry(tdtree_at(&run->tree, node), entry);
    rows->ref[i] = node;
    if (run->distinct != NULL)
      distinct_note(run->distinct, rows->hash[i]);
  }
  return to;
}

/* The search has left a chain: no state of it needs to be kept for the tree. */
static bool release_chain(struct run *run, uint32_t node) {
  struct tdtree *tree = &run->tree;
  for (; node != TDTREE_NONE; node = tdtree_at(tree, node)->pred) {
    const struct tdtree_node *at = tdtree_at(tree, node);
    if (!(at->flags & TDTREE_SINGLE) || at->ref == STORE_NONE)
      return true;
    if (at->flags & TDTREE_PERSISTENT)
      continue;
    if (!tree->hooks.leaves(tree->hooks.context, node))
      return false;
    tdtree_unpin(tree, node);
  }
  return true;
}

bool run_tree_fired(struct run *run, const struct frontier_open *open, uint32_t from,
                    bool more) {
  bool wanted = run->options->forget.chain || asks(run, STRATEGY_OUT_DEGREE);
  if (!wanted || run_is_noted(open))
    return true;
  const struct ts_batch *batch = &open->into->batch;
  struct tdtree_node *at = tdtree_at(&run->tree, (uint32_t)open->ref);
  while (from < batch->n && frontier_before(batch->edge[from].event, open->noted))
    from++;
  tdtree_add_degree(at, batch->n - from);
  if (more || !run->options->forget.chain)
    return true;
  if (tdtree_degree(at) == 1)
    at->flags |= TDTREE_SINGLE;
  return (at->flags & TDTREE_SINGLE) || release_chain(run, at->pred);
}

static bool add(void *context, uint32_t node) {
  struct run *run = context;
  return run->order->add(run->frontier, node);
}

bool run_tree_resume(struct run *run) {
  const struct forget_kind *kind = run->options->forget.kind;
  if (run->forget == NULL || !(kind->traits & FORGET_CLASSES))
    return false;
  enum forget_resumed resumed = kind->resume(run->forget, add, run);
  if (resumed == FORGET_SPENT)
    run_limit(run, SEARCH_MEMORY);
  return resumed == FORGET_MORE;
}
