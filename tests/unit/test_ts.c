/* test_ts.c - values, single events, and the self-check against wrong facts.
 *
 * One small model written in C stands behind the door, and can be told to lie in
 * one way at a time: each lie must be found by a short random walk, and the
 * honest model must pass.
 */
#include "ts/check.h"
#include "ts/list.h"
#include "ts/ts.h"

#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* a: 0..7 in 3 bits, b: signed, c: 4 bits; l: the control location of process P.
 *
 *   0  a < 5            a = a + 1
 *   1  a > 0            b = a - 3
 *   2  l = 0            l = 1, c = (a + b) & 15
 *   3  l = 1            l = 0, c = choice (0, 1), a fault if b = 2
 *   4  a = 5            a = 0, a failed assertion
 */
enum { A, B, C, L, SLOTS, ACTIONS = 5 };

enum lie {
  HONEST,
  WRITES_TOO_FEW,
  CHANGED_TOO_FEW,
  READS_TOO_FEW_GUARD,
  READS_TOO_FEW_EFFECT,
  READS_TOO_FEW_FAULT,
  BYTES_BEHIND,
  BYTES_BETWEEN,
  BITS_TOO_MANY,
  WRONG_ORDER,
  WRONG_CURSOR,
  FULL_TOO_SOON,
  IGNORES_CURSOR,
  IGNORES_SKIP,
  NOT_A_FUNCTION,
  WRONG_LENGTH,
  NO_SUCH_ACTION,
  NO_SUCH_FAULT,
  MORE_THAN_MOST,
  LIES
};

struct model {
  enum lie lie;
  uint32_t *calls;
};

static const struct model *model_of(const struct ts *ts) {
  return ts->self;
}

static const struct ts_slot slots[SLOTS] = {
    {.variable = 0, .offset = 0, .bytes = 1, .bits = 3},
    {.variable = 1, .offset = 2, .bytes = 2, .bits = 16, .is_signed = true},
    {.variable = 2, .offset = 4, .bytes = 1, .bits = 4},
    {.variable = 3, .offset = 5, .bytes = 1, .bits = 1}};

static int get(const uint8_t *row, int slot) {
  return (int)ts_value(&slots[slot], row);
}

static void set(uint8_t *row, int slot, int value) {
  row[slots[slot].offset] = (uint8_t)value;
  if (slots[slot].bytes == 2)
    row[slots[slot].offset + 1] = (uint8_t)(value >> 8);
}

static uint32_t initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  (void)ts;
  (void)which;
  set(row, A, 0);
  return 6;
}

static bool enabled(const struct ts *ts, const uint8_t *state, struct ts_event event) {
  int a = get(state, A), l = get(state, L);
  bool lie = model_of(ts)->lie == READS_TOO_FEW_GUARD && get(state, B) == 1;
  switch (event.action) {
  case 0:
    return event.choice == 0 && a < 5 && !lie;
  case 1:
    return event.choice == 0 && a > 0;
  case 2:
    return event.choice == 0 && l == 0;
  case 3:
    return l == 1;
  default:
    return event.choice == 0 && a == 5;
  }
}

static void effect(enum lie lie, const uint8_t *state, struct ts_edge *edge, uint8_t *row) {
  int a = get(state, A), b = get(state, B), c = get(state, C);
  edge->changed = 1;
  switch (edge->event.action) {
  case 0:
    set(row, A, lie == BITS_TOO_MANY && a == 4 ? 8 : a + 1);
    if (lie == WRITES_TOO_FEW)
      set(row, C, a);
    break;
  case 1:
    set(row, B, lie == READS_TOO_FEW_EFFECT ? a - 3 + (c == 1) : a - 3);
    break;
  case 2:
  case 3:
    edge->changed = lie == CHANGED_TOO_FEW ? 1 : 3;
    set(row, L, edge->event.action == 2);
    set(row, C, edge->event.action == 2 ? (a + b) & 15 : (int)edge->event.choice);
    if (edge->event.action == 3 && (b == 2 || (lie == READS_TOO_FEW_FAULT && a == 3))) {
      edge->kind = TS_MODEL_ERROR;
      edge->fault = lie == NO_SUCH_FAULT ? 2 : 1;
    }
    break;
  default:
    set(row, A, 0);
    edge->kind = TS_ASSERTION;
    edge->fault = 0;
  }
}

static void add(const struct ts *ts, const uint8_t *state, struct ts_event event,
                struct ts_batch *out) {
  const struct model *model = model_of(ts);
  uint8_t *row = out->rows + out->n * out->stride;
  struct ts_edge *edge = &out->edge[out->n++];
  *edge = (struct ts_edge){.event = event, .length = model->lie == WRONG_LENGTH ? 5 : 6};
  memset(row, 0, out->stride);
  memcpy(row, state, 6);
  effect(model->lie, state, edge, row);
  if (model->lie == BYTES_BEHIND)
    row[7] = 1;
  if (model->lie == BYTES_BETWEEN)
    row[1] = 1;
  if (model->lie == NOT_A_FUNCTION && event.action == 1)
    set(row, B, (int)(*model->calls)++ % 3);
  if (model->lie == NO_SUCH_ACTION && event.action == 4)
    edge->event.action = 5;
  if (model->lie == WRONG_ORDER && event.action == 3)
    edge->event.choice = 1 - event.choice;
}

static int32_t successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                          struct ts_event *cursor, const uint64_t *skip, struct ts_batch *out) {
  (void)length;
  enum lie lie = model_of(ts)->lie;
  struct ts_event at = *cursor;
  if (lie == IGNORES_CURSOR)
    at = (struct ts_event){0, 0};
  for (; at.action < ACTIONS; at.action++, at.choice = 0)
    for (; at.choice < (at.action == 3 ? 2 : 1); at.choice++) {
      if (!enabled(ts, state, at) ||
          (skip != NULL && bits_test(skip, at.action) && lie != IGNORES_SKIP))
        continue;
      if (out->n == out->capacity || (lie == FULL_TOO_SOON && out->n == 2)) {
        *cursor = at;
        if (lie == WRONG_CURSOR)
          cursor->choice++;
        return 1;
      }
      add(ts, state, at, out);
    }
  return 0;
}

static uint32_t violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                         uint32_t from, uint32_t *fault) {
  (void)ts;
  (void)state;
  (void)length;
  *fault = TS_NONE;
  return from;
}

static const struct ts_code code = {
    .abi = TS_ABI, .initial = initial, .successors = successors, .violated = violated};

static const struct ts_variable variables[SLOTS] = {
    {.name = "a", .component = 0, .first_slot = A, .n_slots = 1},
    {.name = "b", .component = 0, .first_slot = B, .n_slots = 1},
    {.name = "c", .component = 0, .first_slot = C, .n_slots = 1},
    {.name = "P", .component = 1, .first_slot = L, .n_slots = 1, .is_location = true}};
static const struct ts_component components[2] = {
    {.name = "globals", .first_slot = A, .n_slots = 3, .offset = 0, .bytes = 5},
    {.name = "P", .first_slot = L, .n_slots = 1, .offset = 5, .bytes = 1}};
static const struct ts_action actions[ACTIONS];
static const struct ts_fault faults[2] = {{.message = "assertion"}, {.message = "error"}};
static const uint32_t read_start[] = {0, 1, 2, 5, 7, 8};
static const uint32_t read_item[] = {A, A, A, B, L, B, L, A};
static const uint32_t write_start[] = {0, 1, 2, 4, 6, 7};
static const uint32_t write_item[] = {A, B, C, L, C, L, A};

static struct ts_shape shape_of(enum lie lie) {
  return (struct ts_shape){.name = "test",
                           .max_bytes = 6,
                           .fixed_length = true,
                           .n_initial = 1,
                           .n_variables = SLOTS,
                           .n_slots = SLOTS,
                           .n_components = 2,
                           .n_actions = ACTIONS,
                           .n_faults = 2,
                           .most_events = lie == MORE_THAN_MOST ? 2 : 4,
                           .variable = variables,
                           .slot = slots,
                           .component = components,
                           .action = actions,
                           .fault = faults,
                           .reads = {read_start, read_item},
                           .writes = {write_start, write_item}};
}

/* A random walk of `n` steps through a ts; the complaint, copied. */
static bool walk(const struct ts *ts, uint32_t n) {
  struct ts_edge edge[3];
  _Alignas(8) uint8_t state[8] = {0}, rows[3 * 8];
  uint64_t random = 7;
  uint32_t length = ts_code(ts)->initial(ts, 0, state);
  for (uint32_t i = 0; i < n && ts_check_complaint(ts) == NULL; i++) {
    struct ts_batch batch = {.edge = edge, .rows = rows, .stride = 8, .capacity = 3};
    struct ts_event cursor = {0, 0};
    if (ts_code(ts)->successors(ts, state, length, &cursor, NULL, &batch) == 1 &&
        bits_next_random(&random) % 2 == 0) {
      batch.n = 0;
      ts_code(ts)->successors(ts, state, length, &cursor, NULL, &batch);
    }
    uint32_t k = batch.n > 0 ? (uint32_t)(bits_next_random(&random) % batch.n) : 0;
    if (batch.n > 0 && edge[k].kind != TS_MODEL_ERROR)
      memcpy(state, rows + (size_t)k * 8, 8);
    else
      memset(state, 0, 8);
  }
  return ts_check_complaint(ts) != NULL;
}

static bool caught(enum lie lie, const char *about) {
  struct budget *budget = budget_open(0);
  uint64_t before = budget_used_all(budget);
  uint32_t calls = 0;
  struct ts_shape shape = shape_of(lie);
  struct model model = {.lie = lie, .calls = &calls};
  struct ts inner = {.shape = &shape, .code = &code, .self = &model};
  struct ts *ts = ts_check_open(&inner, budget);
  assert_non_null(ts);
  bool found = walk(ts, 2000);
  if (found && about != NULL && strstr(ts_check_complaint(ts), about) == NULL)
    fail_msg("lie %d: %s", lie, ts_check_complaint(ts));
  ts_check_close(ts);
  assert_int_equal(budget_used_all(budget), before);
  budget_close(budget);
  return found;
}

static void test_honest_model_passes(void **unused) {
  (void)unused;
  assert_false(caught(HONEST, NULL));
}

static void test_every_lie_is_caught(void **unused) {
  (void)unused;
  static const char *const about[LIES] = {
      [WRITES_TOO_FEW] = "c changes, but is not in the write set",
      [CHANGED_TOO_FEW] = "component 1 is not marked",
      [READS_TOO_FEW_GUARD] = "b decides whether it is enabled",
      [READS_TOO_FEW_EFFECT] = "what it does to b depends",
      [READS_TOO_FEW_FAULT] = "its fault depends",
      [BYTES_BEHIND] = "byte 7 belongs to nothing",
      [BYTES_BETWEEN] = "byte 1 belongs to nothing",
      [BITS_TOO_MANY] = "a has the value 8",
      [WRONG_ORDER] = "do not ascend",
      [WRONG_CURSOR] = "",
      [FULL_TOO_SOON] = "is said to be full",
      [IGNORES_CURSOR] = "",
      [IGNORES_SKIP] = "",
      [NOT_A_FUNCTION] = "",
      [WRONG_LENGTH] = "the state has 5 bytes",
      [NO_SUCH_ACTION] = "names action 5",
      [NO_SUCH_FAULT] = "fault 2",
      [MORE_THAN_MOST] = "are said to be the most"};
  for (enum lie lie = HONEST + 1; lie < LIES; lie++)
    if (!caught(lie, about[lie]))
      fail_msg("lie %d was not found", lie);
}

/* A guard that reads two slots announced as none: only seen by mixing states. */
static void test_read_set_of_disabled_action(void **unused) {
  (void)unused;
  static const uint32_t start[] = {0, 1, 2, 5, 7, 7};
  struct budget *budget = budget_open(0);
  struct ts_shape shape = shape_of(HONEST);
  shape.reads = (struct ts_rows){start, read_item};
  struct model model = {.lie = HONEST};
  struct ts inner = {.shape = &shape, .code = &code, .self = &model};
  struct ts *ts = ts_check_open(&inner, budget);
  assert_true(walk(ts, 500));
  assert_non_null(strstr(ts_check_complaint(ts), "action 4"));
  ts_check_close(ts);
  budget_close(budget);
}

static void test_check_without_memory(void **unused) {
  (void)unused;
  struct budget *budget = budget_open(0);
  uint64_t before = budget_used_all(budget);
  struct ts_shape shape = shape_of(HONEST);
  struct model model = {.lie = HONEST};
  struct ts inner = {.shape = &shape, .code = &code, .self = &model};
  uint64_t n = 1;
  for (;; n++) {
    budget_fail_after(budget, n);
    struct ts *ts = ts_check_open(&inner, budget);
    budget_fail_after(budget, 0);
    if (ts != NULL) {
      ts_check_close(ts);
      break;
    }
    assert_int_equal(budget_used_all(budget), before);
  }
  assert_true(n > 5);
  budget_close(budget);
}

/* More events than the self-check has room for at first. */
static int32_t many_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                               struct ts_event *cursor, const uint64_t *skip,
                               struct ts_batch *out) {
  (void)ts, (void)skip;
  for (uint32_t choice = cursor->choice; choice < 40; choice++) {
    if (out->n == out->capacity) {
      *cursor = (struct ts_event){0, choice};
      return 1;
    }
    memcpy(out->rows + out->n * out->stride, state, out->stride);
    out->edge[out->n++] = (struct ts_edge){.event = {0, choice}, .length = length};
  }
  return 0;
}

/* What was not tested because memory ran out is told. */
static void test_check_tells_untested(void **unused) {
  (void)unused;
  struct budget *budget = budget_open(0);
  struct ts_shape shape = shape_of(HONEST);
  struct ts_code many = code;
  struct ts_edge edge[40];
  _Alignas(8) uint8_t rows[40 * 8], state[8] = {0};
  struct ts_batch batch = {.edge = edge, .rows = rows, .stride = 8, .capacity = 40};
  struct ts_event cursor = {0, 0};
  struct model model = {.lie = HONEST};
  struct ts inner = {.shape = &shape, .code = &many, .self = &model};
  many.successors = many_successors;
  struct ts *ts = ts_check_open(&inner, budget);
  assert_non_null(ts);
  budget_fail_after(budget, 1);
  assert_int_equal(ts_code(ts)->successors(ts, state, 6, &cursor, NULL, &batch), 0);
  budget_fail_after(budget, 0);
  assert_null(ts_check_complaint(ts));
  assert_int_equal(ts_check_untested(ts), 1);
  ts_check_close(ts);
  budget_close(budget);
}

/* Three bytes that are always alike, and a fourth that becomes what most of them are: who
 * alters one byte alone never sees that the second action reads them. */
static int32_t alike_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                struct ts_event *cursor, const uint64_t *skip,
                                struct ts_batch *out) {
  (void)ts;
  for (uint32_t a = cursor->action; a < 2; a++) {
    if (skip != NULL && bits_test(skip, a))
      continue;
    if (out->n == out->capacity) {
      *cursor = (struct ts_event){a, 0};
      return 1;
    }
    uint8_t *row = out->rows + out->n * out->stride;
    memcpy(row, state, 8);
    if (a == 1)
      row[3] = state[0] + state[1] + state[2] > 1;
    else
      for (uint32_t i = 0; i < 3; i++)
        row[i] = !state[i];
    out->edge[out->n++] = (struct ts_edge){.event = {a, 0}, .length = length, .changed = 1};
  }
  return 0;
}

static uint32_t alike_initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  (void)ts, (void)which, (void)row;
  return 4;
}

static void test_slots_that_change_together(void **unused) {
  (void)unused;
  static const struct ts_slot bit[4] = {{.variable = 0, .offset = 0, .bytes = 1, .bits = 1},
                                        {.variable = 1, .offset = 1, .bytes = 1, .bits = 1},
                                        {.variable = 2, .offset = 2, .bytes = 1, .bits = 1},
                                        {.variable = 3, .offset = 3, .bytes = 1, .bits = 1}};
  static const struct ts_variable bits[4] = {
      {.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "most"}};
  static const uint32_t reads[] = {0, 1, 2, 0, 1, 2}, read_all[] = {0, 3, 6},
                        too_few[] = {0, 3, 3};
  static const uint32_t writes[] = {0, 1, 2, 3}, written[] = {0, 3, 4};
  const struct ts_code alike = {.abi = TS_ABI,
                                .initial = alike_initial,
                                .successors = alike_successors,
                                .violated = violated};
  struct budget *budget = budget_open(0);
  for (uint32_t lie = 0; lie < 2; lie++) {
    struct ts_shape shape = {.max_bytes = 4,
                             .fixed_length = true,
                             .n_initial = 1,
                             .n_variables = 4,
                             .n_slots = 4,
                             .n_actions = 2,
                             .most_events = 2,
                             .variable = bits,
                             .slot = bit,
                             .action = actions,
                             .reads = {lie ? too_few : read_all, reads},
                             .writes = {written, writes}};
    struct ts inner = {.shape = &shape, .code = &alike};
    struct ts *ts = ts_check_open(&inner, budget);
    assert_non_null(ts);
    assert_int_equal(walk(ts, 200), lie);
    if (lie)
      assert_non_null(strstr(ts_check_complaint(ts), "what it does to most depends"));
    ts_check_close(ts);
  }
  budget_close(budget);
}

/* A variable that is there while another one has a value from 2 to 4. */
static void test_given_range(void **unused) {
  (void)unused;
  static const struct ts_slot slot[2] = {{.variable = 0, .bytes = 1, .bits = 8},
                                         {.variable = 1, .offset = 1, .bytes = 1, .bits = 8}};
  static const struct ts_variable given[2] = {
      {.name = "kind"},
      {.name = "of", .first_slot = 1, .given = 0, .given_least = 2, .given_most = 4}};
  const struct ts_shape shape = {
      .n_variables = 2, .n_slots = 2, .variable = given, .slot = slot};
  for (uint8_t kind = 0; kind < 8; kind++) {
    const uint8_t state[2] = {kind, 0};
    assert_true(ts_is_there(&shape, 0, state));
    assert_int_equal(ts_is_there(&shape, 1, state), kind >= 2 && kind <= 4);
  }
}

/* The same of channels: number 1 is the first that is there, and there may be none. */
static void test_channel_numbers(void **unused) {
  (void)unused;
  static const struct ts_slot slot = {.bytes = 1, .bits = 8};
  static const struct ts_channel channel[3] = {{.given_least = 2, .given_most = 3},
                                               {.given_most = 0},
                                               {.given_least = 3, .given_most = 5}};
  static const struct ts_notes notes = {.n_channels = 3, .channel = channel};
  const struct ts_shape shape = {.n_slots = 1, .slot = &slot, .notes = &notes};
  for (uint8_t kind = 0; kind < 8; kind++) {
    const bool there[3] = {kind == 2 || kind == 3, true, kind >= 3 && kind <= 5};
    int64_t number = 0;
    for (uint32_t i = 0; i < 3; i++)
      if (there[i])
        assert_int_equal(ts_channel_numbered(&shape, ++number, &kind), i);
    assert_int_equal(ts_channel_numbered(&shape, number + 1, &kind), TS_NONE);
    assert_int_equal(ts_channel_numbered(&shape, 0, &kind), TS_NONE);
  }
}

static void test_values(void **unused) {
  (void)unused;
  const uint8_t state[8] = {0xFF, 0x80, 0xFE, 0xFF, 0xFF, 0xFF, 0x7F, 0x01};
  struct ts_slot slot = {.offset = 0, .bytes = 1};
  assert_int_equal(ts_value(&slot, state), 255);
  slot.is_signed = true;
  assert_int_equal(ts_value(&slot, state), -1);
  slot = (struct ts_slot){.offset = 0, .bytes = 2};
  assert_int_equal(ts_value(&slot, state), 0x80FF);
  slot.is_signed = true;
  assert_int_equal(ts_value(&slot, state), (int16_t)0x80FF);
  slot = (struct ts_slot){.offset = 2, .bytes = 4};
  assert_int_equal(ts_value(&slot, state), 0xFFFFFFFEll);
  slot.is_signed = true;
  assert_int_equal(ts_value(&slot, state), -2);
  slot.offset = 4;
  assert_int_equal(ts_value(&slot, state), 0x017FFFFF);
}

static void test_fire(void **unused) {
  (void)unused;
  struct ts_shape shape = shape_of(HONEST);
  struct model model = {.lie = HONEST};
  struct ts ts = {.shape = &shape, .code = &code, .self = &model};
  _Alignas(8) uint8_t state[8] = {0}, row[8];
  struct ts_edge edge;
  assert_false(ts_fire(&ts, state, 6, (struct ts_event){1, 0}, &edge, row));
  assert_false(ts_fire(&ts, state, 6, (struct ts_event){4, 0}, &edge, row));
  assert_false(ts_fire(&ts, state, 6, (struct ts_event){0, 1}, &edge, row));
  assert_true(ts_fire(&ts, state, 6, (struct ts_event){2, 0}, &edge, row));
  assert_int_equal(get(row, L), 1);
  assert_true(ts_fire(&ts, row, 6, (struct ts_event){3, 1}, &edge, state));
  assert_int_equal(get(state, C), 1);
  assert_int_equal(edge.event.choice, 1);
}

static void test_list_grows(void **unused) {
  (void)unused;
  struct budget *budget = budget_open(0);
  uint64_t before = budget_used_all(budget);
  struct ts_shape shape = shape_of(HONEST);
  struct model model = {.lie = HONEST};
  struct ts ts = {.shape = &shape, .code = &code, .self = &model};
  struct list list;
  assert_true(list_open(&list, &shape, 1, budget));
  _Alignas(8) uint8_t state[8] = {3, 0, 0, 0, 0, 1};
  assert_true(list_fill(&list, &ts, &code, state, 6, NULL));
  assert_int_equal(list.batch.n, 4);
  for (uint32_t i = 0; i < 4; i++) {
    _Alignas(8) uint8_t row[8];
    struct ts_edge edge;
    assert_true(ts_fire(&ts, state, 6, list.batch.edge[i].event, &edge, row));
    assert_memory_equal(row, list_row(&list, i), 8);
  }
  list_free(&list);
  assert_int_equal(budget_used_all(budget), before);
  budget_close(budget);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_fire),
      cmocka_unit_test(test_list_grows),
      cmocka_unit_test(test_honest_model_passes),
      cmocka_unit_test(test_every_lie_is_caught),
      cmocka_unit_test(test_read_set_of_disabled_action),
      cmocka_unit_test(test_check_without_memory),
      cmocka_unit_test(test_check_tells_untested),
      cmocka_unit_test(test_slots_that_change_together),
      cmocka_unit_test(test_given_range),
      cmocka_unit_test(test_channel_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
