/* apply.c - what the loop does where events that commute are left out.
 *
 * The reductions themselves are in reduce/. Here they are opened and told what was fired, and
 * what they found out becomes a limit. Deadlocks are decided on what is enabled, so a state all
 * of whose events were left out is asked again.
 */
#include "search/core.h"

#include <string.h>

bool worker_open_reduction(struct worker *w) {
  const struct search *s = w->search;
  const struct search_options *options = s->options;
  const struct reduction_config config = {.shape = s->shape,
                                          .on_stack = w->order->traits & FRONTIER_STACK &&
                                                      options->forget.kind == NULL,
                                          .budget = s->budget,
                                          .rank = options->reduce.action_rank,
                                          .parameter = options->reduce.parameter};
  /* What is chosen in a product, chosen it must be for every state of the claim (docs/por.md).
   */
  const struct reduction_kind *kind = options->reduce.kind;
  const struct reduction_kind *beside =
      s->shape->product_of == NULL ? options->reduce.beside : NULL;
  const unsigned traits = kind->traits | (beside == NULL ? 0 : beside->traits);
  w->puts_in_order = config.rank != NULL && (traits & REDUCTION_ORDERED) != 0;
  w->tells_fired = (traits & (REDUCTION_HEARS | REDUCTION_LOSES | REDUCTION_FAILS)) != 0;
  w->chooses = (kind->traits & REDUCTION_CHOOSES) != 0;
  w->figures.choice.is_used = w->chooses;
  worth_open(&w->worth, options->reduce.judge_at, options->reduce.without);
  w->chooses_same = w->chooses && s->shape->product_of != NULL;
  w->may_ignore = !w->chooses_same && (s->shape->n_faults > 0 || s->shape->n_properties > 0 ||
                                       ts_notes(s->shape)->n_statements > 0);
  w->asks_to_fire = w->chooses && w->may_ignore && !config.on_stack;
  w->reduction_kind = kind;
  w->reduction = kind->open(&config);
  w->beside_kind = beside;
  w->beside = beside == NULL ? NULL : beside->open(&config);
  return w->reduction != NULL && (w->beside != NULL || beside == NULL);
}

void worker_close_reduction(struct worker *w) {
  if (w->reduction != NULL)
    w->reduction_kind->close(w->reduction);
  if (w->beside != NULL)
    w->beside_kind->close(w->beside);
  w->reduction = w->beside = NULL;
}

/* Rows are few, and nearly in order. */
void worker_put_in_order(struct worker *w, struct ts_batch *batch, uint32_t from) {
  const uint32_t *rank = w->search->options->reduce.action_rank;
  uint8_t *spare = w->walk.rows; /* nobody walks now */
  for (uint32_t i = from + 1; i < batch->n; i++) {
    struct ts_edge edge = batch->edge[i];
    uint32_t to = i;
    while (to > from && rank[batch->edge[to - 1].event.action] > rank[edge.event.action])
      to--;
    if (to == i)
      continue;
    uint8_t *row = batch->rows + to * batch->stride;
    memcpy(spare, batch->rows + i * batch->stride, batch->stride);
    memmove(row + batch->stride, row, (i - to) * (size_t)batch->stride);
    memmove(&batch->edge[to + 1], &batch->edge[to], (i - to) * sizeof edge);
    memcpy(row, spare, batch->stride);
    batch->edge[to] = edge;
  }
}

void worker_reduction_fired(struct worker *w, const struct open *open, uint32_t from,
                            bool done) {
  const struct reduction_kind *kind = w->beside != NULL ? w->beside_kind : w->reduction_kind;
  struct reduction *reduction = w->beside != NULL ? w->beside : w->reduction;
  if (kind->traits & REDUCTION_HEARS)
    kind->fired(reduction, open, from, done);
  if ((kind->traits & REDUCTION_LOSES) && kind->may_lose(reduction))
    search_limit(w->search, SEARCH_CYCLE);
  if ((kind->traits & REDUCTION_FAILS) && kind->failed(reduction))
    search_limit(w->search, SEARCH_MEMORY);
}

bool worker_any_enabled(const struct worker *w, const struct open *open) {
  const struct ts *ts = w->search->ts;
  struct ts_batch *batch = &open->into->batch;
  struct ts_event cursor = {0, 0};
  uint32_t from = batch->n;
  if (w->reduction == NULL)
    return false;
  int32_t more = ts_code(ts)->successors(ts, open->row, open->length, &cursor, NULL, batch);
  bool any = batch->n > from || more != 0;
  batch->n = from;
  return any;
}
