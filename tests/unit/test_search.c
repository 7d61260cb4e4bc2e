/* test_search.c - the search against a hundred-line checker, on graphs made at random.
 *
 * A graph is a ts whose states are numbers; its edges, faults and bad states
 * follow from a seed by a hash function, so nothing is stored. Its vectors come
 * in three shapes: short, long, and of varying length. The store is a plain
 * one of this file, so that the search is tested alone; where the real one is
 * at hand the same tests run on it.
 */
#include "../toy.h"

#include "base/bits.h"
#include "search/frontier/frontier.h"
#include "search/parents.h"
#include "search/pile.h"
#include "search/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- graphs behind the door ---- */

enum graph_form { FORM_SHORT, FORM_LONG, FORM_VARYING, FORMS };
enum graph_kind { KIND_RANDOM, KIND_NEAR, KIND_PATH, KIND_STAR, KINDS };

struct graph {
  struct ts ts;
  struct ts_shape shape;
  struct ts_slot slot[3];
  struct ts_component component[3];
  struct ts_property property[3];
  uint64_t seed;
  enum graph_kind kind;
  uint32_t nodes, degree;                 /* degree: at most that many events */
  uint32_t broken_edges, lost_edges, bad; /* of 10,000 edges or states */
  uint32_t truncating;
};

static uint64_t mix(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t state = a ^ b * UINT64_C(0xD1342543DE82EF95) ^ c * UINT64_C(0xA24BAED4963EE407);
  bits_next_random(&state);
  return bits_next_random(&state);
}

static uint32_t write_node(const struct graph *g, uint32_t node, uint8_t *row) {
  uint16_t low = (uint16_t)node, high = (uint16_t)(node >> 16);
  uint32_t more = node * UINT32_C(0x9E3779B1);
  memset(row, 0, ts_stride(&g->shape));
  memcpy(row + g->slot[0].offset, &low, 2);
  memcpy(row + g->slot[1].offset, &high, 2);
  if (g->shape.n_slots < 3)
    return g->shape.max_bytes;
  if (!g->shape.fixed_length && node % 3 == 0)
    return g->slot[2].offset;
  memcpy(row + g->slot[2].offset, &more, 4);
  return g->shape.max_bytes;
}

static uint32_t read_node(const struct graph *g, const uint8_t *row) {
  uint16_t low, high;
  memcpy(&low, row + g->slot[0].offset, 2);
  memcpy(&high, row + g->slot[1].offset, 2);
  return (uint32_t)high << 16 | low;
}

static uint32_t graph_degree(const struct graph *g, uint32_t node) {
  switch (g->kind) {
  case KIND_PATH:
    return node + 1 < g->nodes;
  case KIND_STAR:
    return node == 0 ? g->nodes - 1 : 1;
  default:
    return (uint32_t)(mix(g->seed, node, 1) % (g->degree + 1));
  }
}

static uint32_t graph_target(const struct graph *g, uint32_t node, uint32_t k) {
  uint64_t random = mix(g->seed, node, 2 + k);
  switch (g->kind) {
  case KIND_PATH:
    return node + 1;
  case KIND_STAR:
    return node == 0 ? k + 1 : 0;
  case KIND_NEAR:
    return (uint32_t)((node + random % 9 + g->nodes - 3) % g->nodes);
  default:
    return (uint32_t)(random % g->nodes);
  }
}

static const struct graph *graph_of(const struct ts *ts) {
  return ts->self;
}

static uint32_t graph_initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  const struct graph *g = graph_of(ts);
  return write_node(g, which * 7 % g->nodes, row);
}

static uint64_t changed_parts(const struct graph *g, const uint8_t *a, const uint8_t *b) {
  uint64_t changed = 0;
  for (uint32_t i = 0; i < g->shape.n_components; i++) {
    const struct ts_component *c = &g->component[i];
    if (memcmp(a + c->offset, b + c->offset, c->bytes) != 0)
      changed |= UINT64_C(1) << i;
  }
  return changed;
}

/* Event k is choice k % 2 of action k / 2. */
static int32_t graph_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                struct ts_event *cursor, const uint64_t *skip,
                                struct ts_batch *out) {
  const struct graph *g = graph_of(ts);
  (void)length;
  uint32_t node = read_node(g, state), degree = graph_degree(g, node);
  for (uint32_t k = cursor->action * 2 + cursor->choice; k < degree; k++) {
    if (skip != NULL && bits_test(skip, k / 2))
      continue;
    if (out->n == out->capacity) {
      *cursor = (struct ts_event){k / 2, k % 2};
      return 1;
    }
    uint8_t *row = out->rows + out->n * out->stride;
    struct ts_edge *edge = &out->edge[out->n++];
    uint64_t luck = mix(g->seed ^ 77, node, k) % 10000;
    *edge = (struct ts_edge){.event = {k / 2, k % 2}};
    edge->length = write_node(g, graph_target(g, node, k), row);
    edge->changed = changed_parts(g, state, row);
    if (luck < g->broken_edges) {
      edge->kind = TS_ASSERTION;
      edge->fault = 1;
    } else if (luck < g->broken_edges + g->lost_edges) {
      edge->kind = TS_MODEL_ERROR;
      edge->fault = 2;
      memset(row, 0xA5, out->stride);
    }
    if (out->truncated != NULL && node == g->truncating)
      bits_set(out->truncated, 65);
  }
  return 0;
}

/* Of a bad state one property fails, and of some two, or cannot be worked out. */
static uint32_t graph_violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                               uint32_t from, uint32_t *fault) {
  const struct graph *g = graph_of(ts);
  (void)length;
  uint32_t node = read_node(g, state);
  if (mix(g->seed ^ 99, node, 0) % 10000 < g->bad)
    for (uint32_t p = from; p < 3; p++)
      if (mix(g->seed, node, 1000 + p) % 2 == 0) {
        if (p == 2)
          *fault = 3;
        return p;
      }
  return 3;
}

static const struct ts_code graph_code = {.abi = TS_ABI,
                                          .initial = graph_initial,
                                          .successors = graph_successors,
                                          .violated = graph_violated};

static void graph_make(struct graph *g, enum graph_kind kind, enum graph_form form,
                       uint64_t seed, uint32_t nodes, uint32_t degree) {
  static const struct ts_fault fault[4];
  static const struct ts_place truncation[70];
  static const struct ts_variable variable[3];
  *g = (struct graph){
      .seed = seed, .kind = kind, .nodes = nodes, .degree = degree, .truncating = TS_NONE};
  uint32_t second = form == FORM_SHORT ? 2 : 16;
  g->slot[0] = (struct ts_slot){0, 0, 0, 2, 16, false};
  g->slot[1] = (struct ts_slot){1, 0, second, 2, 16, false};
  g->slot[2] = (struct ts_slot){2, 0, 56, 4, 32, false};
  for (uint32_t i = 0; i < 3; i++)
    g->component[i] = (struct ts_component){"part", i, 1, g->slot[i].offset, g->slot[i].bytes};
  g->property[0].kind = g->property[2].kind = TS_PROPERTY_INVARIANT;
  g->property[1].kind = TS_PROPERTY_ASSERTION;
  uint32_t parts = form == FORM_SHORT ? 2 : 3;
  g->shape = (struct ts_shape){.name = "graph",
                               .max_bytes = form == FORM_SHORT ? 4 : 60,
                               .fixed_length = form != FORM_VARYING,
                               .n_initial = 1,
                               .n_variables = parts,
                               .n_slots = parts,
                               .n_components = parts,
                               .n_actions = nodes,
                               .n_properties = 3,
                               .n_faults = 4,
                               .n_truncations = 70,
                               .most_events = TS_NONE,
                               .variable = variable,
                               .slot = g->slot,
                               .component = g->component,
                               .property = g->property,
                               .fault = fault,
                               .truncation = truncation};
  g->ts.shape = &g->shape;
  g->ts.code = &graph_code;
  g->ts.self = g;
}

/* ---- a plain store ---- */

struct store {
  struct store_config config;
  uint64_t n, room, stride;
  uint8_t *row;
  uint32_t *length;
  uint64_t *slot; /* id + 1 */
};

static void plain_close(struct store *s) {
  struct budget *budget = s->config.budget;
  budget_free(budget, BUDGET_STORE, s->row, s->room * s->stride);
  budget_free(budget, BUDGET_STORE, s->length, s->room * sizeof *s->length);
  budget_free(budget, BUDGET_STORE, s->slot, 2 * s->room * sizeof *s->slot);
  budget_free(budget, BUDGET_STORE, s, sizeof *s);
}

static struct store *plain_open(const struct store_config *config) {
  struct store *s = budget_alloc(config->budget, BUDGET_STORE, sizeof *s);
  if (s == NULL)
    return NULL;
  s->config = *config;
  s->stride = ts_stride(config->shape);
  return s;
}

static uint64_t *plain_slot(struct store *s, const uint8_t *row, uint32_t length,
                            uint64_t hash) {
  uint64_t at = hash % (2 * s->room);
  for (; s->slot[at] != 0; at = (at + 1) % (2 * s->room)) {
    uint64_t id = s->slot[at] - 1;
    if (s->length[id] == length && memcmp(s->row + id * s->stride, row, s->stride) == 0)
      break;
  }
  return &s->slot[at];
}

/* The plain store forgets hashes, so it makes its own. */
static uint64_t plain_hash(const struct store *s, const uint8_t *row) {
  uint64_t hash = 1;
  for (uint64_t i = 0; i < s->stride; i += 8) {
    uint64_t word;
    memcpy(&word, row + i, 8);
    hash = mix(hash, word, i);
  }
  return hash;
}

static bool plain_grow(struct store *s) {
  struct budget *budget = s->config.budget;
  struct store next = *s;
  next.room = s->room == 0 ? 16 : 2 * s->room;
  next.row = budget_alloc(budget, BUDGET_STORE, next.room * s->stride);
  next.length = budget_alloc(budget, BUDGET_STORE, next.room * sizeof *s->length);
  next.slot = budget_alloc(budget, BUDGET_STORE, 2 * next.room * sizeof *s->slot);
  bool fine = next.row != NULL && next.length != NULL && next.slot != NULL;
  struct store old = fine ? *s : next;
  if (fine) {
    if (s->n > 0) {
      memcpy(next.row, s->row, s->n * s->stride);
      memcpy(next.length, s->length, s->n * sizeof *s->length);
    }
    *s = next;
    for (uint64_t id = 0; id < s->n; id++) {
      const uint8_t *row = s->row + id * s->stride;
      *plain_slot(s, row, s->length[id], plain_hash(s, row)) = id + 1;
    }
  }
  budget_free(budget, BUDGET_STORE, old.row, old.room * s->stride);
  budget_free(budget, BUDGET_STORE, old.length, old.room * sizeof *s->length);
  budget_free(budget, BUDGET_STORE, old.slot, 2 * old.room * sizeof *s->slot);
  return fine;
}

/* Equal states must come with equal hashes; others may not, as far as seen here. */
static void check_hash(const struct ts_batch *batch, const uint64_t *hash, uint32_t i,
                       uint32_t from) {
  for (uint32_t j = from; j < i; j++)
    assert_true((hash[i] == hash[j]) ==
                (memcmp(batch->rows + i * batch->stride, batch->rows + j * batch->stride,
                        batch->stride) == 0));
}

static uint32_t plain_put(struct store *s, const struct ts_batch *batch, const uint64_t *hash,
                          uint32_t from, uint32_t to, uint8_t *answer, uint64_t *ref) {
  for (uint32_t i = from; i < to; i++) {
    const uint8_t *row = batch->rows + i * batch->stride;
    check_hash(batch, hash, i, from);
    if (s->n == s->room && !plain_grow(s))
      return i;
    uint64_t *slot = plain_slot(s, row, batch->edge[i].length, plain_hash(s, row));
    answer[i] = *slot == 0;
    if (*slot == 0) {
      memcpy(s->row + s->n * s->stride, row, s->stride);
      s->length[s->n] = batch->edge[i].length;
      *slot = ++s->n;
    }
    ref[i] = *slot - 1;
  }
  return to;
}

static void plain_find(struct store *s, const struct ts_batch *batch, const uint64_t *hash,
                       uint32_t from, uint32_t to, uint8_t *answer, uint64_t *ref) {
  (void)hash;
  for (uint32_t i = from; i < to; i++) {
    const uint8_t *row = batch->rows + i * batch->stride;
    uint64_t none = 0;
    uint64_t *slot =
        s->room == 0 ? &none : plain_slot(s, row, batch->edge[i].length, plain_hash(s, row));
    answer[i] = *slot == 0;
    ref[i] = *slot - 1;
  }
}

static void plain_prefetch(const struct store *s, const uint64_t *hash, uint32_t n) {
  (void)s;
  (void)hash;
  (void)n;
}

static uint32_t plain_get(const struct store *s, uint64_t ref, uint8_t *row) {
  assert_true(ref < s->n);
  memcpy(row, s->row + ref * s->stride, s->stride);
  return s->length[ref];
}

static void plain_usage(const struct store *s, struct store_usage *usage) {
  *usage = (struct store_usage){.states = s->n};
}

static const struct store_kind plain = {.name = "plain",
                                        .has = STORE_EXACT | STORE_IDS,
                                        .open = plain_open,
                                        .close = plain_close,
                                        .put = plain_put,
                                        .find = plain_find,
                                        .prefetch = plain_prefetch,
                                        .get = plain_get,
                                        .usage = plain_usage};

/* The same, but it neither numbers its states nor gives them back. */
static const struct store_kind blind = {.name = "blind",
                                        .has = STORE_EXACT,
                                        .open = plain_open,
                                        .close = plain_close,
                                        .put = plain_put,
                                        .find = plain_find,
                                        .prefetch = plain_prefetch,
                                        .usage = plain_usage};

/* ---- the tests ---- */

static struct search_options options_for(const char *order, const struct store_kind *store) {
  return (struct search_options){
      .store = store, .order = frontier_by_name(order), .parents = true, .keep_going = true};
}

struct walk {
  const struct graph *g;
  uint32_t last, n, steps;
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
    walk->last = read_node(walk->g, state);
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
  assert_true(f->has_levels);
  assert_int_equal(f->levels, toy->levels);
  assert_int_equal(f->widest_level, toy->widest_level);
  assert_int_equal(f->back_level_edges, toy->back_level_edges);
  assert_int_equal(f->longest_back_level_edge, toy->longest_back_level_edge);
  assert_int_equal(f->depth, toy->levels - 1);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < f->levels; i++)
    sum += f->level_width[i];
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
  options.parents = store != &blind;
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
  if (shortest)
    check_levels(f, &toy);
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
  compare(g, &plain, "bfs", deadlock_is_error);
  compare(g, &plain, "dfs", deadlock_is_error);
  compare(g, &blind, "dfs", deadlock_is_error);
  if (store_kinds[0] != NULL) {
    compare(g, store_kinds[0], "bfs", deadlock_is_error);
    compare(g, store_kinds[0], "dfs", deadlock_is_error);
  }
}

static void test_random_graphs(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 240; i++) {
    struct graph g;
    uint32_t nodes = 1 + (uint32_t)mix(i, 5, 0) % (i % 4 == 0 ? 3000 : 60);
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
  graph_make(&g, KIND_PATH, FORM_LONG, 1, 1000000, 1);
  compare(&g, &plain, "dfs", true);
  compare(&g, &plain, "bfs", true);
}

/* The longest trail is asked for by its depth, too. */
static void test_dfs_depth(void **state) {
  (void)state;
  struct graph g;
  struct search_result result;
  struct budget *budget = budget_open(0);
  graph_make(&g, KIND_PATH, FORM_SHORT, 1, 100000, 1);
  struct search_options options = options_for("dfs", &plain);
  search_run(&g.ts, &options, budget, &result);
  assert_int_equal(result.figures.depth, 99999);
  assert_int_equal(result.figures.peak_open, 100000);
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
  for (uint32_t i = 0; i < 40; i++) {
    graph_make(&g, KIND_RANDOM, i % FORMS, i, 3000, 4);
    assert_true(toy_check(&g.ts, false, &toy));
    for (uint32_t order = 0; order < 2; order++)
      for (uint64_t most = 1; most <= toy.states + 1;
           most += 1 + most / 2 * (most < toy.states / 2)) {
        struct search_options options = options_for(frontier_kinds[order]->name, &plain);
        struct search_result result;
        options.max_states = most;
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

static void test_max_depth(void **state) {
  (void)state;
  struct budget *budget = budget_open(0);
  struct graph g;
  struct search_result result;
  graph_make(&g, KIND_PATH, FORM_SHORT, 3, 500, 1);
  for (uint32_t order = 0; order < 2; order++) {
    struct search_options options = options_for(frontier_kinds[order]->name, &plain);
    options.max_depth = 100;
    search_run(&g.ts, &options, budget, &result);
    assert_int_equal(result.figures.stored, 101);
    assert_int_equal(result.figures.depth, 100);
    assert_int_equal(result.limit, SEARCH_MAX_DEPTH);
    assert_int_equal(result.verdict, SEARCH_INCONCLUSIVE);
    search_result_free(&result);
    options.max_depth = 500;
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
  assert_null(figures->level_width);
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
    struct search_options options = options_for(frontier_kinds[order]->name, &plain);
    options.seconds = 0.2;
    search_run(&g.ts, &options, budget, &result);
    assert_int_equal(result.limit, SEARCH_TIME);
    assert_int_equal(result.verdict, SEARCH_INCONCLUSIVE);
    assert_true(result.figures.seconds >= 0.2);
    assert_true(result.figures.stored > 0 && result.figures.events > 0);
    search_result_free(&result);
    options.seconds = 100;
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

/* Every request for memory fails once, and the search still tells the truth. */
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
                      i % 6 < 3 && store_kinds[0] != NULL ? store_kinds[0] : &plain);
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
  struct search_options options = options_for("bfs", &plain);
  search_run(&g.ts, &options, budget, &result);
  assert_int_equal(result.first_truncated, TS_NONE);
  search_result_free(&result);
  g.truncating = 300;
  for (uint32_t order = 0; order < 2; order++) {
    options.order = frontier_kinds[order];
    search_run(&g.ts, &options, budget, &result);
    assert_int_equal(result.first_truncated, 65);
    assert_true(bits_test(result.truncated, 65) && !bits_test(result.truncated, 64));
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
  struct search_options options = options_for("bfs", &plain);
  options.parents = false;
  options.deadlock_is_error = true;
  search_run(&g.ts, &options, budget, &result);
  assert_int_equal(result.verdict, SEARCH_VIOLATED);
  assert_int_equal(result.error.kind, SEARCH_DEADLOCK);
  assert_int_equal(result.error.trail.initial, TS_NONE);
  search_result_free(&result);
  assert_int_equal(result.figures.parent_bytes > 0, false);
  budget_close(budget);
}

static void test_refusals(void **state) {
  (void)state;
  struct search_options options = options_for("bfs", &blind);
  assert_non_null(search_refusal(&options));
  options = options_for("dfs", &blind);
  assert_null(search_refusal(&options));
  options.seconds = -1;
  assert_non_null(search_refusal(&options));
  options = options_for("none such", &plain);
  assert_non_null(search_refusal(&options));
  assert_string_equal(search_error_name(SEARCH_MODEL_ERROR), "model-error");
  assert_string_equal(search_verdict_name(SEARCH_INCONCLUSIVE), "inconclusive");
  assert_string_equal(search_guarantee_name(SEARCH_PARTIAL), "partial");
  assert_non_null(search_limit_text(SEARCH_INTERRUPTED));
}

/* Ids beyond 32 bits are kept, too. */
static void test_parents(void **state) {
  (void)state;
  struct budget *budget = budget_open(0);
  uint64_t base = budget_used_all(budget);
  struct parents parents;
  const uint64_t n = 3500000, wide = UINT64_C(0x1200000000);
  parents_init(&parents, budget);
  for (uint64_t i = 0; i < n; i++)
    assert_true(parents_add(&parents, i % 3 && i > 5000 ? i + wide : i / 2));
  for (uint64_t i = 0; i < n; i++)
    assert_true(parents_get(&parents, i) == (i % 3 && i > 5000 ? i + wide : i / 2));
  parents_free(&parents);
  assert_true(budget_used_all(budget) == base);
  budget_close(budget);
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
      uint32_t bytes = (uint32_t)(mix(n, 1, 2) % 12) * 8 + (n % 1000 == 999 ? 70000 : 0);
      uint8_t *below = pile_room(&pile, bytes + sizeof(struct pile_head));
      assert_non_null(below);
      memset(below, (int)(n & 0xFF), bytes);
      pile_push(&pile, (struct pile_head){n++, {0, 0}, 0, 0}, bytes);
    } else if (n > 0) {
      struct pile_head *head = pile_top(&pile);
      assert_true(head->word == --n);
      if (head->below > 0)
        assert_true(pile_below(head)[head->below - 1] == (n & 0xFF));
      pile_pop(&pile);
    }
    assert_true((pile_top(&pile) == NULL) == (n == 0));
  }
  uint32_t segment = pile.current;
  uint64_t left = n;
  for (struct pile_head *h = pile_top(&pile); h != NULL; h = pile_under(&pile, h, &segment))
    assert_true(h->word == --left);
  assert_int_equal(left, 0);
  pile_free(&pile);
  assert_true(budget_used_all(budget) == base);
  budget_close(budget);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pile),
      cmocka_unit_test(test_parents),
      cmocka_unit_test(test_random_graphs),
      cmocka_unit_test(test_many_events),
      cmocka_unit_test(test_long_path),
      cmocka_unit_test(test_dfs_depth),
      cmocka_unit_test(test_max_states),
      cmocka_unit_test(test_max_depth),
      cmocka_unit_test(test_time_and_interrupt),
      cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_truncations),
      cmocka_unit_test(test_without_parents),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
