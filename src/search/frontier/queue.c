/* queue.c - blocks of items, of which the first is read and the last written.
 *
 * Blocks begin small and become larger as there are more of them, so that a small
 * search takes little and a large one seldom asks. An item never lies in two blocks.
 */
#include "search/frontier/queue.h"

#include <assert.h>
#include <string.h>

#define QUEUE_LEAST ((size_t)16 << 10)
#define QUEUE_MOST  ((size_t)1 << 20)

struct queue_block {
  struct queue_block *next;
  size_t bytes;
  uint8_t *end; /* of what was written, once the next block is in use */
};

bool queue_open(struct queue *q, const struct store_kind *kind, struct store_work *work,
                const struct ts_shape *shape, struct budget *budget) {
  *q = (struct queue){.work = work, .budget = budget, .room = sizeof(uint64_t)};
  if ((kind->has & STORE_HANDLES) && (kind->has & STORE_GETS)) {
    q->kind = kind;
    return true;
  }
  q->pack = pack_open_sparse(shape, budget);
  if (!q->pack)
    return false;
  q->room = pack_bytes(q->pack) + 8;
  return true;
}

static void drop(struct queue *q, struct queue_block *block) {
  if (block)
    budget_unmap(q->budget, BUDGET_OPEN, block, block->bytes);
}

void queue_close(struct queue *q) {
  for (struct queue_block *next; q->first; q->first = next) {
    next = q->first->next;
    drop(q, q->first);
  }
  drop(q, q->spare);
  pack_close(q->pack);
  *q = (struct queue){0};
}

static struct queue_block *new_block(struct queue *q) {
  struct queue_block *block = q->spare;
  size_t bytes = q->last ? 2 * q->last->bytes : QUEUE_LEAST;
  bytes = bytes > QUEUE_MOST ? QUEUE_MOST : bytes;
  if (bytes < sizeof *block + q->room)
    bytes = sizeof *block + q->room;
  q->spare = NULL;
  if (!block) {
    bytes = (bytes + 4095) / 4096 * 4096;
    block = budget_map(q->budget, BUDGET_OPEN, bytes, false);
    size_t half = bytes / 8192 * 4096; /* the rest of the budget */
    for (; !block && half >= QUEUE_LEAST && half >= sizeof *block + q->room;
         half = half / 8192 * 4096) {
      bytes = half;
      block = budget_map(q->budget, BUDGET_OPEN, bytes, false);
    }
    if (block)
      block->bytes = bytes;
  }
  return block;
}

static bool extend(struct queue *q) {
  struct queue_block *block = new_block(q);
  if (!block)
    return false;
  block->next = NULL;
  if (q->last) {
    q->last->end = q->write;
    q->last->next = block;
  } else {
    q->first = block;
    q->read = (uint8_t *)(block + 1);
  }
  q->last = block;
  q->write = (uint8_t *)(block + 1);
  q->end = (uint8_t *)block + block->bytes;
  return true;
}

bool queue_add(struct queue *q, uint64_t ref, const uint8_t *row, uint32_t length) {
  if ((size_t)(q->end - q->write) < q->room && !extend(q))
    return false;
  if (q->kind) {
    memcpy(q->write, &ref, sizeof ref);
    q->write += sizeof ref;
  } else {
    q->write += pack_row(q->pack, row, length, q->write);
  }
  return true;
}

/* The first block has been read: it is kept for the next one that is needed. */
static void advance(struct queue *q) {
  struct queue_block *done = q->first;
  q->first = done->next;
  q->read = (uint8_t *)(q->first + 1);
  drop(q, q->spare);
  q->spare = done;
}

uint32_t queue_take(struct queue *q, uint8_t *row) {
  assert(q->first && (q->first != q->last || q->read < q->write));
  if (q->first != q->last && q->read == q->first->end)
    advance(q);
  if (q->kind) {
    uint64_t ref;
    memcpy(&ref, q->read, sizeof ref);
    q->read += sizeof ref;
    return q->kind->get(q->work, ref, row);
  }
  uint32_t length = pack_unrow(q->pack, q->read, row);
  q->read += pack_size(q->pack, q->read);
  return length;
}
