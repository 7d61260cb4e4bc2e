/* stop.c - the limit that a search ran into, which ends it.
 *
 * Apart from limits.c, which looks for limits: whoever runs out of something says so here.
 */
#include "search/core.h"

void search_limit(struct search *s, enum search_limit limit) {
  if (s->result->limit == SEARCH_NO_LIMIT || limit == SEARCH_PLACES)
    s->result->limit = limit;
  bool goes_on = limit == SEARCH_CYCLE && s->options->reduce.forced;
  if (limit != SEARCH_MAX_DEPTH && !goes_on)
    s->stop = true;
}
