/* around.c - firing states again, breadth-first, as far as memory allows. */
#include "search/error/around.h"

#include "search/fire.h"

#include "base/array.h"
#include "base/clock.h"

enum {
  LEAVES = 120,  /* bytes for each state that is known, for those who look at them */
  ARCS = 8000000 /* kept, at most */
};

bool around_open(struct around *a, struct worker *w) {
  struct search *s = w->search;
  const struct store_config config = {.shape = s->shape, .budget = s->budget};
  *a = (struct around){.worker = w, .kind = store_by_name("full")};
  a->store = a->kind->open(&config);
  a->work = a->store == NULL ? NULL : a->kind->begin(a->store);
  a->row = budget_alloc(s->budget, BUDGET_OTHER, ts_stride(s->shape));
  a->first = array_grow(s->budget, BUDGET_OTHER, NULL, &a->firsts_room, sizeof *a->first);
  return rows_open(&a->rows, s->shape, s->budget, rows_events(s->shape)) && a->work != NULL &&
         a->row != NULL && a->first != NULL;
}

void around_close(struct around *a) {
  struct search *s = a->worker->search;
  rows_close(&a->rows, s->budget);
  budget_free(s->budget, BUDGET_OTHER, a->row, ts_stride(s->shape));
  array_free(s->budget, BUDGET_OTHER, a->first, a->firsts_room * sizeof *a->first);
  array_free(s->budget, BUDGET_OTHER, a->arc, a->arcs_room * sizeof *a->arc);
  if (a->work != NULL)
    a->kind->end(a->work);
  if (a->store != NULL)
    a->kind->close(a->store);
}

/* ---- single states ---------------------------------------------------------------------- */

static void set_row(struct around *a, const uint8_t *state, uint32_t length) {
  rows_set(&a->rows, state, length, hash_raw(a->worker->search->hash, state, length));
}

uint32_t around_add(struct around *a, const uint8_t *state, uint32_t length) {
  set_row(a, state, length);
  if (a->n >= AROUND_MARKED / 2 || a->kind->put(a->work, &a->rows, 0, 1) == 0)
    return AROUND_NONE;
  a->n += a->rows.answer[0] == STORE_NEW;
  a->level_end = a->n;
  return (uint32_t)a->rows.ref[0];
}

uint32_t around_find(struct around *a, const uint8_t *state, uint32_t length) {
  set_row(a, state, length);
  a->kind->find(a->work, &a->rows, 0, 1);
  return a->rows.answer[0] == STORE_OLD ? (uint32_t)a->rows.ref[0] : AROUND_NONE;
}

/* ---- their events ----------------------------------------------------------------------- */

/* Successors of the state in the row. */
static bool add_rows(struct around *a, uint32_t length) {
  const struct search *s = a->worker->search;
  struct rows *rows = &a->rows;
  worker_hash_states(a->worker, rows, a->row, length);
  const uint32_t n = rows->batch.n, put = a->kind->put(a->work, rows, 0, n);
  for (uint32_t i = 0; i < put; i++) /* also where there is no room for their arcs */
    a->n += rows->answer[i] == STORE_NEW;
  for (uint32_t i = 0; i < put; i++) {
    const struct ts_event event = rows->batch.edge[i].event;
    if (a->n_arcs == a->arcs_room) {
      struct around_arc *more =
          array_grow(s->budget, BUDGET_OTHER, a->arc, &a->arcs_room, sizeof *more);
      if (more == NULL)
        return false;
      a->arc = more;
    }
    const bool marked = (ts_code(s->ts)->marks(s->ts, a->row, length, event) & 1) != 0;
    a->arc[a->n_arcs++] =
        (struct around_arc){(uint32_t)rows->ref[i] | (marked ? AROUND_MARKED : 0), event};
  }
  return put == n;
}

/* All events of the next state. */
static bool fire(struct around *a) {
  const struct search *s = a->worker->search;
  struct ts_batch *batch = &a->rows.batch;
  struct ts_event cursor = {0, 0};
  const uint32_t length = a->kind->get(a->work, a->fired, a->row);
  for (int32_t left = 1; left == 1;) {
    batch->n = 0;
    left = ts_code(s->ts)->successors(s->ts, a->row, length, &cursor, NULL, batch);
    if (left == 2 || !add_rows(a, length))
      return false;
  }
  return true;
}

/* Room for the arcs of one more state, and for those who look at all of them; and nobody wants
 * it to stop. */
static bool has_room(struct around *a) {
  struct budget *budget = a->worker->search->budget;
  const uint64_t limit = budget_limit(budget), used = budget_used_all(budget);
  if (a->n_arcs >= ARCS || a->n >= AROUND_MARKED / 2)
    return false;
  if (clock_stop_requested() || used > limit || limit - used < LEAVES * a->n)
    return false;
  if (a->fired + 1 < a->firsts_room)
    return true;
  uint64_t *more = array_grow(budget, BUDGET_OTHER, a->first, &a->firsts_room, sizeof *more);
  if (more != NULL)
    a->first = more;
  return more != NULL;
}

void around_explore(struct around *a, uint64_t fired, uint64_t known, uint32_t levels) {
  while (!a->stopped && a->fired < fired && a->n < known && !around_is_done(a, levels)) {
    const bool fine = has_room(a) && fire(a);
    if (!fine) {
      a->stopped = true;
      a->n_arcs = a->first[a->fired];
      break;
    }
    a->first[++a->fired] = a->n_arcs;
    if (a->fired == a->level_end) {
      a->level++;
      a->level_end = a->n;
    }
  }
}
