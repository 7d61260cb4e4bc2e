/* implies.h - whether one formula implies another, as far as their forms show it. */
#ifndef CAIRN_LANG_LTL_IMPLIES_H
#define CAIRN_LANG_LTL_IMPLIES_H

#include "lang/ltl/core.h"

struct implies;

struct implies *implies_open(struct arena *);

/* True: every word that satisfies a satisfies b. False: not seen. */
bool implies(struct implies *, const struct core *a, const struct core *b);

#endif
