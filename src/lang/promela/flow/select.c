/* select.c - whether a select is one step or a loop.
 *
 * By the language reference few values are one step; here where both ends are single numbers.
 * Spin looks at the text: the ends must be plain numbers, the name must have no underscore,
 * and in an inline it is always a loop.
 */
#include "lang/promela/flow/flow.h"
#include "lang/promela/parse/remark.h"

#include <string.h>

/* select over at most this many constants is a choice among them. */
#define SELECT_MAX 33

bool flow_is_plain_select(const struct promela_stmt *stmt) {
  const struct promela_expr *target = stmt->target;
  const bool is_name = target->kind == PROMELA_VARIABLE && target->a == NULL;
  return stmt->is_plain && !(is_name && strchr(target->variable->name, '_') != NULL);
}

uint32_t flow_select_values(struct flow *f, const struct promela_stmt *stmt) {
  if (stmt->a->kind != PROMELA_CONST || stmt->b->kind != PROMELA_CONST)
    return 0;
  const int64_t n = (int64_t)stmt->b->value - stmt->a->value + 1;
  if (n < 1 || n > SELECT_MAX)
    return 0;
  if (flow_is_plain_select(stmt))
    return (uint32_t)n;
  if (f->model->as_spin)
    return 0;
  promela_remark(
      f->model, f->diag, stmt->span,
      "this select is one step; Spin makes a loop of it, since it is not written with "
      "plain numbers and a name without '_', or is in an inline",
      "--spin does the same as Spin");
  return (uint32_t)n;
}
