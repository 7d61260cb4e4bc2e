/* progress.h - one line that says how a long search is doing.
 *
 * Shown on standard error only if that is a terminal, from a moment after the
 * start on, and erased at the end: nothing of it reaches a pipe or a file.
 */
#ifndef CAIRN_REPORT_PROGRESS_H
#define CAIRN_REPORT_PROGRESS_H

#include "search/search.h"

#include <stdio.h>

struct progress {
  FILE *out; /* NULL: nothing is shown */
  bool shown;
  double last_time;
  uint64_t last_events;
  double rate;                              /* events per second, smoothed */
  const struct search_limit_options *limit; /* what may end the search */
  uint64_t memory;                          /* the budget, bytes */
};

/* The limits must outlive it. */
void progress_begin(struct progress *, FILE *out, const struct search_limit_options *,
                    uint64_t memory);
void progress_show(struct progress *, const struct search_figures *);
void progress_end(struct progress *);

#endif
