/* values.h - sets of the values that something may have. Private to this folder.
 *
 * The values from -32 to 223 have a bit each, so that a mark like 200 or -1 beside small
 * numbers does not fill what lies between; of the others a set has all from `low` to `high`.
 */
#ifndef CAIRN_IR_VALUES_H
#define CAIRN_IR_VALUES_H

#include "ir/ir.h"

enum { VALUES_FIRST = -32, VALUES_BITS = 256, VALUES_WORDS = VALUES_BITS / 64 };

struct values { /* low > high: none */
  int32_t low, high;
  uint64_t bit[VALUES_WORDS]; /* those outside of low to high are 0 */
};

struct values values_none(void);
struct values values_one(int32_t);
struct values values_between(int64_t low, int64_t high);
struct values values_of_type(const struct ir_type *);

static inline bool values_is_none(const struct values *s) {
  return s->low > s->high;
}

bool values_have(const struct values *, int32_t);
uint64_t values_count(const struct values *);
/* The least one that is more than *at; false: there is none. */
bool values_next(const struct values *, int64_t *at);

/* Adds all of another set; whether that had any new. */
bool values_unite(struct values *, const struct values *);
struct values values_both(const struct values *, const struct values *);
/* Those from low to high. */
struct values values_within(const struct values *, int64_t low, int64_t high);

/* As they are stored in a variable of this type. */
struct values values_cut(const struct values *, const struct ir_type *);
int32_t values_cut_one(int32_t, const struct ir_type *);
/* Those that can stand in this relation to one of the other set, which has some. */
struct values values_related(enum ir_expr_kind, const struct values *,
                             const struct values *other);
/* What an operator may give; operands for which it has no value give none. */
struct values values_of_operator(enum ir_expr_kind, const struct values *a,
                                 const struct values *b);

#endif
