/* queue.h - open states first in, first out.
 *
 * What is kept of each is as little as the search allows: nothing where their numbers are the
 * store's names and follow each other; the name where the store gives the state back for it;
 * else the packed state; and where a tree is kept the node. Items follow each other in
 * blocks; a block that has been read is used again or goes.
 */
#ifndef CAIRN_SEARCH_FRONTIER_QUEUE_H
#define CAIRN_SEARCH_FRONTIER_QUEUE_H

#include "search/frontier/frontier.h"

#include "ts/pack.h"

enum queue_keeps { QUEUE_NOTHING, QUEUE_NAMES, QUEUE_STATES, QUEUE_NODES };

struct queue_block;

struct queue {
  enum queue_keeps keeps;
  uint64_t head, tail; /* numbers in the order of being added: of the next state, and of the one
                        * to be added */
  const struct store_kind *kind; /* gives states back */
  struct store_work *store;
  const struct tdtree *tree;
  struct pack *pack;
  struct budget *budget;
  uint32_t room; /* for the largest item */
  struct queue_block *first, *last, *spare;
  uint8_t *read;        /* in the first block */
  uint8_t *write, *end; /* in the last */
};

/* False if the budget is exhausted; it can be closed then, too. */
bool queue_open(struct queue *, const struct frontier_config *);
/* An empty one for states that go to a store of another kind; queue_serve() names it later. */
bool queue_open_for(struct queue *, const struct store_kind *, const struct ts_shape *,
                    struct budget *);
void queue_serve(struct queue *, struct store_work *);
void queue_close(struct queue *);

/* Adds a state, which the store calls `ref`, or which is this node. False if the budget is
 * exhausted. */
bool queue_add(struct queue *, uint64_t ref, const uint8_t *row, uint32_t length);
/* The states of numbers up to `tail` were stored. With QUEUE_NOTHING instead of queue_add. */
static inline void queue_extend(struct queue *q, uint64_t tail) {
  q->tail = tail;
}

/* The part of queue_take() that reads an item. */
void queue_read(struct queue *, uint8_t *row, struct open *);
/* Takes the first state off, into a row of the shape's stride: its number if it is not a node,
 * and the state; see open.h. */
static inline void queue_take(struct queue *q, uint8_t *row, struct open *open) {
  uint64_t number = q->head++;
  open->number = open->name = number;
  open->row = row;
  if (q->keeps == QUEUE_NOTHING)
    open->length = q->kind->get(q->store, number, row);
  else
    queue_read(q, row, open);
}

/* Saves it, or loads it into one that was just opened, for this shape. False if memory ran out
 * or the sink refused. */
bool queue_pass(struct queue *, const struct ts_shape *, struct sink *);

static inline bool queue_is_empty(const struct queue *q) {
  return q->head == q->tail;
}

#endif
