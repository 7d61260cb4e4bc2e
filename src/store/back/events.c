/* events.c - a table of events that were used, and their numbers. */
#include "store/back/events.h"

#include "store/room/save.h"

#include "base/array.h"

#include <assert.h>

void events_init(struct events *e, struct budget *budget) {
  *e = (struct events){.budget = budget};
}

void events_free(struct events *e) {
  array_free(e->budget, BUDGET_STORE, e->event, e->room * sizeof *e->event);
  array_free(e->budget, BUDGET_STORE, e->slot, e->slots * sizeof *e->slot);
  events_init(e, e->budget);
}

/* Where this event is, or the free slot where it would be. */
static uint32_t *find(const struct events *e, struct ts_event event) {
  uint64_t key = (uint64_t)event.choice << 32 | event.action;
  uint64_t at = key * UINT64_C(0x9E3779B97F4A7C15) >> 32;
  for (;; at++) {
    uint32_t *slot = &e->slot[at & (e->slots - 1)];
    if (*slot == 0)
      return slot;
    const struct ts_event *there = &e->event[*slot - 1];
    if (there->action == event.action && there->choice == event.choice)
      return slot;
  }
}

/* Twice as many slots. */
static bool grow(struct events *e) {
  enum { LEAST = 64 };
  uint64_t slots = e->slots == 0 ? LEAST : 2 * e->slots;
  uint32_t *slot = array_resize(e->budget, BUDGET_STORE, NULL, 0, slots * sizeof *slot);
  if (slot == NULL)
    return false;
  array_free(e->budget, BUDGET_STORE, e->slot, e->slots * sizeof *e->slot);
  e->slot = slot;
  e->slots = slots;
  for (uint64_t i = 0; i < e->n; i++)
    *find(e, e->event[i]) = (uint32_t)i + 1;
  return true;
}

bool events_number(struct events *e, struct ts_event event, uint32_t *number) {
  if (2 * (e->n + 1) > e->slots && !grow(e))
    return false;
  uint32_t *slot = find(e, event);
  if (*slot == 0) {
    if (e->n == e->room) {
      struct ts_event *more =
          array_grow(e->budget, BUDGET_STORE, e->event, &e->room, sizeof *more);
      if (more == NULL)
        return false;
      e->event = more;
    }
    assert(e->n < UINT32_MAX);
    e->event[e->n++] = event;
    *slot = (uint32_t)e->n;
  }
  *number = *slot - 1;
  return true;
}

uint64_t events_reserved(const struct events *e) {
  uint64_t event = e->room * sizeof *e->event, slot = e->slots * sizeof *e->slot;
  return (event == 0 ? 0 : array_size(event)) + (slot == 0 ? 0 : array_size(slot));
}

void events_save(const struct events *e, struct sink *sink) {
  sink_put_number(sink, e->n);
  sink_put(sink, e->event, e->n * sizeof *e->event);
}

bool events_load(struct events *e, struct sink *sink) {
  uint32_t number;
  uint64_t n = sink_take_count(sink, UINT32_MAX - 1);
  for (uint64_t i = 0; i < n && sink_is_fine(sink); i++) {
    struct ts_event event = {0, 0};
    sink_take(sink, &event, sizeof event);
    if (!events_number(e, event, &number))
      return false;
    if (number != i)
      sink_refuse(sink, "has an event twice");
  }
  return sink_is_fine(sink);
}
