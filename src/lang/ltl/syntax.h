/* syntax.h - a formula of linear temporal logic as it was written: a tree with places.
 *
 * Its atoms are expressions of whatever language embeds the formula; here they are numbers,
 * and the text of each is kept. A front end that reads formulas with its own grammar builds
 * the tree by ltl_node_make(); all others call ltl_parse() (parse.h).
 */
#ifndef CAIRN_LANG_LTL_SYNTAX_H
#define CAIRN_LANG_LTL_SYNTAX_H

#include "base/diag.h"

/* Operators, with their operands; Spin's signs and words.
 *
 *  TRUE FALSE   -
 *  ATOM         atom    the number of an expression
 *  NOT          a       !
 *  NEXT         a       X   next
 *  EVENTUALLY   a       <>  eventually
 *  ALWAYS       a       []  always
 *  AND OR       a, b    && ||, also written /\ \/
 *  IMPLIES      a, b    ->  implies
 *  EQUIVALENT   a, b    <-> equivalent
 *  UNTIL        a, b    U   until stronguntil
 *  WEAK_UNTIL   a, b    W   weakuntil
 *  RELEASE      a, b    V   release */
enum ltl_op {
  LTL_TRUE,
  LTL_FALSE,
  LTL_ATOM,
  LTL_NOT,
  LTL_NEXT,
  LTL_EVENTUALLY,
  LTL_ALWAYS,
  LTL_AND,
  LTL_OR,
  LTL_IMPLIES,
  LTL_EQUIVALENT,
  LTL_UNTIL,
  LTL_WEAK_UNTIL,
  LTL_RELEASE
};

struct ltl_node {
  enum ltl_op op;
  uint32_t atom;   /* of ATOM */
  uint32_t height; /* longest way down, in nodes */
  bool grouped;    /* written in parentheses */
  const struct ltl_node *a, *b;
  struct span span;
};

/* Labels of automata are sets of 64 bits, one for each atom. */
#define LTL_ATOMS 64u

/* No node is higher, so that passes may recurse. */
#define LTL_HEIGHT 1000u

struct ltl_formula {
  const struct ltl_node *root;
  uint32_t n_atoms;
  const char *atom[LTL_ATOMS]; /* as they were written, on one line */
  struct span place[LTL_ATOMS];
};

/* A node over operands that are no higher than LTL_HEIGHT - 1. */
struct ltl_node *ltl_node_make(struct arena *, enum ltl_op, const struct ltl_node *a,
                               const struct ltl_node *b, struct span);

#endif
