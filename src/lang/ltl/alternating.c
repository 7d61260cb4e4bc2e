/* alternating.c - the very weak alternating automaton (Gastin and Oddoux 2001, section 3).
 *
 * The moves of a formula follow its expansion: f U g is g, or f and f U g next; f R g is g,
 * and f or f R g next. Two things differ from the paper, both of Babiak and others 2012,
 * section 4. A disjunction after "next" is a state of its own, which leaves the choice to the
 * letter that decides it. And [] <> f is one state that keeps its promise by every move that
 * satisfies f, instead of a state that spawns another.
 */
#include "lang/ltl/alternating.h"

#include "base/bits.h"

#include <string.h>

struct build {
  struct alternating *a;
  uint32_t *index; /* of a formula's id; UINT32_MAX: no part */
  bool *expanded;  /* of a state: its moves are there */
  bool failed;
};

static uint64_t *new_set(const struct alternating *a) {
  return ARENA_ARRAY(a->arena, a->words, uint64_t);
}

static const uint64_t *join(const struct alternating *a, const uint64_t *x, const uint64_t *y) {
  if (alternating_subset(a, y, x))
    return x;
  if (alternating_subset(a, x, y))
    return y;
  uint64_t *set = new_set(a);
  for (uint32_t i = 0; i < a->words; i++)
    set[i] = x[i] | y[i];
  return set;
}

/* Whether whatever is possible by x is so by y. */
static bool needless(const struct alternating *a, const struct alternating_move *x,
                     const struct alternating_move *y) {
  return label_cube_within(x->cube, y->cube) && (x->fulfilled & ~y->fulfilled) == 0 &&
         alternating_subset(a, y->target, x->target);
}

/* False: too many. */
static bool add(const struct alternating *a, struct alternating_moves *moves,
                struct alternating_move move) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < moves->n; i++)
    if (needless(a, &move, &moves->at[i]))
      return true;
  for (uint32_t i = 0; i < moves->n; i++)
    if (!needless(a, &moves->at[i], &move))
      moves->at[kept++] = moves->at[i];
  moves->n = kept;
  if (moves->n == ALTERNATING_MOVES)
    return false;
  *ARENA_PUSH(a->arena, moves) = move;
  return true;
}

bool alternating_product(const struct alternating *a, const struct alternating_moves *x,
                         const struct alternating_moves *y, struct alternating_moves *out) {
  *out = (struct alternating_moves){0};
  for (uint32_t i = 0; i < x->n; i++)
    for (uint32_t k = 0; k < y->n; k++) {
      const struct alternating_move *m = &x->at[i];
      const struct alternating_move *n = &y->at[k];
      if (!label_cubes_meet(m->cube, n->cube))
        continue;
      const struct alternating_move both = {
          .cube = {m->cube.yes | n->cube.yes, m->cube.no | n->cube.no},
          .fulfilled = m->fulfilled | n->fulfilled,
          .target = join(a, m->target, n->target)};
      if (!add(a, out, both))
        return false;
    }
  return true;
}

/* ---- expansion ------------------------------------------------------------------------------
 */

static const struct alternating_moves *expand(struct build *b, const struct core *f);

static void set_formula(const struct build *b, const struct core *f, uint64_t *set) {
  if (f->op == CORE_AND)
    for (uint32_t i = 0; i < f->n; i++)
      bits_set(set, b->index[f->of[i]->id]);
  else if (f->op != CORE_TRUE)
    bits_set(set, b->index[f->id]);
}

/* Reads any letter and leaves f. */
static struct alternating_move later(const struct build *b, const struct core *f) {
  uint64_t *set = new_set(b->a);
  set_formula(b, f, set);
  return (struct alternating_move){.target = set};
}

static void add_all(struct build *b, struct alternating_moves *to,
                    const struct alternating_moves *from) {
  for (uint32_t i = 0; i < from->n; i++)
    if (!add(b->a, to, from->at[i]))
      b->failed = true;
}

static void multiply(struct build *b, const struct alternating_moves *x,
                     const struct alternating_moves *y, struct alternating_moves *out) {
  if (!alternating_product(b->a, x, y, out))
    b->failed = true;
}

static bool is_repeated(const struct core *f) {
  return core_is_always(f) && core_is_eventually(f->of[1]);
}

/* f U g: g, or f and the same later. */
static void expand_until(struct build *b, const struct core *f, struct alternating_moves *out) {
  struct alternating_move self = later(b, f);
  const struct alternating_moves again = {.at = &self, .n = 1};
  struct alternating_moves wait;
  multiply(b, expand(b, f->of[0]), &again, &wait);
  add_all(b, out, expand(b, f->of[1]));
  add_all(b, out, &wait);
}

/* f R g: g, and f or the same later. [] <> g: g or not, and the same later. */
static void expand_release(struct build *b, const struct core *f,
                           struct alternating_moves *out) {
  struct alternating_move self = later(b, f);
  struct alternating_moves again = {0};
  add(b->a, &again, self);
  if (is_repeated(f)) {
    multiply(b, expand(b, f->of[1]->of[1]), &again, out);
    for (uint32_t i = 0; i < out->n; i++)
      out->at[i].fulfilled = 1; /* a note for fulfil() */
    if (!add(b->a, out, self))
      b->failed = true;
    return;
  }
  add_all(b, &again, expand(b, f->of[0]));
  multiply(b, expand(b, f->of[1]), &again, out);
}

static void expand_many(struct build *b, const struct core *f, struct alternating_moves *out) {
  add_all(b, out, expand(b, f->of[0]));
  for (uint32_t i = 1; i < f->n && !b->failed; i++) {
    struct alternating_moves product;
    if (f->op == CORE_OR) {
      add_all(b, out, expand(b, f->of[i]));
    } else {
      multiply(b, out, expand(b, f->of[i]), &product);
      *out = product;
    }
  }
}

/* Inside of other formulas a move fulfils no promise; so far only those of [] <> f do. */
static const struct alternating_moves *plain(struct build *b, const struct core *f,
                                             const struct alternating_moves *moves) {
  if (!is_repeated(f))
    return moves;
  struct alternating_moves *out = ARENA_NEW(b->a->arena, struct alternating_moves);
  for (uint32_t i = 0; i < moves->n; i++) {
    struct alternating_move move = moves->at[i];
    move.fulfilled = 0;
    if (!add(b->a, out, move))
      b->failed = true;
  }
  return out;
}

static void expand_state(struct build *b, const struct core *f, struct alternating_moves *out) {
  struct alternating_move move = {.target = new_set(b->a)};
  switch (f->op) {
  case CORE_FALSE:
    return;
  case CORE_TRUE:
  case CORE_LITERAL:
    if (f->op == CORE_LITERAL)
      *(f->negated ? &move.cube.no : &move.cube.yes) = UINT64_C(1) << f->atom;
    add(b->a, out, move);
    return;
  case CORE_NEXT:
    add(b->a, out, later(b, f->of[0]));
    return;
  case CORE_UNTIL:
    expand_until(b, f, out);
    return;
  case CORE_RELEASE:
    expand_release(b, f, out);
    return;
  default:
    expand_many(b, f, out);
  }
}

static const struct alternating_moves *expand(struct build *b, const struct core *f) {
  struct alternating_moves *moves = &b->a->moves[b->index[f->id]];
  if (!b->expanded[b->index[f->id]] && !b->failed) {
    b->expanded[b->index[f->id]] = true;
    expand_state(b, f, moves);
  }
  return plain(b, f, moves);
}

/* ---- the whole ------------------------------------------------------------------------------
 */

/* Numbers all parts of f, the parts of a part first. */
static void collect(struct build *b, const struct core *f, const struct core **state) {
  if (b->index[f->id] != UINT32_MAX)
    return;
  for (uint32_t i = 0; i < f->n; i++)
    collect(b, f->of[i], state);
  b->index[f->id] = b->a->n;
  state[b->a->n++] = f;
}

/* The states that i leads to come before it, but for i itself. */
static void find_reach(struct alternating *a) {
  for (uint32_t i = 0; i < a->n; i++) {
    a->reach[i] = new_set(a);
    for (uint32_t k = 0; k < a->moves[i].n; k++)
      for (uint32_t t = 0; t < a->n; t++)
        if (bits_test(a->moves[i].at[k].target, t)) {
          bits_set(a->reach[i], t);
          for (uint32_t w = 0; t != i && w < a->words; w++)
            a->reach[i][w] |= a->reach[t][w];
        }
  }
}

/* The mark of a state on its moves: those of an until that do not wait, those of [] <> f that
 * were noted as satisfying f. */
static void fulfil(struct alternating *a, uint32_t i) {
  for (uint32_t k = 0; k < a->moves[i].n; k++) {
    struct alternating_move *move = &a->moves[i].at[k];
    const bool does =
        a->state[i]->op == CORE_UNTIL ? !bits_test(move->target, i) : move->fulfilled != 0;
    move->fulfilled = 0;
    if (does && a->mark[i] != ALTERNATING_UNMARKED)
      move->fulfilled = UINT64_C(1) << (a->mark[i] & 63);
  }
}

/* Only states that the initial ones reach promise anything. False: too many do. */
static bool number_marks(struct alternating *a) {
  uint64_t *used = new_set(a);
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t w = 0; bits_test(a->initial, i) && w < a->words; w++)
      used[w] |= a->reach[i][w] | a->initial[w];
  for (uint32_t i = 0; i < a->n; i++) {
    a->mark[i] = ALTERNATING_UNMARKED;
    if (bits_test(used, i) && (a->state[i]->op == CORE_UNTIL || is_repeated(a->state[i])))
      a->mark[i] = a->n_marks++;
    fulfil(a, i);
  }
  return a->n_marks <= ALTERNATING_MARKS;
}

static struct alternating *open(struct core_set *set, struct build *b) {
  struct arena *arena = core_arena(set);
  const uint32_t n = core_count(set);
  struct alternating *a = ARENA_NEW(arena, struct alternating);
  a->arena = arena;
  b->a = a;
  b->index = ARENA_ARRAY(arena, n, uint32_t);
  memset(b->index, 0xff, n * sizeof *b->index);
  a->state = ARENA_ARRAY(arena, n, const struct core *);
  return a;
}

struct alternating *alternating_of(struct core_set *set, const struct core *f,
                                   const char **why) {
  struct build b = {0};
  struct alternating *a = open(set, &b);
  collect(&b, f, a->state);
  a->words = BITS_WORDS(a->n);
  a->moves = ARENA_ARRAY(a->arena, a->n, struct alternating_moves);
  a->mark = ARENA_ARRAY(a->arena, a->n, uint32_t);
  b.expanded = ARENA_ARRAY(a->arena, a->n, bool);
  a->reach = ARENA_ARRAY(a->arena, a->n, uint64_t *);
  a->initial = new_set(a);
  set_formula(&b, f, a->initial);
  for (uint32_t i = 0; i < a->n && !b.failed; i++)
    expand(&b, a->state[i]);
  *why = "a part of it can be satisfied in too many ways";
  if (b.failed)
    return NULL;
  find_reach(a);
  *why = "it has more than 64 operators that promise something";
  return number_marks(a) ? a : NULL;
}
