/* owcty.c - cycles for breadth-first orders: one way catch them young.
 *
 * Černá and Pelánek, "Distributed explicit fair cycle detection (set based approach)" (SPIN
 * 2003), with events that are accepting in place of states. All states are visited
 * breadth-first, and the arcs between them are kept, four bytes each. Then of the set of all
 * states are kept, again and again until nothing changes,
 *
 *   those that are reached, inside of the set, from the target of an accepting arc inside of
 * it; of these, those that have a predecessor in the set, as long as there are others.
 *
 * Every state of what is left is reached from an accepting arc inside, whose source is so as
 * well, and so on: there is a cycle with an accepting arc. If nothing is left there is none.
 * The states that are left are cut into components then, and the cycle begins in the first
 * state of one that has an accepting arc; as the order is breadth-first, no way there is
 * shorter.
 *
 * The same is done on the way, each time that twice as many states have their arcs: a cycle
 * among them is one, however many states are to come. Where there is one, at most about twice
 * as many states are visited as are needed for it, and where there is none the arcs are gone
 * through once more in sum.
 */
#include "search/engine.h"

#include "base/cut.h"
#include "search/region.h"
#include "store/room/save.h"

#include "base/array.h"
#include "base/bits.h"

#include <assert.h>
#include <string.h>

#define MARKED UINT32_C(0x80000000)
#define MOST   (UINT64_C(1) << 31) /* states */

/* States, when it is looked for cycles for the first time. */
#define FIRST_LOOK 4u

/* In the note of an edge, beside that of a choice (choose.c). */
#define NOTE_MARKED 0x8000u

struct owcty {
  struct worker *worker;
  uint32_t *arc; /* targets, and MARKED; by source */
  uint64_t n_arcs, arcs_room;
  uint64_t *first, n, firsts_room; /* of a state: its arcs; n: states whose arcs began */
  uint64_t states, known;          /* stored; of the first ones all arcs are there */
  uint64_t next;            /* states that are visited when cycles are looked for again */
  uint64_t *inside, *seen;  /* bits: the set, and the one that is made */
  uint32_t *queue, *before; /* before: predecessors in the set */
  uint64_t *part; /* of a state: its component; later its number in the region, plus 1 */
  uint64_t *member, id;
  struct region region;
};

/* ---- arcs, as they are found --------------------------------------------------------------
 */

static bool fired(void *context, const struct open *open, uint32_t from, bool more) {
  struct owcty *d = context;
  const struct ts *ts = d->worker->search->ts;
  struct ts_batch *batch = &open->into->batch;
  for (uint32_t i = from; i < batch->n && open->number != STORE_NONE; i++)
    if (ts_code(ts)->marks(ts, open->row, open->length, batch->edge[i].event) & 1)
      batch->edge[i].note |= NOTE_MARKED;
  if (!more && open->number != STORE_NONE && !open_is_noted(open)) {
    const uint64_t visited = d->worker->figures.visited + 1;
    while (d->next < visited) /* the search was resumed */
      d->next *= 2;
    d->worker->attention |= visited == d->next;
  }
  return true;
}

/* The arcs of the states before a number are all there. */
static bool begin(struct owcty *d, uint64_t number) {
  struct budget *budget = d->worker->search->budget;
  for (; d->n <= number; d->n++) {
    if (d->n == d->firsts_room) {
      uint64_t *more =
          array_grow(budget, BUDGET_OTHER, d->first, &d->firsts_room, sizeof *more);
      if (more == NULL)
        return false;
      d->first = more;
    }
    d->first[d->n] = d->n_arcs;
  }
  return true;
}

static bool add_arc(struct owcty *d, const struct rows *rows, uint32_t i) {
  struct budget *budget = d->worker->search->budget;
  if (d->n_arcs == d->arcs_room) {
    uint32_t *more = array_grow(budget, BUDGET_OTHER, d->arc, &d->arcs_room, sizeof *more);
    if (more == NULL)
      return false;
    d->arc = more;
  }
  d->arc[d->n_arcs++] =
      (uint32_t)rows->ref[i] | (rows->batch.edge[i].note & NOTE_MARKED ? MARKED : 0);
  return true;
}

static uint32_t answered(void *context, struct rows *rows, uint32_t from, uint32_t to,
                         bool put) {
  struct owcty *d = context;
  for (uint32_t i = from; i < to && put; i++)
    if (rows->ref[i] >= MOST ||
        (rows->pred[i] != STORE_NONE && (!begin(d, rows->pred[i]) || !add_arc(d, rows, i))))
      return i;
  return to;
}

/* ---- the set ------------------------------------------------------------------------------
 */

static size_t set_bytes(const struct owcty *d) {
  return (d->states / 64 + 1) * sizeof(uint64_t);
}

/* What is reached inside from the targets of accepting arcs becomes the set, in the queue, and
 * the arcs between its states are counted; how many states. */
static uint64_t reach(struct owcty *d) {
  uint64_t n = 0;
  memset(d->seen, 0, set_bytes(d));
  memset(d->before, 0, d->states * sizeof *d->before);
  for (uint64_t i = 0; i < d->known; i++)
    for (uint64_t a = d->first[i]; bits_test(d->inside, i) && a < d->first[i + 1]; a++) {
      const uint32_t to = d->arc[a] & ~MARKED;
      if ((d->arc[a] & MARKED) != 0 && bits_test(d->inside, to) && !bits_test(d->seen, to)) {
        bits_set(d->seen, to);
        d->queue[n++] = to;
      }
    }
  for (uint64_t k = 0; k < n; k++)
    for (uint64_t a = d->first[d->queue[k]]; a < d->first[d->queue[k] + 1]; a++) {
      const uint32_t to = d->arc[a] & ~MARKED;
      if (!bits_test(d->inside, to))
        continue;
      d->before[to]++;
      if (!bits_test(d->seen, to)) {
        bits_set(d->seen, to);
        d->queue[n++] = to;
      }
    }
  memcpy(d->inside, d->seen, set_bytes(d));
  return n;
}

/* States without predecessors inside go; how many are left of the n in the queue. Its front
 * becomes the list of those that went. */
static uint64_t trim(struct owcty *d, uint64_t n) {
  uint64_t gone = 0;
  for (uint64_t k = 0; k < n; k++)
    if (d->before[d->queue[k]] == 0) {
      bits_clear(d->inside, d->queue[k]);
      d->queue[gone++] = d->queue[k];
    }
  for (uint64_t k = 0; k < gone; k++)
    for (uint64_t a = d->first[d->queue[k]]; a < d->first[d->queue[k] + 1]; a++) {
      const uint32_t to = d->arc[a] & ~MARKED;
      if (bits_test(d->inside, to) && --d->before[to] == 0) {
        bits_clear(d->inside, to);
        d->queue[gone++] = to;
      }
    }
  return n - gone;
}

/* All but the set. */
static void free_work(struct owcty *d) {
  struct budget *budget = d->worker->search->budget;
  budget_free(budget, BUDGET_OTHER, d->seen, set_bytes(d));
  budget_free(budget, BUDGET_OTHER, d->queue, (d->states + 1) * sizeof *d->queue);
  budget_free(budget, BUDGET_OTHER, d->before, (d->states + 1) * sizeof *d->before);
  d->seen = NULL;
  d->queue = d->before = NULL;
}

static void free_sets(struct owcty *d) {
  budget_free(d->worker->search->budget, BUDGET_OTHER, d->inside, set_bytes(d));
  d->inside = NULL;
  free_work(d);
}

/* The set is all states whose arcs are known. False if memory ran out. */
static bool make_sets(struct owcty *d) {
  struct budget *budget = d->worker->search->budget;
  d->inside = budget_alloc(budget, BUDGET_OTHER, set_bytes(d));
  d->seen = budget_alloc(budget, BUDGET_OTHER, set_bytes(d));
  d->queue = budget_alloc(budget, BUDGET_OTHER, (d->states + 1) * sizeof *d->queue);
  d->before = budget_alloc(budget, BUDGET_OTHER, (d->states + 1) * sizeof *d->before);
  if (d->inside == NULL || d->seen == NULL || d->queue == NULL || d->before == NULL)
    return false;
  memset(d->inside, 0, set_bytes(d));
  for (uint64_t i = 0; i < d->known; i++)
    bits_set(d->inside, i);
  return true;
}

/* Leaves of the set what lies on accepting cycles, or between them; how many states. */
static uint64_t narrow(struct owcty *d) {
  uint64_t before = UINT64_MAX, left = d->known;
  while (left > 0 && left < before && !d->worker->search->stop) {
    before = left;
    left = trim(d, reach(d));
    worker_check_limits(d->worker);
  }
  return left;
}

/* ---- a cycle ------------------------------------------------------------------------------
 */

static uint64_t first_of(const void *context, uint64_t state) {
  const struct owcty *d = context;
  return d->first[state];
}

static uint64_t to_of(const void *context, uint64_t arc) {
  const struct owcty *d = context;
  return d->arc[arc] & ~MARKED;
}

/* The first state of a component with an accepting arc inside. */
static bool find_component(struct owcty *d, uint64_t *start) {
  struct cut cut = {.budget = d->worker->search->budget,
                    .n = d->known,
                    .part = d->part,
                    .parts = 1,
                    .context = d,
                    .first = first_of,
                    .to = to_of};
  for (uint64_t i = 0; i < d->states; i++)
    d->part[i] = bits_test(d->inside, i);
  if (!cut_part(&cut, 1))
    return false;
  d->id = 0;
  for (uint64_t i = 0; i < d->known && d->id == 0; i++)
    for (uint64_t a = d->first[i]; d->part[i] != 0 && a < d->first[i + 1]; a++)
      if ((d->arc[a] & MARKED) != 0 && d->part[to_of(d, a)] == d->part[i])
        d->id = d->part[i];
  for (*start = 0; *start < d->states && d->part[*start] != d->id;)
    ++*start;
  return d->id != 0;
}

static uint64_t region_name(void *context, uint64_t i) {
  const struct owcty *d = context;
  return d->member[i];
}

static uint64_t region_index(void *context, uint64_t ref) {
  const struct owcty *d = context;
  return ref < d->states && d->part[ref] != 0 ? d->part[ref] - 1 : REGION_NONE;
}

/* The members of the component, in the order in which they were found. */
static void make_region(struct owcty *d) {
  d->region.n = 0;
  d->region.stopped = false;
  for (uint64_t i = 0; i < d->states; i++) {
    const bool is_member = d->part[i] == d->id;
    d->part[i] = 0;
    if (is_member) {
      d->member[d->region.n++] = i;
      d->part[i] = d->region.n;
    }
  }
}

static bool note_cycle(struct owcty *d, uint64_t start) {
  struct search *s = d->worker->search;
  struct region_way way = {0};
  if (s->way.of != WAY_PARENTS)
    return worker_note_cycle(d->worker, NULL, 0, 0);
  bool fine = region_cycle(&d->region, 0, 1, &way);
  const uint64_t stem = s->way.path(s, start, NULL);
  const size_t bytes = (stem + way.n) * sizeof(struct ts_event);
  struct ts_event *event = fine ? budget_alloc(s->budget, BUDGET_OTHER, bytes) : NULL;
  fine = event != NULL && s->way.path(s, start, event) != WAY_BROKEN;
  if (fine) {
    memcpy(event + stem, way.at, way.n * sizeof *event);
    fine = worker_note_cycle(d->worker, event, stem + way.n, way.n);
  }
  if (event != NULL)
    budget_free(s->budget, BUDGET_OTHER, event, bytes);
  region_way_free(&d->region, &way);
  return fine;
}

static bool find_cycle(struct owcty *d) {
  struct budget *budget = d->worker->search->budget;
  const size_t bytes = (d->states + 1) * sizeof *d->part;
  uint64_t start;
  d->part = budget_alloc(budget, BUDGET_OTHER, bytes);
  d->member = budget_alloc(budget, BUDGET_OTHER, bytes);
  bool fine = d->part != NULL && d->member != NULL && find_component(d, &start);
  if (fine) {
    make_region(d);
    fine = note_cycle(d, start);
  }
  budget_free(budget, BUDGET_OTHER, d->part, bytes);
  budget_free(budget, BUDGET_OTHER, d->member, bytes);
  return fine;
}

/* ---- the engine ---------------------------------------------------------------------------
 */

static void run_owcty(struct worker *w) {
  struct owcty *d = w->engine_own;
  engine_explore_run(w);
  if (w->search->stop || search_is_decided(w->search))
    return;
  d->states = d->known = w->figures.stored;
  while (!begin(d, d->states) || !make_sets(d)) {
    free_sets(d);
    if (search_move(w->search, NULL, 0, 0))
      continue;
    search_limit(w->search, SEARCH_MEMORY);
    return;
  }
  const uint64_t left = narrow(d);
  free_work(d);
  while (left > 0 && !w->search->stop && !find_cycle(d))
    if (!w->search->stop && !search_move(w->search, NULL, 0, 0))
      search_limit(w->search, SEARCH_MEMORY);
}

/* What there is no memory for is left to the end. */
static void attend_owcty(struct worker *w) {
  struct owcty *d = w->engine_own;
  struct search *s = w->search;
  if (w->figures.visited != d->next)
    return;
  d->next *= 2;
  engine_explore_flush(w);
  if (s->stop || search_is_decided(s) || s->options->keep_going)
    return;
  d->states = w->figures.stored;
  d->known = w->figures.visited;
  if (begin(d, d->known) && make_sets(d) && narrow(d) > 0 && !s->stop) {
    free_work(d);
    (void)find_cycle(d);
  }
  free_sets(d);
}

static void close_owcty(struct worker *w) {
  struct owcty *d = w->engine_own;
  struct budget *budget = w->search->budget;
  if (d == NULL)
    return;
  watches_remove(&w->watches, d);
  array_free(budget, BUDGET_OTHER, d->arc, d->arcs_room * sizeof *d->arc);
  array_free(budget, BUDGET_OTHER, d->first, d->firsts_room * sizeof *d->first);
  free_sets(d);
  region_close(&d->region);
  budget_free(budget, BUDGET_OTHER, d, sizeof *d);
  w->engine_own = NULL;
}

static bool open_owcty(struct worker *w) {
  struct owcty *d = budget_alloc(w->search->budget, BUDGET_OTHER, sizeof *d);
  w->engine_own = d;
  if (d == NULL)
    return false;
  *d = (struct owcty){.worker = w,
                      .next = FIRST_LOOK,
                      .region = {.context = d, .name = region_name, .index = region_index}};
  watches_add(&w->watches, (struct watch){.hears = WATCH_FIRED | WATCH_ANSWERED,
                                          .context = d,
                                          .fired = fired,
                                          .answered = answered});
  return region_open(&d->region, w);
}

static bool pass_owcty(struct worker *w, struct sink *sink) {
  struct owcty *d = w->engine_own;
  void *arc = d->arc, *first = d->first;
  struct budget *budget = w->search->budget;
  const bool fine =
      array_pass(sink, budget, BUDGET_OTHER, &arc, &d->arcs_room, &d->n_arcs, sizeof *d->arc) &&
      array_pass(sink, budget, BUDGET_OTHER, &first, &d->firsts_room, &d->n, sizeof *d->first);
  d->arc = arc;
  d->first = first;
  return fine;
}

/* Numbers are those of the order in which states are stored, in both stores. */
static bool moved_owcty(struct worker *w, const struct engine_moved *state) {
  (void)w;
  assert(state->ref == state->old_ref);
  return state->ref == state->old_ref;
}

const struct engine engine_owcty = {
    .name = "owcty",
    .summary = "breadth-first, then by leaving out what is in no cycle",
    .needs = ENGINE_ORDER | ENGINE_CYCLES | ENGINE_GETS | ENGINE_NUMBERS | ENGINE_ONE_MARK |
             ENGINE_AFTER,
    .open = open_owcty,
    .close = close_owcty,
    .run = run_owcty,
    .attend = attend_owcty,
    .pass = pass_owcty,
    .moved = moved_owcty};
