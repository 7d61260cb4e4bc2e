/* generalised.c - the transition-based generalised Büchi automaton (Gastin and Oddoux 2001,
 * section 4).
 *
 * A state is a set of states of the alternating automaton, all of which must accept the rest
 * of the word. Its edges are what moves of all of them can do together. An edge has the mark of
 * a promise f if f is not among what it leaves, or if f is kept by this step and only there
 * again because another state asks for it anew.
 *
 * Suspension (Babiak and others 2012, section 4.2): a state of the set whose truth is the same
 * at all times, as [] <> p, can wait as long as the set has a member that is bound to end. A
 * member that is no release ends in every accepting run; it comes back only if a release leads
 * to it. So if no release of the set reaches it, the wait is finite: of members that came again
 * and again meanwhile, infinitely many would descend from one and the same release, which stays
 * in the set. Releases [] <> f do not count here, for they too wait; and as they choose when
 * to ask for f, they can leave the others time.
 */
#include "lang/ltl/generalised.h"

#include "base/bits.h"

#include <string.h>

struct build {
  const struct alternating *a;
  struct arena *arena;
  bool suspend;
  const uint64_t **set; /* of a state */
  uint32_t n;
  uint32_t *slot; /* open addressing, state + 1 */
  uint64_t *reached;
  struct buchi_edges edges;
};

/* N formulas [] <> f keep their promises independently, with all subsets of them on edges. */
#define GENERALISED_TOGETHER 6u

/* Twice the states: always half empty. */
#define SLOTS (2u * GENERALISED_STATES)

static uint64_t hash_of(const struct alternating *a, const uint64_t *set) {
  uint64_t h = 0;
  for (uint32_t i = 0; i < a->words; i++) {
    h ^= set[i];
    h = bits_next_random(&h);
  }
  return h;
}

/* The number of a set, new or not; GENERALISED_STATES: one too many. */
static uint32_t state_of(struct build *b, const uint64_t *set) {
  const size_t bytes = b->a->words * sizeof *set;
  uint32_t at = (uint32_t)hash_of(b->a, set) % SLOTS;
  for (; b->slot[at] != 0; at = (at + 1) % SLOTS)
    if (memcmp(b->set[b->slot[at] - 1], set, bytes) == 0)
      return b->slot[at] - 1;
  if (b->n == GENERALISED_STATES)
    return GENERALISED_STATES;
  b->set[b->n] = set;
  b->slot[at] = ++b->n;
  return b->n - 1;
}

/* ---- moves of a set --------------------------------------------------------------------- */

/* [] <> f */
static bool is_repeated(const struct alternating *a, uint32_t q) {
  return a->mark[q] != ALTERNATING_UNMARKED && a->state[q]->op == CORE_RELEASE;
}

static bool is_alternating(const struct core *f) {
  return (f->traits & CORE_ALTERNATING) == CORE_ALTERNATING;
}

/* Whether a member that is bound to end is there, so that others may wait. */
static bool may_suspend(struct build *b, const uint64_t *set) {
  const struct alternating *a = b->a;
  if (!b->suspend)
    return false;
  memset(b->reached, 0, a->words * sizeof *b->reached);
  for (uint32_t q = 0; q < a->n; q++)
    for (uint32_t w = 0; bits_test(set, q) && w < a->words; w++)
      if (a->state[q]->op == CORE_RELEASE && !is_repeated(a, q))
        b->reached[w] |= a->reach[q][w];
  for (uint32_t q = 0; q < a->n; q++)
    if (bits_test(set, q) && a->state[q]->op != CORE_RELEASE && !is_alternating(a->state[q]) &&
        !bits_test(b->reached, q))
      return true;
  return false;
}

static struct alternating_moves waiting(struct build *b, uint32_t q) {
  struct alternating_moves moves = {0};
  uint64_t *set = ARENA_ARRAY(b->arena, b->a->words, uint64_t);
  bits_set(set, q);
  *ARENA_PUSH(b->arena, &moves) = (struct alternating_move){.target = set};
  return moves;
}

static uint32_t count_repeated(const struct alternating *a, const uint64_t *set) {
  uint32_t n = 0;
  for (uint32_t q = 0; q < a->n; q++)
    n += bits_test(set, q) && is_repeated(a, q);
  return n;
}

/* All together; of those that wait, or keep their promises later, only that they stay. */
static bool join_members(struct build *b, const uint64_t *set, bool suspended, bool later,
                         struct alternating_moves *out) {
  const struct alternating *a = b->a;
  *out = (struct alternating_moves){0};
  *ARENA_PUSH(b->arena, out) =
      (struct alternating_move){.target = ARENA_ARRAY(b->arena, a->words, uint64_t)};
  for (uint32_t q = 0; q < a->n; q++) {
    if (!bits_test(set, q))
      continue;
    struct alternating_moves product;
    struct alternating_moves own = a->moves[q];
    if ((suspended && is_alternating(a->state[q])) || (later && is_repeated(a, q)))
      own = waiting(b, q);
    if (!alternating_product(a, out, &own, &product))
      return false;
    *out = product;
  }
  return true;
}

/* Many members [] <> f would have as many moves as they have subsets. As each may wait as long
 * as it likes, it is enough that one at a time keeps its promise. */
static bool one_at_a_time(struct build *b, const uint64_t *set, struct alternating_moves *out) {
  struct alternating_moves all;
  if (!join_members(b, set, false, true, &all))
    return false;
  *out = (struct alternating_moves){0};
  for (uint32_t q = 0; q < b->a->n; q++) {
    struct alternating_moves with;
    if (!bits_test(set, q) || !is_repeated(b->a, q))
      continue;
    if (!alternating_product(b->a, &all, &b->a->moves[q], &with))
      return false;
    for (uint32_t i = 0; i < with.n; i++)
      *ARENA_PUSH(b->arena, out) = with.at[i];
  }
  return out->n <= GENERALISED_EDGES;
}

static bool moves_of(struct build *b, const uint64_t *set, struct alternating_moves *out) {
  const bool suspended = may_suspend(b, set);
  if (!suspended && count_repeated(b->a, set) > GENERALISED_TOGETHER)
    return one_at_a_time(b, set, out);
  return join_members(b, set, suspended, false, out);
}

/* ---- marks ------------------------------------------------------------------------------ */

static bool has_mark(const struct alternating *a, uint32_t q,
                     const struct alternating_move *move) {
  if (!bits_test(move->target, q) || (move->fulfilled >> a->mark[q] & 1) != 0)
    return true;
  for (uint32_t i = 0; i < a->moves[q].n; i++) {
    const struct alternating_move *m = &a->moves[q].at[i];
    if (m->fulfilled != 0 && label_cube_within(move->cube, m->cube) &&
        alternating_subset(a, m->target, move->target))
      return true;
  }
  return false;
}

static uint64_t marks_of(const struct alternating *a, const struct alternating_move *move) {
  uint64_t marks = 0;
  for (uint32_t q = 0; q < a->n; q++)
    if (a->mark[q] != ALTERNATING_UNMARKED && has_mark(a, q, move))
      marks |= UINT64_C(1) << a->mark[q];
  return marks;
}

/* Edges that read less, leave more and have no mark more than another are needless. */
static void drop_needless(const struct alternating *a, struct alternating_moves *moves) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < moves->n; i++) {
    const struct alternating_move *x = &moves->at[i];
    bool needed = true;
    for (uint32_t k = 0; k < moves->n && needed; k++) {
      const struct alternating_move *y = &moves->at[k];
      const bool within = label_cube_within(x->cube, y->cube) &&
                          alternating_subset(a, y->target, x->target) &&
                          (x->fulfilled & ~y->fulfilled) == 0;
      const bool equal = within && label_cube_within(y->cube, x->cube) &&
                         alternating_subset(a, x->target, y->target) &&
                         x->fulfilled == y->fulfilled;
      needed = k == i || !within || (equal && i < k);
    }
    if (needed)
      moves->at[kept++] = *x;
  }
  moves->n = kept;
}

static bool expand(struct build *b, uint32_t state) {
  struct alternating_moves moves;
  if (!moves_of(b, b->set[state], &moves))
    return false;
  for (uint32_t i = 0; i < moves.n; i++)
    moves.at[i].fulfilled = marks_of(b->a, &moves.at[i]); /* from now on: marks */
  drop_needless(b->a, &moves);
  for (uint32_t i = 0; i < moves.n; i++) {
    const uint32_t to = state_of(b, moves.at[i].target);
    if (to == GENERALISED_STATES || b->edges.n == GENERALISED_EDGES)
      return false;
    *ARENA_PUSH(b->arena, &b->edges) = (struct buchi_edge){
        state, to, moves.at[i].fulfilled, label_of_cube(b->arena, moves.at[i].cube)};
  }
  return true;
}

struct buchi *generalised_of(const struct alternating *a, bool suspend, const char **why) {
  struct build b = {.a = a, .arena = a->arena, .suspend = suspend};
  b.set = ARENA_ARRAY(b.arena, GENERALISED_STATES, const uint64_t *);
  b.slot = ARENA_ARRAY(b.arena, SLOTS, uint32_t);
  b.reached = ARENA_ARRAY(b.arena, a->words, uint64_t);
  state_of(&b, a->initial);
  for (uint32_t i = 0; i < b.n; i++)
    if (!expand(&b, i)) {
      *why = "it has more than 4096 states or 65536 edges";
      return NULL;
    }
  const struct buchi like = {.arena = b.arena, .n_marks = a->n_marks};
  return buchi_make(&like, b.n, 0, &b.edges);
}
