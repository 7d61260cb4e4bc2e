/* keep.c - making the tree of open states, and keeping it while the search goes on.
 *
 * The lines that figure 3 of Evangelista and Kristensen ("Search-order independent state space
 * caching") adds to the loop, as a watch: new states become nodes, and what is forgotten makes
 * room.
 */
#include "search/tree/inside.h"

#include "search/tree/distinct.h"

/* One of that many parts of the budget: what a store takes, it never gives back. */
enum { RESERVE = 8 };

/* ---- the watch --------------------------------------------------------------------- */

static void tell_matched(const struct tdtree *nodes, const struct rows *rows, uint32_t from,
                         uint32_t to) {
  for (uint32_t i = from; i < to; i++)
    if (rows->answer[i] == STORE_OLD)
      nodes->hooks.matched(nodes->hooks.context, rows->ref[i]);
}

/* A new state becomes a node. Where some wait for their turn elsewhere, it may be one of them
 * and is not new to the order then. False if memory ran out. */
static bool add_node(struct tree *tree, struct rows *rows, uint32_t i, uint32_t entry) {
  const struct ts_edge *edge = &rows->batch.edge[i];
  bool root = rows->pred[i] == STORE_NONE, later = false;
  uint32_t pred = root ? TDTREE_NONE : tdtree_node(rows->pred[i]);
  uint32_t node =
      tdtree_add(&tree->nodes, pred, edge->event, rows->ref[i], rows_at(rows, i), edge->length);
  if (node == TDTREE_NONE)
    return false;
  rows->number[i] = node;
  if (open_is_of_few(edge))
    tdtree_at(&tree->nodes, node)->flags |= TDTREE_OF_FEW;
  if (entry > 0)
    tdtree_at(&tree->nodes, node)->entry = (uint8_t)entry;
  if (tree->distinct != NULL)
    distinct_note(tree->distinct, rows->hash[i]);
  if (tree->forget == NULL || !(tree->forget_kind->traits & FORGET_CLASSES))
    return true;
  bool fine = tree->forget_kind->added(tree->forget, node, pred, rows_at(rows, i), edge->length,
                                       &later);
  if (later)
    rows->answer[i] = OPEN_LATER;
  return fine;
}

/* There is no memory for the nodes of rows [from, to). */
static uint32_t without_nodes(struct rows *rows, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++)
    rows->number[i] = STORE_NONE;
  return from;
}

static uint32_t answered(void *context, struct rows *rows, uint32_t from, uint32_t to,
                         bool put) {
  struct tree *tree = context;
  if (tree->nodes.hooks.matched != NULL)
    tell_matched(&tree->nodes, rows, from, to);
  if (!put)
    return to;
  uint64_t visited = tree->worker->figures.visited;
  uint32_t entry = tree_asks(tree, STRATEGY_ENTRY) ? strategy_step(visited) : 0;
  for (uint32_t i = from; i < to; i++)
    if (rows->answer[i] == STORE_NEW && !add_node(tree, rows, i, entry))
      return without_nodes(rows, i, to);
  return to;
}

/* Counts the successors of a state, where somebody goes by that. */
static bool fired(void *context, const struct open *open, uint32_t from, bool more) {
  struct tree *tree = context;
  const struct ts_batch *batch = &open->into->batch;
  if (open->number == STORE_NONE || open_is_noted(open))
    return true;
  uint32_t node = tdtree_node(open->number);
  while (from < batch->n && open_before(batch->edge[from].event, open->noted))
    from++;
  tdtree_count(&tdtree_at(&tree->nodes, node)->degree, batch->n - from);
  return more || !tree->chains || chain_fired(tree, node);
}

/* The way in a tree made in mid-search of what was open: the parents lead to its roots. */
static uint64_t path_by_parents(struct search *s, uint32_t node, struct ts_event *event) {
  const struct tdtree *nodes = &s->tree->nodes;
  uint64_t n = (uint64_t)tdtree_at(nodes, node)->depth + 1, left = n;
  while (!(tdtree_at(nodes, node)->flags & TDTREE_GRAFTED)) {
    const struct tdtree_node *at = tdtree_at(nodes, node);
    if (event != NULL)
      event[left - 1] = at->event;
    left--;
    node = at->pred;
  }
  uint64_t before = way_of_parents(s, tdtree_at(nodes, node)->event.choice, event);
  return before == left ? n : WAY_BROKEN;
}

static uint64_t path(struct search *s, uint64_t number, struct ts_event *event) {
  if (number == STORE_NONE)
    return 0;
  return s->tree->grafted ? path_by_parents(s, tdtree_node(number), event)
                          : tdtree_path(&s->tree->nodes, tdtree_node(number), event);
}

/* ---- opening ----------------------------------------------------------------------- */

bool tree_begin_forgetting(struct tree *tree) {
  struct search *s = tree->worker->search;
  const struct search_options *options = s->options;
  struct forget_config config = {.ts = s->ts,
                                 .shape = s->shape,
                                 .store_kind = s->store_kind,
                                 .work = tree->worker->store,
                                 .tree = tree->has_nodes ? &tree->nodes : NULL,
                                 .reduces = options->reduce.kind != NULL,
                                 .hash = s->hash,
                                 .budget = s->budget,
                                 .strategy = options->forget.strategy,
                                 .progress = options->forget.progress,
                                 .counters = options->forget.counters,
                                 .parameter = options->forget.parameter,
                                 .seed = options->seed,
                                 .order = tree->worker->order,
                                 .frontier = &tree->worker->frontier,
                                 .figures = &tree->worker->figures};
  tree->forget = tree->forget_kind->open(&config);
  tree->distinct = budget_alloc(s->budget, BUDGET_OTHER, DISTINCT_REGISTERS);
  if (tree->forget == NULL || tree->distinct == NULL)
    return false;
  return true;
}

bool tree_begin(struct tree *tree) {
  struct worker *w = tree->worker;
  struct search *s = w->search;
  if (!tdtree_open(&tree->nodes, s->shape, s->store_kind, w->store, s->budget))
    return false;
  tree->has_nodes = true;
  return (tree->forget_kind == NULL || tree_begin_forgetting(tree)) && tree_listen(tree);
}

/* A part of the budget is kept back for the tree and the open states, if there is one. */
static void claim_reserve(struct tree *tree) {
  struct budget *budget = tree->worker->search->budget;
  uint64_t part = budget_limit(budget) / RESERVE;
  if (tree->forget != NULL && budget_claim(budget, BUDGET_OTHER, part))
    tree->reserve = part;
}

bool tree_listen(struct tree *tree) {
  struct worker *w = tree->worker;
  struct search *s = w->search;
  claim_reserve(tree);
  tree->nodes.in_turn = (w->order->traits & FRONTIER_SHORTEST) != 0;
  tree->nodes.watches = &w->watches;
  tree->chains = s->options->forget.chain;
  bool counts = tree->chains || tree_asks(tree, STRATEGY_OUT_DEGREE);
  unsigned looked = tree->nodes.hooks.matched != NULL ? WATCH_LOOKED : 0;
  watches_add(&w->watches,
              (struct watch){.hears = WATCH_ANSWERED | looked | (counts ? WATCH_FIRED : 0u),
                             .context = tree,
                             .fired = fired,
                             .answered = answered});
  s->way = (struct way){.of = WAY_TREE, .path = path};
  return !tree_forgets_once(w) || once_listen(tree); /* it hears of nodes, so it comes after */
}

void tree_close(struct search *s) {
  struct tree *tree = s->tree;
  if (tree == NULL)
    return;
  if (tree->forget != NULL)
    tree->forget_kind->close(tree->forget);
  budget_free(s->budget, BUDGET_OTHER, tree->distinct, DISTINCT_REGISTERS);
  if (tree->reserve > 0)
    budget_return(s->budget, BUDGET_OTHER, tree->reserve);
  if (tree->has_nodes)
    tdtree_close(&tree->nodes);
  if (tree->one.bytes > 0)
    rows_close(&tree->one, s->budget);
  budget_free(s->budget, BUDGET_OTHER, tree, sizeof *tree);
  s->tree = NULL;
}

/* ---- room -------------------------------------------------------------------------- */

/* Memory is short: the store is not to grow any more, and the reserve is free for others. */
static void save_memory(struct tree *tree) {
  struct worker *w = tree->worker;
  if (tree->reserve > 0)
    budget_return(w->search->budget, BUDGET_OTHER, tree->reserve);
  tree->reserve = 0;
  if (w->figures.stored < tree->most_stored)
    tree->most_stored = w->figures.stored;
}

static uint64_t drop(struct tree *tree, uint64_t n) {
  const struct forget_kind *kind = tree->forget_kind;
  return kind->traits & FORGET_DROPS ? kind->drop(tree->forget, n) : 0;
}

void tree_shrink(struct tree *tree) {
  uint64_t stored = tree->worker->figures.stored, most = tree->most_stored;
  if (stored > most && drop(tree, stored - most) < stored - most)
    search_limit(tree->worker->search, SEARCH_TREE);
}

uint64_t tree_room_left(struct tree *tree) {
  uint64_t stored = tree->worker->figures.stored;
  if (tree->grafts && !tree->has_nodes)
    return UINT64_MAX; /* the tree will be made before that matters */
  if (stored < tree->most_stored)
    return tree->most_stored - stored;
  return tree->forget == NULL || drop(tree, 1) > 0 ? 1 : 0;
}

bool tree_make_room(struct search *s) {
  struct tree *tree = s->tree;
  uint64_t stored = s->worker->figures.stored, part = stored / 32 + 1;
  if (tree == NULL || tree->forget == NULL || drop(tree, part) == 0)
    return false;
  save_memory(tree);
  return true;
}

void tree_look(struct worker *w) {
  struct tree *tree = w->search->tree;
  uint64_t most = budget_limit(w->search->budget);
  if (tree != NULL && tree->reserve > 0 &&
      budget_used_all(w->search->budget) > most - most / 12)
    save_memory(tree);
}

/* ---- the rest ---------------------------------------------------------------------- */

static bool add_to_order(void *context, uint32_t node) {
  struct worker *w = context;
  return w->order->add(w->frontier, node);
}

bool tree_resume(struct worker *w) {
  struct tree *tree = w->search->tree;
  if (tree == NULL || tree->forget == NULL || !(tree->forget_kind->traits & FORGET_CLASSES))
    return false;
  enum forget_resumed resumed = tree->forget_kind->resume(tree->forget, add_to_order, w);
  if (resumed == FORGET_SPENT)
    search_limit(w->search, SEARCH_MEMORY);
  return resumed == FORGET_MORE;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* How many different states there were among those that were new when they came: at least as
 * many as were stored at a time. As many as are above that were expanded again, as far as they
 * were expanded, and forgotten before. */
static void estimate_met(const struct tree *tree, struct search_figures *figures) {
  struct search_forgetting *f = &figures->forgetting;
  uint64_t found = tree->worker->found, met = found;
  f->once = tree_forgets_once(tree->worker) && f->uncounted == 0 && !f->caches;
  met -= f->dropped;
  if (f->states > f->dropped && !f->once)
    met = least(distinct_count(tree->distinct), met);
  f->reached = met > figures->peak.stored ? met : figures->peak.stored;
  found -= f->dropped;
  f->revisited = least(least(found - least(f->reached, found), f->states), figures->visited);
}

bool tree_is_revisited(struct worker *w) {
  const struct tree *tree = w->search->tree;
  uint64_t most = w->search->options->limit.visits_per_state, visited = w->figures.visited;
  if (most == 0 || tree == NULL || tree->forget == NULL || visited < SEARCH_FEW_VISITS)
    return false;
  estimate_met(tree, &w->figures);
  return visited / most >= w->figures.forgetting.reached;
}

void tree_report(const struct search *s, struct search_figures *figures) {
  const struct tree *tree = s->tree;
  if (tree == NULL)
    return;
  figures->peak.tree = tree->nodes.peak;
  if (tree->forget == NULL)
    return;
  if (tree->forget_kind->traits & (FORGET_CLASSES | FORGET_COUNTS | FORGET_BACKWARD))
    tree->forget_kind->report(tree->forget, figures);
  estimate_met(tree, figures);
}

bool tree_pass(struct search *s, struct sink *sink) {
  struct tree *tree = s->tree;
  if (tree == NULL || (!tree->has_nodes && !tree_forgets_once(tree->worker)))
    return sink_is_fine(sink);
  bool has_reserve = tree->reserve > 0;
  sink_pass(sink, &tree->most_stored, sizeof tree->most_stored);
  sink_pass(sink, &has_reserve, sizeof has_reserve);
  if (sink_is_read(sink) && !has_reserve && tree->reserve > 0) {
    budget_return(s->budget, BUDGET_OTHER, tree->reserve);
    tree->reserve = 0;
  }
  if (tree->has_nodes && !tdtree_pass(&tree->nodes, sink))
    return false;
  sink_pass(sink, &tree->grafted, sizeof tree->grafted);
  if (tree->grafted && !parents_pass(&s->parents, sink))
    return false;
  if (tree->forget == NULL)
    return true;
  sink_pass(sink, tree->distinct, DISTINCT_REGISTERS);
  return tree->forget_kind->pass(tree->forget, sink);
}

const char *tree_check(const struct search *s) {
  const struct tdtree *nodes = tree_nodes(s);
  return nodes == NULL ? NULL : tdtree_check(nodes);
}
