/* region.h - a set of stored states, and the events between them, for engines of cycles.
 *
 * A region is given by its states in any numbering from 0 on. Its events are found by firing
 * its states again, so the store must give states back. Goals are what a cycle is to come
 * across: the marks of the product first, and more if somebody adds them (fair.c); an event has
 * some of them.
 */
#ifndef CAIRN_SEARCH_REGION_H
#define CAIRN_SEARCH_REGION_H

#include "search/core.h"

#define REGION_NONE UINT64_MAX

struct region {
  struct worker *worker;
  uint64_t n;
  void *context;
  uint64_t (*name)(void *context, uint64_t i);    /* the store's, of state i */
  uint64_t (*index)(void *context, uint64_t ref); /* of a state by it; REGION_NONE: outside */
  /* Goals of an event that is fired in state i, which is in the row; NULL: its marks. */
  uint64_t (*goals)(void *goal_context, uint64_t i, const uint8_t *row, uint32_t length,
                    const struct ts_edge *edge);
  void *goal_context;
  const uint8_t *outside; /* [i]: 1 for states that do not belong to it after all; or NULL */
  struct rows rows;
  uint8_t *row;
  bool stopped; /* memory ran out, or the search has to end */
};

/* What is looked at: an event from state `from`, which is in `row`, to state `to` of the
 * region, or out of it (REGION_NONE). False ends the walk. */
typedef bool region_visit(void *, uint64_t from, uint64_t to, const uint8_t *row,
                          uint32_t length, const struct ts_edge *);

/* Takes memory for `worker`; the other members are the caller's. False: there is none. */
bool region_open(struct region *, struct worker *);
void region_close(struct region *);

/* All events from state i. False: the walk was ended, or
 * stopped. */
bool region_expand(struct region *, uint64_t i, region_visit *, void *context);

/* Events, as they are found. */
struct region_way {
  struct ts_event *at;
  uint64_t n, room;
};
void region_way_free(struct region *, struct region_way *);

/* Adds a cycle to the way that begins and ends in state `start` and comes across all goals,
 * each by a shortest way from where it is. The region must be strongly connected and have them.
 * False: stopped. */
bool region_cycle(struct region *, uint64_t start, uint64_t goals, struct region_way *);
/* Adds a shortest way from `from` to `to`; the same. */
bool region_walk(struct region *, uint64_t from, uint64_t to, struct region_way *);

#endif
