/* translate.h - from a formula to the automaton of the words that satisfy it. */
#ifndef CAIRN_LANG_LTL_TRANSLATE_H
#define CAIRN_LANG_LTL_TRANSLATE_H

#include "lang/ltl/buchi.h"
#include "lang/ltl/syntax.h"

/* What may be left out, for tests; the language is always the same. */
enum translate_step {
  TRANSLATE_REWRITE = 1,   /* simplify the formula */
  TRANSLATE_SUSPEND = 2,   /* let alternating parts wait */
  TRANSLATE_CLEAN = 4,     /* drop useless states, edges and marks */
  TRANSLATE_FORWARD = 8,   /* forward simulation */
  TRANSLATE_BACKWARD = 16, /* backward simulation */
  TRANSLATE_REDIRECT = 32, /* stand-ins of the same language */
  TRANSLATE_ALL = 63
};

enum translate_acceptance {
  TRANSLATE_GENERALISED, /* marks on edges, as many as it takes */
  TRANSLATE_EDGES,       /* at most one mark, on edges */
  TRANSLATE_STATES       /* at most one mark, on states */
};

struct translate_options {
  bool negated; /* the automaton of the words that do not satisfy it */
  unsigned steps;
  enum translate_acceptance acceptance;
};

/* In the arena. NULL, with a reason in *why, if the automaton would be too large. */
struct buchi *translate(struct arena *, const struct ltl_node *,
                        const struct translate_options *, const char **why);

/* The same reductions and acceptance for an automaton from elsewhere. */
struct buchi *translate_reduce(const struct buchi *, const struct translate_options *);

#endif
