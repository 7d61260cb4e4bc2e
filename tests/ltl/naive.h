/* naive.h - what formulas and automata mean, worked out the slow and plain way.
 *
 * The oracle of the tests of the translation: formulas made at random, words that end in a
 * cycle, the truth of a formula on such a word by the definition of each operator, and whether
 * an automaton accepts it by the definition of acceptance.
 */
#ifndef CAIRN_TESTS_LTL_NAIVE_H
#define CAIRN_TESTS_LTL_NAIVE_H

#include "lang/ltl/buchi.h"
#include "lang/ltl/syntax.h"

#include <stdio.h>

#define NAIVE_LETTERS 16u

/* letter[0], letter[1] … letter[n - 1], then again from letter[back], without end. */
struct naive_word {
  uint64_t letter[NAIVE_LETTERS];
  uint32_t n, back;
};

/* A formula of `operators` operators over this many atoms. */
const struct ltl_node *naive_formula(struct arena *, uint64_t *random, uint32_t operators,
                                     uint32_t atoms);
/* A conjunction of n formulas [] <> f with small ones for f. */
const struct ltl_node *naive_repeated(struct arena *, uint64_t *random, uint32_t n,
                                      uint32_t atoms);
struct naive_word naive_word(uint64_t *random, uint32_t atoms);

bool naive_holds(const struct ltl_node *, const struct naive_word *);
bool naive_accepts(const struct buchi *, const struct naive_word *);

/* In the notation of lang/ltl/parse.h, atoms as a, b, c …; all operands in parentheses. */
void naive_print(FILE *, const struct ltl_node *);
void naive_print_word(FILE *, const struct naive_word *, uint32_t atoms);

#endif
