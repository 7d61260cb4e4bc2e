/* tables.c - from a net and its layout to the tables of fire.h. */
#include "net/fire.h"

#include <stdlib.h>
#include <string.h>

/* What a transition wants of a slot, and does to it. */
struct need {
  uint32_t slot, low, most;
  uint32_t by;       /* added, modulo what the slot holds */
  bool wants, grows; /* grows: tokens are added */
};

struct order { /* of actions */
  uint64_t key;
  uint32_t transition, watch; /* watch: number of the need, or TS_NONE */
};

struct tables {
  const struct net *net;
  const struct net_layout *layout;
  const uint32_t *fault;
  uint32_t component_words;
  struct fire *fire;
  struct order *order;
  struct {
    struct need *at;
    uint32_t n, capacity;
  } need;                 /* of the transition at hand */
  uint32_t *need_of_slot; /* [slot]: its number there, if that one is of the slot */
  struct {
    struct fire_guard *at;
    uint32_t n, capacity;
  } guard;
  struct {
    struct fire_effect *at;
    uint32_t n, capacity;
  } effect;
  struct {
    struct fire_wide *at;
    uint32_t n, capacity;
  } wide_guard, wide_effect;
  struct {
    struct fire_limit *at;
    uint32_t n, capacity;
  } limit;
  struct {
    uint32_t *at;
    uint32_t n, capacity;
  } range;
};

/* ---- what a transition needs ---------------------------------------------------------------
 */

static struct need *need_of(struct tables *t, uint32_t slot) {
  uint32_t i = t->need_of_slot[slot];
  if (i < t->need.n && t->need.at[i].slot == slot)
    return &t->need.at[i];
  t->need_of_slot[slot] = t->need.n;
  struct need *need = ARENA_PUSH(t->net->arena, &t->need);
  *need = (struct need){.slot = slot, .most = UINT32_MAX};
  return need;
}

/* False: it can never be enabled, for it wants two tokens of a unit, or more of a place than
 * it can hold. */
static bool add_input(struct tables *t, const struct net_arc *arc) {
  struct net_spot spot = t->layout->spot[arc->place];
  const struct net_slot *slot = &t->layout->slot[spot.slot];
  struct need *need = need_of(t, spot.slot);
  if (slot->is_unit) {
    if (arc->weight > 1 || need->wants)
      return false;
    need->low = need->most = spot.value;
    need->by -= spot.value;
  } else {
    if (arc->weight > slot->most)
      return false;
    need->low = arc->weight;
    need->most = slot->most;
    need->by -= arc->weight;
  }
  need->wants = true;
  return true;
}

static void add_output(struct tables *t, const struct net_arc *arc) {
  struct net_spot spot = t->layout->spot[arc->place];
  bool is_unit = t->layout->slot[spot.slot].is_unit;
  need_of(t, spot.slot)->by += is_unit ? spot.value : arc->weight;
}

static bool gather(struct tables *t, uint32_t transition) {
  const struct net *net = t->net;
  t->need.n = 0;
  for (uint32_t i = net->in.start[transition]; i < net->in.start[transition + 1]; i++)
    if (!add_input(t, &net->in.at[i]))
      return false;
  for (uint32_t i = net->out.start[transition]; i < net->out.start[transition + 1]; i++)
    add_output(t, &net->out.at[i]);
  for (uint32_t i = 0; i < t->need.n; i++)
    t->need.at[i].grows = t->need.at[i].by != 0 && t->need.at[i].by < 1u << 31;
  return true;
}

/* ---- who watches
 * ------------------------------------------------------------------------------- */

/* A guess how often the slot has what the transition wants, in parts of 1000. */
static uint32_t often(const struct net_slot *slot) {
  if (slot->is_unit)
    return 1000 / slot->n_places;
  if (slot->initial > 0)
    return slot->most == 1 ? 600 : 800;
  return slot->most == 1 ? 400 : 500;
}

static int by_rareness(const void *left, const void *right, void *context) {
  const struct tables *t = context;
  const struct need *a = left, *b = right;
  uint32_t of_a = a->wants ? often(&t->layout->slot[a->slot]) : 2000;
  uint32_t of_b = b->wants ? often(&t->layout->slot[b->slot]) : 2000;
  if (of_a != of_b)
    return of_a < of_b ? -1 : 1;
  return a->slot < b->slot ? -1 : a->slot > b->slot;
}

static void sort_needs(struct tables *t) {
  if (t->need.n > 1)
    qsort_r(t->need.at, t->need.n, sizeof *t->need.at, by_rareness, t);
}

static int by_key(const void *left, const void *right) {
  const struct order *a = left, *b = right;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return a->transition < b->transition ? -1 : a->transition > b->transition;
}

/* Actions in order. The key says which slot watches, and at which value. */
static void order_actions(struct tables *t) {
  struct fire *f = t->fire;
  t->order = ARENA_ARRAY(t->net->arena, t->net->n_transitions, struct order);
  for (uint32_t i = 0; i < t->net->n_transitions; i++) {
    if (!gather(t, i))
      continue;
    struct order *order = &t->order[f->n_actions++];
    order->transition = i;
    sort_needs(t);
    const struct need *first = t->need.n > 0 ? &t->need.at[0] : NULL;
    if (first == NULL || !first->wants) {
      f->n_always++;
      continue;
    }
    bool is_unit = t->layout->slot[first->slot].is_unit;
    order->key = (uint64_t)(first->slot + 1) << 32 | (is_unit ? first->low : 1);
  }
  if (f->n_actions > 1)
    qsort(t->order, f->n_actions, sizeof *t->order, by_key);
}

/* ---- actions
 * -------------------------------------------------------------------------------------- */

static void add_guard(struct tables *t, struct fire_action *a, const struct need *need,
                      bool is_watch) {
  const struct net_slot *slot = &t->layout->slot[need->slot];
  if (slot->bytes > 1) {
    *ARENA_PUSH(t->net->arena, &t->wide_guard) =
        (struct fire_wide){slot->offset, slot->bytes, need->low, need->most, 0};
    a->n_wide_guards += !is_watch;
    a->wide_guard += is_watch;
  } else {
    uint32_t span = slot->is_unit ? 0 : 255 - need->low;
    *ARENA_PUSH(t->net->arena, &t->guard) =
        (struct fire_guard){(uint16_t)slot->offset, (uint8_t)need->low, (uint8_t)span};
    a->n_guards += !is_watch;
    a->guard += is_watch;
  }
}

static void add_effect(struct tables *t, struct fire_action *a, const struct need *need) {
  const struct net_slot *slot = &t->layout->slot[need->slot];
  uint32_t component = slot->offset / 8 / t->component_words;
  if (need->by == 0)
    return;
  a->changed |= UINT64_C(1) << (component < 63 ? component : 63);
  if (slot->bytes > 1) {
    *ARENA_PUSH(t->net->arena, &t->wide_effect) =
        (struct fire_wide){.offset = slot->offset, .bytes = slot->bytes, .by = need->by};
    a->n_wide_effects++;
  } else {
    *ARENA_PUSH(t->net->arena, &t->effect) =
        (struct fire_effect){(uint16_t)slot->offset, (uint8_t)need->by};
    a->n_effects++;
  }
  if (!slot->is_bounded && need->grows) {
    bool never = need->by > slot->most;
    uint32_t most = never ? 0 : slot->most - need->by;
    *ARENA_PUSH(t->net->arena, &t->limit) =
        (struct fire_limit){slot->offset, slot->bytes, most, t->fault[need->slot], never};
    a->n_limits++;
  }
}

/* The first need watches; a counter that is to hold more than one token is a guard too. */
static void add_action(struct tables *t, struct fire_action *a, const struct order *order) {
  gather(t, order->transition);
  sort_needs(t);
  *a = (struct fire_action){.guard = t->guard.n,
                            .effect = t->effect.n,
                            .wide_guard = t->wide_guard.n,
                            .wide_effect = t->wide_effect.n,
                            .limit = t->limit.n};
  for (uint32_t i = 0; i < t->need.n && t->need.at[i].wants; i++) {
    const struct need *need = &t->need.at[i];
    if (i == 0) {
      a->watching = t->layout->slot[need->slot].bytes > 1 ? FIRE_WIDE : FIRE_BYTE;
      add_guard(t, a, need, true);
      if (t->layout->slot[need->slot].is_unit || need->low <= 1)
        continue;
    }
    add_guard(t, a, need, false);
  }
  for (uint32_t i = 0; i < t->need.n; i++)
    add_effect(t, a, &t->need.at[i]);
}

/* ---- ranges
 * ------------------------------------------------------------------------------------------ */

/* Where the actions of a slot begin, by value from `from` up to `to`. *at: the first
 * action; moved after the last. */
static void add_ranges(struct tables *t, uint32_t slot, uint32_t values, uint32_t *at) {
  const struct fire *f = t->fire;
  for (uint32_t v = 0; v <= values; v++) {
    *ARENA_PUSH(t->net->arena, &t->range) = *at;
    uint64_t key = (uint64_t)(slot + 1) << 32 | v;
    while (v < values && *at < f->n_actions && t->order[*at].key == key)
      (*at)++;
  }
}

static bool watches(const struct tables *t, uint32_t slot, uint32_t at) {
  return at < t->fire->n_actions && t->order[at].key >> 32 == slot + 1;
}

static void range_units(struct tables *t, uint32_t *at) {
  struct fire *f = t->fire;
  struct fire_unit *unit = ARENA_ARRAY(t->net->arena, t->layout->n_slots, struct fire_unit);
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->layout->n_slots; i++) {
    const struct net_slot *slot = &t->layout->slot[i];
    if (slot->bytes == 1 && !slot->is_unit)
      break; /* the others are counters of one byte */
    if (!watches(t, i, *at))
      continue;
    f->n_wide += slot->bytes > 1;
    uint32_t values = slot->is_unit ? slot->n_places : 2;
    unit[n++] =
        (struct fire_unit){slot->offset, slot->bytes, t->range.n, values, !slot->is_unit};
    add_ranges(t, i, values, at);
  }
  f->wide = unit;
  f->unit = unit + f->n_wide;
  f->n_units = n - f->n_wide;
  f->range = t->range.at;
}

static void range_counters(struct tables *t, uint32_t *at) {
  struct fire *f = t->fire;
  const struct net_layout *layout = t->layout;
  f->counter_offset = layout->counter_begin & ~7u;
  f->n_words = (layout->counter_end - f->counter_offset + 7) / 8;
  uint64_t *mask = ARENA_ARRAY(t->net->arena, f->n_words, uint64_t);
  uint32_t *counter = ARENA_ARRAY(t->net->arena, (size_t)8 * f->n_words + 1, uint32_t);
  uint32_t slot = layout->n_slots - (layout->counter_end - layout->counter_begin);
  for (uint32_t k = 0; k < 8 * f->n_words; k++) {
    uint32_t offset = f->counter_offset + k;
    counter[k] = *at;
    if (offset < layout->counter_begin || offset >= layout->counter_end)
      continue;
    if (watches(t, slot, *at))
      mask[k / 8] |= UINT64_C(0x80) << 8 * (k % 8);
    while (watches(t, slot, *at))
      (*at)++;
    slot++;
  }
  counter[8 * f->n_words] = *at;
  f->mask = mask;
  f->counter = counter;
}

/* A first element that nobody uses: then no table is a null pointer. */
static void begin_tables(struct tables *t) {
  struct arena *arena = t->net->arena;
  *ARENA_PUSH(arena, &t->guard) = (struct fire_guard){.span = 255};
  *ARENA_PUSH(arena, &t->effect) = (struct fire_effect){.by = 0};
  *ARENA_PUSH(arena, &t->wide_guard) = (struct fire_wide){.most = UINT32_MAX};
  *ARENA_PUSH(arena, &t->wide_effect) = (struct fire_wide){.by = 0};
  *ARENA_PUSH(arena, &t->limit) = (struct fire_limit){.most = UINT32_MAX};
  *ARENA_PUSH(arena, &t->range) = 0;
}

struct fire *fire_make(const struct net *net, const struct net_layout *layout,
                       uint32_t component_words, const uint32_t *fault) {
  struct arena *arena = net->arena;
  struct tables *t = ARENA_NEW(arena, struct tables);
  struct fire *f = ARENA_NEW(arena, struct fire);
  *t = (struct tables){.net = net,
                       .layout = layout,
                       .fault = fault,
                       .component_words = component_words,
                       .fire = f};
  f->net = net;
  f->layout = layout;
  f->bytes = layout->bytes;
  t->need_of_slot = ARENA_ARRAY(arena, layout->n_slots, uint32_t);
  begin_tables(t);
  order_actions(t);
  struct fire_action *action = ARENA_ARRAY(arena, f->n_actions, struct fire_action);
  uint32_t *transition = ARENA_ARRAY(arena, f->n_actions, uint32_t);
  uint32_t *number = ARENA_ARRAY(arena, net->n_transitions, uint32_t);
  memset(number, 0xFF, net->n_transitions * sizeof *number);
  for (uint32_t i = 0; i < f->n_actions; i++) {
    add_action(t, &action[i], &t->order[i]);
    transition[i] = t->order[i].transition;
    number[transition[i]] = i;
  }
  uint32_t at = f->n_always;
  range_units(t, &at);
  range_counters(t, &at);
  f->action = action;
  f->guard = t->guard.at;
  f->effect = t->effect.at;
  f->wide_guard = t->wide_guard.at;
  f->wide_effect = t->wide_effect.at;
  f->limit = t->limit.at;
  f->transition = transition;
  f->number = number;
  return f;
}
