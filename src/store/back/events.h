/* events.h - events by number, in the order in which they were first used.
 *
 * An event is eight bytes, but few of those that a model could have happen, and most have the
 * choice 0. So whoever keeps an event for every state keeps its number, in the bits that the
 * numbers given out so far need.
 */
#ifndef CAIRN_STORE_BACK_EVENTS_H
#define CAIRN_STORE_BACK_EVENTS_H

#include "ts/abi.h"

#include "base/budget.h"
#include "base/sink.h"

struct events {
  struct budget *budget;
  struct ts_event *event; /* by number */
  uint64_t n, room;
  uint32_t *slot; /* open table of numbers + 1, 0: free; at most half of it is in use */
  uint64_t slots;
};

/* Takes no memory. */
void events_init(struct events *, struct budget *);
void events_free(struct events *);

/* The number of an event, a new one if it has none. False if memory ran out. */
bool events_number(struct events *, struct ts_event, uint32_t *number);

/* Bytes taken from the budget. */
uint64_t events_reserved(const struct events *);

/* See room/save.h. */
void events_save(const struct events *, struct sink *);
bool events_load(struct events *, struct sink *);

#endif
