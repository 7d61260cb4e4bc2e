/* layout.c - the same: units first, from marked places, then bounds of what is left. */
#include "net/layout.h"

#include "net/conserve.h"
#include "net/farkas.h"

#include <stdlib.h>
#include <string.h>

struct laying {
  const struct net *net;
  const struct changes *change;
  struct conserve *search;
  struct net_layout *layout;
  struct net_slot *slot; /* in the order in which they were found */
  uint32_t n;
  bool *taken; /* [place]: has a slot */
  uint32_t bits;
};

/* ---- units --------------------------------------------------------------------------------
 */

static int ascending(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

/* Places of a unit in the order of the text, so that values do not depend on the search. */
static void make_unit(struct laying *l, const uint32_t *place, uint32_t n) {
  uint32_t *sorted = ARENA_ARRAY(l->net->arena, n, uint32_t);
  memcpy(sorted, place, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, ascending);
  struct net_slot *slot = &l->slot[l->n];
  *slot = (struct net_slot){.bytes = n <= 256 ? 1 : 2,
                            .is_unit = true,
                            .is_bounded = true,
                            .most = n - 1,
                            .n_places = n,
                            .place = sorted};
  for (uint32_t i = 0; i < n; i++) {
    l->taken[sorted[i]] = true;
    l->layout->spot[sorted[i]] = (struct net_spot){l->n, i};
    if (l->net->place[sorted[i]].initial > 0)
      slot->initial = i;
  }
  l->n++;
}

static void find_units(struct laying *l) {
  struct conserve_want want = {.exact = true, .most = 1, .barred = l->taken};
  for (uint32_t i = 0; i < l->net->n_places; i++) {
    const uint32_t *place = NULL;
    uint64_t tokens = 0;
    if (l->taken[i] || l->net->place[i].initial != 1)
      continue;
    uint32_t n = conserve_find(l->search, i, &want, &place, &tokens);
    if (n > 1 && tokens == 1)
      make_unit(l, place, n);
  }
}

/* ---- counters
 * --------------------------------------------------------------------------------- */

/* Bounds of places without a unit, UINT32_MAX where none is found. A set that never grows
 * bounds all of its places at once; the tightest sets are looked for first. In small nets
 * weighted sums are found, too. */
static uint32_t *find_bounds(struct laying *l) {
  static const uint64_t round[] = {1, 255, 65535, INT32_MAX};
  const struct net *net = l->net;
  uint32_t *bound = ARENA_ARRAY(net->arena, net->n_places, uint32_t);
  memset(bound, 0xFF, net->n_places * sizeof *bound);
  for (uint32_t r = 0; r < sizeof round / sizeof *round; r++) {
    conserve_renew(l->search);
    for (uint32_t i = 0; i < net->n_places; i++) {
      struct conserve_want want = {.exact = false, .most = round[r]};
      const uint32_t *set = NULL;
      uint64_t tokens = 0;
      if (l->taken[i] || bound[i] != UINT32_MAX)
        continue;
      uint32_t n = conserve_find(l->search, i, &want, &set, &tokens);
      for (uint32_t k = 0; k < n; k++)
        if (bound[set[k]] > tokens)
          bound[set[k]] = (uint32_t)tokens;
    }
  }
  bool safe = true;
  for (uint32_t i = 0; i < net->n_places; i++)
    safe = safe && (l->taken[i] || bound[i] <= 1);
  if (!safe && farkas_is_small(net))
    farkas_bounds(net, l->change, bound);
  return bound;
}

static void make_counter(struct laying *l, uint32_t place, uint32_t bound) {
  uint32_t initial = l->net->place[place].initial;
  bool is_bounded = bound != UINT32_MAX;
  uint32_t room = l->bits == 8 ? 255 : l->bits == 16 ? 65535 : UINT32_MAX;
  uint32_t most = is_bounded ? bound : initial > room ? UINT32_MAX : room;
  uint32_t *own = ARENA_ARRAY(l->net->arena, 1, uint32_t);
  *own = place;
  l->taken[place] = true;
  l->layout->spot[place] = (struct net_spot){l->n, 0};
  l->slot[l->n++] = (struct net_slot){.bytes = most <= 255     ? 1
                                               : most <= 65535 ? 2
                                                               : 4,
                                      .is_bounded = is_bounded,
                                      .most = most,
                                      .n_places = 1,
                                      .place = own,
                                      .initial = initial};
}

/* ---- order and offsets
 * ----------------------------------------------------------------------------- */

static uint32_t rank(const struct net_slot *slot) {
  return slot->bytes == 4 ? 0 : slot->bytes == 2 ? 1 : slot->is_unit ? 2 : 3;
}

/* Slots by rank, each rank in the order of the text; offsets; the new numbers. */
static void place_slots(struct laying *l) {
  struct net_layout *layout = l->layout;
  uint32_t *number = ARENA_ARRAY(l->net->arena, l->n, uint32_t);
  uint32_t n = 0, offset = 0;
  layout->slot = ARENA_ARRAY(l->net->arena, l->n, struct net_slot);
  for (uint32_t want = 0; want < 4; want++) {
    if (want == 2)
      layout->unit_begin = offset;
    if (want == 3)
      layout->counter_begin = offset;
    for (uint32_t i = 0; i < l->n; i++) {
      if (rank(&l->slot[i]) != want)
        continue;
      number[i] = n;
      layout->slot[n] = l->slot[i];
      layout->slot[n++].offset = offset;
      offset += l->slot[i].bytes;
    }
  }
  layout->counter_end = offset;
  layout->n_slots = n;
  layout->bytes = (offset + 7) & ~7u;
  for (uint32_t i = 0; i < l->net->n_places; i++)
    layout->spot[i].slot = number[layout->spot[i].slot];
}

struct net_layout *net_layout(const struct net *net, uint32_t bits, const char **why) {
  struct arena *arena = net->arena;
  struct changes change;
  change_make(&change, net);
  struct laying l = {
      .net = net, .change = &change, .search = conserve_open(net, &change), .bits = bits};
  l.layout = ARENA_NEW(arena, struct net_layout);
  l.layout->spot = ARENA_ARRAY(arena, net->n_places, struct net_spot);
  l.slot = ARENA_ARRAY(arena, net->n_places, struct net_slot);
  l.taken = ARENA_ARRAY(arena, net->n_places, bool);
  find_units(&l);
  const uint32_t *bound = find_bounds(&l);
  for (uint32_t i = 0; i < net->n_places; i++)
    if (!l.taken[i])
      make_counter(&l, i, bound[i]);
  place_slots(&l);
  if (l.layout->bytes <= TS_MAX_BYTES)
    return l.layout;
  *why =
      arena_printf(arena,
                   "a marking would take %u bytes, and at most %u are supported: the net has "
                   "too many places",
                   l.layout->bytes, TS_MAX_BYTES);
  return NULL;
}

uint32_t net_tokens(const struct net_layout *layout, uint32_t place, const uint8_t *state) {
  struct net_spot spot = layout->spot[place];
  const struct net_slot *slot = &layout->slot[spot.slot];
  const uint8_t *at = state + slot->offset;
  uint32_t value = at[0];
  if (slot->bytes > 1)
    value |= (uint32_t)at[1] << 8;
  if (slot->bytes > 2)
    value |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  return slot->is_unit ? value == spot.value : value;
}
