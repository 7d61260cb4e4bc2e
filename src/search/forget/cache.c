/* cache.c - state caching: what left the tree of open states may go when room is needed.
 *
 * Evangelista and Kristensen, "Search-order independent state caching", figure 3. Lemma 1
 * there: the search ends after visiting all states, if those of the tree are kept. For
 * follow any cycle from the first of its states to become open: unless one of them is
 * found stored, each generates the next, so all of them are in the tree when the
 * last event of the cycle is fired, and its target is stored. So no path that the
 * search follows is longer than the longest without a repetition.
 *
 * A state that was forgotten is taken for new when it is revisited, and all events are
 * fired again; nothing is left out by that. In breadth-first order the first time that a
 * state is reached is still by a shortest path.
 *
 * The counter that some strategies want grows while a state is a candidate. So the
 * rank with which it became one may be too low; this is found out when its turn comes.
 */
#include "search/forget/cache.h"

struct forget {
  struct cache cache;
};

/* Numbers are small where there is memory for few states: each takes LEAST_STATE at least. */
static uint32_t ref_bytes(const struct forget_config *config) {
  enum { LEAST_STATE = 8 };
  if (!(config->store_kind->has & STORE_IDS))
    return 8;
  return budget_limit(config->budget) / LEAST_STATE < UINT32_MAX ? 4 : 5;
}

bool cache_begin(struct cache *c, const struct forget_config *config) {
  c->config = *config;
  c->candidates = candidates_open(config->budget, ref_bytes(config), config->seed);
  c->row = budget_alloc(config->budget, BUDGET_STORE, ts_stride(config->shape));
  return c->candidates != NULL && c->row != NULL;
}

void cache_end(struct cache *c) {
  candidates_close(c->candidates);
  budget_free(c->config.budget, BUDGET_STORE, c->row, ts_stride(c->config.shape));
}

static uint32_t count_of(const struct cache *c, uint64_t ref) {
  const struct forget_config *config = &c->config;
  return config->strategy->counted == 0 ? 0
                                        : (uint32_t)config->store_kind->bits(config->work, ref);
}

/* What a state would have to generate again: itself, and what its children told it. A share
 * that is not large is told to its parent. */
static uint32_t share_of(const struct cache *c, const struct tdtree_node *at) {
  uint32_t own = at->ref != STORE_NONE, share = at->load + own;
  if (share < c->config.strategy->share && at->pred != TDTREE_NONE)
    tdtree_count(&tdtree_at(c->config.tree, at->pred)->load, share);
  return share;
}

bool cache_take_over(struct cache *c, uint32_t node) {
  const struct forget_config *config = &c->config;
  const struct tdtree_node *at = tdtree_at(config->tree, node);
  if (at->flags & TDTREE_PERSISTENT)
    return true;
  uint32_t share = config->strategy->share > 0 ? share_of(c, at) : 0;
  if (at->ref == STORE_NONE)
    return true;
  if (config->strategy->from_closing)
    config->store_kind->set_bits(config->work, at->ref, 0);
  struct strategy_facts facts = {.depth = at->depth,
                                 .out_degree = at->degree,
                                 .entry = at->entry,
                                 .count = count_of(c, at->ref),
                                 .share = share};
  return candidates_add(c->candidates, strategy_rank(config->strategy, &facts), at->ref);
}

void cache_count(struct cache *c, uint64_t ref) {
  strategy_count(c->config.strategy, c->config.store_kind, c->config.work, ref);
}

bool cache_forget(struct cache *c, uint64_t ref) {
  const struct forget_config *config = &c->config;
  uint32_t length = config->store_kind->get(config->work, ref, c->row);
  uint64_t hash = hash_finish(hash_raw(config->hash, c->row, length));
  if (!config->store_kind->remove(config->work, ref, hash))
    return false;
  config->figures->stored--;
  config->figures->forgetting.states++;
  return true;
}

uint64_t cache_drop(struct cache *c, uint64_t n) {
  const struct strategy *strategy = c->config.strategy;
  uint64_t dropped = 0, ref;
  uint32_t rank;
  while (dropped < n && candidates_take(c->candidates, strategy->pick, &rank, &ref)) {
    uint32_t now =
        strategy->counted > 0 ? strategy_recount(strategy, rank, count_of(c, ref)) : rank;
    if (now > rank && candidates_add(c->candidates, now, ref))
      continue;
    dropped += cache_forget(c, ref);
  }
  return dropped;
}

static bool leaves(void *context, uint32_t node) {
  return cache_take_over(context, node);
}

static void matched(void *context, uint64_t ref) {
  cache_count(context, ref);
}

static void close_it(struct forget *f) {
  struct budget *budget = f->cache.config.budget;
  cache_end(&f->cache);
  budget_free(budget, BUDGET_STORE, f, sizeof *f);
}

static struct forget *open_it(const struct forget_config *config) {
  struct forget *f = budget_alloc(config->budget, BUDGET_STORE, sizeof *f);
  if (f == NULL)
    return NULL;
  if (!cache_begin(&f->cache, config)) {
    close_it(f);
    return NULL;
  }
  config->tree->hooks =
      (struct tdtree_hooks){.context = &f->cache,
                            .matched = config->strategy->counted > 0 ? matched : NULL,
                            .leaves = leaves};
  return f;
}

static uint64_t drop(struct forget *f, uint64_t n) {
  return cache_drop(&f->cache, n);
}

static bool adopt(struct forget *f, uint64_t ref, uint64_t depth, uint32_t entry,
                  uint32_t share) {
  struct strategy_facts facts = {
      .depth = depth, .entry = entry, .count = count_of(&f->cache, ref), .share = share};
  uint32_t rank = strategy_rank(f->cache.config.strategy, &facts);
  return candidates_add(f->cache.candidates, rank, ref);
}

static bool pass(struct forget *f, struct sink *sink) {
  return candidates_pass(f->cache.candidates, sink);
}

static uint32_t bits(const struct ts_shape *shape, const struct search_options *options) {
  (void)shape;
  return options->forget.strategy->counted;
}

const struct forget_kind forget_cache = {
    .name = "cache",
    .summary = "closed states without open descendants go when room is needed",
    .traits = FORGET_ADOPTS | FORGET_DROPS,
    .bits = bits,
    .open = open_it,
    .close = close_it,
    .adopt = adopt,
    .drop = drop,
    .pass = pass,
};
