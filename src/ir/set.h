/* set.h - sets of slots while they are made, as ts/ts.h has them. Private to this folder.
 *
 * An item is a slot, or a group of ranges of slots that many sets share: a whole array, the
 * same variable in all places of a template. A group is made once for each key. */
#ifndef CAIRN_IR_SET_H
#define CAIRN_IR_SET_H

#include "base/arena.h"
#include "ts/ts.h"

struct set_groups {
  struct arena *arena;
  uint32_t n_slots;
  struct {
    struct ts_range *at;
    uint32_t n, capacity;
  } ranges, taken; /* of all groups; room for making one */
  struct {
    uint32_t *at;
    uint32_t n, capacity;
  } starts; /* of each group in ranges */
  struct {
    struct set_key {
      const void *owner;
      uint32_t first, n, item;
    } * at; /* item TS_NONE: free */
    uint32_t n, size;
  } table;
};

struct set { /* rows, one after the other */
  struct set_groups *groups;
  uint32_t *at;
  uint32_t n, capacity;
  uint32_t *mark, n_marks, stamp; /* mark[item] == stamp: in the row that is being made */
};

void set_groups_open(struct set_groups *, struct arena *, const struct ts_shape *);
/* Into the shape, when all rows are made. */
void set_groups_close(struct set_groups *, struct ts_shape *);

void set_open(struct set *, struct set_groups *);
/* A new row begins. */
void set_begin(struct set *);
/* Adds to the row what is not in it yet. */
void set_add(struct set *, uint32_t item);
void set_add_slots(struct set *, uint32_t first, uint32_t n);

/* An item that was made before for this key; false: none was, so make one and keep it. */
bool set_find(const struct set_groups *, const void *owner, uint32_t first, uint32_t n,
              uint32_t *item);
void set_keep(struct set_groups *, const void *owner, uint32_t first, uint32_t n,
              uint32_t item);

/* A new group, as an item, whose ranges are added at once and ascending. */
uint32_t set_group(struct set_groups *);
void set_extend(struct set_groups *, uint32_t first, uint32_t n);

/* Takes the items from `from` on out of the row, and makes one group of them all; an item. */
uint32_t set_take(struct set *, uint32_t from);

#endif
