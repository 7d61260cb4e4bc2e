/* work.h - doing the runs of a plan that are not done yet. */
#ifndef CAIRN_CLI_BENCH_WORK_H
#define CAIRN_CLI_BENCH_WORK_H

#include "base/budget.h"
#include "cli/bench/plan.h"
#include "cli/bench/results.h"

struct work {
  const struct plan *plan;
  struct budget *budget;
  const char *results; /* the file */
  uint32_t repeat;     /* runs of each row */
  bool fresh;
  bool terminal; /* progress may be shown on standard error */
};

enum work_end {
  WORK_DONE,
  WORK_FAILED, /* all is done, but a run failed; it was named on standard error */
  WORK_INTERRUPTED,
  WORK_STOPPED /* the results cannot be written; the reason was printed */
};

/* The first runs of all rows come first, then the second ones, so that the runs of a row
 * do not all meet the same disturbance. */
enum work_end work_do(const struct work *);

#endif
