/* before.c - the states from which one event leads to a state.
 *
 * Events are counted without being listed (ts_code.n_predecessors()): that is what forgetting
 * needs. States are not, for two actions may lead from one state to the same one, which shows
 * only when their rows are compared: so rows are listed, and put into a small hash table.
 */
#include "ts/before.h"

#include <string.h>

enum before_answer before_fill(struct list *list, const struct ts *ts, const uint8_t *state,
                               uint32_t length, enum before_kind kind) {
  const struct ts_code *code = ts_code(ts);
  struct ts_event cursor = {0, 0};
  list->batch.n = 0;
  for (;;) {
    const int32_t more = kind == BEFORE_ALL
                             ? code->all_predecessors(ts, state, length, &cursor, &list->batch)
                             : code->predecessors(ts, state, length, &cursor, &list->batch);
    if (more != 1)
      return more == 0 ? BEFORE_TOLD : BEFORE_NOT_TOLD;
    if (!list_grow(list))
      return BEFORE_SPENT;
  }
}

static uint64_t hash_of(const uint8_t *row, uint64_t bytes) {
  uint64_t hash = bytes;
  for (uint64_t i = 0; i < bytes; i += 8) {
    uint64_t word;
    memcpy(&word, row + i, sizeof word);
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
  }
  return hash;
}

bool before_states(const struct list *list, uint32_t *n) {
  const struct ts_batch *batch = &list->batch;
  uint64_t size = 8;
  while (size < 2 * (uint64_t)batch->n)
    size *= 2;
  uint32_t *table = budget_alloc(list->budget, BUDGET_OTHER, size * sizeof *table);
  *n = 0;
  for (uint32_t i = 0; i < batch->n && table != NULL; i++) {
    const uint8_t *row = list_row(list, i);
    uint64_t at = hash_of(row, batch->stride) & (size - 1);
    while (table[at] != 0 && memcmp(list_row(list, table[at] - 1), row, batch->stride) != 0)
      at = (at + 1) & (size - 1);
    *n += table[at] == 0;
    table[at] = i + 1;
  }
  if (table == NULL)
    return false;
  budget_free(list->budget, BUDGET_OTHER, table, size * sizeof *table);
  return true;
}
