/* reducing.h - reductions and the order of actions, as the command line names them. */
#ifndef CAIRN_CLI_REDUCING_H
#define CAIRN_CLI_REDUCING_H

#include "cli/loaded.h"

#include "search/search.h"

/* Reads --reduce, and whether there is an order of actions. NULL, or a sentence (in the arena)
 * about what is wrong. *text: all that --reduce names, or as it was. */
const char *reducing_read(const struct options *, struct loaded *, struct search_options *,
                          const char **text);

/* Once the model is loaded: --action-order. The same; the ranks are in the arena. */
const char *reducing_order(const struct options *, struct loaded *, const struct ts *,
                           struct search_options *);

#endif
