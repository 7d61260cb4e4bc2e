/* test_values.c - sets of values against each value on its own. */
#include "ir/values.h"

#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROUNDS = 1000, SPAN = 2200 }; /* all values here lie within -SPAN to SPAN */

static int32_t random_from(uint64_t *seed, int32_t low, int32_t high) {
  return low + (int32_t)(bits_next_random(seed) % (uint64_t)(high - low + 1));
}

/* A few values near the bits' bounds and far from them, or an interval. */
static struct values random_set(uint64_t *seed) {
  struct values s = values_none();
  const int32_t reach = random_from(seed, 0, 2) == 0 ? SPAN : random_from(seed, 1, 300);
  const int32_t n = random_from(seed, 0, 5);
  for (int32_t i = 0; i < n; i++) {
    const int32_t low = random_from(seed, -reach / 4, reach);
    const int32_t high = low + random_from(seed, 0, i == 0 ? 20 : 1);
    const struct values more = values_between(low, high < SPAN ? high : SPAN);
    values_unite(&s, &more);
  }
  return s;
}

static void assert_same(const struct values *s, const struct values *t) {
  assert_int_equal(values_is_none(s), values_is_none(t));
  if (values_is_none(s))
    return;
  assert_int_equal(s->low, t->low);
  assert_int_equal(s->high, t->high);
  assert_memory_equal(s->bit, t->bit, sizeof s->bit);
}

static void add(struct values *s, int32_t v) {
  const struct values one = values_between(v, v);
  values_unite(s, &one);
}

static void test_parts(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    const struct values s = random_set(&seed);
    const int32_t low = random_from(&seed, -SPAN, SPAN), high = random_from(&seed, low, SPAN);
    struct values part = values_none();
    uint64_t n = 0;
    for (int32_t v = -SPAN; v <= SPAN; v++) {
      n += values_have(&s, v);
      if (v >= low && v <= high && values_have(&s, v))
        add(&part, v);
    }
    const struct values got = values_within(&s, low, high);
    assert_int_equal(values_count(&s), n);
    for (int32_t v = -SPAN; v <= SPAN; v++)
      assert_int_equal(values_have(&got, v), v >= low && v <= high && values_have(&s, v));
    assert_same(&got, &part);
  }
}

static void test_between(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    const int32_t low = random_from(&seed, -100, 300), high = random_from(&seed, low - 1, 320);
    const struct values s = values_between(low, high);
    for (int32_t v = -130; v <= 330; v++)
      assert_int_equal(values_have(&s, v), v >= low && v <= high);
    assert_int_equal(values_count(&s), high - low + 1);
  }
}

static void test_cut(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    const struct values s = random_set(&seed);
    const struct ir_type type = {.bits = (uint8_t)random_from(&seed, 1, 12),
                                 .is_signed = random_from(&seed, 0, 1) != 0};
    struct values want = values_none();
    for (int64_t v = INT64_MIN; values_next(&s, &v);)
      add(&want, values_cut_one((int32_t)v, &type));
    const struct values got = values_cut(&s, &type);
    if (values_count(&s) <= 4096)
      assert_same(&got, &want);
  }
}

/* What each two values give. */
static struct values by_pairs(enum ir_expr_kind kind, const struct values *a,
                              const struct values *b) {
  struct values all = values_none();
  for (int64_t x = INT64_MIN; values_next(a, &x);)
    for (int64_t y = INT64_MIN; values_next(b, &y);) {
      int32_t value;
      if (ir_fold(kind, (int32_t)x, (int32_t)y, &value))
        add(&all, value);
    }
  return all;
}

static void test_operators(void **state) {
  (void)state;
  uint64_t seed = 4;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    const struct values a = random_set(&seed), b = random_set(&seed);
    const bool is_few = values_count(&a) * values_count(&b) <= 4096;
    if (values_is_none(&a) || values_is_none(&b) || values_count(&a) * values_count(&b) > 20000)
      continue;
    for (enum ir_expr_kind kind = IR_NOT; kind < IR_COND; kind++) {
      const struct values want = by_pairs(kind, &a, &b), got = values_of_operator(kind, &a, &b);
      if (is_few)
        assert_same(&got, &want);
      assert_true(values_is_none(&want) || (got.low <= want.low && got.high >= want.high));
      for (uint32_t i = 0; i < VALUES_WORDS; i++)
        assert_true((want.bit[i] & ~got.bit[i]) == 0);
    }
  }
}

/* Sums that are too large go round. */
static void test_large_sums(void **state) {
  (void)state;
  const struct values a = values_between(INT32_MAX - 3, INT32_MAX), b = values_between(0, 5);
  const struct values c = values_between(INT32_MIN, INT32_MIN + 3);
  const struct values sum = values_of_operator(IR_ADD, &a, &b);
  const struct values less = values_of_operator(IR_SUB, &c, &b);
  struct values want = by_pairs(IR_ADD, &a, &b);
  assert_same(&sum, &want);
  want = by_pairs(IR_SUB, &c, &b);
  assert_same(&less, &want);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parts), cmocka_unit_test(test_between), cmocka_unit_test(test_cut),
      cmocka_unit_test(test_operators), cmocka_unit_test(test_large_sums)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
