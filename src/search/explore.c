/* explore.c - every state once, in whatever order: the engine of most searches.
 *
 * This is the general state exploring algorithm of Evangelista and Kristensen
 * ("Search-order independent state space caching", figure 1) with its inner
 * step cut in two: firing events and looking their targets up are apart, so
 * that look-ups can be batched. Which state is expanded, and when its
 * successors are looked up, is the order's business.
 *
 *   while rows are ready or states are open
 *     ready rows: ask the store, tell the order
 *     else the next open state: fire its events, hand the rows to the order
 *
 * With the first error the search ends, but in breadth-first order not quite
 * at once: rows found before it are looked up, and if it comes after an event of
 * the level being expanded, a deadlock of this level would be shorter.
 *
 * The hot path, with step.c. Measured with bench/search_bench.c on models of 14 to 20 bytes
 * and 6 to 12 million states, in parts of the processor time of an event: breadth-first, the
 * store takes 65 to 75 % (waiting for its index and its vectors), clearing fresh
 * pages 8 to 10 %, hashing and packing 8 %, the loop with bfs.c 6 %, and the
 * compiled model the rest; depth-first, the store takes 75 to 80 %, for its look-ups
 * overlap only within one state, and the loop with dfs.c 9 %. With vectors of 343
 * bytes a quarter goes to clearing pages. So there is little to be won here but by
 * asking earlier; batches of 48 to 192 rows made no difference.
 */
#include "search/engine.h"

#include "search/core.h"
#include "search/step.h"
#include "search/tree/tree.h"

/* The store is about to be asked about rows: fires the state that is most likely next, so that
 * what its successors need of the store is on its way, or asks for rows that come soon. */
static void fire_ahead(struct worker *w, struct open_range *range) {
  uint64_t hash[FRONTIER_SOON];
  struct open open;
  uint32_t i = step_guess(w, range);
  if (i < range->to) {
    w->order->likely(w->frontier, range, i, &open);
    step_ahead(w, &open);
  } else {
    uint32_t n = w->order->soon(w->frontier, hash);
    w->search->store_kind->prefetch(w->store, hash, n);
  }
}

/* Whether events of the state that is fired next may be left out by what the store answers
 * then: it is not fired ahead. */
static bool next_asks(const struct worker *w) {
  return w->asks_to_fire && (!w->worth.idle || w->worth.turn % w->worth.sample == 0);
}

static void ask(struct worker *w, struct open_range *range) {
  struct search *s = w->search;
  bool ahead = (w->order->traits & FRONTIER_AHEAD) && (s->store_kind->has & STORE_GUESSES) &&
               !next_asks(w);
  if (ahead && range->ask == OPEN_FIRST && range->from < range->to)
    fire_ahead(w, range);
  step_ask(w, range);
  if (__builtin_expect(s->result->cut_in_move, 0))
    return; /* what the rows say of states that are lost is of no use */
  w->asked = range;
  if (!w->order->settled(w->frontier, range))
    search_limit(s, SEARCH_MEMORY);
  w->asked = NULL;
  if (__builtin_expect(w->figures.stored >= s->moving.at, 0) && !s->stop)
    search_move(s, NULL, 0, 0);
}

static void expand(struct worker *w, struct open *open) {
  struct rows *rows = open->into;
  if (__builtin_expect(tree_has_dropped(w->search, open), 0)) {
    if (!w->order->push(w->frontier, open, rows->batch.n, true))
      search_limit(w->search, SEARCH_MEMORY);
    return;
  }
  uint64_t most = w->search->options->limit.visits;
  if (most != 0 && w->figures.visited >= most && open->number != STORE_NONE &&
      !open_is_noted(open)) {
    search_limit(w->search, SEARCH_MAX_VISITS);
    return;
  }
  uint32_t from = rows->batch.n;
  bool more = step_fire(w, open);
  if (w->order->traits & FRONTIER_GATHERS) /* until it is asked, it has come into the caches */
    w->search->store_kind->prefetch(w->store, rows->hash + from, rows->batch.n - from);
  if (!w->order->push(w->frontier, open, from, !more))
    search_limit(w->search, SEARCH_MEMORY);
}

void engine_explore_flush(struct worker *w) {
  struct open_range range;
  while (!w->search->stop && w->order->ready(w->frontier, true, &range))
    ask(w, &range);
}

/* The first error was found: asks about what was fired before it, then looks for a deadlock
 * that is nearer than the error found. */
static void finish_first_error(struct worker *w) {
  struct search *s = w->search;
  const struct frontier_kind *order = w->order;
  struct open_range range;
  struct open open;
  if (!(order->traits & FRONTIER_SHORTEST))
    return;
  if (!s->stop && order->ready(w->frontier, true, &range))
    ask(w, &range);
  if (!s->options->deadlock_is_error)
    return;
  while (!s->stop && order->next(w->frontier, &open) && open.number != STORE_NONE &&
         open.depth < s->found.length) {
    if (!tree_has_dropped(s, &open))
      step_check_deadlock(w, &open);
    if (++w->clock.work >= w->clock.next)
      worker_check_limits(w);
    if (!order->push(w->frontier, &open, 0, true))
      return;
  }
}

/* Between two expansions, now and then. */
static void look_around(struct worker *w) {
  if (w->clock.work >= w->clock.next) {
    worker_check_limits(w);
    tree_look(w);
    search_move_if_due(w->search);
  }
  if (w->attention) {
    w->attention = false;
    tree_attend(w);
    if (w->engine->attend != NULL)
      w->engine->attend(w);
  }
  worker_checkpoint(w);
}

void engine_explore_run(struct worker *w) {
  struct search *s = w->search;
  struct open_range range;
  struct open open;
  w->attention = s->options->checkpoint.visits > 0;
  while (!s->stop && !search_is_decided(s)) {
    if (w->order->ready(w->frontier, false, &range))
      ask(w, &range);
    else if (w->order->next(w->frontier, &open))
      expand(w, &open);
    else if (!tree_resume(w))
      break;
    if (w->clock.work >= w->clock.next || w->attention)
      look_around(w);
  }
  if (search_is_decided(s))
    finish_first_error(w);
}

const struct engine engine_explore = {.name = "explore",
                                      .summary = "every state once",
                                      .needs = ENGINE_ORDER,
                                      .run = engine_explore_run};
