/* queue.c - blocks of items, of which the first is read and the last written.
 *
 * Blocks begin small and become larger as there are more of them, so that a small
 * search takes little and a large one seldom asks. An item is never in two blocks.
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

static bool keep(struct queue *q, enum queue_keeps keeps, const struct ts_shape *shape) {
  q->keeps = keeps;
  q->room = keeps == QUEUE_NODES ? sizeof(uint32_t) : sizeof(uint64_t);
  if (keeps != QUEUE_STATES)
    return true;
  q->pack = pack_open_sparse(shape, q->budget);
  if (!q->pack)
    return false;
  q->room = pack_bytes(q->pack) + 8;
  return true;
}

bool queue_open(struct queue *q, const struct frontier_config *config) {
  const struct store_kind *kind = config->store_kind;
  bool gives = (kind->has & STORE_GETS) != 0, ids = (kind->has & STORE_IDS) != 0;
  *q = (struct queue){
      .kind = kind, .store = config->store, .tree = config->tree, .budget = config->budget};
  return keep(q,
              tdtree_is_kept(config->tree)           ? QUEUE_NODES
              : gives && ids && !config->forgets     ? QUEUE_NOTHING
              : gives && (kind->has & STORE_HANDLES) ? QUEUE_NAMES
                                                     : QUEUE_STATES,
              config->shape);
}

bool queue_open_for(struct queue *q, const struct store_kind *kind,
                    const struct ts_shape *shape, struct budget *budget) {
  *q = (struct queue){.kind = kind, .budget = budget};
  bool names = (kind->has & STORE_GETS) && (kind->has & STORE_HANDLES);
  return keep(q, names ? QUEUE_NAMES : QUEUE_STATES, shape);
}

void queue_serve(struct queue *q, struct store_work *store) {
  q->store = store;
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
  if (q->keeps == QUEUE_STATES) {
    q->write += pack_row(q->pack, row, length, q->write);
  } else {
    memcpy(q->write, &ref, q->room);
    q->write += q->room;
  }
  q->tail++;
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

/* Nodes were taken where they were free, so not all of those in a queue are side by side: asks
 * for one of the next. */
static void prefetch_node(const struct queue *q) {
  enum { AHEAD = 8 };
  const uint8_t *at = q->read + AHEAD * sizeof(uint32_t);
  const uint8_t *end = q->first == q->last ? q->write : q->first->end;
  uint32_t node;
  if (end - q->read <= (ptrdiff_t)(AHEAD * sizeof node))
    return;
  memcpy(&node, at, sizeof node);
  __builtin_prefetch(tdtree_at(q->tree, node), 1);
}

void queue_read(struct queue *q, uint8_t *row, struct open *open) {
  uint64_t ref = 0;
  assert(q->first && (q->first != q->last || q->read < q->write));
  if (q->first != q->last && q->read == q->first->end)
    advance(q);
  if (q->keeps == QUEUE_STATES) {
    open->length = pack_unrow(q->pack, q->read, row);
    q->read += pack_size(q->pack, q->read);
    return;
  }
  memcpy(&ref, q->read, q->room);
  if (q->keeps == QUEUE_NAMES) {
    open->name = ref;
    open->length = q->kind->get(q->store, ref, row);
  } else {
    prefetch_node(q);
    frontier_open_node(q->tree, tdtree_node(ref), row, open);
  }
  q->read += q->room;
}

static uint32_t item_bytes(const struct queue *q, const uint8_t *at) {
  return q->keeps == QUEUE_STATES ? pack_size(q->pack, at) : q->room;
}

static void save_items(const struct queue *q, struct sink *sink) {
  const struct queue_block *block = q->first;
  const uint8_t *at = q->read;
  for (uint64_t left = q->tail - q->head; left > 0; left--) {
    if (block != q->last && at == block->end) {
      block = block->next;
      at = (const uint8_t *)(block + 1);
    }
    uint32_t bytes = item_bytes(q, at);
    sink_put(sink, &bytes, sizeof bytes);
    sink_put(sink, at, bytes);
    at += bytes;
  }
}

static bool load_items(struct queue *q, struct sink *sink) {
  for (uint64_t left = q->tail - q->head; left > 0 && sink_is_fine(sink); left--) {
    uint32_t bytes = 0;
    sink_take(sink, &bytes, sizeof bytes);
    if (bytes > q->room)
      sink_refuse(sink, "has a state longer than any");
    if (!sink_is_fine(sink) || ((size_t)(q->end - q->write) < q->room && !extend(q)))
      return false;
    sink_take(sink, q->write, bytes);
    q->write += bytes;
  }
  return sink_is_fine(sink);
}

bool queue_pass(struct queue *q, const struct ts_shape *shape, struct sink *sink) {
  uint32_t keeps = q->keeps;
  sink_section(sink, "queue");
  sink_pass(sink, &keeps, sizeof keeps);
  sink_pass(sink, &q->head, sizeof q->head);
  sink_pass(sink, &q->tail, sizeof q->tail);
  if (!sink_is_read(sink)) {
    if (keeps != QUEUE_NOTHING)
      save_items(q, sink);
    return true;
  }
  if (keeps > QUEUE_NODES || (keeps == QUEUE_NODES) != (q->keeps == QUEUE_NODES))
    sink_refuse(sink, "has a queue of another kind");
  if (!sink_is_fine(sink))
    return false;
  if (keeps != q->keeps) { /* the store was another one when the search began */
    pack_close(q->pack);
    q->pack = NULL;
    if (!keep(q, (enum queue_keeps)keeps, shape))
      return false;
  }
  return keeps == QUEUE_NOTHING || load_items(q, sink);
}
