/* clean.h - a Büchi automaton without what cannot matter. */
#ifndef CAIRN_LANG_LTL_CLEAN_H
#define CAIRN_LANG_LTL_CLEAN_H

#include "lang/ltl/buchi.h"

/* The same language, for every state that is left: states that no accepting run passes are
 * gone; marks are only on edges inside of accepting components; where every cycle of a
 * component accepts, all its edges have all marks; marks that others imply are gone. */
struct buchi *clean(const struct buchi *);

/* The same, and the marks are numbered anew in each component, so that there are no more than
 * the neediest component has. Only for automata whose marks need no fixed meaning. */
struct buchi *clean_marks(const struct buchi *);

#endif
