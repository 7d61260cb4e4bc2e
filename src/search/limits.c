/* limits.c - when to give up, and what to say meanwhile.
 *
 * The clock is read every few thousand events, or more often where events are
 * slow: the step adapts so that some milliseconds pass between two looks.
 */
#include "search/run.h"

#include "base/clock.h"
#include "search/tree/distinct.h"

enum { FIRST_STEP = 64, LEAST_STEP = 1, MOST_STEP = 1 << 14 };
static const double PROGRESS_SECONDS = 0.1, LONG_SECONDS = 0.02, SHORT_SECONDS = 0.002;

void run_limits_begin(struct run *run) {
  run->began = run->checked = clock_now();
  run->next_progress = run->began + PROGRESS_SECONDS;
  run->check_step = run->next_check = FIRST_STEP;
}

void run_limit(struct run *run, enum search_limit limit) {
  if (run->result->limit == SEARCH_NO_LIMIT || limit == SEARCH_PLACES)
    run->result->limit = limit;
  bool goes_on = limit == SEARCH_CYCLE && run->options->reduce.forced;
  if (limit != SEARCH_MAX_DEPTH && !goes_on)
    run->stop = true;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* How many different states there were among those that were new when they came: at least as
 * many as were stored at a time. As many as are above that were expanded again, as far as they
 * were expanded, and forgotten before. */
static void estimate_met(struct run *run) {
  struct search_figures *figures = run->figures;
  struct search_forgetting *f = &figures->forgetting;
  uint64_t met = run->found;
  if (f->states > 0 && run->distinct != NULL)
    met = least(distinct_count(run->distinct), run->found);
  f->met = met > figures->peak.stored ? met : figures->peak.stored;
  f->revisited =
      least(least(run->found - least(f->met, run->found), f->states), figures->visited);
}

/* How often states were visited, on average, is above the limit. */
static bool visits_too_often(struct run *run) {
  uint64_t most = run->options->limit.visits_per_state, visited = run->figures->visited;
  if (most == 0 || run->forget == NULL || visited < SEARCH_FEW_VISITS)
    return false;
  estimate_met(run);
  return visited / most >= run->figures->forgetting.met;
}

void run_figures(struct run *run) {
  struct search_figures *figures = run->figures;
  figures->seconds = clock_now() - run->began;
  if (run->store != NULL) {
    run->store_kind->usage(run->store, &figures->memory.store);
    figures->expected_wrong_matches = run->wrong_before + figures->memory.store.wrong_matches;
  }
  figures->peak.tree = run->tree.peak;
  if (run->forget != NULL)
    estimate_met(run);
  if (run->forget != NULL && (run->options->forget.kind->traits & FORGET_CLASSES))
    run->options->forget.kind->report(run->forget, figures);
  uint64_t open = budget_used(run->budget, BUDGET_OPEN);
  uint64_t parents = budget_used(run->budget, BUDGET_PARENTS);
  figures->memory.open = open > figures->memory.open ? open : figures->memory.open;
  figures->memory.parents =
      parents > figures->memory.parents ? parents : figures->memory.parents;
  figures->memory.resident = budget_peak_resident();
  if (run->frontier != NULL)
    run->order->report(run->frontier, figures);
}

void run_check_limits(struct run *run) {
  const struct search_options *options = run->options;
  double now = clock_now(), passed = now - run->checked;
  run->checked = now;
  if (passed > LONG_SECONDS && run->check_step > LEAST_STEP)
    run->check_step /= 2;
  else if (passed < SHORT_SECONDS && run->check_step < MOST_STEP)
    run->check_step *= 2;
  run->next_check = run->work + run->check_step;
  if (visits_too_often(run))
    run_limit(run, SEARCH_REVISITS);
  if (options->limit.seconds > 0 && now - run->began >= options->limit.seconds)
    run_limit(run, SEARCH_TIME);
  if (options->progress != NULL && now >= run->next_progress) {
    run->next_progress = now + PROGRESS_SECONDS;
    run_figures(run);
    if (!options->progress(options->context, run->figures))
      run_limit(run, SEARCH_INTERRUPTED);
  }
}
