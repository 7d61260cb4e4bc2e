/* diamond.c - a decorator that does not trust the independence of actions.
 *
 * What is tested is the diamond of Bosnacki, Elkind, Genest and Peled, "On commutativity
 * based edge lean search", section 2, as printed there, and beyond it that the second
 * event has the same fault in both places: on this rests that reductions lose no error.
 * Slow on purpose: every successor is expanded, and of every pair the other way.
 */
#include "ts/diamond.h"

#include "ts/forward.h"
#include "ts/independence.h"
#include "ts/list.h"

#include "base/bits.h"

#include <stdio.h>
#include <string.h>

enum { LIST = 32, LENGTH = 640 };

struct diamond {
  struct forward forward;
  struct budget *budget;
  struct independence *independence;
  struct list here, then, other; /* successors of the state, of one of them, of another */
  uint64_t pairs, untested;      /* untested: states */
  bool short_of_memory;          /* while the state in hand was tested */
  char complaint[LENGTH];
};

static struct diamond *diamond_of(const struct ts *ts) {
  return forward_of(ts);
}

static const char *text_of(const struct diamond *d, uint32_t action) {
  const struct ts_action *a = &d->forward.inner->shape->action[action];
  return a->n_movers > 0 ? a->mover[0].text : "no mover";
}

static void complain(struct diamond *d, const uint8_t *state, uint32_t first, uint32_t second,
                     const char *what) {
  const struct ts_shape *shape = d->forward.inner->shape;
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
  bool fine = list_fill(list, d->forward.inner, ts_code(d->forward.inner), state, length, NULL);
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
  return ts_code(d->forward.inner)
      ->successors(d->forward.inner, state, length, cursor, skip, out);
}

struct ts *ts_diamond_open(const struct ts *inner, struct budget *budget) {
  struct diamond *d = budget_alloc(budget, BUDGET_OTHER, sizeof *d);
  if (d == NULL)
    return NULL;
  forward_open(&d->forward, inner);
  d->forward.code.successors = diamond_successors;
  d->budget = budget;
  d->independence = independence_open(inner->shape, NULL, budget);
  bool fine = list_open(&d->here, inner->shape, LIST, budget) && d->independence != NULL;
  fine = list_open(&d->then, inner->shape, LIST, budget) && fine;
  if (list_open(&d->other, inner->shape, LIST, budget) && fine)
    return &d->forward.ts;
  ts_diamond_close(&d->forward.ts);
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
