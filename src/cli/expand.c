/* expand.c - all successors of one state at once. */
#include "cli/expand.h"

#define EXPAND_FIRST 64u

bool expand_open(struct expand *e, const struct ts *ts, struct budget *budget) {
  uint32_t stride = ts_stride(ts->shape);
  *e = (struct expand){.ts = ts, .budget = budget};
  e->batch.stride = stride > 0 ? stride : 8;
  e->batch.capacity = EXPAND_FIRST;
  e->edge_bytes = EXPAND_FIRST * sizeof *e->batch.edge;
  e->row_bytes = EXPAND_FIRST * e->batch.stride;
  e->batch.edge = budget_alloc(budget, BUDGET_OTHER, e->edge_bytes);
  e->batch.rows = budget_alloc(budget, BUDGET_OTHER, e->row_bytes);
  return e->batch.edge != NULL && e->batch.rows != NULL;
}

/* Doubles a block in place of *block. */
static bool grow_block(struct expand *e, void **block, size_t *bytes) {
  void *new = budget_realloc(e->budget, BUDGET_OTHER, *block, *bytes, 2 * *bytes);
  if (new == NULL)
    return false;
  *block = new;
  *bytes *= 2;
  return true;
}

static bool grow(struct expand *e) {
  void *edge = e->batch.edge, *rows = e->batch.rows;
  bool fine = e->batch.capacity <= UINT32_MAX / 2 && grow_block(e, &edge, &e->edge_bytes) &&
              grow_block(e, &rows, &e->row_bytes);
  e->batch.edge = edge;
  e->batch.rows = rows;
  if (fine)
    e->batch.capacity *= 2;
  return fine;
}

bool expand_state(struct expand *e, const uint8_t *state, uint32_t length) {
  const struct ts_code *code = ts_code(e->ts);
  struct ts_event cursor = {0, 0};
  e->batch.n = 0;
  while (code->successors(e->ts, state, length, &cursor, NULL, &e->batch) != 0)
    if (!grow(e))
      return false;
  return true;
}

void expand_close(struct expand *e) {
  if (e->batch.edge != NULL)
    budget_free(e->budget, BUDGET_OTHER, e->batch.edge, e->edge_bytes);
  if (e->batch.rows != NULL)
    budget_free(e->budget, BUDGET_OTHER, e->batch.rows, e->row_bytes);
  *e = (struct expand){0};
}
