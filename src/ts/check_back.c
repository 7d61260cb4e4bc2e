/* check_back.c - does a model that goes backward go where it came from?
 *
 * Of each successor of a state all predecessors are listed: the state must be among them, by
 * the event that led from it; each of them must lead to the successor by its event; and they
 * must be as many as are counted, where both can be told.
 */
#include "ts/check_inside.h"

/* Row i of check->there is said to lead to row `to` of check->here. */
static bool leads_there(struct check *check, uint32_t i, uint32_t to) {
  const struct ts_edge *back = &check->there.batch.edge[i];
  const struct ts_edge *edge = &check->here.batch.edge[to];
  struct ts_edge fired = {0};
  memset(check->row, 0, check->stride);
  if (ts_fire(check->inner, list_row(&check->there, i), back->length, back->event, &fired,
              check->row) &&
      fired.kind != TS_MODEL_ERROR && fired.length == edge->length &&
      memcmp(check->row, list_row(&check->here, to), edge->length) == 0)
    return true;
  return check_complain(check, &back->event,
                        "backward it comes from a state that does not "
                        "lead there");
}

/* All predecessors of successor `to` of the state. */
static bool check_before(struct check *check, const uint8_t *state, uint32_t length,
                         uint32_t to) {
  const struct ts_edge *edge = &check->here.batch.edge[to];
  const uint8_t *row = list_row(&check->here, to);
  struct ts_batch *batch = &check->there.batch;
  struct ts_event cursor = {0, 0};
  uint32_t found = 0, n = 0;
  for (int32_t more = 1; more == 1;) {
    batch->n = 0;
    more = check->now->predecessors(check->inner, row, edge->length, &cursor, batch);
    if (more == 3)
      return true;
    for (uint32_t i = 0; i < batch->n; i++, n++) {
      const struct ts_edge *back = &batch->edge[i];
      found += check_compare(back->event, edge->event) == 0 && back->length == length &&
               memcmp(list_row(&check->there, i), state, length) == 0;
      if (!leads_there(check, i, to))
        return false;
    }
  }
  if (found != 1)
    return check_complain(check, &edge->event, "backward it is found %u times", found);
  const uint32_t counted = check->now->n_predecessors(check->inner, row, edge->length);
  return n == counted || counted == TS_NONE ||
         check_complain(check, &edge->event, "after it %u events lead back, and %u are counted",
                        n, counted);
}

/* Undoing the event that led to successor `to` gives the state, or may not be told. */
static bool check_undo(struct check *check, const uint8_t *state, uint32_t length,
                       uint32_t to) {
  const struct ts_edge *edge = &check->here.batch.edge[to];
  const uint8_t *row = list_row(&check->here, to);
  memset(check->row, 0, check->stride);
  uint32_t before = check->now->undo(check->inner, row, edge->length, edge->event, check->row);
  return before == TS_NONE || (before == length && memcmp(check->row, state, length) == 0) ||
         check_complain(check, &edge->event, "undone it leads to another state");
}

bool check_backward(struct check *check, const uint8_t *state, uint32_t length) {
  for (uint32_t i = 0; i < check->here.batch.n && check->now->undo != NULL; i++)
    if (check->here.batch.edge[i].kind != TS_MODEL_ERROR &&
        !check_undo(check, state, length, i))
      return false;
  for (uint32_t i = 0; i < check->here.batch.n && check->now->predecessors != NULL; i++)
    if (check->here.batch.edge[i].kind != TS_MODEL_ERROR &&
        !check_before(check, state, length, i))
      return false;
  return true;
}
