/* grow.c - a cleary set grows, and its slots widen, by one sweep over itself.
 *
 * The sweep goes from the last bucket down, with a window of new buckets whose fill is
 * counted in a ring; grow.c says why what is written there has been read. What a
 * sweep cannot place at once becomes a stray, in a list that is looked at when all
 * buckets in reach are full. A dry sweep counts the strays beforehand, since a sweep
 * cannot be undone half-way. If room is too little all the same, the list grows; if
 * there is no memory for that, the entry is lost and the set is out of memory from
 * then on.
 */
#include "store/cleary/grow.h"

#include "store/cleary/settle.h"
#include "store/cleary/slots.h"

#define GROW_LARGE (10 * BUDGET_HUGE) /* from here on whole huge pages */
#define GROW_RING  256u               /* counts of the window, a power of two */
/* At most that many times the homes: then what 16 old buckets lead to, and the reach, fit
 * the ring. No more than 8 times is ever asked for. */
#define GROW_MOST  12u

#define GROW_INLINE static inline __attribute__((always_inline))

/* A sweep from an old layout to that of `set`. */
struct sweep {
  struct cleary *set;
  struct cleary_layout old;
  uint64_t front;          /* the first N buckets wait */
  uint64_t low;            /* the window of buckets being filled begins here */
  uint64_t strays;         /* a dry sweep counts them */
  uint8_t fill[GROW_RING]; /* of bucket b at b modulo GROW_RING */
};

static void start_sweep(struct sweep *s, struct cleary *set, const struct cleary_layout *old) {
  uint64_t buckets = slots_buckets(old), homes = set->layout.homes;
  uint64_t front = SLOTS_SPARE * homes / (homes - old->homes) + 2;
  *s = (struct sweep){.set = set,
                      .old = *old,
                      .front = front < buckets ? front : buckets,
                      .low = slots_buckets(&set->layout)};
}

/* Opens the window down to bucket `low`. A bucket that opens is cleared: all that it held has
 * been read. */
static inline void move_window(struct sweep *s, uint64_t low, bool dry) {
  while (s->low > low) {
    s->fill[--s->low % GROW_RING] = 0;
    if (!dry)
      memset(slots_bucket(s->set, s->low), 0, SLOTS_BUCKET);
  }
}

/* `set` in this and the next: a copy of the sweep's, so that the compiler knows that writing an
 * entry does not change the layout. */
GROW_INLINE void sweep_entry(struct sweep *s, const struct cleary *set,
                             const struct cleary_entry *entry, bool dry) {
  uint64_t home = slots_home(set, entry->key.order);
  for (uint32_t reach = 0; reach < SLOTS_REACH; reach++) {
    uint8_t *fill = &s->fill[(home + reach) % GROW_RING];
    uint8_t used = *fill;
    if (used == set->layout.slots)
      continue;
    *fill = (uint8_t)(used + 1);
    if (!dry)
      slots_put(set, home + reach, used, entry);
    return;
  }
  if (dry)
    s->strays++;
  else
    cleary_add_stray(s->set, entry);
}

/* Moves the entries of bucket p (its contents, not the place they came from). */
GROW_INLINE void sweep_bucket(struct sweep *s, const struct cleary *set,
                              const struct cleary_layout *l, uint64_t p, bool dry) {
  uint8_t copy[SLOTS_BUCKET + 8];
  memcpy(copy, slots_bucket(set, p), SLOTS_BUCKET + 8);
  uint64_t base = slots_base(set->total_bits, l->homes, p), value;
  uint64_t low = base * set->layout.homes >> set->total_bits;
  move_window(s, low, dry);
  for (uint32_t i = 0; i < l->slots && (value = slots_read(l, copy, i)) != 0; i++) {
    struct cleary_entry entry = {slots_decode(l, value, base),
                                 slots_read_extra(set, l, copy, i)};
    sweep_entry(s, set, &entry, dry);
  }
}

GROW_INLINE void sweep_down(struct sweep *s, bool dry) {
  const struct cleary set = *s->set;
  const struct cleary_layout old = s->old;
  for (uint64_t p = slots_buckets(&old); p-- > s->front;)
    sweep_bucket(s, &set, &old, p, dry);
}

/* The first buckets: all are read before any is written, and wait as strays. */
static void sweep_front(struct sweep *s) {
  struct cleary *set = s->set;
  const struct cleary_layout *l = &s->old;
  uint64_t value;
  for (uint64_t p = 0; p < s->front; p++) {
    const uint8_t *bucket = slots_bucket(set, p);
    uint64_t base = slots_base(set->total_bits, l->homes, p);
    for (uint32_t i = 0; i < l->slots && (value = slots_read(l, bucket, i)) != 0; i++) {
      struct cleary_entry entry = {slots_decode(l, value, base),
                                   slots_read_extra(set, l, bucket, i)};
      cleary_add_stray(set, &entry);
    }
  }
  memset(slots_bucket(set, 0), 0, s->low * SLOTS_BUCKET);
  cleary_settle_strays(set);
}

void cleary_spread(struct cleary *set, const struct cleary_layout *old) {
  struct sweep s;
  start_sweep(&s, set, old);
  sweep_down(&s, false);
  sweep_front(&s);
}

/* Gives back room for strays that was taken for a sweep. */
static void trim_strays(struct cleary *set) {
  uint64_t capacity = set->n_strays + set->n_strays / 2;
  if (capacity == 0) {
    budget_free(set->budget, set->purpose, set->stray,
                set->stray_capacity * sizeof *set->stray);
    set->stray = NULL;
    set->stray_capacity = 0;
    return;
  }
  struct cleary_entry *stray =
      budget_realloc(set->budget, set->purpose, set->stray, set->stray_capacity * sizeof *stray,
                     capacity * sizeof *stray);
  if (stray) {
    set->stray = stray;
    set->stray_capacity = capacity;
  }
}

/* Takes room for the strays that a sweep to this layout makes. */
static bool prepare_strays(struct cleary *set, const struct cleary_layout *layout) {
  struct cleary next = *set;
  struct sweep s;
  next.layout = *layout;
  start_sweep(&s, &next, &set->layout);
  sweep_down(&s, true);
  return cleary_reserve_strays(set, set->n_strays + s.strays + s.front * set->layout.slots);
}

static uint64_t round_size(uint64_t bytes) {
  uint64_t unit = bytes >= GROW_LARGE ? BUDGET_HUGE : SLOTS_PAGE;
  return (bytes + unit - 1) / unit * unit;
}

/* Grows to that many bytes, with room for values of that many bits. */
static bool grow_to(struct cleary *set, uint64_t bytes, uint32_t a_bits, uint32_t b_bits) {
  struct cleary_layout old = set->layout;
  struct cleary_layout layout = slots_layout(set, slots_homes(bytes), a_bits, b_bits);
  if (set->lost > 0 || layout.homes < old.homes + old.homes / 16 ||
      layout.homes > old.homes * GROW_MOST || layout.homes >> 31 != 0 ||
      layout.order_bits + a_bits + b_bits > 64 || set->entries >= slots_load(&layout, 95) ||
      !prepare_strays(set, &layout))
    return false;
  void *memory = budget_remap(set->budget, set->purpose, set->memory, slots_bytes(old.homes),
                              bytes, bytes >= BUDGET_HUGE);
  if (!memory) {
    trim_strays(set);
    return false;
  }
  set->memory = memory;
  set->layout = layout;
  set->grow_at = slots_load(&layout, 90);
  cleary_spread(set, &old);
  trim_strays(set);
  return set->lost == 0;
}

bool cleary_make_room(struct cleary *set) {
  const struct cleary_layout *l = &set->layout;
  uint64_t bytes = slots_bytes(l->homes), full = slots_load(l, 95);
  if (grow_to(set, round_size(bytes / 5 * 6), l->a_bits, l->b_bits) ||
      grow_to(set, round_size(bytes / 14 * 15), l->a_bits, l->b_bits))
    return true;
  if (set->lost > 0 || set->entries >= full)
    return false;
  uint64_t next = set->entries + set->entries / 64 + 1;
  set->grow_at = next < full ? next : full;
  return true;
}

/* Gives the values other widths within the slots as they are. */
static void relay(struct cleary *set, uint32_t a_bits, uint32_t b_bits) {
  struct cleary_layout old = set->layout;
  set->layout.a_bits = a_bits;
  set->layout.b_bits = b_bits;
  for (uint64_t p = 0; p < slots_buckets(&old); p++) {
    uint8_t *bucket = slots_bucket(set, p);
    uint64_t value;
    for (uint32_t i = 0; i < old.slots && (value = slots_read(&old, bucket, i)) != 0; i++)
      slots_write(&old, bucket, i, slots_encode(&set->layout, slots_decode(&old, value, 0)));
  }
}

bool cleary_widen(struct cleary *set, struct cleary_key key) {
  const struct cleary_layout *l = &set->layout;
  uint32_t a_bits = bits_for((uint64_t)key.a + 1), b_bits = bits_for((uint64_t)key.b + 2);
  a_bits = a_bits < l->a_bits ? l->a_bits : a_bits;
  b_bits = b_bits < l->b_bits ? l->b_bits : b_bits;
  if (l->order_bits + a_bits + b_bits <= l->width) {
    relay(set, a_bits, b_bits);
    return true;
  }
  /* As many buckets more as there are fewer slots in each, and a fifteenth. */
  uint64_t bytes = slots_bytes(l->homes);
  struct cleary_layout next = slots_layout(set, l->homes, a_bits, b_bits);
  uint64_t needed = bytes * l->slots / next.slots;
  if (set->entries < slots_load(&next, 80))
    needed = bytes;
  return grow_to(set, round_size(needed / 14 * 15 + SLOTS_PAGE), a_bits, b_bits);
}
