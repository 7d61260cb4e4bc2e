/* estimate.c - which store the states should move to, and what is known of each.
 *
 * For a move the first states found are put into an empty store of each kind, and its growth is
 * extended to all of them (curve.h). When memory has run out, pilots search for them again
 * (pilot.c). docs/estimates.md compares estimates with what stores took; bench/estimates.py
 * does that.
 */
#include "search/move/estimate.h"
#include "search/engine.h"
#include "search/move/curve.h"
#include "search/rules.h"

enum {
  ESTIMATE_MOST = 1 << 18, /* states that are tried */
  ESTIMATE_MOVE = 1 << 14, /* for fewer that move there is no estimate */
  ESTIMATE_ROWS = 64,
  ESTIMATE_TRY = 2 /* of the memory left that part is for a store that is tried */
};

/* A store is worth moving to if it takes at most this share of the present one, or this of the
 * usual next one: the automaton takes two to three times as long as a tree, and open states are
 * kept whole beside it. The usual one is good enough anyway if it takes at most that share of
 * the present one. */
static const double ESTIMATE_CLEARLY = 0.85, ESTIMATE_USUAL = 0.6, ESTIMATE_PLENTY = 0.1;

struct estimate {
  struct search *search;
  struct rows rows;
  uint64_t states; /* for that many */
  uint32_t n;      /* as these first ones show */
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

/* False: there was no memory. */
static bool try_store(struct estimate *e, const struct store_kind *kind, struct curve *curve) {
  struct store_config config = {0};
  struct store *store;
  struct store_work *work;
  uint32_t from = 0;
  bool fine = true;
  if (!search_open_store(e->search->worker, kind, &config, &store, &work))
    return false;
  curve_begin(curve, kind, e->states);
  while (fine && from < e->n) {
    const uint32_t to = (uint32_t)curve_next(curve);
    fine = put_states(e, kind, work, from, to);
    if (fine)
      curve_look(curve, kind, store);
    from = to;
  }
  kind->end(work);
  kind->close(store);
  return fine && curve_seen(curve) > 0;
}

void search_add_estimate(struct search_result *result, const struct store_kind *kind,
                         const struct curve *curve) {
  const double states = (double)curve->states;
  const struct curve_end end = curve_extend(curve);
  uint32_t at = result->n_estimates++;
  for (; at > 0 && result->estimate[at - 1].bytes > end.likely / states; at--)
    result->estimate[at] = result->estimate[at - 1];
  result->estimate[at] = (struct search_estimate){kind, end.likely / states, end.least / states,
                                                  end.most / states, curve_seen(curve)};
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

/* As at most `most` of the states show. */
static void estimate(struct search *s, uint64_t most) {
  struct estimate e = {.search = s, .states = s->worker->figures.stored};
  struct curve curve;
  uint64_t n = e.states;
  while (n > most || n > ESTIMATE_MOST)
    n /= 2;
  e.n = (uint32_t)n;
  if (!lists(s->store_kind) || s->options->forget.kind != NULL ||
      !rows_open(&e.rows, s->shape, s->budget, ESTIMATE_ROWS))
    return;
  s->result->n_estimates = 0;
  for (uint32_t i = 0; store_kinds[i] != NULL; i++)
    if (!store_kinds[i]->sized && !(store_kinds[i]->has & STORE_REBUILDS) &&
        s->result->n_estimates < SEARCH_MOST_ESTIMATES && try_store(&e, store_kinds[i], &curve))
      search_add_estimate(s->result, store_kinds[i], &curve);
  rows_close(&e.rows, s->budget);
  budget_trim();
}

bool search_estimate_move(struct search *s) {
  uint64_t stored = s->worker->figures.stored;
  if (s->moving.estimated || !s->options->store.moves || stored < ESTIMATE_MOVE)
    return false;
  s->moving.estimated = true;
  estimate(s, memory_left(s->budget) / ESTIMATE_TRY / (ts_stride(s->shape) + 16));
  return s->result->n_estimates > 0;
}

uint32_t search_note_growth(void *worker, struct rows *rows, uint32_t from, uint32_t to,
                            bool put) {
  const struct worker *w = worker;
  const struct search *s = w->search;
  struct curve *curve = s->options->growth;
  (void)rows;
  (void)from;
  if (put && w->found >= curve_next(curve))
    curve_look(curve, s->store_kind, s->store);
  return to;
}

double search_estimated(const struct search_result *r, const struct store_kind *kind) {
  for (uint32_t i = 0; i < r->n_estimates; i++)
    if (r->estimate[i].kind == kind)
      return r->estimate[i].bytes;
  return 0;
}

bool search_suits(const struct search *s, const struct store_kind *kind) {
  struct search_options options = *s->options;
  if (!(s->worker->engine->needs & ENGINE_CYCLES))
    return true;
  options.store = (struct search_store_options){.kind = kind};
  return search_refusal(&options) == NULL;
}

const struct store_kind *search_better_store(const struct search *s,
                                             const struct store_kind *next) {
  const struct search_result *r = s->result;
  const double now = search_estimated(r, s->store_kind);
  if (next != NULL && search_estimated(r, next) <= ESTIMATE_PLENTY * now)
    return next;
  if (next != NULL && now > 0 && search_estimated(r, next) > now)
    next = NULL;
  double most =
      next == NULL ? ESTIMATE_CLEARLY * now : ESTIMATE_USUAL * search_estimated(r, next);
  for (uint32_t i = 0; i < r->n_estimates; i++)
    if ((r->estimate[i].kind->has & STORE_EXACT) && r->estimate[i].bytes < most &&
        search_suits(s, r->estimate[i].kind))
      return r->estimate[i].kind == s->store_kind ? next : r->estimate[i].kind;
  return next;
}
