/* alter.h - what a step may make of a guard: whether it may become true, or false.
 *
 * A step that sets `x` to 1 does not make `x == 0` true. Known from what the step may write
 * (ts_touch) and the terms of the guard, worked out before a search by trying all values that
 * make a difference. Where too much would have to be tried, the answer is yes.
 */
#ifndef CAIRN_SEARCH_REDUCE_ALTER_H
#define CAIRN_SEARCH_REDUCE_ALTER_H

#include "ts/control.h"

enum { ALTER_SLOTS = 4, ALTER_CONSTS = 6, ALTER_KNOWN = 2 };

/* A guard, given the values of some slots that indices are made of. */
struct alter {
  const struct ts_shape *shape;
  const struct ts_guard *guard;
  uint32_t n_known, known_slot[ALTER_KNOWN];
  int32_t known_value[ALTER_KNOWN];
  /* Filled in: */
  bool fine;      /* all slots that it looks at are known, and few; else nothing is excluded */
  bool is_simple; /* it compares slots with constants only */
  uint32_t n, slot[ALTER_SLOTS];
  uint32_t n_consts;
  int32_t constant[ALTER_CONSTS];
};

/* Shape, guard and what is known are given. */
void alter_open(struct alter *);

/* Whether a step may change the guard from another value to this one. */
bool alter_may(const struct alter *, uint32_t step, bool to);

#endif
