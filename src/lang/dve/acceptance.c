/* acceptance.c - what processes accept that are not the property, as a claim.
 *
 * A run is accepted if one of them accepts it. Of accepting states, as most have, that is a
 * cycle through one of any process. Where some process has more to say, the automaton guesses
 * first whose acceptance it is, and goes on in a state of this process; what it reads there is
 * which marks the location has.
 */
#include "lang/dve/condition.h"

#include "lang/ltl/claim.h"
#include "lang/ltl/remove_fin.h"
#include "lang/ltl/syntax.h"

/* That the process is where `chosen` says: NULL if nowhere. */
static struct ir_expr *at_any(struct dve_lower *l, struct ir_process *p, const bool *chosen,
                              struct ir_expr *any) {
  for (uint32_t k = 0; k < p->n_locations; k++) {
    if (!chosen[k])
      continue;
    struct ir_expr *at = ARENA_NEW(l->arena, struct ir_expr);
    *at = (struct ir_expr){.kind = IR_AT, .span = p->span, .process = p, .location = k};
    any = any == NULL ? at : dve_lower_binary(l, IR_OR, any, at, p->span);
  }
  return any;
}

/* ---- accepting states ------------------------------------------------------------------- */

static struct ir_expr *accepting(struct dve_lower *l) {
  struct ir_expr *any = NULL;
  for (uint32_t i = 0; i < l->model->n_processes; i++) {
    struct ir_process *p = l->model->process[i];
    bool *chosen = ARENA_ARRAY(l->arena, p->n_locations, bool);
    for (uint32_t k = 0; k < p->n_locations; k++)
      chosen[k] = (p->location[k].flags & IR_ACCEPTING) != 0;
    if (!p->is_property)
      any = at_any(l, p, chosen, any);
  }
  return any;
}

/* ---- of every kind ---------------------------------------------------------------------- */

struct acceptances {
  struct dve_lower *l;
  uint32_t first, n_atoms;
  uint32_t n_states;
  struct dve_condition condition;
  struct acceptance any;
  struct buchi_edges edges;
  const char *why;
};

static void add_edge(struct acceptances *a, struct buchi_edge e) {
  *ARENA_PUSH(a->l->arena, &a->edges) = e;
}

/* An edge for all locations with the same marks as this one. */
static void add_alike(struct acceptances *a, struct ir_process *p, uint32_t state, uint32_t at,
                      uint64_t here) {
  const uint64_t *marks = a->condition.marks;
  bool *alike = ARENA_ARRAY(a->l->arena, p->n_locations, bool);
  for (uint32_t k = 0; k < p->n_locations; k++) {
    alike[k] = marks[k] == marks[at];
    if (k < at && alike[k])
      return;
  }
  if (a->n_atoms == LTL_ATOMS) {
    a->why = "more than 64 conditions";
    return;
  }
  ir_add_atom(a->l->model, "accept", p->span, at_any(a->l, p, alike, NULL));
  const struct label_cube cube = {UINT64_C(1) << a->n_atoms++, 0};
  add_edge(a, (struct buchi_edge){.from = state,
                                  .to = state,
                                  .marks = marks[at] | here,
                                  .label = label_of_cube(a->l->arena, cube)});
}

/* `here` is a mark that only the state of this process has, so that what others do not do there
 * is not accepted. */
static void add_process(struct acceptances *a, struct ir_process *p,
                        const struct dve_process *declared) {
  struct arena *arena = a->l->arena;
  const uint32_t state = a->n_states++;
  a->why = dve_condition_of(a->l, p, declared, &a->condition);
  if (a->why == NULL && a->condition.n_marks == 64)
    a->why = "more than 64 sets of states";
  if (a->why != NULL)
    return;
  const uint64_t here = UINT64_C(1) << a->condition.n_marks++;
  const struct acceptance own = acceptance_of(arena, (struct acceptance_alternative){here, 0});
  if (!acceptance_and(arena, &a->condition.accepted, &own) ||
      !acceptance_or(arena, &a->any, &a->condition.accepted))
    a->why = "acceptance of too many sets";
  add_edge(a, (struct buchi_edge){.from = 0, .to = state, .label = label_true});
  for (uint32_t k = 0; k < p->n_locations && a->why == NULL; k++)
    add_alike(a, p, state, k, here);
}

static const char *of_every_kind(struct dve_lower *l, const struct dve_file *file) {
  struct acceptances a = {.l = l, .first = l->model->atoms.n, .n_states = 1};
  struct claim claim = {.kind = CLAIM_ACCEPTANCE,
                        .name = "acceptance",
                        .what = "states that a process accepts",
                        .stutters = true,
                        .first_atom = a.first};
  for (uint32_t i = 0; i < l->model->n_processes && a.why == NULL; i++) {
    const struct dve_process *declared = file->processes.at[i];
    if (!l->model->process[i]->is_property &&
        declared->acceptance.states.n + declared->acceptance.sets.n > 0)
      add_process(&a, l->model->process[i], declared);
  }
  if (a.why != NULL)
    return a.why;
  const struct buchi *b = remove_fin(l->arena, a.n_states, 0, &a.edges, &a.any);
  if (b == NULL)
    return "acceptance of too many sets for its size";
  ltl_claim_take(b, &claim);
  claim.n_atoms = a.n_atoms;
  *ARENA_PUSH(l->arena, &l->model->claims) = claim;
  return NULL;
}

const char *dve_lower_acceptance(struct dve_lower *l, const struct dve_file *file) {
  for (uint32_t i = 0; i < l->model->n_processes; i++)
    if (!l->model->process[i]->is_property &&
        file->processes.at[i]->acceptance.kind != DVE_ACCEPTS_BUCHI)
      return of_every_kind(l, file);
  struct ir_expr *condition = accepting(l);
  if (condition != NULL)
    ir_add_acceptance(l->model, "an accepting state", condition->span, condition);
  return NULL;
}
