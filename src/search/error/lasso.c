/* lasso.c - an error that is a cycle: noted once the way was gone again.
 *
 * A store that may take one state for another can close a cycle that is none; such a lasso is
 * dropped, and the search goes on. One of an exact store that does not hold is a fault of ours.
 */
#include "search/core.h"
#include "search/error/walk.h"
#include "ts/claim.h"

#include "base/bits.h"

#include <string.h>

struct walk {
  const struct ts *ts;
  uint32_t begins; /* the event after which the cycle begins */
  uint32_t n;
  uint64_t marks;          /* of the cycle's events so far */
  uint8_t *start, *before; /* states: where the cycle begins, and before the next event */
  uint32_t start_length, before_length;
  size_t stride;
  bool closes;
};

static bool step(void *context, uint32_t n, const struct ts_edge *edge, const uint8_t *state,
                 uint32_t length) {
  struct walk *k = context;
  if (edge != NULL && edge->kind == TS_MODEL_ERROR)
    return false;
  if (n > k->begins && edge != NULL)
    k->marks |= ts_code(k->ts)->marks(k->ts, k->before, k->before_length, edge->event);
  memcpy(k->before, state, k->stride);
  k->before_length = length;
  if (n == k->begins) {
    memcpy(k->start, state, k->stride);
    k->start_length = length;
  }
  k->closes = n == k->n && n > k->begins && length == k->start_length &&
              memcmp(k->start, state, length) == 0;
  return true;
}

/* In rows of a batch that is not in use. */
static bool cycles_in(const struct ts *ts, const struct search_trail *trail,
                      struct ts_batch *rows) {
  const uint32_t n_marks = ts->shape->n_marks;
  const uint64_t all = bits_lowest(n_marks);
  if (n_marks == 0 || trail->n_cycle > trail->n_events)
    return false;
  struct walk k = {.ts = ts,
                   .begins = trail->n_events - trail->n_cycle,
                   .n = trail->n_events,
                   .start = walk_row(rows, 0),
                   .before = walk_row(rows, 1),
                   .stride = rows->stride};
  return walk_replay(ts, trail, rows, step, &k) && k.closes && (k.marks & all) == all;
}

bool search_trail_cycles(const struct ts *ts, const struct search_trail *trail,
                         struct budget *budget) {
  struct ts_batch rows;
  size_t bytes;
  if (!walk_open(&rows, &bytes, ts->shape, budget))
    return false;
  const bool cycles = cycles_in(ts, trail, &rows);
  walk_close(&rows, bytes, budget);
  return cycles;
}

bool worker_trail_cycles(struct worker *w, const struct search_trail *trail) {
  return cycles_in(w->search->ts, trail, &w->walk);
}

bool worker_note_cycle(struct worker *w, const struct ts_event *event, uint64_t n,
                       uint64_t n_cycle) {
  struct search *s = w->search;
  struct search_error *error = &s->result->error;
  const bool exact = s->store_kind->has & STORE_EXACT;
  struct search_trail trail = {.initial = TS_NONE};
  if (n > 0)
    trail = (struct search_trail){event[0].choice, (uint32_t)(n - 1), (uint32_t)n_cycle,
                                  (struct ts_event *)(uintptr_t)(event + 1)};
  if (n >= TS_NONE)
    return false;
  if (w->is_cut)
    return true;
  if (!exact && !worker_trail_cycles(w, &trail))
    return true;
  w->figures.errors++;
  if (error->kind != SEARCH_NO_ERROR)
    return true;
  const bool progress =
      s->shape->product_of != NULL && s->shape->product_of->kind == CLAIM_PROGRESS;
  *error = (struct search_error){.kind = progress ? SEARCH_NONPROGRESS : SEARCH_ACCEPTANCE,
                                 .index = TS_NONE,
                                 .trail.initial = TS_NONE};
  if (n == 0)
    return true; /* nobody wants to know the way */
  s->result->trail_bytes = n * sizeof *event;
  error->trail.event = budget_alloc(s->budget, BUDGET_OTHER, s->result->trail_bytes);
  if (error->trail.event == NULL)
    return true; /* a verdict without its trail */
  memcpy(error->trail.event, event + 1, (n - 1) * sizeof *event);
  error->trail.initial = trail.initial;
  error->trail.n_events = trail.n_events;
  error->trail.n_cycle = trail.n_cycle;
  s->kept_trail = error->trail.event;
  return true;
}
