/* shorten.c - a lasso made shorter, by a bounded effort.
 *
 * A depth-first search finds long ways, and the first cycle that it comes to is seldom the
 * nearest. Where there is one mark, another lasso near the initial state takes its place
 * (nearest.c). If there is none, and with several marks or fairness, this one is made shorter
 * among the stored states: the cycle by a shortest way back from the target of one of its
 * accepting events; then the stem by a shortest way to any state of the cycle, where the cycle
 * begins then. Each is a breadth-first search that gives up after a number of states, and needs
 * a store that numbers its states; without one, or if it gives up, the lasso stays as it is.
 */
#include "search/error/nearest.h"

#include "base/bits.h"

#include <string.h>

#define SHORTEN_MOST 1000000u /* states that are fired again, for each */

struct shorten {
  struct search *search;
  struct region region;
  uint64_t
      *state; /* of the cycle: state[i] is where its event i is fired; one more, the first */
  uint32_t room, marked; /* marked: an event with the mark, or TS_NONE */
  uint32_t begins, n;
  bool fair;
};

static uint64_t name(void *context, uint64_t i) {
  (void)context;
  return i;
}

static uint64_t index_of(void *context, uint64_t ref) {
  const struct shorten *d = context;
  return ref < d->region.n ? ref : REGION_NONE;
}

/* The store's number of a state. */
static uint64_t number_of(struct shorten *d, const uint8_t *state, uint32_t length) {
  struct search *s = d->search;
  struct rows *rows = &d->region.rows;
  rows_set(rows, state, length, hash_raw(s->hash, state, length));
  s->store_kind->find(s->worker->store, rows, 0, 1);
  return rows->answer[0] == STORE_OLD ? rows->ref[0] : REGION_NONE;
}

/* The states of the cycle, and which event is accepting. */
static bool collect(void *context, uint32_t n, const struct ts_edge *edge, const uint8_t *state,
                    uint32_t length) {
  struct shorten *d = context;
  const struct ts *ts = d->search->ts;
  if (edge != NULL && n > d->begins &&
      (ts_code(ts)->marks(ts, d->region.row, d->n, edge->event) & 1) != 0)
    d->marked = n - d->begins - 1;
  if (n >= d->begins)
    d->state[n - d->begins] = number_of(d, state, length);
  memcpy(d->region.row, state, ts_stride(ts->shape));
  d->n = length;
  return true;
}

static bool read_cycle(struct shorten *d) {
  struct search *s = d->search;
  const struct search_trail *trail = &s->result->error.trail;
  d->begins = trail->n_events - trail->n_cycle;
  d->marked = TS_NONE;
  if (!search_replay(s->ts, trail, s->budget, collect, d))
    return false;
  for (uint32_t i = 0; i <= trail->n_cycle; i++)
    if (d->state[i] == REGION_NONE)
      return false;
  return true;
}

/* The trail becomes the first events of it, and a way after them, of which the last n are the
 * cycle. */
static bool set_trail(struct shorten *d, uint32_t first, const struct region_way *way,
                      uint32_t n_cycle) {
  struct search *s = d->search;
  struct search_trail *trail = &s->result->error.trail;
  const size_t bytes = (first + way->n + 1) * sizeof *trail->event;
  struct ts_event *event = budget_alloc(s->budget, BUDGET_OTHER, bytes);
  if (event == NULL)
    return false;
  memcpy(event, trail->event, first * sizeof *event);
  memcpy(event + first, way->at, way->n * sizeof *event);
  budget_free(s->budget, BUDGET_OTHER, trail->event, s->result->trail_bytes);
  s->result->trail_bytes = bytes;
  s->kept_trail = trail->event = event;
  trail->n_events = first + (uint32_t)way->n;
  trail->n_cycle = n_cycle;
  return true;
}

static void begin(struct shorten *d) {
  d->region.most = SHORTEN_MOST;
  d->region.stopped = false;
}

static uint64_t number_of_initial(struct shorten *d) {
  struct search *s = d->search;
  uint32_t length = 0;
  const uint8_t *row = worker_walk_initial(s->worker, s->result->error.trail.initial, &length);
  return number_of(d, row, length);
}

/* Another one. False: there is none that is shorter. */
static bool find_nearest(struct shorten *d) {
  const uint32_t most = d->search->result->error.trail.n_events;
  struct region_way way = {0};
  uint32_t n_cycle;
  const uint64_t from = number_of_initial(d);
  const bool found = from != REGION_NONE &&
                     (nearest_lasso(&d->region, from, true, most, &way, &n_cycle) ||
                      nearest_lasso(&d->region, from, false, most, &way, &n_cycle)) &&
                     set_trail(d, 0, &way, n_cycle);
  region_way_free(&d->region, &way);
  return found;
}

/* Around the accepting event. */
static void shorten_cycle(struct shorten *d) {
  const struct search_trail *trail = &d->search->result->error.trail;
  struct region_way way = {0};
  if (d->marked == TS_NONE)
    return;
  begin(d);
  const uint32_t at = d->begins + d->marked;
  if (region_add(&d->region, &way, trail->event[at]) &&
      region_walk(&d->region, d->state[d->marked + 1], d->state[d->marked], &way) &&
      way.n < trail->n_cycle)
    (void)set_trail(d, at, &way, (uint32_t)way.n);
  region_way_free(&d->region, &way);
}

/* To where the cycle is nearest. */
static void shorten_stem(struct shorten *d) {
  struct search *s = d->search;
  const struct search_trail *trail = &s->result->error.trail;
  struct region_way way = {0};
  uint64_t at;
  const uint64_t from = number_of_initial(d);
  begin(d);
  const size_t bytes = (d->region.n / 64 + 1) * sizeof(uint64_t);
  uint64_t *set = budget_alloc(s->budget, BUDGET_OTHER, bytes);
  if (set == NULL)
    return;
  memset(set, 0, bytes);
  for (uint32_t i = 0; i < trail->n_cycle; i++)
    bits_set(set, d->state[i]);
  d->region.target = set;
  if (from != REGION_NONE && region_walk_to_any(&d->region, from, &way, &at) &&
      way.n < d->begins) {
    uint32_t k = 0;
    bool fine = true;
    while (d->state[k] != at)
      k++;
    for (uint32_t i = 0; i < trail->n_cycle && fine; i++)
      fine = region_add(&d->region, &way, trail->event[d->begins + (k + i) % trail->n_cycle]);
    if (fine)
      (void)set_trail(d, 0, &way, trail->n_cycle);
  }
  budget_free(s->budget, BUDGET_OTHER, set, bytes);
  region_way_free(&d->region, &way);
}

void search_shorten_lasso(struct search *s) {
  const unsigned needs = STORE_IDS | STORE_GETS | STORE_EXACT;
  const struct search_trail *trail = &s->result->error.trail;
  const bool plain = s->shape->n_marks == 1 && s->options->fairness == SEARCH_UNFAIR;
  if (s->options->as_found || s->store == NULL || (s->store_kind->has & needs) != needs ||
      trail->n_cycle == 0)
    return;
  struct shorten d = {.search = s, .room = trail->n_cycle + 1};
  d.region = (struct region){.n = s->worker->figures.stored,
                             .context = &d,
                             .name = name,
                             .index = index_of,
                             .bounded = true};
  d.state = budget_alloc(s->budget, BUDGET_OTHER, d.room * sizeof *d.state);
  bool fine = region_open(&d.region, s->worker) && d.state != NULL;
  if (fine && !(plain && find_nearest(&d))) {
    fine = read_cycle(&d);
    if (fine && plain) {
      shorten_cycle(&d);
      fine = read_cycle(&d);
    }
    if (fine)
      shorten_stem(&d);
  }
  budget_free(s->budget, BUDGET_OTHER, d.state, d.room * sizeof *d.state);
  region_close(&d.region);
}
