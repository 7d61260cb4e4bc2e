/* priority.c - the open state with the least key comes first: what best, counted and random
 * share.
 *
 * The key is what an expression is in the state, or drawn when the state is found, and among
 * equals the older comes first; or what was counted, which changes, in buckets. A state is
 * expanded whole, its successors are one batch.
 */
#include "search/frontier/priority.h"

#include "search/measure/measure.h"
#include "search/tree/buckets.h"
#include "search/tree/heap.h"

#include "base/bits.h"

struct frontier {
  struct frontier_config config;
  struct rows rows;
  struct heap heap;
  struct buckets buckets; /* in its place where keys are counted */
  uint32_t node;          /* being expanded, or TDTREE_NONE */
  bool done;              /* all of its events were fired */
  struct ts_event cursor; /* else the first that was not */
  bool root_done;
  uint8_t *row;
  uint64_t random; /* state of the generator */
  enum priority_key keys;
};

void priority_close(struct frontier *f) {
  struct budget *budget = f->config.budget;
  rows_close(&f->rows, budget);
  heap_free(&f->heap);
  buckets_free(&f->buckets);
  budget_free(budget, BUDGET_OPEN, f->row, ts_stride(f->config.shape));
  budget_free(budget, BUDGET_OPEN, f, sizeof *f);
}

struct frontier *priority_open(const struct frontier_config *config, enum priority_key keys) {
  struct frontier *f = budget_alloc(config->budget, BUDGET_OPEN, sizeof *f);
  if (f == NULL)
    return NULL;
  f->config = *config;
  f->random = config->seed;
  f->keys = keys;
  f->heap.budget = config->budget;
  buckets_init(&f->buckets, config->budget);
  f->node = TDTREE_NONE;
  f->row = budget_alloc(config->budget, BUDGET_OPEN, ts_stride(config->shape));
  if (f->row != NULL && frontier_rows_open(&f->rows, config, rows_events(config->shape)))
    return f;
  priority_close(f);
  return NULL;
}

bool priority_ready(struct frontier *f, bool flush, struct open_range *range) {
  (void)flush;
  *range = (struct open_range){&f->rows, 0, f->rows.batch.n, .ask = OPEN_PUT};
  return f->rows.batch.n > 0;
}

static uint64_t n_open(const struct frontier *f) {
  return f->keys == PRIORITY_COUNTED ? f->buckets.n : f->heap.n;
}

static bool add(struct frontier *f, uint32_t node, const uint8_t *row, uint32_t length) {
  switch (f->keys) {
  case PRIORITY_MEASURED:
    return heap_add(&f->heap, measure_of(f->config.measure, row, length), node);
  case PRIORITY_DRAWN:
    return heap_add(&f->heap, bits_next_random(&f->random), node);
  case PRIORITY_COUNTED:
    return buckets_add(&f->buckets, node);
  }
  return false;
}

static uint32_t take(struct frontier *f) {
  if (f->keys == PRIORITY_COUNTED)
    return buckets_take(&f->buckets);
  uint32_t node = heap_first(&f->heap).node;
  heap_take(&f->heap);
  return node;
}

static bool enter(struct frontier *f, uint32_t node, const uint8_t *row, uint32_t length) {
  struct search_figures *figures = f->config.figures;
  uint64_t depth = tdtree_at(f->config.tree, node)->depth;
  if (!add(f, node, row, length))
    return false;
  if (n_open(f) > figures->peak.open)
    figures->peak.open = n_open(f);
  if (depth > figures->depth)
    figures->depth = depth;
  return true;
}

static bool shut(struct frontier *f) {
  uint32_t node = f->node;
  f->node = TDTREE_NONE;
  return node == TDTREE_NONE || tdtree_shut(f->config.tree, &node, 1);
}

bool priority_settled(struct frontier *f, const struct open_range *range) {
  struct rows *rows = range->rows;
  const struct ts_batch *batch = &rows->batch;
  bool fine = true;
  for (uint32_t i = range->from; i < range->to && fine; i++)
    if (rows->answer[i] == STORE_NEW)
      fine = enter(f, tdtree_node(rows->number[i]), batch->rows + i * batch->stride,
                   batch->edge[i].length);
  if (range->to < rows->batch.n)
    return fine;
  rows->batch.n = 0;
  return (!f->done || shut(f)) && fine;
}

bool priority_next(struct frontier *f, struct open *open) {
  open_clear(open, &f->rows);
  open->cursor = f->cursor;
  if (!f->root_done) {
    frontier_open_root(open, f->cursor);
    return true;
  }
  if (f->node == TDTREE_NONE) {
    if (n_open(f) == 0)
      return false;
    f->node = take(f);
  }
  frontier_open_node(f->config.tree, f->node, f->row, open);
  return true;
}

bool priority_push(struct frontier *f, const struct open *open, uint32_t from, bool done) {
  uint32_t n = f->rows.batch.n;
  (void)from;
  f->done = done;
  f->cursor = done ? (struct ts_event){0, 0} : open->cursor;
  if (open->number == STORE_NONE)
    f->root_done = done;
  return n > 0 || !done || shut(f);
}

bool priority_add(struct frontier *f, uint32_t node) {
  uint32_t length = tdtree_state(f->config.tree, node, f->row);
  return enter(f, node, f->row, length);
}

void priority_counted(struct frontier *f, uint32_t node, uint32_t left) {
  buckets_set(&f->buckets, node, left);
}

bool priority_rests(const struct frontier *f) {
  return f->root_done && f->rows.batch.n == 0 && f->node == TDTREE_NONE;
}

bool priority_pass(struct frontier *f, struct sink *sink) {
  sink_pass(sink, &f->random, sizeof f->random);
  f->root_done = true;
  return f->keys == PRIORITY_COUNTED ? buckets_pass(&f->buckets, sink)
                                     : heap_pass(&f->heap, sink);
}

void priority_report(const struct frontier *f, struct search_figures *figures) {
  figures->open = n_open(f);
  figures->level.known = false;
}
