/* late.c - breadth-first, the tree of open states is made when memory is half spent.
 *
 * Until something has to be forgotten, a breadth-first search over a store that numbers its
 * states needs no tree: what is open is a range of numbers, and which state was found by
 * which is known in 1.3 bytes each (parents.h). So the plain search runs, and what it knows
 * is turned into a tree later, in one pass backwards, which marks the states that open ones
 * came from, and one forwards, which makes nodes of these and candidates of all others. Then
 * the form of the order takes over that keeps the tree as it goes. It finds the open states
 * in the order in which the plain one would have expanded them.
 *
 * Of a closed state it is known then how deep it lies, when it was found, its share, and how
 * many events led to it. This is for strategies that do not ask for more.
 */
#include "search/run.h"

#include "base/bits.h"
#include "search/forget/strategy.h"
#include "search/tree/distinct.h"
#include "search/tree/nodes.h"

#include <string.h>

/* What the two passes share. */
struct making {
  struct run *run;
  uint64_t n, head;   /* states, and the first open one */
  uint64_t *mark;     /* closed states that open ones came from */
  uint8_t *share;     /* of each state, or NULL: the strategy does not ask */
  struct nodes nodes; /* of marked and of open states, in their order */
  uint64_t n_closed;  /* of them */
  uint64_t at, rank;  /* marked states in front of state `at` */
  uint8_t *row;
};

bool run_tree_may_wait(const struct run *run) {
  const struct search_options *options = run->options;
  const uint32_t known = 1u << STRATEGY_NEAR | 1u << STRATEGY_STRATIFIED |
                         1u << STRATEGY_ENTRY | 1u << STRATEGY_IN_DEGREE | 1u << STRATEGY_SHARE;
  return options->forget.kind != NULL && (options->forget.kind->traits & FORGET_ADOPTS) &&
         (run->order->traits & FRONTIER_NUMBERED) && (run->store_kind->has & STORE_IDS) &&
         (options->forget.strategy->asks & ~known) == 0 &&
         (options->forget.cache_size == 0 || options->store.move_after > 0 ||
          options->forget.cache_size / 2 > RUN_MOST_ROWS);
}

void run_tree_count(struct run *run, const struct rows *rows, uint32_t from, uint32_t to) {
  const struct strategy *strategy = run->options->forget.strategy;
  for (uint32_t i = from; i < to && strategy->counted > 0; i++)
    if (rows->answer[i] == STORE_OLD)
      strategy_count(strategy, run->store_kind, run->store_work, rows->ref[i]);
}

bool run_tree_is_due(const struct run *run) {
  const struct search_options *options = run->options;
  uint64_t stored = run->figures->stored, used = budget_used_all(run->budget);
  return used > budget_limit(run->budget) / 2 ||
         (options->forget.cache_size > 0 && stored > options->forget.cache_size / 2) ||
         (options->store.move_after > 0 && stored > options->store.move_after);
}

static bool marked(const struct making *m, uint64_t id) {
  return m->mark[id / 64] >> (id % 64) & 1;
}

static uint8_t sum(uint32_t a, uint32_t b) {
  return (uint8_t)(a + b > 255 ? 255 : a + b);
}

/* A state that has left the tree: as cache.c does when one leaves. */
static void tell_share(struct making *m, uint64_t id, uint64_t parent) {
  m->share[id] = sum(m->share[id], 1);
  if (m->share[id] < m->run->options->forget.strategy->share && parent != UINT64_MAX)
    m->share[parent] = sum(m->share[parent], m->share[id]);
}

static void mark_parents(struct making *m) {
  struct parents_cursor cursor = {0};
  for (uint64_t id = m->n; id-- > 0;) {
    bool in_tree = id >= m->head || marked(m, id);
    if (!in_tree && m->share == NULL)
      continue;
    uint64_t parent = parents_get(&m->run->parents, &cursor, id).parent;
    if (!in_tree)
      tell_share(m, id, parent);
    else if (parent != UINT64_MAX && !marked(m, parent)) {
      m->mark[parent / 64] |= UINT64_C(1) << (parent % 64);
      m->n_closed += parent < m->head;
    }
  }
}

/* The node of a state's parent; parents never descend. */
static uint32_t node_of(struct making *m, uint64_t parent) {
  for (; m->at < parent; m->at++)
    m->rank += marked(m, m->at);
  return m->nodes.at[m->rank];
}

static bool add_node(struct making *m, uint64_t id, const struct parents_step *step,
                     uint32_t entry) {
  struct run *run = m->run;
  struct ts_event event = {TS_NONE, step->nth};
  uint32_t pred = TDTREE_NONE;
  if (step->parent != UINT64_MAX) {
    pred = node_of(m, step->parent);
    uint32_t by = tdtree_at(&run->tree, pred)->event.action;
    if (!run_find_event(run, step->parent, by, step->nth, &event))
      return false;
  }
  uint32_t node = tdtree_add(&run->tree, pred, event, id, m->row, 0);
  if (node == TDTREE_NONE)
    return false;
  tdtree_set_entry(tdtree_at(&run->tree, node), entry);
  if (m->share != NULL)
    tdtree_add_load(tdtree_at(&run->tree, node), m->share[id]);
  return nodes_add(&m->nodes, node);
}

/* All states, in their order. */
static bool sort_states(struct making *m) {
  struct run *run = m->run;
  struct parents_walk walk = {0};
  uint64_t depth = 0, level = 0; /* level: the first state of this depth */
  for (uint64_t id = 0; id < m->n; id++) {
    struct parents_step step = parents_next(&run->parents, &walk);
    if (step.parent != UINT64_MAX && step.parent >= level) {
      depth++;
      level = id;
    }
    uint32_t length = run->store_kind->get(run->store_work, id, m->row);
    distinct_note(run->distinct, hash_finish(hash_raw(run->hash, m->row, length)));
    uint32_t entry = strategy_step(step.parent == UINT64_MAX ? 0 : step.parent + 1);
    uint32_t share = m->share == NULL ? 0 : m->share[id];
    bool fine = id >= m->head || marked(m, id)
                    ? add_node(m, id, &step, entry)
                    : run->options->forget.kind->adopt(run->forget, id, depth, entry, share);
    if (!fine)
      return false;
  }
  return true;
}

/* The order that keeps the tree goes on with what is open. */
static bool take_over(struct making *m) {
  struct run *run = m->run;
  if (!tdtree_shut(&run->tree, m->nodes.at, m->n_closed))
    return false;
  run->order->close(run->frontier);
  run->order = run->order->with_tree;
  run->has_tree = true;
  run->keeps_parents = false;
  parents_free(&run->parents);
  if (!run_order_open(run, true))
    return false;
  for (uint64_t i = m->n_closed; i < m->nodes.n; i++)
    if (!run->order->add(run->frontier, m->nodes.at[i]))
      return false;
  return true;
}

/* The plain search does not know how large the cache is to be. */
static void shrink(struct run *run) {
  uint64_t stored = run->figures->stored, most = run->most_stored;
  if (stored > most &&
      run->options->forget.kind->drop(run->forget, stored - most) < stored - most)
    run_limit(run, SEARCH_TREE);
}

void run_tree_make(struct run *run) {
  struct making m = {.run = run, .n = run->figures->stored, .nodes = {.budget = run->budget}};
  if (!run->order->idle(run->frontier, &m.head))
    return;
  run->is_late = false;
  run_keep_trail(run);
  uint64_t bytes = (m.n / 64 + 1) * sizeof *m.mark;
  m.mark = budget_alloc(run->budget, BUDGET_OTHER, bytes);
  m.row = budget_alloc(run->budget, BUDGET_OTHER, ts_stride(run->shape));
  bool shares = run->options->forget.strategy->share > 0;
  m.share = shares ? budget_alloc(run->budget, BUDGET_OTHER, m.n) : NULL;
  bool fine =
      m.mark != NULL && m.row != NULL && (m.share != NULL || !shares) && run_tree_open(run);
  if (fine)
    mark_parents(&m);
  fine = fine && sort_states(&m) && take_over(&m);
  budget_free(run->budget, BUDGET_OTHER, m.mark, bytes);
  budget_free(run->budget, BUDGET_OTHER, m.row, ts_stride(run->shape));
  budget_free(run->budget, BUDGET_OTHER, m.share, m.n);
  nodes_free(&m.nodes);
  if (fine)
    shrink(run);
  else
    run_limit(run, SEARCH_MEMORY);
}
