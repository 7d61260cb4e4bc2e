/* estimate.c - the first states found are put into an empty store of each kind.
 *
 * What a store takes is looked at after a quarter, a half and all of them, its index apart from
 * the rest. An index and what else grows like the number of states goes on so. What grows more
 * slowly (parts that are seen again, the nodes of an automaton) goes on as the power of that
 * number which it was from the half on. Tables grow in steps; so the number of states for which
 * the estimate is made is halved until it is small enough, and an index is there as full as it
 * will be.
 *
 * docs/estimates.md compares estimates with what stores took; bench/estimates.py does that.
 */
#include "search/move/estimate.h"

#include "base/clock.h"

#include <math.h>

enum {
  ESTIMATE_MOST = 1 << 18, /* states that are tried */
  ESTIMATE_LEAST = 512,    /* fewer say too little, */
  ESTIMATE_MOVE = 1 << 14, /* for a move */
  ESTIMATE_ROWS = 64,
  ESTIMATE_POINTS = 3, /* looks, each after twice as many states */
  ESTIMATE_TRY = 2,    /* of the memory left that part is for a store that is tried, */
  ESTIMATE_PILOT = 3   /* and this for the pilot */
};

/* A store is worth moving to if it takes at most this share of the present one, or this of the
 * usual next one: the automaton takes about twice the time of a tree. */
static const double ESTIMATE_CLEARLY = 0.85, ESTIMATE_USUAL = 0.6;
/* And an index, which grows in steps, with at least this. */
static const double ESTIMATE_TABLE = 0.75;
/* Whatever grows with at least this power of the number of states is taken to be in proportion
 * to it. */
static const double ESTIMATE_LINEAR = 0.9;
/* The pilot gives up after this many seconds: it has found enough states by then. */
static const double ESTIMATE_SECONDS = 2;

struct estimate {
  struct search *search;
  struct rows rows;
  uint64_t states;     /* for that many */
  uint32_t octaves, n; /* states tried: states >> octaves */
};

struct curve {
  double index[ESTIMATE_POINTS], all[ESTIMATE_POINTS];
};

/* Rows of states [from, to). */
static void get_rows(struct estimate *e, uint64_t from, uint64_t to) {
  struct search *s = e->search;
  struct rows *rows = &e->rows;
  rows->batch.n = (uint32_t)(to - from);
  for (uint32_t i = 0; i < rows->batch.n; i++) {
    uint8_t *row = rows_at(rows, i);
    uint32_t length = s->store_kind->get(s->worker->store, from + i, row);
    rows->batch.edge[i] = (struct ts_edge){.length = length};
    rows->hash[i] = hash_finish(hash_raw(s->hash, row, length));
  }
}

/* Puts states [from, to); false if memory ran out. */
static bool put_states(struct estimate *e, const struct store_kind *kind,
                       struct store_work *work, uint32_t from, uint32_t to) {
  while (from < to) {
    uint32_t end = to - from < ESTIMATE_ROWS ? to : from + ESTIMATE_ROWS;
    get_rows(e, from, end);
    if (kind->put(work, &e->rows, 0, end - from) < end - from)
      return false;
    from = end;
  }
  return true;
}

/* The power of the number of states as which bytes grew, seen at the points; 0: none. */
static double power_of(const double *bytes, uint32_t from) {
  const uint32_t last = ESTIMATE_POINTS - 1;
  if (!(bytes[from] > 0) || !(bytes[last] > bytes[from]))
    return 0;
  return log2(bytes[last] / bytes[from]) / (last - from);
}

/* What `bytes` will be after twice as many states `octaves` times. */
static double extend(const double *bytes, uint32_t octaves) {
  const uint32_t last = ESTIMATE_POINTS - 1;
  const double power = power_of(bytes, 0) >= ESTIMATE_LINEAR ? 1 : power_of(bytes, last - 1);
  return bytes[last] * exp2(power * octaves);
}

/* A table that grows with the states is apart from the rest: its steps would hide how that
 * grows. It grows a little less if its entries get shorter (cleary.h); of what the steps show
 * of that half is believed. */
static double extend_all(struct curve *c, uint32_t octaves) {
  if (power_of(c->index, 0) < ESTIMATE_TABLE)
    return extend(c->all, octaves);
  for (uint32_t i = 0; i < ESTIMATE_POINTS; i++)
    c->all[i] -= c->index[i];
  const double power = (1 + fmin(power_of(c->index, 0), 1)) / 2;
  return c->index[ESTIMATE_POINTS - 1] * exp2(power * octaves) + extend(c->all, octaves);
}

/* Bytes per state; 0: there was no memory. */
static double try_store(struct estimate *e, const struct store_kind *kind) {
  struct store_config config = {0};
  struct store *store;
  struct store_work *work;
  struct store_usage usage;
  struct curve curve;
  uint32_t from = 0, point = 0;
  if (!search_open_store(e->search->worker, kind, &config, &store, &work))
    return 0;
  kind->usage(store, &usage);
  const double empty = (double)usage.bytes;
  for (; point < ESTIMATE_POINTS; point++) {
    uint32_t to = e->n >> (ESTIMATE_POINTS - 1 - point);
    if (!put_states(e, kind, work, from, to))
      break;
    kind->usage(store, &usage);
    curve.index[point] = (double)usage.index_bytes;
    curve.all[point] = (double)usage.bytes - empty;
    from = to;
  }
  kind->end(work);
  kind->close(store);
  return point < ESTIMATE_POINTS ? 0
                                 : (empty + extend_all(&curve, e->octaves)) / (double)e->states;
}

/* Keeps them sorted. */
static void add(struct search_result *result, const struct store_kind *kind, double bytes) {
  uint32_t at = result->n_estimates++;
  for (; at > 0 && result->estimate[at - 1].bytes > bytes; at--)
    result->estimate[at] = result->estimate[at - 1];
  result->estimate[at] = (struct search_estimate){kind, bytes};
}

/* Whether a kind can list its states, and soon. */
static bool lists(const struct store_kind *kind) {
  const unsigned needs = STORE_IDS | STORE_GETS;
  return (kind->has & needs) == needs && !(kind->has & STORE_REBUILDS);
}

static uint64_t memory_left(const struct budget *budget) {
  uint64_t limit = budget_limit(budget), used = budget_used_all(budget);
  return used < limit ? limit - used : 0;
}

void search_estimate(struct search *s, uint64_t states, uint64_t most) {
  struct estimate e = {.search = s, .states = states};
  uint64_t stored = s->worker->figures.stored;
  most = stored < most ? stored : most;
  while (states >> e.octaves > (most < ESTIMATE_MOST ? most : ESTIMATE_MOST))
    e.octaves++;
  e.n = (uint32_t)(states >> e.octaves);
  if (!lists(s->store_kind) || s->options->forget.kind != NULL || e.n < ESTIMATE_LEAST ||
      !rows_open(&e.rows, s->shape, s->budget, ESTIMATE_ROWS))
    return;
  s->result->n_estimates = 0;
  for (uint32_t i = 0; store_kinds[i] != NULL; i++) {
    double bytes = store_kinds[i]->sized || (store_kinds[i]->has & STORE_REBUILDS)
                       ? 0
                       : try_store(&e, store_kinds[i]);
    if (bytes > 0 && s->result->n_estimates < SEARCH_MOST_ESTIMATES)
      add(s->result, store_kinds[i], bytes);
  }
  s->result->estimated_from = e.n;
  rows_close(&e.rows, s->budget);
  budget_trim();
}

bool search_estimate_move(struct search *s) {
  uint64_t stored = s->worker->figures.stored;
  if (s->moving.estimated || !s->options->store.moves || stored < ESTIMATE_MOVE)
    return false;
  s->moving.estimated = true;
  search_estimate(s, stored,
                  memory_left(s->budget) / ESTIMATE_TRY / (ts_stride(s->shape) + 16));
  return s->result->n_estimates > 0;
}

double search_estimated(const struct search_result *r, const struct store_kind *kind) {
  for (uint32_t i = 0; i < r->n_estimates; i++)
    if (r->estimate[i].kind == kind)
      return r->estimate[i].bytes;
  return 0;
}

const struct store_kind *search_better_store(const struct search *s,
                                             const struct store_kind *next) {
  const struct search_result *r = s->result;
  double most = next == NULL ? ESTIMATE_CLEARLY * search_estimated(r, s->store_kind)
                             : ESTIMATE_USUAL * search_estimated(r, next);
  for (uint32_t i = 0; i < r->n_estimates; i++)
    if ((r->estimate[i].kind->has & STORE_EXACT) && r->estimate[i].bytes < most)
      return r->estimate[i].kind == s->store_kind ? next : r->estimate[i].kind;
  return next;
}

/* ---- the pilot ------------------------------------------------------------------------- */

static bool goes_on(void *context, const struct search_figures *figures) {
  (void)context;
  (void)figures;
  return !clock_stop_requested();
}

/* Leaves memory for the stores that will be tried. */
static bool has_room(void *visitor, const uint8_t *state, uint32_t length) {
  struct search_pilot *pilot = visitor;
  (void)state;
  (void)length;
  return ++pilot->states % ESTIMATE_ROWS != 0 || memory_left(pilot->budget) >= pilot->least;
}

bool search_pilot(const struct search_result *r, const struct search_options *options,
                  struct search_pilot *pilot) {
  const struct search_figures *f = &r->figures;
  const bool is_short =
      r->limit == SEARCH_MEMORY || (r->limit == SEARCH_TREE && options->forget.cache_size == 0);
  const uint64_t left = memory_left(r->budget);
  uint32_t i = 0;
  while (store_kinds[i] != NULL && !lists(store_kinds[i]))
    i++;
  *pilot = (struct search_pilot){
      .options = {.order = options->order,
                  .reduce = options->reduce,
                  .store.kind = store_kinds[i],
                  .limit.states = ESTIMATE_MOST,
                  .limit.seconds = ESTIMATE_SECONDS,
                  .keep_going = true,
                  .progress = goes_on,
                  .visit = has_room,
                  .visitor = pilot,
                  .estimates = f->forgetting.is_used ? f->forgetting.reached : f->stored},
      .budget = r->budget,
      .least = left - left / ESTIMATE_PILOT};
  return is_short && options->estimates == 0 && store_kinds[i] != NULL &&
         pilot->options.estimates >= ESTIMATE_LEAST;
}
