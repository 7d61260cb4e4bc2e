/* cleary.c - a compact hash table of 64-byte buckets that grows in place.
 *
 * Quotienting (Knuth, volume 3, section 6.4, exercise 13; Cleary, Compact hash
 * tables using bidirectional linear probing, 1984): where an entry is determines part of
 * its key, so that part need not be kept. Here with buckets, any number of them,
 * and order-preserving places, as index.c has them and argues for them:
 *   home   floor(order * homes / 2^total_bits), monotone in the order
 *   slot   v + 1 in `width` bits, v being, from the low end, the order modulo 2^T
 *          (T = order_bits), a and b; zero: free. b is always less than
 *          2^b_bits - 1, so v + 1 fits.
 * An entry is in its home or, after full buckets only, at most REACH - 1 farther
 * on. So the orders of bucket p's entries come from an interval of at most
 * ceil(REACH * 2^total_bits / homes) numbers, and 2^T is no less than that. What a
 * key costs is therefore its bits, less the log of the number of homes, and four
 * for the reach. Doubling the table takes a bit from every slot.
 *
 * In a bucket first come the low 16 bits of all slots, then the other bits of each,
 * then the opaque bits of each. A look-up compares the 16-bit parts at once, by
 * vector instructions, and takes out single bits only of those that are equal: so
 * slots may have any width, and a bucket as many of them as fit. Slots are as wide as
 * their number allows, which leaves room for a and b to widen.
 *
 * How the set grows is in grow.c; where an entry goes, in settle.c; how slots
 * are read and written, in slots.h.
 *
 * Invariants: (1) the used slots of a bucket come first; (2) all buckets between an
 * entry's home and its place are full; (3) all buckets within reach of a stray
 * are full.
 */
#include "store/cleary/cleary.h"

#include "store/cleary/grow.h"
#include "store/cleary/settle.h"
#include "store/cleary/slots.h"

#include <assert.h>

uint64_t cleary_reserved(const struct cleary *set) {
  return slots_bytes(set->layout.homes) - set->given_back +
         set->stray_capacity * sizeof(struct cleary_entry);
}

bool cleary_open(struct cleary *set, struct budget *budget, enum budget_purpose purpose,
                 uint32_t total_bits, uint32_t extra_bits) {
  assert(total_bits <= 32 && extra_bits <= 64);
  *set = (struct cleary){
      .budget = budget, .purpose = purpose, .total_bits = total_bits, .extra_bits = extra_bits};
  set->memory = budget_map(budget, purpose, SLOTS_PAGE, false);
  if (!set->memory)
    return false;
  set->layout = slots_layout(set, slots_homes(SLOTS_PAGE), 0, 1);
  set->grow_at = slots_load(&set->layout, 90);
  return true;
}

void cleary_close(struct cleary *set) {
  budget_unmap(set->budget, set->purpose, set->memory,
               slots_bytes(set->layout.homes) - set->given_back);
  budget_free(set->budget, set->purpose, set->stray, set->stray_capacity * sizeof *set->stray);
  *set = (struct cleary){0};
}

static inline bool same_key(struct cleary_key x, struct cleary_key y) {
  return x.order == y.order && x.a == y.a && x.b == y.b;
}

struct cleary_place {
  uint8_t *bucket; /* NULL: a stray */
  uint64_t slot;   /* or the stray's number */
  uint64_t p;
};

static bool find_stray(const struct cleary *set, struct cleary_key key,
                       struct cleary_place *place) {
  for (uint64_t i = 0; i < set->n_strays; i++) {
    if (same_key(set->stray[i].key, key)) {
      *place = (struct cleary_place){NULL, i, 0};
      return true;
    }
  }
  return false;
}

static inline bool find(const struct cleary *set, struct cleary_key key,
                        struct cleary_place *place) {
  const struct cleary_layout *l = &set->layout;
  uint64_t home = slots_home(set, key.order), value = slots_encode(l, key);
  if (!slots_fit(l, key))
    return find_stray(set, key, place);
  for (uint32_t reach = 0; reach < SLOTS_REACH; reach++) {
    uint8_t *bucket = slots_bucket(set, home + reach);
    for (uint32_t hits = slots_match(bucket, (uint16_t)value, l->slots); hits;
         hits &= hits - 1) {
      uint32_t i = (uint32_t)__builtin_ctz(hits);
      if (slots_read(l, bucket, i) == value) {
        *place = (struct cleary_place){bucket, i, home + reach};
        return true;
      }
    }
    if (!slots_full(l, bucket))
      return false;
  }
  return find_stray(set, key, place);
}

void cleary_prefetch(const struct cleary *set, uint32_t order) {
  __builtin_prefetch(slots_bucket(set, slots_home(set, order)));
}

bool cleary_has(const struct cleary *set, struct cleary_key key) {
  struct cleary_place place;
  return find(set, key, &place);
}

enum cleary_answer cleary_put(struct cleary *set, struct cleary_key key) {
  struct cleary_place found;
  if (find(set, key, &found))
    return CLEARY_OLD;
  if (set->lost > 0)
    return CLEARY_SPENT;
  if (!slots_fit(&set->layout, key) && !cleary_widen(set, key))
    return CLEARY_SPENT;
  while (set->entries >= set->grow_at) {
    if (!cleary_make_room(set))
      return CLEARY_SPENT;
  }
  struct cleary_entry entry = {key, 0};
  if (!cleary_settle(set, &entry)) {
    if (!cleary_reserve_strays(set, set->n_strays + 1))
      return CLEARY_SPENT;
    cleary_add_stray(set, &entry);
  }
  set->entries++;
  return CLEARY_NEW;
}

bool cleary_remove(struct cleary *set, struct cleary_key key) {
  struct cleary_place place;
  if (!find(set, key, &place))
    return false;
  set->entries--;
  if (!place.bucket) {
    set->stray[place.slot] = set->stray[--set->n_strays];
    return true;
  }
  cleary_close_hole(set, place.p, (uint32_t)place.slot);
  cleary_settle_strays(set);
  return true;
}

uint64_t cleary_extra(const struct cleary *set, struct cleary_key key) {
  struct cleary_place place;
  if (!find(set, key, &place))
    return 0;
  if (!place.bucket)
    return set->stray[place.slot].extra;
  return slots_read_extra(set, &set->layout, place.bucket, (uint32_t)place.slot);
}

void cleary_set_extra(struct cleary *set, struct cleary_key key, uint64_t extra) {
  struct cleary_place place;
  if (!find(set, key, &place))
    return;
  if (place.bucket)
    slots_write_extra(set, place.bucket, (uint32_t)place.slot, extra);
  else
    set->stray[place.slot].extra = extra;
}

bool cleary_each(const struct cleary *set,
                 bool (*visit)(void *context, const struct cleary_entry *), void *context) {
  for (uint64_t p = 0; p < slots_buckets(&set->layout); p++) {
    uint32_t used = slots_used(&set->layout, slots_bucket(set, p));
    for (uint32_t i = 0; i < used; i++) {
      struct cleary_entry entry = slots_entry(set, p, i);
      if (!visit(context, &entry))
        return false;
    }
  }
  for (uint64_t i = 0; i < set->n_strays; i++) {
    if (!visit(context, &set->stray[i]))
      return false;
  }
  return true;
}

/* Full buckets in a row that end before bucket p. */
static uint64_t full_before(const struct cleary *set, uint64_t p) {
  uint64_t n = 0;
  while (n < p && n <= SLOTS_REACH && slots_full(&set->layout, slots_bucket(set, p - n - 1)))
    n++;
  return n;
}

static const char *check_bucket(const struct cleary *set, uint64_t p) {
  const struct cleary_layout *l = &set->layout;
  uint32_t used = slots_used(l, slots_bucket(set, p));
  uint64_t full = full_before(set, p);
  for (uint32_t i = used; i < l->slots; i++) {
    if (slots_read(l, slots_bucket(set, p), i) != 0 ||
        slots_read_extra(set, l, slots_bucket(set, p), i) != 0)
      return "cleary: a free slot of a bucket is followed by a used one, or not clean";
  }
  for (uint32_t i = 0; i < used; i++) {
    uint64_t home = slots_home(set, slots_entry(set, p, i).key.order);
    if (home > p || p - home >= SLOTS_REACH)
      return "cleary: an entry is out of reach of its home";
    if (p - home > full)
      return "cleary: a bucket between an entry and its home is not full";
  }
  return NULL;
}

const char *cleary_check(const struct cleary *set) {
  uint64_t found = set->n_strays;
  for (uint64_t p = 0; p < slots_buckets(&set->layout); p++) {
    const char *broken = check_bucket(set, p);
    if (broken)
      return broken;
    found += slots_used(&set->layout, slots_bucket(set, p));
  }
  for (uint64_t i = 0; i < set->n_strays; i++) {
    if (full_before(set, slots_home(set, set->stray[i].key.order) + SLOTS_REACH) < SLOTS_REACH)
      return "cleary: a stray has a place within reach";
  }
  return found == set->entries ? NULL : "cleary: the number of entries is wrong";
}
