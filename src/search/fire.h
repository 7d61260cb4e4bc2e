/* fire.h - firing the events of a state, and looking its successors up: for the step, for
 * choosing which are enough, and for engines.
 *
 * In line, for it is done for every state.
 */
#ifndef CAIRN_SEARCH_FIRE_H
#define CAIRN_SEARCH_FIRE_H

#include "search/core.h"

#include <assert.h>

/* Hashes the rows from this one on: successors of the state. */
static inline void worker_hash(const struct worker *w, const struct open *open, uint32_t from) {
  const struct hash *hash = w->search->hash;
  struct rows *rows = open->into;
  uint64_t raw = open->hashed ? open->raw : hash_raw(hash, open->row, open->length);
  struct hash_parent parent = {open->row, open->length, raw};
  hash_successors(hash, &parent, &rows->batch, from, rows->raw, rows->hash);
}

/* Appends the successors of an open state from *cursor on, but for the actions in `skip`. True:
 * there are more than fit, or the search was told to stop in the midst of an event, which then
 * has none. */
static inline bool worker_fire(struct worker *w, const struct open *open,
                               struct ts_event *cursor, const uint64_t *skip) {
  const struct ts *ts = w->search->ts;
  struct ts_batch *batch = &open->into->batch;
  uint32_t from = batch->n;
  int32_t left = ts_code(ts)->successors(ts, open->row, open->length, cursor, skip, batch);
  if (left == 2)
    batch->n = from;
  assert(left == 0 || batch->n > from || w->search->stop);
  if (w->puts_in_order)
    worker_put_in_order(w, batch, from);
  return left != 0;
}

/* Hashes the successors of a state, but for those that are no states: they go. */
static inline void worker_hash_states(const struct worker *w, struct rows *rows,
                                      const uint8_t *row, uint32_t length) {
  const struct search *s = w->search;
  const struct hash_parent parent = {row, length, hash_raw(s->hash, row, length)};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < rows->batch.n; i++)
    if (rows->batch.edge[i].kind != TS_MODEL_ERROR)
      rows_move(rows, kept++, i);
  rows->batch.n = kept;
  hash_successors(s->hash, &parent, &rows->batch, 0, rows->raw, rows->hash);
}

/* And finds them in the store. */
static inline void worker_find(const struct worker *w, struct rows *rows, const uint8_t *row,
                               uint32_t length) {
  worker_hash_states(w, rows, row, length);
  w->search->store_kind->find(w->store, rows, 0, rows->batch.n);
}

/* What kinds of faults there are among the rows from this one on: TS_FINE if none. */
static inline unsigned worker_faults(const struct ts_batch *batch, uint32_t from) {
  unsigned faults = TS_FINE;
  for (uint32_t i = from; i < batch->n; i++)
    faults |= batch->edge[i].kind;
  return faults;
}

#endif
