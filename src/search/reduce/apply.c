/* apply.c - what the loop does where events that commute are left out.
 *
 * The reductions themselves are in reduce/. Here they are opened and told what was fired, and
 * what they found out becomes a limit. Deadlocks are decided on what is enabled, so a state all
 * of whose events were left out is asked again.
 */
#include "search/run.h"

#include <string.h>

bool run_reduction_open(struct run *run) {
  const struct search_options *options = run->options;
  const struct reduction_config config = {.shape = run->shape,
                                          .budget = run->budget,
                                          .rank = options->reduce.action_rank,
                                          .parameter = options->reduce.parameter};
  const struct reduction_kind *kind = options->reduce.kind;
  run->puts_in_order = config.rank != NULL && (kind->traits & REDUCTION_ORDERED) != 0;
  run->tells_fired =
      (kind->traits & (REDUCTION_HEARS | REDUCTION_LOSES | REDUCTION_FAILS)) != 0;
  run->reduction = kind->open(&config);
  return run->reduction != NULL;
}

void run_reduction_close(struct run *run) {
  if (run->reduction != NULL)
    run->options->reduce.kind->close(run->reduction);
  run->reduction = NULL;
}

/* Rows are few, and nearly in order. */
void run_put_in_order(struct run *run, struct ts_batch *batch, uint32_t from) {
  const uint32_t *rank = run->options->reduce.action_rank;
  uint8_t *spare = run->walk.rows; /* nobody walks now */
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

void run_reduction_fired(struct run *run, const struct frontier_open *open, uint32_t from,
                         bool done) {
  const struct reduction_kind *kind = run->options->reduce.kind;
  if (kind->traits & REDUCTION_HEARS)
    kind->fired(run->reduction, open, from, done);
  if ((kind->traits & REDUCTION_LOSES) && kind->may_lose(run->reduction))
    run_limit(run, SEARCH_CYCLE);
  if ((kind->traits & REDUCTION_FAILS) && kind->failed(run->reduction))
    run_limit(run, SEARCH_MEMORY);
}

bool run_any_enabled(const struct run *run, const struct frontier_open *open) {
  struct ts_batch *batch = &open->into->batch;
  struct ts_event cursor = {0, 0};
  uint32_t from = batch->n;
  if (run->reduction == NULL)
    return false;
  int32_t more =
      ts_code(run->ts)->successors(run->ts, open->row, open->length, &cursor, NULL, batch);
  bool any = batch->n > from || more != 0;
  batch->n = from;
  return any;
}
