/* test_forget.c - orders that keep a tree, and searches that forget, on graphs made at random.
 *
 * Which nodes are expanded is noted behind the search's back, so that full coverage is
 * tested itself and not a sum that follows from it.
 */
#include "../toy.h"
#include "search_graph.h"

#include "search/forget/candidates.h"
#include "search/forget/forget.h"
#include "search/forget/strategy.h"
#include "search/frontier/frontier.h"
#include "search/rules.h"
#include "search/tree/distinct.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_NODES = 4096 };

static struct {
  const struct ts_code *inner;
  struct ts_code code;
  const struct graph *g;
  bool expanded[MOST_NODES];
} spy;

static int32_t spy_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                              struct ts_event *cursor, const uint64_t *skip,
                              struct ts_batch *out) {
  spy.expanded[graph_node(spy.g, state)] = true;
  return spy.inner->successors(ts, state, length, cursor, skip, out);
}

static int32_t spy_measure(const struct ts *ts, const uint8_t *state, uint32_t length,
                           uint32_t which) {
  (void)ts;
  (void)length;
  return (int32_t)(graph_node(spy.g, state) / (which == 0 ? 16 : 3));
}

static void spy_on(struct graph *g) {
  static const struct ts_measure measure[2] = {{"part", 0, 4096}, {"finer", 0, 4096}};
  spy.inner = ts_code(&g->ts);
  spy.code = *spy.inner;
  spy.code.successors = spy_successors;
  spy.code.measure = spy_measure;
  spy.g = g;
  memset(spy.expanded, 0, sizeof spy.expanded);
  g->shape.n_measures = 2;
  g->shape.measure = measure;
  atomic_store(&g->ts.code, &spy.code);
}

static uint64_t spied(void) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < MOST_NODES; i++)
    n += spy.expanded[i];
  return n;
}

struct how {
  const char *order, *store, *forget, *strategy;
  uint64_t parameter[2];
  uint64_t size;
  bool chain, keep_going;
};

static void search(const struct graph *g, const struct how *how, struct budget *budget,
                   struct search_result *result) {
  struct strategy strategy = {0};
  struct measure measure = {.ts = &g->ts}, progress = {.ts = &g->ts};
  const char *why = NULL;
  assert_true(measure_add_expression(&measure, 1));
  assert_true(measure_add_expression(&progress, 0));
  assert_true(strategy_parse(&strategy, how->strategy, &why));
  bool sweeps = how->forget != NULL && strcmp(how->forget, "sweep-line") == 0;
  struct search_options options = {.store.kind = store_by_name(how->store),
                                   .order.kind = frontier_by_name(how->order),
                                   .order.parameter = {how->parameter[0], how->parameter[1]},
                                   .order.measure = &measure,
                                   .forget.kind =
                                       how->forget == NULL ? NULL : forget_by_name(how->forget),
                                   .forget.strategy = &strategy,
                                   .forget.progress = sweeps ? &progress : NULL,
                                   .forget.cache_size = how->size,
                                   .forget.chain = how->chain,
                                   .parents = true,
                                   .keep_going = how->keep_going,
                                   .deadlock_is_error = true,
                                   .limit.visits = 2000000,
                                   .seed = 7};
  assert_null(search_refusal(&options));
  memset(spy.expanded, 0, sizeof spy.expanded);
  search_run(&g->ts, &options, budget, result);
}

/* Of searches that count all errors. One that gave up has shown nothing. */
static struct { uint32_t searches, gave_up; } tally;

struct walk {
  uint32_t n;
};

static bool walk_step(void *context, uint32_t n, const struct ts_edge *edge,
                      const uint8_t *state, uint32_t length) {
  struct walk *walk = context;
  (void)edge;
  (void)state;
  (void)length;
  assert_int_equal(n, walk->n++);
  return true;
}

/* One search that counts all errors, and one that stops at the first. */
static void compare(const struct graph *g, struct how how) {
  struct toy_result toy;
  assert_true(toy_check(&g->ts, true, &toy));
  struct budget *budget = budget_open(0);
  uint64_t base = budget_used_all(budget);
  struct search_result result;
  how.keep_going = true;
  search(g, &how, budget, &result);
  const struct search_figures *f = &result.figures;
  assert_null(result.internal_error);
  tally.searches++;
  tally.gave_up += result.limit != SEARCH_NO_LIMIT;
  if (result.limit == SEARCH_NO_LIMIT) {
    assert_int_equal(spied(), toy.states);
    assert_int_equal(result.verdict, toy.errors > 0 ? SEARCH_VIOLATED : SEARCH_VERIFIED);
    assert_int_equal(result.guarantee, SEARCH_EXACT);
    assert_true(f->visited == f->stored + f->forgetting.states);
    assert_true(f->visited >= toy.states && f->deadlocks >= toy.deadlocks);
    assert_true((f->deadlocks > 0) == (toy.deadlocks > 0));
    if (how.forget == NULL) {
      assert_int_equal(f->events, toy.events);
      assert_int_equal(f->matched, toy.matched);
      assert_int_equal(f->errors, toy.errors);
    }
  } else {
    assert_true(how.size > 0);
    assert_int_equal(result.guarantee, SEARCH_PARTIAL);
    assert_true(result.verdict != SEARCH_VERIFIED);
    assert_true(result.limit == SEARCH_TREE || result.limit == SEARCH_MAX_VISITS);
  }
  if (how.size > 0)
    assert_true(f->peak.stored <= how.size);
  bool complete = result.limit == SEARCH_NO_LIMIT;
  search_result_free(&result);

  how.keep_going = false;
  search(g, &how, budget, &result);
  assert_null(result.internal_error);
  if (complete && toy.errors > 0)
    assert_int_equal(result.verdict, SEARCH_VIOLATED);
  if (result.error.kind != SEARCH_NO_ERROR) {
    struct walk walk = {0};
    assert_true(search_replay(&g->ts, &result.error.trail, budget, walk_step, &walk));
    if (complete && strcmp(how.order, "bfs") == 0 && how.forget != NULL &&
        strcmp(how.forget, "cache") == 0)
      assert_int_equal(result.error.trail.n_events, toy.shortest);
  }
  search_result_free(&result);
  assert_true(budget_used_all(budget) == base);
  budget_close(budget);
}

static const struct how orders[] = {
    {.order = "bfs"},
    {.order = "dfs"},
    {.order = "bbfs", .parameter = {1}},
    {.order = "bbfs", .parameter = {4}},
    {.order = "bbfs", .parameter = {1000}},
    {.order = "alt", .parameter = {1, 1}},
    {.order = "alt", .parameter = {3, 2}},
    {.order = "alt", .parameter = {0, 2}},
    {.order = "best"},
    {.order = "random"},
};

enum { N_ORDERS = sizeof orders / sizeof *orders };

static const char *const strategies[] = {"",
                                         "random",
                                         "in-degree",
                                         "-frequency+random",
                                         "near",
                                         "far+out-degree",
                                         "entry",
                                         "-entry+-age",
                                         "stratified/3+random",
                                         "share/4+random",
                                         "far+-share/2",
                                         "stratified/4/1/2+in-degree+-out-degree"};

static void make(struct graph *g, uint32_t i, uint32_t nodes) {
  graph_make(g, i % 2 == 0 ? KIND_RANDOM : KIND_NEAR, (enum graph_form)(i % FORMS), 1000 + i,
             nodes, 1 + i % 5);
  if (i % 4 == 1)
    g->broken_edges = 50;
  if (i % 4 == 2)
    g->lost_edges = 500;
  if (i % 4 == 3)
    g->bad = 30;
  spy_on(g);
}

static void test_orders(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 40; i++) {
    struct graph g;
    make(&g, i, 50 + 97 * (i % 20));
    for (uint32_t o = 2; o < N_ORDERS; o++) {
      struct how how = orders[o];
      how.strategy = "";
      for (uint32_t s = 0; s < 3; s++) {
        static const char *const stores[] = {"full", "tree", "collapse"};
        how.store = stores[s];
        compare(&g, how);
      }
    }
  }
}

static void test_caches(void **state) {
  (void)state;
  memset(&tally, 0, sizeof tally);
  for (uint32_t i = 0; i < 300; i++) {
    struct graph g;
    uint32_t nodes = 30 + 13 * (i % 30);
    make(&g, i, nodes);
    struct how how = orders[i % N_ORDERS];
    how.store = i % 3 == 0 ? "tree" : "full";
    how.strategy = strategies[i / N_ORDERS % (sizeof strategies / sizeof *strategies)];
    how.forget = i % 4 == 0 ? "sweep-line" : "cache";
    how.chain = i / 2 % 2 == 0;
    for (uint32_t part = 2; part <= 10; part += 2) {
      how.size = (uint64_t)nodes * part / 10;
      compare(&g, how);
    }
    how.size = 0;
    compare(&g, how);
  }
  assert_true(tally.gave_up * 100 <= tally.searches * 9);
}

/* Chains: paths that meet, and a cycle of states with one successor. */
static void test_chains(void **state) {
  (void)state;
  memset(&tally, 0, sizeof tally);
  for (uint32_t i = 0; i < 200; i++) {
    struct graph g;
    graph_make(&g, KIND_NEAR, FORM_SHORT, 77 + i, 300, 1 + i % 2);
    spy_on(&g);
    struct how how = orders[i % N_ORDERS];
    how.store = "full";
    how.forget = "cache";
    how.strategy = strategies[i % (sizeof strategies / sizeof *strategies)];
    how.chain = true;
    for (how.size = 10; how.size <= 90; how.size += 20)
      compare(&g, how);
  }
  assert_int_equal(tally.gave_up, 0);
}

static void test_no_memory(void **state) {
  (void)state;
  struct graph g;
  make(&g, 4, 800);
  for (uint32_t o = 0; o < N_ORDERS; o++)
    for (uint32_t forget = 0; forget < 3; forget++) {
      struct how how = orders[o];
      static const char *const ways[] = {NULL, "cache", "sweep-line"};
      how.forget = ways[forget];
      how.strategy = "random";
      how.store = o % 2 == 0 ? "full" : "tree";
      how.keep_going = true;
      for (uint64_t fail = 1; fail < 400; fail += 1 + fail / 8) {
        struct budget *budget = budget_open(0);
        uint64_t base = budget_used_all(budget);
        struct search_result result;
        budget_fail_after(budget, fail);
        search(&g, &how, budget, &result);
        if (result.limit == SEARCH_NO_LIMIT)
          assert_true(spied() > 0 && result.guarantee == SEARCH_EXACT);
        else
          assert_true(result.verdict != SEARCH_VERIFIED);
        search_result_free(&result);
        budget_fail_after(budget, 0);
        assert_true(budget_used_all(budget) == base);
        budget_close(budget);
      }
    }
}

static void test_candidates(void **state) {
  (void)state;
  struct budget *budget = budget_open(0);
  uint64_t base = budget_used_all(budget);
  for (uint32_t turn = 0; turn < 6; turn++) {
    struct candidates *c = candidates_open(budget, turn % 2 == 0 ? 8 : 5, turn);
    enum candidates_pick pick = (enum candidates_pick)(turn / 2);
    static uint8_t inside[20000];
    uint64_t n = 0, ref, random = turn + 1, last = 0;
    uint32_t rank;
    memset(inside, 0, sizeof inside);
    for (uint32_t step = 0; step < 60000; step++) {
      uint64_t next = graph_mix(random++, step, 3) % sizeof inside;
      bool grows = step / 7000 % 2 == 0;
      if (!inside[next] && graph_mix(random, step, 4) % 4 < (grows ? 3 : 1)) {
        assert_true(candidates_add(c, (uint32_t)next % 50 * 80, next));
        inside[next] = 1;
        n++;
      } else if (candidates_take(c, pick, &rank, &ref)) {
        assert_true(ref < sizeof inside && inside[ref] && rank == ref % 50 * 80);
        inside[ref] = 0;
        n--;
      }
      assert_int_equal(candidates_count(c), n);
    }
    while (candidates_take(c, pick, &rank, &ref)) {
      assert_true(rank >= last && inside[ref]);
      last = rank;
      n--;
    }
    assert_int_equal(n, 0);
    candidates_close(c);
  }
  assert_true(budget_used_all(budget) == base);
  budget_close(budget);
}

static void test_strategies(void **state) {
  (void)state;
  struct strategy s;
  const char *why;
  static const char *const wrong[] = {"foo",
                                      "near+",
                                      "stratified",
                                      "stratified/1",
                                      "stratified/3/3",
                                      "-random",
                                      "near+far+entry",
                                      "+",
                                      "in-degree/2",
                                      "stratified/99",
                                      "share",
                                      "share/1",
                                      "share/256",
                                      "share/4/1",
                                      "share/2+share/3",
                                      "near+far",
                                      "entry+-entry",
                                      "in-degree+frequency",
                                      "stratified/2+stratified/3",
                                      "age+-age",
                                      "random+age"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_false(strategy_parse(&s, wrong[i], &why));
  assert_true(strategy_parse(&s, "stratified/3/0/2+near,size=5", &why));
  assert_int_equal(s.offsets, 5);
  struct strategy_facts a = {.depth = 4}, b = {.depth = 3}, c = {.depth = 6};
  assert_true(strategy_rank(&s, &a) < strategy_rank(&s, &b));
  assert_true(strategy_rank(&s, &b) < strategy_rank(&s, &c));
  assert_true(strategy_parse(&s, "in-degree+far", &why));
  a.count = 2;
  b.count = 1;
  assert_true(strategy_rank(&s, &a) > strategy_rank(&s, &b));
  assert_int_equal(strategy_recount(&s, strategy_rank(&s, &b), 2) >> 8, 2);
  assert_true(strategy_parse(&s, ",size=5", &why) && s.share == 16);
  assert_true(strategy_parse(&s, "share/12+random", &why));
  a.share = 11;
  b.share = 12;
  c.share = 255;
  assert_true(strategy_rank(&s, &a) < strategy_rank(&s, &b));
  assert_int_equal(strategy_rank(&s, &b), strategy_rank(&s, &c));
  for (uint64_t n = 0; n < UINT64_C(1) << 40; n += 1 + n / 9)
    assert_true(strategy_step(n) <= strategy_step(n + 1) && strategy_step(n) < 256);
}

static void test_distinct(void **state) {
  (void)state;
  static uint8_t registers[DISTINCT_REGISTERS];
  uint64_t n = 0, random = 5;
  assert_int_equal(distinct_count(registers), 0);
  for (uint64_t next = 1; next < 3000000; next += 1 + next / 3) {
    while (n < next) {
      uint64_t hash = graph_mix(random, n++, 1);
      distinct_note(registers, hash);
      distinct_note(registers, hash);
    }
    uint64_t count = distinct_count(registers), off = count > n ? count - n : n - count;
    assert_true((double)off <= 0.025 * (double)n + 1);
  }
}

/* Argument: only the case of that name; it may contain * and ?. */
int main(int n, char **word) {
  cmocka_set_test_filter(n > 1 ? word[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_candidates), cmocka_unit_test(test_strategies),
      cmocka_unit_test(test_orders),     cmocka_unit_test(test_caches),
      cmocka_unit_test(test_chains),     cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_distinct),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
