/* rules.h - which parts of a search go together, and which do not.
 *
 * One table for the whole program: the command line, `cairn bench`, docs/combinations.md and
 * the tests take refusals and their sentences from here. A rule looks at traits of the kinds
 * and at options, not at names, so that a new method is judged by what it declares.
 */
#ifndef CAIRN_SEARCH_RULES_H
#define CAIRN_SEARCH_RULES_H

#include "search/search.h"

/* What is to be judged. */
struct rules_case {
  const struct search_options *search;
  unsigned asked;          /* enum rules_asked: options that leave no mark in those */
  uint64_t memory;         /* the budget, bytes; 0: not known */
  const char *why_forward; /* with RULES_FORWARD: why the model cannot; NULL: for a claim */
};

enum rules_asked {
  RULES_RUNS = 1,
  RULES_MOVE_AFTER = 2,
  RULES_NO_PARENTS = 4,
  RULES_CHECKPOINT = 8,   /* written, or gone on from */
  RULES_CHECKED = 16,     /* the model's facts are checked meanwhile */
  RULES_FORMULAS = 32,    /* are answered meanwhile */
  RULES_SEVERAL = 64,     /* questions, a search for each */
  RULES_CYCLES = 128,     /* how cycles are looked for, or which runs count */
  RULES_STATES = 256,     /* it is known that nothing is asked of runs, */
  RULES_RUNS_ONLY = 512,  /* or that nothing is asked of states */
  RULES_DEADLOCKS = 1024, /* which deadlocks are errors */
  RULES_MERGED = 2048,    /* statements of the model are merged, */
  RULES_COUNTS = 4096,    /* and a claim may count steps */
  RULES_DOUBTED = 8192,   /* facts of a reduction are tested, and it is made */
  RULES_NAMED = 16384,    /* formulas or claims of the model to be asked */
  RULES_FORWARD = 32768   /* it is known that the model, or the product, cannot go backward */
};

struct rule {
  const char *name;
  bool (*broken)(const struct rules_case *);
  const char *why;     /* what is wrong, and */
  const char *instead; /* the nearest sound alternative, both with marks for rules_print() */
  /* Options of `cairn check` that break this rule and none before it, and the nearest ones that
   * break none: the tests run both. NULL: the command line cannot ask for it. */
  const char *example, *way;
  /* An option has no effect, which is all that is wrong: of the searches that one command makes
   * it is enough if it has one in one of them. */
  bool is_idle;
};

/* Every rule, in the order in which they are looked at; ended by one without a name. */
extern const struct rule rules[];

/* The rules that are broken, a bit for each; there are at most 64. */
uint64_t rules_all_broken(const struct rules_case *);

/* The first one, or NULL. */
const struct rule *rules_broken(const struct rules_case *);

/* The same for options of a search alone. */
const struct rule *search_refusal(const struct search_options *);

/* The sentence "why: instead" about a case that breaks the rule, cut to `size`. */
void rules_print(const struct rule *, const struct rules_case *, char *text, size_t size);

#endif
