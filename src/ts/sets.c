/* sets.c - the read and write sets of a shape, item by item. */
#include "ts/sets.h"

void sets_begin(struct sets_walk *w, const struct ts_shape *shape, const struct ts_rows *rows,
                uint32_t row) {
  *w = (struct sets_walk){.shape = shape};
  if (rows->start == NULL || rows->item == NULL) /* no row has anything */
    return;
  w->item = rows->item + rows->start[row];
  w->end = rows->item + rows->start[row + 1];
}

bool sets_next(struct sets_walk *w, struct ts_range *range) {
  while (w->range == w->range_end) {
    if (w->item == w->end)
      return false;
    uint32_t item = *w->item++;
    if (item < w->shape->n_slots) {
      *range = (struct ts_range){item, 1};
      return true;
    }
    uint32_t group = item - w->shape->n_slots;
    w->range = w->shape->group + w->shape->group_start[group];
    w->range_end = w->shape->group + w->shape->group_start[group + 1];
  }
  *range = *w->range++;
  return true;
}

bool sets_group_has(const struct ts_shape *shape, uint32_t group, uint32_t slot) {
  uint32_t low = shape->group_start[group], high = shape->group_start[group + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const struct ts_range *r = &shape->group[middle];
    if (slot >= r->first && slot - r->first < r->n)
      return true;
    if (slot < r->first)
      high = middle;
    else
      low = middle + 1;
  }
  return false;
}

bool sets_have(const struct ts_shape *shape, const struct ts_rows *rows, uint32_t row,
               uint32_t slot) {
  for (uint32_t i = rows->start[row]; i < rows->start[row + 1]; i++) {
    uint32_t item = rows->item[i];
    if (item == slot ||
        (item >= shape->n_slots && sets_group_has(shape, item - shape->n_slots, slot)))
      return true;
  }
  return false;
}

bool sets_groups_meet(const struct ts_shape *shape, uint32_t a, uint32_t b) {
  uint32_t i = shape->group_start[a], k = shape->group_start[b];
  while (i < shape->group_start[a + 1] && k < shape->group_start[b + 1]) {
    const struct ts_range *x = &shape->group[i], *y = &shape->group[k];
    if (x->first < y->first + y->n && y->first < x->first + x->n)
      return true;
    if (x->first < y->first)
      i++;
    else
      k++;
  }
  return false;
}
