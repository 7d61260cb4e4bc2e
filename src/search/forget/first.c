/* first.c - the first of two searches.
 *
 * It asks nothing of the second one's memory but the counters: its states are hash-compacted.
 * So a few may be missed, and with them the events that they fire; what comes of that is said
 * in in_degree.c. It goes in the same order with the same reduction, so that the same events
 * are fired, and ends where the second one will: with the first error, if that is enough.
 */
#include "search/forget/first.h"

#include "search/forget/forget.h"
#include "search/frontier/frontier.h"

#define FIRST_STORE "compact"

/* What is left of a limit in seconds, if there is one. */
static const double LEAST_SECONDS = 0.001;

bool first_is_needed(const struct search_options *options) {
  const struct forget_kind *kind = options->forget.kind;
  return kind != NULL && (kind->traits & FORGET_COUNTS) && options->checkpoint.resume == NULL;
}

/* The watch: events, when they have come to their targets. */
static uint32_t answered(void *context, struct rows *rows, uint32_t from, uint32_t to,
                         bool put) {
  const struct counters *counters = context;
  for (uint32_t i = from; i < to; i++)
    if (put || rows->answer[i] == STORE_OLD)
      counters_count(counters, rows->hash[i]);
  return to;
}

bool first_begin(struct first *first, const struct search_options *options,
                 struct budget *budget) {
  first->watch = (struct watch){.hears = WATCH_ANSWERED | WATCH_LOOKED,
                                .context = &first->counters,
                                .answered = answered};
  first->second = *options;
  first->second.forget.counters = &first->counters;
  first->options = *options;
  first->options.store = (struct search_store_options){.kind = store_by_name(FIRST_STORE),
                                                       .hash_bits = options->store.hash_bits};
  first->options.forget = (struct search_forget_options){0};
  first->options.checkpoint = (struct search_checkpoint_options){0};
  first->options.watch = &first->watch;
  first->options.visit = NULL;
  first->options.parents = false;
  first->options.growth = NULL;
  if (counters_open(&first->counters, options->forget.parameter, budget))
    return true;
  first->second.forget.counters = NULL; /* it will find no memory either, and says so */
  return false;
}

/* It was cut short where the clock or the user said so, and is not in the file of a search that
 * goes on: what goes on from such counters would not be the search that nobody disturbed. */
static bool is_cut(const struct search_result *result) {
  return result->limit == SEARCH_TIME || result->limit == SEARCH_INTERRUPTED;
}

void first_done(struct first *first, const struct search_result *result) {
  const struct search_figures *figures = &result->figures;
  double *seconds = &first->second.limit.seconds;
  first->counters.cost = (struct counters_cost){.visited = figures->visited,
                                                .events = figures->events,
                                                .seconds = figures->seconds,
                                                .is_whole = result->limit == SEARCH_NO_LIMIT};
  if (is_cut(result))
    first->second.checkpoint = (struct search_checkpoint_options){0};
  if (*seconds > 0)
    *seconds = *seconds > figures->seconds + LEAST_SECONDS ? *seconds - figures->seconds
                                                           : LEAST_SECONDS;
}

void first_end(struct first *first) {
  counters_close(&first->counters);
}
