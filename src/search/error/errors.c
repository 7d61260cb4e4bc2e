/* errors.c - what is wrong with a state or an event, and which error is the first.
 *
 * Errors are met in another order than they are to be reported, because rows
 * gather before they are stored. So each has a key: the length of its trail, if
 * the order of the search keeps to depths, and its place in the order of the
 * rows; a row that holds no state counts as just before the row that takes its
 * place. The smallest key is reported, which makes the result independent of
 * the size of batches.
 */
#include "search/run.h"

#include <string.h>

struct finding {
  enum search_error_kind kind;
  uint32_t index;
  bool in_last_event;
  struct run_error at;
};

static void note(struct run *run, const struct finding *found) {
  struct search_error *error = &run->result->error;
  run->figures->errors++;
  if (error->kind != SEARCH_NO_ERROR) {
    if (!(run->order->traits & FRONTIER_SHORTEST))
      return;
    if (found->at.length > run->error.length ||
        (found->at.length == run->error.length && found->at.order >= run->error.order))
      return;
  }
  *error = (struct search_error){.kind = found->kind,
                                 .index = found->index,
                                 .in_last_event = found->in_last_event,
                                 .trail.initial = TS_NONE};
  run->error = found->at;
  if ((run->order->traits & FRONTIER_PATH) || run->has_tree)
    run_keep_path(run);
}

void run_note_faults(struct run *run, const struct frontier_open *open, uint32_t from) {
  struct ts_batch *batch = &open->into->batch;
  uint32_t kept = from;
  for (uint32_t i = from; i < batch->n; i++) {
    const struct ts_edge *edge = &batch->edge[i];
    bool lost = edge->kind == TS_MODEL_ERROR;
    bool no_place = lost && edge->fault + 1 == run->shape->no_place;
    bool known = run->has_tree && frontier_before(edge->event, open->noted);
    if (no_place)
      run_limit(run, SEARCH_PLACES);
    else if (edge->kind != TS_FINE && !known)
      note(run, &(struct finding){.kind = lost ? SEARCH_MODEL_ERROR : SEARCH_ASSERTION,
                                  .index = edge->fault,
                                  .in_last_event = true,
                                  .at = {.parent = open->ref,
                                         .event = edge->event,
                                         .length = open->depth + 1,
                                         .order = 2 * (run->rows_settled + kept) + !lost}});
    if (lost) {
      run->lost += !known;
      run->figures->events += !known;
      continue;
    }
    if (kept < i) {
      batch->edge[kept] = *edge;
      memcpy(batch->rows + kept * batch->stride, batch->rows + i * batch->stride,
             batch->stride);
    }
    kept++;
  }
  batch->n = kept;
}

void run_check_state(struct run *run, const struct rows *rows, uint32_t i, uint64_t depth) {
  const struct ts_shape *shape = run->shape;
  const struct ts_code *code = ts_code(run->ts);
  const uint8_t *row = rows->batch.rows + i * rows->batch.stride;
  const struct ts_edge *edge = &rows->batch.edge[i];
  for (uint32_t from = 0;;) {
    uint32_t fault = TS_NONE;
    uint32_t p = code->violated(run->ts, row, edge->length, from, &fault);
    if (p >= shape->n_properties)
      return;
    enum search_error_kind kind = fault != TS_NONE ? SEARCH_MODEL_ERROR
                                  : shape->property[p].kind == TS_PROPERTY_ASSERTION
                                      ? SEARCH_ASSERTION
                                      : SEARCH_INVARIANT;
    note(run, &(struct finding){.kind = kind,
                                .index = fault != TS_NONE ? fault : p,
                                .at = {.parent = rows->parent[i],
                                       .event = edge->event,
                                       .length = depth,
                                       .order = 2 * (run->rows_settled + i) + 1}});
    if (run_is_decided(run))
      return;
    from = p + 1;
  }
}

void run_note_deadlock(struct run *run, const struct frontier_open *open) {
  const struct ts_code *code = ts_code(run->ts);
  if (ts_ends(run->ts, open->row, open->length))
    return;
  run->figures->deadlocks++;
  if (run->options->deadlock_is_error)
    note(run,
         &(struct finding){.kind = code->ends != NULL ? SEARCH_INVALID_END : SEARCH_DEADLOCK,
                           .index = TS_NONE,
                           .at = {.parent = open->ref,
                                  .event = {TS_NONE, TS_NONE},
                                  .length = open->depth,
                                  .order = 2 * run->rows_settled}});
}
