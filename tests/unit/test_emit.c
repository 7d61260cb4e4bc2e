/* test_emit.c - generated code against an interpreter, on random models.
 *
 * Each model is printed, compiled by libtcc (a warning is a failure) and visited
 * breadth-first for some states; in each the successors, their order, errors,
 * changed components, resumption and skipping are compared with ir_slow.c. Some
 * are compiled by the system's compiler too, with its warnings on.
 */
#include "ir_random.h"

#include "base/bits.h"
#include "native/native.h"

#include <dlfcn.h>
#include <libtcc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MODELS    400
#define CC_MODELS 12
#define STATES    60
#define ROWS      4096
#define ROW_BYTES 1024

struct subject { /* one compiled model */
  struct budget *budget;
  struct arena *arena;
  struct ir_model *model;
  const struct ir_actions *actions;
  struct ts_shape *shape;
  struct slow slow;
  struct text text;
  TCCState *tcc;
  void *library;
  const struct ts_code *code;
  uint64_t seed;
};

struct rows { /* a state's successors */
  struct ts_edge edge[ROWS];
  uint8_t row[ROWS][ROW_BYTES] __attribute__((aligned(8)));
  uint32_t n;
};

static struct rows expected, found;
static uint64_t states[STATES][ROW_BYTES / 8];

static void complain(void *seed, const char *message) {
  fail_msg("seed %llu: tcc: %s", (unsigned long long)*(uint64_t *)seed, message);
}

static void open_subject(struct subject *s, uint64_t seed, bool truncation) {
  const char *why = NULL;
  *s = (struct subject){.seed = seed};
  s->budget = budget_open(0);
  s->arena = arena_open(s->budget, BUDGET_MODEL);
  s->model = random_model(s->arena, seed);
  s->shape = ir_layout(s->model, &why);
  assert_non_null(s->shape);
  s->actions = ir_actions(s->model, &why);
  assert_non_null(s->actions);
  ir_access(s->model, s->actions, s->shape);
  s->slow = (struct slow){s->model, s->actions, s->shape};
  text_init(&s->text, s->budget, BUDGET_CODE);
  assert_true(native_emit(s->model, s->actions, s->shape,
                          &(struct native_options){.report_truncation = truncation}, &s->text));
  assert_true(ts_stride(s->shape) <= ROW_BYTES);
}

static void compile_tcc(struct subject *s) {
  s->tcc = tcc_new();
  tcc_set_error_func(s->tcc, &s->seed, complain);
  tcc_set_options(s->tcc, "-nostdlib -Wall");
  tcc_set_output_type(s->tcc, TCC_OUTPUT_MEMORY);
  tcc_add_symbol(s->tcc, "memcpy", memcpy);
  tcc_add_symbol(s->tcc, "memmove", memmove);
  tcc_add_symbol(s->tcc, "memset", memset);
  assert_int_equal(tcc_compile_string(s->tcc, s->text.at), 0);
  assert_int_equal(tcc_relocate(s->tcc, TCC_RELOCATE_AUTO), 0);
  s->code = tcc_get_symbol(s->tcc, "cairn_code");
  assert_non_null(s->code);
}

static bool have_cc(void) {
  return system("cc --version >/dev/null 2>&1") == 0;
}

static void compile_cc(struct subject *s, const char *level) {
  char folder[] = "/tmp/test_emit.XXXXXX", command[400], name[64], source[64];
  assert_non_null(mkdtemp(folder));
  snprintf(source, sizeof source, "%s/m.c", folder);
  snprintf(name, sizeof name, "%s/m.so", folder);
  FILE *f = fopen(source, "w");
  assert_non_null(f);
  fwrite(s->text.at, 1, s->text.length, f);
  fclose(f);
  snprintf(command, sizeof command, "cc %s -Wall -Werror -shared -fPIC -o %s %s", level, name,
           source);
  if (system(command) != 0)
    fail_msg("seed %llu: cc %s failed", (unsigned long long)s->seed, level);
  s->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  assert_non_null(s->library);
  s->code = dlsym(s->library, "cairn_code");
  assert_non_null(s->code);
  unlink(source);
  unlink(name);
  rmdir(folder);
}

static void close_subject(struct subject *s) {
  if (s->tcc)
    tcc_delete(s->tcc);
  if (s->library)
    dlclose(s->library);
  text_free(&s->text);
  arena_close(s->arena);
  budget_close(s->budget);
}

/* ---- successors ---------------------------------------------------------------------- */

static bool skipped(const uint64_t *skip, uint32_t action) {
  return skip && bits_test(skip, action);
}

static void slow_successors(const struct subject *s, const uint8_t *state,
                            const uint64_t *skip) {
  expected.n = 0;
  for (uint32_t a = 0; a < s->actions->n; a++) {
    uint32_t choices = skipped(skip, a) ? 0 : slow_choices(&s->slow, state, a);
    for (uint32_t c = 0; c < choices; c++) {
      struct ts_event event = {a, c};
      assert_true(expected.n < ROWS);
      enum slow_outcome o = slow_fire(&s->slow, state, event, expected.row[expected.n]);
      if (o != SLOW_NOT_ENABLED)
        expected.edge[expected.n++] = (struct ts_edge){
            .event = event, .kind = o == SLOW_ERROR ? TS_MODEL_ERROR : TS_FINE};
    }
  }
}

/* All successors by calls with `capacity` rows each. */
static void code_successors(const struct subject *s, const uint8_t *state, const uint64_t *skip,
                            uint32_t capacity) {
  static uint64_t rows[ROWS * ROW_BYTES / 8];
  struct ts_edge edge[ROWS];
  uint32_t stride = ts_stride(s->shape);
  struct ts_event cursor = {0, 0};
  int32_t more = 1;
  found.n = 0;
  for (uint32_t calls = 0; more; calls++) {
    struct ts_batch batch = {
        .edge = edge, .rows = (uint8_t *)rows, .stride = stride, .capacity = capacity};
    assert_true(calls <= ROWS);
    more = s->code->successors(NULL, state, s->shape->max_bytes, &cursor, skip, &batch);
    assert_true(!more || batch.n == capacity);
    for (uint32_t i = 0; i < batch.n; i++) {
      found.edge[found.n] = edge[i];
      memcpy(found.row[found.n++], (uint8_t *)rows + (size_t)i * stride, stride);
    }
  }
}

static void check_edge(const struct subject *s, const uint8_t *state, uint32_t i) {
  const struct ts_edge *e = &found.edge[i];
  unsigned long long seed = s->seed;
  uint32_t stride = ts_stride(s->shape);
  if (e->event.action != expected.edge[i].event.action ||
      e->event.choice != expected.edge[i].event.choice || e->kind != expected.edge[i].kind)
    fail_msg("seed %llu: event %u is (%u, %u) kind %u, not (%u, %u) kind %u", seed, i,
             e->event.action, e->event.choice, e->kind, expected.edge[i].event.action,
             expected.edge[i].event.choice, expected.edge[i].kind);
  if (e->kind == TS_MODEL_ERROR) {
    assert_true(e->fault < s->shape->n_faults);
    return;
  }
  assert_int_equal(e->length, s->shape->max_bytes);
  for (uint32_t k = 0; k < stride; k++)
    if (found.row[i][k] != expected.row[i][k])
      fail_msg("seed %llu: action %u, byte %u is %u, not %u", seed, e->event.action, k,
               found.row[i][k], expected.row[i][k]);
  for (uint32_t c = 0; c < s->shape->n_components; c++) {
    const struct ts_component *component = &s->shape->component[c];
    if (!(e->changed >> (c < 63 ? c : 63) & 1))
      assert_memory_equal(state + component->offset, found.row[i] + component->offset,
                          component->bytes);
  }
}

static void compare(const struct subject *s, const uint8_t *state, const uint64_t *skip,
                    uint32_t capacity) {
  slow_successors(s, state, skip);
  code_successors(s, state, skip, capacity);
  if (expected.n != found.n)
    fail_msg("seed %llu: %u successors, not %u", (unsigned long long)s->seed, found.n,
             expected.n);
  for (uint32_t i = 0; i < found.n; i++)
    check_edge(s, state, i);
}

/* Resuming anywhere, also at events that are not enabled. */
static void compare_cursor(const struct subject *s, const uint8_t *state, uint64_t *random) {
  struct ts_event cursor = {(uint32_t)(bits_next_random(random) % s->actions->n),
                            (uint32_t)(bits_next_random(random) % 3)};
  struct ts_event from = cursor;
  struct ts_edge edge[1];
  uint64_t row[ROW_BYTES / 8];
  struct ts_batch batch = {
      .edge = edge, .rows = (uint8_t *)row, .stride = ts_stride(s->shape), .capacity = 1};
  uint32_t i = 0;
  slow_successors(s, state, NULL);
  while (i < expected.n && (expected.edge[i].event.action < from.action ||
                            (expected.edge[i].event.action == from.action &&
                             expected.edge[i].event.choice < from.choice)))
    i++;
  s->code->successors(NULL, state, s->shape->max_bytes, &cursor, NULL, &batch);
  assert_int_equal(batch.n, i < expected.n);
  if (batch.n)
    assert_int_equal(edge[0].event.action, expected.edge[i].event.action);
}

/* ---- properties ------------------------------------------------------------------------ */

static void check_properties(const struct subject *s, const uint8_t *state) {
  uint32_t n = s->model->n_properties;
  for (uint32_t from = 0; from <= n; from++) {
    uint32_t want = from, fault = 0;
    bool failed = false;
    for (; want < n && !failed; want++)
      if (!slow_value(s->model->property[want].condition, state, &failed) || failed)
        break;
    uint32_t got = s->code->violated(NULL, state, s->shape->max_bytes, from, &fault);
    if (got != want || (fault != TS_NONE) != failed)
      fail_msg("seed %llu: property %u from %u, not %u", (unsigned long long)s->seed, got, from,
               want);
    assert_true(!failed || fault < s->shape->n_faults);
  }
}

/* ---- steps ------------------------------------------------------------------------------ */

static void check_steps(const struct subject *s, const uint8_t *state) {
  uint32_t action[16];
  assert_int_equal(s->code->steps != NULL, s->model->synchronous);
  for (uint32_t i = 0; s->code->steps && i < found.n; i++) {
    uint32_t n =
        s->code->steps(NULL, state, s->shape->max_bytes, found.edge[i].event, action, 16);
    assert_true(n == s->model->n_processes || (n == 0 && found.edge[i].kind));
    for (uint32_t k = 0; k < n; k++)
      assert_true(action[k] >= s->actions->first[k] && action[k] < s->actions->first[k + 1]);
  }
}

/* ---- visits ----------------------------------------------------------------------------- */

static uint32_t remember(uint32_t n, const uint8_t *row, uint32_t stride) {
  for (uint32_t i = 0; i < n; i++)
    if (!memcmp(states[i], row, stride))
      return n;
  if (n < STATES)
    memcpy(states[n++], row, stride);
  return n;
}

static void visit(const struct subject *s) {
  uint32_t stride = ts_stride(s->shape), n = 1;
  uint64_t random = s->seed, skip[64];
  memset(states[0], 0, sizeof states[0]);
  assert_int_equal(s->code->initial(NULL, 0, (uint8_t *)states[0]), s->shape->max_bytes);
  assert_true(s->actions->n <= 64 * 64);
  for (uint32_t i = 0; i < n; i++) {
    const uint8_t *state = (const uint8_t *)states[i];
    for (uint32_t k = 0; k < 64; k++)
      skip[k] = bits_next_random(&random);
    if (!s->actions->n)
      return;
    compare(s, state, skip, 3);
    compare(s, state, NULL, 1);
    compare_cursor(s, state, &random);
    compare(s, state, NULL, ROWS);
    check_properties(s, state);
    check_steps(s, state);
    assert_true(s->shape->most_events == TS_NONE || found.n <= s->shape->most_events);
    for (uint32_t k = 0; k < found.n; k++)
      if (found.edge[k].kind == TS_FINE)
        n = remember(n, found.row[k], stride);
  }
}

static void test_random_tcc(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= MODELS; seed++) {
    struct subject s;
    open_subject(&s, seed, seed % 4 == 0);
    compile_tcc(&s);
    visit(&s);
    close_subject(&s);
  }
}

static void test_random_cc(void **unused) {
  (void)unused;
  if (!have_cc()) {
    print_message("no system compiler: skipped\n");
    skip();
  }
  for (uint64_t seed = 1; seed <= CC_MODELS; seed++) {
    struct subject s;
    open_subject(&s, seed * 7919, seed % 3 == 0);
    compile_cc(&s, seed % 2 ? "-O1" : "-O2");
    visit(&s);
    close_subject(&s);
  }
}

/* ---- cut values ----------------------------------------------------------------------------
 */

/* b = b + 200 twice: the second assignment cuts. */
static void test_truncation(void **unused) {
  (void)unused;
  static const struct ir_type byte = {.name = "byte", .bits = 8};
  const char *why = NULL;
  struct budget *budget = budget_open(0);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  struct ir_variable b = {.name = "b", .type = &byte, .length = 1};
  struct ir_variable *globals[] = {&b};
  struct ir_expr target = {.kind = IR_VARIABLE, .variable = &b};
  struct ir_expr constant = {.kind = IR_CONST, .value = 200};
  struct ir_expr sum = {.kind = IR_ADD, .a = &target, .b = &constant};
  struct ir_effect effect = {.target = &target, .value = &sum};
  struct ir_location location = {.name = "l"};
  struct ir_edge edge = {.n_effects = 1, .effect = &effect};
  struct ir_process p = {
      .name = "P", .n_locations = 1, .location = &location, .n_edges = 1, .edge = &edge};
  struct ir_process *processes[] = {&p};
  struct ir_model model = {.arena = arena,
                           .name = "m",
                           .n_globals = 1,
                           .global = globals,
                           .n_processes = 1,
                           .process = processes};
  struct subject s = {.budget = budget, .arena = arena, .model = &model};
  s.shape = ir_layout(&model, &why);
  s.actions = ir_actions(&model, &why);
  ir_access(&model, s.actions, s.shape);
  text_init(&s.text, budget, BUDGET_CODE);
  assert_true(native_emit(&model, s.actions, s.shape,
                          &(struct native_options){.report_truncation = true}, &s.text));
  compile_tcc(&s);
  assert_int_equal(s.shape->n_truncations, 1);
  uint64_t state[1] = {0}, row[1], noted[1] = {0};
  struct ts_edge found_edge[1];
  for (uint32_t i = 0; i < 2; i++) {
    struct ts_event cursor = {0, 0};
    struct ts_batch batch = {.edge = found_edge,
                             .rows = (uint8_t *)row,
                             .stride = 8,
                             .capacity = 1,
                             .truncated = noted};
    assert_int_equal(s.code->successors(NULL, (uint8_t *)state, 2, &cursor, NULL, &batch), 0);
    assert_int_equal(batch.n, 1);
    assert_int_equal(noted[0], i == 0 ? 0 : TS_CUT | 400);
    memcpy(state, row, sizeof row);
  }
  assert_int_equal(((uint8_t *)state)[b.offset], 400 - 256);
  close_subject(&s);
}

/* Code for a model that does not fit the budget: said, not crashed. */
static void test_out_of_memory(void **unused) {
  (void)unused;
  for (uint64_t n = 1; n < 40; n++) {
    struct subject s;
    open_subject(&s, 5, false);
    struct budget *small = budget_open(0);
    struct text text;
    text_init(&text, small, BUDGET_CODE);
    budget_fail_after(small, n);
    bool good = native_emit(s.model, s.actions, s.shape,
                            &(struct native_options){.report_truncation = true}, &text);
    assert_true(good || text.failed || !text.length);
    text_free(&text);
    budget_close(small);
    close_subject(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_tcc),
      cmocka_unit_test(test_random_cc),
      cmocka_unit_test(test_truncation),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
