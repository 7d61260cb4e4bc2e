/* hidden.c - which hidden variables really are no part of the state.
 *
 * One that nothing assigns to is a constant already (variables.c). One whose value passes
 * from one stored state to the next has to be kept in the state, for else a process would
 * not find what was written.
 */
#include "lang/promela/lower/lower.h"
#include "lang/promela/parse/remark.h"

/* The scalars of a home: itself, or those of all fields. */
static void each_variable(struct promela_lower *l, const struct lower_home *home,
                          bool (*visit)(struct promela_lower *, struct ir_variable *),
                          bool *any) {
  if (home->variable != NULL) {
    *any |= visit(l, home->variable);
    return;
  }
  for (uint32_t i = 0; i < home->declared->type.structure->fields.n; i++)
    each_variable(l, &home->field[i], visit, any);
}

static bool settle(struct promela_lower *l, struct ir_variable *v) {
  if (v->is_const || !ir_is_carried(&l->ir, v))
    return false;
  v->is_hidden = false;
  return true;
}

void lower_hidden(struct promela_lower *l) {
  for (uint32_t i = 0; i < l->model->globals.n; i++) {
    const struct promela_variable *v = l->model->globals.at[i];
    bool any = false;
    if (v->visibility == PROMELA_HIDDEN)
      each_variable(l, &l->global[i], settle, &any);
    if (any)
      promela_remark(l->model, l->diag, v->span,
                     arena_printf(l->arena,
                                  "'%s' is kept in the state: a step may read what an earlier "
                                  "one wrote; Spin does not store it, and has fewer states",
                                  v->name),
                     NULL);
  }
}

void lower_reveal(struct promela_lower *l, const struct ir_expr *e) {
  for (uint32_t i = 0; i < l->ir.n_globals; i++)
    if (l->ir.global[i]->is_hidden && ir_is_read(e, l->ir.global[i]))
      l->ir.global[i]->is_hidden = false;
}
