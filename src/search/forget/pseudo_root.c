/* pseudo_root.c - states go when all states before them were expanded.
 *
 * Parashkevov and Yantchev, "Space efficient reachability analysis through use of pseudo-root
 * states" (TACAS 1997), algorithm 2. The transition system goes backward: it says how many
 * events lead to a state, which is the state's counter when it is stored. Each event that
 * comes to the state takes one off. A closed state whose counter is 0 goes.
 *
 * The paper counts states before a state, here events are counted: two events from one state
 * to another one are counted twice, and taken off twice, when that state is expanded. So a
 * state goes at the same moment, and nothing has to be compared.
 *
 * Every state is visited once. Each counted event is one event of one state. One from a state
 * that is reachable comes once, when that state is expanded, as by induction each has been
 * once; so before the last one has come the state is stored, and all of them find it there.
 * What is counted too much (states before it that can never be reached, events that a
 * reduction leaves out) keeps a state, and changes nothing else: a search with a reduction
 * looks up what it would without this one, and finds the same. Should an event come that was
 * not counted, for a mistake of the model, the state stays, too.
 *
 * The counter has seven bits, beside the one for a closed state. If it does not suffice, or the
 * number cannot be told, the state stays.
 */
#include "search/forget/once.h"

struct forget {
  struct once once;
  const struct ts *ts;
  uint64_t *initial; /* finished hashes of the initial states, if there are several; or NULL */
};

enum { CLOSED = 1, ONE = 2, BITS = 8, FULL = (1 << (BITS - 1)) - 1 };

static size_t initial_bytes(const struct forget *f) {
  return f->once.config.shape->n_initial * sizeof *f->initial;
}

static void close_it(struct forget *f) {
  struct budget *budget = f->once.config.budget;
  if (f->initial != NULL)
    budget_free(budget, BUDGET_STORE, f->initial, initial_bytes(f));
  once_end(&f->once);
  budget_free(budget, BUDGET_STORE, f, sizeof *f);
}

/* Being an initial state counts as an event: where there are several, depth-first search comes
 * to one of them after it was reached, and has gone, otherwise. */
static bool note_initial(struct forget *f) {
  const struct forget_config *config = &f->once.config;
  uint32_t n = config->shape->n_initial;
  if (n <= 1)
    return true;
  f->initial = budget_alloc(config->budget, BUDGET_STORE, initial_bytes(f));
  for (uint32_t i = 0; i < n && f->initial != NULL; i++) {
    memset(f->once.row, 0, ts_stride(config->shape));
    uint32_t length = ts_code(f->ts)->initial(f->ts, i, f->once.row);
    f->initial[i] = once_hash(&f->once, STORE_NONE, f->once.row, length);
  }
  return f->initial != NULL;
}

static struct forget *open_it(const struct forget_config *config) {
  struct forget *f = budget_alloc(config->budget, BUDGET_STORE, sizeof *f);
  if (f == NULL)
    return NULL;
  f->ts = config->ts;
  if (once_begin(&f->once, config) && note_initial(f))
    return f;
  close_it(f);
  return NULL;
}

/* The counter of a new state, row i, whose event is taken off. */
static uint64_t count(const struct forget *f, const struct rows *rows, uint32_t i) {
  const struct ts_code *code = ts_code(f->ts);
  uint64_t n = TS_NONE;
  if (code->n_predecessors != NULL)
    n = code->n_predecessors(f->ts, rows_at(rows, i), rows->batch.edge[i].length);
  if (f->initial == NULL)
    n += rows->pred[i] == STORE_NONE;
  for (uint32_t k = 0; f->initial != NULL && k < f->once.config.shape->n_initial; k++)
    n += f->initial[k] == rows->hash[i];
  return n == 0 || n > FULL ? FULL : n - 1;
}

/* An event has come to a stored state. */
static void take_off(const struct forget *f, uint64_t ref, uint64_t hash) {
  uint64_t bits = once_bits(&f->once, ref), counter = bits / ONE;
  if (counter == FULL)
    return;
  if (counter == 0)
    once_set_bits(&f->once, ref, FULL * ONE | (bits & CLOSED));
  else if (bits == (ONE | CLOSED))
    once_forget(&f->once, ref, hash);
  else
    once_set_bits(&f->once, ref, bits - ONE);
}

static void answered(struct forget *f, const struct rows *rows, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    if (rows->answer[i] != STORE_OLD)
      once_set_bits(&f->once, rows->ref[i], ONE * count(f, rows, i));
    else
      take_off(f, rows->ref[i], rows->hash[i]);
  }
}

static void closed(struct forget *f, uint64_t ref, const uint8_t *row, uint32_t length) {
  uint64_t bits = once_bits(&f->once, ref);
  if (bits / ONE == 0)
    once_forget(&f->once, ref, once_hash(&f->once, ref, row, length));
  else
    once_set_bits(&f->once, ref, bits | CLOSED);
}

static uint32_t bits(const struct strategy *strategy) {
  (void)strategy;
  return BITS;
}

static bool pass(struct forget *f, struct sink *sink) {
  (void)f;
  return sink_is_fine(sink);
}

const struct forget_kind forget_pseudo_root = {
    .name = "pseudo-root",
    .summary = "states go when all that lead to them were expanded; the model goes backward",
    .traits = FORGET_ONCE | FORGET_BACKWARD,
    .bits = bits,
    .open = open_it,
    .close = close_it,
    .answered = answered,
    .closed = closed,
    .pass = pass,
};
