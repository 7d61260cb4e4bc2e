/* simulation.c - reduction by simulation (Somenzi and Bloem 2000, section 4; Etessami and
 * Holzmann 2000, section 4), on edges with marks.
 *
 * t simulates s if for every letter of every edge of s, t has an edge with that letter and no
 * fewer marks, to a state that simulates the one that s goes to. Different letters of one edge
 * may be matched by different edges. The relation is the largest one, found by taking pairs
 * out of the full one.
 *
 * Backwards it is the same on the automaton turned round, where the initial state is only
 * simulated by itself.
 *
 * A run passes edges between components finitely often, so for languages such an edge of t
 * counts as having all marks. That relation is sound for inclusion and is no preorder, so it
 * must not be used to merge. It is used so: if s and t have the same language and t does not
 * reach s, edges to s may go to t instead, for what t accepts does not change by that.
 */
#include "lang/ltl/simulation.h"

#include "lang/ltl/components.h"

#include "base/bits.h"

#include <string.h>

struct relation {
  const struct buchi *b;
  uint32_t words;
  uint64_t *above;                /* for each state, those that simulate it */
  const struct components *free_; /* edges between these have all marks; NULL: none */
};

static bool is_above(const struct relation *r, uint32_t s, uint32_t t) {
  return bits_test(r->above + (size_t)s * r->words, t);
}

static bool matches(const struct relation *r, const struct buchi_edge *e,
                    const struct buchi_edge *f) {
  const bool any_marks = r->free_ != NULL && !components_inside(r->free_, f);
  return (any_marks || (e->marks & ~f->marks) == 0) && is_above(r, e->to, f->to);
}

/* Whether the edges of t match this edge, letter by letter. */
static bool edge_matched(const struct relation *r, const struct buchi_edge *e, uint32_t t) {
  const struct buchi *b = r->b;
  struct label_cube all[LABEL_CUBES];
  uint32_t n = 0;
  for (uint32_t i = b->first[t]; i < b->first[t + 1]; i++) {
    const struct buchi_edge *f = &b->edge[i];
    if (!matches(r, e, f) || !label_meet(e->label, f->label))
      continue;
    if (e->label.n == 1 && f->label.n == 1 && label_cube_within(e->label.at[0], f->label.at[0]))
      return true;
    for (uint32_t k = 0; k < f->label.n && n < LABEL_CUBES; k++)
      all[n++] = f->label.at[k];
  }
  return label_within(e->label, (struct label){all, n});
}

static bool state_matched(const struct relation *r, uint32_t s, uint32_t t) {
  const struct buchi *b = r->b;
  for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++)
    if (!edge_matched(r, &b->edge[i], t))
      return false;
  return true;
}

static bool leads_to_one_of(const struct buchi *b, uint32_t s, const bool *set) {
  for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++)
    if (set[b->edge[i].to])
      return true;
  return false;
}

/* What simulates s is looked at again after less simulates a state that s leads to. */
static void refine(struct relation *r) {
  const uint32_t n = r->b->n_states;
  bool *changed = ARENA_ARRAY(r->b->arena, n, bool); /* since the last round */
  bool *changing = ARENA_ARRAY(r->b->arena, n, bool);
  memset(changed, true, n);
  for (bool any = true; any;) {
    any = false;
    memset(changing, false, n);
    for (uint32_t s = 0; s < n; s++) {
      if (!leads_to_one_of(r->b, s, changed) && !leads_to_one_of(r->b, s, changing))
        continue;
      for (uint32_t t = 0; t < n; t++)
        if (s != t && is_above(r, s, t) && !state_matched(r, s, t)) {
          bits_clear(r->above, (size_t)s * r->words * 64 + t);
          any = changing[s] = true;
        }
    }
    memcpy(changed, changing, n);
  }
}

static struct relation relate(const struct buchi *b, const struct components *free_) {
  struct relation r = {.b = b, .words = BITS_WORDS(b->n_states), .free_ = free_};
  r.above = ARENA_ARRAY(b->arena, (size_t)r.words * b->n_states, uint64_t);
  memset(r.above, 0xff, (size_t)r.words * b->n_states * sizeof *r.above);
  return r;
}

/* The first of the states that simulate s and are simulated by it. */
static uint32_t first_equal(const struct relation *r, uint32_t s) {
  for (uint32_t t = 0; t < s; t++)
    if (is_above(r, s, t) && is_above(r, t, s))
      return t;
  return s;
}

/* ---- forward and backward --------------------------------------------------------------- */

/* Whether all that is accepted from edge e on is from edge f on, too. */
static bool is_as_good(const struct relation *r, const struct buchi_edge *f,
                       const struct buchi_edge *e) {
  const struct components *c = r->free_;
  return (c == NULL ? (e->marks & ~f->marks) == 0
                    : !components_inside(c, e) && !components_inside(c, f)) &&
         is_above(r, e->to, f->to);
}

/* Takes letters from edges where another edge of the same state is as good. One edge after
 * the other: what is taken from an edge is with one that still has it. */
static struct buchi *prune(const struct relation *r) {
  const struct buchi *b = r->b;
  struct buchi_edges edges = buchi_copy_edges(b);
  for (uint32_t s = 0; s < b->n_states; s++)
    for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++)
      for (uint32_t k = b->first[s]; k < b->first[s + 1]; k++) {
        struct buchi_edge *e = &edges.at[i];
        const struct buchi_edge *f = &edges.at[k];
        if (i != k && is_as_good(r, f, e) && label_meet(e->label, f->label))
          e->label = label_minus(b->arena, e->label, f->label);
      }
  return buchi_make(b, b->n_states, b->initial, &edges);
}

static struct buchi *merge(const struct relation *r) {
  const struct buchi *b = r->b;
  uint32_t *to = ARENA_ARRAY(b->arena, b->n_states, uint32_t);
  bool *keep = ARENA_ARRAY(b->arena, b->n_states, bool);
  uint32_t n = 0;
  for (uint32_t s = 0; s < b->n_states; s++) {
    const uint32_t other = first_equal(r, s);
    keep[s] = other == s;
    to[s] = keep[s] ? n++ : to[other];
  }
  return n == b->n_states ? NULL : buchi_renumber(b, to, keep, n);
}

static struct buchi *by_relation(struct relation *r) {
  refine(r);
  struct buchi *merged = merge(r);
  return merged != NULL ? merged : prune(r);
}

struct buchi *simulation_forward(const struct buchi *b) {
  if (b->n_states > SIMULATION_STATES)
    return (struct buchi *)b;
  struct relation r = relate(b, NULL);
  return by_relation(&r);
}

static struct buchi *turn(const struct buchi *b) {
  struct buchi_edges edges = buchi_copy_edges(b);
  for (uint32_t i = 0; i < edges.n; i++) {
    edges.at[i].from = b->edge[i].to;
    edges.at[i].to = b->edge[i].from;
  }
  return buchi_make(b, b->n_states, b->initial, &edges);
}

static uint64_t state_marks(const struct buchi *b, uint32_t s) {
  return b->first[s] < b->first[s + 1] ? b->edge[b->first[s]].marks : 0;
}

struct buchi *simulation_backward(const struct buchi *b) {
  if (b->n_states > SIMULATION_STATES)
    return (struct buchi *)b;
  struct relation r = relate(turn(b), NULL);
  for (uint32_t s = 0; s < b->n_states; s++)
    for (uint32_t t = 0; t < b->n_states; t++)
      if ((s == b->initial && t != s) ||
          (b->state_marks && (state_marks(b, s) & ~state_marks(b, t)) != 0))
        bits_clear(r.above, (size_t)s * r.words * 64 + t);
  return turn(by_relation(&r));
}

/* ---- by language ------------------------------------------------------------------------ */

/* The state in the lowest component that has the same language as s, or s. */
static uint32_t stand_in(const struct relation *r, const struct components *c, uint32_t s) {
  uint32_t best = s;
  for (uint32_t t = 0; t < r->b->n_states; t++)
    if (c->of[t] < c->of[best] && is_above(r, s, t) && is_above(r, t, s))
      best = t;
  return best;
}

struct buchi *simulation_redirect(const struct buchi *b) {
  if (b->n_states > SIMULATION_STATES)
    return (struct buchi *)b;
  const struct components *c = components_of(b);
  struct relation r = relate(b, c);
  refine(&r);
  uint32_t *to = ARENA_ARRAY(b->arena, b->n_states, uint32_t);
  bool changed = false;
  for (uint32_t s = 0; s < b->n_states; s++) {
    to[s] = stand_in(&r, c, s);
    changed = changed || to[s] != s;
  }
  if (!changed)
    return prune(&r);
  for (uint32_t s = 0; s < b->n_states; s++) /* a stand-in may have one itself */
    while (to[to[s]] != to[s])
      to[s] = to[to[s]];
  struct buchi_edges edges = buchi_copy_edges(b);
  for (uint32_t i = 0; i < edges.n; i++)
    edges.at[i].to = to[edges.at[i].to];
  return buchi_make(b, b->n_states, to[b->initial], &edges);
}
