/* values.c - sets of values: exact for few, an interval for many. */
#include "ir/values.h"

#include "base/bits.h"

/* So many pairs of operands are worked out one by one. */
#define VALUES_PAIRS 4096u

enum { VALUES_LAST = VALUES_FIRST + VALUES_BITS - 1 };

static bool has_bit(int64_t v) {
  return v >= VALUES_FIRST && v <= VALUES_LAST;
}

struct values values_none(void) {
  return (struct values){.low = 1, .high = 0};
}

static void add_bits(struct values *s, int64_t low, int64_t high) {
  low = low < VALUES_FIRST ? VALUES_FIRST : low;
  high = high > VALUES_LAST ? VALUES_LAST : high;
  for (int64_t v = low; v <= high; v++)
    bits_set(s->bit, (uint64_t)(v - VALUES_FIRST));
}

struct values values_between(int64_t low, int64_t high) {
  struct values s = values_none();
  low = low < INT32_MIN ? INT32_MIN : low;
  high = high > INT32_MAX ? INT32_MAX : high;
  if (low > high)
    return s;
  s.low = (int32_t)low;
  s.high = (int32_t)high;
  add_bits(&s, low, high);
  return s;
}

struct values values_one(int32_t v) {
  return values_between(v, v);
}

struct values values_of_type(const struct ir_type *type) {
  const struct ir_range r = ir_type_range(type);
  return values_between(r.low, r.high);
}

bool values_have(const struct values *s, int32_t v) {
  return v >= s->low && v <= s->high &&
         (!has_bit(v) || bits_test(s->bit, (uint64_t)(v - VALUES_FIRST)));
}

uint64_t values_count(const struct values *s) {
  if (values_is_none(s))
    return 0;
  uint64_t n = 0;
  for (uint32_t i = 0; i < VALUES_WORDS; i++)
    n += bits_count(s->bit[i]);
  if (s->low < VALUES_FIRST)
    n +=
        (uint64_t)((s->high < VALUES_FIRST ? s->high : VALUES_FIRST - 1) - (int64_t)s->low + 1);
  if (s->high > VALUES_LAST)
    n += (uint64_t)(s->high - (int64_t)(s->low > VALUES_LAST ? s->low : VALUES_LAST + 1) + 1);
  return n;
}

bool values_next(const struct values *s, int64_t *at) {
  int64_t v = *at < s->low ? s->low : *at + 1;
  while (v <= s->high && has_bit(v)) {
    const uint64_t i = (uint64_t)(v - VALUES_FIRST);
    const uint64_t rest = s->bit[i / 64] >> (i % 64);
    if (rest != 0) {
      *at = v + __builtin_ctzll(rest);
      return true;
    }
    v += 64 - (int64_t)(i % 64);
  }
  *at = v;
  return v <= s->high;
}

/* The bounds follow from the bits where the outermost values have one. */
static void tighten(struct values *s) {
  int64_t first = (int64_t)s->low - 1;
  if (values_is_none(s))
    return;
  if (!values_next(s, &first)) {
    *s = values_none();
    return;
  }
  s->low = (int32_t)first;
  while (has_bit(s->high) && !values_have(s, s->high))
    s->high--;
}

bool values_unite(struct values *s, const struct values *more) {
  const struct values before = *s;
  if (values_is_none(more))
    return false;
  if (values_is_none(s)) {
    *s = *more;
    return true;
  }
  bool grows = more->low < s->low || more->high > s->high;
  s->low = more->low < s->low ? more->low : s->low;
  s->high = more->high > s->high ? more->high : s->high;
  for (uint32_t i = 0; i < VALUES_WORDS; i++) {
    s->bit[i] |= more->bit[i];
    grows |= s->bit[i] != before.bit[i];
  }
  return grows;
}

struct values values_both(const struct values *a, const struct values *b) {
  struct values s = *a;
  s.low = a->low > b->low ? a->low : b->low;
  s.high = a->high < b->high ? a->high : b->high;
  if (values_is_none(&s))
    return values_none();
  for (uint32_t i = 0; i < VALUES_WORDS; i++)
    s.bit[i] = a->bit[i] & b->bit[i];
  tighten(&s);
  return s;
}

struct values values_within(const struct values *s, int64_t low, int64_t high) {
  const struct values part = values_between(low, high);
  return values_both(s, &part);
}

struct values values_without(const struct values *s, int32_t v) {
  struct values rest = *s;
  if (!values_have(s, v))
    return rest;
  if (has_bit(v))
    bits_clear(rest.bit, (uint64_t)(v - VALUES_FIRST));
  else if (v == s->low && v == s->high)
    return values_none();
  else if (v == s->low)
    rest.low++;
  else if (v == s->high)
    rest.high--;
  tighten(&rest);
  return rest;
}

int32_t values_cut_one(int32_t v, const struct ir_type *type) {
  return type == NULL ? v : ir_cut(v, type->bits, type->is_signed);
}

struct values values_cut(const struct values *s, const struct ir_type *type) {
  const struct ir_range r = ir_type_range(type);
  if (values_is_none(s) || (s->low >= r.low && s->high <= r.high))
    return *s;
  if (values_count(s) > VALUES_PAIRS)
    return values_of_type(type);
  struct values cut = values_none();
  for (int64_t v = INT64_MIN; values_next(s, &v);) {
    const struct values one = values_one(values_cut_one((int32_t)v, type));
    values_unite(&cut, &one);
  }
  return cut;
}

/* Conditions are 0 or 1: both are found soon, and the rest of the pairs says nothing more. That
 * took half of the time before the search of models with many conditions. */
static struct values by_pairs(enum ir_expr_kind kind, const struct values *a,
                              const struct values *b) {
  const bool is_truth =
      (kind >= IR_LT && kind <= IR_NE) || (kind >= IR_AND && kind <= IR_IMPLY);
  struct values all = values_none();
  for (int64_t x = INT64_MIN; values_next(a, &x);)
    for (int64_t y = INT64_MIN; values_next(b, &y);) {
      int32_t value;
      if (!ir_fold(kind, (int32_t)x, (int32_t)y, &value) || values_have(&all, value))
        continue;
      const struct values one = values_one(value);
      values_unite(&all, &one);
      if (is_truth && all.low != all.high)
        return all;
    }
  return all;
}

struct values values_of_operator(enum ir_expr_kind kind, const struct values *a,
                                 const struct values *b) {
  /* The second operand is not looked at where the first one decides. */
  if (kind == IR_AND || kind == IR_OR || kind == IR_IMPLY)
    if (values_is_none(b) || values_is_none(a))
      return values_between(0, 1);
  if (values_is_none(a) || values_is_none(b))
    return values_none();
  if (values_count(a) <= VALUES_PAIRS && values_count(b) <= VALUES_PAIRS &&
      values_count(a) * values_count(b) <= VALUES_PAIRS)
    return by_pairs(kind, a, b);
  const struct ir_range r = ir_range_of_operator(kind, (struct ir_range){a->low, a->high},
                                                 (struct ir_range){b->low, b->high});
  return values_between(r.low, r.high);
}
