/* derive.c - a measure of progress taken from the model itself.
 *
 * Evangelista and Kristensen ("Search-order independent state caching", section 5.2) take
 * components of the state for progress: at level 0 only such as never fall; the higher
 * the level, the more are added, and the more of the events may lead back: 1, 2, 5, 10,
 * 20 % of them. They know the whole state space. Here a pilot run comes first, which looks at
 * all events of some ten thousand states: it dives from state to new state as long as
 * there is one, and then again from any of those left aside on the way. So it goes deep and
 * wide, and no state counts twice. (Walks stay where they began, or go round in a cycle
 * that they cannot leave, and count it again and again.) For every slot it is kept
 * whether the event makes it rise or fall; then the slot is added, rising or falling,
 * that decides most events for each that it decides wrongly, until none fits any more.
 *
 * The estimate may be wrong. That costs persistent states and rounds, and no more: the
 * sweep-line is right for any measure.
 */
#include "search/measure/derive.h"

#include "ts/hash.h"
#include "ts/list.h"

#include <string.h>

enum { MOST_EDGES = 1 << 15, MOST_CELLS = 8 << 20, SEEN = 1 << 17, ASIDE = 1 << 20 };

struct range {
  int64_t least, most;
};

struct pilot {
  const struct ts *ts;
  struct list list;
  struct hash *hash;
  uint64_t *seen; /* hashes of the states that were reached */
  uint8_t *row;
  uint8_t *aside;   /* states to dive from, each in a stride */
  uint32_t *length; /* of each */
  uint32_t n_aside, room_aside;
  struct range *range; /* of each slot, the values seen */
  int8_t *rises;       /* of each edge, of each slot: 1, 0, -1 */
  uint8_t *decided;
  uint8_t *taken; /* of each slot */
  uint32_t n_slots, n, room;
  size_t bytes;
  uint64_t random;
  struct budget *budget;
};

static bool pilot_open(struct pilot *p, const struct ts *ts, struct budget *budget) {
  const struct ts_shape *shape = ts->shape;
  uint32_t stride = ts_stride(shape), slots = shape->n_slots + (shape->n_slots == 0);
  uint32_t room = slots > MOST_CELLS / MOST_EDGES ? MOST_CELLS / slots : MOST_EDGES;
  size_t table = SEEN * sizeof(uint64_t);
  uint32_t aside = ASIDE / stride + 16;
  *p = (struct pilot){.ts = ts,
                      .room_aside = aside,
                      .n_slots = shape->n_slots,
                      .room = room < 256 ? 256 : room,
                      .random = UINT64_C(0x9E3779B97F4A7C15),
                      .budget = budget};
  p->bytes = table + slots * sizeof *p->range + aside * (sizeof(uint32_t) + stride) + stride +
             (size_t)p->room * slots + p->room + slots;
  p->hash = hash_open(shape, 0, budget);
  p->seen = budget_map(budget, BUDGET_OTHER, p->bytes, false);
  if (p->hash == NULL || p->seen == NULL)
    return false;
  p->range = (struct range *)(void *)(p->seen + SEEN);
  for (uint32_t i = 0; i < slots; i++)
    p->range[i] = (struct range){INT64_MAX, INT64_MIN};
  p->length = (uint32_t *)(void *)(p->range + slots);
  p->aside = (uint8_t *)(p->length + aside);
  p->row = p->aside + (size_t)aside * stride;
  p->rises = (int8_t *)p->row + stride;
  p->decided = p->row + stride + (size_t)p->room * slots;
  p->taken = p->decided + p->room;
  return list_open(&p->list, shape, 64, budget);
}

static void pilot_close(struct pilot *p) {
  if (p->row != NULL)
    list_free(&p->list);
  if (p->seen != NULL)
    budget_unmap(p->budget, BUDGET_OTHER, p->seen, p->bytes);
  if (p->hash != NULL)
    hash_close(p->hash);
}

/* Marsaglia, "Xorshift RNGs", 2003. Not that of base/bits.h: which measure is derived depends
 * on the numbers, and docs/sweep-line.md was measured with these. */
static uint32_t draw(struct pilot *p, uint32_t n) {
  p->random ^= p->random << 13;
  p->random ^= p->random >> 7;
  p->random ^= p->random << 17;
  return (uint32_t)((p->random >> 32) * n >> 32);
}

static void note(struct pilot *p, const uint8_t *from, const uint8_t *to) {
  int8_t *rises = p->rises + (size_t)p->n * p->n_slots;
  for (uint32_t i = 0; i < p->n_slots; i++) {
    const struct ts_slot *slot = &p->ts->shape->slot[i];
    int64_t a = ts_value(slot, from), b = ts_value(slot, to);
    rises[i] = (int8_t)((b > a) - (b < a));
    struct range *range = &p->range[i];
    range->least = b < range->least ? b : range->least;
    range->most = b > range->most ? b : range->most;
  }
  p->n++;
}

/* The table is never full: there are no more states than edges that are noted, and initial
 * ones. */
static bool is_first(struct pilot *p, const uint8_t *row, uint32_t length) {
  uint64_t hash = hash_finish(hash_raw(p->hash, row, length)) | 1, at = hash >> 32;
  while (p->seen[at % SEEN] != 0 && p->seen[at % SEEN] != hash)
    at++;
  bool first = p->seen[at % SEEN] == 0;
  p->seen[at % SEEN] = hash;
  return first;
}

/* For a later dive; where there is no room, in the place of any. */
static void put_aside(struct pilot *p, const uint8_t *row, uint32_t length) {
  uint32_t stride = ts_stride(p->ts->shape);
  uint32_t at = p->n_aside < p->room_aside ? p->n_aside++ : draw(p, p->n_aside);
  memcpy(p->aside + (size_t)at * stride, row, stride);
  p->length[at] = length;
}

static uint32_t take(struct pilot *p, uint32_t at) {
  uint32_t stride = ts_stride(p->ts->shape), length = p->length[at];
  memcpy(p->row, p->aside + (size_t)at * stride, stride);
  p->n_aside--;
  memmove(p->aside + (size_t)at * stride, p->aside + (size_t)p->n_aside * stride, stride);
  p->length[at] = p->length[p->n_aside];
  return length;
}

/* From the state in `row` to a new one as long as there is one; false: memory ran out. */
static bool dive(struct pilot *p, uint32_t length) {
  const struct ts_code *code = ts_code(p->ts);
  while (p->n < p->room) {
    if (!list_fill(&p->list, p->ts, code, p->row, length, NULL))
      return false;
    const struct ts_batch *batch = &p->list.batch;
    uint32_t from = p->n_aside, fresh = 0;
    for (uint32_t i = 0; i < batch->n && p->n < p->room; i++) {
      if (batch->edge[i].kind == TS_MODEL_ERROR)
        continue;
      const uint8_t *row = list_row(&p->list, i);
      note(p, p->row, row);
      if (is_first(p, row, batch->edge[i].length)) {
        put_aside(p, row, batch->edge[i].length);
        fresh++;
      }
    }
    if (fresh == 0)
      return true;
    length = from + fresh <= p->n_aside ? take(p, from + draw(p, fresh))
                                        : take(p, draw(p, p->n_aside));
  }
  return true;
}

static bool run_pilot(struct pilot *p) {
  const struct ts_code *code = ts_code(p->ts);
  uint32_t initial = p->ts->shape->n_initial;
  for (uint32_t which = 0; which < initial && which < p->room_aside; which++) {
    memset(p->row, 0, ts_stride(p->ts->shape));
    uint32_t length = code->initial(p->ts, which, p->row);
    if (is_first(p, p->row, length))
      put_aside(p, p->row, length);
  }
  while (p->n_aside > 0 && p->n < p->room)
    if (!dive(p, take(p, draw(p, p->n_aside))))
      return false;
  return true;
}

/* What a slot would decide among the edges that are not decided yet. */
struct effect {
  uint32_t forward, back;
};

static struct effect effect_of(const struct pilot *p, uint32_t slot, bool falls) {
  struct effect effect = {0, 0};
  for (uint32_t i = 0; i < p->n; i++) {
    int rise = p->decided[i] ? 0 : p->rises[(size_t)i * p->n_slots + slot];
    effect.forward += rise > 0;
    effect.back += rise < 0;
  }
  return falls ? (struct effect){effect.back, effect.forward} : effect;
}

/* Fewer events back for each one forward; then more forward. */
static bool is_better(struct effect a, struct effect b) {
  uint64_t left = (uint64_t)a.back * (b.forward + 1),
           right = (uint64_t)b.back * (a.forward + 1);
  return left < right || (left == right && a.forward > b.forward);
}

/* The best slot that leads back on at most `most` edges; false: there is none. */
static bool choose(const struct pilot *p, uint32_t most, uint32_t *slot, bool *falls) {
  struct effect best = {0, 0};
  bool any = false;
  for (uint32_t i = 0; i < p->n_slots; i++) {
    if (p->taken[i])
      continue;
    for (uint32_t turn = 0; turn < 2; turn++) {
      struct effect effect = effect_of(p, i, turn == 1);
      if (effect.forward == 0 || effect.back > most || (any && !is_better(effect, best)))
        continue;
      any = true;
      best = effect;
      *slot = i;
      *falls = turn == 1;
    }
  }
  return any;
}

static void decide(struct pilot *p, uint32_t slot) {
  for (uint32_t i = 0; i < p->n; i++)
    p->decided[i] |= p->rises[(size_t)i * p->n_slots + slot] != 0;
}

/* Values beyond those seen by half as much again are told apart, not those farther off:
 * with the whole range of every slot few would fit together. */
static bool add_slot(const struct pilot *p, struct measure *measure, uint32_t slot,
                     bool falls) {
  const struct range *range = &p->range[slot];
  int64_t more = (int64_t)(((uint64_t)range->most - (uint64_t)range->least) / 2);
  int64_t least, most;
  if (__builtin_sub_overflow(range->least, more, &least))
    least = INT64_MIN;
  if (__builtin_add_overflow(range->most, more, &most))
    most = INT64_MAX;
  return measure_add_range(measure, slot, falls, least, most);
}

bool derive_progress(struct measure *measure, uint32_t level, struct budget *budget) {
  static const uint32_t percent[] = {0, 1, 2, 5, 10, 20};
  struct pilot p;
  bool fine = pilot_open(&p, measure->ts, budget) && run_pilot(&p), falls;
  uint32_t left = fine ? (uint32_t)((uint64_t)p.n * percent[level] / 100) : 0, slot;
  while (fine && choose(&p, left, &slot, &falls)) {
    p.taken[slot] = 1;
    struct effect effect = effect_of(&p, slot, falls);
    if (!add_slot(&p, measure, slot, falls))
      continue;
    left -= effect.back;
    decide(&p, slot);
  }
  pilot_close(&p);
  return fine;
}
