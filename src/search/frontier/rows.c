/* rows.c - room for successors, made once per search.
 *
 * The rows and their hashes, parents and answers lie in one block, so the loop
 * allocates nothing per state. Apart from frontier.c because orders use this,
 * and the list there uses the orders.
 */
#include "search/frontier/frontier.h"

uint32_t frontier_batch_rows(const struct ts_shape *shape) {
  enum { MOST = 112, LEAST = 32, BYTES = 48 << 10 };
  uint32_t stride = ts_stride(shape);
  uint32_t rows = stride == 0 ? MOST : BYTES / stride;
  return rows < LEAST ? LEAST : rows > MOST ? MOST : rows;
}

uint32_t frontier_events_room(const struct ts_shape *shape) {
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

bool frontier_rows_open(struct frontier_rows *rows, const struct frontier_config *config,
                        uint32_t capacity) {
  size_t stride = ts_stride(config->shape), n = capacity;
  size_t per_row = stride + sizeof *rows->batch.edge + 4 * sizeof(uint64_t) + 1;
  size_t bytes = n * per_row + 7 * (size_t)64;
  uint8_t *at = budget_map(config->budget, BUDGET_OPEN, bytes, false);
  if (at == NULL)
    return false;
  *rows = (struct frontier_rows){.bytes = bytes};
  rows->batch.rows = cut(&at, n * stride);
  rows->batch.edge = cut(&at, n * sizeof *rows->batch.edge);
  rows->raw = cut(&at, n * sizeof(uint64_t));
  rows->hash = cut(&at, n * sizeof(uint64_t));
  rows->parent = cut(&at, n * sizeof(uint64_t));
  rows->ref = cut(&at, n * sizeof(uint64_t));
  rows->answer = cut(&at, n);
  rows->batch.stride = stride;
  rows->batch.capacity = capacity;
  rows->batch.truncated = config->truncated;
  rows->batch.reached = config->reached;
  rows->batch.endless = config->endless;
  rows->batch.tick = config->tick;
  rows->batch.context = config->context;
  return true;
}

void frontier_rows_close(struct frontier_rows *rows, struct budget *budget) {
  if (rows->batch.rows != NULL)
    budget_unmap(budget, BUDGET_OPEN, rows->batch.rows, rows->bytes);
  *rows = (struct frontier_rows){0};
}
