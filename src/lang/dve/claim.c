/* claim.c - the property process of a system as a claim, and accepting states of the others.
 *
 * It moves together with the system: in each step it takes a transition whose guard holds in
 * the state that the system is in. So it is a Büchi automaton over its guards, and is
 * simplified like those that are made of formulas. With variables of its own, which become
 * globals that nobody else knows, or with assertions it is taken as it is written. A state in
 * which an assertion of where it is fails has a step to nowhere, which is the error.
 */
#include "lang/dve/lower.h"

#include "lang/ltl/claim.h"
#include "lang/ltl/translate.h"

struct property {
  struct dve_lower *l;
  const struct dve_process *declared;
  struct ir_process *process;
  uint32_t first;          /* atom */
  uint64_t *marks;         /* by location */
  uint32_t n_marks, level; /* level: the mark that is waited for */
  const char *why;         /* it cannot be run, or NULL */
  struct {
    struct claim_edge *at;
    uint32_t n, capacity;
  } edges;
  struct {
    struct ts_fault *at;
    uint32_t n, capacity;
  } faults;
};

/* ---- acceptance ------------------------------------------------------------------------- */

static uint32_t location_of(const struct property *p, struct span name) {
  return dve_names_find(p->l->names, p->process, true, name)->location;
}

/* Of Büchi's kind one mark, of the generalised one a mark for each set. */
static void find_marks(struct property *p) {
  const struct dve_acceptance *a = &p->declared->acceptance;
  p->marks = ARENA_ARRAY(p->l->arena, p->process->n_locations, uint64_t);
  p->n_marks = a->kind == NULL ? 1 : a->sets.n;
  if (a->kind != NULL && !a->is_general)
    p->why = arena_printf(p->l->arena, "%s acceptance", a->kind);
  else if (p->n_marks > 64)
    p->why = "more than 64 sets of states";
  for (uint32_t k = 0, i = 0; p->why == NULL && k < p->n_marks; k++)
    for (; i < (a->kind == NULL ? a->states.n : a->sets.at[k]); i++)
      p->marks[location_of(p, a->states.at[i])] |= UINT64_C(1) << k;
}

/* ---- conditions ------------------------------------------------------------------------- */

/* The atom of a condition, among those of this claim. */
static uint32_t atom_of(struct property *p, struct ir_expr *condition) {
  const struct ir_atoms *atoms = &p->l->model->atoms;
  for (uint32_t i = p->first; i < atoms->n; i++)
    if (atoms->at[i].condition == condition)
      return i - p->first;
  const char *text = source_squeeze(p->l->arena, condition->span, 200);
  return ir_add_atom(p->l->model, text, condition->span, condition) - p->first;
}

/* What a letter must have for the condition; false: it is never true. */
static bool cube_of(struct property *p, struct ir_expr *condition, struct claim_cube *cube) {
  *cube = (struct claim_cube){0, 0};
  if (condition == NULL || condition->kind == IR_CONST)
    return condition == NULL || condition->value != 0;
  const uint32_t atom = atom_of(p, condition);
  if (atom >= LTL_ATOMS)
    p->why = "more than 64 conditions";
  else
    cube->yes = UINT64_C(1) << atom;
  return true;
}

/* ---- as written ------------------------------------------------------------------------- */

/* Of several marks each has a copy of the states in which it is waited for; the search sees
 * one. */
static struct claim_edge *push_edge(struct property *p, uint32_t from, uint32_t to,
                                    struct claim_cube cube) {
  const uint32_t states = p->process->n_locations + 1, level = p->level;
  const bool passes = (p->marks[from] >> level & 1) != 0, last = level + 1 == p->n_marks;
  const uint32_t next = passes ? (last ? 0 : level + 1) : level;
  struct claim_cube *own = ARENA_NEW(p->l->arena, struct claim_cube);
  struct claim_edge *edge = ARENA_PUSH(p->l->arena, &p->edges);
  *own = cube;
  *edge = (struct claim_edge){.from = level * states + from,
                              .to = next * states + to,
                              .marks = passes && last,
                              .cube = own,
                              .n_cubes = 1};
  return edge;
}

/* Edges to nowhere, where the assertions of a location fail; *hold: they all hold. False: one
 * always fails. */
static bool assertions(struct property *p, uint32_t location, struct claim_cube *hold) {
  const struct dve_assertions *list = &p->declared->assertions;
  *hold = (struct claim_cube){0, 0};
  for (uint32_t i = 0; i < list->n; i++) {
    if (location_of(p, list->at[i].state) != location)
      continue;
    struct ir_expr *condition = p->l->asserted[i];
    struct claim_cube cube, fails = *hold;
    const bool may = cube_of(p, condition, &cube);
    if (may && cube.yes == 0)
      continue;
    fails.no |= cube.yes;
    push_edge(p, location, p->process->n_locations, fails)->fault = p->faults.n + 1;
    *ARENA_PUSH(p->l->arena, &p->faults) = (struct ts_fault){
        .message = arena_printf(p->l->arena, "%s.%s", p->process->name,
                                source_squeeze(p->l->arena, list->at[i].span, 200)),
        .place = ir_place(list->at[i].span)};
    hold->yes |= cube.yes;
    if (!may)
      return false;
  }
  return true;
}

static void add_edges(struct property *p, uint32_t location) {
  struct claim_cube hold;
  if (!assertions(p, location, &hold))
    return;
  for (uint32_t i = 0; i < p->process->n_edges; i++) {
    const struct ir_edge *e = &p->process->edge[i];
    struct claim_cube cube;
    if (e->from != location || !cube_of(p, e->guard, &cube))
      continue;
    cube.yes |= hold.yes;
    struct claim_edge *edge = push_edge(p, location, e->to, cube);
    if (e->n_effects == 0)
      continue;
    *ARENA_PUSH(p->l->arena, &p->l->model->changes) =
        (struct ir_change){e->n_effects, e->effect};
    edge->change = p->l->model->changes.n;
  }
}

/* The variables become globals. */
static void move_variables(struct property *p) {
  struct ir_model *m = p->l->model;
  struct ir_process *process = p->process;
  struct ir_variable **all = ARENA_ARRAY(
      p->l->arena, m->n_globals + (size_t)process->n_variables, struct ir_variable *);
  for (uint32_t i = 0; i < m->n_globals; i++)
    all[i] = m->global[i];
  for (uint32_t i = 0; i < process->n_variables; i++) {
    struct ir_variable *v = process->variable[i];
    v->owner = NULL;
    v->name = arena_printf(p->l->arena, "%s.%s", process->name, v->name);
    if (v->element != NULL)
      v->element = arena_printf(p->l->arena, "%s.%s", process->name, v->element);
    all[m->n_globals++] = v;
  }
  process->n_variables = 0;
  m->global = all;
}

/* The last two faults of a claim with variables, of which this one can have neither. */
static void add_limits(struct property *p) {
  const struct ts_fault limit = {.message = "a step of the property has too many ways",
                                 .place = ir_place(p->process->span)};
  for (int i = 0; i < 2; i++)
    *ARENA_PUSH(p->l->arena, &p->faults) = limit;
}

static void take(struct property *p, struct claim *claim) {
  const uint32_t nowhere = p->process->n_locations, n = (nowhere + 1) * p->n_marks;
  uint32_t *first = ARENA_ARRAY(p->l->arena, n + (size_t)1, uint32_t);
  const bool varies = p->process->n_variables > 0;
  move_variables(p);
  for (uint32_t s = 0; s < n && p->why == NULL; s++) {
    first[s] = p->edges.n;
    p->level = s / (nowhere + 1);
    if (s % (nowhere + 1) != nowhere)
      add_edges(p, s % (nowhere + 1));
  }
  first[n] = p->edges.n;
  if (varies)
    add_limits(p);
  claim->n_states = n;
  claim->n_stops = varies ? n : 0;
  claim->initial = p->process->initial;
  claim->n_marks = 1;
  claim->edge = p->edges.at;
  claim->first = first;
  claim->has_cycles = true;
  claim->n_faults = p->faults.n;
  claim->fault = p->faults.at;
}

/* ---- simplified ------------------------------------------------------------------------- */

static void simplify(struct property *p, struct claim *claim) {
  const struct buchi like = {.arena = p->l->arena, .n_marks = p->n_marks};
  struct buchi_edges edges = {0};
  for (uint32_t i = 0; i < p->process->n_edges; i++) {
    const struct ir_edge *e = &p->process->edge[i];
    struct claim_cube cube;
    if (!cube_of(p, e->guard, &cube))
      continue;
    *ARENA_PUSH(p->l->arena, &edges) = (struct buchi_edge){
        .from = e->from,
        .to = e->to,
        .marks = p->marks[e->from],
        .label = cube.yes == 0 ? label_true
                               : label_of_cube(p->l->arena, (struct label_cube){cube.yes, 0})};
  }
  if (p->why == NULL)
    ltl_claim_take(buchi_make(&like, p->process->n_locations, p->process->initial, &edges),
                   claim);
}

const char *dve_lower_claim(struct dve_lower *l, struct ir_process *process,
                            const struct dve_process *declared) {
  struct property p = {
      .l = l, .declared = declared, .process = process, .first = l->model->atoms.n};
  struct claim claim = {.kind = CLAIM_FORMULA,
                        .name = process->name,
                        .what = arena_printf(l->arena, "property %s", process->name),
                        .first_atom = p.first};
  find_marks(&p);
  if (p.why == NULL && (process->n_variables > 0 || declared->assertions.n > 0))
    take(&p, &claim);
  else if (p.why == NULL)
    simplify(&p, &claim);
  claim.n_atoms = l->model->atoms.n - p.first;
  if (p.why == NULL)
    *ARENA_PUSH(l->arena, &l->model->claims) = claim;
  return p.why;
}

/* ---- accepting states of the system ----------------------------------------------------- */

static struct ir_expr *accepted(struct dve_lower *l) {
  struct ir_expr *any = NULL;
  for (uint32_t i = 0; i < l->model->n_processes; i++) {
    struct ir_process *p = l->model->process[i];
    for (uint32_t k = 0; !p->is_property && k < p->n_locations; k++) {
      if ((p->location[k].flags & IR_ACCEPTING) == 0)
        continue;
      struct ir_expr *at = ARENA_NEW(l->arena, struct ir_expr);
      *at = (struct ir_expr){.kind = IR_AT, .span = p->span, .process = p, .location = k};
      any = any == NULL ? at : dve_lower_binary(l, IR_OR, any, at, p->span);
    }
  }
  return any;
}

void dve_lower_acceptance(struct dve_lower *l) {
  struct ir_expr *condition = accepted(l);
  if (condition != NULL)
    ir_add_acceptance(l->model, "accepting states", condition->span, condition);
}
