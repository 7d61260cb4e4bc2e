/* hoa.h - reading the Hanoi omega-automata format, version 1.
 *
 * Taken: every condition of acceptance, on states or on edges; labels on states, on edges, or
 * implicit; aliases; several initial states; no initial state. Refused, with the place:
 * alternation, and conditions of too many alternatives (acceptance.h). Of its properties only
 * stutter-invariant is made use of.
 */
#ifndef CAIRN_LANG_LTL_HOA_H
#define CAIRN_LANG_LTL_HOA_H

#include "lang/ltl/buchi.h"
#include "lang/ltl/syntax.h"

struct hoa {
  struct buchi *buchi;
  const char *name;       /* as the file has it; "" if it has none */
  bool stutter_invariant; /* found out, or else as the file says */
  uint32_t n_atoms;
  const char *atom[LTL_ATOMS];
  struct span place[LTL_ATOMS];
};

#define HOA_STATES 1000000u

/* The first automaton of the text. NULL after one message. */
struct hoa *hoa_read(struct arena *, struct diag *, const struct source *);

#endif
