/* late.c - breadth-first, the tree of open states is made when half of the memory is used.
 *
 * Until something has to be forgotten, a breadth-first search over a store that numbers its
 * states needs no tree: what is open is a range of numbers, and which state was found by
 * which is known in 1.3 bytes each (parents.h). So the plain search runs, and what it knows
 * is turned into a tree later, in one pass backwards, which marks the states that open ones
 * came from, and one forwards, which makes nodes of these and candidates of all others. Then
 * the order is opened anew and given the open states, in the order in which it would have
 * expanded them.
 *
 * Of a closed state it is known then how deep it is, when it was found, its share, and how
 * many events led to it. This is for strategies that do not ask for more.
 */
#include "search/tree/inside.h"

#include "base/bits.h"
#include "search/tree/distinct.h"
#include "search/tree/node_list.h"

#include <string.h>

/* What the two passes share. */
struct making {
  struct tree *tree;
  struct search *search;
  uint64_t n, head;       /* states, and the first open one */
  uint64_t *mark;         /* closed states that open ones came from */
  uint8_t *share;         /* of each state, or NULL: the strategy does not ask */
  struct node_list nodes; /* of marked and of open states, in their order */
  uint64_t n_closed;      /* of them */
  uint64_t at, rank;      /* marked states in front of state `at` */
  uint8_t *row, *parent;
};

bool late_may_wait(const struct worker *w) {
  const struct search *s = w->search;
  const struct search_options *options = s->options;
  const uint32_t known = 1u << STRATEGY_NEAR | 1u << STRATEGY_STRATIFIED |
                         1u << STRATEGY_ENTRY | 1u << STRATEGY_IN_DEGREE | 1u << STRATEGY_SHARE;
  return options->forget.kind != NULL && (options->forget.kind->traits & FORGET_ADOPTS) &&
         (w->order->traits & FRONTIER_NUMBERED) && (s->store_kind->has & STORE_IDS) &&
         (options->forget.strategy->asks & ~known) == 0 &&
         (options->watch == NULL || !(options->watch->hears & WATCH_CLOSED)) &&
         (options->forget.cache_size == 0 || options->store.move_after > 0 ||
          options->forget.cache_size / 2 > SEARCH_MOST_ROWS);
}

/* The watch until then: counts for the states that events led to, as the tree would. */
static uint32_t answered(void *context, struct rows *rows, uint32_t from, uint32_t to,
                         bool put) {
  struct tree *tree = context;
  struct worker *w = tree->worker;
  const struct strategy *strategy = w->search->options->forget.strategy;
  for (uint32_t i = from; i < to && strategy->counted > 0; i++)
    if (rows->answer[i] == STORE_OLD)
      strategy_count(strategy, w->search->store_kind, w->store, rows->ref[i]);
  w->attention = w->attention || (put && due_at(w, budget_limit(w->search->budget) / 2));
  return to;
}

bool late_begin(struct tree *tree) {
  watches_add(&tree->worker->watches,
              (struct watch){.hears = WATCH_ANSWERED, .context = tree, .answered = answered});
  return way_keep_parents(tree->worker->search);
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
  if (m->share[id] < m->search->options->forget.strategy->share && parent != UINT64_MAX)
    m->share[parent] = sum(m->share[parent], m->share[id]);
}

static void mark_parents(struct making *m) {
  struct parents_cursor cursor = {0};
  for (uint64_t id = m->n; id-- > 0;) {
    bool in_tree = id >= m->head || marked(m, id);
    if (!in_tree && m->share == NULL)
      continue;
    uint64_t parent = parents_get(&m->search->parents, &cursor, id).parent;
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
  struct worker *w = m->tree->worker;
  struct tdtree *nodes = &m->tree->nodes;
  struct ts_event event = {TS_NONE, step->nth};
  uint32_t pred = TDTREE_NONE;
  if (step->parent != UINT64_MAX) {
    pred = node_of(m, step->parent);
    uint32_t by = tdtree_at(nodes, pred)->event.action;
    uint32_t length = m->search->store_kind->get(w->store, step->parent, m->parent);
    if (!worker_follow(w, m->parent, &length, by, step->nth, &event))
      return false;
  }
  uint32_t node = tdtree_add(nodes, pred, event, id, m->row, 0);
  if (node == TDTREE_NONE)
    return false;
  tdtree_at(nodes, node)->entry = (uint8_t)entry;
  if (step->parent != UINT64_MAX && way_is_of_few(w, step->nth))
    tdtree_at(nodes, node)->flags |= TDTREE_OF_FEW;
  if (m->share != NULL)
    tdtree_count(&tdtree_at(nodes, node)->load, m->share[id]);
  return node_list_add(&m->nodes, node);
}

/* All states, in their order. */
static bool sort_states(struct making *m) {
  struct search *s = m->search;
  struct tree *tree = m->tree;
  struct parents_walk walk = {0};
  uint64_t depth = 0, level = 0; /* level: the first state of this depth */
  for (uint64_t id = 0; id < m->n; id++) {
    struct parents_step step = parents_next(&s->parents, &walk);
    if (step.parent != UINT64_MAX && step.parent >= level) {
      depth++;
      level = id;
    }
    uint32_t length = s->store_kind->get(tree->worker->store, id, m->row);
    distinct_note(tree->distinct, hash_finish(hash_raw(s->hash, m->row, length)));
    uint32_t entry = strategy_step(step.parent == UINT64_MAX ? 0 : step.parent + 1);
    uint32_t share = m->share == NULL ? 0 : m->share[id];
    bool fine = id >= m->head || marked(m, id)
                    ? add_node(m, id, &step, entry)
                    : tree->forget_kind->adopt(tree->forget, id, depth, entry, share);
    if (!fine)
      return false;
  }
  return true;
}

/* The order goes on with what is open. */
static bool take_over(struct making *m) {
  struct worker *w = m->tree->worker;
  if (!tdtree_shut(&m->tree->nodes, m->nodes.at, m->n_closed))
    return false;
  worker_close_order(w);
  parents_free(&m->search->parents);
  if (!worker_open_order(w, true))
    return false;
  for (uint64_t i = m->n_closed; i < m->nodes.n; i++)
    if (!w->order->add(w->frontier, m->nodes.at[i]))
      return false;
  return true;
}

static bool make(struct making *m) {
  struct search *s = m->search;
  uint32_t stride = ts_stride(s->shape);
  bool shares = s->options->forget.strategy->share > 0;
  uint64_t bytes = (m->n / 64 + 1) * sizeof *m->mark;
  m->mark = budget_alloc(s->budget, BUDGET_OTHER, bytes);
  m->row = budget_alloc(s->budget, BUDGET_OTHER, stride);
  m->parent = budget_alloc(s->budget, BUDGET_OTHER, stride);
  m->share = shares ? budget_alloc(s->budget, BUDGET_OTHER, m->n) : NULL;
  bool fine = m->mark != NULL && m->row != NULL && m->parent != NULL &&
              (m->share != NULL || !shares) && tree_begin(m->tree);
  if (fine)
    mark_parents(m);
  fine = fine && sort_states(m) && take_over(m);
  budget_free(s->budget, BUDGET_OTHER, m->mark, bytes);
  budget_free(s->budget, BUDGET_OTHER, m->row, stride);
  budget_free(s->budget, BUDGET_OTHER, m->parent, stride);
  budget_free(s->budget, BUDGET_OTHER, m->share, m->n);
  node_list_free(&m->nodes);
  return fine;
}

void late_make(struct tree *tree) {
  struct worker *w = tree->worker;
  struct search *s = w->search;
  struct making m = {
      .tree = tree, .search = s, .n = w->figures.stored, .nodes = {.budget = s->budget}};
  if (!due_at(w, budget_limit(s->budget) / 2))
    return;
  if (!w->order->idle(w->frontier, &m.head)) {
    w->attention = true;
    return;
  }
  search_keep_trail(s);
  watches_remove(&w->watches, tree);
  way_close(s);
  if (make(&m))
    tree_shrink(tree);
  else
    search_limit(s, SEARCH_MEMORY);
}
