/* sweep_line.c - the sweep-line: what is after the least progress of open states goes.
 *
 * Kristensen and Mailund, "A generalised sweep-line method for safety properties" (2002),
 * with state caching as in section 4.4 of Evangelista and Kristensen. Every state has a
 * progress value. States of the least value among the open ones, a class, are explored
 * by whatever order the search has; states of higher classes wait in a heap. When a
 * class is done, all its closed states are forgotten.
 *
 * An event may lead back, to a state of lower progress (a regress event). If that
 * state is new, it may have been forgotten before; it is marked persistent, stays for
 * ever, and is explored in the next round. A round begins with the persistent states
 * found in the one before it and ends when nothing waits. The search ends with a round
 * that finds none. It does end: within a round progress only grows, so that the tree,
 * which is kept whole within a class, detects each cycle that stays in one; and no state
 * becomes persistent twice. It visits every state: events are left out only towards
 * stored states, and each stored state is open, or closed and expanded whole, or
 * persistent and explored in its round.
 *
 * Without a size, states that left the tree wait for the end of their class. The nodes of
 * states that have gone stay in the tree while they have open descendants: they
 * tell the way to an error.
 */
#include "search/forget/cache.h"

#include "search/tree/heap.h"
#include "search/tree/node_list.h"

struct forget {
  struct cache cache;
  struct heap later;       /* of higher classes */
  struct node_list roots;  /* persistent states of the next round */
  struct node_list closed; /* nodes of the class that are closed and in the tree */
  struct segments place;   /* by node: its index there */
  uint64_t now;            /* progress of the class */
  uint64_t members;        /* states of the class in memory */
  uint64_t persistent, widest, rounds;
  bool began;
};

static uint32_t *place_of(struct forget *f, uint32_t node) {
  return (uint32_t *)(void *)segments_at(&f->place, node);
}

static bool closed(void *context, uint32_t node) {
  struct forget *f = context;
  if (segments_make(&f->place, node) == NULL || !node_list_add(&f->closed, node))
    return false;
  *place_of(f, node) = (uint32_t)(f->closed.n - 1);
  tdtree_at(f->cache.config.tree, node)->flags |= TDTREE_LISTED;
  return true;
}

static void unlist(struct forget *f, uint32_t node) {
  struct tdtree_node *at = tdtree_at(f->cache.config.tree, node);
  if (!(at->flags & TDTREE_LISTED))
    return;
  uint32_t last = f->closed.at[--f->closed.n], place = *place_of(f, node);
  f->closed.at[place] = last;
  *place_of(f, last) = place;
  at->flags &= (uint8_t)~TDTREE_LISTED;
}

static bool leaves(void *context, uint32_t node) {
  struct forget *f = context;
  unlist(f, node);
  return cache_take_over(&f->cache, node);
}

static void matched(void *context, uint64_t ref) {
  struct forget *f = context;
  cache_count(&f->cache, ref);
}

static void close_it(struct forget *f) {
  struct budget *budget = f->cache.config.budget;
  heap_free(&f->later);
  node_list_free(&f->roots);
  node_list_free(&f->closed);
  if (f->place.budget != NULL)
    segments_free(&f->place);
  cache_end(&f->cache);
  budget_free(budget, BUDGET_STORE, f, sizeof *f);
}

static struct forget *open_it(const struct forget_config *config) {
  struct budget *budget = config->budget;
  struct forget *f = budget_alloc(budget, BUDGET_STORE, sizeof *f);
  if (f == NULL)
    return NULL;
  f->later.budget = f->roots.budget = f->closed.budget = budget;
  segments_init(&f->place, budget, BUDGET_OPEN, sizeof(uint32_t), 1024);
  if (!cache_begin(&f->cache, config)) {
    close_it(f);
    return NULL;
  }
  config->tree->hooks =
      (struct tdtree_hooks){.context = f,
                            .matched = config->strategy->counted > 0 ? matched : NULL,
                            .closed = closed,
                            .leaves = leaves};
  return f;
}

/* What is being expanded is of the class `now`. Initial states wait for resume(). */
static bool added(struct forget *f, uint32_t node, uint32_t pred, const uint8_t *row,
                  uint32_t length, bool *later) {
  uint64_t key = measure_of(f->cache.config.progress, row, length);
  *later = true;
  if (pred == TDTREE_NONE || key > f->now)
    return heap_add(&f->later, key, node);
  if (key == f->now) {
    *later = false;
    if (++f->members > f->widest)
      f->widest = f->members;
    return true;
  }
  tdtree_at(f->cache.config.tree, node)->flags |= TDTREE_PERSISTENT;
  f->persistent++;
  return node_list_add(&f->roots, node);
}

/* Forgets the closed states of the class. */
static void end_class(struct forget *f) {
  struct tdtree *tree = f->cache.config.tree;
  for (uint64_t i = 0; i < f->closed.n; i++) {
    struct tdtree_node *at = tdtree_at(tree, f->closed.at[i]);
    at->flags &= (uint8_t)~TDTREE_LISTED;
    if (at->flags & TDTREE_PERSISTENT)
      continue;
    uint64_t ref = tdtree_unpin(tree, f->closed.at[i]);
    if (ref != STORE_NONE)
      cache_forget(&f->cache, ref);
  }
  f->closed.n = 0;
  cache_drop(&f->cache, UINT64_MAX);
  f->members = 0;
}

static bool begin_round(struct forget *f) {
  const struct forget_config *config = &f->cache.config;
  for (uint64_t i = 0; i < f->roots.n; i++) {
    uint32_t node = f->roots.at[i];
    uint32_t length = tdtree_state(config->tree, node, f->cache.row);
    if (!heap_add(&f->later, measure_of(config->progress, f->cache.row, length), node))
      return false;
  }
  f->rounds += f->roots.n > 0;
  f->roots.n = 0;
  return true;
}

/* The next class. */
static enum forget_resumed resume(struct forget *f, bool (*add)(void *, uint32_t),
                                  void *context) {
  end_class(f);
  f->rounds += !f->began;
  f->began = true;
  if (f->later.n == 0 && !begin_round(f))
    return FORGET_SPENT;
  if (f->later.n == 0)
    return FORGET_DONE;
  f->now = heap_first(&f->later).key;
  for (; f->later.n > 0 && heap_first(&f->later).key == f->now; f->members++) {
    uint32_t node = heap_first(&f->later).node;
    heap_take(&f->later);
    if (!add(context, node))
      return FORGET_SPENT;
  }
  f->widest = f->members > f->widest ? f->members : f->widest;
  return FORGET_MORE;
}

/* All candidates are of the class: those of the one before went when it ended. */
static uint64_t drop(struct forget *f, uint64_t n) {
  uint64_t dropped = cache_drop(&f->cache, n);
  f->members -= dropped < f->members ? dropped : f->members;
  return dropped;
}

/* Where a closed node is in its list is found out anew. */
static bool pass(struct forget *f, struct sink *sink) {
  sink_section(sink, "sweep-line");
  uint64_t *const number[] = {&f->now, &f->members, &f->persistent, &f->widest, &f->rounds};
  for (uint32_t i = 0; i < sizeof number / sizeof *number; i++)
    sink_pass(sink, number[i], sizeof *number[i]);
  sink_pass(sink, &f->began, sizeof f->began);
  if (!candidates_pass(f->cache.candidates, sink) || !heap_pass(&f->later, sink) ||
      !node_list_pass(&f->roots, sink) || !node_list_pass(&f->closed, sink))
    return false;
  for (uint64_t i = 0; i < f->closed.n && sink_is_read(sink); i++) {
    if (segments_make(&f->place, f->closed.at[i]) == NULL)
      return false;
    *place_of(f, f->closed.at[i]) = (uint32_t)i;
  }
  return true;
}

static uint32_t bits(const struct ts_shape *shape, const struct search_options *options) {
  (void)shape;
  return options->forget.strategy->counted;
}

static void report(const struct forget *f, struct search_figures *figures) {
  figures->sweep.is_used = true;
  figures->sweep.persistent = f->persistent;
  figures->sweep.widest_class = f->widest;
  figures->sweep.rounds = f->rounds;
}

const struct forget_kind forget_sweep_line = {
    .name = "sweep-line",
    .summary = "states of less progress than all open ones go",
    .traits = FORGET_CLASSES | FORGET_DROPS,
    .bits = bits,
    .open = open_it,
    .close = close_it,
    .added = added,
    .drop = drop,
    .pass = pass,
    .resume = resume,
    .report = report,
};
