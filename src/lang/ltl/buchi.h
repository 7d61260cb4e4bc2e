/* buchi.h - Büchi automata: transition-based, with generalised acceptance.
 *
 * A run is accepted if it passes each of the marks infinitely often; marks are on edges. One
 * mark is a Büchi automaton, none accepts every infinite run. With `state_marks` all edges of a
 * state have the same marks, so that the state may be said to have them. Automata are made
 * whole and not changed after: every pass makes a new one in the same arena.
 */
#ifndef CAIRN_LANG_LTL_BUCHI_H
#define CAIRN_LANG_LTL_BUCHI_H

#include "lang/ltl/label.h"

#include "base/bits.h"

struct buchi_edge {
  uint32_t from, to;
  uint64_t marks;
  struct label label;
};

struct buchi_edges {
  struct buchi_edge *at;
  uint32_t n, capacity;
};

struct buchi {
  struct arena *arena;
  uint32_t n_states; /* at least one */
  uint32_t initial;
  uint32_t n_marks; /* at most 64 */
  bool state_marks;
  uint32_t n_edges;
  const struct buchi_edge *edge; /* by source; of a source by target, marks */
  const uint32_t *first;         /* of a state's edges; n_states + 1 entries */
};

static inline uint64_t buchi_all_marks(const struct buchi *b) {
  return bits_lowest(b->n_marks);
}

/* Puts edges in order. Edges with the same ends and marks become one, empty ones are dropped,
 * and a letter that an edge with the same ends and more marks has is taken from the one with
 * fewer. `like` gives arena, number of marks, state_marks. The list is used up. */
struct buchi *buchi_make(const struct buchi *like, uint32_t n_states, uint32_t initial,
                         struct buchi_edges *);

/* A list of its edges, to change. */
struct buchi_edges buchi_copy_edges(const struct buchi *);

/* The automaton with each state replaced: to[s] is the new number of s, or BUCHI_DROPPED.
 * Edges of a state that goes to another are kept only where keep[s] is set (NULL: all). */
#define BUCHI_DROPPED UINT32_MAX
struct buchi *buchi_renumber(const struct buchi *, const uint32_t *to, const bool *keep,
                             uint32_t n_states);

/* Without states that the initial one does not reach, numbered in breadth-first order. */
struct buchi *buchi_reachable(const struct buchi *);

bool buchi_is_deterministic(const struct buchi *);
bool buchi_is_complete(const struct buchi *);

#endif
