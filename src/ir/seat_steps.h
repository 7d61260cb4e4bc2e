/* seat_steps.h - what the edges of a model with instances do, cut into small steps. Private to
 * this folder; see seat_steps.c.
 */
#ifndef CAIRN_IR_SEAT_STEPS_H
#define CAIRN_IR_SEAT_STEPS_H

#include "ir/apart.h"
#include "ir/small_steps.h"

/* Of each action, that is of each edge of each seat: what it does itself. */
const struct small_steps *seat_steps(const struct apart *);
/* By seat: what a process does to itself when it begins. */
const struct small_steps *seat_starts(const struct apart *);

/* For analyses of all that may happen: actions of the plain model, where a handshake is one of
 * two moves, an operation on channels is on one of those that it may be, and beginning is a
 * step of the process that begins. NULL: there are too many. */
struct seat_all {
  const struct ir_actions *actions;
  const struct small_steps *steps;
};
const struct seat_all *seat_all(const struct apart *);

/* Whether an event that begins with the action may be more than its own step. */
bool seat_is_long(const struct apart *, uint32_t action);
/* Whether its process has control afterwards. */
bool seat_keeps(const struct ir_process *, const struct ir_edge *);

#endif
