/* shorten.c - a lasso made shorter, by a bounded effort.
 *
 * A depth-first search finds long ways, and the first cycle that it comes to is seldom the
 * nearest. So the product is visited again (around.h): breadth-first from the initial state,
 * and if that is cut short and finds nothing, from all states of the lasso. Where there is one
 * mark, the shortest lasso there (nearest.h) takes the place of the one found; with several
 * marks or fairness the cycle stays as it is, and the shortest way to one of its states becomes
 * the stem.
 *
 * The more of the product is known the shorter lassos it has, and the shorter they are the less
 * of it has to be known: so what is known is looked at again and again while it grows.
 */
#include "search/error/nearest.h"
#include "search/error/walk.h"

#include "base/guard.h"

#include <string.h>

enum {
  FIRED = 1000000, /* states, at most */
  FEW = 25000,     /* stored states, or more, count as that many */
  MORE = 3,        /* times as many new ones */
  FIRST = 500,     /* states that are fired before a first look; the next one is after */
  GROWS = 8        /* times as many */
};

struct shorten {
  struct search *search;
  struct search_trail *trail;
  struct around around;
  bool plain;             /* one mark and no fairness: any cycle with the mark will do */
  struct ts_event *event; /* room for another lasso */
  uint32_t *state; /* not plain: of the cycle, state[i] is where its event i is fired; and the
                    * first once more */
};

static uint32_t begins(const struct shorten *d) {
  return d->trail->n_events - d->trail->n_cycle;
}

/* ---- along the lasso -------------------------------------------------------------------- */

static bool add_initial(void *context, uint32_t n, const struct ts_edge *edge,
                        const uint8_t *state, uint32_t length) {
  struct shorten *d = context;
  (void)n;
  (void)edge;
  d->around.stopped |= around_add(&d->around, state, length) == AROUND_NONE;
  return false;
}

static bool add_state(void *context, uint32_t n, const struct ts_edge *edge,
                      const uint8_t *state, uint32_t length) {
  struct shorten *d = context;
  (void)add_initial(context, n, edge, state, length);
  return !d->around.stopped;
}

static bool find_state(void *context, uint32_t n, const struct ts_edge *edge,
                       const uint8_t *state, uint32_t length) {
  struct shorten *d = context;
  (void)edge;
  if (n >= begins(d))
    d->state[n - begins(d)] = around_find(&d->around, state, length);
  return true;
}

static bool replay(struct shorten *d, walk_step *step) {
  return walk_replay(d->search->ts, d->trail, &d->search->worker->walk, step, d);
}

/* ---- what is known ---------------------------------------------------------------------- */

static bool look_for_lasso(struct shorten *d) {
  struct search_trail *trail = d->trail;
  struct nearest_lasso lasso = {.event = d->event, .most = trail->n_events};
  if (!nearest_lasso(&d->around, &lasso))
    return false;
  memcpy(trail->event, lasso.event, lasso.n * sizeof *lasso.event);
  trail->n_events = lasso.n;
  trail->n_cycle = lasso.n_cycle;
  return true;
}

static bool look_for_stem(struct shorten *d) {
  struct search_trail *trail = d->trail;
  struct nearest_lasso lasso = {.event = d->event, .most = begins(d)};
  const struct ts_event *cycle = trail->event + begins(d);
  const uint32_t n = trail->n_cycle;
  uint32_t which;
  if (!replay(d, find_state) || !nearest_stem(&d->around, d->state, n, &lasso, &which))
    return false;
  for (uint32_t i = 0; i < n; i++)
    lasso.event[lasso.n + i] = cycle[(which + i) % n];
  trail->n_events = lasso.n + n;
  memcpy(trail->event, lasso.event, trail->n_events * sizeof *lasso.event);
  return true;
}

/* States that are further than this are of no use. */
static uint32_t levels(const struct shorten *d) {
  return d->plain ? d->trail->n_events : begins(d);
}

/* Visits the product from the initial state on, or from all states of the lasso. Whether the
 * lasso became shorter; *all: there is no way to make it shorter still. */
static bool look_around(struct shorten *d, walk_step *add, bool *all) {
  struct around *a = &d->around;
  const uint64_t stored = d->search->worker->figures.stored;
  const uint64_t known = stored + MORE * (stored > FEW ? stored : FEW);
  bool shorter = false;
  *all = false;
  if (around_open(a, d->search->worker) && replay(d, add) && a->n > 0)
    for (uint64_t most = FIRST; a->fired < FIRED && a->n < known && !a->stopped && !*all;
         most *= GROWS) {
      around_explore(a, most < FIRED ? most : FIRED, known, levels(d));
      shorter |= d->plain ? look_for_lasso(d) : look_for_stem(d);
      *all = around_is_done(a, levels(d));
    }
  around_close(a);
  return shorter;
}

static bool asks_to_stop(void *context) {
  (void)context;
  return true;
}

void search_shorten_lasso(struct search *s) {
  struct search_trail *trail = &s->result->error.trail;
  /* What is not matched depends on where a state was entered first, and may not be met anew. */
  if (s->options->as_found || trail->n_cycle == 0 || s->ts->remembers != NULL)
    return;
  struct shorten d = {.search = s,
                      .trail = trail,
                      .plain = s->shape->n_marks == 1 && s->options->fairness == SEARCH_UNFAIR};
  const size_t events = trail->n_events * sizeof *d.event,
               states = (trail->n_cycle + UINT64_C(1)) * sizeof *d.state;
  const struct guard_stop outer = guard_stop_by((struct guard_stop){asks_to_stop, NULL});
  bool all;
  d.event = budget_alloc(s->budget, BUDGET_OTHER, events);
  d.state = budget_alloc(s->budget, BUDGET_OTHER, states);
  if (d.event != NULL && d.state != NULL && !look_around(&d, add_initial, &all) && !all)
    (void)look_around(&d, add_state, &all);
  budget_free(s->budget, BUDGET_OTHER, d.event, events);
  budget_free(s->budget, BUDGET_OTHER, d.state, states);
  guard_stop_by(outer);
}
