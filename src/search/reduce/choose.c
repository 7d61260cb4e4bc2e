/* choose.c - what the loop does where some of a state's events are enough.
 *
 * A reduction that chooses by the state alone may put off an event again and again, until a
 * cycle closes, and what comes after it is never seen. So the choice stands only if some
 * successor will be looked at after all, and not with this state's cycle closed; else the rest
 * is fired, too. Which successors these are depends on the order:
 *   - depth-first, one that is not on the stack, for it is done before this state is;
 *   - otherwise one that is not expanded yet, for it will be expanded later: it is not in the
 *     store, or is known to be open there.
 * Why that is enough, also where states are forgotten, is said in docs/por.md. Deadlocks are
 * found without it, so a model that can have no other error does without.
 */
#include "search/core.h"

#include "base/bits.h"

#include <string.h>

static void move_row(struct ts_batch *batch, uint32_t to, uint32_t from) {
  if (to == from)
    return;
  memcpy(batch->rows + to * batch->stride, batch->rows + from * batch->stride, batch->stride);
  batch->edge[to] = batch->edge[from];
}

/* Takes the rows from this one on out that are of actions in the set. */
static void take_out(struct ts_batch *batch, uint32_t from, const uint64_t *set) {
  uint32_t kept = from;
  for (uint32_t i = from; i < batch->n; i++)
    if (!bits_test(set, batch->edge[i].event.action))
      move_row(batch, kept++, i);
  batch->n = kept;
}

/* Whether none of the rows leads to a state that will be looked at later. */
static bool lead_back(struct worker *w, const struct open *open, uint32_t from) {
  struct rows *rows = open->into;
  uint32_t n = rows->batch.n;
  if (!w->asks_to_fire) {
    for (uint32_t i = from; i < n; i++)
      if (!w->reduction_kind->leads_back(w->reduction, rows->raw[i]))
        return false;
    return true;
  }
  uint64_t first =
      w->order->traits & FRONTIER_NUMBERED ? w->order->first_open(w->frontier) : STORE_NONE;
  for (uint32_t i = from; i < n && rows->has_parents; i++)
    rows->parent[i] = open->name;
  w->search->store_kind->find(w->store, rows, from, n);
  for (uint32_t i = from; i < n; i++)
    if (rows->answer[i] == STORE_NEW || rows->ref[i] >= first)
      return false;
  return true;
}

/* Fires what was guessed to be enough. False: nothing of it is enabled, or not all fits. */
static bool fire_guess(struct worker *w, const struct open *open, uint32_t from) {
  struct ts_batch *batch = &open->into->batch;
  const uint64_t *skip;
  while ((skip = w->reduction_kind->guess(w->reduction)) != NULL) {
    struct ts_event cursor = {0, 0};
    bool more = worker_fire(w, open, &cursor, skip);
    if (batch->n > from && !more && worker_faults(batch, from) == TS_FINE)
      return true;
    bool any = batch->n > from || more;
    batch->n = from;
    if (any)
      return false;
  }
  return false;
}

/* Fires all, and takes out what may be. False: nothing, or not all fits. */
static bool fire_choice(struct worker *w, const struct open *open, uint32_t from,
                        struct ts_event *cursor, bool *more) {
  struct ts_batch *batch = &open->into->batch;
  *cursor = (struct ts_event){0, 0};
  *more = worker_fire(w, open, cursor, NULL);
  if (*more || batch->n - from < 2 || worker_faults(batch, from) != TS_FINE)
    return false;
  w->reduction_kind->sees(w->reduction, batch->edge + from, batch->n - from);
  const uint64_t *leave = w->reduction_kind->choose(w->reduction);
  if (leave != NULL)
    take_out(batch, from, leave);
  return leave != NULL;
}

static void note_rows(const struct open *open, uint32_t from, bool some) {
  struct ts_batch *batch = &open->into->batch;
  for (uint32_t i = from; i < batch->n; i++)
    batch->edge[i].note = some;
}

bool worker_fire_enough(struct worker *w, const struct open *open, struct ts_event *cursor) {
  struct ts_batch *batch = &open->into->batch;
  uint32_t from = batch->n;
  bool more = false;
  w->reduction_kind->enter(w->reduction, open);
  w->how = CHOOSE_GUESS;
  if (!fire_guess(w, open, from))
    w->how = fire_choice(w, open, from, cursor, &more) ? CHOOSE_SOME : CHOOSE_ALL;
  bool some = w->how != CHOOSE_ALL;
  if (some || worker_faults(batch, from) == TS_FINE)
    worker_hash(w, open, from);
  if (some && w->may_ignore && lead_back(w, open, from)) {
    w->how = CHOOSE_REST;
    some = false;
    batch->n = from;
    *cursor = (struct ts_event){0, 0};
    more = worker_fire(w, open, cursor, NULL);
    if (worker_faults(batch, from) == TS_FINE)
      worker_hash(w, open, from);
  }
  note_rows(open, from, some);
  return more;
}

void worker_count_choice(struct worker *w, enum choose_how how) {
  struct search_choice *choice = &w->figures.choice;
  choice->guessed += how == CHOOSE_GUESS;
  choice->chosen += how == CHOOSE_SOME;
  choice->refused += how == CHOOSE_REST;
}

const uint64_t *worker_choose_again(struct worker *w, const uint8_t *row, uint32_t length) {
  const struct reduction_kind *kind = w->reduction_kind;
  const struct ts *ts = w->search->ts;
  struct ts_batch *walk = &w->walk;
  struct ts_event cursor = {0, 0};
  kind->look(w->reduction, row, length);
  for (bool more = true; more;) {
    walk->n = 0;
    more = ts_code(ts)->successors(ts, row, length, &cursor, NULL, walk) != 0;
    kind->sees(w->reduction, walk->edge, walk->n);
  }
  walk->n = 0;
  return kind->choose(w->reduction);
}
