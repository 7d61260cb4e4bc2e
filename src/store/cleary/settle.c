/* settle.c - where an entry of a cleary set goes, and what moves when one leaves.
 *
 * The first bucket in reach that is not full; or one that entries farther on make free by
 * moving on themselves; or else the list of strays. The invariants are at the top of
 * cleary.c.
 */
#include "store/cleary/settle.h"

#include "store/cleary/slots.h"

#define SETTLE_SEARCH 256u /* buckets after its home that are searched for a place */

static void clear_slot(struct cleary *set, uint64_t p, uint32_t i) {
  slots_write(&set->layout, slots_bucket(set, p), i, 0);
  slots_write_extra(set, slots_bucket(set, p), i, 0);
}

bool cleary_reserve_strays(struct cleary *set, uint64_t strays) {
  if (strays <= set->stray_capacity)
    return true;
  uint64_t capacity = strays + strays / 2;
  struct cleary_entry *stray =
      budget_realloc(set->budget, set->purpose, set->stray, set->stray_capacity * sizeof *stray,
                     capacity * sizeof *stray);
  if (!stray)
    return false;
  set->stray = stray;
  set->stray_capacity = capacity;
  return true;
}

void cleary_add_stray(struct cleary *set, const struct cleary_entry *entry) {
  if (set->n_strays == set->stray_capacity && !cleary_reserve_strays(set, set->n_strays + 1)) {
    set->lost++;
    set->entries--;
    return;
  }
  set->stray[set->n_strays++] = *entry;
}

/* Puts an entry into the first bucket that is not full; false: none in reach. */
static bool place_entry(struct cleary *set, const struct cleary_entry *entry) {
  uint64_t home = slots_home(set, entry->key.order);
  for (uint64_t p = home; p < home + SLOTS_REACH; p++) {
    uint32_t used = slots_used(&set->layout, slots_bucket(set, p));
    if (used < set->layout.slots) {
      slots_put(set, p, used, entry);
      return true;
    }
  }
  return false;
}

/* Looks through the slots of bucket q for an entry whose home is in [low, high]. */
static bool find_mover(const struct cleary *set, uint64_t q, uint64_t low, uint64_t high,
                       struct cleary_entry *mover, uint32_t *slot) {
  uint32_t used = slots_used(&set->layout, slots_bucket(set, q));
  for (*slot = 0; *slot < used; ++*slot) {
    *mover = slots_entry(set, q, *slot);
    uint64_t home = slots_home(set, mover->key.order);
    if (home >= low && home <= high)
      return true;
  }
  return false;
}

/* An entry after bucket p, in a run of full buckets, that may move back to p. */
static bool mover_back(const struct cleary *set, uint64_t p, struct cleary_entry *mover,
                       uint64_t *from, uint32_t *slot) {
  uint64_t end = slots_buckets(&set->layout);
  for (uint64_t q = p + 1; q < end && q - p < SLOTS_REACH; q++) {
    *from = q;
    if (find_mover(set, q, 0, p, mover, slot))
      return true;
    if (!slots_full(&set->layout, slots_bucket(set, q)))
      break;
  }
  return false;
}

void cleary_close_hole(struct cleary *set, uint64_t p, uint32_t hole) {
  struct cleary_entry mover;
  uint64_t from;
  uint32_t slot;
  while (slots_full(&set->layout, slots_bucket(set, p)) &&
         mover_back(set, p, &mover, &from, &slot)) {
    slots_put(set, p, hole, &mover);
    p = from;
    hole = slot;
  }
  uint32_t last = slots_used(&set->layout, slots_bucket(set, p)) - 1;
  mover = slots_entry(set, p, last);
  slots_put(set, p, hole, &mover);
  clear_slot(set, p, last);
}

/* An entry before bucket p that may move on to p, the farther the better. */
static bool mover_on(const struct cleary *set, uint64_t p, struct cleary_entry *mover,
                     uint64_t *from, uint32_t *slot) {
  for (uint64_t q = p - SLOTS_SPARE; q < p; q++) {
    *from = q;
    if (find_mover(set, q, p - SLOTS_SPARE, p, mover, slot))
      return true;
  }
  return false;
}

/* Moves entries on towards the end of a run until a place within reach is free
 * (as in hopscotch hashing). False: not possible, or not looked for any farther. */
static bool make_place(struct cleary *set, const struct cleary_entry *entry) {
  uint64_t home = slots_home(set, entry->key.order), p = home + SLOTS_REACH;
  uint64_t end = home + SETTLE_SEARCH, from;
  uint32_t slot, hole;
  struct cleary_entry mover;
  if (end > slots_buckets(&set->layout))
    end = slots_buckets(&set->layout);
  while (p < end && slots_full(&set->layout, slots_bucket(set, p)))
    p++;
  if (p >= end)
    return false;
  hole = slots_used(&set->layout, slots_bucket(set, p));
  bool moved = false;
  while (p - home >= SLOTS_REACH) {
    if (!mover_on(set, p, &mover, &from, &slot)) {
      if (moved)
        cleary_close_hole(set, p, hole);
      return false;
    }
    slots_put(set, p, hole, &mover);
    moved = true;
    p = from;
    hole = slot;
  }
  slots_put(set, p, hole, entry);
  return true;
}

bool cleary_settle(struct cleary *set, const struct cleary_entry *entry) {
  return place_entry(set, entry) || make_place(set, entry);
}

void cleary_settle_strays(struct cleary *set) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < set->n_strays; i++) {
    struct cleary_entry stray = set->stray[i];
    if (!cleary_settle(set, &stray))
      set->stray[kept++] = stray;
  }
  set->n_strays = kept;
}
