/* remove_fin.c - each alternative of a condition has a copy of the automaton.
 *
 * A run that is accepted by an alternative passes its Fin marks for a last time. So the copy of
 * the alternative lacks the edges with such marks, and what is left to ask of runs in it is to
 * pass its Inf marks again and again. Runs begin in the automaton as it was, where nothing is
 * accepted, and may go over to a copy on any edge that the copy has; that is where the
 * automaton guesses. What a run does in the end it does in a component, so a copy consists of
 * those components only that have all of its Inf marks. An alternative without Fin has no copy:
 * the automaton as it was accepts for it.
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

/* The marks of an edge in a copy: those in `inf`, numbered anew, and all that the copy has no
 * use for. */
static uint64_t marks_of(const struct removal *r, uint64_t inf, uint64_t marks) {
  uint64_t out = 0;
  uint32_t n = 0;
  for (uint32_t m = 0; m < 64; m++)
    if ((inf >> m & 1) != 0)
      out |= (marks >> m & 1) << n++;
  return out | (bits_lowest(r->n_marks) & ~bits_lowest(n));
}

/* All states, without the edges that the alternative forbids. */
static const struct buchi *without(const struct removal *r, struct acceptance_alternative a) {
  const struct buchi like = {.arena = r->arena, .n_marks = r->n_marks};
  struct buchi_edges edges = {0};
  for (uint32_t i = 0; i < r->edges->n; i++) {
    struct buchi_edge e = r->edges->at[i];
    if ((e.marks & a.fin) != 0)
      continue;
    e.marks = marks_of(r, a.inf, e.marks);
    *ARENA_PUSH(r->arena, &edges) = e;
  }
  return buchi_make(&like, r->n_given, 0, &edges);
}

static void add_copy(struct removal *r, struct acceptance_alternative a) {
  const struct buchi *b = without(r, a);
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

/* The alternative that needs no copy; UINT32_MAX: all do. */
static uint32_t without_fin(const struct acceptance *a) {
  for (uint32_t i = 0; i < a->n; i++)
    if (a->at[i].fin == 0)
      return i;
  return UINT32_MAX;
}

/* As many marks as an alternative has; one at least where not every run is accepted. */
static uint32_t count_marks(const struct acceptance *a) {
  uint32_t most = a->n == 1 && a->at[0].fin == 0 ? 0 : 1;
  for (uint32_t i = 0; i < a->n; i++)
    if (bits_count(a->at[i].inf) > most)
      most = bits_count(a->at[i].inf);
  return most;
}

struct buchi *remove_fin(struct arena *arena, uint32_t n_states, uint32_t initial,
                         struct buchi_edges *edges, const struct acceptance *a) {
  struct removal r = {.arena = arena,
                      .edges = edges,
                      .n_given = n_states,
                      .n_states = n_states,
                      .n_marks = count_marks(a)};
  const uint32_t own = without_fin(a);
  if ((uint64_t)(edges->n + n_states) * a->n > REMOVE_FIN_EDGES && (a->n > 1 || own != 0))
    return NULL;
  for (uint32_t i = 0; i < a->n; i++)
    if (i != own)
      add_copy(&r, a->at[i]);
  for (uint32_t i = 0; i < edges->n; i++) {
    struct buchi_edge *e = &edges->at[i];
    e->marks = own == UINT32_MAX ? 0 : marks_of(&r, a->at[own].inf, e->marks);
  }
  for (uint32_t i = 0; i < r.out.n; i++)
    *ARENA_PUSH(arena, edges) = r.out.at[i];
  const struct buchi like = {.arena = arena, .n_marks = r.n_marks};
  return buchi_make(&like, r.n_states, initial, edges);
}
