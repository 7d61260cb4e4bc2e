/* queue.h - open states first in, first out, for stores that do not number theirs.
 *
 * Handles where the store gives states back for them, else packed states. They lie
 * behind each other in blocks; a block that has been read is used again or goes.
 */
#ifndef CAIRN_SEARCH_FRONTIER_QUEUE_H
#define CAIRN_SEARCH_FRONTIER_QUEUE_H

#include "store/store.h"

#include "ts/pack.h"

struct queue_block;

struct queue {
  const struct store_kind *kind; /* of the store that handles are given to; NULL: packed */
  struct store_work *work;
  struct pack *pack;
  struct budget *budget;
  uint32_t room; /* for the largest item */
  struct queue_block *first, *last, *spare;
  uint8_t *read;        /* in the first block */
  uint8_t *write, *end; /* in the last */
};

/* False if the budget is spent; it can be closed then, too. */
bool queue_open(struct queue *, const struct store_kind *, struct store_work *,
                const struct ts_shape *, struct budget *);
void queue_close(struct queue *);

/* Adds a state that the store calls `ref`. False if the budget is spent. */
bool queue_add(struct queue *, uint64_t ref, const uint8_t *row, uint32_t length);

/* Takes the first state off, into a row of the shape's stride; its length. */
uint32_t queue_take(struct queue *, uint8_t *row);

#endif
