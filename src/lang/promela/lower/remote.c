/* remote.c - warns of asking about a process that can never be there: P[1]@label, P[1]:x.
 *
 * What is asked of a process that does not exist is false, or 0. A formula that counts from
 * the wrong number is then true of every run; so it is said where the number can never be one
 * of that proctype.
 */
#include "lang/promela/lower/lower.h"

/* The proctype whose process has this number at the start; NULL: none has. */
static const struct promela_proctype *first_with(const struct promela_lower *l,
                                                 int32_t number) {
  for (uint32_t i = 0; i < l->model->proctypes.n; i++) {
    const struct promela_proctype *p = l->model->proctypes.at[i];
    if (l->frame[i].process == NULL)
      continue;
    if (number < (int32_t)p->n_active)
      return number < 0 ? NULL : p;
    number -= (int32_t)p->n_active;
  }
  return NULL;
}

static bool is_noted(const struct promela_lower *l, const struct promela_expr *e) {
  for (uint32_t i = 0; i < l->never.n; i++)
    if (l->never.at[i] == e)
      return true;
  return false;
}

/* Numbers are given again when processes have ended, but 0 never is: whoever runs another one
 * is there itself. */
void lower_warn_of_never(struct promela_lower *l, const struct promela_expr *e,
                         const struct ir_expr *number) {
  if (number == NULL || number->kind != IR_CONST || is_noted(l, e))
    return;
  const int32_t k = number->value;
  const struct promela_proctype *first = first_with(l, k);
  if (first == e->proctype || (e->proctype->is_run && k > 0 && k < (int32_t)IR_MAX_LIVE))
    return;
  *ARENA_PUSH(l->arena, &l->never) = e;
  diag_warning(l->diag, e->span, "process %d is never one of '%s': this is always %s", k,
               e->proctype->name, e->kind == PROMELA_REMOTE_LABEL ? "false" : "0");
  if (first != NULL)
    diag_hint(l->diag, "number %d is '%s'; those that are run get the numbers after it", k,
              first->name);
}
