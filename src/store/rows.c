/* rows.c - room for successors, made once per search.
 *
 * The rows and their hashes, parents and answers are in one block, so the loop
 * allocates nothing per state.
 */
#include "store/rows.h"

uint32_t rows_enough(const struct ts_shape *shape) {
  enum { MOST = 112, LEAST = 32, BYTES = 48 << 10 };
  uint32_t stride = ts_stride(shape);
  uint32_t rows = stride == 0 ? MOST : BYTES / stride;
  return rows < LEAST ? LEAST : rows > MOST ? MOST : rows;
}

uint32_t rows_events(const struct ts_shape *shape) {
  enum { MOST = 128 };
  uint32_t n = shape->most_events;
  return n < 1 ? 1 : n > MOST ? MOST : n;
}

/* Cuts `bytes` off the block, aligned for rows and vector instructions. */
static void *cut(uint8_t **at, size_t bytes) {
  uint8_t *piece = *at;
  *at += (bytes + 63) & ~(size_t)63;
  return piece;
}

bool rows_open(struct rows *rows, const struct ts_shape *shape, struct budget *budget,
               uint32_t capacity) {
  enum { WORDS = 6, ARRAYS = 9 };
  size_t stride = ts_stride(shape), n = capacity;
  size_t per_row = stride + sizeof *rows->batch.edge + WORDS * sizeof(uint64_t) + 1;
  size_t bytes = n * per_row + ARRAYS * (size_t)64;
  uint8_t *at = budget_map(budget, BUDGET_OPEN, bytes, false);
  if (at == NULL)
    return false;
  *rows = (struct rows){.bytes = bytes};
  rows->batch.rows = cut(&at, n * stride);
  rows->batch.edge = cut(&at, n * sizeof *rows->batch.edge);
  rows->raw = cut(&at, n * sizeof(uint64_t));
  rows->hash = cut(&at, n * sizeof(uint64_t));
  rows->parent = cut(&at, n * sizeof(uint64_t));
  rows->ref = cut(&at, n * sizeof(uint64_t));
  rows->number = cut(&at, n * sizeof(uint64_t));
  rows->pred = cut(&at, n * sizeof(uint64_t));
  rows->answer = cut(&at, n);
  rows->batch.stride = stride;
  rows->batch.capacity = capacity;
  return true;
}

void rows_close(struct rows *rows, struct budget *budget) {
  if (rows->batch.rows != NULL)
    budget_unmap(budget, BUDGET_OPEN, rows->batch.rows, rows->bytes);
  *rows = (struct rows){0};
}

void rows_pass(struct rows *rows, struct sink *sink) {
  uint64_t n = rows->batch.n;
  uint64_t *const word[] = {rows->raw, rows->hash,   rows->parent,
                            rows->ref, rows->number, rows->pred};
  sink_pass_count(sink, &n, rows->batch.capacity);
  rows->batch.n = (uint32_t)n;
  sink_pass(sink, rows->batch.rows, n * rows->batch.stride);
  sink_pass(sink, rows->batch.edge, n * sizeof *rows->batch.edge);
  for (uint32_t i = 0; i < sizeof word / sizeof *word; i++)
    sink_pass(sink, word[i], n * sizeof *word[i]);
  sink_pass(sink, rows->answer, n);
}
