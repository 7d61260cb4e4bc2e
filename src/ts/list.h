/* list.h - all successors of one state, however many. */
#ifndef CAIRN_TS_LIST_H
#define CAIRN_TS_LIST_H

#include "ts/ts.h"

#include "base/budget.h"

struct list {
  struct ts_batch batch;
  struct budget *budget;
};

/* False if the budget is exhausted; the list is empty and can be freed then, too. */
bool list_open(struct list *, const struct ts_shape *, uint32_t capacity, struct budget *);
void list_free(struct list *);

/* Replaces the content by the successors of a state, less the actions in `skip`
 * (or NULL). Rows are filled with noise before, so that nothing is taken for
 * written that was not. False if the budget is exhausted, or if the code calls a
 * batch full that is not. */
bool list_fill(struct list *, const struct ts *, const struct ts_code *, const uint8_t *state,
               uint32_t length, const uint64_t *skip);

/* Room for twice as many; what is there stays. False if the budget is exhausted. */
bool list_grow(struct list *);

static inline const uint8_t *list_row(const struct list *list, uint32_t i) {
  return list->batch.rows + i * list->batch.stride;
}

#endif
