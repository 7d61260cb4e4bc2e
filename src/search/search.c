/* search.c - the main loop: expand open states, ask the store about what comes out.
 *
 * This is the general state exploring algorithm of Evangelista and Kristensen
 * ("Search-order independent state space caching", figure 1) with its inner
 * step cut in two: firing events and looking their targets up are apart, so
 * that look-ups can be batched. Which state is expanded, and when its
 * successors are looked up, is the frontier's business.
 *
 *   while rows are ready or states are open
 *     ready rows: put them into the store, check the new ones, tell the frontier
 *     else the next open state: fire its events, hash, hand the rows to the frontier
 *
 * Every figure is counted when a row is looked up, so that at any moment
 * stored + matched = events with a successor + initial states looked up.
 *
 * With the first error the search ends, but in breadth-first order not quite
 * at once: rows met before it are looked up, and if it lies behind an event of
 * the level being expanded, a deadlock of this level would be shorter.
 */
#include "search/run.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

static void finish_rows(struct rows *rows, uint32_t from) {
  for (uint32_t i = from; i < rows->batch.n; i++)
    rows->hash[i] = hash_finish(rows->raw[i]);
}

/* The initial states from *cursor on; true: there are more than fit. */
static bool fire_root(struct run *run, struct frontier_open *open) {
  struct ts_batch *batch = &open->into->batch;
  const struct ts_code *code = ts_code(run->ts);
  uint32_t from = batch->n;
  for (uint32_t which = open->cursor.choice; which < run->shape->n_initial; which++) {
    if (batch->n == batch->capacity) {
      open->cursor.choice = which;
      finish_rows(open->into, from);
      return true;
    }
    uint8_t *row = batch->rows + batch->n * batch->stride;
    memset(row, 0, batch->stride);
    uint32_t length = code->initial(run->ts, which, row);
    open->into->raw[batch->n] = hash_raw(run->hash, row, length);
    batch->edge[batch->n++] = (struct ts_edge){.event = {TS_NONE, which}, .length = length};
  }
  finish_rows(open->into, from);
  return false;
}

static void hash_rows(struct run *run, const struct frontier_open *open, uint32_t from) {
  struct rows *rows = open->into;
  uint64_t raw = open->hashed ? open->raw : hash_raw(run->hash, open->row, open->length);
  hash_successors(run->hash, open->row, open->length, raw, &rows->batch, from, rows->raw);
}

/* Appends successors from *cursor on; true: there are more than fit, or the search was
 * told to stop in the midst of an event, which then has none. */
static bool fire(struct run *run, struct frontier_open *open, struct ts_event *cursor) {
  struct ts_batch *batch = &open->into->batch;
  uint32_t from = batch->n;
  int32_t left = ts_code(run->ts)->successors(run->ts, open->row, open->length, cursor,
                                              run_skip(run, open), batch);
  if (left == 2)
    batch->n = from;
  assert(left == 0 || batch->n > from || run->stop);
  if (run->puts_in_order)
    run_put_in_order(run, batch, from);
  return left != 0;
}

static unsigned faults_of(const struct ts_batch *batch, uint32_t from) {
  unsigned faults = TS_FINE;
  for (uint32_t i = from; i < batch->n; i++)
    faults |= batch->edge[i].kind;
  return faults;
}

/* Fires the events of a state that is not stored yet. What is wrong with them is noted
 * if the state does come next. */
static void fire_ahead(struct run *run, struct frontier_open *open) {
  struct rows *rows = open->into;
  struct run_ahead *ahead = &run->ahead;
  ahead->cursor = (struct ts_event){0, 0};
  ahead->more = fire(run, open, &ahead->cursor);
  ahead->n = rows->batch.n;
  ahead->hashed = faults_of(&rows->batch, 0) == TS_FINE;
  if (!ahead->hashed)
    return;
  hash_rows(run, open, 0);
  finish_rows(rows, 0);
  run->store_kind->prefetch(run->store_work, rows->hash, ahead->n);
}

/* The successors of a state from its cursor on; true: there are more than fit. */
static bool fire_state(struct run *run, struct frontier_open *open) {
  struct rows *rows = open->into;
  uint32_t from = rows->batch.n;
  bool begins = open->cursor.action == 0 && open->cursor.choice == 0, more;
  if (open->ahead) {
    rows->batch.n = run->ahead.n;
    open->cursor = run->ahead.cursor;
    more = run->ahead.more;
  } else {
    more = fire(run, open, &open->cursor);
  }
  if (rows->batch.n == from) {
    if (begins && !more && !run_is_noted(open) && !run_any_enabled(run, open))
      run_note_deadlock(run, open);
    return more;
  }
  if (open->ahead && run->ahead.hashed)
    return more;
  if (faults_of(&rows->batch, from) != TS_FINE)
    run_note_faults(run, open, from);
  hash_rows(run, open, from);
  finish_rows(rows, from);
  return more;
}

/* Whether a state is among rows [0, n), which the store has not been asked about yet. */
static bool is_waiting(const struct ts_batch *batch, uint32_t n, uint32_t row) {
  const uint8_t *state = batch->rows + row * batch->stride;
  for (uint32_t i = 0; i < n; i++)
    if (batch->edge[i].length == batch->edge[row].length &&
        memcmp(batch->rows + i * batch->stride, state, batch->edge[row].length) == 0)
      return true;
  return false;
}

/* Whether rows [from, n) hold a state that is new, or an event that is wrong. */
static bool leads_on(struct run *run, const struct frontier_open *open, uint32_t from) {
  struct rows *rows = open->into;
  uint32_t n = rows->batch.n;
  if (faults_of(&rows->batch, from) != TS_FINE)
    return true;
  hash_rows(run, open, from);
  finish_rows(rows, from);
  run->store_kind->find(run->store_work, rows, from, n);
  for (uint32_t i = from; i < n; i++)
    if (rows->answer[i] == STORE_NEW && !is_waiting(&rows->batch, from, i))
      return true;
  return false;
}

/* At the limit on depth: nothing is left out if all events lead to states that are known. */
static void look_deeper(struct run *run, struct frontier_open *open) {
  struct rows *rows = open->into;
  uint32_t from = rows->batch.n;
  bool begins = open->cursor.action == 0 && open->cursor.choice == 0, any = false, more = true;
  while (more && !run->stop) {
    more = fire(run, open, &open->cursor);
    any |= rows->batch.n > from;
    if (rows->batch.n > from && leads_on(run, open, from)) {
      run_limit(run, SEARCH_MAX_DEPTH);
      more = false;
    }
    rows->batch.n = from;
  }
  if (begins && !any && !run->stop && !run_is_noted(open) && !run_any_enabled(run, open))
    run_note_deadlock(run, open);
}

static void expand(struct run *run, struct frontier_open *open) {
  struct rows *rows = open->into;
  uint32_t from = rows->batch.n;
  bool root = open->ref == STORE_NONE, more = false;
  if (open->cursor.action == 0 && open->cursor.choice == 0)
    run->fired = 0;
  if (!root && run->options->limit.depth != 0 && open->depth >= run->options->limit.depth)
    look_deeper(run, open);
  else
    more = root ? fire_root(run, open) : fire_state(run, open);
  if (run->tells_fired && !root)
    run_reduction_fired(run, open, from, !more);
  uint32_t n = rows->batch.n;
  for (uint32_t i = from; i < n; i++)
    rows->parent[i] = open->ref;
  if (run->keeps_parents)
    for (uint32_t i = from; i < n; i++)
      rows->batch.edge[i].source = run->fired++;
  if (run->has_tree && !root && !run_tree_fired(run, open, from, more))
    run_limit(run, SEARCH_MEMORY);
  run->figures->visited += !root && !more && !(run->has_tree && run_is_noted(open));
  run->work += n - from + 1;
  if (!run->order->push(run->frontier, open, from, !more))
    run_limit(run, SEARCH_MEMORY);
}

/* Whether one state more may be stored, after forgetting one if need be. */
static bool has_room(struct run *run, uint64_t fresh) {
  uint64_t most = run->options->limit.states, stored = run->figures->stored + fresh;
  if (most != 0 && stored >= most)
    return false;
  return run->forget == NULL || stored < run->most_stored ||
         run->options->forget.kind->drop(run->forget, 1) > 0;
}

/* Memory ran out after `fresh` states: from now on no more are kept than there are less
 * a part. */
static bool forget_some(struct run *run, uint64_t fresh) {
  uint64_t stored = run->figures->stored + fresh, part = stored / 32 + 1;
  if (run->forget == NULL || run->options->forget.kind->drop(run->forget, part) == 0)
    return false;
  run_tree_short(run);
  if (stored < run->most_stored)
    run->most_stored = stored;
  return true;
}

/* Puts as many rows as may be stored; behind that, rows only match. Returns the
 * first row not answered. */
static uint32_t put(struct run *run, struct rows *rows, uint32_t from, uint32_t to) {
  uint64_t states = run->options->limit.states == 0 ? UINT64_MAX : run->options->limit.states;
  uint64_t fresh = 0;
  for (uint32_t at = from, answered; at < to; at = answered) {
    uint64_t most = states < run->most_stored ? states : run->most_stored;
    uint64_t stored = run->figures->stored + fresh, room = most > stored ? most - stored : 0;
    if (room == 0 && has_room(run, fresh))
      room = 1;
    uint32_t end = room == 0 ? at + 1 : room < to - at ? at + (uint32_t)room : to;
    if (room > 0) {
      answered = run->store_kind->put(run->store_work, rows, at, end);
    } else {
      run->store_kind->find(run->store_work, rows, at, end);
      answered = rows->answer[at] == STORE_OLD ? end : at;
    }
    for (uint32_t i = at; i < answered; i++)
      fresh += rows->answer[i];
    if (run->is_late)
      run_tree_count(run, rows, at, answered);
    uint32_t with_nodes = run->has_tree ? run_tree_add(run, rows, at, answered) : answered;
    if (with_nodes < answered) {
      run_limit(run, SEARCH_MEMORY);
      return with_nodes;
    }
    if (answered < end &&
        (room == 0 || !(run_move(run, rows, from, answered) || forget_some(run, fresh)))) {
      bool enough = stored >= states;
      run_limit(run, room > 0 ? SEARCH_MEMORY : enough ? SEARCH_MAX_STATES : SEARCH_TREE);
      return answered;
    }
  }
  return to;
}

static bool keep_parent(struct run *run, const struct rows *rows, uint32_t i) {
  uint32_t nth = rows->batch.edge[i].source;
  return rows->parent[i] == STORE_NONE ? parents_add_initial(&run->parents, nth)
                                       : parents_add(&run->parents, rows->parent[i], nth);
}

/* Of the first `fresh` rows in run->fresh, which are not counted yet. */
static void keep_parents(struct run *run, const struct frontier_range *range, uint32_t fresh) {
  for (uint32_t k = 0; k < fresh; k++) {
    bool kept = keep_parent(run, range->rows, run->fresh[k]);
    while (!kept && run_move(run, range->rows, range->from, range->to))
      kept = keep_parent(run, range->rows, run->fresh[k]);
    if (!kept) {
      /* The search ends, and nothing asks for the parent of a state not expanded. */
      run_limit(run, SEARCH_MEMORY);
      return;
    }
  }
}

/* Counts rows [from, to), which are answered, and keeps the parents of new ones. */
static void account(struct run *run, const struct frontier_range *range) {
  struct rows *rows = range->rows;
  struct search_figures *figures = run->figures;
  assert(range->to - range->from <= RUN_MOST_ROWS);
  uint32_t n = range->to - range->from, fresh = 0;
  for (uint32_t i = range->from; i < range->to; i++) {
    run->fresh[fresh] = i; /* without a branch: it could not be predicted */
    fresh += rows->answer[i];
  }
  bool root = n > 0 && rows->parent[range->from] == STORE_NONE;
  if (run->keeps_parents)
    keep_parents(run, range, fresh);
  figures->stored += fresh;
  if (figures->stored > figures->peak.stored)
    figures->peak.stored = figures->stored;
  run->found += fresh;
  figures->matched += n - fresh;
  figures->events += root ? 0 : n;
}

/* Of a row just stored. */
static uint64_t run_depth(const struct run *run, const struct frontier_range *range,
                          uint32_t i) {
  uint64_t parent = range->rows->parent[i];
  if (!run->has_tree)
    return range->depth;
  return parent == STORE_NONE ? 0
                              : tdtree_at(&run->tree, (uint32_t)parent)->depth + UINT64_C(1);
}

/* With a tree, what waits for its turn elsewhere is no longer new to the order. */
static bool put_aside(struct run *run, struct frontier_range *range) {
  const struct forget_kind *kind = run->options->forget.kind;
  struct rows *rows = range->rows;
  if (run->forget == NULL || !(kind->traits & FORGET_CLASSES))
    return true;
  for (uint32_t i = range->from; i < range->to; i++) {
    bool later = false, root = rows->parent[i] == STORE_NONE;
    if (rows->answer[i] == STORE_NEW &&
        !kind->added(
            run->forget, (uint32_t)rows->ref[i], root ? TDTREE_NONE : (uint32_t)rows->parent[i],
            rows->batch.rows + i * rows->batch.stride, rows->batch.edge[i].length, &later))
      return false;
    if (later)
      rows->answer[i] = STORE_OLD;
  }
  return true;
}

/* New states among the rows, for who asked to see them. */
static void visit(struct run *run, const struct frontier_range *range) {
  const struct ts_batch *batch = &range->rows->batch;
  for (uint32_t i = range->from; i < range->to; i++)
    if (range->rows->answer[i] == STORE_NEW &&
        !run->options->visit(run->options->visitor, batch->rows + i * batch->stride,
                             batch->edge[i].length)) {
      run_limit(run, SEARCH_ANSWERED);
      return;
    }
}

static void settle(struct run *run, struct frontier_range range) {
  uint32_t to = range.to;
  range.to = put(run, range.rows, range.from, to);
  account(run, &range);
  if (run->options->visit != NULL)
    visit(run, &range);
  if (run->shape->n_properties > 0)
    for (uint32_t i = range.from; i < range.to; i++)
      if (range.rows->answer[i] == STORE_NEW) {
        uint64_t errors = run->figures->errors;
        run_check_state(run, range.rows, i, run_depth(run, &range, i));
        if (run->figures->errors > errors && run_is_decided(run))
          break;
      }
  run->rows_settled += to - range.from;
  run->work++;
  if (!put_aside(run, &range))
    run_limit(run, SEARCH_MEMORY);
  if (!run->order->settled(run->frontier, &range))
    run_limit(run, SEARCH_MEMORY);
  if (__builtin_expect(run->figures->stored >= run->move_at, 0) && !run->stop)
    run_move(run, NULL, 0, 0);
}

/* The first error was met: settles what was fired before it, then looks for a deadlock
 * that is nearer than the error found. */
static void finish_first_error(struct run *run) {
  const struct frontier_kind *order = run->order;
  struct frontier_range range;
  struct frontier_open open;
  if (!(order->traits & FRONTIER_SHORTEST))
    return;
  if (!run->stop && order->ready(run->frontier, true, &range))
    settle(run, range);
  if (!run->options->deadlock_is_error)
    return;
  while (!run->stop && order->next(run->frontier, &open) && open.ref != STORE_NONE &&
         open.depth < run->error.length) {
    struct ts_batch *batch = &open.into->batch;
    bool begins = open.cursor.action == 0 && open.cursor.choice == 0;
    batch->n = 0;
    bool more = fire(run, &open, &open.cursor);
    if (begins && batch->n == 0 && !more && !run_any_enabled(run, &open))
      run_note_deadlock(run, &open);
    batch->n = 0;
    if (++run->work >= run->next_check)
      run_check_limits(run);
    if (!order->push(run->frontier, &open, 0, true))
      return;
  }
}

/* The hot path. Measured with bench/search_bench.c on models of 14 to 20 bytes and 6 to
 * 12 million states, in parts of the processor time of an event: breadth-first, the
 * store takes 65 to 75 % (waiting for its index and its vectors), clearing fresh
 * pages 8 to 10 %, hashing and packing 8 %, this file with bfs.c 6 %, and the
 * compiled model the rest; depth-first, the store takes 75 to 80 %, for its look-ups
 * overlap only within one state, and this file with dfs.c 9 %. With vectors of 343
 * bytes a quarter goes to clearing pages. So there is little to be won here but by
 * asking earlier; batches of 48 to 192 rows made no difference. */
static void explore(struct run *run) {
  struct frontier_range range;
  struct frontier_open open;
  while (!run->stop && !run_is_decided(run)) {
    const struct frontier_kind *order = run->order;
    if ((order->traits & FRONTIER_GUESSES) && order->guess(run->frontier, &open))
      fire_ahead(run, &open);
    if (order->ready(run->frontier, false, &range))
      settle(run, range);
    else if (order->next(run->frontier, &open)) {
      if (run->figures->visited >= run->most_visits && open.ref != STORE_NONE &&
          !run_is_noted(&open))
        run_limit(run, SEARCH_MAX_VISITS);
      else
        expand(run, &open);
    } else if (!run->has_tree || !run_tree_resume(run))
      break;
    if (run->is_late && run_tree_is_due(run))
      run_tree_make(run);
    if (run->work >= run->next_check) {
      run_check_limits(run);
      run_tree_look(run);
      run_move_if_due(run);
    }
  }
  if (run_is_decided(run))
    finish_first_error(run);
}

static bool open_store(struct run *run) {
  struct store_config config = {.parameter = run->options->store.parameter,
                                .size = run->options->store.size};
  if (run->options->forget.kind != NULL) {
    run->store_bits = run->options->forget.kind->bits(run->options->forget.strategy);
    config.recycles = true;
  }
  return run_open_store(run, run->store_kind, &config, &run->store, &run->store_work);
}

/* Opens all parts; false if the budget is spent. */
static bool open_parts(struct run *run) {
  const struct ts_shape *shape = run->shape;
  struct budget *budget = run->budget;
  struct search_result *result = run->result;
  if (shape->n_truncations > 0) {
    result->truncated_bytes = BITS_WORDS(shape->n_truncations) * sizeof(uint64_t);
    result->truncated = budget_alloc(budget, BUDGET_OTHER, result->truncated_bytes);
    if (result->truncated == NULL)
      return false;
  }
  if (ts_notes(shape)->n_statements > 0) {
    result->reached = budget_alloc(budget, BUDGET_OTHER, ts_notes(shape)->n_statements);
    result->endless = budget_alloc(budget, BUDGET_OTHER, ts_notes(shape)->n_statements);
    if (result->reached == NULL || result->endless == NULL)
      return false;
  }
  run->hash = hash_open(shape, run->options->seed, budget);
  if (run->hash == NULL || !open_store(run))
    return false;
  if (run->has_tree && !run_tree_open(run))
    return false;
  if (run->options->reduce.kind != NULL && !run_reduction_open(run))
    return false;
  run->fresh_bytes = RUN_MOST_ROWS * sizeof *run->fresh;
  run->fresh = budget_alloc(budget, BUDGET_OPEN, run->fresh_bytes);
  return run->fresh != NULL && run_order_open(run, false) && run_trail_open(run) &&
         run_move_open(run);
}

static void close_frontier(struct run *run) {
  if (run->frontier != NULL)
    run->order->close(run->frontier);
  run->frontier = NULL;
}

static void close_parts(struct run *run) {
  close_frontier(run);
  run_trail_close(run);
  run_move_close(run);
  budget_free(run->budget, BUDGET_OPEN, run->fresh, run->fresh_bytes);
  parents_free(&run->parents);
  run_reduction_close(run);
  run_tree_close(run);
  if (run->store != NULL) {
    run->store_kind->end(run->store_work);
    run->store_kind->close(run->store);
  }
  if (run->hash != NULL)
    hash_close(run->hash);
}

#ifndef NDEBUG
/* What must hold whatever was searched. */
static void check_sums(struct run *run) {
  const struct search_figures *f = run->figures;
  const char *broken = NULL;
  if (run->result->limit == SEARCH_NO_LIMIT && !run_is_decided(run)) {
    assert(run->found + f->matched == f->events - run->lost + run->shape->n_initial);
    assert(run->found == f->stored + f->forgotten);
    assert(f->visited == run->found);
  }
  if (run->store != NULL)
    broken = run->store_kind->check(run->store_work);
  if (broken == NULL && run->has_tree && run->result->limit == SEARCH_NO_LIMIT)
    broken = tdtree_check(&run->tree);
  assert(broken == NULL);
}
#endif

/* Verdict and guarantee: never better than the weakest part. */
static void judge(struct run *run) {
  struct search_result *result = run->result;
  if (result->limit != SEARCH_NO_LIMIT)
    result->guarantee = SEARCH_PARTIAL;
  else
    result->guarantee = run->store_kind->has & STORE_EXACT ? SEARCH_EXACT : SEARCH_PROBABLE;
  if (result->internal_error != NULL)
    result->verdict = SEARCH_INCONCLUSIVE;
  else if (result->error.kind != SEARCH_NO_ERROR)
    result->verdict = SEARCH_VIOLATED;
  else if (result->guarantee == SEARCH_EXACT)
    result->verdict = SEARCH_VERIFIED;
  else
    result->verdict = SEARCH_INCONCLUSIVE;
}

static void first_truncation(struct run *run) {
  struct search_result *result = run->result;
  for (uint32_t i = 0; i < run->shape->n_truncations && result->truncated != NULL; i++)
    if (bits_test(result->truncated, i)) {
      result->first_truncated = i;
      return;
    }
}

void search_run(const struct ts *ts, const struct search_options *options,
                struct budget *budget, struct search_result *result) {
  *result = (struct search_result){.budget = budget,
                                   .first_truncated = TS_NONE,
                                   .n_statements = ts_notes(ts->shape)->n_statements};
  result->error.index = result->error.trail.initial = TS_NONE;
  struct run run = {.ts = ts,
                    .shape = ts->shape,
                    .options = options,
                    .budget = budget,
                    .result = result,
                    .figures = &result->figures,
                    .store_kind = options->store.kind,
                    .order = options->order.kind};
  run.is_late = run_tree_may_wait(&run);
  if (!run.is_late)
    run.order = run_order(options);
  run.has_tree = (run.order->traits & FRONTIER_TREE) != 0;
  run.most_visits = options->limit.visits > 0 ? options->limit.visits : UINT64_MAX;
  run.most_stored = options->forget.cache_size > 0 ? options->forget.cache_size : UINT64_MAX;
  run.keeps_parents = run.is_late || (options->parents &&
                                      !(run.order->traits & FRONTIER_PATH) && !run.has_tree);
  run.figures->forgetting.is_used = options->forget.kind != NULL;
  parents_init(&run.parents, budget);
  run_limits_begin(&run);
  if (open_parts(&run))
    explore(&run);
  else
    run_limit(&run, SEARCH_MEMORY);
  run_figures(&run);
  result->store = run.store_kind;
  result->next_kind = result->limit == SEARCH_MEMORY ? run.next_kind : NULL;
#ifndef NDEBUG
  check_sums(&run);
#endif
  if (!options->keep_going && result->figures.errors > 1)
    result->figures.errors = 1;
  if (run.frontier != NULL && (run.order->traits & FRONTIER_LEVELS))
    result->figures.level.width = run.order->widths(run.frontier, &result->level_bytes);
  close_frontier(&run); /* its memory may be what the trail needs */
  first_truncation(&run);
  if (result->error.kind != SEARCH_NO_ERROR)
    run_make_trail(&run);
  judge(&run);
  close_parts(&run);
}

void search_result_free(struct search_result *result) {
  struct budget *budget = result->budget;
  budget_free(budget, BUDGET_OTHER, result->truncated, result->truncated_bytes);
  budget_free(budget, BUDGET_OPEN, (uint64_t *)(uintptr_t)result->figures.level.width,
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
