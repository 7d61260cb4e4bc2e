/* choose.c - what the loop does where some of a state's events are enough.
 *
 * A reduction that chooses by the state alone may put off an event again and again, until a
 * cycle closes, and what comes after it is never seen. So the choice is kept only if some
 * successor will be looked at after all, and not with this state's cycle closed; else the rest
 * is fired, too. Which successors these are depends on the order:
 *   - depth-first, one that is not on the stack, for it is done before this state is;
 *   - otherwise one that is not expanded yet, for it will be expanded later: it is not in the
 *     store, or is known to be open there.
 * Why that is enough, also where states are forgotten, is said in docs/por.md. Deadlocks are
 * found without it, so a model that can have no other error does without.
 */
#include "search/fire.h"
#include "search/tree/tree.h"

#include "base/bits.h"

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
    rows->parent[i] = tree_name(w->search, open);
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

/* ---- what it brings -------------------------------------------------------------------- */

/* One of the rows from this one on that are left out is noted. They are hashed. */
static void note_left(struct worker *w, const struct open *open, enum search_grade grade,
                      uint32_t from, const uint64_t *leave) {
  struct rows *rows = open->into;
  uint32_t i = from;
  while (i < rows->batch.n && !is_left(rows, i, leave))
    i++;
  if (i == rows->batch.n) { /* a guess that left out nothing saves nothing */
    worth_note_nothing(&w->worth, grade);
    return;
  }
  if (rows->has_parents)
    rows->parent[i] = tree_name(w->search, open);
  w->search->store_kind->find(w->store, rows, i, i + 1);
  worth_note(&w->worth, grade, rows->raw[i], rows->answer[i] != STORE_NEW);
}

/* The same of events that were not even fired: they are now. */
static void note_unfired(struct worker *w, const struct open *open, const uint64_t *leave) {
  struct ts_batch *batch = &open->into->batch;
  struct ts_event cursor = {0, 0};
  uint32_t from = batch->n;
  if (from == batch->capacity)
    return;
  worker_fire(w, open, &cursor, NULL);
  if (worker_faults(batch, from) == TS_FINE) {
    worker_hash(w, open, from);
    note_left(w, open, SEARCH_GRADE_ALONE, from, leave);
  }
  batch->n = from;
}

/* Takes a few events from a state, picked by hashes among all that there are, and notes where
 * that ends. All is fired behind the rows that are there; the first place is for the state. */
static void note_walk(struct worker *w, const struct open *open) {
  enum { LEAST = 4, MORE = 8 };
  struct rows *rows = open->into;
  struct ts_batch *batch = &rows->batch;
  uint32_t at = batch->n, steps = 0;
  struct open here;
  open_copy(&here, open);
  uint64_t picks = here.hashed ? here.raw : hash_raw(w->search->hash, here.row, here.length);
  uint32_t most = LEAST + (uint32_t)(picks >> 20) % MORE;
  for (; steps < most && at + 1 < batch->capacity; steps++) {
    struct ts_event cursor = {0, 0};
    uint32_t from = batch->n = at + 1;
    if (worker_fire(w, &here, &cursor, NULL) || batch->n == from ||
        worker_faults(batch, from) != TS_FINE)
      break;
    worker_hash(w, &here, from);
    rows_move(rows, at,
              from + (uint32_t)((bits_next_random(&picks) >> 32) % (batch->n - from)));
    here.row = rows_at(rows, at);
    here.length = batch->edge[at].length;
    here.raw = rows->raw[at];
    here.hashed = true;
  }
  if (steps > 0) {
    w->search->store_kind->find(w->store, rows, at, at + 1);
    worth_note_walk(&w->worth, rows->raw[at], rows->answer[at] != STORE_NEW);
  }
  batch->n = at;
}

/* What a try takes beside the looks at steps, in as many of these. */
enum { LOOKS_GUESS = 40, LOOKS_CHOICE = 60, LOOKS_EVENT = 30 };

/* ---- firing ------------------------------------------------------------------------------ */

/* Whether a grade is tried in this state. In a product, where one is tried, all are: what is
 * left out there must not depend on the claim (docs/por.md). */
static bool tries(const struct worker *w, enum search_grade grade) {
  if (w->chooses_same)
    return (w->search->options->reduce.without >> grade & 1) == 0;
  return worth_tries(&w->worth, grade);
}

/* What came of a try. */
enum tried { TRIED_NOTHING, TRIED_BACK, TRIED_FINE };

/* Fires what can be guessed to be enough; *which counts the guesses with events. FINE: it is.
 */
static enum tried fire_guess(struct worker *w, const struct open *open, uint32_t from,
                             uint32_t *which) {
  struct ts_batch *batch = &open->into->batch;
  enum tried tried = TRIED_NOTHING;
  const uint64_t *skip;
  while (*which < CHOOSE_EACH && (skip = w->reduction_kind->guess(w->reduction)) != NULL) {
    struct ts_event cursor = {0, 0};
    bool more = worker_fire(w, open, &cursor, skip);
    if (batch->n == from && !more)
      continue;
    ++*which;
    if (!more && worker_faults(batch, from) == TS_FINE) {
      worker_hash(w, open, from);
      ask_store(w, open, from);
      if (leads_on(w, open, from, NULL)) {
        if (worth_won(&w->worth, SEARCH_GRADE_ALONE, worth_rest(&w->worth, batch->n - from)))
          note_unfired(w, open, skip);
        return TRIED_FINE;
      }
      tried = TRIED_BACK;
    }
    batch->n = from;
  }
  return tried;
}

/* Takes out what one grade says may be, by its first choice that leads on: number *which. All
 * was fired, hashed, and seen by the reduction. `asked`: the store was. */
static enum tried take_choice(struct worker *w, const struct open *open, uint32_t from,
                              enum search_grade grade, bool *asked, uint32_t *which) {
  struct ts_batch *batch = &open->into->batch;
  enum tried tried = TRIED_NOTHING;
  const uint64_t *leave;
  uint64_t work = 0;
  for (uint32_t i = 0; i < CHOOSE_EACH; i++) {
    leave = w->reduction_kind->choose(w->reduction, grade, i, &work);
    if (leave == NULL)
      break;
    if (!*asked)
      ask_store(w, open, from);
    *asked = true;
    tried = TRIED_BACK;
    if (!leads_on(w, open, from, leave))
      continue;
    uint32_t all = batch->n, left = 0, saved = 0; /* what is spared in any case is not saved */
    for (uint32_t k = from; k < all; k++) {
      bool goes = is_left(open->into, k, leave);
      left += goes;
      saved += goes && !is_left(open->into, k, w->spared);
    }
    if (worth_won(&w->worth, grade, saved))
      note_left(w, open, grade, from, leave);
    take_out(open->into, from, leave);
    w->figures.choice.left_out += left;
    *which = i;
    tried = TRIED_FINE;
    break;
  }
  worth_tried(&w->worth, grade, work + LOOKS_CHOICE + LOOKS_EVENT * (batch->n - from));
  return tried;
}

/* Fires all, and takes out what may be, by the first grade that can. */
static enum tried fire_choice(struct worker *w, const struct open *open, uint32_t from,
                              struct ts_event *cursor, bool *more, uint32_t *note) {
  struct ts_batch *batch = &open->into->batch;
  enum tried tried = TRIED_NOTHING;
  bool asked = false;
  *cursor = (struct ts_event){0, 0};
  *more = worker_fire(w, open, cursor, NULL);
  if (worker_faults(batch, from) != TS_FINE)
    return TRIED_NOTHING;
  worker_hash(w, open, from);
  if (*more || batch->n - from < 2)
    return TRIED_NOTHING;
  w->reduction_kind->sees(w->reduction, batch->edge + from, batch->n - from);
  for (uint32_t g = SEARCH_GRADE_CLUSTER; g < SEARCH_GRADES; g++) {
    uint32_t which = 0;
    if (!tries(w, (enum search_grade)g))
      continue;
    enum tried one = take_choice(w, open, from, (enum search_grade)g, &asked, &which);
    tried = one > tried ? one : tried;
    *note = 1 + g * CHOOSE_EACH + which;
    if (one == TRIED_FINE)
      break;
  }
  return tried;
}

/* They were chosen. */
static void note_rows(struct ts_batch *batch, uint32_t from, uint32_t note) {
  for (uint32_t i = from; i < batch->n; i++)
    batch->edge[i].note = (uint16_t)(note | OPEN_OF_FEW);
}

/* Takes out what the reduction beside the one that chooses leaves out. Of what was chosen only
 * one does so that goes by the path: the others count on it that all of that is fired. */
static void take_out_beside(const struct worker *w, const struct open *open, uint32_t from,
                            bool chosen) {
  struct rows *rows = open->into;
  if (w->spared == NULL || (chosen && !(w->beside_kind->traits & REDUCTION_PATH)))
    return;
  bool faults = worker_faults(&rows->batch, from) != TS_FINE;
  take_out(rows, from, w->spared);
  if (!chosen)
    worker_note_beside(w, &rows->batch, from);
  if (faults && worker_faults(&rows->batch, from) == TS_FINE)
    worker_hash(w, open, from);
}

bool worker_tries(struct worker *w, const struct open *open) {
  bool any = false;
  if (w->worth.idle) {
    /* The stack is not kept any more; later tries ask the store, which says no less. */
    bool leaves = w->may_ignore && !w->asks_to_fire;
    if (leaves)
      w->reduction_kind->leave_stack(w->reduction);
    w->asks_to_fire |= leaves;
    if (leaves || !worth_samples(&w->worth))
      return false;
  }
  w->reduction_kind->enter(w->reduction, open);
  for (uint32_t g = 0; g < SEARCH_GRADES && !any; g++)
    any = tries(w, (enum search_grade)g);
  return any;
}

bool worker_fire_enough(struct worker *w, const struct open *open, struct ts_event *cursor) {
  struct ts_batch *batch = &open->into->batch;
  uint32_t from = batch->n, note = 0;
  bool more = false, back = false;
  enum tried tried = TRIED_NOTHING;
  w->spared = worker_skip(w, open);
  uint64_t work = w->reduction_kind->look(w->reduction, open->row, open->length);
  if (worth_walks(&w->worth) && !open->into->has_parents)
    note_walk(w, open);
  if (tries(w, SEARCH_GRADE_ALONE)) {
    tried = fire_guess(w, open, from, &note);
    worth_tried(&w->worth, SEARCH_GRADE_ALONE, work + LOOKS_GUESS);
    back = tried == TRIED_BACK;
  }
  w->how = CHOOSE_LEFT + SEARCH_GRADE_ALONE;
  if (tried != TRIED_FINE) {
    tried = fire_choice(w, open, from, cursor, &more, &note);
    back |= tried == TRIED_BACK;
    w->how = back ? CHOOSE_REST : CHOOSE_ALL;
    if (tried == TRIED_FINE)
      w->how = CHOOSE_LEFT + (note - 1) / CHOOSE_EACH;
  }
  if (tried == TRIED_FINE)
    note_rows(batch, from, note);
  take_out_beside(w, open, from, tried == TRIED_FINE);
  return more;
}

void worker_count_choice(struct worker *w, uint32_t how, uint32_t events) {
  struct search_choice *choice = &w->figures.choice;
  if (how >= CHOOSE_LEFT)
    choice->reduced[how - CHOOSE_LEFT]++;
  choice->refused += how == CHOOSE_REST;
  choice->untried += how == CHOOSE_NOT;
  worth_turn(&w->worth, how < CHOOSE_LEFT, events);
  for (uint32_t g = 0; g < SEARCH_GRADES; g++)
    choice->stopped[g] = w->worth.grade[g].stopped;
}

void worker_see_reached(struct worker *w, const struct rows *rows, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++)
    if (rows->answer[i] == STORE_NEW && worth_may_know(&w->worth, rows->raw[i]))
      worth_reached(&w->worth, rows->raw[i]);
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
  uint64_t work = 0;
  /* cppcheck-suppress returnDanglingLifetime; what comes back is the reduction's own */
  return kind->choose(w->reduction, (enum search_grade)((note - 1) / CHOOSE_EACH),
                      (note - 1) % CHOOSE_EACH, &work);
}
