/* pilot.c - what the states would take in other stores, found out by searching for them again.
 *
 * A pilot is the same search with another store, up to as many states as there were, or to a
 * half of them, a quarter, and so on, if these are more than a million or it takes too long.
 * All pilots together take some seconds, where the search before them has filled the memory.
 */
#include "search/move/curve.h"
#include "search/move/estimate.h"

#include "base/clock.h"

enum {
  PILOT_MOST = 1 << 20, /* states that are searched for */
  PILOT_LEAST = 512     /* for fewer there is no estimate */
};

static const double PILOT_SECONDS = 3; /* of all pilots together */

static bool goes_on(void *context, const struct search_figures *figures) {
  (void)context;
  (void)figures;
  return !clock_stop_requested();
}

static void try_kind(const struct ts *ts, const struct search_options *options,
                     const struct store_kind *kind, struct curve *curve, double seconds,
                     struct budget *budget) {
  struct search_result found;
  struct search_options pilot = {.order = options->order,
                                 .reduce = options->reduce,
                                 .limit.states = curve->states,
                                 .limit.seconds = seconds,
                                 .keep_going = true,
                                 .seed = options->seed,
                                 .progress = goes_on,
                                 .growth = curve};
  if (kind == options->store.kind)
    pilot.store.rebuild = options->store.rebuild;
  pilot.store.kind = kind;
  while (pilot.limit.states > PILOT_MOST)
    pilot.limit.states /= 2;
  budget_trim(); /* what the one before has given back */
  search_run_once(ts, &pilot, budget, &found);
  search_result_free(&found);
}

/* After a search that ended for want of memory, and was closed: fills result->estimate with
 * what each store that grows would take for the states that it found. Else does nothing. */
static void send_pilots(const struct ts *ts, const struct search_options *options,
                        struct search_result *result) {
  const struct search_figures *f = &result->figures;
  const bool is_short = result->limit == SEARCH_MEMORY ||
                        (result->limit == SEARCH_TREE && options->forget.cache_size == 0);
  const uint64_t states = f->forgetting.is_used ? f->forgetting.reached : f->stored;
  const double end = clock_now() + PILOT_SECONDS;
  uint32_t left = 0;
  if (!is_short || states < PILOT_LEAST)
    return;
  for (uint32_t i = 0; store_kinds[i] != NULL; i++)
    left += !store_kinds[i]->sized;
  result->n_estimates = 0;
  for (uint32_t i = 0; store_kinds[i] != NULL && !clock_stop_requested(); i++) {
    const double seconds = end - clock_now();
    struct curve curve;
    if (seconds <= 0) /* which would be no limit */
      break;
    if (store_kinds[i]->sized || result->n_estimates == SEARCH_MOST_ESTIMATES)
      continue;
    curve_begin(&curve, store_kinds[i], states);
    try_kind(ts, options, store_kinds[i], &curve, seconds / left--, result->budget);
    if (curve_seen(&curve) > 0)
      search_add_estimate(result, store_kinds[i], &curve);
  }
}

void search_run(const struct ts *ts, const struct search_options *options,
                struct budget *budget, struct search_result *result) {
  search_run_once(ts, options, budget, result);
  send_pilots(ts, options, result);
}
