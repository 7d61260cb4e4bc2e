/* lower_sync.c - channel operations.
 *
 * An untyped channel carries as many values as its operations have, and passes
 * them as they are. A receive may drop them all; a send must give them all,
 * since a partner would otherwise have nothing to assign. Typed channels want
 * the exact number on both sides.
 */
#include "lang/dve/lower.h"

static struct ir_channel *find_channel(struct dve_lower *l, struct span name) {
  const struct dve_symbol *s = dve_names_find(l->names, NULL, false, name);
  return s != NULL && s->kind == DVE_SYMBOL_CHANNEL ? s->channel : NULL;
}

void dve_lower_arity(struct dve_lower *l, const struct dve_file *file) {
  for (uint32_t i = 0; i < file->processes.n; i++) {
    const struct dve_transitions *list = &file->processes.at[i]->transitions;
    for (uint32_t j = 0; j < list->n; j++) {
      const struct dve_transition *t = &list->at[j];
      struct ir_channel *c = t->values.n == 0 ? NULL : find_channel(l, t->channel);
      if (c != NULL && c->n_fields == 0)
        dve_widen_channel(l, c, t->values.n);
    }
  }
}

static const char *values_text(struct dve_lower *l, uint32_t n) {
  if (n == 0)
    return "no value";
  return n == 1 ? "one value" : arena_printf(l->arena, "%u values", n);
}

static bool check_arity(struct dve_lower *l, const struct dve_transition *t,
                        const struct ir_channel *c, bool declared) {
  uint32_t n = t->values.n;
  if (n == c->n_fields || (n == 0 && t->sync == IR_RECEIVE && !declared))
    return true;
  if (DVE_LOWER_ERROR(l, t->sync_span, "%s here, but channel '%s' carries %s",
                      values_text(l, n), c->name, values_text(l, c->n_fields)))
    diag_add(l->diag, DIAG_NOTE, c->span,
             declared ? "it is declared here" : "its other operations do");
  return false;
}

static bool lower_values(struct dve_lower *l, const struct dve_transition *t,
                         struct ir_edge *edge) {
  struct ir_expr **value = ARENA_ARRAY(l->arena, t->values.n, struct ir_expr *);
  for (uint32_t i = 0; i < t->values.n; i++) {
    value[i] = t->sync == IR_SEND ? dve_lower_expr(l, t->values.at[i])
                                  : dve_lower_target(l, t->values.at[i]);
    if (value[i] == NULL)
      return false;
  }
  edge->n_values = t->values.n;
  edge->value = value;
  return true;
}

static void report_channel(struct dve_lower *l, struct span name) {
  if (dve_names_find(l->names, NULL, false, name) != NULL)
    (void)DVE_LOWER_ERROR(l, name, "'%.*s' is no channel", DVE_NAME(name));
  else if (DVE_LOWER_ERROR(l, name, "unknown channel '%.*s'", DVE_NAME(name)))
    dve_suggest(l, DVE_SYMBOL_CHANNEL, NULL, name);
}

void dve_lower_sync(struct dve_lower *l, const struct dve_transition *t, struct ir_edge *edge) {
  l->failed = false;
  struct ir_channel *c = find_channel(l, t->channel);
  if (c == NULL) {
    report_channel(l, t->channel);
    return;
  }
  if (l->scope->is_property) {
    (void)DVE_LOWER_ERROR(l, t->sync_span, "a property takes no part in channel operations");
    return;
  }
  bool declared = l->channels->at[c->index].typed;
  if (!check_arity(l, t, c, declared) || !lower_values(l, t, edge))
    return;
  if (l->model->synchronous)
    return;
  edge->sync = t->sync;
  edge->channel = c;
  edge->late = c->capacity > 0;
}
