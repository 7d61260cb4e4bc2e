/* test_run.c - runs of steps, processes that come and go, channels by number.
 *
 * Models made by hand, each with the Promela text that it stands for. They are compiled
 * by libtcc and visited through ts_check(), which compares batches of all sizes and
 * tries the read and write sets. The numbers of states and events are those of Spin
 * 6.5.2 for the text (`spin -a -o1 -o2 -o3`, -DNOREDUCE; one less than its transitions).
 */
#include "ir/ir.h"
#include "native/native.h"
#include "ts/check.h"
#include "ts/list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATES 4096

static const struct ir_type byte_type = {.name = "byte", .bits = 8, .is_signed = false};

/* ---- making models ---------------------------------------------------------------- */

struct made { /* a process while it grows */
  struct ir_process process;
  struct ir_location location[16];
  struct ir_edge edge[24];
  struct ir_variable *variable[8];
};

struct world {
  struct budget *budget;
  struct arena *arena;
  struct ir_model model;
  struct ir_variable *global[8];
  struct ir_channel *channel[8];
  struct ir_process *process[8], *active[8];
};

static void open_world(struct world *w) {
  memset(w, 0, sizeof *w);
  w->budget = budget_open(0);
  w->arena = arena_open(w->budget, BUDGET_MODEL);
  w->model = (struct ir_model){.arena = w->arena,
                               .name = "hand",
                               .language = "hand",
                               .has_instances = true,
                               .deadlock_is_error = true,
                               .global = w->global,
                               .channel = w->channel,
                               .process = w->process,
                               .active = w->active};
}

static void close_world(struct world *w) {
  arena_close(w->arena);
  budget_close(w->budget);
}

static struct ir_expr *node(struct world *w, struct ir_expr e) {
  struct ir_expr *x = ARENA_NEW(w->arena, struct ir_expr);
  *x = e;
  return x;
}

static struct ir_expr *number(struct world *w, int32_t value) {
  return node(w, (struct ir_expr){.kind = IR_CONST, .value = value});
}

static struct ir_expr *use(struct world *w, struct ir_variable *v) {
  return node(w, (struct ir_expr){.kind = IR_VARIABLE, .variable = v});
}

static struct ir_expr *two(struct world *w, enum ir_expr_kind kind, struct ir_expr *a,
                           struct ir_expr *b) {
  return node(w, (struct ir_expr){.kind = kind, .a = a, .b = b});
}

static struct ir_expr *leaf(struct world *w, enum ir_expr_kind kind) {
  return node(w, (struct ir_expr){.kind = kind});
}

static struct ir_variable *variable(struct world *w, const char *name, struct made *owner) {
  struct ir_variable *v = ARENA_NEW(w->arena, struct ir_variable);
  *v = (struct ir_variable){.name = name, .type = &byte_type, .length = 1};
  if (owner) {
    v->owner = &owner->process;
    owner->variable[owner->process.n_variables++] = v;
  } else {
    w->global[w->model.n_globals++] = v;
  }
  return v;
}

static struct ir_channel *channel(struct world *w, const char *name, uint32_t capacity,
                                  struct made *owner, struct ir_variable *handle) {
  struct ir_channel *c = ARENA_NEW(w->arena, struct ir_channel);
  const struct ir_type **field = ARENA_ARRAY(w->arena, 1, const struct ir_type *);
  field[0] = &byte_type;
  *c = (struct ir_channel){.name = name,
                           .capacity = capacity,
                           .n_fields = 1,
                           .field = field,
                           .index = w->model.n_channels,
                           .owner = owner ? &owner->process : NULL,
                           .handle = handle};
  w->channel[w->model.n_channels++] = c;
  return c;
}

static struct made *process(struct world *w, const char *name, uint32_t n_locations) {
  struct made *m = ARENA_NEW(w->arena, struct made);
  m->process = (struct ir_process){.name = name,
                                   .index = w->model.n_processes,
                                   .n_locations = n_locations,
                                   .variable = m->variable,
                                   .location = m->location,
                                   .edge = m->edge};
  for (uint32_t i = 0; i < n_locations; i++)
    m->location[i].name = arena_printf(w->arena, "l%u", i);
  w->process[w->model.n_processes++] = &m->process;
  return m;
}

static void activate(struct world *w, struct made *m) {
  w->active[w->model.n_active++] = &m->process;
}

static struct ir_edge *edge(struct made *m, uint32_t from, uint32_t to, struct ir_expr *guard,
                            unsigned flags) {
  struct ir_edge *e = &m->edge[m->process.n_edges++];
  *e = (struct ir_edge){.from = from, .to = to, .guard = guard, .flags = flags};
  return e;
}

static void does(struct world *w, struct ir_edge *e, struct ir_effect effect) {
  struct ir_effect *all = ARENA_ARRAY(w->arena, e->n_effects + 1u, struct ir_effect);
  if (e->n_effects)
    memcpy(all, e->effect, e->n_effects * sizeof *all);
  all[e->n_effects++] = effect;
  e->effect = all;
}

static void assigns(struct world *w, struct ir_edge *e, struct ir_variable *v,
                    struct ir_expr *value) {
  does(w, e, (struct ir_effect){.kind = IR_ASSIGN, .target = use(w, v), .value = value});
}

static struct ir_operation *operates(struct world *w, struct ir_edge *e,
                                     struct ir_expr *channel_number, bool is_send,
                                     struct ir_expr *value) {
  struct ir_operation *o = ARENA_NEW(w->arena, struct ir_operation);
  struct ir_expr **values = ARENA_ARRAY(w->arena, 1, struct ir_expr *);
  values[0] = value;
  *o = (struct ir_operation){
      .channel = channel_number, .is_send = is_send, .n_values = 1, .value = values};
  e->operation = o;
  return o;
}

static void runs(struct world *w, struct ir_edge *e, struct made *m, struct ir_expr *argument) {
  struct ir_expr **arguments = ARENA_ARRAY(w->arena, 1, struct ir_expr *);
  arguments[0] = argument;
  does(w, e,
       (struct ir_effect){.kind = IR_RUN,
                          .process = &m->process,
                          .n_arguments = m->process.n_parameters,
                          .argument = arguments});
}

/* x = x + n */
static struct ir_expr *plus(struct world *w, struct ir_variable *v, int32_t n) {
  return two(w, IR_ADD, use(w, v), number(w, n));
}

/* ---- visiting ------------------------------------------------------------------------ */

struct figures {
  uint32_t states, events, assertions, errors, stuck;
};

struct visit {
  struct native *native;
  struct ts *check;
  struct list list;
  uint8_t *state;
  uint32_t length[STATES], n;
  uint32_t stride;
  uint8_t *reached, *endless;
  struct figures figures;
};

static void add(struct visit *v, const uint8_t *row, uint32_t length) {
  for (uint32_t i = 0; i < v->n; i++)
    if (v->length[i] == length && memcmp(v->state + i * v->stride, row, length) == 0)
      return;
  assert_true(v->n < STATES);
  memcpy(v->state + v->n * v->stride, row, v->stride);
  v->length[v->n++] = length;
}

static void expand(struct visit *v, uint32_t i) {
  const uint8_t *state = v->state + i * v->stride;
  struct figures *f = &v->figures;
  assert_true(list_fill(&v->list, v->check, ts_code(v->check), state, v->length[i], NULL));
  const struct ts_batch *b = &v->list.batch;
  if (b->n == 0)
    f->stuck += !ts_ends(v->check, state, v->length[i]);
  for (uint32_t k = 0; k < b->n; k++) {
    f->events++;
    f->assertions += b->edge[k].kind == TS_ASSERTION;
    f->errors += b->edge[k].kind == TS_MODEL_ERROR;
    if (b->edge[k].kind != TS_MODEL_ERROR)
      add(v, list_row(&v->list, k), b->edge[k].length);
  }
}

static void open_visit(struct visit *v, struct world *w) {
  struct native_failure failure = {0};
  struct native_options options = {.compiler = NATIVE_TCC, .cache = ""};
  memset(v, 0, sizeof *v);
  v->native = native_open(&w->model, &options, w->budget, &failure);
  if (v->native == NULL)
    fail_msg("%s", failure.why);
  const struct ts *ts = native_ts(v->native);
  v->check = ts_check_open(ts, w->budget);
  v->stride = ts_stride(ts->shape);
  v->state = calloc(STATES, v->stride);
  v->reached = calloc(1, ts_notes(ts->shape)->n_statements + 1u);
  v->endless = calloc(1, ts_notes(ts->shape)->n_statements + 1u);
  assert_true(list_open(&v->list, ts->shape, 8, w->budget));
  v->list.batch.reached = v->reached;
  v->list.batch.endless = v->endless;
}

static void close_visit(struct visit *v) {
  list_free(&v->list);
  ts_check_close(v->check);
  native_close(v->native);
  free(v->state);
  free(v->reached);
  free(v->endless);
}

static void visit_all(struct visit *v) {
  uint8_t *row = calloc(1, v->stride + 8u);
  uint32_t length = ts_code(v->check)->initial(v->check, 0, row);
  add(v, row, length);
  free(row);
  for (uint32_t i = 0; i < v->n; i++)
    expand(v, i);
  v->figures.states = v->n;
  if (ts_check_complaint(v->check) != NULL)
    fail_msg("%s", ts_check_complaint(v->check));
}

static struct figures explore(struct world *w) {
  struct visit *v = malloc(sizeof *v);
  open_visit(v, w);
  visit_all(v);
  struct figures f = v->figures;
  close_visit(v);
  free(v);
  return f;
}

static void expect(struct world *w, struct figures expected) {
  struct figures f = explore(w);
  if (memcmp(&f, &expected, sizeof f) != 0)
    fail_msg("%u states, %u events, %u assertions, %u errors, %u stuck; not %u, %u, %u, %u, %u",
             f.states, f.events, f.assertions, f.errors, f.stuck, expected.states,
             expected.events, expected.assertions, expected.errors, expected.stuck);
  close_world(w);
}

/* ---- the models ----------------------------------------------------------------------------
 */

/* byte x;
 * active [2] proctype P() { atomic { x++; x++ }; atomic { x == 4; x = 0 } } */
static void test_atomic_blocks(void **state) {
  (void)state;
  struct world w;
  open_world(&w);
  struct ir_variable *x = variable(&w, "x", NULL);
  struct made *p = process(&w, "P", 5);
  assigns(&w, edge(p, 0, 1, NULL, IR_KEEPS), x, plus(&w, x, 1));
  assigns(&w, edge(p, 1, 2, NULL, 0), x, plus(&w, x, 1));
  edge(p, 2, 3, two(&w, IR_EQ, use(&w, x), number(&w, 4)), IR_KEEPS);
  assigns(&w, edge(p, 3, 4, NULL, 0), x, number(&w, 0));
  edge(p, 4, 4, NULL, IR_ENDS);
  activate(&w, p);
  activate(&w, p);
  expect(&w, (struct figures){7, 7, 0, 0, 2});
}

/* chan c = [0] of { byte };
 * proctype P(byte n) { byte v; if :: c!n :: c?v fi; do :: c!v :: c?v :: break od }
 * init { atomic { run P(1); run P(2); run P(3) } } */
static void test_handshakes(void **state) {
  (void)state;
  struct world w;
  open_world(&w);
  channel(&w, "c", 0, NULL, NULL);
  struct made *p = process(&w, "P", 3), *init = process(&w, "init", 4);
  struct ir_variable *n = variable(&w, "n", p), *v = variable(&w, "v", p);
  p->process.n_parameters = 1;
  operates(&w, edge(p, 0, 1, NULL, 0), number(&w, 1), true, use(&w, n));
  operates(&w, edge(p, 0, 1, NULL, 0), number(&w, 1), false, use(&w, v));
  operates(&w, edge(p, 1, 1, NULL, 0), number(&w, 1), true, use(&w, v));
  operates(&w, edge(p, 1, 1, NULL, 0), number(&w, 1), false, use(&w, v));
  edge(p, 1, 2, NULL, 0);
  edge(p, 2, 2, NULL, IR_ENDS);
  for (uint32_t i = 0; i < 3; i++)
    runs(&w, edge(init, i, i + 1, NULL, i < 2 ? IR_KEEPS : 0), p, number(&w, (int32_t)i + 1));
  edge(init, 3, 3, NULL, IR_ENDS);
  activate(&w, init);
  expect(&w, (struct figures){565, 1851, 0, 0, 9});
}

/* byte x;
 * active [2] proctype P() { byte i;
 *   do :: d_step { i < 3 -> i++; do :: x < i -> x++ :: else -> break od }; x = 0
 *      :: else -> break od } */
static void test_dstep_loops(void **state) {
  (void)state;
  struct world w;
  open_world(&w);
  struct ir_variable *x = variable(&w, "x", NULL);
  struct made *p = process(&w, "P", 6);
  struct ir_variable *i = variable(&w, "i", p);
  p->location[1].flags = p->location[2].flags = p->location[5].flags = IR_IN_DSTEP;
  edge(p, 0, 1, two(&w, IR_LT, use(&w, i), number(&w, 3)), 0);
  edge(p, 0, 4, leaf(&w, IR_ELSE), 0);
  assigns(&w, edge(p, 1, 2, NULL, 0), i, plus(&w, i, 1));
  edge(p, 2, 5, two(&w, IR_LT, use(&w, x), use(&w, i)), 0);
  assigns(&w, edge(p, 5, 2, NULL, 0), x, plus(&w, x, 1));
  edge(p, 2, 3, leaf(&w, IR_ELSE), 0);
  assigns(&w, edge(p, 3, 0, NULL, 0), x, number(&w, 0));
  edge(p, 4, 4, NULL, IR_ENDS);
  activate(&w, p);
  activate(&w, p);
  expect(&w, (struct figures){102, 180, 0, 0, 0});
}

/* A d_step that blocks, and one that never ends: model errors, and no successor. */
static void test_dstep_errors(void **state) {
  (void)state;
  for (int endless = 0; endless < 2; endless++) {
    struct world w;
    open_world(&w);
    struct ir_variable *x = variable(&w, "x", NULL);
    struct made *p = process(&w, "P", 3);
    p->location[1].flags = IR_IN_DSTEP;
    edge(p, 0, 1, NULL, 0);
    struct ir_edge *inner = edge(p, 1, endless ? 1 : 2,
                                 endless ? NULL : two(&w, IR_EQ, use(&w, x), number(&w, 1)), 0);
    assigns(&w, inner, x, two(&w, IR_SUB, number(&w, 1), use(&w, x)));
    activate(&w, p);
    expect(&w, (struct figures){.states = 1, .events = 1, .errors = 1});
  }
}

/* byte x;
 * active proctype P() { atomic { do :: x = 1 - x od } }
 * No stored successor, and no wrong end; the place is told. */
static void test_endless_atomic(void **state) {
  (void)state;
  struct world w;
  open_world(&w);
  struct ir_variable *x = variable(&w, "x", NULL);
  struct made *p = process(&w, "P", 1);
  assigns(&w, edge(p, 0, 0, NULL, IR_KEEPS), x, two(&w, IR_SUB, number(&w, 1), use(&w, x)));
  activate(&w, p);
  struct visit *v = malloc(sizeof *v);
  open_visit(v, &w);
  visit_all(v);
  assert_int_equal(v->figures.states, 1);
  assert_int_equal(v->figures.events, 0);
  assert_int_equal(v->figures.stuck, 0);
  assert_int_equal(v->endless[0], 1);
  close_visit(v);
  free(v);
  close_world(&w);
}

/* byte x;
 * proctype Q(byte n) { x = x + n; x = x - n }
 * active proctype P() { do :: atomic { _nr_pr < 4 -> run Q(1) } :: x > 1 -> break od }
 * Numbers of processes are used again. */
static void test_come_and_go(void **state) {
  (void)state;
  struct world w;
  open_world(&w);
  struct ir_variable *x = variable(&w, "x", NULL);
  struct made *p = process(&w, "P", 2), *q = process(&w, "Q", 3);
  struct ir_variable *n = variable(&w, "n", q);
  q->process.n_parameters = 1;
  struct ir_edge *run = edge(p, 0, 0, two(&w, IR_LT, leaf(&w, IR_LIVE), number(&w, 4)), 0);
  runs(&w, run, q, number(&w, 1));
  edge(p, 0, 1, two(&w, IR_GT, use(&w, x), number(&w, 1)), 0);
  edge(p, 1, 1, NULL, IR_ENDS);
  assigns(&w, edge(q, 0, 1, NULL, 0), x, two(&w, IR_ADD, use(&w, x), use(&w, n)));
  assigns(&w, edge(q, 1, 2, NULL, 0), x, two(&w, IR_SUB, use(&w, x), use(&w, n)));
  edge(q, 2, 2, NULL, IR_ENDS);
  activate(&w, p);
  expect(&w, (struct figures){73, 163, 0, 0, 0});
}

/* Two templates that may sit in one slot, each with a channel of its own:
 * proctype A(byte n) { chan q = [1] of { byte }; q!n; q?n }
 * proctype B(byte n) { chan q = [2] of { byte }; q!n; q!n; q?n }
 * active proctype P() { do :: _nr_pr < 3 -> if :: run A(1) :: run B(2) fi od } */
static void test_tags(void **state) {
  (void)state;
  struct world w;
  open_world(&w);
  struct made *child[2] = {process(&w, "A", 4), process(&w, "B", 5)};
  struct made *p = process(&w, "P", 2);
  for (uint32_t k = 0; k < 2; k++) {
    struct ir_variable *n = variable(&w, "n", child[k]), *q = variable(&w, "q", child[k]);
    child[k]->process.n_parameters = 1;
    channel(&w, "q", k + 1, child[k], q);
    uint32_t at = 0;
    for (; at < k + 1; at++)
      operates(&w, edge(child[k], at, at + 1, NULL, 0), use(&w, q), true, use(&w, n));
    operates(&w, edge(child[k], at, at + 1, NULL, 0), use(&w, q), false, use(&w, n));
    edge(child[k], at + 1, at + 1, NULL, IR_ENDS);
    runs(&w, edge(p, 1, 0, NULL, 0), child[k], number(&w, (int32_t)k + 1));
  }
  edge(p, 0, 1, two(&w, IR_LT, leaf(&w, IR_LIVE), number(&w, 3)), 0);
  activate(&w, p);
  expect(&w, (struct figures){65, 122, 0, 0, 0});
}

/* chan a = [2] of { byte }, b = [3] of { byte }; byte x;
 * active proctype P() { chan c; byte i;
 *   do :: i < 4 -> if :: c = a :: c = b fi; c!!(3 - i); i++ :: else -> break od }
 * active proctype Q() { do :: a?x :: b??2 :: b?<x> :: timeout -> break od } */
static void test_numbers(void **state) {
  (void)state;
  struct world w;
  open_world(&w);
  struct ir_variable *x = variable(&w, "x", NULL);
  channel(&w, "a", 2, NULL, NULL);
  channel(&w, "b", 3, NULL, NULL);
  struct made *p = process(&w, "P", 5), *q = process(&w, "Q", 2);
  struct ir_variable *c = variable(&w, "c", p), *i = variable(&w, "i", p);
  edge(p, 0, 1, two(&w, IR_LT, use(&w, i), number(&w, 4)), 0);
  edge(p, 0, 4, leaf(&w, IR_ELSE), 0);
  assigns(&w, edge(p, 1, 2, NULL, 0), c, number(&w, 1));
  assigns(&w, edge(p, 1, 2, NULL, 0), c, number(&w, 2));
  operates(&w, edge(p, 2, 3, NULL, 0), use(&w, c), true,
           two(&w, IR_SUB, number(&w, 3), use(&w, i)))
      ->sorted = true;
  assigns(&w, edge(p, 3, 0, NULL, 0), i, plus(&w, i, 1));
  edge(p, 4, 4, NULL, IR_ENDS);
  operates(&w, edge(q, 0, 0, NULL, 0), number(&w, 1), false, use(&w, x));
  operates(&w, edge(q, 0, 0, NULL, 0), number(&w, 2), false, number(&w, 2))->random = true;
  operates(&w, edge(q, 0, 0, NULL, 0), number(&w, 2), false, use(&w, x))->keep = true;
  edge(q, 0, 1, leaf(&w, IR_TIMEOUT), 0);
  edge(q, 1, 1, NULL, IR_ENDS);
  activate(&w, p);
  activate(&w, q);
  expect(&w, (struct figures){979, 2642, 0, 0, 0});
}

/* chan c = [0] of { byte }; byte x;
 * active proctype A() { byte i; { do :: i < 2 -> i++ :: c!i od } unless { x == 1; i = 9 } }
 * active proctype B() { byte y; do :: c?y :: x = 1; break od } */
static void test_escapes(void **state) {
  (void)state;
  struct world w;
  open_world(&w);
  struct ir_variable *x = variable(&w, "x", NULL);
  channel(&w, "c", 0, NULL, NULL);
  struct made *a = process(&w, "A", 4), *b = process(&w, "B", 2);
  struct ir_variable *i = variable(&w, "i", a), *y = variable(&w, "y", b);
  struct ir_expr *raised = two(&w, IR_EQ, use(&w, x), number(&w, 1));
  for (uint32_t at = 0; at < 2; at++)
    edge(a, at, 2, raised, 0)->escape = 1;
  edge(a, 0, 1, two(&w, IR_LT, use(&w, i), number(&w, 2)), 0);
  operates(&w, edge(a, 0, 0, NULL, 0), number(&w, 1), true, use(&w, i));
  assigns(&w, edge(a, 1, 0, NULL, 0), i, plus(&w, i, 1));
  assigns(&w, edge(a, 2, 3, NULL, 0), i, number(&w, 9));
  edge(a, 3, 3, NULL, IR_ENDS);
  operates(&w, edge(b, 0, 0, NULL, 0), number(&w, 1), false, use(&w, y));
  assigns(&w, edge(b, 0, 1, NULL, 0), x, number(&w, 1));
  edge(b, 1, 1, NULL, IR_ENDS);
  activate(&w, a);
  activate(&w, b);
  expect(&w, (struct figures){37, 63, 0, 0, 0});
}

/* An assertion inside a run is told of the whole event, which goes on; what is printed and
 * the steps are in its trace. */
static void test_trace(void **state) {
  (void)state;
  struct world w;
  open_world(&w);
  struct ir_variable *x = variable(&w, "x", NULL);
  struct made *p = process(&w, "P", 3);
  struct ir_edge *first = edge(p, 0, 1, NULL, IR_KEEPS), *second = edge(p, 1, 2, NULL, 0);
  struct ir_expr *argument = use(&w, x);
  assigns(&w, first, x, number(&w, 7));
  does(&w, first,
       (struct ir_effect){
           .kind = IR_PRINT, .text = "x is %d\n", .n_arguments = 1, .argument = &argument});
  does(&w, second,
       (struct ir_effect){.kind = IR_ASSERT,
                          .value = two(&w, IR_EQ, use(&w, x), number(&w, 0))});
  activate(&w, p);
  struct visit *v = malloc(sizeof *v);
  open_visit(v, &w);
  uint8_t row[64] = {0}, next[64];
  uint32_t word[64];
  struct ts_trace trace = {.at = word, .capacity = 64};
  struct ts_edge told;
  uint32_t length = ts_code(v->check)->initial(v->check, 0, row);
  assert_true(
      ts_fire_traced(v->check, row, length, (struct ts_event){0, 0}, &told, next, &trace));
  assert_int_equal(told.kind, TS_ASSERTION);
  assert_int_equal(word[trace.last], TS_TRACE_STEP);
  assert_int_equal(word[trace.last + 3], 1);
  uint32_t before = word[trace.last + 2];
  assert_int_equal(word[before], TS_TRACE_STEP);
  assert_int_equal(word[before + 2], TS_NONE);
  assert_int_equal(word[before + 4], TS_TRACE_PRINT);
  assert_int_equal(word[before + 7], 7);
  visit_all(v);
  assert_int_equal(v->figures.assertions, 1);
  assert_int_equal(v->reached[0], 1);
  close_visit(v);
  free(v);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_atomic_blocks),  cmocka_unit_test(test_handshakes),
      cmocka_unit_test(test_dstep_loops),    cmocka_unit_test(test_dstep_errors),
      cmocka_unit_test(test_endless_atomic), cmocka_unit_test(test_come_and_go),
      cmocka_unit_test(test_tags),           cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_escapes),        cmocka_unit_test(test_trace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
