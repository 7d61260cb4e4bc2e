/* least.c - the fewest events of a lasso, by trying all places where its cycle may begin.
 *
 * The product is listed breadth-first, so that the depth of each state is known, and cut into
 * components. A lasso whose cycle begins in a state has no fewer events than its depth and a
 * shortest accepted cycle through it: that is a breadth-first search in two layers, of which
 * the second is entered by an accepting event. It ends where the lasso would be no shorter than
 * the best so far. All of them together look at so many arcs at most; if that is not enough,
 * only a lower bound is known: any lasso has an accepting event within a component, and the
 * least depth of one is passed first.
 */
#include "least.h"

#include "base/array.h"
#include "base/cut.h"
#include "store/store.h"
#include "ts/hash.h"

#include <stdlib.h>
#include <string.h>

#define MARKED UINT32_C(0x80000000)
#define LOOKS  UINT64_C(3000000000)

struct product {
  const struct ts *ts;
  struct budget *budget;
  struct hash *hash;
  const struct store_kind *kind;
  struct store *store;
  struct store_work *work;
  struct rows rows;
  uint8_t *row;
  uint32_t *depth, *arc; /* arc: a state, and MARKED */
  uint64_t *first;
  uint64_t n, n_arcs, depths_room, arcs_room, firsts_room;
  uint64_t *part;
};

static void *grown(struct product *p, void *at, uint64_t *room, uint64_t n, size_t item) {
  return n < *room ? at : array_grow(p->budget, BUDGET_OTHER, at, room, item);
}

/* The number of row i, which is put. */
static uint32_t number_of(struct product *p, uint32_t i, uint32_t depth) {
  struct rows *rows = &p->rows;
  rows->raw[i] = hash_raw(p->hash, rows_at(rows, i), rows->batch.edge[i].length);
  rows->hash[i] = hash_finish(rows->raw[i]);
  if (p->kind->put(p->work, rows, i, i + 1) == i)
    return TS_NONE;
  if (rows->answer[i] == STORE_NEW) {
    p->depth = grown(p, p->depth, &p->depths_room, p->n, sizeof *p->depth);
    if (p->depth == NULL)
      return TS_NONE;
    p->depth[p->n++] = depth;
  }
  return (uint32_t)rows->ref[i];
}

static bool list_initial(struct product *p) {
  bool fine = true;
  for (uint32_t i = 0; i < p->ts->shape->n_initial && fine; i++) {
    memset(rows_at(&p->rows, 0), 0, p->rows.batch.stride);
    p->rows.batch.edge[0].length = ts_code(p->ts)->initial(p->ts, i, rows_at(&p->rows, 0));
    fine = number_of(p, 0, 0) != TS_NONE;
  }
  return fine;
}

static bool list_state(struct product *p, uint32_t s) {
  struct ts_event cursor = {0, 0};
  const struct ts_code *code = ts_code(p->ts);
  const uint32_t length = p->kind->get(p->work, s, p->row);
  p->first = grown(p, p->first, &p->firsts_room, s + UINT64_C(1), sizeof *p->first);
  if (p->first == NULL)
    return false;
  p->first[s] = p->n_arcs;
  for (int32_t left = 1; left == 1;) {
    p->rows.batch.n = 0;
    left = code->successors(p->ts, p->row, length, &cursor, NULL, &p->rows.batch);
    for (uint32_t i = 0; i < p->rows.batch.n; i++) {
      if (p->rows.batch.edge[i].kind == TS_MODEL_ERROR)
        continue;
      const uint32_t to = number_of(p, i, p->depth[s] + 1);
      p->arc = grown(p, p->arc, &p->arcs_room, p->n_arcs, sizeof *p->arc);
      if (to == TS_NONE || p->arc == NULL)
        return false;
      const uint64_t marks = code->marks(p->ts, p->row, length, p->rows.batch.edge[i].event);
      p->arc[p->n_arcs++] = to | ((marks & 1) != 0 ? MARKED : 0);
    }
  }
  p->first[s + 1] = p->n_arcs;
  return true;
}

/* ---- components, and cycles ------------------------------------------------------------- */

static uint64_t first_of(const void *context, uint64_t state) {
  const struct product *p = context;
  return p->first[state];
}

static uint64_t to_of(const void *context, uint64_t arc) {
  const struct product *p = context;
  return p->arc[arc] & ~MARKED;
}

/* A lower bound, and which components have a cycle that is accepted. */
static bool bound(const struct product *p, uint8_t *accepts, struct least *least) {
  least->length = UINT32_MAX;
  for (uint64_t s = 0; s < p->n; s++)
    for (uint64_t a = p->first[s]; a < p->first[s + 1]; a++) {
      if ((p->arc[a] & MARKED) == 0 || p->part[p->arc[a] & ~MARKED] != p->part[s])
        continue;
      accepts[p->part[s]] = 1;
      if (p->depth[s] + 1 < least->length)
        least->length = p->depth[s] + 1;
    }
  return least->length != UINT32_MAX;
}

struct walk {
  uint32_t *stamp, *queue; /* by state and layer */
  uint64_t looks;
};

/* The events of a shortest accepted cycle through s, if there are at most `most`; else 0. */
static uint32_t cycle_through(const struct product *p, struct walk *w, uint32_t s,
                              uint32_t most) {
  uint64_t n = 0, end = 1;
  uint32_t level = 0;
  w->queue[n++] = 2 * s;
  w->stamp[2 * s] = s + 1;
  for (uint64_t k = 0; k < n && w->looks > 0; k++) {
    if (k == end) {
      level++;
      end = n;
    }
    if (level >= most)
      return 0;
    const uint32_t at = w->queue[k] / 2, layer = w->queue[k] & 1;
    for (uint64_t a = p->first[at]; a < p->first[at + 1]; a++) {
      const uint32_t to = p->arc[a] & ~MARKED;
      const uint32_t next = 2 * to + (layer | (p->arc[a] & MARKED) >> 31);
      w->looks -= w->looks > 0;
      if (next == 2 * s + 1)
        return level + 1;
      if (p->part[to] != p->part[s] || w->stamp[next] == s + 1)
        continue;
      w->stamp[next] = s + 1;
      w->queue[n++] = next;
    }
  }
  return 0;
}

static void try_all(const struct product *p, const uint8_t *accepts, struct least *least) {
  struct walk w = {.stamp = calloc(2 * p->n, sizeof *w.stamp),
                   .queue = malloc((2 * p->n + 1) * sizeof *w.queue),
                   .looks = LOOKS};
  uint32_t best = UINT32_MAX;
  for (uint32_t s = 0; w.stamp != NULL && w.queue != NULL && s < p->n; s++) {
    if (!accepts[p->part[s]] || p->depth[s] + 1 >= best)
      continue;
    const uint32_t cycle = cycle_through(p, &w, s, best - p->depth[s] - 1);
    if (w.looks == 0)
      break;
    if (cycle == 0)
      continue;
    best = p->depth[s] + cycle;
    least->cycle = cycle;
  }
  least->exact = w.looks > 0 && best != UINT32_MAX;
  if (least->exact)
    least->length = best;
  free(w.stamp);
  free(w.queue);
}

static bool list_all(struct product *p) {
  bool fine = list_initial(p);
  for (uint32_t s = 0; fine && s < p->n; s++)
    fine = list_state(p, s);
  return fine;
}

static bool cut_and_try(struct product *p, struct least *least) {
  struct cut cut = {
      .budget = p->budget, .n = p->n, .parts = 1, .context = p, .first = first_of, .to = to_of};
  cut.part = p->part = malloc(p->n * sizeof *p->part);
  for (uint64_t i = 0; p->part != NULL && i < p->n; i++)
    p->part[i] = 1;
  const bool fine = p->part != NULL && cut_part(&cut, 1);
  uint8_t *accepts = calloc(cut.parts + 1, 1);
  const bool found = fine && accepts != NULL && bound(p, accepts, least);
  if (found)
    try_all(p, accepts, least);
  free(accepts);
  free(p->part);
  return found;
}

bool least_lasso(const struct ts *ts, struct budget *budget, struct least *least) {
  const struct store_config config = {.shape = ts->shape, .budget = budget};
  struct product p = {.ts = ts, .budget = budget, .kind = store_kinds[0]};
  *least = (struct least){0};
  p.hash = hash_open(ts->shape, 0, budget);
  p.store = p.kind->open(&config);
  p.work = p.store == NULL ? NULL : p.kind->begin(p.store);
  p.row = malloc(ts_stride(ts->shape));
  const bool fine = p.hash != NULL && p.work != NULL && p.row != NULL &&
                    rows_open(&p.rows, ts->shape, budget, rows_events(ts->shape)) &&
                    list_all(&p);
  const bool found = fine && cut_and_try(&p, least);
  least->states = p.n;
  least->arcs = p.n_arcs;
  rows_close(&p.rows, budget);
  if (p.work != NULL)
    p.kind->end(p.work);
  p.kind->close(p.store);
  if (p.hash != NULL)
    hash_close(p.hash);
  array_free(budget, BUDGET_OTHER, p.depth, p.depths_room * sizeof *p.depth);
  array_free(budget, BUDGET_OTHER, p.arc, p.arcs_room * sizeof *p.arc);
  array_free(budget, BUDGET_OTHER, p.first, p.firsts_room * sizeof *p.first);
  free(p.row);
  return found;
}
