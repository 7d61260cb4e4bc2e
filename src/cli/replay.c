/* replay.c - the counterexample of a reduced model, gone again in the model as it is.
 *
 * With dead variables at zero a search finds the right steps but shows values that the model
 * never had. The events are the same ones without that reduction, so the model is compiled once
 * more and the run is that of the true model. A cycle need not close at once there: dead
 * variables may have other values the first time round. What is dead was last written from what
 * is live, so that they are the same from the second time on, and one round more is gone before
 * the cycle begins.
 */
#include "cli/check.h"

#include "ts/product.h"

#include <string.h>

/* The claim of that name, in the form in which the search had it. */
static const struct claim *claim_again(struct loaded *l, const char *name, bool is_general) {
  const struct ts_shape *shape = l->ts->shape;
  for (uint32_t i = 0; i < shape->n_claims; i++) {
    if (strcmp(shape->claim[i].name, name) != 0)
      continue;
    if (!is_general)
      return &shape->claim[i];
    struct claim *general = ARENA_NEW(l->arena, struct claim);
    *general = claim_general(&shape->claim[i]);
    return general;
  }
  return NULL;
}

static bool compile_again(struct check *c) {
  struct loaded *l = &c->loaded;
  const struct claim *claim = c->now.base->shape->product_of;
  const char *name = claim == NULL ? NULL : claim->name, *why = NULL;
  const bool is_general = claim != NULL && claim->is_general;
  check_unwrap(c);
  l->reductions &= ~(unsigned)IR_DEAD;
  if (!loaded_again(l, c->o, (c->o->value[OPTION_WARN].number & OPTIONS_TRUNCATION) != 0))
    return false;
  c->now.base = l->ts;
  claim = name == NULL ? NULL : claim_again(l, name, is_general);
  if (claim != NULL)
    c->now.base = c->now.product = ts_product_open(l->ts, claim, l->budget, &why);
  c->now.ts = c->now.base;
  return c->now.base != NULL;
}

/* The cycle once more, before it begins. False: no memory. */
static bool go_round(struct check *c) {
  struct search_trail *trail = &c->now.result.error.trail;
  const size_t cycle = trail->n_cycle * sizeof *trail->event;
  struct ts_event *event =
      budget_realloc(c->loaded.budget, BUDGET_OTHER, trail->event, c->now.result.trail_bytes,
                     c->now.result.trail_bytes + cycle);
  if (event == NULL)
    return false;
  c->now.result.trail_bytes += cycle;
  trail->event = event;
  memcpy(event + trail->n_events, event + trail->n_events - trail->n_cycle, cycle);
  trail->n_events += trail->n_cycle;
  return true;
}

static bool count(void *context, uint32_t n, const struct ts_edge *edge, const uint8_t *state,
                  uint32_t length) {
  (void)edge;
  (void)state;
  (void)length;
  *(uint32_t *)context = n;
  return true;
}

/* Whether the run can be gone in the model as it is. */
static bool is_run(const struct check *c) {
  const struct search_trail *trail = &c->now.result.error.trail;
  uint32_t n = 0;
  if (trail->n_cycle > 0)
    return search_trail_cycles(c->now.base, trail, c->loaded.budget);
  return search_replay(c->now.base, trail, c->loaded.budget, count, &n) && n == trail->n_events;
}

void check_true_values(struct check *c) {
  const struct search_trail *trail = &c->now.result.error.trail;
  if (!(c->loaded.reductions & IR_DEAD) || c->loaded.model == NULL)
    return;
  bool fine = compile_again(c);
  if (fine && trail->n_cycle > 0 && !is_run(c))
    fine = go_round(c);
  if (fine && is_run(c)) {
    c->now.outcome.shape = c->now.base->shape;
    c->now.outcome.system = c->loaded.ts->shape;
    return;
  }
  c->now.result.error.trail.initial = TS_NONE;
  if (!fine) {
    fputs("warning: too little memory is left to show the counterexample\n", c->o->messages);
    return;
  }
  c->now.outcome.reason = "the counterexample does not replay in the model without reductions";
  c->now.outcome.verdict = OUTCOME_INCONCLUSIVE;
  fprintf(c->o->messages, "internal error: %s\n", c->now.outcome.reason);
}
