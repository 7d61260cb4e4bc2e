/* lean.c - edge-lean search: events that commute are fired in one order only.
 *
 * Bosnacki, Elkind, Genest, Peled, "On commutativity based edge lean search", section 3:
 * a state that was discovered by action b need not be left by an action a that is
 * independent of b and in front of it, for a and then b lead from the parent to the same
 * state. Nothing is kept but the action by which a state was discovered. Why every state
 * is met, every deadlock found and every error kept: docs/reductions.md. Deadlocks are
 * decided on what is enabled, so a state all of whose events were left out is asked again.
 */
#include "search/run.h"

#include "ts/independence.h"

const uint64_t *run_skip(const struct run *run, uint32_t by) {
  if (run->independence == NULL || by == TS_NONE)
    return NULL;
  return independence_before(run->independence, by);
}

bool run_any_enabled(const struct run *run, const struct frontier_open *open) {
  struct ts_batch *batch = &open->into->batch;
  struct ts_event cursor = {0, 0};
  uint32_t from = batch->n;
  if (run_skip(run, open->by.action) == NULL)
    return false;
  int32_t more =
      ts_code(run->ts)->successors(run->ts, open->row, open->length, &cursor, NULL, batch);
  bool any = batch->n > from || more != 0;
  batch->n = from;
  return any;
}
