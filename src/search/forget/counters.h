/* counters.h - hashed counters of the events that lead to states.
 *
 * Miller and Katz, "Saving space by fully exploiting invisible transitions" (CAV 1996): a state
 * goes by its hash to one of 2^bits counters, which several states may share. A counter has
 * eight bits; one that is full stays full.
 *
 * A counter that is used up before an event is one that was counted too low. It becomes full:
 * what is kept for it from now on stays.
 */
#ifndef CAIRN_SEARCH_FORGET_COUNTERS_H
#define CAIRN_SEARCH_FORGET_COUNTERS_H

#include "base/budget.h"
#include "base/sink.h"

enum {
  COUNTERS_LEAST = 8, /* bits */
  COUNTERS_MOST = 36,
  COUNTERS_USUAL = 24,
  COUNTERS_FULL = 255
};

/* What it took to count. */
struct counters_cost {
  uint64_t visited, events;
  double seconds;
  bool is_whole; /* the first search saw everything */
};

struct counters {
  uint8_t *at;
  uint32_t bits;
  struct budget *budget;
  struct counters_cost cost;
};

/* 2^bits counters of 0; bits 0: as many as are usual and no more than a sixteenth of the
 * budget. False if the budget is exhausted. */
bool counters_open(struct counters *, uint32_t bits, struct budget *);
void counters_close(struct counters *);
static inline uint64_t counters_bytes(const struct counters *c) {
  return c->at == NULL ? 0 : UINT64_C(1) << c->bits;
}

/* The counter of a finished hash. Not its high bits, by which stores go. */
static inline uint8_t *counters_of(const struct counters *c, uint64_t hash) {
  return c->at + ((hash * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - c->bits));
}

/* One event more. */
static inline void counters_count(const struct counters *c, uint64_t hash) {
  uint8_t *at = counters_of(c, hash);
  *at = (uint8_t)(*at + (*at < COUNTERS_FULL));
}

/* One event has come. False: it was not counted, and the counter is full from now on. */
static inline bool counters_use(const struct counters *c, uint64_t hash) {
  uint8_t *at = counters_of(c, hash);
  if (*at == 0) {
    *at = COUNTERS_FULL;
    return false;
  }
  *at = (uint8_t)(*at - (*at < COUNTERS_FULL));
  return true;
}

static inline bool counters_are_used_up(const struct counters *c, uint64_t hash) {
  return *counters_of(c, hash) == 0;
}

/* Saves them, or loads them into some that were just opened, as many as there were: the budget
 * may be another one now. False if memory ran out or the sink refused. */
bool counters_pass(struct counters *, struct sink *);

#endif
