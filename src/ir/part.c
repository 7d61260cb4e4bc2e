/* part.c - what the parts of an expression are asked. */
#include "ir/types.h"

bool ir_any_part(const struct ir_expr *e,
                 bool (*holds)(const struct ir_expr *, const void *context),
                 const void *context) {
  return e != NULL &&
         (holds(e, context) || ir_any_part(e->a, holds, context) ||
          ir_any_part(e->b, holds, context) || ir_any_part(ir_third(e), holds, context));
}

bool ir_same_sum(const struct ir_expr *a, const struct ir_expr *b) {
  if (a == NULL || b == NULL || a->kind != b->kind)
    return a == b;
  if (a->kind == IR_CONST)
    return a->value == b->value;
  if (a->kind == IR_VARIABLE)
    return a->variable == b->variable;
  return (a->kind == IR_ADD || a->kind == IR_SUB) && ir_same_sum(a->a, b->a) &&
         ir_same_sum(a->b, b->b);
}
