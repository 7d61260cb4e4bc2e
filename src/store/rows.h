/* rows.h - rows and what goes with each: the one currency between door, loop, order, store.
 *
 * A row is a whole state, with the edge that led to it in the batch. Index i is row i in
 * every array. Each array is filled by one part only: the batch by the transition system,
 * the hashes and parents by the loop, ref and answer by the store, number and pred by the
 * search. A part that knows less leaves an array NULL: what a store reads is said in store.h.
 *
 * parent and ref are the store's names of states, number is the search's: the place in the
 * order of discovery, or a node of its tree.
 */
#ifndef CAIRN_STORE_ROWS_H
#define CAIRN_STORE_ROWS_H

#include "ts/hash.h"
#include "ts/ts.h"

#include "base/budget.h"
#include "base/sink.h"

#include <string.h>

struct rows {
  struct ts_batch batch;
  uint64_t *raw, *hash; /* of the row, before and after hash_finish() */
  uint64_t *parent;     /* the state it was reached from, STORE_NONE: initial */
  uint64_t *ref;        /* filled when the store was asked, like answer */
  uint64_t *number;
  uint64_t *pred;   /* the number of the state it was reached from, STORE_NONE: initial */
  uint8_t *answer;  /* an enum store_answer */
  bool has_parents; /* parent[i] is this store's name of a stored state, or STORE_NONE, and the
                     * edges say what changed since; else a store may not read parent */
  size_t bytes;     /* of the one block that holds all of these; 0: others own them */
};

/* Room for `capacity` rows of a shape, from BUDGET_OPEN. False if the budget is exhausted. */
bool rows_open(struct rows *, const struct ts_shape *, struct budget *, uint32_t capacity);
void rows_close(struct rows *, struct budget *);

/* Saves the rows in hand, or loads them into rows of the same shape and capacity. */
void rows_pass(struct rows *, struct sink *);

static inline uint8_t *rows_at(const struct rows *rows, uint32_t i) {
  return rows->batch.rows + i * rows->batch.stride;
}

/* A row that was fired, with its edge and hashes, in the place of another one. */
static inline void rows_move(struct rows *rows, uint32_t to, uint32_t from) {
  if (to == from)
    return;
  memcpy(rows_at(rows, to), rows_at(rows, from), rows->batch.stride);
  rows->batch.edge[to] = rows->batch.edge[from];
  rows->raw[to] = rows->raw[from];
  rows->hash[to] = rows->hash[from];
}

/* One state, copied, is all that there is; `raw`: its hash_raw(). */
static inline void rows_set(struct rows *rows, const uint8_t *row, uint32_t length,
                            uint64_t raw) {
  memcpy(rows_at(rows, 0), row, rows->batch.stride);
  rows->batch.n = 1;
  rows->batch.edge[0] = (struct ts_edge){.length = length};
  rows->raw[0] = raw;
  rows->hash[0] = hash_finish(raw);
}

/* How many rows make a good batch for a shape: enough to hide memory latency, few
 * enough to stay in the caches next to the processor. */
uint32_t rows_enough(const struct ts_shape *);
/* The most events of one state that are taken into account when room is made. */
uint32_t rows_events(const struct ts_shape *);

#endif
