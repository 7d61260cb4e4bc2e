/* kind.h - what kind of Büchi automaton one is: what a search may make use of. */
#ifndef CAIRN_LANG_LTL_KIND_H
#define CAIRN_LANG_LTL_KIND_H

#include "lang/ltl/buchi.h"

/* Of the automaton as it is; the language may allow more. */
struct kind {
  bool safety;        /* every run that does not end is accepted */
  bool terminal;      /* once an accepting component is reached, every word is accepted */
  bool weak;          /* of each component, all cycles accept or none does */
  bool deterministic; /* no letter leaves a choice */
  bool complete;      /* every letter can be read everywhere */
};

/* The automaton should be clean (clean.h), or less may be seen. */
struct kind kind_of(const struct buchi *);

/* Words "terminal, weak, deterministic" and so on, in the arena; "" if none fits. */
const char *kind_words(struct arena *, const struct kind *);

#endif
