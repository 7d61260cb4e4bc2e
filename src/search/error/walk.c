/* walk.c - trails are replayed: their events fired one by one from the initial state. */
#include "search/error/walk.h"
#include "search/core.h"

#include <string.h>

bool walk_open(struct ts_batch *walk, size_t *bytes, const struct ts_shape *shape,
               struct budget *budget) {
  size_t stride = ts_stride(shape);
  size_t edges = WALK_ROWS * sizeof *walk->edge;
  *bytes = WALK_ROOM * stride + edges;
  uint8_t *at = budget_map(budget, BUDGET_OTHER, *bytes, false);
  *walk = (struct ts_batch){.edge = (struct ts_edge *)(void *)at,
                            .rows = at == NULL ? NULL : at + edges,
                            .stride = stride,
                            .capacity = WALK_ROWS};
  return at != NULL;
}

void walk_close(struct ts_batch *walk, size_t bytes, struct budget *budget) {
  if (walk->edge != NULL)
    budget_unmap(budget, BUDGET_OTHER, walk->edge, bytes);
  walk->edge = NULL;
}

bool worker_open_walk(struct worker *w) {
  return walk_open(&w->walk, &w->walk_bytes, w->search->shape, w->search->budget);
}

void worker_close_walk(struct worker *w) {
  walk_close(&w->walk, w->walk_bytes, w->search->budget);
}

bool walk_replay(const struct ts *ts, const struct search_trail *trail, struct ts_batch *walk,
                 walk_step *step, void *context) {
  uint8_t *row = walk_row(walk, WALK_PARENT), *next = walk_row(walk, WALK_CHILD);
  if (trail->initial >= ts->shape->n_initial)
    return false;
  memset(row, 0, walk->stride);
  uint32_t length = ts_code(ts)->initial(ts, trail->initial, row);
  if (!step(context, 0, NULL, row, length))
    return true;
  for (uint32_t i = 0; i < trail->n_events; i++) {
    struct ts_edge edge;
    if (!ts_fire(ts, row, length, trail->event[i], &edge, next))
      return false;
    if (!step(context, i + 1, &edge, next, edge.length))
      return true;
    if (edge.kind == TS_MODEL_ERROR)
      return i + 1 == trail->n_events;
    uint8_t *old = row;
    row = next;
    next = old;
    length = edge.length;
  }
  return true;
}

bool search_replay(const struct ts *ts, const struct search_trail *trail, struct budget *budget,
                   walk_step *step, void *context) {
  struct ts_batch walk;
  size_t bytes;
  if (!walk_open(&walk, &bytes, ts->shape, budget))
    return false;
  bool done = walk_replay(ts, trail, &walk, step, context);
  walk_close(&walk, bytes, budget);
  return done;
}
