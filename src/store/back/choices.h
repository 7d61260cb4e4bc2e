/* choices.h - ways back that say by which action a state was reached, but not by which choice.
 *
 * Variant 5 of the ComBack method (Westergaard et al. 2007, section 6.5), for actions with many
 * outcomes. An event on a way back has choice 0 where that was its choice, and else 1, with
 * which all others are meant: its outcomes are weeded by the hash that the state table has for
 * the state. Where several have it the state is not one of a set, as in the paper's algorithm
 * 6, which takes a new state for an old one then; its choice is 1 and how many there are
 * before it. So each state has exactly one way, as with all choices.
 */
#ifndef CAIRN_STORE_BACK_CHOICES_H
#define CAIRN_STORE_BACK_CHOICES_H

#include "store/back/back.h"

/* How many of the choices 1 to event.choice - 1 of the event's action lead from a state to one
 * whose hash decides as this one does. `row`: room for a row. */
uint32_t choices_before(struct back *, const uint8_t *state, uint32_t length, struct ts_event,
                        uint64_t hash, uint8_t *row);

/* Fires an event of the way back of state number `reached`, from the state in front of it; the
 * length of the row, 0: the state is not in the state table. */
uint32_t choices_fire(struct back *, uint64_t reached, const uint8_t *state, uint32_t length,
                      struct ts_event, uint8_t *row);

#endif
