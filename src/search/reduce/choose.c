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
#include "search/fire.h"

#include "base/bits.h"

/* It is worth trying where one of so many tries brings something, of the last few thousand. */
enum { TRIES_FEW = 1000, TRIES_LATE = 8192, TRIES_PER_WIN = 128, TRIES_SAMPLE = 64 };

static bool is_left(const struct rows *rows, uint32_t i, const uint64_t *leave) {
  return leave != NULL && bits_test(leave, rows->batch.edge[i].event.action);
}

/* Takes the rows from this one on out that are of actions in the set. */
static void take_out(struct rows *rows, uint32_t from, const uint64_t *leave) {
  uint32_t kept = from;
  for (uint32_t i = from; i < rows->batch.n; i++)
    if (!is_left(rows, i, leave))
      rows_move(rows, kept++, i);
  rows->batch.n = kept;
}

/* ---- whether a choice leads on --------------------------------------------------------- */

/* Where it takes the store to know: asks about the rows from this one on. */
static void ask_store(struct worker *w, const struct open *open, uint32_t from) {
  struct rows *rows = open->into;
  for (uint32_t i = from; i < rows->batch.n && rows->has_parents; i++)
    rows->parent[i] = open->name;
  if (w->asks_to_fire)
    w->search->store_kind->find(w->store, rows, from, rows->batch.n);
}

/* Whether some row, but for those of actions in `leave`, leads to a state that will be looked
 * at later. The store was asked. */
static bool leads_on(struct worker *w, const struct open *open, uint32_t from,
                     const uint64_t *leave) {
  const struct rows *rows = open->into;
  uint64_t first = STORE_NONE;
  if (!w->may_ignore)
    return true;
  if (w->asks_to_fire && (w->order->traits & FRONTIER_NUMBERED))
    first = w->order->first_open(w->frontier);
  for (uint32_t i = from; i < rows->batch.n; i++) {
    if (is_left(rows, i, leave))
      continue;
    if (w->asks_to_fire ? rows->answer[i] == STORE_NEW || rows->ref[i] >= first
                        : !w->reduction_kind->leads_back(w->reduction, rows->raw[i]))
      return true;
  }
  return false;
}

/* ---- firing ------------------------------------------------------------------------------ */

/* What came of a try. */
enum tried { TRIED_NOTHING, TRIED_BACK, TRIED_FINE };

/* Fires what can be guessed to be enough; *which counts the guesses with events. FINE: it is.
 */
static enum tried fire_guess(struct worker *w, const struct open *open, uint32_t from,
                             uint32_t *which) {
  struct ts_batch *batch = &open->into->batch;
  enum tried tried = TRIED_NOTHING;
  const uint64_t *skip;
  while (*which < CHOOSE_NOTES && (skip = w->reduction_kind->guess(w->reduction)) != NULL) {
    struct ts_event cursor = {0, 0};
    bool more = worker_fire(w, open, &cursor, skip);
    if (batch->n == from && !more)
      continue;
    ++*which;
    if (!more && worker_faults(batch, from) == TS_FINE) {
      worker_hash(w, open, from);
      ask_store(w, open, from);
      if (leads_on(w, open, from, NULL))
        return TRIED_FINE;
      tried = TRIED_BACK;
    }
    batch->n = from;
  }
  return tried;
}

/* Fires all, and takes out what may be, by the first choice from number *which on that leads
 * on, which it is then. */
static enum tried fire_choice(struct worker *w, const struct open *open, uint32_t from,
                              uint32_t *which, struct ts_event *cursor, bool *more) {
  struct ts_batch *batch = &open->into->batch;
  enum tried tried = TRIED_NOTHING;
  const uint64_t *leave;
  *cursor = (struct ts_event){0, 0};
  *more = worker_fire(w, open, cursor, NULL);
  if (worker_faults(batch, from) != TS_FINE)
    return TRIED_NOTHING;
  worker_hash(w, open, from);
  if (*more || batch->n - from < 2)
    return TRIED_NOTHING;
  w->reduction_kind->sees(w->reduction, batch->edge + from, batch->n - from);
  for (; *which < CHOOSE_NOTES; ++*which) {
    if ((leave = w->reduction_kind->choose(w->reduction, *which)) == NULL)
      break;
    if (tried == TRIED_NOTHING)
      ask_store(w, open, from);
    tried = TRIED_BACK;
    if (!leads_on(w, open, from, leave))
      continue;
    take_out(open->into, from, leave);
    ++*which;
    return TRIED_FINE;
  }
  return tried;
}

static void note_rows(struct ts_batch *batch, uint32_t from, uint32_t note) {
  for (uint32_t i = from; i < batch->n; i++)
    batch->edge[i].note = (uint16_t)note;
}

/* Whether it is worth trying: where it brings nothing, it must not cost anything either, but
 * for a sample, as a search may come to where it does. Any mixture is sound. */
static bool is_worth_trying(const struct search_choice *c) {
  return c->tried < TRIES_FEW || c->won * TRIES_PER_WIN >= c->tried ||
         c->turn % TRIES_SAMPLE == 0;
}

bool worker_tries(struct worker *w, const struct open *open) {
  w->reduction_kind->enter(w->reduction, open);
  return is_worth_trying(&w->figures.choice);
}

bool worker_fire_enough(struct worker *w, const struct open *open, struct ts_event *cursor) {
  struct ts_batch *batch = &open->into->batch;
  uint32_t from = batch->n, which = 0;
  bool more = false, back;
  w->reduction_kind->look(w->reduction, open->row, open->length);
  enum tried tried = fire_guess(w, open, from, &which);
  back = tried == TRIED_BACK;
  w->how = CHOOSE_GUESS;
  if (tried != TRIED_FINE) {
    tried = fire_choice(w, open, from, &which, cursor, &more);
    back |= tried == TRIED_BACK;
    w->how = tried == TRIED_FINE ? CHOOSE_SOME : back ? CHOOSE_REST : CHOOSE_ALL;
  }
  note_rows(batch, from, tried == TRIED_FINE ? which : 0);
  return more;
}

void worker_count_choice(struct worker *w, enum choose_how how) {
  struct search_choice *choice = &w->figures.choice;
  choice->guessed += how == CHOOSE_GUESS;
  choice->chosen += how == CHOOSE_SOME;
  choice->refused += how == CHOOSE_REST;
  choice->untried += how == CHOOSE_NOT;
  choice->turn++;
  choice->tried += how != CHOOSE_NOT;
  choice->won += how == CHOOSE_GUESS || how == CHOOSE_SOME;
  if (choice->tried >= TRIES_LATE) {
    choice->tried /= 2;
    choice->won /= 2;
  }
}

const uint64_t *worker_choose_again(struct worker *w, const uint8_t *row, uint32_t length,
                                    uint32_t note) {
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
  return kind->choose(w->reduction, note - 1);
}
