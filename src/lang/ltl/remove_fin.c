/* remove_fin.c - each part of a condition has a copy of the automaton.
 *
 * A run that is accepted by a part passes its Fin marks for a last time. So the copy of the
 * part lacks the edges with such marks, and what is left to ask of runs in it is to pass marks
 * of its clauses again and again. Runs begin in the automaton as it was, where nothing is
 * accepted, and may go over to a copy on any edge that the copy has; that is where the
 * automaton guesses. What a run does in the end it does in a component, so a copy consists of
 * those components only that have marks of all its clauses. A part without Fin has no copy: the
 * automaton as it was accepts for it.
 */
#include "lang/ltl/remove_fin.h"

#include "lang/ltl/components.h"

#include <string.h>

struct removal {
  struct arena *arena;
  const struct buchi_edges *edges; /* as given */
  uint32_t n_given;                /* states */
  uint32_t n_states, n_marks;      /* of what is made */
  struct buchi_edges out;
};

/* The marks of an edge in a copy: one for each clause, and all that the copy has no use for. */
static uint64_t marks_of(const struct removal *r, const struct acceptance_part *part,
                         uint64_t marks) {
  uint64_t out = 0;
  for (uint32_t i = 0; i < part->n; i++)
    out |= (uint64_t)((marks & part->clause[i]) != 0) << i;
  return out | (bits_lowest(r->n_marks) & ~bits_lowest(part->n));
}

/* All states, without the edges that the part forbids. */
static const struct buchi *without(const struct removal *r,
                                   const struct acceptance_part *part) {
  const struct buchi like = {.arena = r->arena, .n_marks = r->n_marks};
  struct buchi_edges edges = {0};
  for (uint32_t i = 0; i < r->edges->n; i++) {
    struct buchi_edge e = r->edges->at[i];
    if ((e.marks & part->fin) != 0)
      continue;
    e.marks = marks_of(r, part, e.marks);
    *ARENA_PUSH(r->arena, &edges) = e;
  }
  return buchi_make(&like, r->n_given, 0, &edges);
}

static void add_copy(struct removal *r, const struct acceptance_part *part) {
  const struct buchi *b = without(r, part);
  const struct components *c = components_of(b);
  uint32_t *copy = ARENA_ARRAY(r->arena, r->n_given, uint32_t);
  for (uint32_t s = 0; s < r->n_given; s++)
    copy[s] = c->accepting[c->of[s]] ? r->n_states++ : BUCHI_DROPPED;
  for (uint32_t i = 0; i < b->n_edges; i++) {
    struct buchi_edge e = b->edge[i];
    if (copy[e.to] == BUCHI_DROPPED)
      continue;
    const uint64_t marks = e.marks;
    e.to = copy[e.to];
    e.marks = 0;
    *ARENA_PUSH(r->arena, &r->out) = e;
    if (!components_inside(c, &b->edge[i]))
      continue;
    e.from = copy[e.from];
    e.marks = marks;
    *ARENA_PUSH(r->arena, &r->out) = e;
  }
}

/* As many marks as a part has clauses; one at least where not every run is accepted. */
static uint32_t count_marks(const struct acceptance_parts *parts) {
  uint32_t most = parts->n == 1 && parts->at[0].fin == 0 ? 0 : 1;
  for (uint32_t i = 0; i < parts->n; i++)
    if (parts->at[i].n > most)
      most = parts->at[i].n;
  return most;
}

struct buchi *remove_fin(struct arena *arena, uint32_t n_states, uint32_t initial,
                         struct buchi_edges *edges, const struct acceptance *a) {
  const struct acceptance_parts parts = acceptance_parts(arena, a);
  struct removal r = {.arena = arena,
                      .edges = edges,
                      .n_given = n_states,
                      .n_states = n_states,
                      .n_marks = count_marks(&parts)};
  const uint32_t own = parts.n > 0 && parts.at[0].fin == 0;
  if ((uint64_t)(edges->n + n_states) * (parts.n - own) > REMOVE_FIN_EDGES)
    return NULL;
  for (uint32_t i = own; i < parts.n; i++)
    add_copy(&r, &parts.at[i]);
  for (uint32_t i = 0; i < edges->n; i++) {
    struct buchi_edge *e = &edges->at[i];
    e->marks = own == 0 ? 0 : marks_of(&r, &parts.at[0], e->marks);
  }
  for (uint32_t i = 0; i < r.out.n; i++)
    *ARENA_PUSH(arena, edges) = r.out.at[i];
  const struct buchi like = {.arena = arena, .n_marks = r.n_marks};
  return buchi_make(&like, r.n_states, initial, edges);
}
