/* hidden.c - which hidden variables really are no part of the state.
 *
 * One that nothing assigns to is a constant already (variables.c). One whose value passes
 * from one stored state to the next has to be kept in the state, for else a process would
 * not find what was written; and so has one that a claim, a trace or a formula asks about.
 */
#include "lang/promela/lower/lower.h"
#include "lang/promela/parse/remark.h"

/* All scalars of a home. `any`: one is kept in the state. */
static void settle(struct promela_lower *l, const struct lower_home *home, bool claimed,
                   bool *any) {
  struct ir_variable *v = home->variable;
  if (v != NULL) {
    v->is_hidden = !v->is_const && !claimed && !ir_is_carried(&l->ir, v);
    *any |= !v->is_hidden && !v->is_const;
    return;
  }
  for (uint32_t i = 0; i < home->declared->type.structure->fields.n; i++)
    settle(l, &home->field[i], claimed, any);
}

void lower_hidden(struct promela_lower *l) {
  for (uint32_t i = 0; i < l->model->globals.n; i++) {
    const struct promela_variable *v = l->model->globals.at[i];
    bool any = false;
    if (v->visibility == PROMELA_HIDDEN)
      settle(l, &l->global[i], l->claimed[i], &any);
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
