/* buchi.c - Büchi automata: making them, putting their edges in order. */
#include "lang/ltl/buchi.h"

#include <stdlib.h>
#include <string.h>

static int by_ends(const void *a, const void *b) {
  const struct buchi_edge *x = a;
  const struct buchi_edge *y = b;
  if (x->from != y->from)
    return x->from > y->from ? 1 : -1;
  if (x->to != y->to)
    return x->to > y->to ? 1 : -1;
  if (x->marks != y->marks)
    return x->marks > y->marks ? 1 : -1;
  return label_compare(x->label, y->label);
}

static bool is_sorted(const struct buchi_edges *edges) {
  for (uint32_t i = 1; i < edges->n; i++)
    if (by_ends(&edges->at[i - 1], &edges->at[i]) > 0)
      return false;
  return true;
}

static bool same_ends(const struct buchi_edge *x, const struct buchi_edge *y) {
  return x->from == y->from && x->to == y->to;
}

/* Edges with the same ends and marks become one. */
static uint32_t unite(struct arena *arena, struct buchi_edge *edge, uint32_t n) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    struct buchi_edge *last = kept > 0 ? &edge[kept - 1] : NULL;
    if (last != NULL && same_ends(last, &edge[i]) && last->marks == edge[i].marks)
      last->label = label_or(arena, last->label, edge[i].label);
    else
      edge[kept++] = edge[i];
  }
  return kept;
}

/* Takes letters from edges that have the same ends as others with more marks. */
static uint32_t prefer_marks(struct arena *arena, struct buchi_edge *edge, uint32_t n) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i + 1; k < n && same_ends(&edge[i], &edge[k]); k++) {
      if ((edge[i].marks & ~edge[k].marks) == 0 && label_meet(edge[i].label, edge[k].label))
        edge[i].label = label_minus(arena, edge[i].label, edge[k].label);
      else if ((edge[k].marks & ~edge[i].marks) == 0 &&
               label_meet(edge[i].label, edge[k].label))
        edge[k].label = label_minus(arena, edge[k].label, edge[i].label);
    }
  for (uint32_t i = 0; i < n; i++)
    if (edge[i].label.n > 0)
      edge[kept++] = edge[i];
  return kept;
}

struct buchi *buchi_make(const struct buchi *like, uint32_t n_states, uint32_t initial,
                         struct buchi_edges *edges) {
  struct buchi *b = ARENA_NEW(like->arena, struct buchi);
  uint32_t *first = ARENA_ARRAY(like->arena, n_states + 2u, uint32_t);
  *b = *like;
  b->n_states = n_states;
  b->initial = initial;
  if (!is_sorted(edges))
    qsort(edges->at, edges->n, sizeof *edges->at, by_ends);
  b->n_edges = unite(b->arena, edges->at, edges->n);
  b->n_edges = prefer_marks(b->arena, edges->at, b->n_edges);
  b->edge = edges->at;
  for (uint32_t i = 0; i < b->n_edges; i++)
    first[b->edge[i].from + 1]++;
  for (uint32_t s = 0; s < n_states; s++)
    first[s + 1] += first[s];
  b->first = first;
  return b;
}

struct buchi_edges buchi_copy_edges(const struct buchi *b) {
  struct buchi_edges edges = {ARENA_ARRAY(b->arena, b->n_edges + 1u, struct buchi_edge),
                              b->n_edges, b->n_edges + 1u};
  if (b->n_edges > 0)
    memcpy(edges.at, b->edge, b->n_edges * sizeof *b->edge);
  return edges;
}

struct buchi *buchi_renumber(const struct buchi *b, const uint32_t *to, const bool *keep,
                             uint32_t n_states) {
  struct buchi_edges edges = {.at = ARENA_ARRAY(b->arena, b->n_edges + 1u, struct buchi_edge),
                              .capacity = b->n_edges + 1u};
  for (uint32_t i = 0; i < b->n_edges; i++) {
    struct buchi_edge e = b->edge[i];
    if (to[e.from] == BUCHI_DROPPED || to[e.to] == BUCHI_DROPPED ||
        (keep != NULL && !keep[e.from]))
      continue;
    e.from = to[e.from];
    e.to = to[e.to];
    *ARENA_PUSH(b->arena, &edges) = e;
  }
  return buchi_make(b, n_states, to[b->initial], &edges);
}

struct buchi *buchi_reachable(const struct buchi *b) {
  uint32_t *to = ARENA_ARRAY(b->arena, b->n_states, uint32_t);
  uint32_t *queue = ARENA_ARRAY(b->arena, b->n_states, uint32_t);
  uint32_t n = 1;
  memset(to, 0xff, b->n_states * sizeof *to);
  queue[0] = b->initial;
  to[b->initial] = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = b->first[queue[i]]; k < b->first[queue[i] + 1]; k++)
      if (to[b->edge[k].to] == BUCHI_DROPPED) {
        to[b->edge[k].to] = n;
        queue[n++] = b->edge[k].to;
      }
  return buchi_renumber(b, to, NULL, n);
}

bool buchi_is_deterministic(const struct buchi *b) {
  for (uint32_t s = 0; s < b->n_states; s++)
    for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++)
      for (uint32_t k = i + 1; k < b->first[s + 1]; k++)
        if (label_meet(b->edge[i].label, b->edge[k].label))
          return false;
  return true;
}

bool buchi_is_complete(const struct buchi *b) {
  for (uint32_t s = 0; s < b->n_states; s++) {
    struct label all = {0};
    for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++)
      all = label_or(b->arena, all, b->edge[i].label);
    if (!label_is_true(all))
      return false;
  }
  return true;
}
