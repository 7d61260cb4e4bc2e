/* test_move.c - states that move from store to store while memory is refused.
 *
 * Real stores under a search; the graphs are made at random (search_graph.h). Memory is
 * refused from every single request on, between any two expansions, and by every limit in
 * small steps. Whatever is refused when: a search that says it has seen everything has; an
 * error is real; what it cut short is partial; all memory is given back. Without a refusal
 * all states are there after every move.
 */
#include "search_graph.h"
#include "short_memory.h"

#include "../toy.h"

#include "base/bits.h"
#include "search/frontier/frontier.h"
#include "search/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum {
  NODES = 1200,
  MANY = 12000, /* so many that the stack is longer than its first piece */
  LEAST = 150   /* states between two moves */
};

/* What the graph's code sees of a search. */
static struct {
  struct graph graph;
  struct ts_code code;
  const struct ts_code *real;
  struct toy_result toy;
  struct budget *budget;
  uint8_t expanded[MANY];
  uint32_t n;
  struct short_memory memory; /* expansions for a sample are calls, too */
  uint64_t open;              /* bytes when memory was taken */
  bool rests; /* for longer than pilots may take, at the first node expanded again */
} world;

/* How often what was tested came to pass: each must. */
static struct { uint32_t partial, moved, cut_in_move, errors, probable, relieved; } seen;

static void rest(void) {
  const struct timespec time = {.tv_sec = 3, .tv_nsec = 100000000};
  world.rests = false;
  nanosleep(&time, NULL);
}

static int32_t watched_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                  struct ts_event *cursor, const uint64_t *skip,
                                  struct ts_batch *out) {
  uint8_t *expanded = &world.expanded[graph_node(&world.graph, state)];
  world.n += *expanded == 0;
  if (world.rests && *expanded)
    rest();
  *expanded = 1;
  short_memory_call(&world.memory, world.budget);
  if (world.memory.calls == world.memory.claim_at)
    world.open = budget_used(world.budget, BUDGET_OPEN);
  return world.real->successors(ts, state, length, cursor, skip, out);
}

static void make_world(uint32_t form, uint64_t seed, uint32_t bad, uint32_t nodes) {
  struct graph *g = &world.graph;
  do {
    graph_make(g, seed % 2 ? KIND_NEAR : KIND_RANDOM, (enum graph_form)form, seed, nodes, 5);
    g->shape.n_initial = seed % 2 ? 160 : 2;
    g->bad = bad;
    assert_true(toy_check(&g->ts, false, &world.toy));
    seed += 100;
  } while (world.toy.states < 4 * LEAST || (bad > 0) != (world.toy.errors > 0));
  world.real = g->ts.code;
  world.code = *world.real;
  world.code.successors = watched_successors;
  g->ts.code = &world.code;
}

static struct search_options options_of(const char *order, bool lossy, bool keep_going) {
  return (struct search_options){.store.kind = store_by_name("full"),
                                 .order.kind = frontier_by_name(order),
                                 .store.moves = true,
                                 .store.allow_lossy = lossy,
                                 .store.move_after = LEAST,
                                 .parents = true,
                                 .keep_going = keep_going,
                                 .seed = 1};
}

static bool go_on(void *context, uint32_t n, const struct ts_edge *edge, const uint8_t *row,
                  uint32_t length) {
  (void)context;
  (void)n;
  (void)edge;
  (void)row;
  (void)length;
  return true;
}

static void judge(const struct search_options *options, const struct search_result *r) {
  bool found = r->error.kind != SEARCH_NO_ERROR, partial = r->limit != SEARCH_NO_LIMIT;
  assert_null(r->internal_error);
  assert_int_equal(found, r->verdict == SEARCH_VIOLATED);
  assert_true(!found || world.toy.errors > 0);
  if (partial)
    assert_int_equal(r->guarantee, SEARCH_PARTIAL);
  else if (!(r->store->has & STORE_EXACT))
    assert_int_equal(r->guarantee, SEARCH_PROBABLE);
  if (r->verdict == SEARCH_VERIFIED || (r->guarantee == SEARCH_EXACT && options->keep_going)) {
    assert_false(partial);
    assert_int_equal(world.n, world.toy.states);
    assert_int_equal(r->figures.stored, world.toy.states);
    assert_int_equal(r->figures.events, world.toy.events);
  }
  if (r->verdict == SEARCH_VERIFIED) {
    assert_int_equal(r->guarantee, SEARCH_EXACT);
    assert_int_equal(world.toy.errors, 0);
  }
  assert_true(world.n <= world.toy.states);
  if (found && r->error.trail.initial != TS_NONE)
    assert_true(search_replay(&world.graph.ts, &r->error.trail, world.budget, go_on, NULL));
  seen.partial += partial;
  seen.errors += found;
  seen.probable += r->guarantee == SEARCH_PROBABLE;
  seen.moved += r->n_moves > 0;
  seen.cut_in_move +=
      partial && r->n_moves > 0 && r->figures.memory.store.states < r->figures.stored;
}

/* One search; false: nothing was cut short. */
static bool search(const struct search_options *options, uint64_t room, uint64_t fail_after) {
  struct search_result result;
  world.budget = budget_open(0);
  if (room > 0) {
    uint64_t base = budget_used_all(world.budget);
    budget_close(world.budget);
    world.budget = budget_open(base + room);
  }
  uint64_t base = budget_used_all(world.budget);
  memset(world.expanded, 0, sizeof world.expanded);
  world.n = 0;
  world.memory.calls = world.memory.claimed = 0;
  budget_fail_after(world.budget, fail_after);
  search_run(&world.graph.ts, options, world.budget, &result);
  budget_fail_after(world.budget, 0);
  budget_return(world.budget, BUDGET_OTHER, world.memory.claimed);
  world.memory.claim_at = 0;
  judge(options, &result);
  if (world.memory.claimed > 0 && result.n_moves > 0) /* more than was left, so after a move */
    seen.relieved += result.figures.memory.open > world.open + world.memory.left;
  bool cut = result.limit != SEARCH_NO_LIMIT;
  search_result_free(&result);
  assert_int_equal(budget_used_all(world.budget), base);
  budget_close(world.budget);
  return cut;
}

/* Both orders, with errors and without, exact stores only and all; forms in turn. */
static void each(void (*test)(const struct search_options *), uint32_t nodes) {
  for (uint32_t i = 0; i < 8; i++) {
    make_world(i % FORMS, i / 2, i % 2 ? 20 : 0, nodes);
    struct search_options options =
        options_of(i / 2 % 2 ? "bfs" : "dfs", i / 4 % 2, i % 2 == 0);
    world.memory.refuse_at = 0;
    test(&options);
  }
}

static void all_there(const struct search_options *asked) {
  struct search_options options = *asked;
  options.keep_going = true;
  for (uint64_t after = 1; 4 * after < world.toy.states; after += 1 + after / 2) {
    struct search_result result;
    options.store.move_after = after;
    assert_false(search(&options, 0, 0));
    world.budget = budget_open(0);
    search_run(&world.graph.ts, &options, world.budget, &result);
    assert_int_equal(result.n_moves, options.store.allow_lossy ? 3 : 1);
    /* Compact keeps 64 bits, so even it misses none of so few; bitline may. */
    if (!options.store.allow_lossy)
      assert_int_equal(result.figures.memory.store.states, world.toy.states);
    search_result_free(&result);
    budget_close(world.budget);
  }
}

static void test_all_there(void **state) {
  (void)state;
  each(all_there, NODES);
}

static void refuse_all(const struct search_options *options) {
  uint64_t n = 1;
  while (search(options, 0, n))
    assert_true(++n < 3000);
  /* What comes after the search, like a trail, is refused as well. */
  for (uint64_t more = 0; more < 20; more++)
    search(options, 0, n + more);
}

static void test_refused_from_then_on(void **state) {
  (void)state;
  seen.partial = seen.moved = seen.cut_in_move = seen.errors = 0;
  each(refuse_all, NODES);
  assert_true(seen.partial > 0 && seen.moved > 0 && seen.cut_in_move > 0 && seen.errors > 0);
}

static void refuse_for_a_while(const struct search_options *options) {
  static const uint32_t after[] = {0, 1, 2, 3, 5, 8, 13, 21};
  for (uint32_t at = 1; at < world.toy.states; at += 9)
    for (uint32_t i = at % 4; i < sizeof after / sizeof *after; i += 4) {
      world.memory.refuse_at = at;
      world.memory.refuse_after = after[i];
      world.memory.refuse_calls = at / 9 % 2 == 0 ? 1 : (uint32_t)world.toy.states;
      search(options, 0, 0);
    }
}

static void test_refused_for_a_while(void **state) {
  (void)state;
  seen.partial = seen.moved = seen.cut_in_move = seen.errors = 0;
  each(refuse_for_a_while, NODES);
  assert_true(seen.partial > 0 && seen.moved > 0 && seen.cut_in_move > 0 && seen.errors > 0);
}

/* The moves come when the search itself finds that they are due. */
static void limit_all(const struct search_options *asked) {
  struct search_options options = *asked;
  uint64_t room = 16 << 10;
  options.store.move_after = 0;
  while (search(&options, room, 0) && room < 4 << 20)
    room += 4000 + room / 100;
  assert_true(room < 4 << 20);
}

static void test_limits(void **state) {
  (void)state;
  seen.partial = seen.moved = seen.probable = 0;
  each(limit_all, NODES);
  assert_true(seen.partial > 0 && seen.moved > 0);
}

/* What is left is enough for the store, which takes too little of the budget to be moved for
 * its share, but not for the next piece of the stack. */
static void squeeze(const struct search_options *asked) {
  struct search_options options = *asked;
  options.store.move_after = 0;
  for (uint32_t at = 50; at < world.toy.states; at += 50 + (uint32_t)(world.toy.states / 40))
    for (uint64_t left = 40 << 10; left < 64 << 10; left += 8 << 10) {
      world.memory.claim_at = at;
      world.memory.left = left;
      search(&options, 8 << 20, 0);
    }
}

static void test_squeezed(void **state) {
  (void)state;
  seen.partial = seen.relieved = 0;
  each(squeeze, MANY);
  assert_true(seen.partial > 0 && seen.relieved > 0);
}

/* When the first pilot has taken all the time that there is, no other one begins. */
static void test_no_pilot_too_late(void **state) {
  struct search_options options = options_of("bfs", false, true);
  (void)state;
  make_world(0, 0, 0, MANY);
  world.memory.refuse_at = 0;
  options.store.moves = false;
  for (uint32_t rests = 0; rests < 2; rests++) {
    struct search_result result;
    memset(world.expanded, 0, sizeof world.expanded);
    world.budget = budget_open(0);
    uint64_t base = budget_used_all(world.budget);
    budget_close(world.budget);
    world.budget = budget_open(base + (192 << 10));
    world.rests = rests > 0;
    search_run(&world.graph.ts, &options, world.budget, &result);
    assert_int_equal(result.limit, SEARCH_MEMORY);
    assert_int_equal(result.n_estimates > 0, rests == 0);
    search_result_free(&result);
    budget_close(world.budget);
  }
  assert_false(world.rests);
}

/* Argument: only the case of that name; it may contain * and ?. */
int main(int n, char **word) {
  cmocka_set_test_filter(n > 1 ? word[1] : NULL);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_there),
                                     cmocka_unit_test(test_refused_from_then_on),
                                     cmocka_unit_test(test_refused_for_a_while),
                                     cmocka_unit_test(test_limits),
                                     cmocka_unit_test(test_squeezed),
                                     cmocka_unit_test(test_no_pilot_too_late)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
