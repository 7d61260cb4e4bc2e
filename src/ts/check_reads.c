/* check_reads.c - whether actions look at more than their read sets say.
 *
 * Reads cannot be observed from outside; so the state is altered where an action claims not
 * to look, to values that other states really had, and the action must do the same there as
 * here. Two ways of altering are taken in turn: one slot at a time, checked against every
 * enabled action; and all slots that one action does not read at once, taken from another
 * state.
 *
 * "The same" has to allow for writes: a slot that the event really changed must come out the
 * same; any other one either keeps its altered value, or is written with the value it
 * happened to have.
 */
#include "ts/check_inside.h"

#include "ts/sets.h"

#include "base/bits.h"

#include <string.h>

#define CHECK_SLOTS 6 /* slots altered one by one at each expansion */
#define CHECK_MIXES 4 /* actions put into another state at each expansion */

static uint32_t pick(struct check *check, uint32_t n) {
  return (uint32_t)(bits_next_random(&check->random) % n);
}

/* Event i here did `row` to `state`; event j there did `other` to check->altered. */
static bool check_effect(struct check *check, const uint8_t *state, uint32_t i, uint32_t j) {
  const struct ts_edge *edge = &check->here.batch.edge[i];
  const struct ts_edge *their = &check->there.batch.edge[j];
  char name[160];
  if (edge->kind != their->kind || (edge->kind != TS_FINE && edge->fault != their->fault))
    return check_complain(check, &edge->event,
                          "its fault depends on what is not in the read set");
  if (edge->kind == TS_MODEL_ERROR)
    return true;
  const uint8_t *row = list_row(&check->here, i), *other = list_row(&check->there, j);
  for (uint32_t s = 0; s < check->shape->n_slots; s++) {
    const struct ts_slot *slot = &check->shape->slot[s];
    if (check_same(other, row, slot) ||
        (check_same(row, state, slot) && check_same(other, check->altered, slot)) ||
        (!ts_is_there(check->shape, s, row) && !ts_is_there(check->shape, s, other)))
      continue;
    return check_complain(check, &edge->event,
                          "what it does to %s depends on what is not in the read set",
                          check_slot_name(check, s, name));
  }
  return true;
}

/* An event that is enabled in one of the two states only. */
static bool complain_enabled(struct check *check, struct ts_event event, uint32_t slot) {
  char name[160] = "what another state has there";
  if (slot != TS_NONE)
    check_slot_name(check, slot, name);
  return check_complain(check, &event,
                        "%s decides whether it is enabled, but is not in the read set", name);
}

/* Compares both lists: the events of `action`, or, if that is TS_NONE, of all
 * actions that do not read `slot`. */
static bool compare_lists(struct check *check, const uint8_t *state, uint32_t action,
                          uint32_t slot) {
  const struct ts_batch *here = &check->here.batch, *there = &check->there.batch;
  uint32_t i = 0, j = 0;
  while (i < here->n || j < there->n) {
    int order = i == here->n    ? 1
                : j == there->n ? -1
                                : check_compare(here->edge[i].event, there->edge[j].event);
    struct ts_event event = order <= 0 ? here->edge[i].event : there->edge[j].event;
    if (event.action >= check->shape->n_actions)
      return check_complain(check, NULL, "an event names action %u, which there is not",
                            event.action);
    bool matters = action == TS_NONE
                       ? !sets_have(check->shape, &check->shape->reads, event.action, slot)
                       : event.action == action;
    if (matters && order != 0)
      return complain_enabled(check, event, slot);
    if (matters && !check_effect(check, state, i, j))
      return false;
    i += order <= 0;
    j += order >= 0;
  }
  return true;
}

/* The next slot that has had another value in a state seen; all actions. */
static bool check_one_slot(struct check *check, const uint8_t *state, uint32_t length) {
  const struct ts_shape *shape = check->shape;
  uint32_t s = check->next_slot++ % shape->n_slots;
  const struct ts_slot *slot = &shape->slot[s];
  uint32_t first = pick(check, CHECK_SEEN);
  for (uint32_t k = 0; k < CHECK_SEEN; k++) {
    uint32_t which = (first + k) % CHECK_SEEN;
    const uint8_t *other = check->seen + which * check->stride;
    if (check->seen_length[which] < slot->offset + slot->bytes ||
        length < slot->offset + slot->bytes || check_same(other, state, slot) ||
        check->given[s] || !ts_is_there(shape, s, state) || !ts_is_there(shape, s, other))
      continue;
    memcpy(check->altered, state, check->stride);
    memcpy(check->altered + slot->offset, other + slot->offset, slot->bytes);
    return check_fill(check, &check->there, check->altered, length, NULL) &&
           compare_lists(check, state, TS_NONE, s);
  }
  return true;
}

/* Whether the same things are there in a state seen before. */
static bool same_given(const struct check *check, const uint8_t *state, uint32_t which) {
  const uint8_t *other = check->seen + which * check->stride;
  for (uint32_t i = 0; i < check->shape->n_slots; i++)
    if (check->given[i] && !check_same(state, other, &check->shape->slot[i]))
      return false;
  return true;
}

/* One action, in another state that has this one's values where it looks. */
static bool check_mix(struct check *check, const uint8_t *state, uint32_t length,
                      uint32_t action) {
  const struct ts_shape *shape = check->shape;
  uint32_t which = pick(check, CHECK_SEEN);
  if (check->seen_length[which] != length || !same_given(check, state, which))
    return true;
  memcpy(check->altered, check->seen + which * check->stride, check->stride);
  struct sets_walk walk;
  struct ts_range range;
  for (sets_begin(&walk, shape, &shape->reads, action); sets_next(&walk, &range);)
    for (uint32_t i = range.first; i < range.first + range.n; i++)
      memcpy(check->altered + shape->slot[i].offset, state + shape->slot[i].offset,
             shape->slot[i].bytes);
  memset(check->skip, 0xFF, BITS_WORDS(shape->n_actions) * sizeof *check->skip);
  bits_clear(check->skip, action);
  return check_fill(check, &check->there, check->altered, length, check->skip) &&
         compare_lists(check, state, action, TS_NONE);
}

/* Enabled and other actions in turn: both kinds can be read too little. */
bool check_reads(struct check *check, const uint8_t *state, uint32_t length) {
  const struct ts_batch *here = &check->here.batch;
  for (uint32_t i = 0; i < CHECK_SLOTS; i++)
    if (!check_one_slot(check, state, length))
      return false;
  for (uint32_t i = 0; i < CHECK_MIXES; i++) {
    uint32_t action = i % 2 == 0 && here->n > 0 ? here->edge[pick(check, here->n)].event.action
                                                : pick(check, check->shape->n_actions);
    if (!check_mix(check, state, length, action))
      return false;
  }
  return true;
}

void check_remember(struct check *check, const uint8_t *state, uint32_t length) {
  uint32_t which = check->n_seen < CHECK_SEEN ? check->n_seen : pick(check, check->n_seen + 1);
  if (check->n_seen < UINT32_MAX - 1)
    check->n_seen++;
  if (which >= CHECK_SEEN)
    return;
  memcpy(check->seen + which * check->stride, state, check->stride);
  check->seen_length[which] = length;
}
