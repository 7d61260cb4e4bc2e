/* in_degree.c - states go when as many events have led to them as there are.
 *
 * Miller and Katz, "Saving space by fully exploiting invisible transitions" (CAV 1996), as
 * section 5.3 of Parashkevov and Yantchev tells it ("Space efficient reachability analysis
 * through use of pseudo-root states", 1997). A first search (first.c) counts, for each state,
 * the events that lead to it, in hashed counters (counters.h), which states share. In the
 * second one each event takes one off. When a closed state's counter is used up no event leads
 * to it any more, nor to any other state of that counter, and it goes.
 *
 * Where both searches fire the same events, every state is visited once: it goes after the last
 * event that leads to it. States that share a counter stay until it is used up, or, if it was
 * by an event that led to another one of them, to the end.
 *
 * Nothing is lost where they do not, be it that the store of the first search took a new state
 * for an old one, that it hit a limit, or that a reduction chose other events:
 *   - Counted too much: the counter is never used up, and its states stay.
 *   - Counted too little: a state may go before an event leads to it once more. This event
 *     finds the counter used up. The state is new then and is expanded again, and the counter
 *     is full from now on, so the state stays. So each state goes at most once, and is visited
 *     at most twice: all states are visited, and the search ends.
 */
#include "search/forget/counters.h"
#include "search/forget/once.h"

struct forget {
  struct once once;
  struct counters *counters; /* of the first search, or, where a search is resumed, */
  struct counters own;
  uint64_t uncounted; /* events that came to a counter that was used up */
};

enum { CLOSED = 1, BITS = 1 };

static void close_it(struct forget *f) {
  struct budget *budget = f->once.config.budget;
  counters_close(&f->own);
  once_end(&f->once);
  budget_free(budget, BUDGET_STORE, f, sizeof *f);
}

static struct forget *open_it(const struct forget_config *config) {
  struct forget *f = budget_alloc(config->budget, BUDGET_STORE, sizeof *f);
  if (f == NULL)
    return NULL;
  bool fine = once_begin(&f->once, config);
  f->counters = config->counters != NULL ? config->counters : &f->own;
  if (config->counters == NULL)
    fine = counters_open(&f->own, config->parameter, config->budget) && fine;
  if (fine)
    return f;
  close_it(f);
  return NULL;
}

static void answered(struct forget *f, const struct rows *rows, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    uint64_t hash = rows->hash[i];
    bool counted = counters_use(f->counters, hash);
    f->uncounted += !counted; /* also to a stored state: from now on no other one is noticed */
    if (rows->answer[i] == STORE_OLD && counted && counters_are_used_up(f->counters, hash) &&
        (once_bits(&f->once, rows->ref[i]) & CLOSED))
      once_forget(&f->once, rows->ref[i], hash);
  }
}

static void closed(struct forget *f, uint64_t ref, const uint8_t *row, uint32_t length) {
  uint64_t hash = once_hash(&f->once, ref, row, length);
  if (counters_are_used_up(f->counters, hash))
    once_forget(&f->once, ref, hash);
  else
    once_set_bits(&f->once, ref, CLOSED);
}

static void prefetch(const struct forget *f, const uint64_t *hash, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    __builtin_prefetch(counters_of(f->counters, hash[i]), 1);
}

static uint32_t bits(const struct ts_shape *shape, const struct search_options *options) {
  (void)shape;
  (void)options;
  return BITS;
}

static bool pass(struct forget *f, struct sink *sink) {
  sink_pass(sink, &f->uncounted, sizeof f->uncounted);
  return counters_pass(f->counters, sink);
}

static void report(const struct forget *f, struct search_figures *figures) {
  const struct counters_cost *cost = &f->counters->cost;
  figures->forgetting.uncounted = f->uncounted;
  struct search_first *first = &figures->first;
  first->is_used = true;
  first->is_whole = cost->is_whole;
  first->visited = cost->visited;
  first->events = cost->events;
  first->seconds = cost->seconds;
  first->bytes = counters_bytes(f->counters);
}

const struct forget_kind forget_in_degree = {
    .name = "in-degree",
    .summary = "states go after the last event that leads to them; a first search counts",
    .traits = FORGET_ONCE | FORGET_COUNTS,
    .argument = "BITS",
    .argument_means = "2^BITS counters of a byte each",
    .least = COUNTERS_LEAST,
    .most = COUNTERS_MOST,
    .bits = bits,
    .open = open_it,
    .close = close_it,
    .answered = answered,
    .closed = closed,
    .prefetch = prefetch,
    .pass = pass,
    .report = report,
};
