/* value.c - expressions whose value is known before the model runs.
 *
 * One evaluator for all who follow a process with what they know of it: it works out
 * constants, tables of constants and operators, and asks about the rest.
 */
#include "ir/value.h"

struct ir_value value_known(int32_t at) {
  return (struct ir_value){at, true};
}

struct ir_value value_fitting(struct ir_value v, const struct ir_type *type) {
  struct ir_range r = ir_type_range(type);
  return v.known && v.at >= r.low && v.at <= r.high ? v : ir_unknown;
}

static struct ir_value folded(enum ir_expr_kind kind, int32_t a, int32_t b) {
  int32_t value;
  return ir_fold(kind, a, b, &value) ? value_known(value) : ir_unknown;
}

/* A constant, or an entry of a table of constants. */
static struct ir_value entry(const struct ir_variable *v, struct ir_value index) {
  if (!index.known || index.at < 0 || (uint32_t)index.at >= v->length)
    return ir_unknown;
  return value_known(v->initial ? v->initial[index.at] : 0);
}

struct ir_value value_of(const struct ir_expr *e,
                         struct ir_value (*leaf)(const void *context, const struct ir_expr *),
                         const void *context) {
  if (e->kind == IR_CONST)
    return value_known(e->value);
  if (e->kind == IR_VARIABLE && e->variable->is_const)
    return value_known(e->variable->initial ? e->variable->initial[0] : 0);
  if (e->kind == IR_ELEMENT && e->variable->is_const)
    return entry(e->variable, value_of(e->a, leaf, context));
  if (e->kind == IR_CHECKED) {
    struct ir_value v = value_of(e->a, leaf, context);
    return v.known && v.at >= 0 && v.at < e->value ? v : ir_unknown;
  }
  if (e->kind == IR_EXCLUSIVE)
    return value_of(e->a, leaf, context);
  if (e->kind < IR_NOT || e->kind > IR_COND)
    return leaf(context, e);
  struct ir_value a = value_of(e->a, leaf, context), b;
  if (e->kind == IR_COND)
    return a.known ? value_of(a.at ? e->b : e->c, leaf, context) : ir_unknown;
  if (e->kind <= IR_CPL)
    return a.known ? folded(e->kind, a.at, 0) : ir_unknown;
  b = value_of(e->b, leaf, context);
  if (e->kind == IR_AND && ((a.known && !a.at) || (b.known && !b.at)))
    return value_known(0);
  if (e->kind == IR_OR && ((a.known && a.at) || (b.known && b.at)))
    return value_known(1);
  if (e->kind == IR_IMPLY && ((a.known && !a.at) || (b.known && b.at)))
    return value_known(1);
  return a.known && b.known ? folded(e->kind, a.at, b.at) : ir_unknown;
}
