/* limits.c - when to give up, and what to say meanwhile.
 *
 * The clock is read every few thousand events, or more often where events are
 * slow: the step adapts so that some milliseconds pass between two looks.
 */
#include "search/core.h"

#include "base/clock.h"
#include "search/tree/tree.h"

enum { FIRST_STEP = 64, LEAST_STEP = 1, MOST_STEP = 1 << 14 };
static const double PATIENCE_SECONDS = 2, PROGRESS_SECONDS = 0.1, LONG_SECONDS = 0.02,
                    SHORT_SECONDS = 0.002;

void worker_begin_clock(struct worker *w) {
  struct worker_clock *clock = &w->clock;
  clock->checked = clock_now();
  clock->next_progress = clock->checked + PROGRESS_SECONDS;
  clock->step = clock->next = FIRST_STEP;
  clock->next_checkpoint = clock->checked + w->search->options->checkpoint.seconds;
}

/* What only the parts know. */
static void ask_parts(struct search *s, struct search_figures *figures) {
  struct worker *w = s->worker;
  figures->seconds = s->before + (clock_now() - s->began);
  if (s->store != NULL) {
    s->store_kind->usage(s->store, &figures->memory.store);
    figures->expected_wrong_matches =
        s->moving.wrong_before + figures->memory.store.wrong_matches;
  }
  tree_report(s, figures);
  uint64_t open = budget_used(s->budget, BUDGET_OPEN);
  uint64_t parents = budget_used(s->budget, BUDGET_PARENTS);
  figures->memory.open = open > figures->memory.open ? open : figures->memory.open;
  figures->memory.parents =
      parents > figures->memory.parents ? parents : figures->memory.parents;
  figures->memory.resident = budget_peak_resident();
  if (w->frontier != NULL)
    w->order->report(w->frontier, figures);
}

/* With several workers their figures are to be added up here. */
void search_report(struct search *s) {
  ask_parts(s, &s->worker->figures);
  s->result->figures = s->worker->figures;
}

/* Ends the search, but not before it was saved, if that can be soon. */
static void end(struct worker *w, enum search_limit limit, double now) {
  struct worker_clock *clock = &w->clock;
  if (w->search->options->checkpoint.write == NULL ||
      (clock->ending != SEARCH_NO_LIMIT && now >= clock->ends_by)) {
    search_limit(w->search, limit);
  } else if (clock->ending == SEARCH_NO_LIMIT) {
    clock->ending = limit;
    clock->ends_by = now + PATIENCE_SECONDS;
    w->attention = true;
  }
}

void worker_check_limits(struct worker *w) {
  struct search *s = w->search;
  const struct search_options *options = s->options;
  struct worker_clock *clock = &w->clock;
  double now = clock_now(), passed = now - clock->checked;
  clock->checked = now;
  if (passed > LONG_SECONDS && clock->step > LEAST_STEP)
    clock->step /= 2;
  else if (passed < SHORT_SECONDS && clock->step < MOST_STEP)
    clock->step *= 2;
  clock->next = clock->work + clock->step;
  if (tree_is_revisited(w))
    search_limit(s, SEARCH_REVISITS);
  if (options->limit.seconds > 0 && now - s->began >= options->limit.seconds)
    end(w, SEARCH_TIME, now);
  if (options->progress != NULL && now >= clock->next_progress) {
    clock->next_progress = now + PROGRESS_SECONDS;
    search_report(s);
    if (!options->progress(options->context, &s->result->figures))
      end(w, SEARCH_INTERRUPTED, now);
  }
}

/* From within a signal handler: nothing but plain numbers. */
bool worker_asks_to_stop(void *worker) {
  struct worker *w = worker;
  const double now = clock_now(), seconds = w->search->options->limit.seconds;
  const bool is_late = seconds > 0 && now - w->search->began >= seconds;
  if (!is_late && !clock_stop_requested())
    return false;
  end(w, is_late ? SEARCH_TIME : SEARCH_INTERRUPTED, now);
  w->is_cut = w->search->stop;
  return w->is_cut;
}
