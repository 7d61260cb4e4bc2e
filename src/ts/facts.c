/* facts.c - a decorator that does not trust what is said of quiet steps and dead variables.
 *
 * A quiet step: after any event of another process, the same steps of this one are enabled as
 * before, and both orders lead to the same state. A dead variable: in the state with other
 * values of all that is dead there, the same events are enabled, have the same faults, and lead
 * to states that are equal but for what is dead then. Slow on purpose.
 */
#include "ts/facts.h"

#include "ts/forward.h"
#include "ts/list.h"

#include "base/bits.h"

#include <stdio.h>
#include <string.h>

enum { LIST = 32, LENGTH = 640, SEED = 7 };

struct facts {
  struct forward forward;
  const struct ts_facts *facts;
  struct budget *budget;
  struct list here, then, other; /* successors of the state, of one of them, of another */
  uint8_t *altered, *left, *right;
  uint64_t random, tested, untested;
  bool short_of_memory; /* while the state in hand was tested */
  char complaint[LENGTH];
};

static struct facts *facts_of(const struct ts *ts) {
  return forward_of(ts);
}

static bool fill(struct facts *f, struct list *list, const uint8_t *state, uint32_t length) {
  const struct ts *inner = f->forward.inner;
  bool fine = list_fill(list, inner, ts_code(inner), state, length, NULL);
  f->short_of_memory |= !fine;
  return fine;
}

static int64_t value(const struct facts *f, uint32_t slot, const uint8_t *state) {
  return ts_value(&f->forward.inner->shape->slot[slot], state);
}

static bool is_at(const struct facts *f, const struct ts_at *at, const uint8_t *state) {
  bool lives = (at->live_slot == TS_NONE || value(f, at->live_slot, state) > at->number) &&
               (at->tag_slot == TS_NONE || value(f, at->tag_slot, state) == at->tag);
  if (at->gone)
    return !lives;
  return lives &&
         (at->location_slot == TS_NONE || value(f, at->location_slot, state) == at->location);
}

static void complain(struct facts *f, const char *what, uint32_t action, const uint8_t *state) {
  const struct ts_shape *shape = f->forward.inner->shape;
  const struct ts_action *a = &shape->action[action];
  int n = snprintf(f->complaint, LENGTH, "%s: action %u (%.80s); in the state", what, action,
                   a->n_movers > 0 ? a->mover[0].text : "no mover");
  for (uint32_t i = 0; i < shape->n_slots && n > 0 && n < LENGTH - 80; i++)
    if (ts_is_there(shape, i, state))
      n += snprintf(f->complaint + n, (size_t)(LENGTH - n), " %.40s=%lld",
                    shape->variable[shape->slot[i].variable].name,
                    (long long)value(f, i, state));
}

/* ---- quiet steps ------------------------------------------------------------------------ */

static bool is_of(const struct ts_quiet *q, const struct ts_edge *edge) {
  return edge->event.action - q->first < q->n;
}

/* Events of the process in a list: the same ones in both? */
static bool same_events(const struct ts_quiet *q, const struct list *a, const struct list *b) {
  uint32_t i = 0, k = 0;
  for (;;) {
    while (i < a->batch.n && !is_of(q, &a->batch.edge[i]))
      i++;
    while (k < b->batch.n && !is_of(q, &b->batch.edge[k]))
      k++;
    if (i == a->batch.n || k == b->batch.n)
      return i == a->batch.n && k == b->batch.n;
    const struct ts_edge *x = &a->batch.edge[i++], *y = &b->batch.edge[k++];
    if (x->event.action != y->event.action || x->event.choice != y->event.choice ||
        x->kind != y->kind)
      return false;
  }
}

/* Whether row j of then, a step of the process after the action `first`, is reached in the
 * other order as well. */
static bool closes(struct facts *f, uint32_t first, uint32_t j) {
  const struct ts_edge *goal = &f->then.batch.edge[j];
  for (uint32_t i = 0; i < f->here.batch.n; i++) {
    const struct ts_edge *edge = &f->here.batch.edge[i];
    if (edge->event.action != goal->event.action || edge->event.choice != goal->event.choice)
      continue;
    if (!fill(f, &f->other, list_row(&f->here, i), edge->length))
      return true;
    for (uint32_t k = 0; k < f->other.batch.n; k++) {
      const struct ts_edge *last = &f->other.batch.edge[k];
      if (last->event.action == first && last->kind != TS_MODEL_ERROR &&
          last->length == goal->length &&
          memcmp(list_row(&f->other, k), list_row(&f->then, j), goal->length) == 0)
        return true;
    }
  }
  return false;
}

static void check_quiet(struct facts *f, const struct ts_quiet *q, const uint8_t *state) {
  f->tested++;
  for (uint32_t i = 0; i < f->here.batch.n && f->complaint[0] == '\0'; i++) {
    const struct ts_edge *edge = &f->here.batch.edge[i];
    if (is_of(q, edge) || edge->kind == TS_MODEL_ERROR ||
        !fill(f, &f->then, list_row(&f->here, i), edge->length))
      continue;
    if (!same_events(q, &f->here, &f->then)) {
      complain(f, "a step that is said to concern nobody else depends on", edge->event.action,
               state);
      return;
    }
    for (uint32_t j = 0; j < f->then.batch.n; j++)
      if (is_of(q, &f->then.batch.edge[j]) && f->then.batch.edge[j].kind != TS_MODEL_ERROR &&
          !closes(f, edge->event.action, j)) {
        complain(f, "a step that is said to concern nobody else does not commute with",
                 edge->event.action, state);
        return;
      }
  }
}

/* ---- dead variables --------------------------------------------------------------------- */

/* Writes to each slot that is dead in the state: zero, or some number of its bits. Returns
 * whether there is any. */
static bool overwrite(struct facts *f, uint8_t *row, const uint8_t *state, bool random) {
  const struct ts_shape *shape = f->forward.inner->shape;
  bool any = false;
  for (uint32_t i = 0; i < f->facts->n_unread; i++) {
    const struct ts_unread *u = &f->facts->unread[i];
    for (uint32_t k = 0; is_at(f, &u->at, state) && k < u->n; k++)
      for (uint32_t s = u->slots[k].first; s < u->slots[k].first + u->slots[k].n; s++) {
        const struct ts_slot *slot = &shape->slot[s];
        uint64_t number = random ? bits_next_random(&f->random) >> 20 : 0;
        uint32_t word = (uint32_t)(number & bits_lowest(slot->bits));
        if (slot->is_signed && slot->bits > 0 && slot->bits < 32 && word >> (slot->bits - 1))
          word |= UINT32_MAX << slot->bits;
        memcpy(row + slot->offset, &word, slot->bytes);
        any = true;
      }
  }
  return any;
}

/* A row in which all that is dead is zero. */
static const uint8_t *cleared(struct facts *f, uint8_t *to, const struct list *list,
                              uint32_t i) {
  memset(to, 0, list->batch.stride);
  memcpy(to, list_row(list, i), list->batch.edge[i].length);
  overwrite(f, to, list_row(list, i), false);
  return to;
}

static bool same_row(struct facts *f, uint32_t i) {
  const struct ts_edge *a = &f->here.batch.edge[i], *b = &f->then.batch.edge[i];
  if (a->event.action != b->event.action || a->event.choice != b->event.choice ||
      a->kind != b->kind || a->fault != b->fault)
    return false;
  return a->kind == TS_MODEL_ERROR ||
         (a->length == b->length &&
          memcmp(cleared(f, f->left, &f->here, i), cleared(f, f->right, &f->then, i),
                 f->here.batch.stride) == 0);
}

static void check_unread(struct facts *f, const uint8_t *state, uint32_t length) {
  const size_t stride = f->here.batch.stride;
  memset(f->altered, 0, stride);
  memcpy(f->altered, state, length);
  if (!overwrite(f, f->altered, state, true) || !fill(f, &f->then, f->altered, length))
    return;
  f->tested++;
  uint32_t n = f->here.batch.n < f->then.batch.n ? f->here.batch.n : f->then.batch.n, i = 0;
  while (i < n && same_row(f, i))
    i++;
  if (i < f->here.batch.n || i < f->then.batch.n) {
    const struct list *list = i < f->here.batch.n ? &f->here : &f->then;
    complain(f, "a variable that is said to be dead makes a difference to",
             list->batch.edge[i].event.action, state);
  }
}

/* ---- the decorator ---------------------------------------------------------------------- */

static void check_state(struct facts *f, const uint8_t *state, uint32_t length) {
  if (!fill(f, &f->here, state, length))
    return;
  for (uint32_t i = 0; i < f->facts->n_quiet && f->complaint[0] == '\0'; i++)
    if (is_at(f, &f->facts->quiet[i].at, state))
      check_quiet(f, &f->facts->quiet[i], state);
  if (f->facts->n_unread > 0 && f->complaint[0] == '\0')
    check_unread(f, state, length);
}

static int32_t facts_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                struct ts_event *cursor, const uint64_t *skip,
                                struct ts_batch *out) {
  struct facts *f = facts_of(ts);
  const struct ts *inner = f->forward.inner;
  if (cursor->action == 0 && cursor->choice == 0 && f->complaint[0] == '\0') {
    f->short_of_memory = false;
    check_state(f, state, length);
    f->untested += f->short_of_memory;
  }
  return ts_code(inner)->successors(inner, state, length, cursor, skip, out);
}

struct ts *ts_facts_open(const struct ts *inner, struct budget *budget) {
  const size_t stride = ts_stride(inner->shape);
  struct facts *f = budget_alloc(budget, BUDGET_OTHER, sizeof *f);
  if (f == NULL)
    return NULL;
  forward_open(&f->forward, inner);
  f->forward.code.successors = facts_successors;
  f->facts = inner->shape->facts;
  f->budget = budget;
  f->random = SEED;
  f->altered = budget_alloc(budget, BUDGET_OTHER, 3 * stride);
  bool fine = list_open(&f->here, inner->shape, LIST, budget) && f->altered != NULL;
  fine = list_open(&f->then, inner->shape, LIST, budget) && fine;
  if (list_open(&f->other, inner->shape, LIST, budget) && fine) {
    f->left = f->altered + stride;
    f->right = f->left + stride;
    return &f->forward.ts;
  }
  ts_facts_close(&f->forward.ts);
  return NULL;
}

const char *ts_facts_complaint(const struct ts *ts) {
  const struct facts *f = facts_of(ts);
  return f->complaint[0] == '\0' ? NULL : f->complaint;
}

uint64_t ts_facts_tested(const struct ts *ts) {
  return facts_of(ts)->tested;
}

uint64_t ts_facts_untested(const struct ts *ts) {
  return facts_of(ts)->untested;
}

void ts_facts_close(struct ts *ts) {
  if (ts == NULL)
    return;
  struct facts *f = facts_of(ts);
  const size_t stride = ts_stride(f->forward.inner->shape);
  list_free(&f->here);
  list_free(&f->then);
  list_free(&f->other);
  budget_free(f->budget, BUDGET_OTHER, f->altered, f->altered == NULL ? 0 : 3 * stride);
  budget_free(f->budget, BUDGET_OTHER, f, sizeof *f);
}
