/* fold.c - expressions of the model, constants worked out. */
#include "lang/promela/lower/lower.h"

struct ir_expr *lower_new(struct promela_lower *l, enum ir_expr_kind kind, struct span span) {
  struct ir_expr *e = ARENA_NEW(l->arena, struct ir_expr);
  e->kind = kind;
  e->span = span;
  return e;
}

struct ir_expr *lower_constant(struct promela_lower *l, int32_t value, struct span span) {
  struct ir_expr *e = lower_new(l, IR_CONST, span);
  e->value = value;
  return e;
}

struct ir_expr *lower_unary(struct promela_lower *l, enum ir_expr_kind kind,
                            struct ir_expr *a) {
  int32_t value;
  if (a->kind == IR_CONST && ir_fold(kind, a->value, 0, &value))
    return lower_constant(l, value, a->span);
  struct ir_expr *e = lower_new(l, kind, a->span);
  e->a = a;
  return e;
}

/* The left side decides alone. */
static bool decides(enum ir_expr_kind kind, const struct ir_expr *a, int32_t *value) {
  if (a->kind != IR_CONST || (kind != IR_AND && kind != IR_OR))
    return false;
  *value = kind == IR_OR;
  return (a->value != 0) == (kind == IR_OR);
}

/* Evaluating it cannot fail for a reason that only the run knows. */
static bool is_harmless(const struct ir_expr *e) {
  switch (e->kind) {
  case IR_CONST:
  case IR_VARIABLE:
    return true;
  case IR_ELEMENT:
    return e->a->kind == IR_CONST;
  case IR_NOT:
    return is_harmless(e->a);
  case IR_LT:
  case IR_LE:
  case IR_GT:
  case IR_GE:
  case IR_EQ:
  case IR_NE:
  case IR_AND:
  case IR_OR:
    return is_harmless(e->a) && is_harmless(e->b);
  default:
    return false;
  }
}

/* The right side alone decides. Models ask a[4] == 0 && N == 5, with an array of N. */
static bool decides_behind(enum ir_expr_kind kind, const struct ir_expr *a,
                           const struct ir_expr *b, int32_t *value) {
  return decides(kind, b, value) && is_harmless(a);
}

struct ir_expr *lower_binary(struct promela_lower *l, enum ir_expr_kind kind, struct ir_expr *a,
                             struct ir_expr *b) {
  struct span span = a->span;
  if (a->span.source == b->span.source && b->span.end > span.end)
    span.end = b->span.end;
  int32_t value;
  if (decides(kind, a, &value) || decides_behind(kind, a, b, &value))
    return lower_constant(l, value, span);
  if (a->kind == IR_CONST && b->kind == IR_CONST && ir_fold(kind, a->value, b->value, &value))
    return lower_constant(l, value, span);
  struct ir_expr *e = lower_new(l, kind, span);
  e->a = a;
  e->b = b;
  return e;
}

void lower_use(struct promela_lower *l, struct ir_expr *channel, unsigned use) {
  if (l->process == NULL || l->ir.exclusives.claim.n == 0)
    return;
  *ARENA_PUSH(l->arena, &l->ir.exclusives.use) =
      (struct ir_exclusive_use){channel, *channel, l->process, use};
}
