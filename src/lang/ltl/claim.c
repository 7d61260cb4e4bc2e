/* claim.c - automata of formulas as the claims that the search wing knows.
 *
 * What a search can do with an automaton is decided here, once, from its components: in a
 * terminal one it is enough to reach a state (Bloem, Ravi and Somenzi 1999), in a weak one a
 * cycle of an accepting component is one whatever it passes. So the marks are put anew where
 * the automaton is weak, and the search need not know why.
 */
#include "lang/ltl/claim.h"

#include "lang/ltl/components.h"
#include "lang/ltl/kind.h"
#include "lang/ltl/stutter.h"
#include "lang/ltl/translate.h"

static const struct claim_cube *copy_cubes(struct arena *arena, struct label label) {
  struct claim_cube *cube = ARENA_ARRAY(arena, label.n, struct claim_cube);
  for (uint32_t i = 0; i < label.n; i++)
    cube[i] = (struct claim_cube){label.at[i].yes, label.at[i].no};
  return cube;
}

/* Of a weak automaton there is one mark, on the edges inside of components that accept. */
static uint64_t marks_of(const struct components *c, const struct buchi_edge *e, bool weak) {
  if (!weak)
    return e->marks;
  return components_inside(c, e) && c->accepting[c->of[e->from]];
}

/* Whether an edge leads nearer to acceptance: to a mark, or further down. */
static bool is_nearer(const struct components *c, const struct buchi_edge *a,
                      const struct buchi_edge *b) {
  const bool marked = a->marks != 0, other = b->marks != 0;
  return marked != other ? marked : c->of[a->to] < c->of[b->to];
}

/* The edges of each state, those first that lead nearer to acceptance: a depth-first search
 * follows them first, and cycles are found earlier. */
static const struct buchi_edge **in_order(const struct buchi *b, const struct components *c) {
  const struct buchi_edge **edge = ARENA_ARRAY(b->arena, b->n_edges, const struct buchi_edge *);
  for (uint32_t i = 0; i < b->n_edges; i++) {
    uint32_t at = i;
    for (; at > b->first[b->edge[i].from] && is_nearer(c, &b->edge[i], edge[at - 1]); at--)
      edge[at] = edge[at - 1];
    edge[at] = &b->edge[i];
  }
  return edge;
}

/* What follows from the automaton, whose atoms are those of the claim. Whether it is weak. */
static bool fill(const struct buchi *b, struct claim *claim) {
  const struct components *c = components_of(b);
  const struct kind kind = kind_of(b);
  const bool weak = kind.weak || b->n_marks == 0;
  struct claim_edge *edge = ARENA_ARRAY(b->arena, b->n_edges, struct claim_edge);
  uint8_t *is_error = ARENA_ARRAY(b->arena, b->n_states, uint8_t);
  const struct buchi_edge **order = in_order(b, c);
  for (uint32_t i = 0; i < b->n_edges; i++) {
    const struct buchi_edge *e = order[i];
    edge[i] = (struct claim_edge){.from = e->from,
                                  .to = e->to,
                                  .marks = marks_of(c, e, weak),
                                  .cube = copy_cubes(b->arena, e->label),
                                  .n_cubes = e->label.n};
  }
  for (uint32_t s = 0; s < b->n_states; s++)
    is_error[s] = kind.terminal && c->accepting[c->of[s]];
  claim->n_states = b->n_states;
  claim->initial = b->initial;
  claim->n_marks = weak ? 1 : b->n_marks;
  claim->edge = edge;
  claim->first = b->first;
  claim->is_error = kind.terminal ? is_error : NULL;
  claim->has_cycles = !kind.terminal;
  return weak;
}

/* One that needs a mark only is no better. */
static void add_general(const struct buchi *b, struct claim *claim) {
  if (b == NULL || b->n_marks < 2)
    return;
  struct claim *general = ARENA_NEW(b->arena, struct claim);
  (void)fill(b, general);
  if (general->n_marks > 1)
    claim->general = general;
}

bool ltl_claim_make(struct arena *arena, const struct ltl_node *formula, struct claim *claim,
                    const char **why) {
  const struct translate_options o = {
      .negated = true, .steps = TRANSLATE_ALL, .acceptance = TRANSLATE_EDGES};
  const struct buchi *b = translate(arena, formula, &o, why);
  if (b == NULL)
    return false;
  claim->kind = CLAIM_FORMULA;
  claim->stutters = stutter_is_obvious(formula);
  const bool weak = fill(b, claim);
  const struct translate_options more = {
      .negated = true, .steps = TRANSLATE_ALL, .acceptance = TRANSLATE_GENERALISED};
  if (!weak)
    add_general(translate(arena, formula, &more, why), claim);
  return true;
}

void ltl_claim_take(const struct buchi *b, struct claim *claim) {
  const struct translate_options one = {.steps = TRANSLATE_ALL, .acceptance = TRANSLATE_EDGES},
                                 more = {.steps = TRANSLATE_ALL,
                                         .acceptance = TRANSLATE_GENERALISED};
  if (!fill(translate_reduce(b, &one), claim))
    add_general(translate_reduce(b, &more), claim);
}
