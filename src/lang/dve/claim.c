/* claim.c - the property process of a system as a claim.
 *
 * It moves together with the system: in each step it takes a transition whose guard holds in
 * the state that the system is in. So it is a Büchi automaton over its guards, and is
 * simplified like those that are made of formulas. With variables of its own, which become
 * globals that nobody else knows, or with assertions it is taken as it is written. A state in
 * which an assertion of where it is fails has a step to nowhere, which is the error.
 */
#include "lang/dve/condition.h"

#include "lang/ltl/claim.h"
#include "lang/ltl/remove_fin.h"
#include "lang/ltl/syntax.h"

#include "base/bits.h"

/* One of an automaton that is taken as it is written. It waits for its clauses one by one, and
 * so has all states once for each. */
struct copy {
  struct acceptance_part part;
  bool accepts;
  uint32_t first_level, n_levels;
};

struct property {
  struct dve_lower *l;
  const struct dve_process *declared;
  struct ir_process *process;
  uint32_t first; /* atom */
  struct dve_condition condition;
  const char *why; /* it cannot be run, or NULL */
  struct {
    struct copy *at;
    uint32_t n, capacity;
  } copies;
  uint32_t n_levels; /* of all copies */
  struct {
    struct claim_edge *at;
    uint32_t n, capacity;
  } edges;
  struct {
    struct ts_fault *at;
    uint32_t n, capacity;
  } faults;
};

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

static void add_copy(struct property *p, struct acceptance_part part, bool accepts) {
  const uint32_t n = part.n == 0 ? 1 : part.n;
  *ARENA_PUSH(p->l->arena, &p->copies) = (struct copy){part, accepts, p->n_levels, n};
  p->n_levels += n;
}

/* As in remove_fin.h: the first accepts for a part without Fin, or for none; from it the others
 * are entered at any time. */
static void make_copies(struct property *p) {
  const struct acceptance_parts parts = acceptance_parts(p->l->arena, &p->condition.accepted);
  if (parts.n == 0 || parts.at[0].fin != 0)
    add_copy(p, (struct acceptance_part){0}, false);
  for (uint32_t i = 0; i < parts.n; i++)
    add_copy(p, parts.at[i], true);
}

/* A level of a copy is a row of all locations, and nowhere. */
static uint32_t state_of(const struct property *p, uint32_t level, uint32_t location) {
  return level * (p->process->n_locations + 1) + location;
}

static void push_edge(struct property *p, struct claim_edge edge, struct claim_cube cube) {
  struct claim_cube *own = ARENA_NEW(p->l->arena, struct claim_cube);
  *own = cube;
  edge.cube = own;
  edge.n_cubes = 1;
  *ARENA_PUSH(p->l->arena, &p->edges) = edge;
}

/* An edge to nowhere, where an assertion fails. */
static void push_failure(struct property *p, uint32_t state, struct span assertion,
                         struct claim_cube fails) {
  *ARENA_PUSH(p->l->arena, &p->faults) =
      (struct ts_fault){.message = arena_printf(p->l->arena, "%s.%s", p->process->name,
                                                source_squeeze(p->l->arena, assertion, 200)),
                        .place = ir_place(assertion)};
  push_edge(
      p,
      (struct claim_edge){.from = state, .to = p->process->n_locations, .fault = p->faults.n},
      fails);
}

/* *hold: the assertions of a location hold. False: one always fails. A run that comes to one
 * that fails does so in the first copy as well, where it is said. */
static bool assertions(struct property *p, bool is_first, uint32_t state, uint32_t location,
                       struct claim_cube *hold) {
  const struct dve_assertions *list = &p->declared->assertions;
  *hold = (struct claim_cube){0, 0};
  for (uint32_t i = 0; i < list->n; i++) {
    if (dve_location(p->l, p->process, list->at[i].state) != location)
      continue;
    struct ir_expr *condition = p->l->asserted[i];
    struct claim_cube cube, fails = *hold;
    const bool may = cube_of(p, condition, &cube);
    if (may && cube.yes == 0)
      continue;
    fails.no |= cube.yes;
    if (is_first)
      push_failure(p, state, list->at[i].span, fails);
    hold->yes |= cube.yes;
    if (!may)
      return false;
  }
  return true;
}

/* The step of an edge, in its copy and into those that are entered from there. */
static void add_steps(struct property *p, const struct copy *own, uint32_t level,
                      const struct ir_edge *e, uint32_t change, struct claim_cube cube) {
  const uint64_t marks = p->condition.marks[e->from];
  const bool passes = own->part.n == 0 || (marks & own->part.clause[level]) != 0;
  const bool last = level + 1 == own->n_levels;
  const uint32_t next = passes ? (last ? 0 : level + 1) : level;
  struct claim_edge edge = {.from = state_of(p, own->first_level + level, e->from),
                            .change = change};
  for (uint32_t k = 1; own == p->copies.at && k < p->copies.n; k++)
    if ((marks & p->copies.at[k].part.fin) == 0) {
      edge.to = state_of(p, p->copies.at[k].first_level, e->to);
      push_edge(p, edge, cube);
    }
  if ((marks & own->part.fin) != 0)
    return;
  edge.to = state_of(p, own->first_level + next, e->to);
  edge.marks = passes && last && own->accepts;
  push_edge(p, edge, cube);
}

static void add_edges(struct property *p, const struct copy *own, uint32_t level,
                      uint32_t location) {
  struct claim_cube hold;
  if (!assertions(p, own == p->copies.at, state_of(p, own->first_level + level, location),
                  location, &hold))
    return;
  for (uint32_t i = 0; i < p->process->n_edges; i++) {
    const struct ir_edge *e = &p->process->edge[i];
    struct claim_cube cube;
    if (e->from != location || !cube_of(p, e->guard, &cube))
      continue;
    cube.yes |= hold.yes;
    if (e->n_effects > 0)
      *ARENA_PUSH(p->l->arena, &p->l->model->changes) =
          (struct ir_change){e->n_effects, e->effect};
    add_steps(p, own, level, e, e->n_effects > 0 ? p->l->model->changes.n : 0, cube);
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
  make_copies(p);
  const uint32_t nowhere = p->process->n_locations, n = (nowhere + 1) * p->n_levels;
  uint32_t *first = ARENA_ARRAY(p->l->arena, n + (size_t)1, uint32_t);
  const bool varies = p->process->n_variables > 0;
  move_variables(p);
  for (uint32_t c = 0; c < p->copies.n; c++)
    for (uint32_t level = 0; level < p->copies.at[c].n_levels; level++)
      for (uint32_t s = 0; s <= nowhere && p->why == NULL; s++) {
        first[state_of(p, p->copies.at[c].first_level + level, s)] = p->edges.n;
        if (s != nowhere)
          add_edges(p, &p->copies.at[c], level, s);
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
  struct buchi_edges edges = {0};
  for (uint32_t i = 0; i < p->process->n_edges; i++) {
    const struct ir_edge *e = &p->process->edge[i];
    struct claim_cube cube;
    if (!cube_of(p, e->guard, &cube))
      continue;
    *ARENA_PUSH(p->l->arena, &edges) = (struct buchi_edge){
        .from = e->from,
        .to = e->to,
        .marks = p->condition.marks[e->from],
        .label = cube.yes == 0 ? label_true
                               : label_of_cube(p->l->arena, (struct label_cube){cube.yes, 0})};
  }
  if (p->why != NULL)
    return;
  const struct buchi *b = remove_fin(p->l->arena, p->process->n_locations, p->process->initial,
                                     &edges, &p->condition.accepted);
  if (b == NULL)
    p->why = "acceptance of too many sets for its size";
  else
    ltl_claim_take(b, claim);
}

const char *dve_lower_claim(struct dve_lower *l, struct ir_process *process,
                            const struct dve_process *declared) {
  struct property p = {
      .l = l, .declared = declared, .process = process, .first = l->model->atoms.n};
  struct claim claim = {.kind = CLAIM_FORMULA,
                        .name = process->name,
                        .what = arena_printf(l->arena, "property %s", process->name),
                        .first_atom = p.first};
  p.why = dve_condition_of(l, process, declared, &p.condition);
  if (p.why == NULL && (process->n_variables > 0 || declared->assertions.n > 0))
    take(&p, &claim);
  else if (p.why == NULL)
    simplify(&p, &claim);
  claim.n_atoms = l->model->atoms.n - p.first;
  if (p.why == NULL)
    *ARENA_PUSH(l->arena, &l->model->claims) = claim;
  return p.why;
}
