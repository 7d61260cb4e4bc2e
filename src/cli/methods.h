/* methods.h - orders, stores and ways of forgetting, as the command line names them. */
#ifndef CAIRN_CLI_METHODS_H
#define CAIRN_CLI_METHODS_H

#include "cli/loaded.h"

#include "search/forget/forget.h"
#include "search/forget/strategy.h"

struct methods {
  struct strategy strategy;
  struct measure order_measure, progress;
  uint32_t order_expression;           /* index into loaded.measure, or TS_NONE */
  uint32_t first_progress, n_progress; /* the same */
  uint32_t level;                      /* of derived progress, or TS_NONE */
};

/* Reads --order, --store, --forget and --progress: fills what the search options take from
 * them, and the expressions that the model is to be loaded with. NULL, or a sentence (in the
 * arena) about what is wrong. */
const char *methods_read(struct methods *, const struct options *, struct loaded *,
                         struct search_options *);

/* Once the model is loaded: the measures. The same. */
const char *methods_measure(struct methods *, const struct options *, struct loaded *,
                            const struct ts *, struct search_options *);

#endif
