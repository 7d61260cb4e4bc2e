/* priority.c - the open state with the least key comes first: what best and random share.
 *
 * The key is what an expression is in the state, or drawn when the state is found; among
 * equals the older comes first. A state is expanded whole, its successors are one batch.
 */
#include "search/frontier/priority.h"

#include "search/measure/measure.h"
#include "search/tree/heap.h"

#include "base/bits.h"

struct frontier {
  struct frontier_config config;
  struct rows rows;
  struct heap heap;
  uint32_t node;          /* being expanded, or TDTREE_NONE */
  bool done;              /* all of its events were fired */
  struct ts_event cursor; /* else the first that was not */
  bool root_done;
  uint8_t *row;
  uint64_t random; /* state of the generator */
  bool draws;      /* keys; or else they are measured */
};

void priority_close(struct frontier *f) {
  struct budget *budget = f->config.budget;
  rows_close(&f->rows, budget);
  heap_free(&f->heap);
  budget_free(budget, BUDGET_OPEN, f->row, ts_stride(f->config.shape));
  budget_free(budget, BUDGET_OPEN, f, sizeof *f);
}

struct frontier *priority_open(const struct frontier_config *config, bool draws) {
  struct frontier *f = budget_alloc(config->budget, BUDGET_OPEN, sizeof *f);
  if (f == NULL)
    return NULL;
  f->config = *config;
  f->random = config->seed;
  f->draws = draws;
  f->heap.budget = config->budget;
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

static bool enter(struct frontier *f, uint32_t node, const uint8_t *row, uint32_t length) {
  struct search_figures *figures = f->config.figures;
  uint64_t depth = tdtree_at(f->config.tree, node)->depth;
  uint64_t key =
      f->draws ? bits_next_random(&f->random) : measure_of(f->config.measure, row, length);
  if (!heap_add(&f->heap, key, node))
    return false;
  if (f->heap.n > figures->peak.open)
    figures->peak.open = f->heap.n;
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
    if (f->heap.n == 0)
      return false;
    f->node = heap_first(&f->heap).node;
    heap_take(&f->heap);
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

bool priority_rests(const struct frontier *f) {
  return f->root_done && f->rows.batch.n == 0 && f->node == TDTREE_NONE;
}

bool priority_pass(struct frontier *f, struct sink *sink) {
  sink_pass(sink, &f->random, sizeof f->random);
  f->root_done = true;
  return heap_pass(&f->heap, sink);
}

void priority_report(const struct frontier *f, struct search_figures *figures) {
  figures->open = f->heap.n;
  figures->level.known = false;
}
