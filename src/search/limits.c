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

void run_figures(struct run *run) {
  struct search_figures *figures = run->figures;
  figures->seconds = clock_now() - run->began;
  if (run->store != NULL) {
    run->store_kind->usage(run->store, &figures->memory.store);
    figures->expected_wrong_matches = run->wrong_before + figures->memory.store.wrong_matches;
  }
  figures->peak.tree = run->tree.peak;
  if (run->distinct != NULL) {
    uint64_t distinct = distinct_count(run->distinct);
    figures->forgetting.revisited =
        figures->visited > distinct ? figures->visited - distinct : 0;
    if (figures->forgetting.revisited >
        figures->forgetting.states) /* none is met again that was not forgotten */
      figures->forgetting.revisited = figures->forgetting.states;
  }
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
  if (options->limit.visits > 0 && run->figures->visited >= options->limit.visits)
    run_limit(run, SEARCH_MAX_VISITS);
  if (options->limit.seconds > 0 && now - run->began >= options->limit.seconds)
    run_limit(run, SEARCH_TIME);
  if (options->progress != NULL && now >= run->next_progress) {
    run->next_progress = now + PROGRESS_SECONDS;
    run_figures(run);
    if (!options->progress(options->context, run->figures))
      run_limit(run, SEARCH_INTERRUPTED);
  }
}
