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

/* The lowest n bits of a word, of which n may be any number. */
static uint64_t lowest(int64_t n) {
  return n <= 0 ? 0 : bits_lowest(n < 64 ? (uint32_t)n : 64);
}

static void add_bits(struct values *s, int64_t low, int64_t high) {
  for (int64_t w = 0; w < VALUES_WORDS; w++) {
    const int64_t first = VALUES_FIRST + 64 * w;
    s->bit[w] |= lowest(high + 1 - first) & ~lowest(low - first);
  }
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
  struct values s = {.low = v, .high = v};
  if (has_bit(v))
    bits_set(s.bit, (uint64_t)(v - VALUES_FIRST));
  return s;
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

static struct values values_without(const struct values *s, int32_t v) {
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

/* ---- operators ---------------------------------------------------------------------------
 *
 * Sums, cuts and conditions are done on words of bits, not value by value: that halved the
 * analysis of models with much arithmetic.
 */

static void add_one(struct values *s, int32_t v) {
  if (values_is_none(s)) {
    *s = values_one(v);
    return;
  }
  s->low = v < s->low ? v : s->low;
  s->high = v > s->high ? v : s->high;
  if (has_bit(v))
    bits_set(s->bit, (uint64_t)(v - VALUES_FIRST));
}

/* Word w of bits that lie `by` higher. */
static uint64_t moved_word(const uint64_t *bit, int64_t w, int64_t by) {
  const int64_t from = 64 * w - by; /* where its lowest bit was */
  const int64_t first = from >= 0 ? from / 64 : (from - 63) / 64;
  const uint32_t rest = (uint32_t)(from - 64 * first);
  uint64_t word = first >= 0 && first < VALUES_WORDS ? bit[first] >> rest : 0;
  if (rest > 0 && first + 1 >= 0 && first + 1 < VALUES_WORDS)
    word |= bit[first + 1] << (64 - rest);
  return word;
}

/* Each value plus `by`; there are some, and none is too large then. */
static struct values moved(const struct values *s, int64_t by) {
  struct values to = {.low = (int32_t)(s->low + by), .high = (int32_t)(s->high + by)};
  if (by == 0)
    return *s;
  for (int64_t w = 0; w < VALUES_WORDS; w++)
    to.bit[w] = moved_word(s->bit, w, by);
  if (s->low < VALUES_FIRST)
    add_bits(&to, s->low + by, (s->high < VALUES_FIRST ? s->high : VALUES_FIRST - 1) + by);
  if (s->high > VALUES_LAST)
    add_bits(&to, (s->low > VALUES_LAST ? s->low : VALUES_LAST + 1) + by, s->high + by);
  return to;
}

struct values values_cut(const struct values *s, const struct ir_type *type) {
  const struct ir_range r = ir_type_range(type);
  if (values_is_none(s) || (s->low >= r.low && s->high <= r.high))
    return *s;
  if (values_count(s) > VALUES_PAIRS)
    return values_of_type(type);
  const int64_t width = (int64_t)r.high - r.low + 1;
  struct values cut = values_none();
  for (int64_t low = s->low - (((int64_t)s->low - r.low) % width + width) % width;
       low <= s->high; low += width) {
    const struct values part = values_within(s, low, low + width - 1);
    const struct values one = values_is_none(&part) ? part : moved(&part, r.low - low);
    values_unite(&cut, &one);
  }
  return cut;
}

struct values values_related(enum ir_expr_kind kind, const struct values *values,
                             const struct values *other) {
  switch (kind) {
  case IR_LT:
    return values_within(values, INT32_MIN, (int64_t)other->high - 1);
  case IR_LE:
    return values_within(values, INT32_MIN, other->high);
  case IR_GT:
    return values_within(values, (int64_t)other->low + 1, INT32_MAX);
  case IR_GE:
    return values_within(values, other->low, INT32_MAX);
  case IR_EQ:
    return values_both(values, other);
  default:
    return other->low == other->high ? values_without(values, other->low) : *values;
  }
}

static bool may_be_other(const struct values *s) {
  return s->low != 0 || s->high != 0;
}

/* Whether a condition may hold. */
static bool may_hold(enum ir_expr_kind kind, const struct values *a, const struct values *b) {
  struct values both;
  switch (kind) {
  case IR_LT:
    return a->low < b->high;
  case IR_LE:
    return a->low <= b->high;
  case IR_GT:
    return a->high > b->low;
  case IR_GE:
    return a->high >= b->low;
  case IR_EQ:
    both = values_both(a, b);
    return !values_is_none(&both);
  case IR_NE:
    return a->low != a->high || b->low != b->high || a->low != b->low;
  case IR_AND:
    return may_be_other(a) && may_be_other(b);
  case IR_OR:
    return may_be_other(a) || may_be_other(b);
  default:
    return values_have(a, 0) || may_be_other(b);
  }
}

/* Whether it may not. */
static bool may_fail(enum ir_expr_kind kind, const struct values *a, const struct values *b) {
  switch (kind) {
  case IR_LT:
    return may_hold(IR_GE, a, b);
  case IR_LE:
    return may_hold(IR_GT, a, b);
  case IR_GT:
    return may_hold(IR_LE, a, b);
  case IR_GE:
    return may_hold(IR_LT, a, b);
  case IR_EQ:
    return may_hold(IR_NE, a, b);
  case IR_NE:
    return may_hold(IR_EQ, a, b);
  case IR_AND:
    return values_have(a, 0) || values_have(b, 0);
  case IR_OR:
    return values_have(a, 0) && values_have(b, 0);
  default:
    return may_be_other(a) && values_have(b, 0);
  }
}

/* a + b, or a - b: one of them is moved by each value of the other one. False: some may be too
 * large. */
static bool sums(enum ir_expr_kind kind, const struct values *a, const struct values *b,
                 struct values *all) {
  const bool is_turned = kind == IR_ADD && values_count(a) < values_count(b);
  const struct values *moves = is_turned ? a : b, *s = is_turned ? b : a;
  const int64_t low = kind == IR_ADD ? (int64_t)a->low + b->low : (int64_t)a->low - b->high;
  const int64_t high = kind == IR_ADD ? (int64_t)a->high + b->high : (int64_t)a->high - b->low;
  if (low < INT32_MIN || high > INT32_MAX)
    return false;
  *all = values_none();
  for (int64_t by = INT64_MIN; values_next(moves, &by);) {
    const struct values one = moved(s, kind == IR_ADD ? by : -by);
    values_unite(all, &one);
  }
  return true;
}

static struct values by_pairs(enum ir_expr_kind kind, const struct values *a,
                              const struct values *b) {
  struct values all = values_none();
  if ((kind == IR_ADD || kind == IR_SUB) && sums(kind, a, b, &all))
    return all;
  int32_t second[VALUES_PAIRS], value;
  uint32_t n = 0;
  for (int64_t y = INT64_MIN; values_next(b, &y);)
    second[n++] = (int32_t)y;
  for (int64_t x = INT64_MIN; values_next(a, &x);)
    for (uint32_t i = 0; i < n; i++)
      if (ir_fold(kind, (int32_t)x, second[i], &value))
        add_one(&all, value);
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
  if ((kind >= IR_LT && kind <= IR_NE) || (kind >= IR_AND && kind <= IR_IMPLY))
    return values_between(!may_fail(kind, a, b), may_hold(kind, a, b));
  if (values_count(a) <= VALUES_PAIRS && values_count(b) <= VALUES_PAIRS &&
      values_count(a) * values_count(b) <= VALUES_PAIRS)
    return by_pairs(kind, a, b);
  const struct ir_range r = ir_range_of_operator(kind, (struct ir_range){a->low, a->high},
                                                 (struct ir_range){b->low, b->high});
  return values_between(r.low, r.high);
}
