/* around.h - the product around a lasso: states that are fired again, and what leads where.
 *
 * They are in a store of their own, which is exact and numbers them in the order in which they
 * were found; so it does not matter what the search knows of its states.
 */
#ifndef CAIRN_SEARCH_ERROR_AROUND_H
#define CAIRN_SEARCH_ERROR_AROUND_H

#include "search/core.h"

#define AROUND_NONE   UINT32_MAX
#define AROUND_MARKED UINT32_C(0x80000000)

struct around_arc {
  uint32_t to; /* a state, and AROUND_MARKED where it has the first mark */
  struct ts_event event;
};

struct around {
  struct worker *worker;
  const struct store_kind *kind;
  struct store *store;
  struct store_work *work;
  struct rows rows;
  uint8_t *row;
  uint64_t n;      /* states */
  uint64_t fired;  /* of so many the arcs are known: */
  uint64_t *first; /* their first ones, and an end */
  struct around_arc *arc;
  uint64_t n_arcs, firsts_room, arcs_room;
  uint64_t
      level_end;  /* states after this one are a level deeper than the next that is fired, */
  uint32_t level; /* which is so many events from one that was added */
  bool stopped;   /* there is no more memory, a call of the model's code took too long, or the
                   * user wants it to stop */
};

/* False: there is no memory. It can be closed then, too. */
bool around_open(struct around *, struct worker *);
void around_close(struct around *);

/* The number of a state; around_add() adds it if it is new. AROUND_NONE: it is not there. */
uint32_t around_add(struct around *, const uint8_t *state, uint32_t length);
uint32_t around_find(struct around *, const uint8_t *state, uint32_t length);

/* Goes on firing states breadth-first from those that were added: until so many were fired, or
 * so many are known, or only those are left that are `levels` - 1 events away or more. */
void around_explore(struct around *, uint64_t fired, uint64_t known, uint32_t levels);
/* Whether none nearer is left. */
static inline bool around_is_done(const struct around *a, uint32_t levels) {
  return a->fired == a->n || a->level + 1 >= levels;
}

static inline uint32_t around_to(const struct around *a, uint64_t arc) {
  return a->arc[arc].to & ~AROUND_MARKED;
}

/* From which on the arcs of a state are; for states that were not fired there are none. */
static inline uint64_t around_first(const struct around *a, uint64_t state) {
  return a->first[state < a->fired ? state : a->fired];
}

#endif
