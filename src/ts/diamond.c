/* diamond.c - a decorator that does not trust the independence of actions.
 *
 * What is tested is the diamond of Bosnacki, Elkind, Genest and Peled, "On commutativity
 * based edge lean search", section 2, as printed there, and beyond it that the second
 * event has the same fault in both places: on this rests that reductions lose no error.
 * Slow on purpose: every successor is expanded, and of every pair the other way.
 */
#include "ts/diamond.h"

#include "ts/independence.h"
#include "ts/list.h"

#include "base/bits.h"

#include <stdio.h>
#include <string.h>

enum { LIST = 32, LENGTH = 640 };

struct diamond {
  struct ts ts;
  struct ts_code code;
  const struct ts *inner;
  struct budget *budget;
  struct independence *independence;
  struct list here, then, other; /* successors of the state, of one of them, of another */
  uint64_t pairs, untested;      /* untested: states */
  bool short_of_memory;          /* while the state in hand was tested */
  char complaint[LENGTH];
};

/* The search knows the decorator as constant; what is remembered is not. */
static struct diamond *diamond_of(const struct ts *ts) {
  return (struct diamond *)(uintptr_t)ts->self;
}

static const char *text_of(const struct diamond *d, uint32_t action) {
  const struct ts_action *a = &d->inner->shape->action[action];
  return a->n_movers > 0 ? a->mover[0].text : "no mover";
}

static void complain(struct diamond *d, const uint8_t *state, uint32_t first, uint32_t second,
                     const char *what) {
  const struct ts_shape *shape = d->inner->shape;
  int n =
      snprintf(d->complaint, LENGTH,
               "actions %u (%.80s) and %u (%.80s) are said to be independent, but %s; in the "
               "state",
               first, text_of(d, first), second, text_of(d, second), what);
  for (uint32_t i = 0; i < shape->n_slots && n > 0 && n < LENGTH - 80; i++)
    if (ts_is_there(shape, i, state))
      n += snprintf(d->complaint + n, (size_t)(LENGTH - n), " %.40s=%lld",
                    shape->variable[shape->slot[i].variable].name,
                    (long long)ts_value(&shape->slot[i], state));
}

static bool fill(struct diamond *d, struct list *list, const uint8_t *state, uint32_t length) {
  bool fine = list_fill(list, d->inner, ts_code(d->inner), state, length, NULL);
  d->short_of_memory |= !fine;
  return fine;
}

/* Whether action `first` leads from row `i` of here to the same state as row `j` of then. */
static bool closes(struct diamond *d, uint32_t i, uint32_t first, uint32_t j) {
  const struct ts_edge *goal = &d->then.batch.edge[j];
  if (!fill(d, &d->other, list_row(&d->here, i), d->here.batch.edge[i].length))
    return true;
  for (uint32_t k = 0; k < d->other.batch.n; k++) {
    const struct ts_edge *edge = &d->other.batch.edge[k];
    if (edge->event.action == first && edge->kind != TS_MODEL_ERROR &&
        edge->length == goal->length &&
        memcmp(list_row(&d->other, k), list_row(&d->then, j), goal->length) == 0)
      return true;
  }
  return false;
}

/* Row j of then follows an event of `first`: the other way there. */
static void check_pair(struct diamond *d, const uint8_t *state, uint32_t first, uint32_t j) {
  const struct ts_edge *second = &d->then.batch.edge[j];
  bool enabled = false, same = false;
  d->pairs++;
  for (uint32_t i = 0; i < d->here.batch.n; i++) {
    const struct ts_edge *edge = &d->here.batch.edge[i];
    if (edge->event.action != second->event.action)
      continue;
    enabled = true;
    if (edge->kind != second->kind || (edge->kind != TS_FINE && edge->fault != second->fault))
      continue;
    same = true;
    if (edge->kind == TS_MODEL_ERROR || closes(d, i, first, j))
      return;
  }
  complain(d, state, first, second->event.action,
           !enabled ? "the second is not enabled before the first"
           : !same  ? "the fault of the second is another one before the first"
                    : "in the other order they lead to another state");
}

static void check_state(struct diamond *d, const uint8_t *state, uint32_t length) {
  if (!fill(d, &d->here, state, length))
    return;
  for (uint32_t i = 0; i < d->here.batch.n; i++) {
    const struct ts_edge *edge = &d->here.batch.edge[i];
    const uint64_t *row = independence_of(d->independence, edge->event.action);
    d->short_of_memory |= row == NULL;
    if (row == NULL || edge->kind == TS_MODEL_ERROR ||
        !fill(d, &d->then, list_row(&d->here, i), edge->length))
      continue;
    for (uint32_t j = 0; j < d->then.batch.n && d->complaint[0] == '\0'; j++)
      if (bits_test(row, d->then.batch.edge[j].event.action))
        check_pair(d, state, edge->event.action, j);
  }
}

static int32_t diamond_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                  struct ts_event *cursor, const uint64_t *skip,
                                  struct ts_batch *out) {
  struct diamond *d = diamond_of(ts);
  if (cursor->action == 0 && cursor->choice == 0 && d->complaint[0] == '\0') {
    d->short_of_memory = false;
    check_state(d, state, length);
    d->untested += d->short_of_memory;
  }
  return ts_code(d->inner)->successors(d->inner, state, length, cursor, skip, out);
}

static uint32_t diamond_initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  const struct ts *inner = diamond_of(ts)->inner;
  return ts_code(inner)->initial(inner, which, row);
}

static uint32_t diamond_violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                                 uint32_t from, uint32_t *fault) {
  const struct ts *inner = diamond_of(ts)->inner;
  return ts_code(inner)->violated(inner, state, length, from, fault);
}

static uint32_t diamond_steps(const struct ts *ts, const uint8_t *state, uint32_t length,
                              struct ts_event event, uint32_t *action, uint32_t capacity) {
  const struct ts *inner = diamond_of(ts)->inner;
  return ts_code(inner)->steps(inner, state, length, event, action, capacity);
}

static int32_t diamond_ends(const struct ts *ts, const uint8_t *state, uint32_t length) {
  const struct ts *inner = diamond_of(ts)->inner;
  return ts_code(inner)->ends(inner, state, length);
}

static int32_t diamond_measure(const struct ts *ts, const uint8_t *state, uint32_t length,
                               uint32_t which) {
  const struct ts *inner = diamond_of(ts)->inner;
  return ts_code(inner)->measure(inner, state, length, which);
}

static uint64_t diamond_letter(const struct ts *ts, const uint8_t *state, uint32_t length,
                               uint32_t first, uint32_t n, uint32_t *fault) {
  const struct ts *inner = diamond_of(ts)->inner;
  return ts_code(inner)->letter(inner, state, length, first, n, fault);
}

static uint32_t diamond_change(const struct ts *ts, uint8_t *state, uint32_t length,
                               uint32_t which) {
  const struct ts *inner = diamond_of(ts)->inner;
  return ts_code(inner)->change(inner, state, length, which);
}

static uint64_t diamond_marks(const struct ts *ts, const uint8_t *state, uint32_t length,
                              struct ts_event event) {
  const struct ts *inner = diamond_of(ts)->inner;
  return ts_code(inner)->marks(inner, state, length, event);
}

struct ts *ts_diamond_open(const struct ts *inner, struct budget *budget) {
  struct diamond *d = budget_alloc(budget, BUDGET_OTHER, sizeof *d);
  if (d == NULL)
    return NULL;
  const struct ts_code *code = ts_code(inner);
  d->inner = inner;
  d->budget = budget;
  d->code = *code;
  d->code.initial = diamond_initial;
  d->code.successors = diamond_successors;
  d->code.violated = diamond_violated;
  d->code.steps = code->steps == NULL ? NULL : diamond_steps;
  d->code.ends = code->ends == NULL ? NULL : diamond_ends;
  d->code.measure = code->measure == NULL ? NULL : diamond_measure;
  d->code.letter = code->letter == NULL ? NULL : diamond_letter;
  d->code.change = code->change == NULL ? NULL : diamond_change;
  d->code.marks = code->marks == NULL ? NULL : diamond_marks;
  d->ts.shape = inner->shape;
  d->ts.self = d;
  atomic_init(&d->ts.code, &d->code);
  d->independence = independence_open(inner->shape, NULL, budget);
  bool fine = list_open(&d->here, inner->shape, LIST, budget) && d->independence != NULL;
  fine = list_open(&d->then, inner->shape, LIST, budget) && fine;
  if (list_open(&d->other, inner->shape, LIST, budget) && fine)
    return &d->ts;
  ts_diamond_close(&d->ts);
  return NULL;
}

const char *ts_diamond_complaint(const struct ts *ts) {
  const struct diamond *d = diamond_of(ts);
  return d->complaint[0] == '\0' ? NULL : d->complaint;
}

uint64_t ts_diamond_pairs(const struct ts *ts) {
  return diamond_of(ts)->pairs;
}

uint64_t ts_diamond_untested(const struct ts *ts) {
  return diamond_of(ts)->untested;
}

void ts_diamond_close(struct ts *ts) {
  if (ts == NULL)
    return;
  struct diamond *d = diamond_of(ts);
  list_free(&d->here);
  list_free(&d->then);
  list_free(&d->other);
  independence_close(d->independence);
  budget_free(d->budget, BUDGET_OTHER, d, sizeof *d);
}
