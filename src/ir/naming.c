/* naming.c - which process names a variable, and whether anybody reads it.
 *
 * A variable that is named as one of another process (P[n]:x), by a property, a claim or a
 * measure, or as where a channel's number is, is nobody's own. What is only ever assigned, or
 * received into, is read by nobody.
 */
#include "ir/naming.h"

#include "ts/ts.h"

bool naming_has(const struct ir_model *m, const struct ir_variable *v) {
  return !v->is_const && v->length > 0 &&
         (v->owner == NULL ||
          (!v->owner->is_property && (!m->has_instances || v->owner->n_seats > 0)));
}

/* Somebody reads it, or (`foreign`) it is named as one of another process. */
static void name(struct naming *n, const struct ir_variable *v, bool foreign, bool reads) {
  if (!naming_has(n->model, v))
    return;
  uint32_t *user = &n->user[v->variable];
  bool own = n->process != NULL && !foreign && (v->owner == NULL || v->owner == n->process);
  if (!own || (*user != NAMING_NOBODY && *user != n->process->index + 1))
    *user = NAMING_MANY;
  else
    *user = n->process->index + 1;
  n->read[v->variable] |= reads || foreign || n->process == NULL;
}

static void name_operation(struct naming *n, const struct ir_operation *o);

static void name_all(struct naming *n, const struct ir_expr *e, bool foreign) {
  if (e == NULL)
    return;
  if (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT)
    name(n, e->variable, foreign, true);
  if (ir_polled(e) != NULL)
    name_operation(n, ir_polled(e));
  name_all(n, e->a, false);
  name_all(n, e->b, e->kind == IR_FOREIGN);
  name_all(n, ir_third(e), false);
}

static void name_target(struct naming *n, const struct ir_expr *e) {
  if (e == NULL || (e->kind != IR_VARIABLE && e->kind != IR_ELEMENT)) {
    name_all(n, e, false);
    return;
  }
  name(n, e->variable, false, false);
  name_all(n, e->a, false);
}

static void name_values(struct naming *n, bool is_send, struct ir_expr *const *value,
                        uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (is_send)
      name_all(n, value[i], false);
    else
      name_target(n, value[i]);
}

static void name_operation(struct naming *n, const struct ir_operation *o) {
  name_all(n, o->channel, false);
  name_values(n, o->is_send, o->value, o->n_values);
}

static void name_effects(struct naming *n, const struct ir_effect *effect, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    name_target(n, effect[i].target);
    name_all(n, effect[i].value, false);
    for (uint32_t k = 0; k < effect[i].n_arguments; k++)
      name_all(n, effect[i].argument[k], false);
  }
}

static void name_edge(struct naming *n, const struct ir_edge *e) {
  name_all(n, e->guard, false);
  name_values(n, e->sync == IR_SEND, e->value, e->n_values);
  if (e->operation != NULL)
    name_operation(n, e->operation);
  name_effects(n, e->effect, e->n_effects);
}

/* What is asked of states names variables that are nobody's own then. */
static void name_questions(struct naming *n, const struct ir_model *m) {
  n->process = NULL;
  for (uint32_t i = 0; i < m->n_properties; i++)
    name_all(n, m->property[i].condition, false);
  for (uint32_t i = 0; i < m->atoms.n; i++)
    name_all(n, m->atoms.at[i].condition, false);
  for (uint32_t i = 0; i < m->n_measures; i++)
    name_all(n, m->measure[i].value, false);
  for (uint32_t i = 0; i < m->changes.n; i++)
    name_effects(n, m->changes.at[i].effect, m->changes.at[i].n_effects);
  for (uint32_t i = 0; m->trace != NULL && i < m->trace->n_edges; i++)
    for (uint32_t k = 0; k < m->trace->edge[i].n_values; k++)
      name_all(n, m->trace->edge[i].value[k], false);
  for (uint32_t i = 0; i < m->n_processes; i++)
    name_all(n, m->process[i]->provided, false);
  for (uint32_t i = 0; i < m->exclusives.claim.n; i++)
    name_all(n, m->exclusives.claim.at[i].channel, false);
  for (uint32_t i = 0; i < m->n_channels; i++) /* its number stays as long as the channel */
    if (m->channel[i]->handle != NULL)
      name(n, m->channel[i]->handle, true, true);
}

static void name_process(struct naming *n, const struct ir_process *p) {
  n->process = p->is_property ? NULL : p;
  for (uint32_t k = 0; k < p->n_edges; k++)
    name_edge(n, &p->edge[k]);
  name_effects(n, p->start, p->n_starts);
}

void naming_find(struct naming *n, const struct ir_model *m, const struct ts_shape *shape) {
  *n = (struct naming){.model = m,
                       .user = ARENA_ARRAY(m->arena, shape->n_variables + (size_t)1, uint32_t),
                       .read = ARENA_ARRAY(m->arena, shape->n_variables + (size_t)1, bool)};
  name_questions(n, m);
  for (uint32_t i = 0; i < m->n_processes; i++)
    name_process(n, m->process[i]);
}
