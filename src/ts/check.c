/* check.c - a decorator that does not trust a model's facts.
 *
 * The idea is that of LTSmin's dependency checker: declared read and write sets
 * are believed only as far as running the model bears them out. Writes are
 * compared directly: what differs between a state and its successor must have
 * been announced. Reads cannot be observed from outside: check_reads.c
 * alters states for that.
 *
 * The choice of what to alter is pseudo-random from a fixed seed, so a complaint
 * comes again. One lock: this is for finding mistakes, not for speed.
 */
#include "ts/check.h"
#include "ts/check_inside.h"

#include "ts/sets.h"

#include "base/bits.h"

#include <string.h>

#define CHECK_LIST 32 /* successors that there is room for at first */
#define CHECK_SEED 1

static bool same_edge(const struct ts_edge *a, const struct ts_edge *b) {
  return check_compare(a->event, b->event) == 0 && a->kind == b->kind &&
         (a->kind == TS_FINE || a->fault == b->fault) &&
         (a->kind == TS_MODEL_ERROR || (a->length == b->length && a->changed == b->changed));
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
    return check_complain(check, event, "the state has %u bytes", length);
  for (uint32_t i = 0; i < check->stride; i++)
    if (row[i] != 0 && (i >= length || !check->covered[i]))
      return check_complain(check, event, "byte %u belongs to nothing and is not zero", i);
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    if (!ts_is_there(shape, i, row))
      continue;
    int64_t value = ts_value(&shape->slot[i], row);
    if (!fits(&shape->slot[i], value))
      return check_complain(
          check, event, "%s has the value %lld, which its %u bits do not hold",
          check_slot_name(check, i, name), (long long)value, shape->slot[i].bits);
  }
  return true;
}

/* Whether the words that are listed for an action have this slot's. */
static bool is_listed(const struct ts_rows *words, uint32_t action,
                      const struct ts_slot *slot) {
  bool all = true;
  for (uint32_t word = slot->offset / 8; word <= (slot->offset + slot->bytes - 1) / 8; word++) {
    bool one = false;
    for (uint32_t i = words->start[action]; i < words->start[action + 1]; i++)
      one = one || words->item[i] == word;
    all = all && one;
  }
  return all;
}

/* What differs must be in the write set, in a component marked as changed, and in a word that
 * is listed. */
static bool check_writes(struct check *check, const uint8_t *state, const struct ts_edge *edge,
                         const uint8_t *row) {
  const struct ts_shape *shape = check->shape;
  char name[160];
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    const struct ts_slot *slot = &shape->slot[i];
    if (check_same(state, row, slot) ||
        (!ts_is_there(shape, i, state) && !ts_is_there(shape, i, row)))
      continue;
    if (!sets_have(shape, &shape->writes, edge->event.action, i))
      return check_complain(check, &edge->event, "%s changes, but is not in the write set",
                            check_slot_name(check, i, name));
    uint32_t component = shape->variable[slot->variable].component;
    if ((edge->changed >> (component < 63 ? component : 63) & 1) == 0)
      return check_complain(check, &edge->event,
                            "%s changes, but component %u is not marked as changed",
                            check_slot_name(check, i, name), component);
    if (shape->words.start != NULL && !is_listed(&shape->words, edge->event.action, slot))
      return check_complain(check, &edge->event, "%s changes, but word %u is not listed",
                            check_slot_name(check, i, name), slot->offset / 8);
  }
  return true;
}

static bool check_successor(struct check *check, const uint8_t *state, uint32_t i) {
  const struct ts_shape *shape = check->shape;
  const struct ts_edge *edge = &check->here.batch.edge[i];
  if (edge->event.action >= shape->n_actions)
    return check_complain(check, NULL, "an event names action %u, which there is not",
                          edge->event.action);
  if (i > 0 && check_compare(edge[-1].event, edge->event) >= 0)
    return check_complain(check, &edge->event, "events do not ascend");
  if (edge->kind > TS_MODEL_ERROR)
    return check_complain(check, &edge->event, "unknown kind of fault %u", edge->kind);
  if (edge->kind != TS_FINE && edge->fault >= shape->n_faults)
    return check_complain(check, &edge->event, "fault %u, which there is not", edge->fault);
  if (edge->kind == TS_MODEL_ERROR)
    return true;
  const uint8_t *row = list_row(&check->here, i);
  return check_state(check, &edge->event, row, edge->length) &&
         check_writes(check, state, edge, row);
}

/* ---- other ways to the same successors ----------------------------------------------- */

/* Each event alone, by the cursor, and where the cursor is afterwards. */
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
    return check_complain(check, &edge->event,
                          "fired alone, it is not the same as among the others");
  bool last = i + 1 == all->n;
  if (more ? check_compare(cursor, edge->event) <= 0 ||
                 (!last && check_compare(cursor, edge[1].event) > 0)
           : !last)
    return check_complain(check, &edge->event, "the cursor after it is wrong");
  return true;
}

/* The rows [from, out->n) that a call gave against the list: all events from
 * `begin` on that are not skipped, until the batch was full. */
static bool check_call(struct check *check, struct ts_event begin, const uint64_t *skip,
                       const struct ts_batch *out, uint32_t from, bool more) {
  const struct ts_batch *all = &check->here.batch;
  for (uint32_t i = 0; i < all->n; i++) {
    const struct ts_edge *edge = &all->edge[i];
    if (check_compare(edge->event, begin) < 0 ||
        (skip != NULL && bits_test(skip, edge->event.action)))
      continue;
    if (from == out->n)
      return more ||
             check_complain(check, &edge->event, "one call gives it, another one does not");
    const uint8_t *row = out->rows + from * out->stride;
    if (!same_edge(edge, &out->edge[from]) ||
        (edge->kind != TS_MODEL_ERROR &&
         memcmp(row, list_row(&check->here, i), check->stride) != 0))
      return check_complain(check, &edge->event, "two calls give different successors");
    from++;
  }
  if (from == out->n)
    return true;
  return check_complain(check, NULL,
                        "a call gives more events than another one, or skipped ones");
}

static bool check_skip(struct check *check, const uint8_t *state, uint32_t length) {
  for (uint32_t i = 0; i < BITS_WORDS(check->shape->n_actions); i++)
    check->skip[i] = bits_next_random(&check->random);
  if (!check_fill(check, &check->there, state, length, check->skip))
    return false;
  return check_call(check, (struct ts_event){0, 0}, check->skip, &check->there.batch, 0, false);
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
    return check_complain(check, NULL, "%u events in one state, but %u are said to be the most",
                          n, shape->most_events);
  for (uint32_t i = 0; i < n; i++)
    if (!check_successor(check, state, i))
      return false;
  for (uint32_t i = 0; i < n; i++)
    if (!check_single(check, state, length, i))
      return false;
  if (!check_backward(check, state, length))
    return false;
  if (shape->n_actions == 0 || shape->n_slots == 0)
    return true;
  if (!check_skip(check, state, length) || !check_reads(check, state, length))
    return false;
  check_remember(check, state, length);
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
      check_fill(check, &check->here, state, length, NULL) &&
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
    check_complain(check, NULL, "two calls find different properties violated");
  if (first > check->shape->n_properties || first < from)
    check_complain(check, NULL, "property %u is said to be violated, which there is not",
                   first);
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

static uint64_t check_letter(const struct ts *ts, const uint8_t *state, uint32_t length,
                             uint32_t first, uint32_t n, uint32_t *fault) {
  struct check *check = check_of(ts);
  return ts_code(check->inner)->letter(check->inner, state, length, first, n, fault);
}

static uint32_t check_change(const struct ts *ts, uint8_t *state, uint32_t length,
                             uint32_t which) {
  struct check *check = check_of(ts);
  return ts_code(check->inner)->change(check->inner, state, length, which);
}

static uint64_t check_marks(const struct ts *ts, const uint8_t *state, uint32_t length,
                            struct ts_event event) {
  struct check *check = check_of(ts);
  return ts_code(check->inner)->marks(check->inner, state, length, event);
}

static int32_t check_predecessors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                  struct ts_event *cursor, struct ts_batch *out) {
  struct check *check = check_of(ts);
  return ts_code(check->inner)->predecessors(check->inner, state, length, cursor, out);
}

static int32_t check_all_predecessors(const struct ts *ts, const uint8_t *state,
                                      uint32_t length, struct ts_event *cursor,
                                      struct ts_batch *out) {
  struct check *check = check_of(ts);
  return ts_code(check->inner)->all_predecessors(check->inner, state, length, cursor, out);
}

static uint32_t check_n_predecessors(const struct ts *ts, const uint8_t *state,
                                     uint32_t length) {
  struct check *check = check_of(ts);
  return ts_code(check->inner)->n_predecessors(check->inner, state, length);
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
                       .measure = ts_code(inner)->measure == NULL ? NULL : check_measure,
                       .letter = ts_code(inner)->letter == NULL ? NULL : check_letter,
                       .change = ts_code(inner)->change == NULL ? NULL : check_change,
                       .marks = ts_code(inner)->marks == NULL ? NULL : check_marks};
  if (ts_code(inner)->predecessors != NULL) {
    check->code.predecessors = check_predecessors;
    check->code.n_predecessors = check_n_predecessors;
    check->code.all_predecessors = check_all_predecessors;
  }
  check->ts.shape = shape;
  check->ts.self = check;
  check->ts.remembers = inner->remembers;
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
