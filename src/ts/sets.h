/* sets.h - the read and write sets of a shape, item by item. */
#ifndef CAIRN_TS_SETS_H
#define CAIRN_TS_SETS_H

#include "ts/ts.h"

/* Goes through the slots of one row, as ranges; a slot may come more than once.
 *   for (sets_begin(&walk, shape, &shape->reads, action); sets_next(&walk, &range);) */
struct sets_walk {
  const struct ts_shape *shape;
  const uint32_t *item, *end;
  const struct ts_range *range, *range_end; /* of the group that is gone through */
};

void sets_begin(struct sets_walk *, const struct ts_shape *, const struct ts_rows *,
                uint32_t row);
bool sets_next(struct sets_walk *, struct ts_range *);

/* Whether the slot is in the row, or in the group. */
bool sets_have(const struct ts_shape *, const struct ts_rows *, uint32_t row, uint32_t slot);
bool sets_group_has(const struct ts_shape *, uint32_t group, uint32_t slot);

/* Whether two groups share a slot. */
bool sets_groups_meet(const struct ts_shape *, uint32_t a, uint32_t b);

#endif
