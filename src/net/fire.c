/* fire.c - the interpreter: which transitions are enabled, and where they lead.
 *
 * Everything is tables, for a net has thousands of transitions that are all alike: a
 * function with a guard for each would be slow to compile and slow to run. Per state, the
 * slots that watch are read once; per action looked at, a few guards of four bytes each;
 * per event, the row is copied and a few bytes are added to.
 */
#include "net/fire.h"

#include "base/bits.h"

#include <string.h>

static inline uint32_t load(const uint8_t *at, uint32_t bytes) {
  uint16_t two;
  uint32_t four;
  if (bytes == 1)
    return *at;
  if (bytes == 2) {
    memcpy(&two, at, sizeof two);
    return two;
  }
  memcpy(&four, at, sizeof four);
  return four;
}

static inline void store(uint8_t *at, uint32_t bytes, uint32_t value) {
  uint16_t two = (uint16_t)value;
  if (bytes == 2)
    memcpy(at, &two, sizeof two);
  else
    memcpy(at, &value, sizeof value);
}

static bool wide_guards_hold(const struct fire *f, const struct fire_action *a,
                             const uint8_t *state) {
  const struct fire_wide *guard = f->wide_guard + a->wide_guard;
  for (uint32_t i = 0; i < a->n_wide_guards; i++) {
    uint32_t value = load(state + guard[i].offset, guard[i].bytes);
    if (value < guard[i].low || value > guard[i].most)
      return false;
  }
  return true;
}

/* But for the watch. */
static inline bool guards_hold(const struct fire *f, const struct fire_action *a,
                               const uint8_t *state) {
  const struct fire_guard *guard = f->guard + a->guard;
  for (uint32_t i = 0; i < a->n_guards; i++)
    if ((uint8_t)(state[guard[i].offset] - guard[i].low) > guard[i].span)
      return false;
  return a->n_wide_guards == 0 || wide_guards_hold(f, a, state);
}

/* ---- one event -------------------------------------------------------------------------- */

static inline void copy(uint8_t *to, const uint8_t *from, uint32_t bytes) {
  switch (bytes) {
  case 8:
    memcpy(to, from, 8);
    return;
  case 16:
    memcpy(to, from, 16);
    return;
  case 24:
    memcpy(to, from, 24);
    return;
  case 32:
    memcpy(to, from, 32);
    return;
  default:
    memcpy(to, from, bytes);
  }
}

static void do_wide(const struct fire *f, const struct fire_action *a, uint8_t *row) {
  const struct fire_wide *effect = f->wide_effect + a->wide_effect;
  for (uint32_t i = 0; i < a->n_wide_effects; i++) {
    uint8_t *at = row + effect[i].offset;
    store(at, effect[i].bytes, load(at, effect[i].bytes) + effect[i].by);
  }
}

/* The first counter that would pass what it has room for, or NULL. */
static const struct fire_limit *passed(const struct fire *f, const struct fire_action *a,
                                       const uint8_t *state) {
  const struct fire_limit *limit = f->limit + a->limit;
  for (uint32_t i = 0; i < a->n_limits; i++)
    if (limit[i].never || load(state + limit[i].offset, limit[i].bytes) > limit[i].most)
      return &limit[i];
  return NULL;
}

static inline void emit(const struct fire *f, uint32_t action, const uint8_t *state,
                        struct ts_batch *out) {
  const struct fire_action *a = &f->action[action];
  uint8_t *row = out->rows + out->n * out->stride;
  struct ts_edge *edge = &out->edge[out->n++];
  copy(row, state, f->bytes);
  const struct fire_effect *effect = f->effect + a->effect;
  for (uint32_t i = 0; i < a->n_effects; i++)
    row[effect[i].offset] = (uint8_t)(row[effect[i].offset] + effect[i].by);
  *edge = (struct ts_edge){
      .event = {action, 0}, .length = f->bytes, .kind = TS_FINE, .changed = a->changed};
  if (__builtin_expect((a->n_wide_effects | a->n_limits) != 0, 0)) {
    const struct fire_limit *limit = passed(f, a, state);
    do_wide(f, a, row);
    if (limit != NULL) {
      edge->kind = TS_MODEL_ERROR;
      edge->fault = limit->fault;
    }
  }
}

/* ---- all events ---------------------------------------------------------------------------
 */

struct firing {
  const struct fire *f;
  const uint8_t *state;
  const uint64_t *skip;
  struct ts_batch *out; /* NULL: they are only counted */
  uint32_t *counted;
  uint32_t from; /* actions before it are left out */
};

static uint32_t count_range(const struct firing *w, uint32_t a, uint32_t b) {
  const struct fire *f = w->f;
  for (uint32_t i = a; i < b; i++) {
    const struct fire_action *action = &f->action[i];
    *w->counted += guards_hold(f, action, w->state) &&
                   (action->n_limits == 0 || passed(f, action, w->state) == NULL) &&
                   (w->skip == NULL || !bits_test(w->skip, i));
  }
  return b;
}

/* Actions [a, b), whose watch holds. Returns the first that there was no room for, or b. */
static inline uint32_t fire_range(const struct firing *w, uint32_t a, uint32_t b) {
  if (w->out == NULL)
    return count_range(w, a, b);
  for (uint32_t i = a < w->from ? w->from : a; i < b; i++) {
    if (!guards_hold(w->f, &w->f->action[i], w->state) ||
        (w->skip != NULL && bits_test(w->skip, i)))
      continue;
    if (w->out->n == w->out->capacity)
      return i;
    emit(w->f, i, w->state, w->out);
  }
  return b;
}

/* Where a call that goes on begins: a state of a large net has more successors than a batch has
 * room for, and looking at all slots again took a tenth of the instructions of such an event.
 * The first of n units that watches action `from` or one after it. */
static uint32_t first_unit(const struct fire *f, const struct fire_unit *unit, uint32_t n,
                           uint32_t from) {
  uint32_t low = 0;
  while (low < n) {
    uint32_t middle = low + (n - low) / 2;
    if (f->range[unit[middle].first + unit[middle].values] > from)
      n = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* The same of the words of counters. */
static uint32_t first_word(const struct fire *f, uint32_t from) {
  uint32_t low = 0, n = f->n_words;
  while (low < n) {
    uint32_t middle = low + (n - low) / 2;
    if (f->counter[8 * middle + 8] > from)
      n = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* TS_NONE: all are out; else the first that is not. */
static uint32_t fire_units(const struct firing *w, const struct fire_unit *unit, uint32_t n) {
  const uint32_t *range = w->f->range;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t value = load(w->state + unit[i].offset, unit[i].bytes);
    if (unit[i].is_counter)
      value = value > 0;
    uint32_t a = range[unit[i].first + value], b = range[unit[i].first + value + 1];
    if (a < b && (a = fire_range(w, a, b)) < b)
      return a;
  }
  return TS_NONE;
}

/* The same loop for slots of one byte, without the questions. */
static uint32_t fire_small_units(const struct firing *w) {
  const struct fire *f = w->f;
  uint32_t i = w->from == 0 ? 0 : first_unit(f, f->unit, f->n_units, w->from);
  for (; i < f->n_units; i++) {
    const uint32_t *range = f->range + f->unit[i].first + w->state[f->unit[i].offset];
    uint32_t a = range[0], b = range[1];
    if (a < b && (a = fire_range(w, a, b)) < b)
      return a;
  }
  return TS_NONE;
}

/* Bytes that are not zero, eight at a time. */
static uint32_t fire_counters(const struct firing *w) {
  const struct fire *f = w->f;
  const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
  const uint8_t *state = w->state + f->counter_offset;
  for (uint32_t i = w->from == 0 ? 0 : first_word(f, w->from); i < f->n_words; i++) {
    uint64_t word;
    memcpy(&word, state + 8 * i, sizeof word);
    uint64_t set = (((word & low) + low) | word) & f->mask[i];
    for (; set != 0; set &= set - 1) {
      const uint32_t *range = f->counter + 8 * i + (uint32_t)__builtin_ctzll(set) / 8;
      uint32_t a = fire_range(w, range[0], range[1]);
      if (a < range[1])
        return a;
    }
  }
  return TS_NONE;
}

/* TS_NONE, or the first that there was no room for. */
static inline uint32_t fire_all(const struct firing *w) {
  const struct fire *f = w->f;
  uint32_t always = fire_range(w, 0, f->n_always), left = TS_NONE;
  if (always < f->n_always)
    left = always;
  if (left == TS_NONE && f->n_wide > 0)
    left = fire_units(w, f->wide, f->n_wide);
  if (left == TS_NONE)
    left = fire_small_units(w);
  if (left == TS_NONE)
    left = fire_counters(w);
  return left;
}

uint32_t fire_count(const struct fire *f, const uint8_t *state, const uint64_t *skip) {
  uint32_t n = 0;
  struct firing w = {.f = f, .state = state, .skip = skip, .counted = &n};
  fire_all(&w);
  return n;
}

int32_t fire_successors(const struct fire *f, const uint8_t *state, struct ts_event *cursor,
                        const uint64_t *skip, struct ts_batch *out) {
  struct firing w = {.f = f, .state = state, .skip = skip, .out = out, .from = cursor->action};
  if (cursor->choice > 0) /* every action has one outcome */
    w.from++;
  uint32_t left = fire_all(&w);
  if (left == TS_NONE)
    return 0;
  *cursor = (struct ts_event){left, 0};
  return 1;
}

/* Of each unit the value with the most transitions; of each counter all of them. */
uint32_t fire_most(const struct fire *f) {
  uint64_t most = f->n_always + f->counter[8 * f->n_words] - f->counter[0];
  for (uint32_t i = 0; i < f->n_wide + f->n_units; i++) {
    const struct fire_unit *unit = &f->wide[i];
    uint32_t best = 0;
    for (uint32_t v = 0; v < unit->values; v++) {
      uint32_t n = f->range[unit->first + v + 1] - f->range[unit->first + v];
      best = n > best ? n : best;
    }
    most += best;
  }
  return most < TS_NONE ? (uint32_t)most : TS_NONE;
}

bool fire_enabled(const struct fire *f, uint32_t action, const uint8_t *state) {
  struct fire_action a = f->action[action];
  if (a.watching == FIRE_BYTE) {
    a.guard--;
    a.n_guards++;
  } else if (a.watching == FIRE_WIDE) {
    a.wide_guard--;
    a.n_wide_guards++;
  }
  return guards_hold(f, &a, state);
}

/* What an action adds is taken off again, modulo the size of a slot as it was added: so no
 * other state leads here. Where that was less than there is, no guard need notice; such a state
 * is none that can be reached. */
bool fire_undo(const struct fire *f, uint32_t action, const uint8_t *state, uint8_t *row) {
  const struct fire_action *a = &f->action[action];
  const struct fire_effect *effect = f->effect + a->effect;
  const struct fire_wide *wide = f->wide_effect + a->wide_effect;
  copy(row, state, f->bytes);
  for (uint32_t i = 0; i < a->n_effects; i++)
    row[effect[i].offset] = (uint8_t)(row[effect[i].offset] - effect[i].by);
  for (uint32_t i = 0; i < a->n_wide_effects; i++) {
    uint8_t *at = row + wide[i].offset;
    store(at, wide[i].bytes, load(at, wide[i].bytes) - wide[i].by);
  }
  return fire_enabled(f, action, row);
}

/* A batch without room is full at the first event. */
bool fire_any(const struct fire *f, const uint8_t *state) {
  struct ts_batch none = {.n = 0};
  struct ts_event cursor = {0, 0};
  return fire_successors(f, state, &cursor, NULL, &none) != 0;
}
