/* unmatched.c - a decorator for models in which some bytes of a state do not tell it from
 * others.
 *
 * Those bytes are zero in every state that goes out, so that any store and order will do. They
 * are kept here, once for each state that was met, and put back before the model is asked.
 *
 * A state is met when one that leads to it is expanded for the first time, and all of its
 * successors are met then, in the order of events. So it does not matter in which pieces they
 * are asked for, and the way to an error gives the same states when it is gone again.
 */
#include "ts/unmatched.h"

#include "ts/forward.h"
#include "ts/list.h"
#include "ts/pack.h"

#include "base/array.h"
#include "base/clock.h"

#include <string.h>
#include <xxhash.h>

enum {
  LIST = 32,
  FIRST_PLACES = 1024,
  ROOM = 16 /* what pack_row() may write beyond, and more */
};

struct unmatched {
  struct forward forward;
  struct ts_shape shape; /* without bits for what is always zero */
  struct ts_slot *slot;
  const struct ts_range *range;
  uint32_t n_ranges, n_bytes;
  struct budget *budget;
  struct pack *pack;
  struct list list;
  uint8_t *full, *packed; /* a state with its bytes; one without them */
  uint8_t *bytes;         /* of the state that was asked about last */
  /* An entry: the bytes, whether the state was expanded, the state. */
  uint8_t *entries;
  uint64_t used, room;
  uint64_t *place; /* hash table: where in entries, + 1 */
  uint64_t n_places, n;
  atomic_bool stop;
  const atomic_bool *stop_before;
  bool spent, depth_first;
};

static struct unmatched *unmatched_of(const struct ts *ts) {
  return forward_of(ts);
}

static void fail(struct unmatched *u) {
  if (u->spent)
    return;
  u->spent = true;
  atomic_store(&u->stop, true);
  u->stop_before = clock_stop_by(&u->stop);
}

/* ---- bytes ------------------------------------------------------------------------------ */

static void put_bytes(const struct unmatched *u, uint8_t *row, const uint8_t *bytes) {
  for (uint32_t i = 0; i < u->n_ranges; bytes += u->range[i++].n)
    memcpy(row + u->shape.slot[u->range[i].first].offset, bytes, u->range[i].n);
}

/* Out of the row. */
static void take_bytes(const struct unmatched *u, uint8_t *row, uint8_t *bytes) {
  for (uint32_t i = 0; i < u->n_ranges; bytes += u->range[i++].n) {
    uint8_t *at = row + u->shape.slot[u->range[i].first].offset;
    memcpy(bytes, at, u->range[i].n);
    memset(at, 0, u->range[i].n);
  }
}

/* ---- states that were met ---------------------------------------------------------------- */

static uint64_t hash_entry(const struct unmatched *u, uint64_t at) {
  const uint8_t *state = u->entries + at + u->n_bytes + 1;
  return XXH3_64bits(state, pack_size(u->pack, state));
}

static bool grow_places(struct unmatched *u) {
  const uint64_t n = 2 * u->n_places;
  uint64_t *place = array_resize(u->budget, BUDGET_STORE, NULL, 0, n * sizeof *place);
  if (place == NULL)
    return false;
  for (uint64_t i = 0; i < u->n_places; i++) {
    if (u->place[i] == 0)
      continue;
    uint64_t k = hash_entry(u, u->place[i] - 1) & (n - 1);
    while (place[k] != 0)
      k = (k + 1) & (n - 1);
    place[k] = u->place[i];
  }
  array_free(u->budget, BUDGET_STORE, u->place, u->n_places * sizeof *place);
  u->place = place;
  u->n_places = n;
  return true;
}

/* The place of a state, which is packed by this; free if it was not met. */
static uint64_t *find(struct unmatched *u, const uint8_t *state, uint32_t length) {
  memcpy(u->full, state, length);
  memset(u->full + length, 0, ts_stride(&u->shape) - length);
  const uint32_t size = pack_row(u->pack, u->full, length, u->packed);
  uint64_t k = XXH3_64bits(u->packed, size) & (u->n_places - 1);
  for (; u->place[k] != 0; k = (k + 1) & (u->n_places - 1)) {
    const uint8_t *other = u->entries + u->place[k] - 1 + u->n_bytes + 1;
    if (pack_size(u->pack, other) == size && memcmp(other, u->packed, size) == 0)
      break;
  }
  return &u->place[k];
}

static uint8_t *known(struct unmatched *u, const uint8_t *state, uint32_t length) {
  const uint64_t at = *find(u, state, length);
  return at == 0 ? NULL : u->entries + at - 1;
}

/* Takes the bytes out of a state, and keeps them if they are those with which it is entered. */
static void meet(struct unmatched *u, uint8_t *state, uint32_t length) {
  const uint64_t most = u->n_bytes + 1 + pack_bytes(u->pack) + ROOM;
  while (u->room - u->used < most && !u->spent) {
    void *larger = array_grow(u->budget, BUDGET_STORE, u->entries, &u->room, 1);
    u->entries = larger == NULL ? u->entries : larger;
    if (larger == NULL)
      fail(u);
  }
  if (!u->spent && 2 * u->n >= u->n_places && !grow_places(u))
    fail(u);
  if (u->spent) {
    take_bytes(u, state, u->bytes);
    return;
  }
  uint8_t *entry = u->entries + u->used;
  take_bytes(u, state, entry);
  uint64_t *place = find(u, state, length);
  if (*place != 0) {
    uint8_t *old = u->entries + *place - 1;
    if (u->depth_first && !old[u->n_bytes])
      memcpy(old, entry, u->n_bytes);
    return;
  }
  entry[u->n_bytes] = 0;
  const uint32_t size = pack_size(u->pack, u->packed);
  memcpy(entry + u->n_bytes + 1, u->packed, size);
  *place = u->used + 1;
  u->used += u->n_bytes + 1 + size;
  u->n++;
}

/* The state with its bytes; of one that was not met (a test has made it), those of the state
 * before. */
static const uint8_t *whole(struct unmatched *u, const uint8_t *state, uint32_t length) {
  const uint8_t *entry = known(u, state, length);
  if (entry != NULL)
    memcpy(u->bytes, entry, u->n_bytes);
  put_bytes(u, u->full, u->bytes);
  return u->full;
}

/* ---- the ts -------------------------------------------------------------------------------
 */

static uint32_t unmatched_initial(const struct ts *ts, uint32_t which, uint8_t *row) {
  struct unmatched *u = unmatched_of(ts);
  const struct ts *inner = u->forward.inner;
  const uint32_t length = ts_code(inner)->initial(inner, which, row);
  meet(u, row, length);
  return length;
}

static void meet_rows(struct unmatched *u, const struct ts_batch *batch, uint32_t from) {
  for (uint32_t i = from; i < batch->n; i++)
    if (batch->edge[i].kind != TS_MODEL_ERROR)
      meet(u, batch->rows + i * batch->stride, batch->edge[i].length);
}

/* All successors of a state are met. */
static void expand(struct unmatched *u, const uint8_t *state, uint32_t length) {
  const struct ts *inner = u->forward.inner;
  uint8_t *entry = known(u, state, length);
  if (entry == NULL || entry[u->n_bytes])
    return;
  entry[u->n_bytes] = 1;
  if (list_fill(&u->list, inner, ts_code(inner), whole(u, state, length), length, NULL))
    meet_rows(u, &u->list.batch, 0);
  else
    fail(u);
}

static int32_t unmatched_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                    struct ts_event *cursor, const uint64_t *skip,
                                    struct ts_batch *out) {
  struct unmatched *u = unmatched_of(ts);
  const struct ts *inner = u->forward.inner;
  const uint32_t from = out->n;
  expand(u, state, length);
  const int32_t more =
      ts_code(inner)->successors(inner, whole(u, state, length), length, cursor, skip, out);
  meet_rows(u, out, from);
  return u->spent ? 2 : more;
}

static uint32_t unmatched_violated(const struct ts *ts, const uint8_t *state, uint32_t length,
                                   uint32_t from, uint32_t *fault) {
  struct unmatched *u = unmatched_of(ts);
  const struct ts *inner = u->forward.inner;
  return ts_code(inner)->violated(inner, whole(u, state, length), length, from, fault);
}

static uint32_t unmatched_steps(const struct ts *ts, const uint8_t *state, uint32_t length,
                                struct ts_event event, uint32_t *action, uint32_t capacity) {
  struct unmatched *u = unmatched_of(ts);
  const struct ts *inner = u->forward.inner;
  return ts_code(inner)->steps(inner, whole(u, state, length), length, event, action, capacity);
}

static int32_t unmatched_ends(const struct ts *ts, const uint8_t *state, uint32_t length) {
  struct unmatched *u = unmatched_of(ts);
  const struct ts *inner = u->forward.inner;
  return ts_code(inner)->ends(inner, whole(u, state, length), length);
}

static int32_t unmatched_measure(const struct ts *ts, const uint8_t *state, uint32_t length,
                                 uint32_t which) {
  struct unmatched *u = unmatched_of(ts);
  const struct ts *inner = u->forward.inner;
  return ts_code(inner)->measure(inner, whole(u, state, length), length, which);
}

static uint64_t unmatched_letter(const struct ts *ts, const uint8_t *state, uint32_t length,
                                 uint32_t first, uint32_t n, uint32_t *fault) {
  struct unmatched *u = unmatched_of(ts);
  const struct ts *inner = u->forward.inner;
  return ts_code(inner)->letter(inner, whole(u, state, length), length, first, n, fault);
}

static uint32_t unmatched_change(const struct ts *ts, uint8_t *state, uint32_t length,
                                 uint32_t which) {
  struct unmatched *u = unmatched_of(ts);
  const struct ts *inner = u->forward.inner;
  memcpy(state, whole(u, state, length), length);
  const uint32_t fault = ts_code(inner)->change(inner, state, length, which);
  meet(u, state, length);
  return fault;
}

static uint64_t unmatched_marks(const struct ts *ts, const uint8_t *state, uint32_t length,
                                struct ts_event event) {
  struct unmatched *u = unmatched_of(ts);
  const struct ts *inner = u->forward.inner;
  return ts_code(inner)->marks(inner, whole(u, state, length), length, event);
}

/* ---- opening ------------------------------------------------------------------------------
 */

static void take_over(struct unmatched *u, const struct ts *inner) {
  struct ts_code *code = &u->forward.code;
  forward_open(&u->forward, inner);
  code->initial = unmatched_initial;
  code->successors = unmatched_successors;
  code->violated = unmatched_violated;
  code->steps = code->steps == NULL ? NULL : unmatched_steps;
  code->ends = code->ends == NULL ? NULL : unmatched_ends;
  code->measure = code->measure == NULL ? NULL : unmatched_measure;
  code->letter = code->letter == NULL ? NULL : unmatched_letter;
  code->change = code->change == NULL ? NULL : unmatched_change;
  code->marks = code->marks == NULL ? NULL : unmatched_marks;
  code->undo = NULL;
  code->predecessors = NULL;
  code->n_predecessors = NULL;
  code->all_predecessors = NULL;
  u->forward.ts.shape = &u->shape;
  u->forward.ts.remembers = &u->forward.ts;
}

static bool open_shape(struct unmatched *u, const struct ts_shape *shape) {
  const size_t bytes = (shape->n_slots + (size_t)1) * sizeof *u->slot;
  u->shape = *shape;
  u->slot = budget_alloc(u->budget, BUDGET_MODEL, bytes);
  if (u->slot == NULL)
    return false;
  memcpy(u->slot, shape->slot, shape->n_slots * sizeof *u->slot);
  for (uint32_t i = 0; i < u->n_ranges; i++)
    for (uint32_t k = 0; k < u->range[i].n; k++, u->n_bytes++)
      u->slot[u->range[i].first + k].bits = 0;
  u->shape.slot = u->slot;
  return true;
}

struct ts *unmatched_open(const struct ts *inner, const struct ts_range *range, uint32_t n,
                          struct budget *budget) {
  struct unmatched *u = budget_alloc(budget, BUDGET_MODEL, sizeof *u);
  if (u == NULL)
    return NULL;
  u->budget = budget;
  u->range = range;
  u->n_ranges = n;
  u->forward.inner = inner;
  u->forward.ts.self = u;
  const size_t stride = ts_stride(inner->shape);
  if (open_shape(u, inner->shape))
    take_over(u, inner);
  u->full = budget_alloc(budget, BUDGET_MODEL, 2 * (stride + u->n_bytes) + ROOM);
  if (u->full != NULL) {
    u->bytes = u->full + stride;
    u->packed = u->bytes + u->n_bytes;
  }
  u->pack = u->slot == NULL ? NULL : pack_open(&u->shape, budget);
  u->place = array_resize(budget, BUDGET_STORE, NULL, 0, FIRST_PLACES * sizeof *u->place);
  u->n_places = FIRST_PLACES;
  if (list_open(&u->list, inner->shape, LIST, budget) && u->full != NULL && u->pack != NULL &&
      u->place != NULL)
    return &u->forward.ts;
  unmatched_close(&u->forward.ts);
  return NULL;
}

void unmatched_begin(struct ts *ts, bool depth_first) {
  struct unmatched *u = unmatched_of(ts);
  memset(u->place, 0, u->n_places * sizeof *u->place);
  u->used = u->n = 0;
  if (u->spent)
    clock_stop_by(u->stop_before);
  u->spent = false;
  u->depth_first = depth_first;
}

bool unmatched_is_spent(const struct ts *ts) {
  return unmatched_of(ts)->spent;
}

void unmatched_close(struct ts *ts) {
  if (ts == NULL)
    return;
  struct unmatched *u = unmatched_of(ts);
  const size_t stride = ts_stride(u->forward.inner->shape);
  if (u->spent)
    clock_stop_by(u->stop_before);
  list_free(&u->list);
  pack_close(u->pack);
  array_free(u->budget, BUDGET_STORE, u->entries, u->room);
  array_free(u->budget, BUDGET_STORE, u->place,
             u->place == NULL ? 0 : u->n_places * sizeof *u->place);
  budget_free(u->budget, BUDGET_MODEL, u->full, 2 * (stride + u->n_bytes) + ROOM);
  budget_free(u->budget, BUDGET_MODEL, u->slot,
              (u->forward.inner->shape->n_slots + (size_t)1) * sizeof *u->slot);
  budget_free(u->budget, BUDGET_MODEL, u, sizeof *u);
}
