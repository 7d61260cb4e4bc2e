/* mentions.c - whether a model has an expression of a kind anywhere.
 *
 * Only what a model uses is printed: tables and functions for some expressions are long.
 */
#include "native/emit/emit.h"

static bool in_operation(const struct ir_operation *o, enum ir_expr_kind kind);

static bool is_or_polls(const struct ir_expr *x, const void *kind) {
  const enum ir_expr_kind wanted = *(const enum ir_expr_kind *)kind;
  return x->kind == wanted || in_operation(ir_polled(x), wanted);
}

static bool in_expr(const struct ir_expr *x, enum ir_expr_kind kind) {
  return ir_any_part(x, is_or_polls, &kind);
}

static bool in_operation(const struct ir_operation *o, enum ir_expr_kind kind) {
  bool found = o && in_expr(o->channel, kind);
  for (uint32_t i = 0; o && i < o->n_values; i++)
    found = found || in_expr(o->value[i], kind);
  return found;
}

static bool in_edge(const struct ir_edge *e, enum ir_expr_kind kind) {
  bool found = in_expr(e->guard, kind) || in_operation(e->operation, kind);
  for (uint32_t i = 0; i < e->n_effects; i++)
    found = found || in_expr(e->effect[i].value, kind) || in_expr(e->effect[i].target, kind);
  return found;
}

bool emit_in_model(const struct ir_model *m, enum ir_expr_kind kind) {
  for (uint32_t p = 0; p < m->n_processes; p++) {
    if (in_expr(m->process[p]->provided, kind))
      return true;
    for (uint32_t i = 0; i < m->process[p]->n_edges; i++)
      if (in_edge(&m->process[p]->edge[i], kind))
        return true;
  }
  for (uint32_t i = 0; i < m->n_properties; i++)
    if (in_expr(m->property[i].condition, kind))
      return true;
  for (uint32_t i = 0; i < m->atoms.n; i++)
    if (in_expr(m->atoms.at[i].condition, kind))
      return true;
  for (uint32_t i = 0; i < m->changes.n; i++)
    for (uint32_t k = 0; k < m->changes.at[i].n_effects; k++)
      if (in_expr(m->changes.at[i].effect[k].value, kind) ||
          in_expr(m->changes.at[i].effect[k].target, kind))
        return true;
  for (uint32_t i = 0; m->trace != NULL && i < m->trace->n_edges; i++)
    for (uint32_t k = 0; k < m->trace->edge[i].n_values; k++)
      if (in_expr(m->trace->edge[i].value[k], kind))
        return true;
  for (uint32_t i = 0; i < m->n_measures; i++)
    if (in_expr(m->measure[i].value, kind))
      return true;
  return false;
}
