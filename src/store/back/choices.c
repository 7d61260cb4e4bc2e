/* choices.c - the same. A state's hash is not kept apart: that a row has it is found by looking
 * the row up in the state table, for the number of the state. */
#include "store/back/choices.h"

#include "store/index/index.h"
#include "store/store.h"

/* The outcome of an action from choice *choice on, which becomes the next one; false: there is
 * none. */
static bool fire_next(struct back *b, const uint8_t *state, uint32_t length,
                      struct ts_event *event, struct ts_edge *edge, uint8_t *row) {
  struct ts_batch one = {
      .edge = edge, .rows = row, .stride = ts_stride(b->ts->shape), .capacity = 1};
  struct ts_event cursor = *event;
  ts_code(b->ts)->successors(b->ts, state, length, &cursor, NULL, &one);
  if (one.n == 0 || edge->event.action != event->action)
    return false;
  b->fired++;
  event->choice = edge->event.choice + 1;
  return true;
}

static uint64_t hash_of(const struct back *b, const uint8_t *row, uint32_t length) {
  return store_hash(b->hash_mask, hash_finish(hash_raw(b->hash, row, length)));
}

uint32_t choices_before(struct back *b, const uint8_t *state, uint32_t length,
                        struct ts_event event, uint64_t hash, uint8_t *row) {
  struct ts_event next = {event.action, 1};
  struct ts_edge edge;
  uint32_t n = 0;
  while (fire_next(b, state, length, &next, &edge, row) && edge.event.choice < event.choice)
    n += edge.kind != TS_MODEL_ERROR &&
         index_top(hash_of(b, row, edge.length)) == index_top(hash);
  return n;
}

static inline bool is_number(const void *context, uint64_t id) {
  const uint64_t *number = context;
  return id == *number;
}

uint32_t choices_fire(struct back *b, uint64_t reached, const uint8_t *state, uint32_t length,
                      struct ts_event event, uint8_t *row) {
  struct ts_event next = {event.action, 1};
  struct ts_edge edge;
  uint64_t *end;
  uint32_t left = event.choice;
  while (fire_next(b, state, length, &next, &edge, row)) {
    if (edge.kind == TS_MODEL_ERROR ||
        index_find(b->index, hash_of(b, row, edge.length), is_number, &reached, false, &end) ==
            INDEX_NONE)
      continue;
    if (--left == 0)
      return edge.length;
  }
  return 0;
}
