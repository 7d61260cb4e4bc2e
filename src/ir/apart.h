/* apart.h - a model with instances as one without: each seat is a process of its own.
 * Private to this folder; see apart.c.
 */
#ifndef CAIRN_IR_APART_H
#define CAIRN_IR_APART_H

#include "ir/which.h"

struct apart_seat {
  const struct ir_seat *seat;
  uint32_t number;                   /* its slot */
  bool is_alone;                     /* no other template may sit there */
  struct ir_channel *const *channel; /* of its own, in the order of the model */
  const struct ir_effect *start;     /* as the process has them */
};

struct apart {
  const struct ir_model *whole, *plain; /* the plain one has the same slots */
  const struct apart_seat *seat;        /* by process of the plain one */
  const uint32_t *first;                /* by slot: the first of its seats, of n_slots + 1 */
  const struct ir_actions *actions; /* the same numbers, each with the process of its seat */
  /* By action: the channel of its operation, where it is always the same one, */
  const struct ir_channel *const *constant;
  const struct which *which; /* and else which it may be: of the whole model */
  uint32_t n_global_channels;
  struct ir_channel *const *global_channel; /* by number, less 1 */
};

/* In the arena of the model, after ir_layout(). What is asked of who lives, where others are,
 * or channels whose number is not known, stays as it is. */
const struct apart *apart_of(const struct ir_model *, const struct ir_actions *);

/* Whether the value takes more than the slots of a row. */
bool apart_is_unseen(const struct ir_expr *);

#endif
