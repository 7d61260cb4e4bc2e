/* range.c - the values an expression can have, from types alone.
 *
 * Interval arithmetic without any knowledge of the program's runs. It serves two
 * ends: checks that cannot fail are left out of the generated code, and
 * arithmetic that cannot leave 32 bits is printed plainly. Expressions are
 * looked at only RANGE_DEPTH levels deep, so that asking at every node of a long
 * expression stays linear; what is deeper may be anything.
 */
#include "ir/ir.h"

#define RANGE_DEPTH 24

struct wide { /* exact bounds, before wrapping */
  int64_t low, high;
};

static const struct ir_range everything = {INT32_MIN, INT32_MAX};

static struct ir_range range_at(const struct ir_expr *, uint32_t depth);

struct ir_range ir_type_range(const struct ir_type *type) {
  if (!type)
    return everything;
  if (type->is_signed)
    return (struct ir_range){(int32_t) - (INT64_C(1) << (type->bits - 1)),
                             (int32_t)((INT64_C(1) << (type->bits - 1)) - 1)};
  if (type->bits >= 32)
    return everything;
  return (struct ir_range){0, (int32_t)((INT64_C(1) << type->bits) - 1)};
}

int32_t ir_cut(int32_t value, uint32_t bits, bool is_signed) {
  if (bits >= 32)
    return value;
  const uint32_t mask = (1u << bits) - 1, kept = (uint32_t)value & mask;
  const bool negative = is_signed && bits > 0 && (kept >> (bits - 1)) != 0;
  return (int32_t)(negative ? kept | ~mask : kept);
}

static struct wide wide_of_four(int64_t a, int64_t b, int64_t c, int64_t d) {
  struct wide w = {a, a};
  const int64_t at[3] = {b, c, d};
  for (int i = 0; i < 3; i++) {
    w.low = at[i] < w.low ? at[i] : w.low;
    w.high = at[i] > w.high ? at[i] : w.high;
  }
  return w;
}

static int64_t magnitude(struct ir_range r) {
  int64_t low = r.low < 0 ? -(int64_t)r.low : r.low;
  int64_t high = r.high < 0 ? -(int64_t)r.high : r.high;
  return low > high ? low : high;
}

/* Quotients are between those by the divisors nearest to zero. */
static struct wide divide(struct ir_range a, struct ir_range b) {
  if (b.low > 0 || b.high < 0)
    return wide_of_four((int64_t)a.low / b.low, (int64_t)a.low / b.high,
                        (int64_t)a.high / b.low, (int64_t)a.high / b.high);
  return (struct wide){-magnitude(a), magnitude(a)};
}

/* The remainder has the sign of the dividend and is smaller than the divisor. */
static struct wide remainder_of(struct ir_range a, struct ir_range b) {
  int64_t most = magnitude(b) - 1;
  if (most < 0)
    most = 0;
  if (magnitude(a) < most)
    most = magnitude(a);
  return (struct wide){a.low < 0 ? -most : 0, a.high > 0 ? most : 0};
}

static struct wide shift(enum ir_expr_kind kind, struct ir_range a, struct ir_range b) {
  int32_t low = b.low < 0 ? 0 : b.low > 31 ? 31 : b.low;
  int32_t high = b.high < 0 ? 0 : b.high > 31 ? 31 : b.high;
  int64_t l = INT64_C(1) << low, h = INT64_C(1) << high;
  if (kind == IR_SHL)
    return wide_of_four(a.low * l, a.low * h, a.high * l, a.high * h);
  return wide_of_four(a.low >> low, a.low >> high, a.high >> low, a.high >> high);
}

/* For single values, and operands that are not negative; else nothing is known. */
static struct wide bitwise(enum ir_expr_kind kind, struct ir_range a, struct ir_range b) {
  if (a.low == a.high && b.low == b.high) {
    int32_t exact = kind == IR_BAND  ? a.low & b.low
                    : kind == IR_BOR ? a.low | b.low
                                     : a.low ^ b.low;
    return (struct wide){exact, exact};
  }
  if (kind == IR_BAND && (a.low >= 0 || b.low >= 0)) {
    int64_t most = a.low < 0 ? b.high : b.low < 0 ? a.high : a.high < b.high ? a.high : b.high;
    return (struct wide){0, most};
  }
  if (a.low < 0 || b.low < 0)
    return (struct wide){INT32_MIN, INT32_MAX};
  int64_t bits = 1;
  while (bits <= a.high || bits <= b.high)
    bits *= 2;
  return (struct wide){0, bits - 1};
}

/* 1: true for all values, 0: for none, -1: depends. */
static int compare(enum ir_expr_kind kind, struct ir_range a, struct ir_range b) {
  switch (kind) {
  case IR_LT:
    return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
  case IR_LE:
    return a.high <= b.low ? 1 : a.low > b.high ? 0 : -1;
  case IR_GT:
    return compare(IR_LT, b, a);
  case IR_GE:
    return compare(IR_LE, b, a);
  case IR_EQ:
    if (a.low == a.high && b.low == b.high && a.low == b.low)
      return 1;
    return a.high < b.low || b.high < a.low ? 0 : -1;
  default: { /* IR_NE */
    int equal = compare(IR_EQ, a, b);
    return equal < 0 ? -1 : !equal;
  }
  }
}

static struct wide truth(int known) {
  return (struct wide){known == 1, known != 0};
}

static int truth_of(struct ir_range r) {
  return r.low > 0 || r.high < 0 ? 1 : r.low == 0 && r.high == 0 ? 0 : -1;
}

static struct wide logic(enum ir_expr_kind kind, int a, int b) {
  if (kind == IR_IMPLY)
    a = a < 0 ? a : !a;
  if (kind == IR_AND)
    return truth(a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : -1);
  return truth(a == 1 || b == 1 ? 1 : a == 0 && b == 0 ? 0 : -1);
}

static struct wide unary(enum ir_expr_kind kind, struct ir_range a) {
  if (kind == IR_NEG)
    return (struct wide){-(int64_t)a.high, -(int64_t)a.low};
  if (kind == IR_CPL)
    return (struct wide){~(int64_t)a.high, ~(int64_t)a.low};
  int t = truth_of(a);
  return truth(t < 0 ? t : !t);
}

static struct wide binary(enum ir_expr_kind kind, struct ir_range a, struct ir_range b) {
  switch (kind) {
  case IR_MUL:
    return wide_of_four((int64_t)a.low * b.low, (int64_t)a.low * b.high,
                        (int64_t)a.high * b.low, (int64_t)a.high * b.high);
  case IR_DIV:
    return divide(a, b);
  case IR_MOD:
    return remainder_of(a, b);
  case IR_ADD:
    return (struct wide){(int64_t)a.low + b.low, (int64_t)a.high + b.high};
  case IR_SUB:
    return (struct wide){(int64_t)a.low - b.high, (int64_t)a.high - b.low};
  case IR_SHL:
  case IR_SHR:
    return shift(kind, a, b);
  case IR_BAND:
  case IR_BXOR:
  case IR_BOR:
    return bitwise(kind, a, b);
  case IR_AND:
  case IR_OR:
  case IR_IMPLY:
    return logic(kind, truth_of(a), truth_of(b));
  default:
    return truth(compare(kind, a, b));
  }
}

/* The smallest and largest entry of a constant table. */
static struct wide table_range(const struct ir_variable *v) {
  struct wide w = {0, 0};
  for (uint32_t i = 0; v->initial && i < v->length; i++) {
    if (i == 0 || v->initial[i] < w.low)
      w.low = v->initial[i];
    if (i == 0 || v->initial[i] > w.high)
      w.high = v->initial[i];
  }
  return w;
}

static struct wide wide_at(const struct ir_expr *e, uint32_t depth) {
  struct ir_range r, other;
  switch (e->kind) {
  case IR_CONST:
    return (struct wide){e->value, e->value};
  case IR_VARIABLE:
  case IR_ELEMENT:
    if (e->variable->is_const && e->variable->length <= RANGE_DEPTH)
      return table_range(e->variable);
    r = ir_type_range(e->variable->type);
    return (struct wide){r.low, r.high};
  case IR_COUNT:
    return (struct wide){0,
                         e->channel->capacity > INT32_MAX ? INT32_MAX : e->channel->capacity};
  case IR_CHECKED:
    r = range_at(e->a, depth + 1);
    if (r.low >= e->value || r.high < 0)
      return (struct wide){0, e->value - 1}; /* never gets that far */
    return (struct wide){r.low < 0 ? 0 : r.low, r.high >= e->value ? e->value - 1 : r.high};
  case IR_EXCLUSIVE:
    r = range_at(e->a, depth + 1);
    return (struct wide){r.low, r.high};
  case IR_SELF:
  case IR_LIVE:
  case IR_LAST:
  case IR_NUMBER:
  case IR_PRIORITY:
    return (struct wide){0, 255};
  case IR_FOREIGN:
    return wide_at(e->b, depth);
  case IR_PLACE:
  case IR_LENGTH:
  case IR_ROOM:
    return (struct wide){0, 1 << 24};
  case IR_AT:
  case IR_LOCATED:
  case IR_ENABLED:
  case IR_STUCK:
  case IR_NONPROGRESS:
  case IR_ACCEPTED:
  case IR_POLL:
  case IR_ELSE:
  case IR_TIMEOUT:
    return (struct wide){0, 1};
  case IR_MATCH:
  case IR_DROP:
  case IR_C_EXPR:
    return (struct wide){INT32_MIN, INT32_MAX};
  case IR_NOT:
  case IR_NEG:
  case IR_CPL:
    return unary(e->kind, range_at(e->a, depth + 1));
  case IR_COND:
    r = range_at(e->b, depth + 1);
    other = range_at(e->c, depth + 1);
    return wide_of_four(r.low, r.high, other.low, other.high);
  default:
    return binary(e->kind, range_at(e->a, depth + 1), range_at(e->b, depth + 1));
  }
}

static bool fits(struct wide w) {
  return w.low >= INT32_MIN && w.high <= INT32_MAX;
}

static struct ir_range range_at(const struct ir_expr *e, uint32_t depth) {
  if (depth > RANGE_DEPTH)
    return everything;
  struct wide w = wide_at(e, depth);
  return fits(w) ? (struct ir_range){(int32_t)w.low, (int32_t)w.high} : everything;
}

struct ir_range ir_range_of_operator(enum ir_expr_kind kind, struct ir_range a,
                                     struct ir_range b) {
  const struct wide w = kind <= IR_CPL ? unary(kind, a) : binary(kind, a, b);
  return fits(w) ? (struct ir_range){(int32_t)w.low, (int32_t)w.high} : everything;
}

struct ir_range ir_range(const struct ir_expr *e) {
  return range_at(e, 0);
}

bool ir_wraps(const struct ir_expr *e) {
  return !fits(wide_at(e, 0));
}
