/* test_independence.c - the relation, and what tests it and other facts, on a machine of two
 * counters. */
#include "ts/diamond.h"
#include "ts/facts.h"
#include "ts/independence.h"
#include "ts/sets.h"

#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

/* Two bytes. Action 0 adds one to the first below 2, action 1 to the second; action 2 takes
 * one from the first if the second is not 0. */
static uint32_t initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  (void)ts, (void)which, (void)row;
  return 2;
}

static int32_t successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                          struct ts_event *cursor, const uint64_t *skip, struct ts_batch *out) {
  (void)ts;
  const bool can[3] = {state[0] < 2, state[1]<2, state[0]> 0 && state[1] > 0};
  for (uint32_t a = cursor->action; a < 3; a++) {
    if (!can[a] || (skip != NULL && bits_test(skip, a)))
      continue;
    if (out->n == out->capacity) {
      *cursor = (struct ts_event){a, 0};
      return 1;
    }
    uint8_t *row = out->rows + out->n * out->stride;
    memset(row, 0, out->stride);
    memcpy(row, state, length);
    row[a == 1] = (uint8_t)(row[a == 1] + (a < 2 ? 1 : -1));
    out->edge[out->n++] = (struct ts_edge){.event = {a, 0}, .length = length, .changed = 1};
  }
  return 0;
}

static const struct ts_code code = {
    .abi = TS_ABI, .initial = initial, .successors = successors};
static const struct ts_mover movers[] = {{.text = "x++"}, {.text = "y++"}, {.text = "x--"}};
static const struct ts_action actions[] = {{1, movers}, {1, movers + 1}, {1, movers + 2}};
static const struct ts_slot slots[] = {{.variable = 0, .bytes = 1, .bits = 2},
                                       {.variable = 1, .offset = 1, .bytes = 1, .bits = 2}};
static const struct ts_variable variables[] = {{.name = "x", .n_slots = 1},
                                               {.name = "y", .first_slot = 1, .n_slots = 1}};
static const uint32_t write_start[] = {0, 1, 2, 3}, write_item[] = {0, 1, 0};
static const uint32_t read_start[] = {0, 1, 2, 4}, read_item[] = {0, 1, 0, 1};
static const uint32_t wrong_start[] = {0, 1, 2, 3}, wrong_item[] = {0, 1, 0};

static struct ts_shape shape_of(const uint32_t *start, const uint32_t *item) {
  return (struct ts_shape){.name = "counters",
                           .max_bytes = 2,
                           .fixed_length = true,
                           .n_initial = 1,
                           .n_variables = 2,
                           .n_slots = 2,
                           .n_actions = 3,
                           .most_events = 3,
                           .variable = variables,
                           .slot = slots,
                           .action = actions,
                           .reads = {start, item},
                           .writes = {write_start, write_item}};
}

static void relation(void **unused) {
  (void)unused;
  struct ts_shape shape = shape_of(read_start, read_item);
  struct budget *budget = budget_open(0);
  struct independence *ind = independence_open(&shape, NULL, budget);
  assert_non_null(ind);
  assert_int_equal(*independence_of(ind, 0), 2);
  assert_int_equal(*independence_of(ind, 1), 1);
  assert_int_equal(*independence_of(ind, 2), 0);
  assert_int_equal(*independence_before(ind, 0), 0);
  assert_int_equal(*independence_before(ind, 1), 1);
  independence_close(ind);
  budget_close(budget);
}

enum { MANY = 4000, BUDGET = 64 << 20 };

/* Sets with groups of slots. */
static void groups(void **unused) {
  (void)unused;
  static const struct ts_range group[] = {{0, 4}, {8, 2}, {5, 1}, {9, 3}};
  static const uint32_t group_start[] = {0, 2, 4};
  static const uint32_t read[] = {20, 20, 21, 0, 4}, read_from[] = {0, 1, 2, 3, 4, 5};
  static const uint32_t write[] = {12, 13, 14, 21, 20}, write_from[] = {0, 1, 2, 3, 4, 5};
  struct ts_shape shape = {.n_slots = 20,
                           .n_actions = 5,
                           .n_groups = 2,
                           .group_start = group_start,
                           .group = group,
                           .reads = {read_from, read},
                           .writes = {write_from, write}};
  assert_true(sets_have(&shape, &shape.reads, 0, 3) && sets_have(&shape, &shape.reads, 0, 9));
  assert_false(sets_have(&shape, &shape.reads, 0, 4) || sets_have(&shape, &shape.reads, 0, 10));
  assert_true(sets_groups_meet(&shape, 0, 1));
  struct budget *budget = budget_open(0);
  struct independence *ind = independence_open(&shape, NULL, budget);
  /* 0 and 1 read {0-3, 8-9}, 2 reads {5, 9-11} and writes 14; 3 writes that, reads 0; 4 writes
   * {0-3, 8-9} and reads 4. */
  assert_int_equal(*independence_of(ind, 0), 1u << 1 | 1u << 2);
  assert_int_equal(*independence_of(ind, 2), 1u << 0 | 1u << 1);
  assert_int_equal(*independence_of(ind, 3), 0);
  assert_int_equal(*independence_of(ind, 4), 0);
  assert_int_equal(*independence_before(ind, 2), 1u << 0 | 1u << 1);
  independence_close(ind);
  budget_close(budget);
}

/* No more rows are kept than a part of the budget has room for, and one that made room is the
 * same when it is made again. */
static void few_rows(void **unused) {
  (void)unused;
  static uint32_t item[MANY], start[MANY + 1];
  for (uint32_t a = 0; a < MANY; a++) {
    item[a] = a / 2;
    start[a + 1] = a + 1;
  }
  struct ts_shape shape = {
      .n_slots = MANY / 2, .n_actions = MANY, .reads = {start, item}, .writes = {start, item}};
  struct budget *budget = budget_open(BUDGET);
  struct independence *ind = independence_open(&shape, NULL, budget);
  uint64_t before = budget_used_all(budget), used = 0;
  for (uint32_t round = 0; round < 3; round++)
    for (uint32_t a = 0; a < MANY; a++) {
      const uint64_t *row = independence_of(ind, a);
      for (uint32_t b = a % 61; b < MANY; b += 61)
        assert_int_equal(bits_test(row, b), a / 2 != b / 2);
      assert_false(bits_test(row, a) || bits_test(row, a ^ 1));
      used = budget_used_all(budget) > used ? budget_used_all(budget) : used;
    }
  assert_true(used - before <= BUDGET / 32);
  independence_close(ind);
  budget_close(budget);
}

/* All states under a decorator. */
static void walk_all(struct ts *d) {
  struct ts_edge edge[4];
  uint8_t rows[4 * 8], state[8] = {0};
  assert_non_null(d);
  for (uint32_t s = 0; s < 9; s++) {
    struct ts_batch batch = {.edge = edge, .rows = rows, .stride = 8, .capacity = 4};
    struct ts_event cursor = {0, 0};
    state[0] = (uint8_t)(s / 3);
    state[1] = (uint8_t)(s % 3);
    ts_code(d)->successors(d, state, 2, &cursor, NULL, &batch);
  }
}

static const char *walk(struct ts *ts, struct ts **made, struct budget *budget) {
  *made = ts_diamond_open(ts, budget);
  walk_all(*made);
  return ts_diamond_complaint(*made);
}

static void diamond(void **unused) {
  (void)unused;
  struct ts_shape right = shape_of(read_start, read_item);
  struct ts_shape wrong = shape_of(wrong_start, wrong_item);
  struct budget *budget = budget_open(0);
  struct ts ts = {.shape = &right}, *made;
  atomic_init(&ts.code, &code);
  assert_null(walk(&ts, &made, budget));
  assert_int_equal(ts_diamond_pairs(made), 8);
  ts_diamond_close(made);
  ts.shape = &wrong;
  const char *complaint = walk(&ts, &made, budget);
  assert_non_null(complaint);
  assert_non_null(strstr(complaint, "actions 1 (y++) and 2 (x--)"));
  assert_non_null(strstr(complaint, "not enabled"));
  ts_diamond_close(made);
  budget_close(budget);
}

/* Two actions that only look at the same slot commute, but none is fired before itself. */
static void readers(void **unused) {
  (void)unused;
  static const uint32_t start[] = {0, 1, 2}, item[] = {0, 0}, none[] = {0, 0, 0};
  const struct ts_shape shape = {
      .n_slots = 1, .n_actions = 2, .reads = {start, item}, .writes = {none, item}};
  static const uint32_t rank[] = {1, 0};
  struct budget *budget = budget_open(0);
  for (uint32_t ranked = 0; ranked < 2; ranked++) {
    struct independence *ind = independence_open(&shape, ranked ? rank : NULL, budget);
    assert_int_equal(*independence_of(ind, 0), 1u << 1);
    assert_int_equal(*independence_of(ind, 1), 1u << 0);
    assert_int_equal(*independence_before(ind, 0), ranked ? 1u << 1 : 0);
    assert_int_equal(*independence_before(ind, 1), ranked ? 0 : 1u << 0);
    independence_close(ind);
  }
  budget_close(budget);
}

/* Two actions that only write the same slot do not commute; nor does one that writes a slot
 * with one that reads, or one that writes, a group of slots that has it. */
static void writers(void **unused) {
  (void)unused;
  static const struct ts_range group[] = {{0, 2}, {4, 1}};
  static const uint32_t group_start[] = {0, 2};
  static const uint32_t read[] = {8}, read_from[] = {0, 0, 0, 0, 1, 1};
  static const uint32_t write[] = {4, 4, 2, 5, 8}, write_from[] = {0, 1, 2, 3, 4, 5};
  const struct ts_shape shape = {.n_slots = 8,
                                 .n_actions = 5,
                                 .n_groups = 1,
                                 .group_start = group_start,
                                 .group = group,
                                 .reads = {read_from, read},
                                 .writes = {write_from, write}};
  struct budget *budget = budget_open(0);
  struct independence *ind = independence_open(&shape, NULL, budget);
  /* 0 and 1 write slot 4, 2 slot 2, 3 slot 5; 3 reads the group {0, 1, 4}, and 4 writes it. */
  assert_int_equal(*independence_of(ind, 0), 1u << 2);
  assert_int_equal(*independence_of(ind, 1), 1u << 2);
  assert_int_equal(*independence_of(ind, 2), 1u << 0 | 1u << 1 | 1u << 3 | 1u << 4);
  assert_int_equal(*independence_of(ind, 3), 1u << 2);
  assert_int_equal(*independence_of(ind, 4), 1u << 2);
  independence_close(ind);
  budget_close(budget);
}

/* Without sets nothing is known to be independent. */
static void without_sets(void **unused) {
  (void)unused;
  struct ts_shape shape = shape_of(NULL, NULL);
  struct budget *budget = budget_open(0);
  for (uint32_t both = 0; both < 2; both++) {
    struct independence *ind = independence_open(&shape, NULL, budget);
    assert_non_null(ind);
    for (uint32_t a = 0; a < 3; a++) {
      assert_int_equal(*independence_of(ind, a), 0);
      assert_int_equal(*independence_before(ind, a), 0);
    }
    independence_close(ind);
    shape.writes.start = NULL;
  }
  budget_close(budget);
}

/* Memory runs out when a row of the relation is made: what was not tested is told. */
static void untested(void **unused) {
  (void)unused;
  struct ts_shape shape = shape_of(read_start, read_item);
  struct budget *budget = budget_open(0);
  struct ts ts = {.shape = &shape};
  atomic_init(&ts.code, &code);
  struct ts *d = ts_diamond_open(&ts, budget);
  struct ts_edge edge[4];
  uint8_t rows[4 * 8], state[8] = {0};
  struct ts_batch batch = {.edge = edge, .rows = rows, .stride = 8, .capacity = 4};
  struct ts_event cursor = {0, 0};
  assert_non_null(d);
  budget_fail_after(budget, 1);
  ts_code(d)->successors(d, state, 2, &cursor, NULL, &batch);
  budget_fail_after(budget, 0);
  assert_int_equal(ts_diamond_untested(d), 1);
  cursor = (struct ts_event){0, 0};
  batch.n = 0;
  ts_code(d)->successors(d, state, 2, &cursor, NULL, &batch);
  assert_int_equal(ts_diamond_untested(d), 1);
  assert_null(ts_diamond_complaint(d));
  ts_diamond_close(d);
  budget_close(budget);
}

/* The complaint about one fact, or what is expected of those that hold: they were tested. */
static void doubt(const struct ts_facts *facts, const char *says) {
  struct ts_shape shape = shape_of(read_start, read_item);
  struct budget *budget = budget_open(0);
  struct ts ts = {.shape = &shape};
  shape.facts = facts;
  atomic_init(&ts.code, &code);
  struct ts *d = ts_facts_open(&ts, budget);
  walk_all(d);
  assert_true(ts_facts_tested(d) > 0 && ts_facts_untested(d) == 0);
  if (says == NULL)
    assert_null(ts_facts_complaint(d));
  else
    assert_non_null(strstr(ts_facts_complaint(d), says));
  ts_facts_close(d);
  budget_close(budget);
}

/* The second counter is taken for the location: where it is 0, only itself and the first one
 * can be counted up. */
static void facts(void **unused) {
  (void)unused;
  const struct ts_at always = {TS_NONE, 0, TS_NONE, 0, TS_NONE, 0, false};
  const struct ts_at zero = {1, 0, TS_NONE, 0, TS_NONE, 0, false};
  const struct ts_range first = {0, 1};
  const struct ts_quiet quiet = {zero, 0, 1}, loud = {always, 0, 1}, swapped = {always, 2, 1};
  const struct ts_unread unread = {always, &first, 1};
  doubt(&(struct ts_facts){.quiet = &quiet, .n_quiet = 1}, NULL);
  doubt(&(struct ts_facts){.quiet = &loud, .n_quiet = 1}, "depends on: action 2 (x--)");
  doubt(&(struct ts_facts){.quiet = &swapped, .n_quiet = 1}, "depends on: action 0 (x++)");
  doubt(&(struct ts_facts){.unread = &unread, .n_unread = 1}, "makes a difference to");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relation), cmocka_unit_test(groups),       cmocka_unit_test(few_rows),
      cmocka_unit_test(diamond),  cmocka_unit_test(without_sets), cmocka_unit_test(untested),
      cmocka_unit_test(readers),  cmocka_unit_test(writers),      cmocka_unit_test(facts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
