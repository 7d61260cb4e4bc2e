/* search.c - a search from its opening to its verdict.
 *
 * The parts are opened, an engine runs (explore.c is the one to read first), and what came of
 * it is judged: the verdict is never better than the weakest part.
 */
#include "search/core.h"
#include "search/forget/first.h"
#include "search/forget/forget.h"
#include "search/move/estimate.h"
#include "search/open.h"
#include "search/rules_traits.h"
#include "search/tree/tree.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/guard.h"
#include "base/sink.h"

#include "ts/unmatched.h"

#include <assert.h>
#include <string.h>

/* The first store. */
static bool open_store(struct search *s) {
  const struct search_options *options = s->options;
  struct store_config config = {.parameter = options->store.parameter,
                                .size = options->store.size,
                                .hash_bits = options->store.hash_bits,
                                .rebuild = options->store.rebuild};
  if (options->checkpoint.resume != NULL)
    config = s->store_config;
  s->store_bits = s->store_kind->has & STORE_KEEPS_BITS ? s->worker->engine->bits : 0;
  if (options->forget.kind != NULL) {
    s->store_bits = options->forget.kind->bits(s->shape, options);
    config.recycles = true;
  }
  return search_open_store(s->worker, s->store_kind, &config, &s->store, &s->worker->store);
}

/* What the rows of events are to note. */
static bool open_notes(struct search *s) {
  const struct ts_shape *shape = s->shape;
  struct search_result *result = s->result;
  if (shape->n_truncations > 0) {
    result->truncated_bytes = shape->n_truncations * sizeof *result->truncated;
    result->truncated = budget_alloc(s->budget, BUDGET_OTHER, result->truncated_bytes);
    if (result->truncated == NULL)
      return false;
  }
  if (ts_notes(shape)->n_statements > 0) {
    result->reached = budget_alloc(s->budget, BUDGET_OTHER, ts_notes(shape)->n_statements);
    result->endless = budget_alloc(s->budget, BUDGET_OTHER, ts_notes(shape)->n_statements);
    return result->reached != NULL && result->endless != NULL;
  }
  return true;
}

/* The watch of who asked to see new states. */
static uint32_t visit(void *context, struct rows *rows, uint32_t from, uint32_t to, bool put) {
  const struct worker *w = context;
  const struct search_options *options = w->search->options;
  bool tree = w->search->tree != NULL; /* then numbers are nodes, which are used again */
  for (uint32_t i = from; i < to && put && !w->search->stop; i++) {
    const struct ts_edge *edge = &rows->batch.edge[i];
    uint64_t pred = tree || rows->pred[i] == OPEN_UNKNOWN ? STORE_NONE : rows->pred[i];
    const struct search_visited visited = {rows_at(rows, i), edge->length, edge->event, pred};
    if (rows->answer[i] != STORE_OLD && !options->visit(options->visitor, &visited))
      search_limit(w->search, SEARCH_ANSWERED);
  }
  return to;
}

/* Opens all parts; false if the budget is exhausted. */
static bool open_parts(struct search *s) {
  struct worker *w = s->worker;
  const struct engine *engine = w->engine;
  struct sink *resume = s->options->checkpoint.resume;
  if (!open_notes(s) || (resume != NULL && !search_pass_head(s, resume)))
    return false;
  s->hash = hash_open(s->shape, s->options->seed, s->budget);
  if (s->hash == NULL || !open_store(s) || !worker_open_walk(w) || !tree_open(w))
    return false;
  if (s->options->reduce.kind != NULL && !worker_open_reduction(w))
    return false;
  if (engine->open != NULL && !engine->open(w))
    return false;
  if ((engine->needs & ENGINE_ORDER) && !worker_open_order(w, false))
    return false;
  if (!way_open(s) || !search_open_moving(s))
    return false;
  if (s->options->visit != NULL)
    watches_add(&w->watches,
                (struct watch){.hears = WATCH_ANSWERED, .context = w, .answered = visit});
  if (s->options->growth != NULL)
    watches_add(
        &w->watches,
        (struct watch){.hears = WATCH_ANSWERED, .context = w, .answered = search_note_growth});
  if (s->options->watch != NULL)
    watches_add(&w->watches, *s->options->watch);
  return resume == NULL || (search_pass(s, resume) && sink_commit(resume));
}

/* May be closed twice. */
static void close_engine(struct worker *w) {
  if (w->engine->close != NULL)
    w->engine->close(w);
}

static void close_store(struct search *s) {
  if (s->store != NULL) {
    s->store_kind->end(s->worker->store);
    s->store_kind->close(s->store);
  }
  s->store = NULL;
}

static void close_parts(struct search *s) {
  struct worker *w = s->worker;
  worker_close_order(w);
  close_engine(w);
  worker_close_walk(w);
  search_close_moving(s);
  way_close(s);
  parents_free(&s->parents);
  worker_close_reduction(w);
  tree_close(s);
  close_store(s);
  if (s->hash != NULL)
    hash_close(s->hash);
}

#ifndef NDEBUG
/* What must hold whatever was searched. */
static void check_sums(const struct search *s) {
  const struct worker *w = s->worker;
  const struct search_figures *f = &s->result->figures;
  const char *broken = NULL;
  if (s->result->limit == SEARCH_NO_LIMIT && !search_is_decided(s)) {
    assert(w->found + f->matched == f->events - w->lost + s->shape->n_initial);
    assert(w->found == f->stored + f->forgetting.states);
    assert(f->visited == w->found - f->forgetting.dropped);
  }
  if (s->store != NULL)
    broken = s->store_kind->check(w->store);
  if (broken == NULL && s->result->limit == SEARCH_NO_LIMIT)
    broken = tree_check(s);
  assert(broken == NULL);
}
#endif

/* Verdict and guarantee: never better than the weakest part. */
static void judge(struct search *s) {
  struct search_result *result = s->result;
  if (result->limit != SEARCH_NO_LIMIT)
    result->guarantee = SEARCH_PARTIAL;
  else
    result->guarantee = s->store_kind->has & STORE_EXACT ? SEARCH_EXACT : SEARCH_PROBABLE;
  if (result->internal_error != NULL)
    result->verdict = SEARCH_INCONCLUSIVE;
  else if (result->error.kind != SEARCH_NO_ERROR)
    result->verdict = SEARCH_VIOLATED;
  else if (result->guarantee == SEARCH_EXACT)
    result->verdict = SEARCH_VERIFIED;
  else
    result->verdict = SEARCH_INCONCLUSIVE;
}

/* The engine has come to its end. */
static void conclude(struct search *s) {
  struct search_result *result = s->result;
  struct worker *w = s->worker;
  search_report(s);
  result->figures.forgetting.kept_known &= result->limit == SEARCH_NO_LIMIT &&
                                           result->figures.open == 0 &&
                                           !result->figures.forgetting.caches;
  result->store = s->store_kind;
  result->next_kind = result->limit == SEARCH_MEMORY ? s->moving.next : NULL;
#ifndef NDEBUG
  check_sums(s);
#endif
  if (!s->options->keep_going && result->figures.errors > 1)
    result->figures.errors = 1;
  if (w->frontier != NULL && (w->order->traits & FRONTIER_LEVELS))
    result->figures.level.width = w->order->widths(w->frontier, &result->level_bytes);
  worker_close_order(w); /* its memory may be what the trail needs */
  if (result->error.trail.n_cycle > 0) {
    close_engine(w);
    close_store(s);
    search_shorten_lasso(s);
  }
  search_confirm_trail(s);
  judge(s);
}

/* Parts were read by half: nobody is to look at them. */
static void give_up(struct search *s) {
  struct worker *w = s->worker;
  struct search_result *result = s->result;
  worker_close_order(w);
  close_store(s);
  if (result->error.trail.event != NULL)
    budget_free(s->budget, BUDGET_OTHER, result->error.trail.event, result->trail_bytes);
  s->kept_trail = NULL;
  result->trail_bytes = 0;
  result->error = (struct search_error){.index = TS_NONE, .trail = {.initial = TS_NONE}};
  result->n_moves = 0;
}

static void run(const struct ts *ts, const struct search_options *options,
                struct budget *budget, struct search_result *result) {
  *result = (struct search_result){.budget = budget,
                                   .n_statements = ts_notes(ts->shape)->n_statements};
  result->error.index = result->error.trail.initial = TS_NONE;
  struct search s = {.ts = ts,
                     .shape = ts->shape,
                     .options = options,
                     .budget = budget,
                     .result = result,
                     .store_kind = options->store.kind,
                     .began = clock_now()};
  struct worker w = {.search = &s,
                     .order = options->order.kind,
                     .engine = options->engine == NULL ? engines[0] : options->engine};
  s.worker = &w;
  w.figures.forgetting.is_used = options->forget.kind != NULL;
  parents_init(&s.parents, budget);
  worker_begin_clock(&w);
  const struct guard_stop outer = guard_stop_by((struct guard_stop){worker_asks_to_stop, &w});
  const struct sink *resume = options->checkpoint.resume;
  if (open_parts(&s)) {
    if (ts->remembers != NULL)
      unmatched_begin(ts->remembers, w.order != NULL && rules_is_path(w.order));
    w.engine->run(&w);
  } else {
    if (resume != NULL)
      give_up(&s);
    search_limit(&s,
                 resume != NULL && !sink_is_fine(resume) ? SEARCH_UNREADABLE : SEARCH_MEMORY);
  }
  guard_stop_by(outer); /* what follows calls only what came to an end before */
  conclude(&s);
  close_parts(&s);
}

/* The search, and another one before it where it needs that. */
void search_run_once(const struct ts *ts, const struct search_options *options,
                     struct budget *budget, struct search_result *result) {
  struct first first;
  struct search_result counted;
  if (!first_is_needed(options)) {
    run(ts, options, budget, result);
    return;
  }
  if (first_begin(&first, options, budget)) {
    run(ts, &first.options, budget, &counted);
    first_done(&first, &counted);
    search_result_free(&counted);
  }
  run(ts, &first.second, budget, result);
  first_end(&first);
}

void search_result_free(struct search_result *result) {
  struct budget *budget = result->budget;
  budget_free(budget, BUDGET_OTHER, result->truncated, result->truncated_bytes);
  array_free(budget, BUDGET_OPEN, (uint64_t *)(uintptr_t)result->figures.level.width,
             result->level_bytes);
  budget_free(budget, BUDGET_OTHER, result->error.trail.event, result->trail_bytes);
  if (result->reached != NULL)
    budget_free(budget, BUDGET_OTHER, result->reached, result->n_statements);
  if (result->endless != NULL)
    budget_free(budget, BUDGET_OTHER, result->endless, result->n_statements);
  result->truncated = NULL;
  result->reached = result->endless = NULL;
  result->figures.level.width = NULL;
  result->error.trail = (struct search_trail){.initial = TS_NONE};
}
