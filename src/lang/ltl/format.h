/* format.h - automata as text: for people, for Graphviz, for Spin, for other tools. */
#ifndef CAIRN_LANG_LTL_FORMAT_H
#define CAIRN_LANG_LTL_FORMAT_H

#include "lang/ltl/buchi.h"
#include "lang/ltl/kind.h"

#include <stdio.h>

struct format_automaton {
  const struct buchi *buchi;
  const char *formula; /* what it is the automaton of */
  uint32_t n_atoms;
  const char *const *atom; /* their text */
  struct kind kind;
  bool stutter_invariant; /* is known to be */
};

/* Each writes the whole; errors of the stream are the caller's to look for. */
void format_text(FILE *, const struct format_automaton *);
void format_dot(FILE *, const struct format_automaton *);
/* The Hanoi omega-automata format, version 1. */
void format_hoa(FILE *, const struct format_automaton *);
/* A never claim of Promela. The automaton has state_marks and at most one mark. */
void format_never(FILE *, const struct format_automaton *);

#endif
