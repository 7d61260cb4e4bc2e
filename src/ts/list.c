/* list.c - all successors of one state, however many.
 *
 * Searches work in batches of a fixed size; what looks at one state as a whole
 * (the self-check, tools for people) wants all of its successors side by side.
 */
#include "ts/list.h"

#include <string.h>

#define LIST_NOISE 0xA5

bool list_open(struct list *list, const struct ts_shape *shape, uint32_t capacity,
               struct budget *budget) {
  uint32_t stride = ts_stride(shape);
  *list = (struct list){.budget = budget};
  list->batch = (struct ts_batch){
      .edge = budget_alloc(budget, BUDGET_OTHER, capacity * sizeof(struct ts_edge)),
      .rows = budget_alloc(budget, BUDGET_OTHER, (size_t)capacity * stride),
      .stride = stride,
      .capacity = capacity};
  if (list->batch.edge != NULL && list->batch.rows != NULL)
    return true;
  list_free(list);
  return false;
}

void list_free(struct list *list) {
  struct ts_batch *batch = &list->batch;
  budget_free(list->budget, BUDGET_OTHER, batch->edge, batch->capacity * sizeof *batch->edge);
  budget_free(list->budget, BUDGET_OTHER, batch->rows, batch->capacity * batch->stride);
  *batch = (struct ts_batch){0};
}

bool list_grow(struct list *list) {
  struct ts_batch *batch = &list->batch;
  uint32_t old = batch->capacity;
  if (old > UINT32_MAX / 2)
    return false;
  struct ts_edge *edge = budget_realloc(list->budget, BUDGET_OTHER, batch->edge,
                                        old * sizeof *edge, 2 * (size_t)old * sizeof *edge);
  if (edge == NULL)
    return false;
  batch->edge = edge;
  uint8_t *rows = budget_realloc(list->budget, BUDGET_OTHER, batch->rows, old * batch->stride,
                                 2 * old * batch->stride);
  if (rows == NULL) {
    /* Shrinking cannot fail. */
    batch->edge = budget_realloc(list->budget, BUDGET_OTHER, edge,
                                 2 * (size_t)old * sizeof *edge, old * sizeof *edge);
    return false;
  }
  batch->rows = rows;
  batch->capacity = 2 * old;
  return true;
}

bool list_fill(struct list *list, const struct ts *ts, const struct ts_code *code,
               const uint8_t *state, uint32_t length, const uint64_t *skip) {
  struct ts_batch *batch = &list->batch;
  struct ts_event cursor = {0, 0};
  batch->n = 0;
  for (;;) {
    memset(batch->rows + batch->n * batch->stride, LIST_NOISE,
           (batch->capacity - batch->n) * batch->stride);
    if (code->successors(ts, state, length, &cursor, skip, batch) == 0)
      return true;
    if (batch->n < batch->capacity || !list_grow(list))
      return false;
  }
}
