/* check.c - a decorator that does not trust a model's facts.
 *
 * The idea is that of LTSmin's dependency checker: declared read and write sets
 * are believed only as far as running the model bears them out. Writes are
 * compared directly: what differs between a state and its successor must have
 * been announced. Reads cannot be observed from outside; so the state is altered
 * where an action claims not to look, to values that other states really had,
 * and the action must do the same there as here. Two ways of altering are taken
 * in turn: one slot at a time, checked against every enabled action; and all
 * slots that one action does not read at once, taken from another state.
 *
 * "The same" has to allow for writes: a slot that the event really changed must
 * come out the same; any other one either keeps its altered value, or is written
 * with the value it happened to have.
 *
 * The choice of what to alter is pseudo-random from a fixed seed, so a complaint
 * comes again. One lock: this is for finding mistakes, not for speed.
 */
#include "ts/check.h"

#include "ts/list.h"
#include "ts/sets.h"

#include "base/bits.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CHECK_LIST   32 /* successors that there is room for at first */
#define CHECK_SEEN   8  /* states and values that are remembered */
#define CHECK_SLOTS  6  /* slots altered one by one at each expansion */
#define CHECK_MIXES  4  /* actions put into another state at each expansion */
#define CHECK_SEED   1
#define CHECK_LENGTH 640

struct check {
  struct ts ts;
  struct ts_code code;
  const struct ts *inner;
  const struct ts_shape *shape;
  struct budget *budget;
  size_t stride;
  pthread_mutex_t mutex;
  uint64_t random;
  uint32_t next_slot;
  uint64_t untested;       /* times that memory ran out */
  struct list here, there; /* successors of the state, and of an altered one */
  uint8_t *altered, *row;
  uint8_t *seen; /* CHECK_SEEN states */
  uint32_t seen_length[CHECK_SEEN], n_seen;
  uint8_t *covered;          /* per byte of a state: 1 if some slot has it */
  uint8_t *given;            /* per slot: 1 if it says what is there; never altered */
  uint64_t *skip;            /* bitmap of actions */
  const struct ts_code *now; /* the inner code during one examination */
  char complaint[CHECK_LENGTH];
};

/* ---- words --------------------------------------------------------------------- */

/* Remembers the first complaint; false, for the caller to return. */
__attribute__((format(printf, 3, 4))) static bool complain(struct check *check,
                                                           const struct ts_event *event,
                                                           const char *format, ...) {
  if (check->complaint[0] != '\0')
    return false;
  int n = 0;
  if (event != NULL) {
    const struct ts_action *action = &check->shape->action[event->action];
    n = snprintf(check->complaint, CHECK_LENGTH / 2,
                 "action %u (%s), choice %u: ", event->action,
                 action->n_movers > 0 ? action->mover[0].text : "no mover", event->choice);
    n = n < CHECK_LENGTH / 2 ? n : CHECK_LENGTH / 2 - 1;
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(check->complaint + n, CHECK_LENGTH - (size_t)n, format, arguments);
  va_end(arguments);
  return false;
}

static const char *slot_name(const struct check *check, uint32_t slot, char name[160]) {
  ts_slot_name(check->shape, slot, name, 160);
  return name;
}

/* ---- small questions ------------------------------------------------------------- */

static uint32_t pick(struct check *check, uint32_t n) {
  return (uint32_t)(bits_next_random(&check->random) % n);
}

static int compare_events(struct ts_event a, struct ts_event b) {
  if (a.action != b.action)
    return a.action < b.action ? -1 : 1;
  return a.choice == b.choice ? 0 : a.choice < b.choice ? -1 : 1;
}

static bool same_edge(const struct ts_edge *a, const struct ts_edge *b) {
  return compare_events(a->event, b->event) == 0 && a->kind == b->kind &&
         (a->kind == TS_FINE || a->fault == b->fault) &&
         (a->kind == TS_MODEL_ERROR || (a->length == b->length && a->changed == b->changed));
}

static bool same_bytes(const uint8_t *a, const uint8_t *b, const struct ts_slot *slot) {
  return memcmp(a + slot->offset, b + slot->offset, slot->bytes) == 0;
}

static bool fill(struct check *check, struct list *list, const uint8_t *state, uint32_t length,
                 const uint64_t *skip) {
  if (list_fill(list, check->inner, check->now, state, length, skip))
    return true;
  if (list->batch.n < list->batch.capacity)
    complain(check, NULL, "a batch of %u events is said to be full, but has room for %u",
             list->batch.n, list->batch.capacity);
  else
    check->untested++;
  return false;
}

/* ---- one state, one successor ------------------------------------------------------ */

/* Whether the type's bits hold the value. */
static bool fits(const struct ts_slot *slot, int64_t value) {
  if (!slot->is_signed)
    return value >> slot->bits == 0;
  if (slot->bits == 0)
    return value == 0;
  int64_t half = INT64_C(1) << (slot->bits - 1);
  return value >= -half && value < half;
}

/* Length, bytes that belong to nothing, and values that a store would cut. */
static bool check_state(struct check *check, const struct ts_event *event, const uint8_t *row,
                        uint32_t length) {
  const struct ts_shape *shape = check->shape;
  char name[160];
  if (length > shape->max_bytes || (shape->fixed_length && length != shape->max_bytes))
    return complain(check, event, "the state has %u bytes", length);
  for (uint32_t i = 0; i < check->stride; i++)
    if (row[i] != 0 && (i >= length || !check->covered[i]))
      return complain(check, event, "byte %u belongs to nothing and is not zero", i);
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    if (!ts_is_there(shape, i, row))
      continue;
    int64_t value = ts_value(&shape->slot[i], row);
    if (!fits(&shape->slot[i], value))
      return complain(check, event, "%s has the value %lld, which its %u bits do not hold",
                      slot_name(check, i, name), (long long)value, shape->slot[i].bits);
  }
  return true;
}

/* What differs must be in the write set, and in a component marked as changed. */
static bool check_writes(struct check *check, const uint8_t *state, const struct ts_edge *edge,
                         const uint8_t *row) {
  const struct ts_shape *shape = check->shape;
  char name[160];
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    const struct ts_slot *slot = &shape->slot[i];
    if (same_bytes(state, row, slot) ||
        (!ts_is_there(shape, i, state) && !ts_is_there(shape, i, row)))
      continue;
    if (!sets_have(shape, &shape->writes, edge->event.action, i))
      return complain(check, &edge->event, "%s changes, but is not in the write set",
                      slot_name(check, i, name));
    uint32_t component = shape->variable[slot->variable].component;
    if ((edge->changed >> (component < 63 ? component : 63) & 1) == 0)
      return complain(check, &edge->event,
                      "%s changes, but component %u is not marked as changed",
                      slot_name(check, i, name), component);
  }
  return true;
}

static bool check_successor(struct check *check, const uint8_t *state, uint32_t i) {
  const struct ts_shape *shape = check->shape;
  const struct ts_edge *edge = &check->here.batch.edge[i];
  if (edge->event.action >= shape->n_actions)
    return complain(check, NULL, "an event names action %u, which there is not",
                    edge->event.action);
  if (i > 0 && compare_events(edge[-1].event, edge->event) >= 0)
    return complain(check, &edge->event, "events do not ascend");
  if (edge->kind > TS_MODEL_ERROR)
    return complain(check, &edge->event, "unknown kind of fault %u", edge->kind);
  if (edge->kind != TS_FINE && edge->fault >= shape->n_faults)
    return complain(check, &edge->event, "fault %u, which there is not", edge->fault);
  if (edge->kind == TS_MODEL_ERROR)
    return true;
  const uint8_t *row = list_row(&check->here, i);
  return check_state(check, &edge->event, row, edge->length) &&
         check_writes(check, state, edge, row);
}

/* ---- other ways to the same successors ----------------------------------------------- */

/* Each event alone, by the cursor, and where the cursor stands afterwards. */
static bool check_single(struct check *check, const uint8_t *state, uint32_t length,
                         uint32_t i) {
  const struct ts_batch *all = &check->here.batch;
  const struct ts_edge *edge = &all->edge[i];
  struct ts_edge fired = {0};
  struct ts_batch one = {
      .edge = &fired, .rows = check->row, .stride = check->stride, .capacity = 1};
  struct ts_event cursor = edge->event;
  int32_t more = check->now->successors(check->inner, state, length, &cursor, NULL, &one);
  if (one.n != 1 || !same_edge(&fired, edge) ||
      (edge->kind != TS_MODEL_ERROR &&
       memcmp(check->row, list_row(&check->here, i), check->stride) != 0))
    return complain(check, &edge->event, "fired alone, it is not the same as among the others");
  bool last = i + 1 == all->n;
  if (more ? compare_events(cursor, edge->event) <= 0 ||
                 (!last && compare_events(cursor, edge[1].event) > 0)
           : !last)
    return complain(check, &edge->event, "the cursor behind it is wrong");
  return true;
}

/* The rows [from, out->n) that a call gave against the list: all events from
 * `begin` on that are not skipped, until the batch was full. */
static bool check_call(struct check *check, struct ts_event begin, const uint64_t *skip,
                       const struct ts_batch *out, uint32_t from, bool more) {
  const struct ts_batch *all = &check->here.batch;
  for (uint32_t i = 0; i < all->n; i++) {
    const struct ts_edge *edge = &all->edge[i];
    if (compare_events(edge->event, begin) < 0 ||
        (skip != NULL && bits_test(skip, edge->event.action)))
      continue;
    if (from == out->n)
      return more || complain(check, &edge->event, "one call gives it, another one does not");
    const uint8_t *row = out->rows + from * out->stride;
    if (!same_edge(edge, &out->edge[from]) ||
        (edge->kind != TS_MODEL_ERROR &&
         memcmp(row, list_row(&check->here, i), check->stride) != 0))
      return complain(check, &edge->event, "two calls give different successors");
    from++;
  }
  if (from == out->n)
    return true;
  return complain(check, NULL, "a call gives more events than another one, or skipped ones");
}

static bool check_skip(struct check *check, const uint8_t *state, uint32_t length) {
  for (uint32_t i = 0; i < BITS_WORDS(check->shape->n_actions); i++)
    check->skip[i] = bits_next_random(&check->random);
  if (!fill(check, &check->there, state, length, check->skip))
    return false;
  return check_call(check, (struct ts_event){0, 0}, check->skip, &check->there.batch, 0, false);
}

/* ---- read sets ------------------------------------------------------------------------ */

/* Event i here did `row` to `state`; event j there did `other` to check->altered. */
static bool check_effect(struct check *check, const uint8_t *state, uint32_t i, uint32_t j) {
  const struct ts_edge *edge = &check->here.batch.edge[i];
  const struct ts_edge *their = &check->there.batch.edge[j];
  char name[160];
  if (edge->kind != their->kind || (edge->kind != TS_FINE && edge->fault != their->fault))
    return complain(check, &edge->event, "its fault depends on what is not in the read set");
  if (edge->kind == TS_MODEL_ERROR)
    return true;
  const uint8_t *row = list_row(&check->here, i), *other = list_row(&check->there, j);
  for (uint32_t s = 0; s < check->shape->n_slots; s++) {
    const struct ts_slot *slot = &check->shape->slot[s];
    if (same_bytes(other, row, slot) ||
        (same_bytes(row, state, slot) && same_bytes(other, check->altered, slot)) ||
        (!ts_is_there(check->shape, s, row) && !ts_is_there(check->shape, s, other)))
      continue;
    return complain(check, &edge->event,
                    "what it does to %s depends on what is not in the read set",
                    slot_name(check, s, name));
  }
  return true;
}

/* An event that is enabled in one of the two states only. */
static bool complain_enabled(struct check *check, struct ts_event event, uint32_t slot) {
  char name[160] = "what another state has there";
  if (slot != TS_NONE)
    slot_name(check, slot, name);
  return complain(check, &event, "%s decides whether it is enabled, but is not in the read set",
                  name);
}

/* Compares both lists: the events of `action`, or, if that is TS_NONE, of all
 * actions that do not read `slot`. */
static bool compare_lists(struct check *check, const uint8_t *state, uint32_t action,
                          uint32_t slot) {
  const struct ts_batch *here = &check->here.batch, *there = &check->there.batch;
  uint32_t i = 0, j = 0;
  while (i < here->n || j < there->n) {
    int order = i == here->n    ? 1
                : j == there->n ? -1
                                : compare_events(here->edge[i].event, there->edge[j].event);
    struct ts_event event = order <= 0 ? here->edge[i].event : there->edge[j].event;
    if (event.action >= check->shape->n_actions)
      return complain(check, NULL, "an event names action %u, which there is not",
                      event.action);
    bool matters = action == TS_NONE
                       ? !sets_have(check->shape, &check->shape->reads, event.action, slot)
                       : event.action == action;
    if (matters && order != 0)
      return complain_enabled(check, event, slot);
    if (matters && !check_effect(check, state, i, j))
      return false;
    i += order <= 0;
    j += order >= 0;
  }
  return true;
}

/* The next slot that has had another value in a state seen; all actions. */
static bool check_one_slot(struct check *check, const uint8_t *state, uint32_t length) {
  const struct ts_shape *shape = check->shape;
  uint32_t s = check->next_slot++ % shape->n_slots;
  const struct ts_slot *slot = &shape->slot[s];
  uint32_t first = pick(check, CHECK_SEEN);
  for (uint32_t k = 0; k < CHECK_SEEN; k++) {
    uint32_t which = (first + k) % CHECK_SEEN;
    const uint8_t *other = check->seen + which * check->stride;
    if (check->seen_length[which] < slot->offset + slot->bytes ||
        length < slot->offset + slot->bytes || same_bytes(other, state, slot) ||
        check->given[s] || !ts_is_there(shape, s, state) || !ts_is_there(shape, s, other))
      continue;
    memcpy(check->altered, state, check->stride);
    memcpy(check->altered + slot->offset, other + slot->offset, slot->bytes);
    return fill(check, &check->there, check->altered, length, NULL) &&
           compare_lists(check, state, TS_NONE, s);
  }
  return true;
}

/* Whether the same things are there in a state seen before. */
static bool same_given(const struct check *check, const uint8_t *state, uint32_t which) {
  const uint8_t *other = check->seen + which * check->stride;
  for (uint32_t i = 0; i < check->shape->n_slots; i++)
    if (check->given[i] && !same_bytes(state, other, &check->shape->slot[i]))
      return false;
  return true;
}

/* One action, in another state that has this one's values where it looks. */
static bool check_mix(struct check *check, const uint8_t *state, uint32_t length,
                      uint32_t action) {
  const struct ts_shape *shape = check->shape;
  uint32_t which = pick(check, CHECK_SEEN);
  if (check->seen_length[which] != length || !same_given(check, state, which))
    return true;
  memcpy(check->altered, check->seen + which * check->stride, check->stride);
  struct sets_walk walk;
  struct ts_range range;
  for (sets_begin(&walk, shape, &shape->reads, action); sets_next(&walk, &range);)
    for (uint32_t i = range.first; i < range.first + range.n; i++)
      memcpy(check->altered + shape->slot[i].offset, state + shape->slot[i].offset,
             shape->slot[i].bytes);
  memset(check->skip, 0xFF, BITS_WORDS(shape->n_actions) * sizeof *check->skip);
  check->skip[action / 64] &= ~(UINT64_C(1) << action % 64);
  return fill(check, &check->there, check->altered, length, check->skip) &&
         compare_lists(check, state, action, TS_NONE);
}

/* Enabled and other actions in turn: both kinds can be read too little. */
static bool check_reads(struct check *check, const uint8_t *state, uint32_t length) {
  const struct ts_batch *here = &check->here.batch;
  for (uint32_t i = 0; i < CHECK_SLOTS; i++)
    if (!check_one_slot(check, state, length))
      return false;
  for (uint32_t i = 0; i < CHECK_MIXES; i++) {
    uint32_t action = i % 2 == 0 && here->n > 0 ? here->edge[pick(check, here->n)].event.action
                                                : pick(check, check->shape->n_actions);
    if (!check_mix(check, state, length, action))
      return false;
  }
  return true;
}

/* Keeps a sample of all states seen so far: each is as likely to be in it. */
static void remember(struct check *check, const uint8_t *state, uint32_t length) {
  uint32_t which = check->n_seen < CHECK_SEEN ? check->n_seen : pick(check, check->n_seen + 1);
  if (check->n_seen < UINT32_MAX - 1)
    check->n_seen++;
  if (which >= CHECK_SEEN)
    return;
  memcpy(check->seen + which * check->stride, state, check->stride);
  check->seen_length[which] = length;
}

/* ---- the decorated functions ------------------------------------------------------------- */

/* The search knows the decorator as constant; what is remembered is not. */
static struct check *check_of(const struct ts *ts) {
  return (struct check *)(uintptr_t)ts->self;
}

static bool check_expansion(struct check *check, const uint8_t *state, uint32_t length) {
  const struct ts_shape *shape = check->shape;
  uint32_t n = check->here.batch.n;
  if (shape->most_events != TS_NONE && n > shape->most_events)
    return complain(check, NULL, "%u events in one state, but %u are said to be the most", n,
                    shape->most_events);
  for (uint32_t i = 0; i < n; i++)
    if (!check_successor(check, state, i))
      return false;
  for (uint32_t i = 0; i < n; i++)
    if (!check_single(check, state, length, i))
      return false;
  if (shape->n_actions == 0 || shape->n_slots == 0)
    return true;
  if (!check_skip(check, state, length) || !check_reads(check, state, length))
    return false;
  remember(check, state, length);
  return true;
}

static int32_t check_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                struct ts_event *cursor, const uint64_t *skip,
                                struct ts_batch *out) {
  struct check *check = check_of(ts);
  struct ts_event begin = *cursor;
  uint32_t from = out->n;
  const struct ts_code *now = ts_code(check->inner);
  int32_t more = now->successors(check->inner, state, length, cursor, skip, out);
  pthread_mutex_lock(&check->mutex);
  check->now = now;
  if (check->complaint[0] == '\0' && check_state(check, NULL, state, length) &&
      fill(check, &check->here, state, length, NULL) &&
      check_call(check, begin, skip, out, from, more != 0) && begin.action == 0 &&
      begin.choice == 0)
    check_expansion(check, state, length);
  pthread_mutex_unlock(&check->mutex);
  return more;
}

static uint32_t check_initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  struct check *check = check_of(ts);
  uint32_t length = ts_code(check->inner)->initial(check->inner, which, row);
  pthread_mutex_lock(&check->mutex);
  check_state(check, NULL, row, length);
  pthread_mutex_unlock(&check->mutex);
  return length;
}

static uint32_t check_violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                               uint32_t from, uint32_t *fault) {
  struct check *check = check_of(ts);
  const struct ts_code *now = ts_code(check->inner);
  uint32_t first = now->violated(check->inner, state, length, from, fault);
  uint32_t second_fault = TS_NONE;
  uint32_t second = now->violated(check->inner, state, length, from, &second_fault);
  pthread_mutex_lock(&check->mutex);
  if (first != second || *fault != second_fault)
    complain(check, NULL, "two calls find different properties violated");
  if (first > check->shape->n_properties || first < from)
    complain(check, NULL, "property %u is said to be violated, which there is not", first);
  pthread_mutex_unlock(&check->mutex);
  return first;
}

static uint32_t check_steps(const struct ts *ts, const uint8_t *state, uint32_t length,
                            struct ts_event event, uint32_t *action, uint32_t capacity) {
  struct check *check = check_of(ts);
  return ts_code(check->inner)->steps(check->inner, state, length, event, action, capacity);
}

static int32_t check_measure(const struct ts *ts, const uint8_t *state, uint32_t length,
                             uint32_t which) {
  struct check *check = check_of(ts);
  return ts_code(check->inner)->measure(check->inner, state, length, which);
}

static int32_t check_ends(const struct ts *ts, const uint8_t *state, uint32_t length) {
  struct check *check = check_of(ts);
  return ts_code(check->inner)->ends(check->inner, state, length);
}

/* ---- opening --------------------------------------------------------------------------------
 */

static size_t skip_bytes(const struct ts_shape *shape) {
  return BITS_WORDS(shape->n_actions) * sizeof(uint64_t);
}

static bool take_memory(struct check *check) {
  const struct ts_shape *shape = check->shape;
  struct budget *budget = check->budget;
  check->altered = budget_alloc(budget, BUDGET_OTHER, check->stride);
  check->row = budget_alloc(budget, BUDGET_OTHER, check->stride);
  check->covered = budget_alloc(budget, BUDGET_OTHER, check->stride);
  check->given = budget_alloc(budget, BUDGET_OTHER, shape->n_slots + (size_t)1);
  check->seen = budget_alloc(budget, BUDGET_OTHER, CHECK_SEEN * check->stride);
  check->skip = budget_alloc(budget, BUDGET_OTHER, skip_bytes(shape));
  return check->altered != NULL && check->row != NULL && check->covered != NULL &&
         check->given != NULL && check->seen != NULL && check->skip != NULL &&
         list_open(&check->here, shape, CHECK_LIST, budget) &&
         list_open(&check->there, shape, CHECK_LIST, budget);
}

struct ts *ts_check_open(const struct ts *inner, struct budget *budget) {
  struct check *check = budget_alloc(budget, BUDGET_OTHER, sizeof *check);
  if (check == NULL)
    return NULL;
  const struct ts_shape *shape = inner->shape;
  check->inner = inner;
  check->shape = shape;
  check->budget = budget;
  check->stride = ts_stride(shape);
  check->random = CHECK_SEED;
  pthread_mutex_init(&check->mutex, NULL);
  check->code =
      (struct ts_code){.abi = TS_ABI,
                       .initial = check_initial,
                       .successors = check_successors,
                       .violated = check_violated,
                       .steps = ts_code(inner)->steps == NULL ? NULL : check_steps,
                       .ends = ts_code(inner)->ends == NULL ? NULL : check_ends,
                       .measure = ts_code(inner)->measure == NULL ? NULL : check_measure};
  check->ts.shape = shape;
  check->ts.self = check;
  atomic_init(&check->ts.code, &check->code);
  if (!take_memory(check)) {
    ts_check_close(&check->ts);
    return NULL;
  }
  for (uint32_t i = 0; i < shape->n_slots; i++)
    memset(check->covered + shape->slot[i].offset, 1, shape->slot[i].bytes);
  for (uint32_t i = 0; i < shape->n_variables; i++)
    if (shape->variable[i].given_most != 0)
      check->given[shape->variable[i].given] = 1;
  return &check->ts;
}

const char *ts_check_complaint(const struct ts *ts) {
  const struct check *check = check_of(ts);
  return check->complaint[0] != '\0' ? check->complaint : NULL;
}

uint64_t ts_check_untested(const struct ts *ts) {
  return check_of(ts)->untested;
}

void ts_check_close(struct ts *ts) {
  if (ts == NULL)
    return;
  struct check *check = check_of(ts);
  struct budget *budget = check->budget;
  list_free(&check->here);
  list_free(&check->there);
  budget_free(budget, BUDGET_OTHER, check->altered, check->stride);
  budget_free(budget, BUDGET_OTHER, check->row, check->stride);
  budget_free(budget, BUDGET_OTHER, check->covered, check->stride);
  budget_free(budget, BUDGET_OTHER, check->given, check->shape->n_slots + (size_t)1);
  budget_free(budget, BUDGET_OTHER, check->seen, CHECK_SEEN * check->stride);
  budget_free(budget, BUDGET_OTHER, check->skip, skip_bytes(check->shape));
  pthread_mutex_destroy(&check->mutex);
  budget_free(budget, BUDGET_OTHER, check, sizeof *check);
}
