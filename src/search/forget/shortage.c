/* shortage.c - what goes where memory is short, of states that else go once nothing leads to
 * them any more.
 *
 * Parashkevov and Yantchev ("Space efficient reachability analysis through use of pseudo-root
 * states", section 3.3) let pending states go whose counter is not 0, since they are certain to
 * be reached again, and then closed ones, as in state caching.
 *
 * *Open states.* A counter alone makes nothing certain: the state before may be one that is
 * never reached, or only through the one that goes. What makes it certain is that an event of
 * another state leads here which is stored, open, and of which nothing was fired yet. When that
 * one is expanded the event comes, and finds a new state. Should it go itself before, then
 * because of a third one that leads to it. So at any time each state that went and has not come
 * back is reached by a path from a stored open state through states that went and have
 * not come back: taking one more out prolongs paths, and expanding the first state of a path
 * brings back the second one. None has been expanded, so each state is still visited once.
 * Breadth-first, one of the next level goes if one of the level in hand leads to it: it comes
 * back at the same depth, and errors are still the nearest ones. (Open states are of these two
 * levels, so a bit says of which.)
 *
 * *Closed states.* When no such state is found any more, the search goes on as state caching,
 * from what it has, in any order: Evangelista and Kristensen, "Search-order independent state
 * caching". All closed states may go that are stored at that moment. From then on the states of
 * the tree stay that were closed later. Then the search ends: of those that were open at that
 * moment there are finitely many, and what is reached from each of them is a tree of which no
 * path has a state twice, for all states of the path are stored when it is prolonged. A counter
 * may come to 0 too early now, since events come more than once, so it only says which state
 * goes first: that to which the fewest events are still to come. It goes at once, when it
 * leaves the tree, if that is none.
 */
#include "search/forget/shortage.h"

#include "search/frontier/frontier.h"

#include "ts/hash.h"

/* Nodes that are looked at for one open state that may go; then there are too few. */
enum { LOOKS = 256 };

static bool is_used(const struct shortage *s) {
  return s->once->config.tree != NULL;
}

bool shortage_begin(struct shortage *s, const struct once *once, uint64_t most) {
  const struct forget_config *config = &once->config;
  *s = (struct shortage){.once = once, .most = most};
  s->by_levels = (config->order->traits & FRONTIER_SHORTEST) != 0;
  if (!is_used(s))
    return true;
  s->bits = budget_alloc(config->budget, BUDGET_STORE, STORE_DRAIN * sizeof *s->bits);
  return s->bits != NULL && rows_open(&s->rows, config->shape, config->budget, STORE_DRAIN);
}

void shortage_end(struct shortage *s) {
  if (s->once == NULL || !is_used(s))
    return;
  struct budget *budget = s->once->config.budget;
  budget_free(budget, BUDGET_STORE, s->bits, STORE_DRAIN * sizeof *s->bits);
  if (s->rows.bytes > 0)
    rows_close(&s->rows, budget);
  if (s->is_on)
    cache_end(&s->cache);
}

static uint64_t counter_of(const struct shortage *s, uint64_t bits) {
  return bits >> SHORTAGE_SHIFT & s->most;
}

static bool forget(const struct shortage *s, uint64_t ref) {
  return once_forget(s->once, ref, once_hash(s->once, ref, NULL, 0));
}

uint64_t shortage_bits(const struct shortage *s, uint64_t node) {
  if (!is_used(s) || node == STORE_NONE)
    return 0;
  uint32_t depth = tdtree_at(s->once->config.tree, tdtree_node(node))->depth;
  return depth % 2 != 0 ? SHORTAGE_ODD : 0;
}

void shortage_note_open(struct shortage *s) {
  const struct tdtree *tree = s->once->config.tree;
  uint64_t least = UINT64_MAX;
  uint32_t cursor = 0;
  for (uint64_t left = tree->n; left > 0; left--) {
    uint32_t node = tdtree_next_open(tree, &cursor);
    const struct tdtree_node *at = tdtree_at(tree, node);
    once_set_bits(s->once, at->ref, once_bits(s->once, at->ref) | shortage_bits(s, node));
    least = at->depth < least ? at->depth : least;
  }
  s->level = least; /* whose states are fired next */
}

void shortage_note_fired(struct shortage *s, uint32_t node) {
  const struct tdtree_node *at = tdtree_at(s->once->config.tree, node);
  s->level = at->depth;
  once_set_bits(s->once, at->ref, once_bits(s->once, at->ref) | SHORTAGE_FIRED);
}

/* ---- open states ------------------------------------------------------------------- */

/* Whether a state with these bits is open and was not fired; by levels, one of the level in
 * hand. */
static bool will_be_fired(const struct shortage *s, uint64_t bits) {
  return (bits & (SHORTAGE_CLOSED | SHORTAGE_FIRED)) == 0 &&
         (!s->by_levels || (s->level % 2 != 0) == ((bits & SHORTAGE_ODD) != 0));
}

/* Whether an event leads to this state from another one that will be fired. */
static bool is_certain(struct shortage *s, uint64_t ref) {
  const struct forget_config *config = &s->once->config;
  struct rows *rows = &s->rows;
  struct ts_event cursor = {0, 0};
  uint32_t length = config->store_kind->get(config->work, ref, s->once->row);
  rows->batch.n = 0;
  ts_code(config->ts)->predecessors(config->ts, s->once->row, length, &cursor, &rows->batch);
  uint32_t n = rows->batch.n;
  for (uint32_t i = 0; i < n; i++)
    rows->hash[i] =
        hash_finish(hash_raw(config->hash, rows_at(rows, i), rows->batch.edge[i].length));
  config->store_kind->find(config->work, rows, 0, n);
  for (uint32_t i = 0; i < n; i++)
    if (rows->answer[i] == STORE_OLD && rows->ref[i] != ref &&
        will_be_fired(s, once_bits(s->once, rows->ref[i])))
      return true;
  return false;
}

static bool may_go(struct shortage *s, const struct tdtree_node *at) {
  uint64_t ref = at->ref;
  if (ref == STORE_NONE || (s->by_levels && at->depth <= s->level))
    return false;
  uint64_t bits = once_bits(s->once, ref);
  return (bits & (SHORTAGE_CLOSED | SHORTAGE_FIRED)) == 0 && counter_of(s, bits) > 0 &&
         is_certain(s, ref);
}

static uint64_t drop_open(struct shortage *s, uint64_t n) {
  const struct forget_config *config = &s->once->config;
  struct tdtree *tree = config->tree;
  uint64_t dropped = 0;
  if (ts_code(config->ts)->predecessors == NULL || config->reduces)
    return 0;
  for (uint32_t looks = 0; looks < LOOKS && dropped < n; looks++) {
    uint32_t node = tdtree_next_open(tree, &s->cursor);
    if (node == TDTREE_NONE)
      return dropped;
    struct tdtree_node *at = tdtree_at(tree, node);
    if (!may_go(s, at) || !forget(s, at->ref))
      continue;
    tdtree_unpin(tree, node);
    at->flags |= TDTREE_DROPPED;
    config->figures->forgetting.dropped++;
    dropped++;
    looks = 0;
  }
  return dropped;
}

/* ---- closed states ----------------------------------------------------------------- */

/* The hook: a node leaves the tree. Of those closed before there was a shortage the state is a
 * candidate already, or gone. */
static bool leaves(void *context, uint32_t node) {
  struct shortage *s = context;
  return cache_take_over(&s->cache, node);
}

static bool turn_on(struct shortage *s) {
  const struct forget_config *config = &s->once->config;
  if (!cache_begin(&s->cache, config)) {
    cache_end(&s->cache);
    return false;
  }
  s->is_on = true;
  config->tree->hooks = (struct tdtree_hooks){.context = s, .leaves = leaves};
  config->figures->forgetting.caches = true;
  return true;
}

/* All closed states become candidates, as far as there is memory to say so. */
static bool gather(struct shortage *s) {
  const struct forget_config *config = &s->once->config;
  const struct strategy_facts facts = {0}; /* nothing is known of them */
  const uint32_t rank = strategy_rank(config->strategy, &facts);
  uint64_t cursor = 0;
  if (!turn_on(s))
    return false;
  for (uint32_t n;
       (n = config->store_kind->each(config->work, &cursor, &s->rows, s->bits)) > 0;)
    for (uint32_t i = 0; i < n; i++)
      if ((s->bits[i] & SHORTAGE_CLOSED) &&
          !candidates_add(s->cache.candidates, rank, s->rows.ref[i]))
        return true;
  return true;
}

uint64_t shortage_drop(struct shortage *s, uint64_t n) {
  uint64_t dropped = 0;
  if (!is_used(s))
    return 0;
  if (!s->is_on) {
    dropped = drop_open(s, n);
    if (dropped > 0 || !gather(s))
      return dropped;
  }
  dropped = cache_drop(&s->cache, n);
  return dropped > 0 ? dropped : drop_open(s, n);
}

bool shortage_pass(struct shortage *s, struct sink *sink) {
  bool on = s->is_on;
  sink_pass(sink, &on, sizeof on);
  sink_pass(sink, &s->level, sizeof s->level);
  sink_pass(sink, &s->cursor, sizeof s->cursor);
  if (!on || !sink_is_fine(sink))
    return sink_is_fine(sink);
  if (!is_used(s) || (!s->is_on && !turn_on(s)))
    return false;
  return candidates_pass(s->cache.candidates, sink);
}
