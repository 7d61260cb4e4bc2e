/* undo_walk.h - one action while it is undone. Private to this folder; see undo.c.
 */
#ifndef CAIRN_IR_UNDO_WALK_H
#define CAIRN_IR_UNDO_WALK_H

#include "ir/bounds.h"
#include "ir/holes.h"
#include "ir/pairs.h"

/* For one hole that an index or a calculation depends on: values; and for one action: rows that
 * are tried, values that holes are filled with at its beginning, and temporaries. */
enum {
  UNDO_MOST_VALUES = 4096,
  UNDO_MOST_TRIES = 256,
  UNDO_MOST_FILLED = 1024,
  UNDO_MOST_TEMPORARIES = 256
};

struct undo {
  const struct ir_model *model;
  const struct ir_actions *actions;
  const struct ts_shape *shape;
  const struct small_steps *steps; /* by action */
  const struct bounds *bounds;
  const struct pairs *pairs; /* NULL: not known */
  const uint32_t *first;     /* by process: its locations in `start` */
  const uint32_t *start; /* by location: where the actions that lead there begin in `order` */
  const uint32_t *order;
  bool is_plain; /* an action is done wherever its guards hold, and no step fails */
};

struct temporary {
  int32_t value;
  bool known;
  const struct ir_type *type; /* it was cut to */
};

struct walk {
  struct holes row;
  const struct undo *u;
  const struct ts *ts;
  const uint8_t *after;
  uint32_t length;
  uint8_t *fired, *now; /* room; what pairs_read() says of the state */
  struct temporary *temporary;
  const struct small_steps *steps;
  uint32_t action;
  uint32_t skip, n;     /* rows of this action to leave out, and found so far */
  uint32_t tries;       /* rows of this action that were tried, */
  uint64_t filled;      /* and values that holes were filled with */
  struct ts_batch *out; /* NULL: they are only counted */
  bool full, cannot;
};

static inline bool undo_is_over(const struct walk *w) {
  return w->full || w->cannot || w->row.spent;
}

/* All steps are undone: finds the rows that lead to the state. */
void undo_begin(struct walk *);

#endif
