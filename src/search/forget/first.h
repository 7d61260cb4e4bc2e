/* first.h - the first of two searches: it counts what the second one forgets by. */
#ifndef CAIRN_SEARCH_FORGET_FIRST_H
#define CAIRN_SEARCH_FORGET_FIRST_H

#include "search/forget/counters.h"
#include "search/search.h"
#include "search/watch.h"

struct first {
  struct search_options options; /* of the first search, */
  struct search_options second;  /* and of the second */
  struct counters counters;
  struct watch watch;
};

/* Whether a search with these options needs another one before it. */
bool first_is_needed(const struct search_options *);

/* Makes options for both. They point into it: it must stay where it is. False if the budget is
 * exhausted. */
bool first_begin(struct first *, const struct search_options *, struct budget *);
/* The first search came to its end: the second one is told. */
void first_done(struct first *, const struct search_result *);
void first_end(struct first *);

#endif
