/* clean.c - what cannot matter in a Büchi automaton (Somenzi and Bloem 2000, section 4;
 * Babiak and others 2013, on marks). */
#include "lang/ltl/clean.h"

#include "lang/ltl/components.h"

/* A state is useful if it is in an accepting component or leads to a useful one. */
static struct buchi *drop_useless(const struct buchi *b) {
  const struct components *c = components_of(b);
  bool *useful = ARENA_ARRAY(b->arena, c->n, bool);
  uint32_t *to = ARENA_ARRAY(b->arena, b->n_states, uint32_t);
  uint32_t *by_component = ARENA_ARRAY(b->arena, b->n_states, uint32_t);
  uint32_t *start = ARENA_ARRAY(b->arena, c->n + 2u, uint32_t);
  for (uint32_t s = 0; s < b->n_states; s++)
    start[c->of[s] + 2]++;
  for (uint32_t i = 2; i < c->n + 2u; i++)
    start[i] += start[i - 1];
  for (uint32_t s = 0; s < b->n_states; s++)
    by_component[start[c->of[s] + 1]++] = s;
  for (uint32_t i = 0; i < b->n_states; i++) { /* components that are led to come first */
    const uint32_t s = by_component[i];
    bool *here = &useful[c->of[s]];
    *here = *here || c->accepting[c->of[s]];
    for (uint32_t k = b->first[s]; k < b->first[s + 1] && !*here; k++)
      *here = useful[c->of[b->edge[k].to]];
  }
  uint32_t n = 0;
  for (uint32_t s = 0; s < b->n_states; s++)
    to[s] = useful[c->of[s]] || s == b->initial ? n++ : BUCHI_DROPPED;
  struct buchi *kept = buchi_renumber(b, to, NULL, n);
  if (useful[c->of[b->initial]])
    return kept;
  struct buchi_edges none = {0};
  return buchi_make(b, 1, 0, &none);
}

/* Marks as they matter: none outside of accepting components, all where no cycle is bad. Marks
 * of states are those of all their edges. */
static uint64_t marks_of(const struct buchi *b, const struct components *c,
                         const struct buchi_edge *e) {
  const uint32_t component = c->of[e->from];
  if (!c->accepting[component] || (!components_inside(c, e) && !b->state_marks))
    return 0;
  return c->without_bad[component] ? buchi_all_marks(b) : e->marks;
}

/* Those of `wanted` that no other one implies on the edges of one component, or of all. */
static uint64_t needed(const struct buchi *b, const struct components *c, uint32_t component) {
  uint64_t left = buchi_all_marks(b);
  for (uint32_t m = 0; m < b->n_marks; m++) {
    uint64_t implies_m = left & ~(UINT64_C(1) << m); /* on each edge that has them */
    bool everywhere = true;
    for (uint32_t i = 0; i < b->n_edges; i++) {
      const struct buchi_edge *e = &b->edge[i];
      if (!components_inside(c, e) || !c->accepting[c->of[e->from]] ||
          (component != UINT32_MAX && c->of[e->from] != component) || (e->marks >> m & 1) != 0)
        continue;
      everywhere = false;
      implies_m &= ~e->marks;
    }
    if (everywhere || implies_m != 0)
      left &= ~(UINT64_C(1) << m);
  }
  return left;
}

/* The bits of `marks` at the places of `kept`, close together. */
static uint64_t gather(uint64_t marks, uint64_t kept) {
  uint64_t out = 0;
  uint32_t n = 0;
  for (; kept != 0; kept &= kept - 1, n++)
    if ((marks & kept & -kept) != 0)
      out |= UINT64_C(1) << n;
  return out;
}

/* Whether a run may go round without end and without being accepted. */
static bool has_bad_cycle(const struct components *c) {
  for (uint32_t i = 0; i < c->n; i++)
    if (c->cyclic[i] && !(c->accepting[i] && c->without_bad[i]))
      return true;
  return false;
}

struct buchi *clean(const struct buchi *b) {
  b = drop_useless(buchi_reachable(b));
  const struct components *c = components_of(b);
  struct buchi_edges edges = buchi_copy_edges(b);
  for (uint32_t i = 0; i < edges.n; i++)
    edges.at[i].marks = marks_of(b, c, &b->edge[i]);
  b = buchi_make(b, b->n_states, b->initial, &edges);
  c = components_of(b);
  uint64_t kept = needed(b, c, UINT32_MAX);
  if (kept == 0 && has_bad_cycle(c) && b->n_marks > 0)
    kept = 1;
  edges = buchi_copy_edges(b);
  for (uint32_t i = 0; i < edges.n; i++)
    edges.at[i].marks = gather(edges.at[i].marks, kept);
  struct buchi like = *b;
  like.n_marks = (uint32_t)__builtin_popcountll(kept);
  return buchi_reachable(buchi_make(&like, b->n_states, b->initial, &edges));
}

struct buchi *clean_marks(const struct buchi *b) {
  b = clean(b);
  const struct components *c = components_of(b);
  uint64_t *kept = ARENA_ARRAY(b->arena, c->n, uint64_t);
  uint32_t most = has_bad_cycle(c) && b->n_marks > 0;
  for (uint32_t i = 0; i < c->n; i++) {
    kept[i] = c->accepting[i] ? needed(b, c, i) : 0;
    const uint32_t n = (uint32_t)__builtin_popcountll(kept[i]);
    most = n > most ? n : most;
  }
  struct buchi like = *b;
  like.n_marks = most;
  struct buchi_edges edges = buchi_copy_edges(b);
  for (uint32_t i = 0; i < edges.n; i++) {
    const uint32_t component = c->of[edges.at[i].from];
    if (!components_inside(c, &edges.at[i]) || !c->accepting[component])
      continue;
    const uint32_t n = (uint32_t)__builtin_popcountll(kept[component]);
    edges.at[i].marks = gather(edges.at[i].marks, kept[component]) |
                        (buchi_all_marks(&like) & ~((UINT64_C(1) << n) - 1));
  }
  return buchi_make(&like, b->n_states, b->initial, &edges);
}
