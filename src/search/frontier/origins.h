/* origins.h - by which actions the open states of a queue were discovered.
 *
 * States are numbered in the order in which they are stored, and those from `head` on are
 * open. An action is at its state's number modulo the room, in two bytes where the
 * model has few enough actions, else in four. The bit above it is OPEN_OF_FEW.
 */
#ifndef CAIRN_SEARCH_FRONTIER_ORIGINS_H
#define CAIRN_SEARCH_FRONTIER_ORIGINS_H

#include "search/frontier/frontier.h"

struct origins {
  void *at;      /* uint16_t, or uint32_t if wide; NULL: nobody asks */
  uint64_t room; /* a power of two */
  uint64_t end;  /* number of the next state */
  bool wide;
  struct budget *budget;
};

/* False if the budget is exhausted. */
bool origins_open(struct origins *, const struct ts_shape *, struct budget *);
void origins_free(struct origins *);

/* Rows of a range were answered: keeps the actions of the new states among them. False if the
 * budget is exhausted. */
bool origins_add(struct origins *, const struct open_range *, uint64_t head);

/* Saves it, or loads it into one that was just opened. False if memory ran out or the sink
 * refused. */
bool origins_pass(struct origins *, uint64_t head, struct sink *);

enum { ORIGINS_NARROW = 0x7FFF, ORIGINS_WIDE = 0x7FFFFFFF }; /* no action: an initial state */

/* What is kept of the open state with this number. */
static inline uint32_t origins_at(const struct origins *o, uint64_t number) {
  uint64_t i = number & (o->room - 1);
  return o->wide ? ((const uint32_t *)o->at)[i] : ((const uint16_t *)o->at)[i];
}

/* Says of that state by which action it was discovered, and open->of_few. */
static inline void origins_of(const struct origins *o, uint64_t number, struct open *open) {
  uint32_t none = o->wide ? ORIGINS_WIDE : ORIGINS_NARROW, kept = origins_at(o, number);
  open->by.action = (kept & none) == none ? TS_NONE : kept & none;
  open->of_few = (kept & ~none) != 0;
}

#endif
