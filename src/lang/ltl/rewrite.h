/* rewrite.h - formulas made simpler without a change of meaning. */
#ifndef CAIRN_LANG_LTL_REWRITE_H
#define CAIRN_LANG_LTL_REWRITE_H

#include "lang/ltl/core.h"

/* A formula that the same words satisfy. */
const struct core *rewrite_simplify(struct core_set *, const struct core *);

#endif
