/* test_comback.c - the store that rebuilds states: the example of the paper, table by table;
 * saved and loaded; random graphs in two orders, with every variant, hashes cut and memory
 * short; ways longer than there is room for.
 *
 * The tables are looked at from within, so the store's file is a part of this one. */
#include "store/comback.c" /* NOLINT(bugprone-suspicious-include) */

#include "search_graph.h"

#include "base/sink.h"
#include "ts/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const uint64_t limit = UINT64_C(1) << 30;

/* ---- the example of figures 6.1 to 6.4 --------------------------------------------- */

enum { S1 = 1, S2, S3, S4, S5, S6, A = 0, B = 1, EXAMPLE_ROWS = 4 };

struct arc {
  uint8_t from, event, to;
};

static const struct arc arcs[] = {{S1, A, S2}, {S1, B, S6}, {S2, A, S3},
                                  {S3, A, S4}, {S3, B, S5}, {S6, B, S4}};

static uint32_t example_initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  (void)ts;
  (void)which;
  row[0] = S1;
  return 1;
}

static int32_t example_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                  struct ts_event *cursor, const uint64_t *skip,
                                  struct ts_batch *out) {
  (void)ts;
  (void)length;
  (void)skip;
  for (size_t i = 0; i < sizeof arcs / sizeof *arcs; i++) {
    if (arcs[i].from != state[0] || arcs[i].event < cursor->action)
      continue;
    if (out->n == out->capacity) {
      cursor->action = arcs[i].event;
      return 1;
    }
    out->edge[out->n] = (struct ts_edge){.event = {arcs[i].event, 0}, .length = 1};
    memset(out->rows + out->n * out->stride, 0, ts_stride(ts->shape));
    out->rows[out->n++ * out->stride] = arcs[i].to;
  }
  return 0;
}

static const struct ts_code example_code = {
    .abi = TS_ABI, .initial = example_initial, .successors = example_successors};

/* The row is written before it is known whether the event is the one that led to the state. No
 * state is reached from two by the same event. */
static uint32_t example_undo(const struct ts *ts, const uint8_t *state, uint32_t length,
                             struct ts_event event, uint8_t *row) {
  (void)length;
  memset(row, 0, ts_stride(ts->shape));
  for (size_t i = 0; i < sizeof arcs / sizeof *arcs; i++)
    if (arcs[i].to == state[0]) {
      row[0] = arcs[i].from;
      if (arcs[i].event == event.action)
        return 1;
    }
  return 0;
}

static const struct ts_code example_code_undoing = {.abi = TS_ABI,
                                                    .initial = example_initial,
                                                    .successors = example_successors,
                                                    .undo = example_undo};

/* h1 to h4 of the figure. */
static uint64_t example_hash(uint8_t state) {
  static const uint8_t which[] = {[S1] = 1, [S2] = 2, [S3] = 3, [S4] = 4, [S5] = 3, [S6] = 3};
  return which[state] * (UINT64_C(1) << 60);
}

struct example {
  struct ts_slot slot;
  struct ts_variable variable;
  struct ts_component component;
  struct ts_shape shape;
  struct ts ts;
  struct budget *budget;
  struct store *store;
  struct store_work *work;
  struct rows rows;
};

static void example_start(struct example *e, uint32_t cached, unsigned variants) {
  struct store_config config = {.shape = &e->shape,
                                .budget = e->budget,
                                .ts = &e->ts,
                                .rebuild = {cached, STORE_NO_ANCHORS, variants}};
  e->store = store_comback.open(&config);
  assert_non_null(e->store);
}

static void example_open_with(struct example *e, uint32_t cached, unsigned variants) {
  *e = (struct example){.slot = {.bytes = 1, .bits = 8},
                        .variable = {.name = "s", .n_slots = 1},
                        .component = {.name = "s", .n_slots = 1, .bytes = 1}};
  e->shape = (struct ts_shape){.name = "example",
                               .max_bytes = 1,
                               .fixed_length = true,
                               .n_initial = 1,
                               .n_variables = 1,
                               .n_slots = 1,
                               .n_components = 1,
                               .n_actions = 2,
                               .most_events = 2,
                               .variable = &e->variable,
                               .slot = &e->slot,
                               .component = &e->component};
  e->ts.shape = &e->shape;
  atomic_init(&e->ts.code, &example_code);
  e->budget = budget_open(limit);
  example_start(e, cached, variants);
  e->work = store_comback.begin(e->store);
  assert_non_null(e->work);
  assert_true(rows_open(&e->rows, &e->shape, e->budget, EXAMPLE_ROWS));
  e->rows.has_parents = true;
}

static void example_open(struct example *e, unsigned variants) {
  example_open_with(e, STORE_NO_CACHE, variants);
}

static void example_close(struct example *e) {
  assert_null(store_comback.check(e->work));
  rows_close(&e->rows, e->budget);
  store_comback.end(e->work);
  store_comback.close(e->store);
  assert_int_equal(budget_used(e->budget, BUDGET_STORE), 0);
  budget_close(e->budget);
}

/* The store is saved, closed, opened and loaded. */
static void example_stop_and_go_on(struct example *e) {
  char folder[] = "/tmp/test_comback.XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/store", folder);
  struct sink *sink = sink_open(e->budget);
  assert_true(sink_create(sink, path, 1));
  store_comback.save(e->store, sink);
  assert_true(sink_commit(sink));
  store_comback.end(e->work);
  store_comback.close(e->store);
  example_start(e, STORE_NO_CACHE, 0);
  assert_true(sink_read(sink, path, 1) && store_comback.load(e->store, sink) &&
              sink_commit(sink));
  e->work = store_comback.begin(e->store);
  assert_non_null(e->work);
  sink_close(sink);
  unlink(path);
  rmdir(folder);
}

/* Puts the successors of a state, which has this number in the paper, and says how many events
 * were fired to compare them. */
static uint64_t example_process(struct example *e, uint8_t state, uint64_t number) {
  struct ts_event cursor = {0, 0};
  uint8_t row[8] = {state};
  uint64_t fired = e->store->back.fired;
  e->rows.batch.n = 0;
  example_successors(&e->ts, row, 1, &cursor, NULL, &e->rows.batch);
  for (uint32_t i = 0; i < e->rows.batch.n; i++) {
    e->rows.parent[i] = number - 1;
    e->rows.hash[i] = example_hash(rows_at(&e->rows, i)[0]);
  }
  uint32_t n = e->rows.batch.n;
  assert_int_equal(store_comback.put(e->work, &e->rows, 0, n), n);
  return e->store->back.fired - fired;
}

static bool append_number(void *context, uint64_t id) {
  char *text = context;
  size_t n = strlen(text);
  sprintf(text + n, "%d", (int)id + 1);
  return true;
}

static bool list_same(const void *context, uint64_t id) {
  return !append_number((void *)(uintptr_t)context, id);
}

/* The collision lists of h1 to h4: "h1:1 h2:2 h3:36 h4:". */
static void expect_state_table(const struct example *e, const char *lists) {
  char text[100] = "";
  for (uint32_t h = 1; h <= 4; h++) {
    uint64_t *end;
    sprintf(text + strlen(text), "%sh%d:", h > 1 ? " " : "", (int)h);
    index_find(&e->store->index, h * (UINT64_C(1) << 60), list_same, text, false, &end);
  }
  assert_string_equal(text, lists);
}

/* The backedges of states 2, 3 and so on: "1a 1b 2a". */
static void expect_backedge_table(const struct example *e, const char *edges) {
  char text[100] = "";
  for (uint64_t state = 1; state < e->store->back.edges.n; state++) {
    struct backedge edge = backedges_get(&e->store->back.edges, state);
    sprintf(text + strlen(text), "%s%d%c", state > 1 ? " " : "", (int)edge.parent + 1,
            e->store->back.events.event[edge.event].action == A ? 'a' : 'b');
  }
  assert_string_equal(text, edges);
}

static void put_initial(struct example *e) {
  rows_set(&e->rows, (const uint8_t[8]){S1}, 1, 0);
  e->rows.hash[0] = example_hash(S1);
  e->rows.parent[0] = STORE_NONE;
  assert_int_equal(store_comback.put(e->work, &e->rows, 0, 1), 1);
}

static void has_the_tables_of_the_figures(void **unused) {
  (void)unused;
  struct example e;
  example_open(&e, 0);
  put_initial(&e);
  expect_state_table(&e, "h1:1 h2: h3: h4:");
  assert_int_equal(example_process(&e, S1, 1), 0);
  expect_state_table(&e, "h1:1 h2:2 h3:3 h4:"); /* figure 6.2 */
  expect_backedge_table(&e, "1a 1b");
  assert_int_equal(example_process(&e, S2, 2), 1);
  expect_state_table(&e, "h1:1 h2:2 h3:34 h4:"); /* figure 6.3 */
  expect_backedge_table(&e, "1a 1b 2a");
  assert_int_equal(example_process(&e, S3, 4), 3);
  expect_state_table(&e, "h1:1 h2:2 h3:346 h4:5"); /* figure 6.4, */
  expect_backedge_table(&e, "1a 1b 2a 4a 4b");
  assert_int_equal(example_process(&e, S4, 5), 0);
  assert_int_equal(example_process(&e, S5, 6), 0);
  assert_int_equal(example_process(&e, S6, 3), 3); /* and this finds state 5 again */
  assert_int_equal(e.rows.answer[0], STORE_OLD);
  assert_int_equal(e.rows.ref[0], 4);
  expect_state_table(&e, "h1:1 h2:2 h3:346 h4:5");
  expect_backedge_table(&e, "1a 1b 2a 4a 4b");
  example_close(&e);
}

/* Section 6.5, variant 3: every number against every state. An event that cannot have happened
 * ends the way, whatever it left in the row: from S5 the way of S4 would lead on to S1. */
static void undoes_only_what_can_have_happened(void **unused) {
  (void)unused;
  static const uint8_t numbered[] = {S1, S2, S6, S3, S4, S5}, order[] = {0, 1, 3, 4, 5, 2};
  struct example e;
  example_open(&e, 0);
  put_initial(&e);
  for (size_t i = 0; i < sizeof order; i++)
    example_process(&e, numbered[order[i]], order[i] + 1);
  atomic_store(&e.ts.code, &example_code_undoing);
  struct rebuild *r = &own_of(e.work)->rebuild;
  assert_true(rebuild_undoes(r));
  for (uint64_t i = 1; i < sizeof numbered; i++) /* all but the first, which is known */
    for (uint8_t state = S1; state <= S6; state++) {
      const uint8_t row[8] = {state};
      assert_int_equal(rebuild_is(r, i, row, 1),
                       numbered[i] == state ? REBUILD_SAME : REBUILD_OTHER);
    }
  example_close(&e);
}

static uint32_t never_told(const struct ts *ts, const uint8_t *state, uint32_t length,
                           struct ts_event event, uint8_t *row) {
  return event.action == A ? TS_NONE : example_undo(ts, state, length, event, row);
}

/* Where an event cannot be undone, states are compared by firing forward. */
static void goes_forward_where_it_cannot_be_told(void **unused) {
  (void)unused;
  static struct ts_code code;
  struct example e;
  code = example_code_undoing;
  code.undo = never_told;
  example_open(&e, 0);
  atomic_store(&e.ts.code, &code);
  put_initial(&e);
  example_process(&e, S1, 1);
  example_process(&e, S2, 2);
  example_process(&e, S3, 4);
  expect_backedge_table(&e, "1a 1b 2a 4a 4b");
  example_process(&e, S6, 3);
  assert_int_equal(e.rows.answer[0], STORE_OLD);
  assert_int_equal(e.rows.ref[0], 4);
  assert_int_equal(rebuild_is(&own_of(e.work)->rebuild, 4, (const uint8_t[8]){S4}, 1),
                   REBUILD_OPEN);
  example_close(&e);
}

/* Section 6.5, variant 1. */
static void takes_the_shorter_way(void **unused) {
  (void)unused;
  struct example e;
  example_open(&e, STORE_SHORTENS);
  put_initial(&e);
  example_process(&e, S1, 1);
  example_process(&e, S2, 2);
  example_process(&e, S3, 4);
  expect_backedge_table(&e, "1a 1b 2a 4a 4b");
  example_process(&e, S6, 3);
  expect_backedge_table(&e, "1a 1b 2a 3b 4b");
  assert_int_equal(example_process(&e, S6, 3), 2); /* by the new way */
  example_close(&e);
}

/* A cache of one state has the one that was met last, not the one that was stored last; forward
 * and backward. */
static void knows_what_was_met_last(void **unused) {
  (void)unused;
  for (int undoing = 0; undoing < 2; undoing++) {
    struct example e;
    example_open_with(&e, 1, 0);
    put_initial(&e);
    example_process(&e, S1, 1);
    example_process(&e, S2, 2);
    example_process(&e, S3, 4);
    if (undoing)
      atomic_store(&e.ts.code, &example_code_undoing);
    assert_int_not_equal(example_process(&e, S6, 3), 0); /* finds state 5 */
    assert_int_equal(e.rows.ref[0], 4);
    assert_int_equal(example_process(&e, S6, 3), 0);
    assert_int_equal(e.rows.ref[0], 4);
    example_close(&e);
  }
}

/* ---- random graphs ----------------------------------------------------------------- */

enum { GRAPH_MOST = 3000, GRAPH_ROWS = 64, GRAPH_EVENTS = 16, GRAPH_SEVERAL = GRAPH_MOST + 1 };

struct explorer {
  struct graph graph;                        /* the first, for undo_some() */
  uint32_t before[GRAPH_MOST][GRAPH_EVENTS]; /* node + 1 that an event led from; 0: none yet */
  uint8_t row[GRAPH_MOST][64];               /* of each node that was expanded */
  uint32_t length[GRAPH_MOST];
  uint32_t now; /* the node that is expanded */
  struct budget *budget;
  struct hash *hash;
  struct store *store;
  struct store_work *work;
  struct rows rows;
  uint64_t ref[GRAPH_MOST]; /* by node; STORE_NONE: not reached yet */
  uint32_t open[GRAPH_MOST], n_open, reached;
  bool fifo, failed;
};

static void explorer_open(struct explorer *x, const struct store_config *how, bool fifo) {
  struct store_config config = *how;
  x->budget = budget_open(limit);
  x->fifo = fifo;
  config.shape = &x->graph.shape;
  config.budget = x->budget;
  config.ts = &x->graph.ts;
  config.hash = x->hash = hash_open(&x->graph.shape, 3, x->budget);
  x->store = store_comback.open(&config);
  assert_non_null(x->store);
  x->work = store_comback.begin(x->store);
  assert_non_null(x->work);
  assert_true(rows_open(&x->rows, &x->graph.shape, x->budget, GRAPH_ROWS));
  x->rows.has_parents = true;
  memset(x->ref, 0xFF, sizeof x->ref);
  memset(x->before, 0, sizeof x->before);
  x->n_open = x->reached = 0;
  x->failed = false;
  if (fifo)
    store_comback.shed(x->work, 0);
}

static void explorer_close(struct explorer *x) {
  rows_close(&x->rows, x->budget);
  store_comback.end(x->work);
  store_comback.close(x->store);
  hash_close(x->hash);
  assert_int_equal(budget_used(x->budget, BUDGET_STORE), 0);
  budget_close(x->budget);
}

static uint32_t *before_of(struct explorer *x, uint32_t node, struct ts_event event) {
  const uint32_t number = 2 * event.action + event.choice;
  assert_true(number < GRAPH_EVENTS);
  return &x->before[node][number];
}

/* The event led from the node in work to this one. */
static void explorer_note(struct explorer *x, uint32_t node, struct ts_event event) {
  uint32_t *before = before_of(x, node, event);
  *before = *before == 0 || *before == x->now + 1 ? x->now + 1 : GRAPH_SEVERAL;
}

/* Undoes an event where it led here from one state; and of these it cannot tell one of four. */
static uint32_t undo_some(const struct ts *ts, const uint8_t *state, uint32_t length,
                          struct ts_event event, uint8_t *row) {
  struct explorer *x = (struct explorer *)(uintptr_t)ts;
  const uint32_t node = graph_node(&x->graph, state), before = *before_of(x, node, event);
  (void)length;
  if (before == 0)
    return 0;
  if (before == GRAPH_SEVERAL || graph_mix(node, event.action, event.choice) % 4 == 0)
    return TS_NONE;
  memcpy(row, x->row[before - 1], ts_stride(ts->shape));
  return x->length[before - 1];
}

/* Puts the rows, all reached from this state; the answers must be those of `ref`. */
static void explorer_put(struct explorer *x, uint64_t parent) {
  uint32_t n = x->rows.batch.n;
  for (uint32_t i = 0; i < n; i++) {
    const uint8_t *row = rows_at(&x->rows, i);
    x->rows.hash[i] = hash_finish(hash_raw(x->hash, row, x->rows.batch.edge[i].length));
    x->rows.parent[i] = parent;
    if (parent != STORE_NONE && x->rows.batch.edge[i].event.action < GRAPH_EVENTS / 2)
      explorer_note(x, graph_node(&x->graph, row), x->rows.batch.edge[i].event);
  }
  uint32_t done = store_comback.put(x->work, &x->rows, 0, n);
  x->failed = done < n;
  for (uint32_t i = 0; i < done; i++) {
    uint32_t node = graph_node(&x->graph, rows_at(&x->rows, i));
    bool is_new = x->ref[node] == STORE_NONE;
    assert_int_equal(x->rows.answer[i], is_new ? STORE_NEW : STORE_OLD);
    if (is_new) {
      x->ref[node] = x->rows.ref[i];
      assert_int_equal(x->ref[node], x->reached);
      x->reached++;
      x->open[x->n_open++] = node;
    }
    assert_int_equal(x->rows.ref[i], x->ref[node]);
  }
}

static void explorer_expand(struct explorer *x, uint32_t node) {
  uint8_t row[64];
  struct ts_event cursor = {0, 0};
  const struct ts_code *code = ts_code(&x->graph.ts);
  uint32_t length = store_comback.get(x->work, x->ref[node], row);
  assert_int_equal(graph_node(&x->graph, row), node);
  memcpy(x->row[node], row, sizeof row);
  x->length[node] = length;
  x->now = node;
  for (bool more = true; more && !x->failed;) {
    x->rows.batch.n = 0;
    more = code->successors(&x->graph.ts, row, length, &cursor, NULL, &x->rows.batch) != 0;
    explorer_put(x, x->ref[node]);
  }
}

/* What it has fired is known then, too. */
static void goes_on_from_a_file(void **unused) {
  (void)unused;
  struct example e;
  example_open(&e, 0);
  put_initial(&e);
  assert_int_equal(example_process(&e, S1, 1), 0);
  assert_int_equal(example_process(&e, S2, 2), 1);
  example_stop_and_go_on(&e);
  expect_state_table(&e, "h1:1 h2:2 h3:34 h4:");
  expect_backedge_table(&e, "1a 1b 2a");
  assert_int_equal(e.store->back.fired, 1);
  assert_int_equal(example_process(&e, S3, 4), 3);
  expect_state_table(&e, "h1:1 h2:2 h3:346 h4:5");
  expect_backedge_table(&e, "1a 1b 2a 4a 4b");
  example_close(&e);
}

/* All states that can be reached, or as many as there is memory for. */
static void explore(struct explorer *x) {
  uint32_t head = 0;
  memset(x->rows.batch.rows, 0, x->rows.batch.stride);
  x->rows.batch.edge[0] = (struct ts_edge){.event = {TS_NONE, 0}};
  x->rows.batch.edge[0].length =
      ts_code(&x->graph.ts)->initial(&x->graph.ts, 0, x->rows.batch.rows);
  x->rows.batch.n = 1;
  explorer_put(x, STORE_NONE);
  while (!x->failed && head < x->n_open) {
    explorer_expand(x, x->open[x->fifo ? head++ : --x->n_open]);
    if (x->fifo)
      store_comback.shed(x->work, head);
  }
}

static void expect_all(struct explorer *x) {
  uint8_t row[64];
  assert_null(store_comback.check(x->work));
  for (uint32_t node = 0; node < x->graph.nodes; node++)
    if (x->ref[node] != STORE_NONE) {
      assert_true(store_comback.get(x->work, x->ref[node], row) > 0);
      assert_int_equal(graph_node(&x->graph, row), node);
    }
  struct store_usage usage;
  store_comback.usage(x->store, &usage);
  assert_int_equal(usage.states, x->reached);
  assert_int_equal(usage.reserved, budget_used(x->budget, BUDGET_STORE));
}

/* A graph's successors with all events as choices of one action. */
static const struct ts_code *many_actions;

static int32_t one_action_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                     struct ts_event *cursor, const uint64_t *skip,
                                     struct ts_batch *out) {
  uint32_t from = out->n;
  struct ts_event event = {cursor->choice / 2, cursor->choice % 2};
  if (cursor->action > 0)
    return 0;
  int32_t more = many_actions->successors(ts, state, length, &event, skip, out);
  for (uint32_t i = from; i < out->n; i++) {
    struct ts_event *of = &out->edge[i].event;
    *of = (struct ts_event){0, 2 * of->action + of->choice};
  }
  *cursor = (struct ts_event){0, 2 * event.action + event.choice};
  return more;
}

static struct ts_code one_action;

static void graph_make_one_action(struct graph *g, uint64_t seed) {
  graph_make(g, KIND_RANDOM, (enum graph_form)(seed % FORMS), seed,
             100 + (uint32_t)(seed % 11) * 40, 2 + (uint32_t)(seed % 9));
  many_actions = ts_code(&g->ts);
  one_action = *many_actions;
  one_action.successors = one_action_successors;
  atomic_store(&g->ts.code, &one_action);
}

/* One of all ways to set the store up. */
static struct store_config some_config(uint32_t i) {
  static const uint32_t anchors[] = {0, STORE_NO_ANCHORS, 2, 9},
                        cached[] = {STORE_NO_CACHE, 1, 100};
  static const uint32_t bits[] = {0, 16, 12, 8, 3};
  return (struct store_config){.hash_bits = bits[i % 5],
                               .bits = i % 7,
                               .rebuild = {.anchors = anchors[i / 5 % 4],
                                           .cached = cached[i / 20 % 3],
                                           .variants = i / 60 % 4}};
}

static void explore_exactly(struct explorer *x, const struct store_config *config, bool fifo) {
  explorer_open(x, config, fifo);
  explore(x);
  assert_false(x->failed);
  expect_all(x);
  explorer_close(x);
}

static void is_exact_in_every_way(void **unused) {
  (void)unused;
  struct explorer *x = calloc(1, sizeof *x);
  for (uint32_t i = 0; i < 480; i++) {
    const struct store_config config = some_config(i);
    graph_make(&x->graph, i % 3 == 0 ? KIND_NEAR : KIND_RANDOM, (enum graph_form)(i % FORMS), i,
               100 + i % 11 * 40, 1 + i % 6);
    explore_exactly(x, &config, i % 2 == 0);
  }
  free(x);
}

/* Events that can be undone and others in one batch. What is gathered keeps the way that it was
 * gathered by, also where a state on it gets a shorter one in between. */
static void is_exact_where_some_events_are_undone(void **unused) {
  (void)unused;
  struct explorer *x = calloc(1, sizeof *x);
  for (uint32_t i = 0; i < 480; i++) {
    const struct store_config config = some_config(i);
    graph_make(&x->graph, KIND_RANDOM, (enum graph_form)(i % FORMS), i, 100 + i % 11 * 40,
               1 + i % 6);
    struct ts_code code = *ts_code(&x->graph.ts);
    code.undo = undo_some;
    atomic_store(&x->graph.ts.code, &code);
    explore_exactly(x, &config, i % 2 == 0);
  }
  free(x);
}

/* Ways back without choices: hashes are cut so that many outcomes of the action have the same;
 * in half of the cases not all of them are in one batch. */
static void finds_outcomes_without_their_choice(void **unused) {
  (void)unused;
  struct explorer *x = calloc(1, sizeof *x);
  uint64_t ranked = 0;
  for (uint32_t i = 0; i < 480; i++) {
    struct store_config config = some_config(i);
    config.rebuild.variants |= STORE_ACTIONS;
    graph_make_one_action(&x->graph, i);
    explorer_open(x, &config, i % 2 == 0);
    x->rows.batch.capacity = i % 4 < 2 ? GRAPH_ROWS : 3;
    explore(x);
    assert_false(x->failed);
    expect_all(x);
    ranked += x->store->back.events.n > 2; /* there is one besides choice 0 and 1 */
    if (config.hash_bits == 0 && !(config.rebuild.variants & STORE_SHORTENS))
      assert_true(x->store->back.events.n <= 2);
    explorer_close(x);
  }
  assert_true(ranked > 50);
  free(x);
}

/* ---- algorithm 6 of the paper -------------------------------------------------------- */

/* As printed, on a state 1 with one transition to 2 and to 3, which have the same hash: the
 * candidates for number 2 are both, so that state 3 is taken for it. */
struct six {
  uint32_t n;         /* states numbered so far */
  uint32_t parent[4]; /* of number i, the transition being the only one */
  uint32_t hash[4];
};

static uint32_t six_hash(uint32_t state) {
  return state == 1 ? 1 : 2;
}

/* The states that number n may be, as bits. */
static uint32_t six_reconstruct(const struct six *s, uint32_t n) {
  if (n == 1)
    return 1u << 1;
  uint32_t from = six_reconstruct(s, s->parent[n]), to = 0;
  for (uint32_t state = 2; state <= 3; state++)
    if (from >> 1 & 1 && six_hash(state) == s->hash[n])
      to |= 1u << state;
  return to;
}

static bool six_contains(const struct six *s, uint32_t state) {
  for (uint32_t n = 1; n <= s->n; n++)
    if (s->hash[n] == six_hash(state) && six_reconstruct(s, n) >> state & 1)
      return true;
  return false;
}

static void algorithm_six_misses_a_state(void **unused) {
  (void)unused;
  struct six s = {.n = 1, .hash = {0, 1}};
  for (uint32_t state = 2; state <= 3; state++)
    if (!six_contains(&s, state)) {
      s.parent[++s.n] = 1;
      s.hash[s.n] = six_hash(state);
    }
  assert_int_equal(s.n, 2); /* and there are three states */
}

/* Without anchors or a cache a way of a path is as long as the path: longer than there is room
 * for nodes. */
static void goes_long_ways(void **unused) {
  (void)unused;
  struct explorer *x = calloc(1, sizeof *x);
  const struct store_config config = {.rebuild = {STORE_NO_CACHE, STORE_NO_ANCHORS, 0}};
  graph_make(&x->graph, KIND_PATH, FORM_SHORT, 1, GRAPH_MOST, 1);
  explorer_open(x, &config, false);
  explore(x);
  assert_int_equal(x->reached, GRAPH_MOST);
  assert_true(own_of(x->work)->rebuild.room < GRAPH_MOST);
  expect_all(x);
  explorer_expand(x, GRAPH_MOST - 2); /* finds the end again */
  assert_int_equal(x->reached, GRAPH_MOST);
  explorer_close(x);
  free(x);
}

/* Memory runs out at each request in turn: nothing of the row is left behind. */
static void survives_failures(void **unused) {
  (void)unused;
  struct explorer *x = calloc(1, sizeof *x);
  uint32_t fails = 1;
  for (bool failed = true; failed; fails++) {
    const struct store_config config = {
        .rebuild = {.anchors = 2, .variants = STORE_SHORTENS | STORE_ACTIONS}};
    graph_make(&x->graph, KIND_NEAR, FORM_VARYING, 5, 1500, 4);
    explorer_open(x, &config, true);
    budget_fail_after(x->budget, fails);
    explore(x);
    budget_fail_after(x->budget, 0);
    failed = x->failed;
    expect_all(x);
    explorer_close(x);
  }
  assert_true(fails > 10);
  free(x);
}

/* Of 3,000 states with few events a backedge takes some two bytes. */
static void packs_backedges(void **unused) {
  (void)unused;
  struct explorer *x = calloc(1, sizeof *x);
  const struct store_config config = {.rebuild = {STORE_NO_CACHE, STORE_NO_ANCHORS, 0}};
  graph_make(&x->graph, KIND_RANDOM, FORM_LONG, 2, GRAPH_MOST, 8);
  explorer_open(x, &config, true);
  explore(x);
  assert_true(x->reached > GRAPH_MOST / 2);
  assert_true(x->store->back.edges.bytes < (uint64_t)x->reached * 21 / 8);
  explorer_close(x);
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(has_the_tables_of_the_figures),
      cmocka_unit_test(undoes_only_what_can_have_happened),
      cmocka_unit_test(goes_forward_where_it_cannot_be_told),
      cmocka_unit_test(takes_the_shorter_way),
      cmocka_unit_test(knows_what_was_met_last),
      cmocka_unit_test(goes_on_from_a_file),
      cmocka_unit_test(is_exact_in_every_way),
      cmocka_unit_test(is_exact_where_some_events_are_undone),
      cmocka_unit_test(finds_outcomes_without_their_choice),
      cmocka_unit_test(algorithm_six_misses_a_state),
      cmocka_unit_test(goes_long_ways),
      cmocka_unit_test(survives_failures),
      cmocka_unit_test(packs_backedges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
