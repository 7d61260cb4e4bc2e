/* scc.c - cycles by strongly connected components, on the way of one depth-first search.
 *
 * Couvreur, "On-the-fly verification of linear temporal logic" (FM 1999), as in Renault,
 * Duret-Lutz, Kordon and Poitrenaud, "Three SCC-based emptiness checks for generalized Büchi
 * automata" (LPAR 2013), section 3.1. The search is that of explore.c, depth-first, and this
 * engine is its listener. Live are the states whose component is not known to be complete; they
 * are kept in the order in which they were entered, and that is their number, in the bits of
 * the store. The roots are the live states that are first of a component as far as is known,
 * each with the marks inside of it. An event to a live state makes one component of all that
 * were entered since; if it has all marks, there is a cycle that has. When a root is left its
 * component is complete, and its states are dead.
 *
 * Any number of marks is as good as one, no state is visited twice, and a cycle is found as
 * soon as all its events were fired. With fairness components are judged when they are complete
 * (fair.c).
 */
#include "search/engine.h"

#include "search/fair.h"
#include "search/region.h"
#include "store/room/save.h"

#include "base/array.h"
#include "base/bits.h"

#include <string.h>

#define DEAD UINT64_C(0xFFFFFFFF)

struct root {
  uint64_t number; /* of the state */
  uint64_t marks;  /* inside of the component */
  uint64_t enter;  /* of the event by which it was entered */
  bool has_event;  /* inside */
};

struct names {
  uint64_t *at, n, room;
};

struct scc {
  struct worker *worker;
  const struct ts *ts;
  struct frontier_listener listener;
  uint64_t all;      /* marks */
  struct names live; /* the store's names of states */
  struct names path; /* their numbers */
  struct root *root;
  uint64_t n_roots, roots_room;
  struct fair *fair; /* NULL: any run counts */
  struct region region;
  uint64_t base; /* of the region: the number of its first state */
};

static bool grow(struct scc *d) {
  struct budget *budget = d->worker->search->budget;
  struct names *list[] = {&d->path, &d->live};
  for (uint32_t i = 0; i < 2; i++)
    if (list[i]->n == list[i]->room) {
      uint64_t *more =
          array_grow(budget, BUDGET_OPEN, list[i]->at, &list[i]->room, sizeof *more);
      if (more == NULL)
        return false;
      list[i]->at = more;
    }
  if (d->n_roots == d->roots_room) {
    struct root *more = array_grow(budget, BUDGET_OPEN, d->root, &d->roots_room, sizeof *more);
    if (more == NULL)
      return false;
    d->root = more;
  }
  return d->live.n + 1 < DEAD;
}

static uint64_t marks_of(const struct scc *d, const struct open *top, struct ts_event event) {
  return top->row == NULL ? 0 : ts_code(d->ts)->marks(d->ts, top->row, top->length, event);
}

static uint64_t number_of(const struct scc *d, uint64_t ref) {
  return d->worker->search->store_kind->bits(d->worker->store, ref);
}

/* ---- a cycle ------------------------------------------------------------------------------
 */

static uint64_t region_name(void *context, uint64_t i) {
  const struct scc *d = context;
  return d->live.at[d->base - 1 + i];
}

static uint64_t region_index(void *context, uint64_t ref) {
  const struct scc *d = context;
  const uint64_t number = number_of(d, ref);
  return number == DEAD || number < d->base ? REGION_NONE : number - d->base;
}

/* The states from a number on; they are all in one component. */
static void set_region(struct scc *d, uint64_t base) {
  d->base = base;
  d->region.n = d->live.n + 1 - base;
  d->region.stopped = false;
}

/* The path to its first state, a way from there to the state `start`, and a cycle from there
 * through all goals, in the part of the region that `part` says. */
static bool find_lasso(struct scc *d, uint64_t start, uint64_t goals, struct region_way *way,
                       uint64_t *stem) {
  struct region *r = &d->region;
  const uint8_t *part = r->outside;
  r->outside = NULL;
  bool fine = region_walk(r, 0, start, way);
  *stem = way->n;
  r->outside = part;
  return fine && region_cycle(r, start, goals, way);
}

static bool note_cycle(struct scc *d, uint64_t start, uint64_t goals) {
  struct worker *w = d->worker;
  struct budget *budget = w->search->budget;
  struct region_way way = {0};
  uint64_t before = 0, stem = 0;
  if (search_is_decided(w->search))
    return true;
  if (!worker_wants_cycle(w))
    return worker_note_cycle(w, NULL, 0, 0);
  bool fine = find_lasso(d, start, goals, &way, &before);
  const uint64_t path = w->order->path(w->frontier, NULL);
  const size_t bytes = (path + way.n) * sizeof(struct ts_event);
  struct ts_event *event = fine ? budget_alloc(budget, BUDGET_OTHER, bytes) : NULL;
  fine = event != NULL;
  if (fine) {
    w->order->path(w->frontier, event);
    while (d->path.at[stem++] != d->base) {
    }
    memcpy(event + stem, way.at, way.n * sizeof *event);
    fine = worker_note_cycle(w, event, stem + way.n, way.n - before);
    budget_free(budget, BUDGET_OTHER, event, bytes);
  }
  region_way_free(&d->region, &way);
  return fine || w->search->stop;
}

/* ---- the path -----------------------------------------------------------------------------
 */

static bool entered(void *context, const struct open *top, const struct rows *rows, uint32_t i,
                    bool *keep) {
  struct scc *d = context;
  const struct store_kind *kind = d->worker->search->store_kind;
  (void)keep;
  while (!grow(d))
    if (d->live.n + 1 >= DEAD || !worker_relieve(d->worker))
      return false;
  d->live.at[d->live.n++] = rows->ref[i];
  d->path.at[d->path.n++] = d->live.n;
  d->root[d->n_roots++] =
      (struct root){.number = d->live.n, .enter = marks_of(d, top, rows->batch.edge[i].event)};
  kind->set_bits(d->worker->store, rows->ref[i], d->live.n);
  return true;
}

/* An event of the state on top to row i, which was stored before. */
static bool join(struct scc *d, const struct open *top, const struct rows *rows, uint32_t i) {
  const uint64_t number = number_of(d, rows->ref[i]);
  if (number == DEAD)
    return true;
  uint64_t marks = marks_of(d, top, rows->batch.edge[i].event);
  struct root *root = &d->root[d->n_roots - 1];
  for (; root->number > number; root--, d->n_roots--)
    marks |= root->marks | root->enter;
  const bool had = root->has_event && (root->marks & d->all) == d->all;
  root->marks |= marks;
  root->has_event = true;
  if (had || (root->marks & d->all) != d->all || d->fair != NULL)
    return true;
  set_region(d, root->number);
  return note_cycle(d, 0, d->all);
}

static bool found(void *context, const struct open *top, const struct open_range *range) {
  bool fine = true;
  for (uint32_t i = range->from; i < range->to && fine && top->row != NULL; i++)
    if (i != range->first && range->rows->answer[i] == STORE_OLD)
      fine = join(context, top, range->rows, i);
  return fine;
}

/* The states of the component of a root that is left are dead. */
static bool left(void *context, const struct open *top) {
  struct scc *d = context;
  const struct store_kind *kind = d->worker->search->store_kind;
  const struct root root = d->root[d->n_roots - 1];
  bool fine = true;
  (void)top;
  if (d->path.at[d->path.n - 1] == root.number) {
    if (d->fair != NULL && root.has_event && (root.marks & d->all) == d->all) {
      struct fair_cycle cycle;
      set_region(d, root.number);
      if (fair_judge(d->fair, &d->region, &cycle))
        fine = note_cycle(d, cycle.start, cycle.goals);
      fine = fine && !d->region.stopped;
      fair_forget(d->fair, &d->region);
    }
    d->n_roots--;
    while (d->live.n >= root.number)
      kind->set_bits(d->worker->store, d->live.at[--d->live.n], DEAD);
  }
  d->path.n--;
  return fine || d->worker->search->stop;
}

/* ---- the engine ---------------------------------------------------------------------------
 */

static void close_scc(struct worker *w) {
  struct scc *d = w->engine_own;
  struct budget *budget = w->search->budget;
  if (d == NULL)
    return;
  array_free(budget, BUDGET_OPEN, d->path.at, d->path.room * sizeof *d->path.at);
  array_free(budget, BUDGET_OPEN, d->live.at, d->live.room * sizeof *d->live.at);
  array_free(budget, BUDGET_OPEN, d->root, d->roots_room * sizeof *d->root);
  fair_close(d->fair);
  region_close(&d->region);
  budget_free(budget, BUDGET_OTHER, d, sizeof *d);
  w->engine_own = NULL;
  w->listener = NULL;
}

static bool open_scc(struct worker *w) {
  struct search *s = w->search;
  struct scc *d = budget_alloc(s->budget, BUDGET_OTHER, sizeof *d);
  w->engine_own = d;
  if (d == NULL)
    return false;
  *d = (struct scc){.worker = w, .ts = s->ts, .all = bits_lowest(s->shape->n_marks)};
  d->listener = (struct frontier_listener){d, entered, found, left};
  d->region.context = d;
  d->region.name = region_name;
  d->region.index = region_index;
  w->listener = &d->listener;
  if (!region_open(&d->region, w))
    return false;
  if (s->options->fairness != SEARCH_UNFAIR)
    d->fair = fair_open(w, s->options->fairness);
  return s->options->fairness == SEARCH_UNFAIR || d->fair != NULL;
}

static bool pass_scc(struct worker *w, struct sink *sink) {
  struct scc *d = w->engine_own;
  struct budget *budget = w->search->budget;
  void *path = d->path.at, *live = d->live.at, *root = d->root;
  const bool fine = array_pass(sink, budget, BUDGET_OPEN, &path, &d->path.room, &d->path.n,
                               sizeof *d->path.at) &&
                    array_pass(sink, budget, BUDGET_OPEN, &live, &d->live.room, &d->live.n,
                               sizeof *d->live.at) &&
                    array_pass(sink, budget, BUDGET_OPEN, &root, &d->roots_room, &d->n_roots,
                               sizeof *d->root);
  d->path.at = path;
  d->live.at = live;
  d->root = root;
  return fine;
}

/* Numbers move with the states, in their bits; the names of those that are live change. */
static bool moved_scc(struct worker *w, const struct engine_moved *state) {
  struct scc *d = w->engine_own;
  if (state->bits != 0 && state->bits != DEAD)
    d->live.at[state->bits - 1] = state->ref;
  return true;
}

const struct engine engine_scc = {
    .name = "scc",
    .summary = "strongly connected components, in one depth-first search",
    .needs =
        ENGINE_ORDER | ENGINE_CYCLES | ENGINE_PATH | ENGINE_GETS | ENGINE_BITS | ENGINE_FAIR,
    .bits = 32,
    .open = open_scc,
    .close = close_scc,
    .run = engine_explore_run,
    .pass = pass_scc,
    .moved = moved_scc};
