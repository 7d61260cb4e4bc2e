/* estimate.c - blocks of stored states are put into an empty store of each kind.
 *
 * The states of a block follow each other as they were found, as a store is given them; the
 * blocks are spread over all states found so far. */
#include "search/move/estimate.h"

enum {
  ESTIMATE_BLOCK = 1024,
  ESTIMATE_BLOCKS = 64,
  ESTIMATE_LEAST = 16 * ESTIMATE_BLOCK, /* states stored, else they say too little */
  ESTIMATE_ROWS = 64,
  ESTIMATE_PART = 16 /* of a budget of that many parts one is enough for a sample */
};

/* A store is worth moving to if it takes at most this share of the present one. */
static const double ESTIMATE_CLEARLY = 0.85;

struct estimate {
  struct search *search;
  struct rows rows;
  uint64_t states; /* stored when it began */
  uint32_t blocks; /* an even number */
};

/* Rows of the states from `first` on. */
static void get_rows(struct estimate *e, uint64_t first) {
  struct search *s = e->search;
  struct rows *rows = &e->rows;
  for (uint32_t i = 0; i < ESTIMATE_ROWS; i++) {
    uint8_t *row = rows_at(rows, i);
    uint32_t length = s->store_kind->get(s->worker->store, first + i, row);
    rows->batch.edge[i] = (struct ts_edge){.length = length};
    rows->hash[i] = hash_finish(hash_raw(s->hash, row, length));
  }
  rows->batch.n = ESTIMATE_ROWS;
}

/* Puts blocks [from, to); false if memory ran out. */
static bool put_blocks(struct estimate *e, const struct store_kind *kind,
                       struct store_work *work, uint32_t from, uint32_t to) {
  for (uint32_t block = from; block < to; block++) {
    uint64_t first = (e->states - ESTIMATE_BLOCK) / (e->blocks - 1) * block;
    for (uint32_t i = 0; i < ESTIMATE_BLOCK; i += ESTIMATE_ROWS) {
      get_rows(e, first + i);
      if (kind->put(work, &e->rows, 0, ESTIMATE_ROWS) < ESTIMATE_ROWS)
        return false;
    }
  }
  return true;
}

/* Bytes per state; 0: there was no memory, or no state was new. */
static double try_store(struct estimate *e, const struct store_kind *kind) {
  struct store_config config = {0};
  struct store *store;
  struct store_work *work;
  struct store_usage half, all;
  double bytes = 0;
  if (!search_open_store(e->search->worker, kind, &config, &store, &work))
    return 0;
  if (put_blocks(e, kind, work, 0, e->blocks / 2)) {
    kind->usage(store, &half);
    if (put_blocks(e, kind, work, e->blocks / 2, e->blocks)) {
      kind->usage(store, &all);
      if (all.states > half.states && all.bytes > half.bytes)
        bytes = (double)(all.bytes - half.bytes) / (double)(all.states - half.states);
    }
  }
  kind->end(work);
  kind->close(store);
  return bytes;
}

/* Keeps them sorted. */
static void add(struct search_result *result, const struct store_kind *kind, double bytes) {
  uint32_t at = result->n_estimates++;
  for (; at > 0 && result->estimate[at - 1].bytes > bytes; at--)
    result->estimate[at] = result->estimate[at - 1];
  result->estimate[at] = (struct search_estimate){kind, bytes};
}

/* How many blocks there are memory and states for. */
static uint32_t choose_blocks(const struct search *s) {
  uint64_t room = budget_limit(s->budget) / ESTIMATE_PART;
  uint64_t most = room / ((uint64_t)ESTIMATE_BLOCK * (ts_stride(s->shape) + 16));
  uint64_t there = s->worker->figures.stored / (2 * ESTIMATE_BLOCK);
  uint64_t blocks = there < ESTIMATE_BLOCKS ? there : ESTIMATE_BLOCKS;
  return (uint32_t)(most < blocks ? most : blocks) / 2 * 2;
}

bool search_estimate(struct search *s) {
  const unsigned lists = STORE_IDS | STORE_GETS;
  struct estimate e = {.search = s, .states = s->worker->figures.stored};
  if (s->moving.estimated || e.states < ESTIMATE_LEAST)
    return false;
  s->moving.estimated = true;
  e.blocks = choose_blocks(s);
  if ((s->store_kind->has & lists) != lists || s->options->forget.kind != NULL ||
      e.blocks < 4 || !rows_open(&e.rows, s->shape, s->budget, ESTIMATE_ROWS))
    return false;
  for (uint32_t i = 0; store_kinds[i] != NULL; i++) {
    double bytes = store_kinds[i]->sized || (store_kinds[i]->has & STORE_REBUILDS)
                       ? 0
                       : try_store(&e, store_kinds[i]);
    if (bytes > 0 && s->result->n_estimates < SEARCH_MOST_ESTIMATES)
      add(s->result, store_kinds[i], bytes);
  }
  rows_close(&e.rows, s->budget);
  budget_trim();
  return s->result->n_estimates > 0;
}

double search_estimated(const struct search_result *r, const struct store_kind *kind) {
  for (uint32_t i = 0; i < r->n_estimates; i++)
    if (r->estimate[i].kind == kind)
      return r->estimate[i].bytes;
  return 0;
}

const struct store_kind *search_better_store(const struct search *s,
                                             const struct store_kind *next) {
  const struct search_result *r = s->result;
  double most = ESTIMATE_CLEARLY * search_estimated(r, next == NULL ? s->store_kind : next);
  for (uint32_t i = 0; i < r->n_estimates; i++)
    if ((r->estimate[i].kind->has & STORE_EXACT) && r->estimate[i].bytes < most)
      return r->estimate[i].kind == s->store_kind ? next : r->estimate[i].kind;
  return next;
}
