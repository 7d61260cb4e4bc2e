/* alternating.h - the very weak alternating automaton of a formula.
 *
 * Its states are formulas; a conjunction of them is a set of states. A move of a state reads a
 * letter of a cube and leaves obligations, again a set of states. The only cycles are loops
 * from a state to itself.
 */
#ifndef CAIRN_LANG_LTL_ALTERNATING_H
#define CAIRN_LANG_LTL_ALTERNATING_H

#include "lang/ltl/core.h"
#include "lang/ltl/label.h"

struct alternating_move {
  struct label_cube cube;
  uint64_t fulfilled;     /* marks of states of the set that meet their promise by it */
  const uint64_t *target; /* bits of states */
};

struct alternating_moves {
  struct alternating_move *at;
  uint32_t n, capacity;
};

#define ALTERNATING_UNMARKED UINT32_MAX

struct alternating {
  struct arena *arena;
  uint32_t n;     /* states: all parts of the formula */
  uint32_t words; /* of a set of states */
  const struct core **state;
  struct alternating_moves *moves;
  uint32_t *mark; /* of a state that promises something: an until, or [] <> f */
  uint32_t n_marks;
  uint64_t *initial;
  uint64_t **reach; /* of a state: those that its moves lead to, in any number of steps */
};

/* What the automaton of a formula may need at most; a formula that needs more is refused. */
#define ALTERNATING_MARKS 64u
#define ALTERNATING_MOVES 8192u

/* NULL, with a reason in *why, if the automaton would be too large. */
struct alternating *alternating_of(struct core_set *, const struct core *, const char **why);

/* All moves of two sets of moves taken together, without those that others make needless.
 * False: too many. */
bool alternating_product(const struct alternating *a, const struct alternating_moves *x,
                         const struct alternating_moves *y, struct alternating_moves *out);

static inline bool alternating_subset(const struct alternating *a, const uint64_t *x,
                                      const uint64_t *y) {
  uint64_t rest = 0;
  for (uint32_t i = 0; i < a->words; i++)
    rest |= x[i] & ~y[i];
  return rest == 0;
}

#endif
