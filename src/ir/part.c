/* part.c - whether something holds for a part of an expression. */
#include "ir/types.h"

bool ir_any_part(const struct ir_expr *e,
                 bool (*holds)(const struct ir_expr *, const void *context),
                 const void *context) {
  return e != NULL &&
         (holds(e, context) || ir_any_part(e->a, holds, context) ||
          ir_any_part(e->b, holds, context) || ir_any_part(ir_third(e), holds, context));
}
