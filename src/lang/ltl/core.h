/* core.h - formulas in negative normal form, each different one kept once.
 *
 * What is left of the operators: constants, literals, and, or, next, until, release; true U f
 * is "eventually", false R f is "always". Operands of and and or are sorted, none twice, none
 * of the same operator. Equal formulas are the same pointer, and `id` numbers them, so that
 * passes keep what they know of a formula in arrays.
 */
#ifndef CAIRN_LANG_LTL_CORE_H
#define CAIRN_LANG_LTL_CORE_H

#include "lang/ltl/syntax.h"

enum core_op {
  CORE_FALSE,
  CORE_TRUE,
  CORE_LITERAL, /* an atom, or its negation */
  CORE_AND,     /* n operands */
  CORE_OR,      /* n operands */
  CORE_NEXT,    /* one */
  CORE_UNTIL,   /* two */
  CORE_RELEASE  /* two: the second holds up to and including where the first does */
};

/* What is known of a formula by its form (Etessami and Holzmann 2000, section 3; Babiak and
 * others 2012, section 3.1). */
enum core_trait {
  CORE_EVENTUAL = 1,      /* whoever satisfies it later satisfies it now */
  CORE_UNIVERSAL = 2,     /* whoever satisfies it now satisfies it at all times */
  CORE_PROPOSITIONAL = 4, /* one letter decides */
  CORE_NEXT_FREE = 8
};
#define CORE_ALTERNATING (CORE_EVENTUAL | CORE_UNIVERSAL) /* the same at all times */

struct core {
  enum core_op op;
  uint32_t id;
  uint32_t traits;
  uint32_t atom; /* of a literal */
  bool negated;
  uint32_t size; /* nodes as a tree, at most UINT32_MAX */
  uint32_t n;
  const struct core *const *of; /* operands */
};

struct core_set;

/* Formulas live in the arena. */
struct core_set *core_open(struct arena *);
struct arena *core_arena(const struct core_set *);
uint32_t core_count(const struct core_set *); /* ids are below it */

/* The formula of this operator and operands. Constants among the operands are resolved and
 * operands of and and or put in order; nothing more is simplified. */
const struct core *core_constant(struct core_set *, bool value);
const struct core *core_next(struct core_set *, const struct core *);
const struct core *core_pair(struct core_set *, enum core_op, const struct core *a,
                             const struct core *b);
const struct core *core_many(struct core_set *, enum core_op, uint32_t n,
                             const struct core *const *of);

const struct core *core_negation(struct core_set *, const struct core *);

/* The formula as it was written, or its negation, in normal form. */
const struct core *core_of(struct core_set *, const struct ltl_node *, bool negated);

static inline bool core_is_eventually(const struct core *f) {
  return f->op == CORE_UNTIL && f->of[0]->op == CORE_TRUE;
}
static inline bool core_is_always(const struct core *f) {
  return f->op == CORE_RELEASE && f->of[0]->op == CORE_FALSE;
}

#endif
