/* fair.h - whether a component has a fair cycle. */
#ifndef CAIRN_SEARCH_FAIR_H
#define CAIRN_SEARCH_FAIR_H

#include "search/region.h"

struct fair;

/* The most processes whose goals, together with the marks, have room in 64 bits are FAIR_GOALS
 * less the marks. */
#define FAIR_GOALS 64u

/* The processes of a shape that fairness is about. */
uint32_t fair_processes(const struct ts_shape *);

/* NULL if memory ran out. There must be room for all goals. */
struct fair *fair_open(struct worker *, enum search_fairness);
void fair_close(struct fair *);

/* Where a fair cycle is: from this state of the region on, and what it has to come across. */
struct fair_cycle {
  uint64_t start, goals;
};

/* Whether the region, which is strongly connected and has all marks, has a cycle with all marks
 * on which no process is treated unfairly. If so, the region's goals and `outside` are set for
 * region_cycle(). False also if memory ran out; then the region is stopped. */
bool fair_judge(struct fair *, struct region *, struct fair_cycle *);
/* Gives back what belongs to the last region that was judged. */
void fair_forget(struct fair *, struct region *);

#endif
