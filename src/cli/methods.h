/* methods.h - orders, stores and ways of forgetting, as the command line names them. */
#ifndef CAIRN_CLI_METHODS_H
#define CAIRN_CLI_METHODS_H

#include "cli/loaded.h"

#include "search/forget/forget.h"
#include "search/forget/strategy.h"
#include "search/rules.h"

#define METHODS_SENTENCE 500u
/* On average, after which a search that forgets gives up. */
#define METHODS_VISITS   20u

struct methods {
  struct strategy strategy;
  const char *strategy_text;              /* of forgetting, or NULL */
  const char *reduce_text;                /* all that --reduce names, or NULL */
  const struct reduction_kind *automatic; /* what --reduce auto may choose, or NULL */
  struct measure order_measure, progress;
  uint32_t order_expression;           /* index into loaded.measure, or TS_NONE */
  uint32_t first_progress, n_progress; /* the same */
  uint32_t level;                      /* of derived progress, or TS_NONE */
  struct rules_case judged;
  const struct rule *broken; /* the rule that refuses them, or NULL */
};

/* The order in which an engine (NULL: the first) searches where the user does not say. */
const struct frontier_kind *methods_order(const struct engine *);

/* Reads --order, --store, --forget, --progress and --reduce: fills what the search options take
 * from them, and the expressions that the model is to be loaded with. NULL, or a sentence (in
 * the arena) about what is wrong, or what does not go together. What depends on the engine is
 * judged later (claims_choose()), when it is known what is asked of the model. */
const char *methods_read(struct methods *, const struct options *, struct loaded *,
                         struct search_options *);

/* What there is to say of the words of a command line of `cairn check` without its model. */
struct methods_judged {
  const char *why;                /* a sentence about what is wrong, or NULL */
  const struct rules_case *about; /* NULL: something else is wrong than what goes together */
  const struct rule *broken;      /* the first rule that is broken, or NULL */
};

/* Judges the words, as of main(); all that it hands out is in the arena or in them. */
void methods_judge(struct arena *, int argc, char **argv, struct methods_judged *);

/* Once the model is loaded, and whenever it is compiled again: the measures. The same. */
const char *methods_measure(struct methods *, const struct options *, struct loaded *,
                            const struct ts *, struct search_options *);

#endif
