/* lower_process.c - processes: locations, edges, assertions. */
#include "lang/dve/lower.h"

static const char *copy_name(struct dve_lower *l, struct span name) {
  return arena_text(l->arena, name.source->text + name.begin, name.end - name.begin);
}

/* ---- names ---- */

static void lower_locations(struct dve_lower *l, const struct dve_process *d,
                            struct ir_process *p) {
  struct ir_location *location = ARENA_ARRAY(l->arena, d->states.n, struct ir_location);
  for (uint32_t i = 0; i < d->states.n; i++) {
    location[i].name = copy_name(l, d->states.at[i]);
    location[i].span = d->states.at[i];
    struct dve_symbol s = {.kind = DVE_SYMBOL_LOCATION,
                           .scope = p,
                           .name = location[i].name,
                           .span = location[i].span,
                           .process = p,
                           .location = i};
    dve_declare(l, &s);
  }
  p->n_locations = d->states.n;
  p->location = location;
  p->accepts = d->acceptance.kind != DVE_ACCEPTS_BUCHI;
}

struct ir_process *dve_lower_process_names(struct dve_lower *l, const struct dve_process *d) {
  struct ir_process *p = ARENA_NEW(l->arena, struct ir_process);
  p->name = copy_name(l, d->name);
  p->span = d->name;
  struct dve_symbol s = {
      .kind = DVE_SYMBOL_PROCESS, .name = p->name, .span = p->span, .process = p};
  dve_declare(l, &s);
  l->scope = p;
  p->variable = dve_lower_variables(l, &d->variables, p, &p->n_variables);
  lower_locations(l, d, p);
  l->scope = NULL;
  return p;
}

/* ---- states by name ---- */

static bool find_location(struct dve_lower *l, struct span name, uint32_t *location) {
  const struct dve_symbol *s = dve_names_find(l->names, l->scope, true, name);
  if (s != NULL) {
    *location = s->location;
    return true;
  }
  if (DVE_LOWER_ERROR(l, name, "process %s has no state '%.*s'", l->scope->name,
                      DVE_NAME(name)))
    dve_suggest(l, DVE_SYMBOL_LOCATION, l->scope, name);
  return false;
}

static void flag_locations(struct dve_lower *l, const struct dve_names_list *names,
                           struct ir_location *location, unsigned flag) {
  for (uint32_t i = 0; i < names->n; i++) {
    uint32_t at;
    l->failed = false;
    if (find_location(l, names->at[i], &at))
      location[at].flags |= flag;
  }
}

static void lower_flags(struct dve_lower *l, const struct dve_process *d,
                        struct ir_process *p) {
  struct ir_location *location = ARENA_ARRAY(l->arena, p->n_locations, struct ir_location);
  for (uint32_t i = 0; i < p->n_locations; i++)
    location[i] = p->location[i];
  flag_locations(l, &d->commits, location, IR_COMMITTED);
  flag_locations(l, &d->acceptance.states, location,
                 d->acceptance.kind == DVE_ACCEPTS_BUCHI ? IR_ACCEPTING : 0);
  p->location = location;
}

static void lower_initial_location(struct dve_lower *l, const struct dve_process *d,
                                   struct ir_process *p) {
  l->failed = false;
  if (d->states.n == 0) {
    if (DVE_LOWER_ERROR(l, d->name, "process %s has no states", p->name))
      diag_hint(l->diag, "add 'state s; init s;'");
  } else if (!dve_present(d->init)) {
    if (DVE_LOWER_ERROR(l, d->name, "process %s has no initial state", p->name))
      diag_hint(l->diag, "add 'init %s;'", p->location[0].name);
  } else {
    (void)find_location(l, d->init, &p->initial);
  }
}

/* ---- edges ---- */

/* guard a, b; is guard a and b; */
static struct ir_expr *lower_guard(struct dve_lower *l, const struct dve_exprs *guard) {
  struct dve_expr all = {.form = DVE_FORM_CHAIN, .op = IR_AND, .items = *guard};
  l->failed = false;
  return guard->n == 0 ? NULL : dve_lower_expr(l, &all);
}

static bool is_foreign_to_property(const struct dve_lower *l, const struct ir_expr *target) {
  return l->scope->is_property && target->variable->owner != l->scope;
}

static void lower_effects(struct dve_lower *l, const struct dve_assignments *list,
                          struct ir_edge *edge) {
  struct ir_effect *effect = ARENA_ARRAY(l->arena, list->n, struct ir_effect);
  l->failed = false;
  for (uint32_t i = 0; i < list->n; i++) {
    const struct dve_assignment *a = &list->at[i];
    effect[i].span = a->span;
    effect[i].target = dve_lower_target(l, a->target);
    effect[i].value = effect[i].target == NULL ? NULL : dve_lower_expr(l, a->value);
    if (effect[i].value == NULL)
      return;
    if (is_foreign_to_property(l, effect[i].target))
      (void)DVE_LOWER_ERROR(l, a->span, "a property can assign only to its own variables");
  }
  edge->n_effects = list->n;
  edge->effect = effect;
}

static void lower_edge(struct dve_lower *l, const struct dve_transition *t,
                       struct ir_edge *edge) {
  edge->span = t->span;
  l->failed = false;
  (void)(find_location(l, t->from, &edge->from) && find_location(l, t->to, &edge->to));
  l->here = edge->from;
  edge->guard = lower_guard(l, &t->guard);
  if (t->sync != IR_NO_SYNC)
    dve_lower_sync(l, t, edge);
  l->here = edge->to;
  lower_effects(l, &t->effects, edge);
}

static void lower_edges(struct dve_lower *l, const struct dve_transitions *list,
                        struct ir_process *p) {
  struct ir_edge *edge = ARENA_ARRAY(l->arena, list->n, struct ir_edge);
  for (uint32_t i = 0; i < list->n; i++)
    lower_edge(l, &list->at[i], &edge[i]);
  p->n_edges = list->n;
  p->edge = edge;
}

/* ---- assertions ---- */

/* s: condition; becomes: the process at s implies the condition. */
static void lower_assertion(struct dve_lower *l, const struct dve_assertion *a,
                            struct ir_process *p, uint32_t number) {
  struct ir_expr *at = ARENA_NEW(l->arena, struct ir_expr);
  *at = (struct ir_expr){.kind = IR_AT, .span = a->state, .process = p};
  l->failed = false;
  if (!find_location(l, a->state, &at->location))
    return;
  l->here = at->location;
  struct ir_expr *condition = dve_lower_expr(l, a->condition);
  if (p->is_property)
    l->asserted[number] = condition;
  if (condition == NULL || p->is_property)
    return;
  struct ir_property *property = ARENA_PUSH(l->arena, &l->properties);
  property->span = a->span;
  property->text =
      arena_printf(l->arena, "%s.%s", p->name, source_squeeze(l->arena, a->span, 200));
  property->is_assertion = true;
  property->condition = dve_lower_binary(l, IR_IMPLY, at, condition, a->span);
}

void dve_lower_process_body(struct dve_lower *l, const struct dve_process *d,
                            struct ir_process *p) {
  l->scope = p;
  lower_initial_location(l, d, p);
  lower_flags(l, d, p);
  if (p->is_property)
    l->asserted = ARENA_ARRAY(l->arena, d->assertions.n, struct ir_expr *);
  for (uint32_t i = 0; i < d->assertions.n; i++)
    lower_assertion(l, &d->assertions.at[i], p, i);
  lower_edges(l, &d->transitions, p);
  l->scope = NULL;
}
