/* claim_parts.c - the components of an automaton, by Tarjan's algorithm (base/cut.h). */
#include "ts/claim_parts.h"

#include "base/bits.h"
#include "base/cut.h"

static uint64_t first_of(const void *context, uint64_t state) {
  const struct claim *claim = context;
  return claim->first[state];
}

static uint64_t to_of(const void *context, uint64_t edge) {
  const struct claim *claim = context;
  return claim->edge[edge].to;
}

/* What the edges inside of a component have. */
struct inside {
  uint64_t any, all; /* marks of some edge, and of each */
};

static uint32_t judge(struct inside in, uint64_t marks, bool has_edge) {
  if (!has_edge || (in.any & marks) != marks)
    return CLAIM_PART_NONE;
  return (in.all & marks) == marks ? CLAIM_PART_ALL : CLAIM_PART_SOME;
}

const struct claim_part *claim_parts(struct arena *arena, struct budget *budget,
                                     const struct claim *claim) {
  const uint32_t n = claim->n_states;
  struct claim_part *part = ARENA_ARRAY(arena, n, struct claim_part);
  uint64_t *number = ARENA_ARRAY(arena, n, uint64_t);
  struct cut cut = {.budget = budget,
                    .n = n,
                    .part = number,
                    .parts = 1,
                    .context = claim,
                    .first = first_of,
                    .to = to_of};
  for (uint32_t s = 0; s < n; s++)
    number[s] = 1;
  if (!cut_part(&cut, 1))
    return NULL;
  struct inside *in = ARENA_ARRAY(arena, cut.parts + 1, struct inside);
  bool *has_edge = ARENA_ARRAY(arena, cut.parts + 1, bool);
  for (uint32_t i = 0; i < claim->first[n]; i++) {
    const struct claim_edge *e = &claim->edge[i];
    const uint64_t at = number[e->from];
    if (number[e->to] != at)
      continue;
    in[at].any |= e->marks;
    in[at].all = has_edge[at] ? in[at].all & e->marks : e->marks;
    has_edge[at] = true;
  }
  for (uint32_t s = 0; s < n; s++)
    part[s] = (struct claim_part){
        (uint32_t)number[s],
        judge(in[number[s]], bits_lowest(claim->n_marks), has_edge[number[s]])};
  return part;
}
