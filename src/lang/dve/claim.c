/* claim.c - the property process of a system as a claim.
 *
 * It moves together with the system: in each step it takes a transition whose guard holds in
 * the state that the system is in. So it is a Büchi automaton over its guards, and is
 * simplified like those that are made of formulas. One with variables of its own or with
 * another acceptance than Büchi's is not taken, and is named as unchecked.
 */
#include "lang/dve/lower.h"

#include "lang/ltl/claim.h"
#include "lang/ltl/translate.h"

/* The atom of a guard that is no constant, among those of this claim. */
static uint32_t atom_of(struct dve_lower *l, const struct ir_edge *e) {
  return ir_add_atom(l->model, source_squeeze(l->arena, e->guard->span, 200), e->guard->span,
                     e->guard);
}

static const char *edges_of(struct dve_lower *l, const struct ir_process *p, uint32_t first,
                            struct buchi_edges *edges) {
  for (uint32_t i = 0; i < p->n_edges; i++) {
    const struct ir_edge *e = &p->edge[i];
    const bool constant = e->guard == NULL || e->guard->kind == IR_CONST;
    struct label label = label_true;
    if (constant && e->guard != NULL && e->guard->value == 0)
      continue;
    if (!constant) {
      const uint32_t atom = atom_of(l, e) - first;
      if (atom >= LTL_ATOMS)
        return "more than 64 guards";
      label = label_of_cube(l->arena, (struct label_cube){UINT64_C(1) << atom, 0});
    }
    *ARENA_PUSH(l->arena, edges) =
        (struct buchi_edge){.from = e->from,
                            .to = e->to,
                            .marks = (p->location[e->from].flags & IR_ACCEPTING) != 0,
                            .label = label};
  }
  return NULL;
}

const char *dve_lower_claim(struct dve_lower *l, const struct ir_process *p) {
  const uint32_t first = l->model->atoms.n;
  const struct translate_options o = {.steps = TRANSLATE_ALL, .acceptance = TRANSLATE_EDGES};
  const struct buchi like = {.arena = l->arena, .n_marks = 1};
  struct buchi_edges edges = {0};
  if (p->n_variables > 0)
    return "it has variables of its own";
  const char *why = edges_of(l, p, first, &edges);
  if (why != NULL)
    return why;
  struct claim claim = {.kind = CLAIM_FORMULA,
                        .name = p->name,
                        .what = arena_printf(l->arena, "property %s", p->name),
                        .first_atom = first,
                        .n_atoms = l->model->atoms.n - first};
  ltl_claim_fill(translate_reduce(buchi_make(&like, p->n_locations, p->initial, &edges), &o),
                 &claim);
  *ARENA_PUSH(l->arena, &l->model->claims) = claim;
  return NULL;
}
