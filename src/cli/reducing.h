/* reducing.h - reductions and the order of actions, as the command line names them. */
#ifndef CAIRN_CLI_REDUCING_H
#define CAIRN_CLI_REDUCING_H

#include "cli/loaded.h"

#include "search/rules.h"

/* Reads --reduce, and whether there is an order of actions. NULL, or a sentence (in the arena)
 * about what is wrong. *text: all that --reduce names, or as it was. */
const char *reducing_read(const struct options *, struct loaded *, struct search_options *,
                          const char **text);

/* Of --reduce auto, before the model is loaded: what else there is to make it smaller, as far
 * as no rule is broken by it. `judged` is what is asked otherwise, and gets what was chosen. */
void reducing_choose(struct loaded *, struct search_options *, struct rules_case *judged);
/* Sets the reduction of the case to this one, or to none where a rule would be broken by it. */
void reducing_choose_kind(struct search_options *, const struct rules_case *,
                          const struct reduction_kind *);

/* Once the model is loaded: --action-order. The same; the ranks are in the arena. */
const char *reducing_order(const struct options *, struct loaded *, const struct ts *,
                           struct search_options *);

#endif
