/* claim_names.h - whether the claims that a command line names are there. */
#ifndef CAIRN_CLI_CLAIM_NAMES_H
#define CAIRN_CLI_CLAIM_NAMES_H

#include "cli/options.h"

#include "base/arena.h"
#include "ts/ts.h"

/* NULL, or a sentence about a name that the model has not, with those that it has. */
const char *claim_names_unknown(struct arena *, const struct ts_shape *,
                                const struct options *);

#endif
