/* needs.h - who has to be in a set with a process, because of its steps.
 *
 * As sets of locations (conflict.h): for steps that are enabled, from where something conflicts
 * with them; for those that are not, from where something may enable them. Nearly all of this
 * depends only on where the process is and which of its steps are enabled there, and is kept by
 * these two: a look-up in each state. What depends on more is asked for only where it matters:
 * which element a step picks, which guard of a step is false, whether there is a message.
 */
#ifndef CAIRN_SEARCH_REDUCE_NEEDS_H
#define CAIRN_SEARCH_REDUCE_NEEDS_H

#include "search/reduce/conflict.h"
#include "search/reduce/seen.h"

/* A process: where it is, and which steps of that location are enabled: by step `stamp`, and as
 * bits, if there are no more than 64. */
struct needs_of {
  uint32_t location;
  uint64_t steps;
};

struct needs_known {
  uint64_t *least; /* needed in any case, and */
  uint64_t *most;  /* whatever else the state is like */
  uint64_t open;   /* steps, as bits, of which that says too little; 0: both are the same */
};

enum {
  NEEDS_KEPT = 1024,    /* places, a power of two, of which each holds what came last */
  NEEDS_MOST_STEPS = 64 /* of a location with more nothing is kept */
};

struct needs_place {
  struct needs_of of; /* location TS_NONE: free */
  uint64_t open;
};

struct needs {
  const struct related *related;
  const struct conflict *conflict;
  const struct ts_control *control;
  struct budget *budget;
  struct seen *seen;
  const uint32_t *enabled; /* by step */
  uint32_t words;
  struct needs_place *place; /* NEEDS_KEPT, and one for what is not kept */
  uint64_t *set;             /* by place: least, most; and three more */
  uint64_t *all, *any, *mind;
};

/* NULL if the budget is exhausted. `enabled`: by step, the stamp of the state where it was. */
struct needs *needs_open(const struct conflict *, struct seen *, const uint32_t *enabled,
                         struct budget *);
void needs_close(struct needs *); /* NULL: nothing happens */

/* What is not kept in this place, or not at all. */
void needs_fill(struct needs *, struct needs_of, uint32_t place);

/* Valid until the next call. In line, for it is done for each process of most states. */
static inline struct needs_known needs_find(struct needs *n, struct needs_of of) {
  uint64_t mixed = (of.steps ^ (uint64_t)of.location << 48) * 0x9E3779B97F4A7C15u;
  uint32_t i = (uint32_t)(mixed >> 54) % NEEDS_KEPT;
  const uint32_t *first = n->control->first_step + of.location;
  if (first[1] - first[0] > NEEDS_MOST_STEPS)
    i = NEEDS_KEPT;
  if (n->place[i].of.location != of.location || n->place[i].of.steps != of.steps)
    needs_fill(n, of, i);
  uint64_t *least = n->set + 2 * (size_t)i * n->words;
  return (struct needs_known){least, least + n->words, n->place[i].open};
}

/* All that is needed in the state of `seen`, in which processes are at the locations of `at`.
 * Adds to *work. */
const uint64_t *needs_settle(struct needs *, struct needs_of, uint64_t open, const uint64_t *at,
                             uint64_t *work);

#endif
