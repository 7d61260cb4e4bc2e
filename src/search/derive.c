/* derive.c - a measure of progress taken from the model itself.
 *
 * Evangelista and Kristensen ("Search-order independent state caching", section 5.2) take
 * components of the state for progress: at level 0 only such as never fall; the higher
 * the level, the more are added, and the more of the events may lead back: 1, 2, 5, 10,
 * 20 % of them. They know the whole state space. Here a pilot run comes first: random
 * walks, on which all events of each state are looked at. For every slot it is kept
 * whether the event makes it rise or fall; then the slot is added, rising or falling,
 * that decides most events for each that it decides wrongly, until none fits any more.
 *
 * The estimate may be wrong. That costs persistent states and rounds, and no more: the
 * sweep-line is right for any measure.
 */
#include "search/derive.h"

#include "ts/list.h"

#include <string.h>

enum { MOST_EDGES = 1 << 15, MOST_CELLS = 8 << 20, WALK = 2000, MOST_STEPS = 1 << 16 };

struct pilot {
  const struct ts *ts;
  struct list list;
  uint8_t *row;
  int8_t *rises; /* of each edge, of each slot: 1, 0, -1 */
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
  *p = (struct pilot){.ts = ts,
                      .n_slots = shape->n_slots,
                      .room = room < 256 ? 256 : room,
                      .random = UINT64_C(0x9E3779B97F4A7C15),
                      .budget = budget};
  p->bytes = stride + (size_t)p->room * slots + p->room + slots;
  p->row = budget_map(budget, BUDGET_OTHER, p->bytes, false);
  if (p->row == NULL)
    return false;
  p->rises = (int8_t *)p->row + stride;
  p->decided = p->row + stride + (size_t)p->room * slots;
  p->taken = p->decided + p->room;
  return list_open(&p->list, shape, 64, budget);
}

static void pilot_close(struct pilot *p) {
  if (p->row == NULL)
    return;
  list_free(&p->list);
  budget_unmap(p->budget, BUDGET_OTHER, p->row, p->bytes);
}

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
  }
  p->n++;
}

/* Goes on from the state in `row` until it has no successor; false: memory ran out. */
static bool walk(struct pilot *p, uint32_t length, uint64_t *steps) {
  const struct ts_code *code = ts_code(p->ts);
  for (uint32_t step = 0; step < WALK && p->n < p->room; step++, ++*steps) {
    if (!list_fill(&p->list, p->ts, code, p->row, length, NULL))
      return false;
    const struct ts_batch *batch = &p->list.batch;
    uint32_t next = TS_NONE, seen = 0;
    for (uint32_t i = 0; i < batch->n; i++) {
      if (batch->edge[i].kind == TS_MODEL_ERROR)
        continue;
      if (p->n < p->room)
        note(p, p->row, list_row(&p->list, i));
      if (draw(p, ++seen) == 0)
        next = i;
    }
    if (next == TS_NONE)
      return true;
    length = batch->edge[next].length;
    memcpy(p->row, list_row(&p->list, next), batch->stride);
  }
  return true;
}

static bool run_pilot(struct pilot *p) {
  const struct ts_code *code = ts_code(p->ts);
  uint32_t initial = p->ts->shape->n_initial;
  for (uint64_t steps = 0; steps < MOST_STEPS && p->n < p->room; steps++) {
    memset(p->row, 0, ts_stride(p->ts->shape));
    uint32_t length = code->initial(p->ts, draw(p, initial), p->row);
    if (!walk(p, length, &steps))
      return false;
  }
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

bool derive_progress(struct measure *measure, uint32_t level, struct budget *budget) {
  static const uint32_t percent[] = {0, 1, 2, 5, 10, 20};
  struct pilot p;
  bool fine = pilot_open(&p, measure->ts, budget) && run_pilot(&p), falls;
  uint32_t left = fine ? (uint32_t)((uint64_t)p.n * percent[level] / 100) : 0, slot;
  while (fine && choose(&p, left, &slot, &falls)) {
    p.taken[slot] = 1;
    struct effect effect = effect_of(&p, slot, falls);
    if (!measure_add_slot(measure, slot, falls))
      continue;
    left -= effect.back;
    decide(&p, slot);
  }
  pilot_close(&p);
  return fine;
}
