/* explain.c - from any ts to what its language has to say of a state. */
#include "ts/explain.h"

#include "ts/product.h"

static const struct ts_explain *explain_of(const struct ts *ts) {
  return ts_notes(ts->shape)->explain;
}

/* What the language knows are states of the system, without the claim's. */
static const uint8_t *system_state(const struct ts *ts, const uint8_t *state) {
  return ts->shape->product_of == NULL ? state : ts_product_system(state);
}

void ts_explain_waiters(const struct ts *ts, const uint8_t *state, struct arena *arena,
                        struct ts_waiters *out) {
  const struct ts_explain *e = explain_of(ts);
  *out = (struct ts_waiters){0};
  if (e != NULL && e->waiters != NULL)
    e->waiters(e, system_state(ts, state), arena, out);
}

const char *ts_explain_property(const struct ts *ts, uint32_t property, const uint8_t *state,
                                struct arena *arena) {
  const struct ts_explain *e = explain_of(ts);
  if (e == NULL || e->property == NULL || property >= e->shape->n_properties)
    return NULL;
  return e->property(e, property, system_state(ts, state), arena);
}

const char *ts_explain_fault(const struct ts *ts, const uint8_t *before,
                             const struct ts_event_part *part, struct arena *arena) {
  const struct ts_explain *e = explain_of(ts);
  if (e == NULL || e->fault == NULL || part->n == 0 ||
      part->action[part->n - 1] >= e->shape->n_actions)
    return NULL;
  return e->fault(e, system_state(ts, before), part, arena);
}
