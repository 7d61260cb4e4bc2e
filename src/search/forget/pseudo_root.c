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
 * The counter has the bits that the largest number needs, as far as a bound is known, and
 * seven else, beside the one for a closed state. If they do not suffice, or the number
 * cannot be told, the state stays. Where the order goes by the counters of open states, the
 * node of the state follows in the store. What happens where memory is short: shortage.c.
 */
#include "search/forget/once.h"
#include "search/forget/shortage.h"

#include "search/frontier/frontier.h"

struct forget {
  struct once once;
  struct shortage shortage;
  const struct ts *ts;
  uint64_t *initial; /* finished hashes of the initial states, if there are several; or NULL */
  uint64_t full;     /* the largest counter, which does not change */
  uint32_t shift;    /* of the node, above the counter */
  bool counted;      /* the order wants to know counters of open states */
  uint64_t n_full;   /* states of full counters */
};

enum { CLOSED = SHORTAGE_CLOSED, ONE = 1 << SHORTAGE_SHIFT, NODE_BITS = 32 };
enum { USUAL_COUNTER = 7, LARGEST_COUNTER = 16 }; /* bits */

/* One that is full must not be reached by counting; being initial counts, too. */
static uint32_t counter_bits(const struct ts_shape *shape) {
  uint64_t most = (uint64_t)shape->most_predecessors + shape->n_initial;
  if (shape->most_predecessors == 0)
    return USUAL_COUNTER;
  uint32_t bits = 64 - (uint32_t)__builtin_clzll(most + 1);
  return bits < LARGEST_COUNTER ? bits : LARGEST_COUNTER;
}

static bool is_counted(const struct frontier_kind *order) {
  return (order->traits & FRONTIER_COUNTED) != 0;
}

static size_t initial_bytes(const struct forget *f) {
  return f->once.config.shape->n_initial * sizeof *f->initial;
}

static void close_it(struct forget *f) {
  struct budget *budget = f->once.config.budget;
  if (f->initial != NULL)
    budget_free(budget, BUDGET_STORE, f->initial, initial_bytes(f));
  shortage_end(&f->shortage);
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
  const uint32_t bits = counter_bits(config->shape);
  f->ts = config->ts;
  f->full = (UINT64_C(1) << bits) - 1;
  f->shift = SHORTAGE_SHIFT + bits;
  f->counted = is_counted(config->order);
  if (once_begin(&f->once, config) && note_initial(f) &&
      shortage_begin(&f->shortage, &f->once, f->full))
    return f;
  close_it(f);
  return NULL;
}

static uint64_t counter_of(const struct forget *f, uint64_t bits) {
  return bits / ONE & f->full;
}

/* The order is told of the counter of an open state. */
static void tell(const struct forget *f, uint64_t node, uint64_t counter) {
  const struct forget_config *config = &f->once.config;
  config->order->counted(*config->frontier, tdtree_node(node), (uint32_t)counter);
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
  return n == 0 || n > f->full ? f->full : n - 1;
}

static void begin_counting(struct forget *f, const struct rows *rows, uint32_t i) {
  const uint64_t counter = count(f, rows, i);
  uint64_t bits = ONE * counter | shortage_bits(&f->shortage, rows->number[i]);
  f->n_full += counter == f->full;
  if (f->counted && rows->number[i] != STORE_NONE) {
    bits |= rows->number[i] << f->shift;
    tell(f, rows->number[i], counter);
  }
  once_set_bits(&f->once, rows->ref[i], bits);
}

/* An event has come to a stored state. */
static void take_off(struct forget *f, uint64_t ref, uint64_t hash) {
  uint64_t bits = once_bits(&f->once, ref), counter = counter_of(f, bits);
  if (counter == f->full)
    return;
  if (counter == 0) {
    f->n_full++;
    once_set_bits(&f->once, ref, bits | f->full * ONE);
  } else if (counter == 1 && (bits & CLOSED) && !shortage_is_on(&f->shortage)) {
    once_forget(&f->once, ref, hash);
  } else {
    once_set_bits(&f->once, ref, bits - ONE);
    if (f->counted && !(bits & CLOSED))
      tell(f, bits >> f->shift, counter - 1);
  }
}

static void answered(struct forget *f, const struct rows *rows, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    if (rows->answer[i] != STORE_OLD)
      begin_counting(f, rows, i);
    else
      take_off(f, rows->ref[i], rows->hash[i]);
  }
}

static void closed(struct forget *f, uint64_t ref, const uint8_t *row, uint32_t length) {
  uint64_t bits = once_bits(&f->once, ref);
  if (counter_of(f, bits) == 0 && !shortage_is_on(&f->shortage))
    once_forget(&f->once, ref, once_hash(&f->once, ref, row, length));
  else
    once_set_bits(&f->once, ref, bits | CLOSED);
}

static void begun(struct forget *f, uint32_t node) {
  shortage_note_fired(&f->shortage, node);
}

static bool planted(struct forget *f, struct tdtree *tree) {
  f->once.config.tree = tree;
  if (!shortage_begin(&f->shortage, &f->once, f->full))
    return false;
  shortage_note_open(&f->shortage);
  return true;
}

static uint64_t drop(struct forget *f, uint64_t n) {
  return shortage_drop(&f->shortage, n);
}

static uint32_t bits(const struct ts_shape *shape, const struct search_options *options) {
  return SHORTAGE_SHIFT + counter_bits(shape) +
         (is_counted(options->order.kind) ? NODE_BITS : 0u);
}

static bool pass(struct forget *f, struct sink *sink) {
  sink_pass(sink, &f->n_full, sizeof f->n_full);
  return shortage_pass(&f->shortage, sink);
}

static void report(const struct forget *f, struct search_figures *figures) {
  figures->forgetting.kept_known = true;
  figures->forgetting.full = f->n_full;
}

const struct forget_kind forget_pseudo_root = {
    .name = "pseudo-root",
    .summary = "states go when all that lead to them were expanded; the model goes backward",
    .traits = FORGET_ONCE | FORGET_BACKWARD | FORGET_DROPS,
    .bits = bits,
    .open = open_it,
    .close = close_it,
    .answered = answered,
    .begun = begun,
    .planted = planted,
    .closed = closed,
    .drop = drop,
    .pass = pass,
    .report = report,
};
