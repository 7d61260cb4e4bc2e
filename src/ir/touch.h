/* touch.h - read and write sets of a model with instances. Private to this folder. */
#ifndef CAIRN_IR_TOUCH_H
#define CAIRN_IR_TOUCH_H

#include "ir/ir.h"

struct ts_shape;

struct touch_set { /* sets of slots, one behind the other */
  uint32_t *at;
  uint32_t n, capacity;
  uint32_t *mark, stamp; /* mark[slot] = stamp: in the set that is being made */
};

/* What a run of a process may touch, for each seat; made when first asked. */
struct touch_runs;
struct touch_runs *touch_runs(const struct ir_model *, const struct ts_shape *);

/* Appends what one action reads and writes; the stamps are fresh. */
void touch_action(const struct ir_model *, const struct ts_shape *, const struct ir_move *,
                  struct touch_runs *, struct touch_set *reads, struct touch_set *writes);

#endif
