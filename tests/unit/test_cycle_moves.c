/* test_cycle_moves.c - searches for cycles whose states move while memory is refused.
 *
 * As in test_move.c, graphs are made at random and memory is refused whenever it may be. Nodes
 * are cut into blocks, and no edge leads to an earlier one; what leads to a later block is
 * accepting, and so closes no cycle, but makes a second search begin. In half of the graphs a
 * few edges within blocks accept as well. Without a refusal a search that moves is the search
 * that does not, visit by visit; with one it ends, or says what is true.
 */
#include "search_graph.h"
#include "short_memory.h"

#include "base/bits.h"
#include "search/engine.h"
#include "search/frontier/frontier.h"
#include "search/rules.h"
#include "search/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 1200, MANY = 12000, BLOCK = 60, RARE = 700, EARLY = 150 };

static struct {
  struct graph graph;
  struct ts_code code;
  const struct ts_code *real;
  bool accepts; /* some edges within blocks */
  struct ts_action action[MANY];
  struct budget *budget;
  struct short_memory memory;
  struct search_result want; /* of the search that does not move */
} world;

static struct { uint32_t partial, moved, found, verified, relieved; } seen;

static uint32_t block_of(const uint8_t *row) {
  return graph_node(&world.graph, row) / BLOCK;
}

/* The graph's edges but those to earlier blocks. */
static int32_t block_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                struct ts_event *cursor, const uint64_t *skip,
                                struct ts_batch *out) {
  const uint32_t block = block_of(state);
  int32_t left = 1;
  short_memory_call(&world.memory, world.budget);
  while (left == 1 && out->n < out->capacity) {
    uint32_t kept = out->n, from = kept;
    left = world.real->successors(ts, state, length, cursor, skip, out);
    for (uint32_t i = from; i < out->n; i++) {
      uint8_t *row = out->rows + i * out->stride;
      if (block_of(row) < block)
        continue;
      memmove(out->rows + kept * out->stride, row, out->stride);
      out->edge[kept++] = out->edge[i];
    }
    out->n = kept;
  }
  return left;
}

static uint64_t block_marks(const struct ts *ts, const uint8_t *state, uint32_t length,
                            struct ts_event event) {
  struct ts_edge edge;
  uint8_t row[128];
  struct ts_batch one = {
      .edge = &edge, .rows = row, .stride = ts_stride(ts->shape), .capacity = 1};
  struct ts_event cursor = event;
  world.real->successors(ts, state, length, &cursor, NULL, &one);
  return block_of(row) > block_of(state) ||
         (world.accepts &&
          graph_mix(77, graph_node(&world.graph, state), event.action) % RARE == 0);
}

static void make_world(uint32_t seed, uint32_t nodes) {
  struct graph *g = &world.graph;
  graph_make(g, seed % 2 ? KIND_NEAR : KIND_RANDOM, (enum graph_form)(seed % FORMS), seed,
             nodes, 7);
  assert_true(ts_stride(&g->shape) <= 128 && g->shape.n_actions <= MANY);
  g->shape.n_initial = seed % 2 ? nodes / 10 : 40;
  g->shape.n_marks = 1;
  g->shape.action = world.action;
  g->shape.n_properties = 0;
  world.accepts = seed / 2 % 2;
  world.real = g->ts.code;
  world.code = *world.real;
  world.code.successors = block_successors;
  world.code.marks = block_marks;
  g->ts.code = &world.code;
}

static void judge(const struct search_result *r) {
  const bool found = r->error.kind == SEARCH_ACCEPTANCE, partial = r->limit != SEARCH_NO_LIMIT;
  const bool want = world.want.error.kind == SEARCH_ACCEPTANCE;
  assert_null(r->internal_error);
  assert_true(want || !found);
  if (!partial && r->figures.memory.store.wrong_matches < 1e-6)
    assert_int_equal(found, want);
  if (r->verdict == SEARCH_VERIFIED) {
    assert_false(want || partial);
    assert_int_equal(r->figures.stored, world.want.figures.stored);
    assert_int_equal(r->figures.nested, world.want.figures.nested);
  }
  if (found && r->error.trail.initial != TS_NONE)
    assert_true(search_trail_cycles(&world.graph.ts, &r->error.trail, world.budget));
  seen.partial += partial;
  seen.found += found;
  seen.verified += r->verdict == SEARCH_VERIFIED && r->n_moves > 0;
  seen.moved += r->n_moves > 0;
  seen.relieved += world.memory.claimed > 0 && r->n_moves > 0 &&
                   r->figures.stored > r->move[r->n_moves - 1].states;
}

/* One search; false: nothing was cut short. */
static bool search(const struct search_options *options, uint64_t room, uint64_t fail_after) {
  struct search_result result;
  world.budget = budget_open(0);
  if (room > 0) {
    const uint64_t base = budget_used_all(world.budget);
    budget_close(world.budget);
    world.budget = budget_open(base + room);
  }
  const uint64_t base = budget_used_all(world.budget);
  world.memory.calls = world.memory.claimed = 0;
  budget_fail_after(world.budget, fail_after);
  search_run(&world.graph.ts, options, world.budget, &result);
  budget_fail_after(world.budget, 0);
  budget_return(world.budget, BUDGET_OTHER, world.memory.claimed);
  judge(&result);
  const bool cut = result.limit != SEARCH_NO_LIMIT;
  search_result_free(&result);
  assert_int_equal(budget_used_all(world.budget), base);
  budget_close(world.budget);
  return cut;
}

struct way {
  const char *engine, *order;
  enum search_fairness fairness;
  bool lossy;
};

static const struct way ways[] = {{"ndfs", "dfs", SEARCH_UNFAIR, false},
                                  {"ndfs", "dfs", SEARCH_UNFAIR, true},
                                  {"scc", "dfs", SEARCH_UNFAIR, false},
                                  {"scc", "dfs", SEARCH_STRONG, false},
                                  {"owcty", "bfs", SEARCH_UNFAIR, false}};

/* What the search finds that has all the memory, and does not move. */
static void look_first(struct search_options options) {
  options.store.moves = options.store.allow_lossy = false;
  world.budget = budget_open(0);
  world.memory.refuse_at = world.memory.claim_at = 0;
  search_run(&world.graph.ts, &options, world.budget, &world.want);
  search_result_free(&world.want);
  budget_close(world.budget);
  assert_int_equal(world.want.limit, SEARCH_NO_LIMIT);
  assert_true(world.accepts || world.want.verdict == SEARCH_VERIFIED);
}

/* Every way, with cycles and without. */
static void each(void (*test)(const struct search_options *), uint32_t nodes) {
  memset(&seen, 0, sizeof seen);
  for (uint32_t i = 0; i < sizeof ways / sizeof *ways; i++)
    for (uint32_t seed = i; seed < i + 4; seed++) {
      const struct search_options options = {.engine = engine_by_name(ways[i].engine),
                                             .order.kind = frontier_by_name(ways[i].order),
                                             .store.kind = store_by_name("full"),
                                             .store.moves = true,
                                             .store.allow_lossy = ways[i].lossy,
                                             .fairness = ways[i].fairness,
                                             .parents = true,
                                             .seed = 1};
      assert_null(search_refusal(&options));
      make_world(seed, nodes);
      look_first(options);
      test(&options);
    }
}

static void after_each_number(const struct search_options *asked) {
  struct search_options options = *asked;
  for (uint64_t after = 1; after < world.want.figures.stored; after += 1 + after / 4) {
    options.store.move_after = after;
    assert_false(search(&options, 0, 0));
  }
}

static void test_all_there(void **state) {
  (void)state;
  each(after_each_number, NODES);
  assert_true(seen.found > 0 && seen.verified > 0);
}

static void refuse_all(const struct search_options *asked) {
  struct search_options options = *asked;
  options.store.move_after = EARLY;
  for (uint64_t n = 1; search(&options, 0, n); n++)
    assert_true(n < 3000);
}

static void test_refused_from_then_on(void **state) {
  (void)state;
  each(refuse_all, NODES);
  assert_true(seen.partial > 0 && seen.moved > 0 && seen.found > 0);
}

static void refuse_for_a_while(const struct search_options *asked) {
  struct search_options options = *asked;
  options.store.move_after = EARLY;
  for (uint32_t at = 1; at < world.want.figures.visited; at += 23) {
    world.memory.refuse_at = at;
    world.memory.refuse_after = at % 3;
    world.memory.refuse_calls = at % 4 == 0 ? MANY : 1 + at % 7;
    search(&options, 0, 0);
  }
}

static void test_refused_for_a_while(void **state) {
  (void)state;
  each(refuse_for_a_while, NODES);
  assert_true(seen.partial > 0 && seen.moved > 0 && seen.found > 0 && seen.verified > 0);
}

static void limit_all(const struct search_options *options) {
  uint64_t room = 16 << 10;
  while (search(options, room, 0) && room < 4 << 20)
    room += 8000 + room / 40;
  assert_true(room < 4 << 20);
}

static void test_limits(void **state) {
  (void)state;
  each(limit_all, MANY / 2);
  /* That a search moves and yet has room for all is rare here, and depends on the machine. */
  assert_true(seen.partial > 0 && seen.found > 0 && seen.moved > 0);
}

/* What is left is not enough for the next piece of the stack, or of what an engine keeps. */
static void squeeze(const struct search_options *options) {
  const uint64_t visited = world.want.figures.visited;
  for (uint64_t at = 50; at < visited; at += 50 + visited / 30) {
    world.memory.claim_at = at;
    world.memory.left = (20 + at % 180) << 10;
    search(options, 8 << 20, 0);
  }
}

static void test_squeezed(void **state) {
  (void)state;
  each(squeeze, MANY);
  assert_true(seen.partial > 0 && seen.relieved > 0);
}

/* Argument: only the case of that name; it may contain * and ?. */
int main(int n, char **word) {
  cmocka_set_test_filter(n > 1 ? word[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_there), cmocka_unit_test(test_refused_from_then_on),
      cmocka_unit_test(test_refused_for_a_while), cmocka_unit_test(test_limits),
      cmocka_unit_test(test_squeezed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
