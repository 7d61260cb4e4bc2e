/* translate.c - the way from a formula to an automaton, step by step.
 *
 * formula -> simpler formula -> alternating automaton -> generalised Büchi automaton -> reduced
 * -> one mark only, where wanted -> reduced again. Reductions are repeated as long as they
 * help: each may make room for another.
 */
#include "lang/ltl/translate.h"

#include "lang/ltl/clean.h"
#include "lang/ltl/degeneralise.h"
#include "lang/ltl/generalised.h"
#include "lang/ltl/rewrite.h"
#include "lang/ltl/simulation.h"

#include <stdlib.h>

/* Orders of marks that are tried: all of three marks. */
#define TRANSLATE_ORDERS 6u

static uint64_t size_of(const struct buchi *b) {
  uint64_t cubes = 0;
  for (uint32_t i = 0; i < b->n_edges; i++)
    cubes += b->edge[i].label.n;
  return (uint64_t)b->n_states << 40 | (uint64_t)b->n_edges << 20 | cubes;
}

static const struct buchi *reduce(const struct buchi *b, unsigned steps) {
  for (uint64_t before = UINT64_MAX; size_of(b) < before;) {
    before = size_of(b);
    if (steps & TRANSLATE_CLEAN)
      b = clean(b);
    if (steps & TRANSLATE_FORWARD)
      b = simulation_forward(b);
    if (steps & TRANSLATE_CLEAN)
      b = clean(b);
    if (steps & TRANSLATE_REDIRECT)
      b = simulation_redirect(b);
    if (steps & TRANSLATE_CLEAN)
      b = clean(b);
    if (steps & TRANSLATE_BACKWARD)
      b = simulation_backward(b);
  }
  return buchi_reachable(b);
}

/* The i-th order of n marks: rotations, and for three marks also turned round. */
static void order_of(uint32_t n, uint32_t i, uint8_t *order) {
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t at = (k + i / 2) % n;
    order[k] = (uint8_t)(i % 2 == 0 ? at : n - 1 - at);
  }
}

static const struct buchi *with_one_mark(const struct buchi *b,
                                         const struct translate_options *o) {
  const bool on_states = o->acceptance == TRANSLATE_STATES;
  uint8_t order[64] = {0};
  if (b->n_marks <= 1 && !on_states)
    return b;
  if (on_states && b->n_marks == 0) {
    struct buchi *same = ARENA_NEW(b->arena, struct buchi);
    *same = *b;
    same->state_marks = true;
    return same;
  }
  const uint32_t tries = b->n_marks < 2 ? 1 : b->n_marks == 2 ? 2 : TRANSLATE_ORDERS;
  const struct buchi *best = NULL;
  for (uint32_t i = 0; i < tries; i++) {
    order_of(b->n_marks, i, order);
    const struct buchi *next = reduce(degeneralise(b, order, on_states), o->steps);
    if (best == NULL || size_of(next) < size_of(best))
      best = next;
  }
  return best;
}

struct buchi *translate_reduce(const struct buchi *b, const struct translate_options *o) {
  b = reduce(b, o->steps);
  if (o->steps & TRANSLATE_CLEAN)
    b = reduce(clean_marks(b), o->steps);
  if (o->acceptance != TRANSLATE_GENERALISED)
    b = with_one_mark(b, o);
  return (struct buchi *)b;
}

struct buchi *translate(struct arena *arena, const struct ltl_node *formula,
                        const struct translate_options *o, const char **why) {
  struct core_set *set = core_open(arena);
  const struct core *f = core_of(set, formula, o->negated);
  if (o->steps & TRANSLATE_REWRITE)
    f = rewrite_simplify(set, f);
  const struct alternating *a = alternating_of(set, f, why);
  if (a == NULL)
    return NULL;
  const struct buchi *b = generalised_of(a, (o->steps & TRANSLATE_SUSPEND) != 0, why);
  return b == NULL ? NULL : translate_reduce(b, o);
}
