/* stutter.c - stutter invariance (Michaud and Duret-Lutz 2015, section 4).
 *
 * If a word of the formula and a word that it excludes are equal but for repetitions, both can
 * be lengthened, by repetitions only, to one and the same word. So each automaton is given the
 * choice to stay where it is while the letter that it read last is repeated; the formula is
 * stutter-invariant if the product of the two accepts nothing. A state of the product is a
 * pair of states and the letter that was read last.
 */
#include "lang/ltl/stutter.h"

#include "lang/ltl/components.h"

/* Beyond these it is not looked at. */
#define STUTTER_ATOMS 6u
#define STUTTER_EDGES 400000u

struct product {
  const struct buchi *side[2];
  uint64_t atoms;     /* that occur */
  uint32_t n_letters; /* 2 to the power of them */
  struct buchi_edges edges;
};

bool stutter_is_obvious(const struct ltl_node *f) {
  return f->op != LTL_NEXT && (f->a == NULL || stutter_is_obvious(f->a)) &&
         (f->b == NULL || stutter_is_obvious(f->b));
}

static uint64_t atoms_of(const struct buchi *b) {
  uint64_t atoms = 0;
  for (uint32_t i = 0; i < b->n_edges; i++)
    for (uint32_t k = 0; k < b->edge[i].label.n; k++)
      atoms |= b->edge[i].label.at[k].yes | b->edge[i].label.at[k].no;
  return atoms;
}

/* The i-th letter over these atoms. */
static uint64_t letter_of(uint64_t atoms, uint32_t i) {
  uint64_t letter = 0;
  for (uint32_t bit = 0; atoms != 0; atoms &= atoms - 1, bit++)
    if ((i >> bit & 1) != 0)
      letter |= atoms & -atoms;
  return letter;
}

/* Letter n_letters: none was read yet. */
static uint32_t pair_of(const struct product *p, uint32_t a, uint32_t b, uint32_t last) {
  return (a * p->side[1]->n_states + b) * (p->n_letters + 1) + last;
}

/* A step of a side that stays has no marks. Of an automaton without marks each step that moves
 * has one. */
static uint64_t marks_of(const struct product *p, int side, const struct buchi_edge *e) {
  const uint64_t marks = p->side[side]->n_marks == 0 ? 1 : e->marks;
  const uint32_t shift = p->side[0]->n_marks == 0 ? 1 : p->side[0]->n_marks;
  return side == 0 ? marks : marks << shift;
}

static void push(struct product *p, uint32_t from, uint32_t to, uint64_t marks) {
  *ARENA_PUSH(p->side[0]->arena, &p->edges) = (struct buchi_edge){from, to, marks, label_true};
}

/* All steps of the pair that read the letter. */
static void step(struct product *p, uint32_t a, uint32_t b, uint32_t last, uint32_t letter) {
  const struct buchi *x = p->side[0];
  const struct buchi *y = p->side[1];
  const uint64_t bits = letter_of(p->atoms, letter);
  const uint32_t from = pair_of(p, a, b, last);
  for (uint32_t i = x->first[a]; i < x->first[a + 1]; i++) {
    if (!label_has(x->edge[i].label, bits))
      continue;
    const uint64_t marks = marks_of(p, 0, &x->edge[i]);
    if (letter == last)
      push(p, from, pair_of(p, x->edge[i].to, b, letter), marks);
    for (uint32_t k = y->first[b]; k < y->first[b + 1]; k++)
      if (label_has(y->edge[k].label, bits))
        push(p, from, pair_of(p, x->edge[i].to, y->edge[k].to, letter),
             marks | marks_of(p, 1, &y->edge[k]));
  }
  for (uint32_t k = y->first[b]; letter == last && k < y->first[b + 1]; k++)
    if (label_has(y->edge[k].label, bits))
      push(p, from, pair_of(p, a, y->edge[k].to, letter), marks_of(p, 1, &y->edge[k]));
}

static bool is_empty(const struct buchi *b) {
  const struct buchi *reached = buchi_reachable(b);
  const struct components *c = components_of(reached);
  for (uint32_t i = 0; i < c->n; i++)
    if (c->accepting[i])
      return false;
  return true;
}

/* Whether no word of the one is a word of the other but for repetitions. */
static enum stutter compare(const struct buchi *yes, const struct buchi *no) {
  struct product p = {.side = {yes, no}};
  p.atoms = atoms_of(yes) | atoms_of(no);
  const uint32_t n_atoms = (uint32_t)__builtin_popcountll(p.atoms);
  p.n_letters = 1u << (n_atoms & 31);
  const uint32_t marks[] = {yes->n_marks == 0 ? 1 : yes->n_marks,
                            no->n_marks == 0 ? 1 : no->n_marks};
  if (n_atoms > STUTTER_ATOMS || marks[0] + marks[1] > 64 ||
      (uint64_t)yes->n_states * no->n_states * (p.n_letters + 1) * p.n_letters > STUTTER_EDGES)
    return STUTTER_UNKNOWN;
  for (uint32_t a = 0; a < yes->n_states; a++)
    for (uint32_t b = 0; b < no->n_states; b++)
      for (uint32_t last = 0; last <= p.n_letters; last++)
        for (uint32_t letter = 0; letter < p.n_letters; letter++) {
          step(&p, a, b, last, letter);
          if (p.edges.n > STUTTER_EDGES)
            return STUTTER_UNKNOWN;
        }
  const struct buchi like = {.arena = yes->arena, .n_marks = marks[0] + marks[1]};
  const uint32_t n = yes->n_states * no->n_states * (p.n_letters + 1);
  const uint32_t initial = pair_of(&p, yes->initial, no->initial, p.n_letters);
  return is_empty(buchi_make(&like, n, initial, &p.edges)) ? STUTTER_INVARIANT
                                                           : STUTTER_SENSITIVE;
}

bool stutter_is_invariant(const struct buchi *yes, const struct buchi *no) {
  return compare(yes, no) == STUTTER_INVARIANT;
}

/* ---- one automaton ---------------------------------------------------------------------- */

/* The one run of a word is not accepted if it comes to an end, or leaves a mark behind: a copy
 * of the automaton for each mark, without the edges that have it, is entered from the first
 * one at any time. State 0 of the result is where a run goes that has come to its end. */
static const struct buchi *complement(const struct buchi *b) {
  const struct buchi like = {.arena = b->arena, .n_marks = 1};
  struct buchi_edges edges = {0};
  for (uint32_t i = 0; i < b->n_edges; i++) {
    const struct buchi_edge *e = &b->edge[i];
    *ARENA_PUSH(b->arena, &edges) = (struct buchi_edge){1 + e->from, 1 + e->to, 0, e->label};
    for (uint32_t m = 0; m < b->n_marks; m++) {
      const uint32_t copy = 1 + (m + 1) * b->n_states;
      if ((e->marks >> m & 1) != 0)
        continue;
      *ARENA_PUSH(b->arena, &edges) =
          (struct buchi_edge){1 + e->from, copy + e->to, 0, e->label};
      *ARENA_PUSH(b->arena, &edges) =
          (struct buchi_edge){copy + e->from, copy + e->to, 1, e->label};
    }
  }
  for (uint32_t s = 0; s < b->n_states; s++) {
    struct label rest = label_true;
    for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++)
      rest = label_minus(b->arena, rest, b->edge[i].label);
    *ARENA_PUSH(b->arena, &edges) = (struct buchi_edge){1 + s, 0, 0, rest};
  }
  *ARENA_PUSH(b->arena, &edges) = (struct buchi_edge){0, 0, 1, label_true};
  return buchi_make(&like, 1 + (b->n_marks + 1) * b->n_states, 1 + b->initial, &edges);
}

enum stutter stutter_of(const struct buchi *b) {
  if (__builtin_popcountll(atoms_of(b)) > (int)STUTTER_ATOMS ||
      b->n_edges * (2 * (uint64_t)b->n_marks + 1) > STUTTER_EDGES || !buchi_is_deterministic(b))
    return STUTTER_UNKNOWN;
  return compare(b, complement(b));
}
