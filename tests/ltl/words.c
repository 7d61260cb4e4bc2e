/* words.c - automata of random formulas on random words, against the meaning of the formula.
 *
 * Of each formula and of its negation, automata are made with all steps of the translation,
 * with none, and with some; with many marks, one mark, and marks on states. Each must accept
 * exactly the words that satisfy the formula, and so exactly one of the two accepts a word.
 * Some are written to a file, read again, and must accept the same. Formulas that are said to
 * be stutter-invariant must not tell words that differ by repetitions only. A failure is made
 * smaller before it is printed.
 *
 *    words [-n FORMULAS] [-w WORDS] [-s SEED] [-o OPERATORS] [-a ATOMS]
 */
#include "naive.h"

#include "base/bits.h"
#include "base/clock.h"
#include "lang/ltl/format.h"
#include "lang/ltl/hoa.h"
#include "lang/ltl/stutter.h"
#include "lang/ltl/translate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
  uint32_t formulas, words, operators, atoms;
  uint64_t seed;
  uint64_t states, edges, refused;
  double slowest;
};

struct failure {
  struct translate_options how;
  struct naive_word word;
};

/* The automata that are made of a formula. Without forward simulation large ones stay large, so
 * that few steps are only tried on small formulas. */
static struct translate_options option(uint64_t random, uint32_t i) {
  struct translate_options o = {.negated = i % 2, .steps = TRANSLATE_ALL};
  o.acceptance = (enum translate_acceptance)(i / 2 % 3);
  if (i >= 6)
    o.steps = (unsigned)(random >> 8) & TRANSLATE_ALL;
  return o;
}

static bool is_wrong(struct arena *arena, const struct ltl_node *f,
                     const struct translate_options *o, const struct naive_word *w) {
  const char *why;
  const struct buchi *b = translate(arena, f, o, &why);
  return b != NULL && naive_accepts(b, w) == (naive_holds(f, w) == o->negated);
}

/* The smallest part of a failing formula that fails as well, an operand standing for its node.
 */
static const struct ltl_node *shrink(struct arena *arena, const struct ltl_node *f,
                                     const struct failure *fail) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    const struct ltl_node *part[] = {f->a, f->b};
    for (int i = 0; i < 2 && !smaller; i++)
      if (part[i] != NULL && is_wrong(arena, part[i], &fail->how, &fail->word)) {
        f = part[i];
        smaller = true;
      }
    for (int i = 0; i < 2 && !smaller; i++)
      for (int k = 0; k < 2 && !smaller && part[i] != NULL; k++) {
        const struct ltl_node *below = k == 0 ? part[i]->a : part[i]->b;
        if (below == NULL)
          continue;
        const struct ltl_node *g =
            ltl_node_make(arena, f->op, i == 0 ? below : f->a, i == 1 ? below : f->b, f->span);
        if (is_wrong(arena, g, &fail->how, &fail->word)) {
          f = g;
          smaller = true;
        }
      }
  }
  return f;
}

static bool report(struct arena *arena, const struct run *r, const struct ltl_node *f,
                   const struct failure *fail) {
  f = shrink(arena, f, fail);
  printf("wrong: ");
  naive_print(stdout, f);
  printf("\n  on the word");
  naive_print_word(stdout, &fail->word, r->atoms);
  printf("\n  which %s it; negated %d, steps %u, acceptance %d\n",
         naive_holds(f, &fail->word) ? "satisfies" : "does not satisfy", fail->how.negated,
         fail->how.steps, fail->how.acceptance);
  return false;
}

/* What the automaton promises of itself. */
static bool is_well_formed(const struct buchi *b, const struct translate_options *o) {
  bool fine = b->n_states > 0 && b->initial < b->n_states;
  fine = fine && (o->acceptance == TRANSLATE_GENERALISED || b->n_marks <= 1);
  fine = fine && (o->acceptance != TRANSLATE_STATES || b->state_marks);
  for (uint32_t i = 0; fine && i < b->n_edges; i++) {
    const struct buchi_edge *e = &b->edge[i];
    fine = e->to < b->n_states && i >= b->first[e->from] && i < b->first[e->from + 1] &&
           e->label.n > 0 && (e->marks & ~buchi_all_marks(b)) == 0 &&
           (!b->state_marks || e->marks == b->edge[b->first[e->from]].marks);
  }
  return fine;
}

/* The automaton written to a file and read again. NULL if it is not taken. */
static const struct buchi *through_file(struct arena *arena, const struct buchi *b,
                                        uint32_t atoms) {
  const char *name[64];
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  for (uint32_t i = 0; i < atoms; i++)
    name[i] = arena_printf(arena, "x%u == \"%u\"", i, i);
  const struct format_automaton a = {
      .buchi = b, .formula = "\\ \"", .n_atoms = atoms, .atom = name, .kind = kind_of(b)};
  format_hoa(out, &a);
  fclose(out);
  struct diag *diag = diag_open(arena);
  const char *copy = arena_text(arena, text, length);
  free(text);
  const struct hoa *hoa =
      hoa_read(arena, diag, source_make(arena, "hoa", copy, (uint32_t)length));
  diag_print(diag, stdout, false);
  return hoa == NULL || strcmp(hoa->name, "\\ \"") != 0 || strcmp(hoa->atom[0], name[0]) != 0
             ? NULL
             : hoa->buchi;
}

static bool tries_file(struct arena *arena, const struct run *r, const struct ltl_node *f,
                       const struct buchi *b, uint64_t random) {
  const struct buchi *again = through_file(arena, b, r->atoms);
  for (uint32_t k = 0; again != NULL && k < r->words; k++) {
    const struct naive_word w = naive_word(&random, r->atoms);
    if (naive_accepts(b, &w) != naive_accepts(again, &w))
      again = NULL;
  }
  if (again != NULL)
    return true;
  printf("wrong when read again: ");
  naive_print(stdout, f);
  putchar('\n');
  return false;
}

/* The same with letters repeated. */
static struct naive_word stuttered(const struct naive_word *w, uint64_t *random) {
  struct naive_word s = {0};
  for (uint32_t i = 0; i < w->n; i++) {
    if (i == w->back)
      s.back = s.n;
    for (uint64_t times = 1 + bits_next_random(random) % 2; times > 0; times--)
      s.letter[s.n++] = w->letter[i];
  }
  return s;
}

static bool tries_stutter(const struct run *r, const struct ltl_node *f,
                          const struct buchi *yes, const struct buchi *no) {
  uint64_t random = r->seed;
  const bool invariant = stutter_is_invariant(yes, no);
  bool fine = invariant || !stutter_is_obvious(f) || yes->n_states * no->n_states > 100;
  for (uint32_t k = 0; fine && invariant && k < r->words; k++) {
    const struct naive_word w = naive_word(&random, r->atoms);
    const struct naive_word s = stuttered(&w, &random);
    fine = naive_holds(f, &w) == naive_holds(f, &s);
  }
  if (fine)
    return true;
  printf("wrong about stutter invariance, %d: ", invariant);
  naive_print(stdout, f);
  putchar('\n');
  return false;
}

/* Now and then one that promises much. */
static const struct ltl_node *make_formula(const struct run *r, struct arena *arena,
                                           uint64_t *random, uint32_t *operators) {
  *operators = 1 + (uint32_t)(bits_next_random(random) % r->operators);
  if (bits_next_random(random) % 100 > 0)
    return naive_formula(arena, random, *operators, r->atoms);
  *operators = 20;
  return naive_repeated(arena, random, 6 + (uint32_t)(bits_next_random(random) % 4), r->atoms);
}

static bool try_formula(struct run *r, struct arena *arena, uint64_t *random) {
  uint32_t operators;
  const struct ltl_node *f = make_formula(r, arena, random, &operators);
  const struct buchi *b[8];
  struct failure fail;
  const char *why;
  const uint64_t choice = bits_next_random(random);
  const uint32_t tried = operators <= 8 ? 8 : 6;
  for (uint32_t i = 0; i < tried; i++) {
    fail.how = option(choice, i);
    const double start = clock_now();
    b[i] = translate(arena, f, &fail.how, &why);
    const double seconds = clock_now() - start;
    r->slowest = seconds > r->slowest ? seconds : r->slowest;
    r->refused += b[i] == NULL;
    if (i < 6 && b[i] != NULL) {
      r->states += b[i]->n_states;
      r->edges += b[i]->n_edges;
    }
    fail.word = (struct naive_word){.n = 1};
    if (b[i] != NULL && !is_well_formed(b[i], &fail.how)) {
      printf("not well formed:\n");
      return report(arena, r, f, &fail);
    }
  }
  for (uint32_t k = 0; k < r->words; k++) {
    fail.word = naive_word(random, r->atoms);
    const bool holds = naive_holds(f, &fail.word);
    for (uint32_t i = 0; i < tried; i++) {
      fail.how = option(choice, i);
      if (b[i] != NULL && naive_accepts(b[i], &fail.word) == (holds == fail.how.negated))
        return report(arena, r, f, &fail);
    }
  }
  if (b[0] != NULL && b[1] != NULL && !tries_stutter(r, f, b[0], b[1]))
    return false;
  const struct buchi *written = b[choice % 6];
  return written == NULL || tries_file(arena, r, f, written, choice);
}

static bool run_all(struct run *r) {
  struct budget *budget = budget_open(UINT64_C(1) << 31);
  for (uint32_t i = 0; i < r->formulas; i++) {
    uint64_t random = r->seed * UINT64_C(1000003) + i;
    struct arena *arena = arena_open(budget, BUDGET_MODEL);
    const bool fine = try_formula(r, arena, &random);
    arena_close(arena);
    if (!fine) {
      printf("  formula %u of seed %lu\n", i, (unsigned long)r->seed);
      return false;
    }
  }
  budget_close(budget);
  return true;
}

int main(int argc, char **argv) {
  struct run r = {.formulas = 3000, .words = 50, .operators = 15, .atoms = 4, .seed = 1};
  for (int c; (c = getopt(argc, argv, "n:w:s:o:a:")) != -1;) {
    const uint32_t value = (uint32_t)strtoul(optarg == NULL ? "0" : optarg, NULL, 10);
    *(c == 'n'   ? &r.formulas
      : c == 'w' ? &r.words
      : c == 'o' ? &r.operators
                 : &r.atoms) = c == 's' ? r.atoms : value;
    if (c == 's')
      r.seed = value;
  }
  const bool fine = run_all(&r);
  printf(
      "%u formulas, %u words each: %s; %lu states, %lu edges, %lu refused, slowest %.1f ms\n",
      r.formulas, r.words, fine ? "all as they should be" : "WRONG", (unsigned long)r.states,
      (unsigned long)r.edges, (unsigned long)r.refused, 1000 * r.slowest);
  return fine ? 0 : 1;
}
