/* test_search.c - the search against a hundred-line checker, on graphs made at random.
 *
 * The store is a plain one, so that the search is tested alone; the same tests
 * run on the real one, too.
 */
#include "../toy.h"
#include "search_graph.h"

#include "base/bits.h"
#include "search/error/parents.h"
#include "search/forget/forget.h"
#include "search/forget/strategy.h"
#include "search/frontier/frontier.h"
#include "search/reduce/reduce.h"
#include "search/rules.h"
#include "search/search.h"
#include "search/stack/delta.h"
#include "search/stack/pile.h"
#include "search/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <cmocka.h>

static struct search_options options_for(const char *order, const struct store_kind *store) {
  return (struct search_options){.store.kind = store,
                                 .order.kind = frontier_by_name(order),
                                 .parents = true,
                                 .keep_going = true};
}

struct walk {
  const struct graph *g;
  uint32_t last, n;
  bool lost;
};

static bool walk_step(void *context, uint32_t n, const struct ts_edge *edge,
                      const uint8_t *state, uint32_t length) {
  struct walk *walk = context;
  (void)length;
  assert_true(n == walk->n++);
  assert_true((n == 0) == (edge == NULL));
  walk->lost = edge != NULL && edge->kind == TS_MODEL_ERROR;
  if (!walk->lost)
    walk->last = graph_node(walk->g, state);
  return true;
}

/* What must hold of any finished search, and of the trail if there is an error. */
static void check_result(const struct graph *g, const struct search_result *result,
                         uint64_t lost, bool has_trail) {
  const struct search_figures *f = &result->figures;
  uint64_t initial = f->visited + f->stored == 0 ? 0 : g->shape.n_initial;
  if (result->limit == SEARCH_NO_LIMIT)
    assert_int_equal(f->matched + f->stored, f->events - lost + initial);
  assert_null(result->internal_error);
  if (result->error.kind == SEARCH_NO_ERROR || !has_trail)
    return;
  assert_int_equal(result->verdict, SEARCH_VIOLATED);
  struct budget *budget = budget_open(0);
  struct walk walk = {.g = g};
  assert_true(result->error.trail.initial < g->shape.n_initial);
  assert_true(search_replay(&g->ts, &result->error.trail, budget, walk_step, &walk));
  assert_int_equal(walk.n, result->error.trail.n_events + 1);
  assert_true(walk.lost ==
              (result->error.kind == SEARCH_MODEL_ERROR && result->error.in_last_event));
  if (result->error.kind == SEARCH_DEADLOCK)
    assert_int_equal(graph_degree(g, walk.last), 0);
  budget_close(budget);
}

static void check_levels(const struct search_figures *f, const struct toy_result *toy) {
  assert_true(f->level.known);
  assert_int_equal(f->level.n, toy->levels);
  assert_int_equal(f->level.widest, toy->widest_level);
  if (f->level.back_edges_known) {
    assert_int_equal(f->level.back_edges, toy->back_level_edges);
    assert_int_equal(f->level.longest_back_edge, toy->longest_back_level_edge);
  }
  assert_int_equal(f->depth, toy->levels - 1);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < f->level.n; i++)
    sum += f->level.width[i];
  assert_int_equal(sum, toy->states);
}

/* Explores everything, then stops at the first error; both must agree with the toy. */
static void compare(const struct graph *g, const struct store_kind *store, const char *order,
                    bool deadlock_is_error) {
  struct toy_result toy;
  assert_true(toy_check(&g->ts, deadlock_is_error, &toy));
  struct budget *budget = budget_open(0);
  uint64_t base = budget_used_all(budget);
  struct search_options options = options_for(order, store);
  options.deadlock_is_error = deadlock_is_error;
  assert_null(search_refusal(&options));
  struct search_result result;
  search_run(&g->ts, &options, budget, &result);
  const struct search_figures *f = &result.figures;
  assert_int_equal(f->stored, toy.states);
  assert_int_equal(f->visited, toy.states);
  assert_int_equal(f->events, toy.events);
  assert_int_equal(f->matched, toy.matched);
  assert_int_equal(f->deadlocks, toy.deadlocks);
  assert_int_equal(f->errors, toy.errors);
  assert_int_equal(result.guarantee, SEARCH_EXACT);
  assert_int_equal(result.verdict, toy.errors > 0 ? SEARCH_VIOLATED : SEARCH_VERIFIED);
  bool shortest = strcmp(order, "bfs") == 0;
  if (shortest) {
    assert_true(f->level.back_edges_known == ((store->has & STORE_IDS) != 0));
    check_levels(f, &toy);
  }
  check_result(g, &result, toy.events + g->shape.n_initial - toy.matched - toy.states, true);
  if (shortest && toy.errors > 0)
    assert_int_equal(result.error.trail.n_events, toy.shortest);
  struct search_error first = result.error;

  options.keep_going = false;
  struct search_result stopped;
  search_run(&g->ts, &options, budget, &stopped);
  assert_int_equal(stopped.error.kind, first.kind);
  assert_int_equal(stopped.error.index, first.index);
  assert_int_equal(stopped.figures.errors, toy.errors > 0);
  assert_int_equal(stopped.error.trail.n_events, first.trail.n_events);
  if (first.kind != SEARCH_NO_ERROR)
    assert_memory_equal(stopped.error.trail.event, first.trail.event,
                        first.trail.n_events * sizeof *first.trail.event);
  search_result_free(&stopped);
  search_result_free(&result);
  assert_true(budget_used_all(budget) == base);
  budget_close(budget);
}

static void compare_orders(const struct graph *g, bool deadlock_is_error) {
  compare(g, &store_plain, "bfs", deadlock_is_error);
  compare(g, &store_plain, "dfs", deadlock_is_error);
  compare(g, &store_blind, "bfs", deadlock_is_error);
  compare(g, &store_blind, "dfs", deadlock_is_error);
  for (uint32_t i = 0; store_kinds[i] != NULL; i++)
    if (store_kinds[i]->has & STORE_EXACT) {
      compare(g, store_kinds[i], "bfs", deadlock_is_error);
      compare(g, store_kinds[i], "dfs", deadlock_is_error);
    }
}

static void test_random_graphs(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 240; i++) {
    struct graph g;
    uint32_t nodes = 1 + (uint32_t)graph_mix(i, 5, 0) % (i % 4 == 0 ? 3000 : 60);
    graph_make(&g, i % 2 ? KIND_NEAR : KIND_RANDOM, i % FORMS, i, nodes, 1 + i % 7);
    g.shape.n_initial = i % 5 == 0 ? 300 : 1 + i % 3;
    if (i % 3 == 1)
      g.broken_edges = i % 2 ? 3 : 500;
    if (i % 3 == 2)
      g.lost_edges = i % 2 ? 3 : 500;
    if (i % 4 == 1)
      g.bad = i % 8 == 1 ? 2 : 300;
    if (i % 6 == 0)
      g.shape.n_properties = 0;
    compare_orders(&g, i % 7 < 3);
  }
}

/* States with many more events than a batch has rows. */
static void test_many_events(void **state) {
  (void)state;
  for (uint32_t form = 0; form < FORMS; form++) {
    struct graph g;
    graph_make(&g, KIND_RANDOM, form, form, 50, 3000);
    compare_orders(&g, true);
    g.broken_edges = g.lost_edges = 20;
    compare_orders(&g, true);
    graph_make(&g, KIND_STAR, form, form, 5000, 0);
    compare_orders(&g, true);
  }
}

static void test_long_path(void **state) {
  (void)state;
  struct graph g;
  graph_make(&g, KIND_PATH, FORM_LONG, 1, 200000, 1);
  compare(&g, &store_plain, "dfs", true);
  compare(&g, &store_plain, "bfs", true);
}

/* The longest trail is asked for by its depth, too. */
static void test_dfs_depth(void **state) {
  (void)state;
  struct graph g;
  struct search_result result;
  struct budget *budget = budget_open(0);
  graph_make(&g, KIND_PATH, FORM_SHORT, 1, 100000, 1);
  struct search_options options = options_for("dfs", &store_plain);
  search_run(&g.ts, &options, budget, &result);
  assert_int_equal(result.figures.depth, 99999);
  assert_int_equal(result.figures.peak.open, 100000);
  search_result_free(&result);
  graph_make(&g, KIND_STAR, FORM_SHORT, 1, 1000, 1);
  search_run(&g.ts, &options, budget, &result);
  assert_int_equal(result.figures.depth, 1);
  search_result_free(&result);
  budget_close(budget);
}

static void test_max_states(void **state) {
  (void)state;
  struct graph g;
  struct toy_result toy;
  struct budget *budget = budget_open(0);
  for (uint32_t i = 0; i < 4 * FORMS; i++) {
    graph_make(&g, KIND_RANDOM, i % FORMS, i, 3000, 4);
    assert_true(toy_check(&g.ts, false, &toy));
    for (uint32_t order = 0; order < 2; order++)
      for (uint64_t most = 1; most <= toy.states + 1;
           most += 1 + most / 2 * (most < toy.states / 2)) {
        struct search_options options = options_for(frontier_kinds[order]->name, &store_plain);
        struct search_result result;
        options.limit.states = most;
        search_run(&g.ts, &options, budget, &result);
        bool whole = most >= toy.states;
        assert_int_equal(result.figures.stored, whole ? toy.states : most);
        assert_int_equal(result.limit, whole ? SEARCH_NO_LIMIT : SEARCH_MAX_STATES);
        assert_int_equal(result.verdict, whole ? SEARCH_VERIFIED : SEARCH_INCONCLUSIVE);
        assert_int_equal(result.guarantee, whole ? SEARCH_EXACT : SEARCH_PARTIAL);
        assert_int_equal(result.figures.matched + result.figures.stored,
                         result.figures.events + 1);
        search_result_free(&result);
        if (most > 60 && toy.states > most + 40)
          most = toy.states - 20;
      }
  }
  budget_close(budget);
}

/* What a watch hears. */
struct heard {
  uint64_t fired, old, fresh, closed;
};

static bool hear_fired(void *context, const struct open *open, uint32_t from, bool more) {
  (void)more;
  ((struct heard *)context)->fired += open->into->batch.n - from;
  return true;
}

static uint32_t hear_answered(void *context, struct rows *rows, uint32_t from, uint32_t to,
                              bool put) {
  struct heard *heard = context;
  for (uint32_t i = from; i < to; i++) {
    heard->old += rows->answer[i] == STORE_OLD;
    heard->fresh += rows->answer[i] != STORE_OLD && put;
  }
  return to;
}

static bool hear_closed(void *context, uint64_t number) {
  (void)number;
  ((struct heard *)context)->closed++;
  return true;
}

/* Whatever the order, a watch hears of every event once when it is answered, of old states as
 * of new ones, and of the end of every state. */
static void test_watch(void **state) {
  (void)state;
  struct graph g;
  struct toy_result toy;
  struct budget *budget = budget_open(0);
  for (uint32_t i = 0; i < 60; i++) {
    graph_make(&g, KIND_RANDOM, i % FORMS, i, 1 + i * 7, 5);
    assert_true(toy_check(&g.ts, false, &toy));
    for (uint32_t order = 0; frontier_kinds[order] != NULL; order++) {
      if (frontier_kinds[order]->traits & FRONTIER_MEASURED)
        continue;
      struct search_options options = options_for(frontier_kinds[order]->name, &store_plain);
      struct search_result result;
      struct heard heard = {0};
      struct watch watch = {.hears = WATCH_FIRED | WATCH_ANSWERED | WATCH_LOOKED |
                                     (i % 2 ? WATCH_CLOSED : 0u),
                            .context = &heard,
                            .fired = hear_fired,
                            .answered = hear_answered,
                            .closed = hear_closed};
      options.watch = &watch;
      options.order.parameter[0] = options.order.parameter[1] = 1 + i % 5;
      search_run(&g.ts, &options, budget, &result);
      assert_int_equal(heard.fresh, toy.states);
      assert_int_equal(heard.old, result.figures.matched);
      assert_int_equal(heard.old + heard.fresh, toy.events + 1);
      assert_true(heard.fired >= toy.events + 1);
      assert_int_equal(heard.closed, i % 2 ? toy.states : 0);
      search_result_free(&result);
    }
  }
  budget_close(budget);
}

static void test_max_depth(void **state) {
  (void)state;
  struct budget *budget = budget_open(0);
  struct graph g;
  struct search_result result;
  graph_make(&g, KIND_PATH, FORM_SHORT, 3, 500, 1);
  for (uint32_t order = 0; order < 2; order++) {
    struct search_options options = options_for(frontier_kinds[order]->name, &store_plain);
    options.limit.depth = 100;
    search_run(&g.ts, &options, budget, &result);
    assert_int_equal(result.figures.stored, 101);
    assert_int_equal(result.figures.depth, 100);
    assert_int_equal(result.limit, SEARCH_MAX_DEPTH);
    assert_int_equal(result.verdict, SEARCH_INCONCLUSIVE);
    search_result_free(&result);
    options.limit.depth = 500;
    search_run(&g.ts, &options, budget, &result);
    assert_int_equal(result.verdict, SEARCH_VERIFIED);
    search_result_free(&result);
  }
  budget_close(budget);
}

struct watcher {
  uint32_t calls;
  uint64_t last;
};

static bool watch(void *context, const struct search_figures *figures) {
  struct watcher *watcher = context;
  assert_true(figures->stored >= watcher->last);
  assert_null(figures->level.width);
  watcher->last = figures->stored;
  return ++watcher->calls < 2;
}

static void test_time_and_interrupt(void **state) {
  (void)state;
  struct budget *budget = budget_open(0);
  uint64_t base = budget_used_all(budget);
  struct graph g;
  struct search_result result;
  graph_make(&g, KIND_RANDOM, FORM_SHORT, 3, UINT32_C(1) << 30, 3);
  g.shape.n_initial = 5000;
  for (uint32_t order = 0; order < 2; order++) {
    struct watcher watcher = {0};
    struct search_options options = options_for(frontier_kinds[order]->name, &store_plain);
    options.limit.seconds = 0.2;
    search_run(&g.ts, &options, budget, &result);
    assert_int_equal(result.limit, SEARCH_TIME);
    assert_int_equal(result.verdict, SEARCH_INCONCLUSIVE);
    assert_true(result.figures.seconds >= 0.2);
    assert_true(result.figures.stored > 0 && result.figures.events > 0);
    search_result_free(&result);
    options.limit.seconds = 100;
    options.progress = watch;
    options.context = &watcher;
    search_run(&g.ts, &options, budget, &result);
    assert_int_equal(result.limit, SEARCH_INTERRUPTED);
    assert_int_equal(watcher.calls, 2);
    search_result_free(&result);
  }
  assert_true(budget_used_all(budget) == base);
  budget_close(budget);
}

/* Every request for memory fails once, and the answer is still true. */
static void test_no_memory(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 24; i++) {
    struct graph g;
    struct toy_result toy;
    bool path = i % 4 == 3;
    graph_make(&g, path ? KIND_PATH : KIND_NEAR, i % FORMS, i, 20000, path ? 1 : 5);
    g.shape.n_initial = path ? 1 : 50;
    g.bad = i % 5 == 0 ? 2 : 0;
    assert_true(toy_check(&g.ts, true, &toy));
    for (uint64_t n = 1, more = 1; more; n++) {
      struct budget *budget = budget_open(0);
      uint64_t base = budget_used_all(budget);
      struct search_options options =
          options_for(frontier_kinds[i % 2]->name,
                      i % 6 < 3 && store_kinds[0] != NULL ? store_kinds[0] : &store_plain);
      struct search_result result;
      budget_fail_after(budget, n);
      search_run(&g.ts, &options, budget, &result);
      more = result.limit == SEARCH_MEMORY;
      if (more && result.error.kind == SEARCH_NO_ERROR)
        assert_int_equal(result.verdict, SEARCH_INCONCLUSIVE);
      else if (result.error.kind != SEARCH_NO_ERROR)
        assert_int_equal(result.verdict, SEARCH_VIOLATED);
      else
        assert_int_equal(result.figures.stored, toy.states);
      check_result(&g, &result, 0, result.error.trail.initial != TS_NONE);
      if (result.error.kind != SEARCH_NO_ERROR && result.error.trail.initial == TS_NONE)
        more = 1;
      search_result_free(&result);
      assert_true(budget_used_all(budget) == base);
      budget_close(budget);
      assert_true(n < 3000);
    }
  }
}

static void test_truncations(void **state) {
  (void)state;
  struct budget *budget = budget_open(0);
  struct graph g;
  struct search_result result;
  graph_make(&g, KIND_PATH, FORM_SHORT, 3, 500, 1);
  struct search_options options = options_for("bfs", &store_plain);
  search_run(&g.ts, &options, budget, &result);
  assert_int_equal(result.truncated[65], 0);
  search_result_free(&result);
  g.truncating = 300;
  for (uint32_t order = 0; order < 2; order++) {
    options.order.kind = frontier_kinds[order];
    search_run(&g.ts, &options, budget, &result);
    assert_int_equal(result.truncated[65], TS_CUT | 7);
    assert_int_equal(result.truncated[64], 0);
    search_result_free(&result);
  }
  budget_close(budget);
}

static void test_without_parents(void **state) {
  (void)state;
  struct budget *budget = budget_open(0);
  struct graph g;
  struct search_result result;
  graph_make(&g, KIND_PATH, FORM_SHORT, 3, 500, 1);
  struct search_options options = options_for("bfs", &store_plain);
  options.parents = false;
  options.deadlock_is_error = true;
  search_run(&g.ts, &options, budget, &result);
  assert_int_equal(result.verdict, SEARCH_VIOLATED);
  assert_int_equal(result.error.kind, SEARCH_DEADLOCK);
  assert_int_equal(result.error.trail.initial, TS_NONE);
  search_result_free(&result);
  assert_int_equal(result.figures.memory.parents > 0, false);
  budget_close(budget);
}

static void test_refusals(void **state) {
  (void)state;
  struct search_options options = options_for("bfs", &store_blind);
  assert_null(search_refusal(&options));
  options = options_for("dfs", &store_blind);
  assert_null(search_refusal(&options));
  options.limit.seconds = -1;
  assert_non_null(search_refusal(&options));
  options = options_for("none such", &store_plain);
  assert_non_null(search_refusal(&options));
  options = options_for("bfs", &store_blind);
  const struct rules_case saved = {.search = &options, .asked = RULES_CHECKPOINT};
  assert_string_equal(rules_broken(&saved)->name, "checkpoint, store");
  assert_string_equal(search_error_name(SEARCH_MODEL_ERROR), "model-error");
  assert_string_equal(search_verdict_name(SEARCH_INCONCLUSIVE), "inconclusive");
  assert_string_equal(search_guarantee_name(SEARCH_PARTIAL), "partial");
  assert_non_null(search_limit_text(SEARCH_INTERRUPTED));
}

/* The rule that refuses the options is this one; its sentence is whole. */
static void refused(const struct search_options *options, const char *name) {
  const struct rule *rule = search_refusal(options);
  const struct rules_case judged = {.search = options};
  char sentence[600];
  assert_non_null(rule);
  assert_string_equal(rule->name, name);
  rules_print(rule, &judged, sentence, sizeof sentence);
  assert_null(strpbrk(sentence, "{}"));
  assert_null(strstr(sentence, "NAME"));
}

/* Each rule on a search that breaks no other one, by its name. */
static void test_each_refusal(void **state) {
  (void)state;
  static const struct strategy strategy;
  struct search_options fine = options_for("bfs", store_by_name("full")), options = fine;
  assert_null(search_refusal(&fine));
  options.store.kind = NULL;
  refused(&options, "no method");
  options = fine;
  options.store.parameter = 3;
  refused(&options, "store, number");
  options = options_for("bfs", store_by_name("compact"));
  options.store.parameter = options.store.kind->most;
  assert_null(search_refusal(&options));
  options.store.parameter++;
  refused(&options, "store, range");
  options.store.parameter = options.store.kind->least - 1;
  refused(&options, "store, range");
  options = fine;
  options.store.size = 1;
  refused(&options, "store, size");
  options = fine;
  options.forget.chain = true;
  refused(&options, "chain");
  options = fine;
  options.store.allow_lossy = true;
  refused(&options, "moves, lossy");
  options = fine;
  options.limit.seconds = -1;
  refused(&options, "time");
  options = options_for("best", store_by_name("full"));
  refused(&options, "order, expression");
  options = options_for("bbfs", store_by_name("full"));
  refused(&options, "order, numbers");
  options.order.parameter[0] = 1;
  assert_null(search_refusal(&options));
  options = options_for("alt", store_by_name("full"));
  refused(&options, "order, numbers");
  options.order.parameter[1] = 1;
  assert_null(search_refusal(&options));
  options = options_for("dfs", store_by_name("compact"));
  options.forget.kind = forget_by_name("cache");
  options.forget.strategy = &strategy;
  refused(&options, "forgetting, lossy store");
  options.store.kind = store_by_name("collapse");
  refused(&options, "forgetting, fixed store");
  options.store.kind = store_by_name("tree");
  assert_null(search_refusal(&options));
  options.forget.kind = forget_by_name("sweep-line");
  refused(&options, "forgetting, progress");
}

/* Parent and place among its successors of a made-up state: long runs without a child,
 * many of one parent, and places beyond a byte. */
static struct parents_step made_up(uint64_t i) {
  uint64_t parent = i / 1000 * 700 + (i % 1000 < 500 ? 0 : i % 1000 - 500);
  return (struct parents_step){parent, (uint32_t)(i % 97 == 0 ? i * 5 : i % 255)};
}

static void expect_parents(const struct parents *parents, uint64_t n, uint64_t initial) {
  struct parents_cursor cursor = {0};
  for (uint64_t i = n; i-- > 0; i -= i % 7 < i ? i % 7 : 0) {
    struct parents_step step = parents_get(parents, &cursor, i);
    assert_true(step.parent == (i < initial ? UINT64_MAX : made_up(i).parent));
    assert_int_equal(step.nth, made_up(i).nth);
  }
}

/* Saves parents and loads them into others. */
static void copy_parents(struct parents *from, struct parents *to, struct budget *budget) {
  char path[] = "/tmp/test_search.XXXXXX";
  close(mkstemp(path));
  struct sink *sink = sink_open(budget);
  assert_true(sink_create(sink, path, 1) && parents_pass(from, sink) && sink_commit(sink));
  parents_init(to, budget);
  assert_true(sink_read(sink, path, 1) && parents_pass(to, sink) && sink_commit(sink));
  sink_close(sink);
  unlink(path);
}

static void test_parents(void **state) {
  (void)state;
  struct budget *budget = budget_open(0);
  uint64_t base = budget_used_all(budget);
  struct parents parents, copy;
  const uint64_t n = 3500000, initial = 300;
  parents_init(&parents, budget);
  for (uint64_t i = 0; i < n; i++) {
    struct parents_step step = made_up(i);
    assert_true(i < initial ? parents_add_initial(&parents, step.nth)
                            : parents_add(&parents, step.parent, step.nth));
  }
  assert_true(budget_used(budget, BUDGET_PARENTS) < 2 * n);
  expect_parents(&parents, n, initial);
  copy_parents(&parents, &copy, budget);
  expect_parents(&copy, n, initial);
  parents_free(&parents);
  parents_free(&copy);
  assert_true(budget_used_all(budget) == base);
  budget_close(budget);
}

/* A difference leads from either row to the other, and nothing is written after it. */
static void test_delta(void **state) {
  (void)state;
  enum { MOST = 8192 };
  static uint8_t a[8 * MOST], b[8 * MOST], row[8 * MOST];
  static uint8_t delta[MOST * DELTA_MOST + DELTA_SLACK];
  static const uint32_t words[] = {1, 2, 3, 4, 5, 17, 1023, 1024, 1025, MOST};
  uint64_t random = 1;
  for (uint32_t round = 0; round < 20000; round++) {
    uint32_t n = words[round % (round < 1000 ? 10 : 6)], bytes = 8 * n;
    for (uint32_t i = 0; i < bytes; i++)
      a[i] = b[i] = (uint8_t)bits_next_random(&random);
    uint64_t changes = round % 7 == 0 ? 2 * bytes : bits_next_random(&random) % 6;
    while (changes-- > 0)
      b[bits_next_random(&random) % bytes] = (uint8_t)bits_next_random(&random);
    b[0] = round % 3 == 0 ? a[0] ^ 0x80 : b[0];
    b[bytes - 1] = round % 5 == 0 ? a[bytes - 1] ^ 1 : b[bytes - 1];
    uint8_t *end = delta_write(a, b, n, delta);
    assert_true((end == delta) == (memcmp(a, b, bytes) == 0));
    assert_true(end - delta <= (ptrdiff_t)n * DELTA_MOST);
    memset(end, 0xA5, DELTA_SLACK);
    memcpy(row, a, bytes);
    delta_apply(row, n, delta, end);
    assert_memory_equal(row, b, bytes);
    delta_apply(row, n, delta, end);
    assert_memory_equal(row, a, bytes);
  }
}

/* Records of all sizes come back in the order of a stack, and can be walked. */
static void test_pile(void **state) {
  (void)state;
  struct budget *budget = budget_open(0);
  uint64_t base = budget_used_all(budget);
  struct pile pile;
  pile_init(&pile, budget);
  uint64_t n = 0, random = 1, most = 300000;
  for (uint32_t round = 0; round < 1000000; round++) {
    bool up = bits_next_random(&random) % 100 < (round / 100000 % 2 ? 30u : 75u);
    if (up && n < most) {
      uint32_t bytes = (uint32_t)(graph_mix(n, 1, 2) % 12) * 8 + (n % 1000 == 999 ? 70000 : 0);
      bytes += n % 500 == 250 ? PILE_LONG - 12 : 0;
      uint8_t *at = pile_room(&pile, bytes + sizeof n + PILE_TAIL);
      assert_non_null(at);
      memcpy(at, &n, sizeof n);
      memset(at + sizeof n, (int)(n & 0xFF), bytes);
      pile_push(&pile, n % 16, bytes + (uint32_t)sizeof n);
      n++;
    } else if (n > 0) {
      struct pile_record top = pile_top(&pile);
      assert_true(memcmp(top.at, &(uint64_t){--n}, sizeof n) == 0 && top.kind == n % 16);
      if (top.bytes > sizeof n)
        assert_true(top.at[top.bytes - 1] == (n & 0xFF));
      pile_pop(&pile, top);
    }
    assert_true((pile_top(&pile).at == NULL) == (n == 0));
  }
  uint32_t segment = pile.current;
  uint64_t left = n;
  for (struct pile_record r = pile_top(&pile); r.at; r = pile_under(&pile, r, &segment))
    assert_true(memcmp(r.at, &(uint64_t){--left}, sizeof left) == 0);
  assert_int_equal(left, 0);
  pile_free(&pile);
  assert_true(budget_used_all(budget) == base);
  budget_close(budget);
}

/* Which functions a kind has follows from its traits, for every kind of every seam. */
static void test_kinds(void **state) {
  (void)state;
  for (uint32_t i = 0; frontier_kinds[i] != NULL; i++) {
    assert_null(frontier_broken(frontier_kinds[i]));
    assert_ptr_equal(frontier_by_name(frontier_kinds[i]->name), frontier_kinds[i]);
  }
  for (uint32_t i = 0; reduction_kinds[i] != NULL; i++)
    assert_null(reduction_broken(reduction_kinds[i]));
  for (uint32_t i = 0; forget_kinds[i] != NULL; i++) {
    assert_null(forget_broken(forget_kinds[i]));
    assert_ptr_equal(forget_by_name(forget_kinds[i]->name), forget_kinds[i]);
  }
  struct frontier_kind kind = *frontier_by_name("bfs");
  kind.push = NULL;
  assert_string_equal(frontier_broken(&kind), "push");
  kind = *frontier_by_name("bfs");
  kind.traits &= ~(unsigned)FRONTIER_LEVELS;
  assert_string_equal(frontier_broken(&kind), "widths");
  kind.traits |= FRONTIER_LEVELS | FRONTIER_PATH;
  assert_string_equal(frontier_broken(&kind), "path");
}

/* Argument: only the case of that name; it may contain * and ?. */
int main(int n, char **word) {
  cmocka_set_test_filter(n > 1 ? word[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pile),
      cmocka_unit_test(test_delta),
      cmocka_unit_test(test_parents),
      cmocka_unit_test(test_random_graphs),
      cmocka_unit_test(test_many_events),
      cmocka_unit_test(test_dfs_depth),
      cmocka_unit_test(test_watch),
      cmocka_unit_test(test_max_states),
      cmocka_unit_test(test_max_depth),
      cmocka_unit_test(test_time_and_interrupt),
      cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_truncations),
      cmocka_unit_test(test_without_parents),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_each_refusal),
      cmocka_unit_test(test_long_path),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
