/* step.c - firing a state, and asking the store about rows.
 *
 * Every figure is counted when a row is answered, so that at any moment
 * stored + forgotten + matched = events with a successor + initial states answered.
 */
#include "search/step.h"

#include "search/tree/tree.h"

#include <assert.h>
#include <string.h>

/* Most loops here are over the few rows of one state, for which vector code costs more than it
 * saves. */
#ifndef __clang__
#pragma GCC optimize("no-tree-vectorize")
#endif

#include "search/fire.h"

/* Kept out of the functions that are called for every state. */
#define STEP_APART __attribute__((noinline, cold))

/* ---- firing ------------------------------------------------------------------------ */

/* The initial states from *cursor on. */
static STEP_APART bool fire_root(struct worker *w, struct open *open) {
  const struct search *s = w->search;
  struct ts_batch *batch = &open->into->batch;
  const struct ts_code *code = ts_code(s->ts);
  uint32_t which = open->cursor.choice;
  for (; which < s->shape->n_initial && batch->n < batch->capacity; which++) {
    uint8_t *row = rows_at(open->into, batch->n);
    memset(row, 0, batch->stride);
    uint32_t length = code->initial(s->ts, which, row);
    open->into->raw[batch->n] = hash_raw(s->hash, row, length);
    open->into->hash[batch->n] = hash_finish(open->into->raw[batch->n]);
    batch->edge[batch->n++] = (struct ts_edge){.event = {TS_NONE, which}, .length = length};
  }
  open->cursor.choice = which;
  return which < s->shape->n_initial;
}

static bool fire(struct worker *w, const struct open *open, struct ts_event *cursor) {
  const uint64_t *skip = worker_skip(w, open);
  const uint32_t from = open->into->batch.n;
  bool more = worker_fire(w, open, cursor, skip);
  if (skip != NULL)
    worker_note_beside(w, &open->into->batch, from);
  return more;
}

/* The same of a state that is taken up again. Where some of what was fired then found no place,
 * nobody knows any more what it was chosen from: nothing is left out, here and for what is
 * discovered by it. */
static bool fire_again(struct worker *w, struct open *open) {
  struct ts_batch *batch = &open->into->batch;
  uint32_t from = batch->n;
  bool again = open->noted.action != 0 || open->noted.choice != 0;
  if (!w->chooses || !again)
    return fire(w, open, &open->cursor);
  bool more = worker_fire(w, open, &open->cursor, NULL);
  for (uint32_t i = from; i < batch->n; i++)
    batch->edge[i].note = OPEN_OF_FEW;
  return more;
}

/* The same of a state of which nothing was fired: those that are enough, where that is tried,
 * with hashes then if there are no faults. */
static bool fire_first(struct worker *w, const struct open *open, struct ts_event *cursor) {
  if (w->chooses && worker_tries(w, open))
    return worker_fire_enough(w, open, cursor);
  w->how = CHOOSE_NOT;
  return fire(w, open, cursor);
}

void step_ahead(struct worker *w, struct open *open) {
  struct rows *rows = open->into;
  struct worker_ahead *ahead = &w->ahead;
  ahead->cursor = (struct ts_event){0, 0};
  if (w->asks_to_fire) { /* for now it does not know all that it will */
    w->how = CHOOSE_NOT;
    ahead->more = fire(w, open, &ahead->cursor);
  } else {
    ahead->more = fire_first(w, open, &ahead->cursor);
  }
  ahead->how = w->how;
  ahead->n = rows->batch.n;
  ahead->hashed = worker_faults(&rows->batch, 0) == TS_FINE;
  if (!ahead->hashed)
    return;
  if (ahead->how == CHOOSE_NOT)
    worker_hash(w, open, 0);
  w->search->store_kind->prefetch(w->store, rows->hash, ahead->n);
}

/* The successors of a state from its cursor on. */
static bool fire_state(struct worker *w, struct open *open) {
  struct rows *rows = open->into;
  uint32_t from = rows->batch.n;
  bool begins = open_begins(open), more;
  if (open->ahead) {
    rows->batch.n = w->ahead.n;
    open->cursor = w->ahead.cursor;
    more = w->ahead.more;
    w->how = w->ahead.how;
  } else if (begins) {
    more = fire_first(w, open, &open->cursor);
  } else {
    w->how = CHOOSE_NOT;
    more = fire_again(w, open);
  }
  if (w->chooses && begins)
    worker_count_choice(w, w->how, rows->batch.n - from);
  if (rows->batch.n == from) {
    if (begins && !more && !open_is_noted(open) && !worker_any_enabled(w, open))
      worker_note_deadlock(w, open);
    return more;
  }
  if (open->ahead && w->ahead.hashed)
    return more;
  bool faults = worker_faults(&rows->batch, from) != TS_FINE;
  if (faults)
    worker_note_faults(w, open, from);
  if (faults || w->how == CHOOSE_NOT) /* else they were hashed to choose among them */
    worker_hash(w, open, from);
  return more;
}

/* Whether a state is among rows [0, n), which the store has not been asked about yet. */
static bool is_waiting(const struct rows *rows, uint32_t n, uint32_t row) {
  const struct ts_edge *edge = rows->batch.edge;
  for (uint32_t i = 0; i < n; i++)
    if (edge[i].length == edge[row].length &&
        memcmp(rows_at(rows, i), rows_at(rows, row), edge[row].length) == 0)
      return true;
  return false;
}

/* Whether rows [from, n) hold a state that is new, or an event that is wrong. */
static bool leads_on(struct worker *w, const struct open *open, uint32_t from) {
  struct rows *rows = open->into;
  uint32_t n = rows->batch.n;
  if (worker_faults(&rows->batch, from) != TS_FINE)
    return true;
  worker_hash(w, open, from);
  uint64_t name = rows->has_parents ? tree_name(w->search, open) : STORE_NONE;
  for (uint32_t i = from; i < n; i++)
    rows->parent[i] = name;
  w->search->store_kind->find(w->store, rows, from, n);
  for (uint32_t i = from; i < n; i++)
    if (rows->answer[i] == STORE_NEW && !is_waiting(rows, from, i))
      return true;
  return false;
}

/* At the limit on depth: nothing is left out if all events lead to states that are known. Those
 * are events as all others; from the first batch on that leads on nothing is fired. */
static STEP_APART bool look_deeper(struct worker *w, struct open *open) {
  struct rows *rows = open->into;
  uint32_t from = rows->batch.n;
  bool begins = open_begins(open), more = fire(w, open, &open->cursor);
  if (rows->batch.n > from && leads_on(w, open, from)) {
    search_limit(w->search, SEARCH_MAX_DEPTH);
    rows->batch.n = from;
    return false;
  }
  if (begins && rows->batch.n == from && !more && !open_is_noted(open) &&
      !worker_any_enabled(w, open))
    worker_note_deadlock(w, open);
  return more;
}

/* Says of rows [from, n) where they were reached from. */
static inline void name_parent(struct rows *rows, uint32_t from, uint64_t number,
                               uint64_t name) {
  uint64_t *pred = rows->pred, *parent = rows->parent;
  uint32_t n = rows->batch.n;
  if (!rows->has_parents) {
    for (uint32_t i = from; i < n; i++)
      pred[i] = number;
    return;
  }
  for (uint32_t i = from; i < n; i++) {
    pred[i] = number;
    parent[i] = name;
  }
}

bool step_fire(struct worker *w, struct open *open) {
  struct search *s = w->search;
  struct rows *rows = open->into;
  uint32_t from = rows->batch.n;
  bool root = open->number == STORE_NONE, more = false;
  if (!root && s->options->limit.depth != 0 && open->depth >= s->options->limit.depth)
    more = look_deeper(w, open);
  else
    more = root ? fire_root(w, open) : fire_state(w, open);
  if (w->tells_fired && !root)
    worker_reduction_fired(w, open, from, !more);
  uint32_t n = rows->batch.n;
  name_parent(rows, from, open->number, rows->has_parents ? tree_name(s, open) : STORE_NONE);
  if ((w->watches.hear & WATCH_FIRED) && !watches_fired(&w->watches, open, from, more))
    search_limit(s, SEARCH_MEMORY);
  w->figures.visited += !root && !more && !open_is_noted(open);
  w->clock.work += n - from + 1;
  return more;
}

void step_check_deadlock(struct worker *w, struct open *open) {
  struct ts_batch *batch = &open->into->batch;
  bool begins = open_begins(open);
  batch->n = 0;
  bool more = fire(w, open, &open->cursor);
  if (begins && batch->n == 0 && !more && !worker_any_enabled(w, open))
    worker_note_deadlock(w, open);
  batch->n = 0;
}

/* ---- asking ------------------------------------------------------------------------ */

uint32_t step_guess(struct worker *w, struct open_range *range) {
  struct rows *rows = range->rows;
  uint32_t i = range->from;
  w->search->store_kind->guess(w->store, rows, range->from, range->to);
  range->guessed = true;
  while (i < range->to && rows->ref[i] != STORE_NONE)
    i++;
  return i;
}

/* Lets the watches hear of rows [from, to) of the range; returns the first row for which there
 * was no memory, even after a move. */
static uint32_t tell(struct worker *w, struct open_range *range, uint32_t from, uint32_t to) {
  struct watches *watches = &w->watches;
  bool put = range->ask == OPEN_PUT;
  unsigned hears = put ? WATCH_ANSWERED : WATCH_LOOKED;
  uint32_t least = to;
  for (uint32_t i = 0; i < watches->n; i++) {
    struct watch *watch = &watches->at[i];
    if (!(watch->hears & hears))
      continue;
    uint32_t at = watch->answered(watch->context, range->rows, from, to, put);
    while (at < to && put && search_move(w->search, range->rows, range->from, to))
      at = watch->answered(watch->context, range->rows, at, to, put);
    least = at < least ? at : least;
  }
  return least;
}

/* Of the new states among rows [from, to), until an error ends the search. */
static void check_states(struct worker *w, const struct open_range *range, uint32_t from,
                         uint32_t to) {
  const struct rows *rows = range->rows;
  uint64_t errors = w->figures.errors;
  for (uint32_t i = from; i < to; i++) {
    if (rows->answer[i] != STORE_NEW)
      continue;
    worker_check_state(w, rows, i, tree_depth(w->search, rows->pred[i], range->depth));
    if (w->figures.errors > errors && search_is_decided(w->search))
      return;
  }
}

/* Rows [from, to) of the range are answered: counts them, checks new states, lets the watches
 * hear. Returns the first row that a watch has no memory for. */
static uint32_t settle(struct worker *w, struct open_range *range, uint32_t from, uint32_t to) {
  struct search *s = w->search;
  struct search_figures *figures = &w->figures;
  struct rows *rows = range->rows;
  uint32_t n = to - from, fresh = 0;
  for (uint32_t i = from; i < to; i++)
    fresh += rows->answer[i];
  bool root = n > 0 && rows->pred[from] == STORE_NONE;
  figures->stored += fresh;
  if (figures->stored > figures->peak.stored)
    figures->peak.stored = figures->stored;
  w->found += fresh;
  figures->matched += n - fresh;
  figures->events += root ? 0 : n;
  if (s->shape->n_properties > 0)
    check_states(w, range, from, to);
  if (w->chooses && w->worth.n_notes > 0)
    worker_see_reached(w, rows, from, to);
  return w->watches.hear & WATCH_ANSWERED ? tell(w, range, from, to) : to;
}

/* How many states may still be stored: one if another had to go for it, or none. */
static uint64_t room_for(struct worker *w) {
  const struct search_options *options = w->search->options;
  uint64_t states = options->limit.states == 0 ? UINT64_MAX : options->limit.states;
  uint64_t stored = w->figures.stored;
  if (stored >= states)
    return 0;
  uint64_t room = tree_room(w->search);
  return room < states - stored ? room : states - stored;
}

/* Puts as many rows as may be stored; after that, rows only match. */
static void put(struct worker *w, struct open_range *range) {
  struct search *s = w->search;
  struct rows *rows = range->rows;
  uint32_t at = range->from, to = range->to;
  while (at < to) {
    uint64_t room = room_for(w);
    uint32_t end = room == 0 ? at + 1 : room < to - at ? at + (uint32_t)room : to;
    uint32_t answered;
    if (room > 0) {
      answered = s->store_kind->put(w->store, rows, at, end);
    } else {
      s->store_kind->find(w->store, rows, at, end);
      answered = rows->answer[at] == STORE_OLD ? end : at;
    }
    at = settle(w, range, at, answered);
    if (at < answered) {
      search_limit(s, SEARCH_MEMORY);
      break;
    }
    if (answered < end &&
        (room == 0 || !(search_move(s, rows, range->from, answered) || tree_make_room(s)))) {
      uint64_t most = s->options->limit.states;
      bool enough = most != 0 && w->figures.stored >= most;
      search_limit(s, room > 0 ? SEARCH_MEMORY : enough ? SEARCH_MAX_STATES : SEARCH_TREE);
      break;
    }
  }
  w->rows_settled += to - range->from;
  w->clock.work++;
  range->to = at;
}

/* Looks rows up. Those that are there are counted, the others come again. */
static void look(struct worker *w, struct open_range *range) {
  const struct store_kind *kind = w->search->store_kind;
  struct rows *rows = range->rows;
  uint32_t old = 0, from = range->from, first = range->to;
  (range->guessed ? kind->confirm : kind->find)(w->store, rows, from, first);
  for (uint32_t i = range->to; i-- > from;) {
    bool is_old = rows->answer[i] == STORE_OLD;
    first = is_old ? first : i;
    old += is_old;
  }
  range->first = first;
  if (range->ask == OPEN_PASS) {
    range->to = first;
    old = first - from;
  }
  bool root = range->to > from && rows->pred[from] == STORE_NONE;
  w->figures.matched += old;
  w->figures.events += root ? 0 : old;
  if ((w->watches.hear & WATCH_LOOKED) && tell(w, range, from, range->to) < range->to)
    search_limit(w->search, SEARCH_MEMORY);
}

/* The first row that was not there is put, unless the search has to stop. */
static void put_first(struct worker *w, struct open_range *range) {
  uint32_t first = range->first;
  struct open_range one = {range->rows, first, first + 1, OPEN_PUT, .depth = range->depth};
  if (first == range->to)
    return;
  if (w->search->stop)
    one.to = first;
  else
    put(w, &one);
  if (one.to == first)
    range->to = first;
}

void step_ask(struct worker *w, struct open_range *range) {
  if (range->ask == OPEN_PUT) {
    put(w, range);
    return;
  }
  const uint32_t moves = w->search->result->n_moves;
  look(w, range);
  if (range->ask == OPEN_FIRST)
    put_first(w, range);
  if (__builtin_expect(w->search->result->n_moves != moves, 0))
    search_ask_anew(w->search, range->rows, range->from, range->to);
}
