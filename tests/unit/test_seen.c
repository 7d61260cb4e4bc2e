/* test_seen.c - guards as comparisons say what their terms say. */
#include "search/reduce/seen.h"

#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

enum { SLOTS = 4, BYTES = 8, MOST_TERMS = 32, GUARDS = 2000 };

static const struct ts_slot slots[SLOTS] = {
    {.offset = 0, .bytes = 1, .bits = 8},
    {.offset = 1, .bytes = 1, .bits = 8, .is_signed = true},
    {.offset = 2, .bytes = 2, .bits = 16, .is_signed = true},
    {.offset = 4, .bytes = 4, .bits = 32},
};

static struct ts_term term[MOST_TERMS];
static uint32_t n_terms;
static uint64_t picks = 1;

static uint32_t pick(uint32_t n) {
  return (uint32_t)(bits_next_random(&picks) >> 32) % n;
}

static void add(uint32_t kind, int32_t value, uint32_t length) {
  term[n_terms++] = (struct ts_term){(uint8_t)kind, value, length};
}

static void add_number(uint32_t depth) {
  uint32_t what = depth == 0 ? pick(2) : pick(8);
  if (what == 0) {
    add(TS_TERM_CONST, (int32_t)pick(5) - 2, 0);
  } else if (what == 1) {
    add(TS_TERM_SLOT, (int32_t)pick(SLOTS), 0);
  } else if (what == 2) {
    add_number(depth - 1);
    add(pick(2) ? TS_TERM_NOT : TS_TERM_NEG, 0, 0);
  } else if (what == 3 && pick(4) == 0) {
    add(TS_TERM_SLOT, 0, 0);
    add(TS_TERM_ELEMENT, 1, 3);
  } else {
    add_number(depth - 1);
    add_number(depth - 1);
    add(TS_TERM_ADD + pick(TS_TERM_OR - TS_TERM_ADD + 1), 0, 0);
  }
}

static void fill(uint8_t *row) {
  memset(row, 0, BYTES);
  for (uint32_t i = 0; i < SLOTS; i++)
    ts_write(row + slots[i].offset, slots[i].bytes, i == 0 ? pick(5) : pick(5) - 2);
}

static void test_guards(void **state) {
  (void)state;
  static const uint32_t first_guard[] = {0, 1};
  struct budget *budget = budget_open(16 << 20);
  assert_non_null(budget);
  const uint64_t start = budget_used_all(budget);
  for (uint32_t i = 0; i < GUARDS; i++) {
    uint8_t row[BYTES];
    n_terms = 0;
    add_number(4);
    struct ts_guard guard = {.n_terms = n_terms};
    struct ts_control control = {
        .n_steps = 1, .first_guard = first_guard, .guard = &guard, .term = term};
    struct ts_shape shape = {.n_slots = SLOTS, .slot = slots, .control = &control};
    struct seen seen;
    assert_true(seen_open(&seen, &shape, budget));
    seen.row = row;
    for (uint32_t k = 0; k < 50; k++) {
      fill(row);
      bool holds = ts_guard_holds(&shape, &guard, row);
      assert_int_equal(seen_look(&seen, 0), holds);
    }
    seen_close(&seen);
  }
  assert_int_equal(budget_used_all(budget), start);
  budget_close(budget);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_guards)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
