/* test_curve.c - what a store is said to take for more states than it has. */
#include "search/move/curve.h"
#include "store/index/index.h"

#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

/* A store of which the test says how it grows. */
struct store {
  uint64_t states;
  double entry; /* bytes in an index that has one for each state */
  double rest, power;
  const struct index *index; /* or this one */
};

static double index_at(const struct store *s, uint64_t states) {
  return s->index == NULL ? s->entry * (double)states
                          : (double)index_bytes_for(s->index, states);
}

static double at(const struct store *s, uint64_t states) {
  return index_at(s, states) + s->rest * pow((double)states, s->power);
}

static void grown(const struct store *s, struct store_usage *usage) {
  *usage = (struct store_usage){.states = s->states,
                                .bytes = (uint64_t)at(s, s->states),
                                .index_bytes = (uint64_t)index_at(s, s->states),
                                .index = s->index};
}

static const struct store_kind plain = {.usage = grown},
                               indexed = {.usage = grown, .has = STORE_GETS};

/* Of a store that grows like this, for that many states, after at most `seen` of them. */
static struct curve_end look(const struct store_kind *kind, struct store s, uint64_t states,
                             uint64_t seen, struct curve *c) {
  curve_begin(c, kind, states);
  while (curve_next(c) <= seen) {
    s.states = curve_next(c);
    curve_look(c, kind, &s);
  }
  return curve_extend(c);
}

static void assert_near(double a, double b, double share) {
  if (!(fabs(a / b - 1) <= share))
    fail_msg("%g is not near %g", a, b);
}

static void test_all_seen(void **state) {
  const struct store s = {.entry = 9, .rest = 100, .power = 0.3};
  struct curve c;
  (void)state;
  struct curve_end end = look(&plain, s, 123457, UINT64_MAX - 1, &c);
  assert_int_equal(curve_seen(&c), 123457);
  assert_int_equal((uint64_t)end.likely, (uint64_t)at(&s, 123457));
  assert_true(end.least == end.likely && end.most == end.likely);
  assert_true(curve_next(&c) == STORE_NONE);
}

static void test_part_seen(void **state) {
  static struct index index;
  static const struct {
    const struct store_kind *kind;
    struct store store;
    double share; /* that it may be off */
  } of[] = {{&plain, {.rest = 300, .power = 0.5}, 0.01},
            {&plain, {.rest = 12, .power = 1}, 0.01},
            {&indexed, {.entry = 4, .rest = 40, .power = 0.6}, 0.02},
            {&indexed, {.entry = 4, .rest = 3, .power = 0.95}, 0.1},
            {&indexed, {.index = &index, .rest = 20, .power = 1}, 0.01},
            {&indexed, {.index = &index, .rest = 70, .power = 0.8}, 0.02}};
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  struct curve c;
  (void)state;
  assert_true(index_open(&index, budget, BUDGET_STORE, false));
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    const struct curve_end end = look(of[i].kind, of[i].store, 1 << 20, 1 << 17, &c);
    assert_int_equal(curve_seen(&c), 1 << 17);
    assert_near(end.likely, at(&of[i].store, 1 << 20), of[i].share);
    assert_true(end.least < end.likely && end.likely < end.most);
    assert_near(end.most / end.likely, end.likely / end.least, 0.001);
    const struct curve_end later = look(of[i].kind, of[i].store, 1 << 20, 1 << 19, &c);
    assert_true(later.most / later.least < end.most / end.least);
  }
  index_close(&index);
  budget_close(budget);
}

static void test_too_few(void **state) {
  const struct store s = {.rest = 1, .power = 1};
  struct curve c;
  (void)state;
  curve_begin(&c, &plain, 1000);
  assert_int_equal(curve_seen(&c), 0);
  look(&plain, s, 1 << 20, 200, &c);
  assert_int_equal(curve_seen(&c), 0);
  look(&plain, s, UINT64_C(1) << 60, 1 << 10, &c);
  assert_int_equal(curve_seen(&c), 1 << 10);
}

/* The index is as large as it was said to be, at each moment before. */
static void test_index(void **state) {
  enum { MOST = 700000, EVERY = 50000 };
  uint64_t said[MOST / EVERY], random = 1;
  (void)state;
  for (int tight = 0; tight < 2; tight++) {
    struct budget *budget = budget_open(UINT64_C(1) << 30);
    struct index index;
    assert_true(index_open(&index, budget, BUDGET_STORE, false));
    index.tight = tight != 0;
    for (uint64_t i = 0; i < MOST; i++) {
      if (i == 1 || i == 100000)
        for (uint64_t k = 0; k < MOST / EVERY; k++)
          said[k] = index_bytes_for(&index, (k + 1) * EVERY);
      assert_true(index_insert(&index, bits_next_random(&random), i));
      const uint64_t then = said[i / EVERY];
      if ((i + 1) % EVERY == 0 && i > 100000)
        assert_near((double)then, (double)index_reserved(&index), 0.02);
    }
    assert_int_equal(index_bytes_for(&index, 1), index_bytes_for(&index, MOST));
    index_close(&index);
    budget_close(budget);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_seen), cmocka_unit_test(test_part_seen),
      cmocka_unit_test(test_too_few), cmocka_unit_test(test_index)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
