/* unused.h - definitions of the command line that a model in C never uses. */
#ifndef CAIRN_LANG_C_UNUSED_H
#define CAIRN_LANG_C_UNUSED_H

#include "base/diag.h"

/* A warning, with a name that looks like it, where the text does not use "NAME=VALUE". */
void c_warn_of_unused(struct arena *, struct diag *, const struct source *, const char *define);

#endif
