/* errors.c - what is wrong with a state or an event, and which error is the first.
 *
 * Errors are found in another order than they are to be reported, because rows
 * gather before they are stored. So each has a key: the length of its trail, if
 * the order of the search keeps to depths, and its place in the order of the
 * rows; a row that holds no state counts as just before the row that takes its
 * place. The smallest key is reported, which makes the result independent of
 * the size of batches.
 */
#include "search/core.h"

#include <string.h>

struct finding {
  enum search_error_kind kind;
  uint32_t index;
  bool in_last_event;
  struct search_found at;
};

static void note(struct worker *w, const struct finding *found) {
  struct search *s = w->search;
  struct search_error *error = &s->result->error;
  if (w->is_cut)
    return;
  w->figures.errors++;
  if (error->kind != SEARCH_NO_ERROR) {
    if (!(w->order->traits & FRONTIER_SHORTEST))
      return;
    if (found->at.length > s->found.length ||
        (found->at.length == s->found.length && found->at.order >= s->found.order))
      return;
  }
  *error = (struct search_error){.kind = found->kind,
                                 .index = found->index,
                                 .in_last_event = found->in_last_event,
                                 .trail.initial = TS_NONE};
  s->found = found->at;
  if (!s->way.lasts)
    search_replace_trail(s);
}

void worker_note_faults(struct worker *w, const struct open *open, uint32_t from) {
  struct ts_batch *batch = &open->into->batch;
  uint32_t kept = from;
  for (uint32_t i = from; i < batch->n; i++) {
    const struct ts_edge *edge = &batch->edge[i];
    bool lost = edge->kind == TS_MODEL_ERROR;
    bool no_place = lost && edge->fault + 1 == w->search->shape->no_place;
    bool known = open_before(edge->event, open->noted);
    if (no_place)
      search_limit(w->search, SEARCH_PLACES);
    else if (edge->kind != TS_FINE && !known)
      note(w, &(struct finding){.kind = search_fault_error(w->search->shape, edge),
                                .index = edge->fault,
                                .in_last_event = true,
                                .at = {.number = open->number,
                                       .event = edge->event,
                                       .length = open->depth + 1,
                                       .order = 2 * (w->rows_settled + kept) + !lost}});
    if (lost) {
      w->lost += !known;
      w->figures.events += !known;
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

void worker_check_state(struct worker *w, const struct rows *rows, uint32_t i, uint64_t depth) {
  struct search *s = w->search;
  const struct ts_shape *shape = s->shape;
  const struct ts_code *code = ts_code(s->ts);
  const uint8_t *row = rows->batch.rows + i * rows->batch.stride;
  const struct ts_edge *edge = &rows->batch.edge[i];
  for (uint32_t from = 0;;) {
    uint32_t fault = TS_NONE;
    uint32_t p = code->violated(s->ts, row, edge->length, from, &fault);
    if (p >= shape->n_properties)
      return;
    enum search_error_kind kind =
        fault != TS_NONE ? SEARCH_MODEL_ERROR : search_property_error(&shape->property[p]);
    note(w, &(struct finding){.kind = kind,
                              .index = fault != TS_NONE ? fault : p,
                              .at = {.number = rows->pred[i],
                                     .event = edge->event,
                                     .length = depth,
                                     .order = 2 * (w->rows_settled + i) + 1}});
    if (search_is_decided(s))
      return;
    from = p + 1;
  }
}

void worker_note_deadlock(struct worker *w, const struct open *open) {
  struct search *s = w->search;
  if (ts_ends(s->ts, open->row, open->length))
    return;
  w->figures.deadlocks++;
  if (s->options->deadlock_is_error)
    note(w, &(struct finding){.kind = s->shape->has_ends ? SEARCH_INVALID_END : SEARCH_DEADLOCK,
                              .index = TS_NONE,
                              .at = {.number = open->number,
                                     .event = {TS_NONE, TS_NONE},
                                     .length = open->depth,
                                     .order = 2 * w->rows_settled}});
}
