/* region.c - walks among stored states that are fired again. */
#include "search/region.h"

#include "search/fire.h"

#include "base/array.h"

bool region_open(struct region *r, struct worker *w) {
  struct search *s = w->search;
  r->worker = w;
  r->row = budget_alloc(s->budget, BUDGET_OTHER, ts_stride(s->shape));
  return rows_open(&r->rows, s->shape, s->budget, rows_events(s->shape)) && r->row != NULL;
}

void region_close(struct region *r) {
  if (r->worker == NULL)
    return;
  struct search *s = r->worker->search;
  rows_close(&r->rows, s->budget);
  budget_free(s->budget, BUDGET_OTHER, r->row, ts_stride(s->shape));
  r->row = NULL;
}

/* ---- the events of a state ----------------------------------------------------------------
 */

bool region_expand(struct region *r, uint64_t i, region_visit *visit, void *context) {
  struct worker *w = r->worker;
  struct search *s = w->search;
  const struct ts_code *code = ts_code(s->ts);
  const uint32_t length = s->store_kind->get(w->store, r->name(r->context, i), r->row);
  struct ts_event cursor = {0, 0};
  for (int32_t left = 1; left == 1;) {
    r->rows.batch.n = 0;
    left = code->successors(s->ts, r->row, length, &cursor, NULL, &r->rows.batch);
    if (left == 2)
      break;
    worker_find(w, &r->rows, r->row, length);
    w->clock.work += r->rows.batch.n + 1;
    for (uint32_t k = 0; k < r->rows.batch.n; k++) {
      uint64_t to = REGION_NONE;
      if (r->rows.answer[k] == STORE_OLD)
        to = r->index(r->context, r->rows.ref[k]);
      if (to != REGION_NONE && r->outside != NULL && r->outside[to])
        to = REGION_NONE;
      if (!visit(context, i, to, r->row, length, &r->rows.batch.edge[k]))
        return false;
    }
  }
  if (w->clock.work >= w->clock.next)
    worker_check_limits(w);
  r->stopped |= s->stop;
  return !r->stopped;
}

/* ---- ways ---------------------------------------------------------------------------------
 */

static bool region_add(struct region *r, struct region_way *way, struct ts_event event) {
  if (way->n == way->room) {
    struct ts_event *more =
        array_grow(r->worker->search->budget, BUDGET_OTHER, way->at, &way->room, sizeof *more);
    if (more == NULL) {
      r->stopped = true;
      return false;
    }
    way->at = more;
  }
  way->at[way->n++] = event;
  return true;
}

void region_way_free(struct region *r, struct region_way *way) {
  array_free(r->worker->search->budget, BUDGET_OTHER, way->at, way->room * sizeof *way->at);
  *way = (struct region_way){0};
}

/* How a state was reached first. */
struct step {
  uint64_t from; /* REGION_NONE: it was not */
  struct ts_event event;
};

/* A breadth-first search from one state to another, or for an event with some of the goals. */
struct walk {
  struct region *region;
  struct step *step;
  uint64_t *queue, n;
  uint64_t to;     /* or REGION_NONE, and */
  uint64_t wanted; /* goals */
  uint64_t last,
      at; /* found: the event `event` leads from the state `last` to the state `at` */
  struct ts_event event;
  bool found;
};

static uint64_t goals_of(struct region *r, uint64_t from, const uint8_t *row, uint32_t length,
                         const struct ts_edge *edge) {
  const struct ts *ts = r->worker->search->ts;
  return r->goals != NULL ? r->goals(r->goal_context, from, row, length, edge)
                          : ts_code(ts)->marks(ts, row, length, edge->event);
}

static bool reach(void *context, uint64_t from, uint64_t to, const uint8_t *row,
                  uint32_t length, const struct ts_edge *edge) {
  struct walk *w = context;
  if (to == REGION_NONE)
    return true;
  if (to == w->to ||
      (w->wanted != 0 && (goals_of(w->region, from, row, length, edge) & w->wanted) != 0)) {
    w->found = true;
    w->last = from;
    w->at = to;
    w->event = edge->event;
    return false;
  }
  if (w->step[to].from == REGION_NONE) {
    w->step[to] = (struct step){from, edge->event};
    w->queue[w->n++] = to;
  }
  return true;
}

/* Collects the goals of the events of a way from a state on, and is told where it leads. */
static bool write_way(struct walk *w, uint64_t from, struct region_way *way) {
  struct region *r = w->region;
  const uint64_t begin = way->n;
  if (!region_add(r, way, w->event))
    return false;
  for (uint64_t i = w->last; i != from; i = w->step[i].from)
    if (!region_add(r, way, w->step[i].event))
      return false;
  for (uint64_t a = begin, b = way->n; a + 1 < b; a++, b--) {
    const struct ts_event event = way->at[a];
    way->at[a] = way->at[b - 1];
    way->at[b - 1] = event;
  }
  return true;
}

/* One leg: to a state, or by an event with some of the goals. *at: where it leads. */
static bool leg(struct region *r, uint64_t from, uint64_t to, uint64_t wanted,
                struct region_way *way, uint64_t *at) {
  struct budget *budget = r->worker->search->budget;
  struct walk w = {.region = r, .to = to, .wanted = wanted};
  w.step = budget_alloc(budget, BUDGET_OTHER, r->n * sizeof *w.step);
  w.queue = budget_alloc(budget, BUDGET_OTHER, (r->n + 1) * sizeof *w.queue);
  bool fine = w.step != NULL && w.queue != NULL;
  for (uint64_t i = 0; fine && i < r->n; i++)
    w.step[i].from = REGION_NONE;
  if (fine)
    w.queue[w.n++] = from;
  if (fine)
    w.step[from].from = from;
  for (uint64_t i = 0; fine && i < w.n && !w.found && !r->stopped; i++)
    (void)region_expand(r, w.queue[i], reach, &w);
  fine = fine && w.found && write_way(&w, from, way);
  *at = w.at;
  budget_free(budget, BUDGET_OTHER, w.step, r->n * sizeof *w.step);
  budget_free(budget, BUDGET_OTHER, w.queue, (r->n + 1) * sizeof *w.queue);
  r->stopped |= !fine;
  return fine;
}

bool region_walk(struct region *r, uint64_t from, uint64_t to, struct region_way *way) {
  uint64_t at;
  return from == to || leg(r, from, to, 0, way, &at);
}

/* The goals of one event, which leads on from a state. */
struct following {
  struct region *region;
  struct ts_event event;
  uint64_t goals, to;
  bool found;
};

static bool follow(void *context, uint64_t from, uint64_t to, const uint8_t *row,
                   uint32_t length, const struct ts_edge *edge) {
  struct following *f = context;
  if (edge->event.action != f->event.action || edge->event.choice != f->event.choice)
    return true;
  f->goals |= goals_of(f->region, from, row, length, edge);
  f->to = to;
  f->found = true;
  return false;
}

/* What the events from number `begin` on come across, from a state on. */
static uint64_t goals_along(struct region *r, uint64_t at, const struct region_way *way,
                            uint64_t begin) {
  struct following f = {.region = r};
  for (uint64_t i = begin; i < way->n && !r->stopped; i++) {
    f.event = way->at[i];
    f.found = false;
    (void)region_expand(r, at, follow, &f);
    if (!f.found)
      break;
    at = f.to;
  }
  return f.goals;
}

bool region_cycle(struct region *r, uint64_t start, uint64_t goals, struct region_way *way) {
  uint64_t at = start, begin = way->n;
  const uint64_t first = begin;
  while (goals != 0) {
    const uint64_t from = at;
    if (!leg(r, from, REGION_NONE, goals, way, &at))
      return false;
    goals &= ~goals_along(r, from, way, begin);
    begin = way->n;
    if (r->stopped)
      return false;
  }
  if (at == start && way->n > first)
    return true;
  return leg(r, at, start, 0, way, &at);
}
