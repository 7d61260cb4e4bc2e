/* cleary.c - a compact hash table of 64-byte buckets that grows in place.
 *
 * Quotienting (Knuth, volume 3, section 6.4, exercise 13; Cleary, Compact hash
 * tables using bidirectional linear probing, 1984): where an entry lies tells part of
 * its key, so that part need not be kept. Here with buckets, any number of them,
 * and order-preserving places, as index.c has them and argues for them:
 *   home   floor(order * homes / 2^total_bits), monotone in the order
 *   slot   v + 1 in `width` bits, v being, from the low end, the order modulo 2^T
 *          (T = order_bits), a and b; zero: free. b is always less than
 *          2^b_bits - 1, so v + 1 fits.
 * An entry lies in its home or, behind full buckets only, at most REACH - 1 farther
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
 * Growing, and making slots wider, is one sweep from the last bucket down, with a
 * window of new buckets whose fill is counted in a ring; index.c tells why what is
 * written there has been read. What a sweep cannot place at once becomes a stray, in a
 * list that is looked at when all buckets in reach are full. A dry sweep counts the
 * strays beforehand, since a sweep must not fail half-way.
 *
 * Invariants: (1) the used slots of a bucket come first; (2) all buckets between an
 * entry's home and its place are full; (3) all buckets within reach of a stray
 * are full.
 */
#include "store/cleary.h"

#include "base/bits.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CLEARY_BUCKET 64u /* bytes */
#define CLEARY_REACH  15u /* buckets an entry may lie in */
#define CLEARY_SPARE  (CLEARY_REACH - 1)
#define CLEARY_BEHIND 1u /* unused buckets at the end, for whole words */
#define CLEARY_PAGE   4096u
#define CLEARY_LARGE  (10 * BUDGET_HUGE)
#define CLEARY_TAG    16u
#define CLEARY_MOST   32u  /* slots per bucket */
#define CLEARY_RING   256u /* counts of the window, a power of two */
#define CLEARY_FRONT  256u /* buckets that may have to wait in the buffer */
#define CLEARY_SEARCH 256u /* buckets behind its home that are searched for a place */

static uint64_t bytes_for(uint64_t homes) {
  return (homes + CLEARY_SPARE + CLEARY_BEHIND) * CLEARY_BUCKET;
}

static uint64_t homes_in(uint64_t bytes) {
  return bytes / CLEARY_BUCKET - CLEARY_SPARE - CLEARY_BEHIND;
}

static uint64_t n_buckets(const struct cleary_layout *l) {
  return l->homes + CLEARY_SPARE;
}

uint64_t cleary_reserved(const struct cleary *set) {
  return bytes_for(set->layout.homes) + set->stray_capacity * sizeof(struct cleary_entry);
}

static inline uint64_t low_bits(uint32_t bits) {
  return bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
}

/* Figures for so many homes and for values of so many bits. */
static struct cleary_layout layout_for(const struct cleary *set, uint64_t homes,
                                       uint32_t a_bits, uint32_t b_bits) {
  struct cleary_layout l = {.homes = homes, .a_bits = a_bits, .b_bits = b_bits};
  uint64_t interval = (((uint64_t)CLEARY_REACH << set->total_bits) + homes - 1) / homes;
  l.order_bits = bits_for(interval);
  if (l.order_bits > set->total_bits)
    l.order_bits = set->total_bits;
  uint32_t least = l.order_bits + a_bits + b_bits;
  least = least < CLEARY_TAG ? CLEARY_TAG : least;
  l.slots = CLEARY_BUCKET * 8 / (least + set->extra_bits);
  l.width = CLEARY_BUCKET * 8 / l.slots - set->extra_bits;
  l.width = l.width > 64 ? 64 : l.width;
  return l;
}

static uint64_t load_for(const struct cleary_layout *l, uint32_t percent) {
  return l->homes * l->slots / 100 * percent + l->homes * l->slots % 100 * percent / 100;
}

bool cleary_open(struct cleary *set, struct budget *budget, enum budget_purpose purpose,
                 uint32_t total_bits, uint32_t extra_bits) {
  assert(total_bits <= 32 && extra_bits <= 64);
  *set = (struct cleary){
      .budget = budget, .purpose = purpose, .total_bits = total_bits, .extra_bits = extra_bits};
  set->memory = budget_map(budget, purpose, CLEARY_PAGE, false);
  if (!set->memory)
    return false;
  set->layout = layout_for(set, homes_in(CLEARY_PAGE), 0, 1);
  set->grow_at = load_for(&set->layout, 90);
  return true;
}

void cleary_close(struct cleary *set) {
  budget_unmap(set->budget, set->purpose, set->memory, bytes_for(set->layout.homes));
  budget_free(set->budget, set->purpose, set->stray, set->stray_capacity * sizeof *set->stray);
  *set = (struct cleary){0};
}

/* Bits [from, from + bits) of a bucket; bits <= 64, and at most 57 if they start
 * within a byte. */
static inline uint64_t read_bits(const uint8_t *bucket, uint32_t from, uint32_t bits) {
  uint64_t word;
  memcpy(&word, bucket + from / 8, 8);
  return word >> (from % 8) & low_bits(bits);
}

static inline void write_bits(uint8_t *bucket, uint32_t from, uint32_t bits, uint64_t value) {
  uint64_t word, mask = low_bits(bits) << (from % 8);
  memcpy(&word, bucket + from / 8, 8);
  word = (word & ~mask) | value << (from % 8);
  memcpy(bucket + from / 8, &word, 8);
}

static inline uint8_t *bucket_at(const struct cleary *set, uint64_t p) {
  return set->memory + p * CLEARY_BUCKET;
}

static inline uint64_t read_slot(const struct cleary_layout *l, const uint8_t *bucket,
                                 uint32_t i) {
  uint32_t rest = l->width - CLEARY_TAG;
  uint16_t tag;
  memcpy(&tag, bucket + 2 * i, 2);
  return tag | read_bits(bucket, l->slots * CLEARY_TAG + i * rest, rest) << CLEARY_TAG;
}

static inline void write_slot(const struct cleary_layout *l, uint8_t *bucket, uint32_t i,
                              uint64_t value) {
  uint32_t rest = l->width - CLEARY_TAG;
  uint16_t tag = (uint16_t)value;
  memcpy(bucket + 2 * i, &tag, 2);
  write_bits(bucket, l->slots * CLEARY_TAG + i * rest, rest, value >> CLEARY_TAG);
}

/* The opaque bits go in two halves, each of which fits a word wherever it starts. */
static uint64_t read_extra(const struct cleary *set, const struct cleary_layout *l,
                           const uint8_t *bucket, uint32_t i) {
  uint32_t bits = set->extra_bits, low = bits / 2, from = l->slots * l->width + i * bits;
  if (bits == 0)
    return 0;
  return read_bits(bucket, from, low) | read_bits(bucket, from + low, bits - low) << low;
}

static void write_extra(const struct cleary *set, uint8_t *bucket, uint32_t i, uint64_t extra) {
  const struct cleary_layout *l = &set->layout;
  uint32_t bits = set->extra_bits, low = bits / 2, from = l->slots * l->width + i * bits;
  if (bits == 0)
    return;
  write_bits(bucket, from, low, extra & low_bits(low));
  write_bits(bucket, from + low, bits - low, extra >> low);
}

static inline uint64_t home_of(const struct cleary *set, uint32_t order) {
  return (uint64_t)order * set->layout.homes >> set->total_bits;
}

/* The least order whose home is this one or farther on. */
static inline uint64_t least_order(uint32_t total_bits, uint64_t homes, uint64_t home) {
  return ((home << total_bits) + homes - 1) / homes;
}

/* The least order that an entry in bucket p can have. */
static inline uint64_t base_of(uint32_t total_bits, uint64_t homes, uint64_t p) {
  return p <= CLEARY_SPARE ? 0 : least_order(total_bits, homes, p - CLEARY_SPARE);
}

static inline bool fits(const struct cleary_layout *l, struct cleary_key key) {
  return (uint64_t)key.a >> l->a_bits == 0 && key.b < low_bits(l->b_bits);
}

/* What stands in the slot of a key that fits. */
static inline uint64_t encode(const struct cleary_layout *l, struct cleary_key key) {
  uint64_t v = (key.order & low_bits(l->order_bits)) | (uint64_t)key.a << l->order_bits |
               (uint64_t)key.b << (l->order_bits + l->a_bits);
  return v + 1;
}

static inline struct cleary_key decode(const struct cleary_layout *l, uint64_t value,
                                       uint64_t base) {
  uint64_t v = value - 1, mask = low_bits(l->order_bits);
  return (struct cleary_key){(uint32_t)(base + ((v - base) & mask)),
                             (uint32_t)(v >> l->order_bits & low_bits(l->a_bits)),
                             (uint32_t)(v >> (l->order_bits + l->a_bits))};
}

static inline bool is_full(const struct cleary_layout *l, const uint8_t *bucket) {
  return read_slot(l, bucket, l->slots - 1) != 0;
}

/* Which slots have this low part: bit i for slot i. */
static inline uint32_t match_tags(const uint8_t *bucket, uint16_t tag, uint32_t slots) {
  uint32_t hits = 0;
#ifdef __SSE2__
  __m128i want = _mm_set1_epi16((short)tag), same[4];
  for (uint32_t i = 0; i < 4; i++)
    same[i] = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)(const void *)bucket + i), want);
  hits = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(same[0], same[1])) |
         (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(same[2], same[3])) << 16;
#else
  for (uint32_t i = 0; i < slots; i++) {
    uint16_t have;
    memcpy(&have, bucket + 2 * i, 2);
    hits |= (uint32_t)(have == tag) << i;
  }
#endif
  return hits & (uint32_t)low_bits(slots);
}

static uint32_t used_slots(const struct cleary_layout *l, const uint8_t *bucket) {
  for (uint32_t free = match_tags(bucket, 0, l->slots); free; free &= free - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(free);
    if (read_slot(l, bucket, i) == 0)
      return i;
  }
  return l->slots;
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
  uint64_t home = home_of(set, key.order), value = encode(l, key);
  if (!fits(l, key))
    return find_stray(set, key, place);
  for (uint32_t reach = 0; reach < CLEARY_REACH; reach++) {
    uint8_t *bucket = bucket_at(set, home + reach);
    for (uint32_t hits = match_tags(bucket, (uint16_t)value, l->slots); hits;
         hits &= hits - 1) {
      uint32_t i = (uint32_t)__builtin_ctz(hits);
      if (read_slot(l, bucket, i) == value) {
        *place = (struct cleary_place){bucket, i, home + reach};
        return true;
      }
    }
    if (!is_full(l, bucket))
      return false;
  }
  return find_stray(set, key, place);
}

void cleary_prefetch(const struct cleary *set, uint32_t order) {
  __builtin_prefetch(bucket_at(set, home_of(set, order)));
}

bool cleary_has(const struct cleary *set, struct cleary_key key) {
  struct cleary_place place;
  return find(set, key, &place);
}

static struct cleary_entry entry_at(const struct cleary *set, uint64_t p, uint32_t i) {
  const struct cleary_layout *l = &set->layout;
  const uint8_t *bucket = bucket_at(set, p);
  return (struct cleary_entry){
      decode(l, read_slot(l, bucket, i), base_of(set->total_bits, l->homes, p)),
      read_extra(set, l, bucket, i)};
}

static void write_entry(struct cleary *set, uint64_t p, uint32_t i,
                        const struct cleary_entry *entry) {
  uint8_t *bucket = bucket_at(set, p);
  write_slot(&set->layout, bucket, i, encode(&set->layout, entry->key));
  write_extra(set, bucket, i, entry->extra);
}

static void clear_slot(struct cleary *set, uint64_t p, uint32_t i) {
  write_slot(&set->layout, bucket_at(set, p), i, 0);
  write_extra(set, bucket_at(set, p), i, 0);
}

/* Room for so many strays in all. */
static bool reserve_strays(struct cleary *set, uint64_t strays) {
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

static void add_stray(struct cleary *set, const struct cleary_entry *entry) {
  if (set->n_strays == set->stray_capacity) {
    fprintf(stderr, "%s:%d: internal error: more strays than room was taken for\n", __FILE__,
            __LINE__);
    abort();
  }
  set->stray[set->n_strays++] = *entry;
}

/* Puts an entry into the first bucket that is not full; false: none in reach. */
static bool place_entry(struct cleary *set, const struct cleary_entry *entry) {
  uint64_t home = home_of(set, entry->key.order);
  for (uint64_t p = home; p < home + CLEARY_REACH; p++) {
    uint32_t used = used_slots(&set->layout, bucket_at(set, p));
    if (used < set->layout.slots) {
      write_entry(set, p, used, entry);
      return true;
    }
  }
  return false;
}

/* Looks through the slots of bucket q for an entry whose home is in [low, high]. */
static bool find_mover(const struct cleary *set, uint64_t q, uint64_t low, uint64_t high,
                       struct cleary_entry *mover, uint32_t *slot) {
  uint32_t used = used_slots(&set->layout, bucket_at(set, q));
  for (*slot = 0; *slot < used; ++*slot) {
    *mover = entry_at(set, q, *slot);
    uint64_t home = home_of(set, mover->key.order);
    if (home >= low && home <= high)
      return true;
  }
  return false;
}

/* An entry behind bucket p, in a run of full buckets, that may move back to p. */
static bool mover_back(const struct cleary *set, uint64_t p, struct cleary_entry *mover,
                       uint64_t *from, uint32_t *slot) {
  uint64_t end = n_buckets(&set->layout);
  for (uint64_t q = p + 1; q < end && q - p < CLEARY_REACH; q++) {
    *from = q;
    if (find_mover(set, q, 0, p, mover, slot))
      return true;
    if (!is_full(&set->layout, bucket_at(set, q)))
      break;
  }
  return false;
}

/* Frees a slot of bucket p and moves back what had passed it (invariants 1, 2). */
static void close_hole(struct cleary *set, uint64_t p, uint32_t hole) {
  struct cleary_entry mover;
  uint64_t from;
  uint32_t slot;
  while (is_full(&set->layout, bucket_at(set, p)) && mover_back(set, p, &mover, &from, &slot)) {
    write_entry(set, p, hole, &mover);
    p = from;
    hole = slot;
  }
  uint32_t last = used_slots(&set->layout, bucket_at(set, p)) - 1;
  mover = entry_at(set, p, last);
  write_entry(set, p, hole, &mover);
  clear_slot(set, p, last);
}

/* An entry before bucket p that may move on to p, the farther the better. */
static bool mover_on(const struct cleary *set, uint64_t p, struct cleary_entry *mover,
                     uint64_t *from, uint32_t *slot) {
  for (uint64_t q = p - CLEARY_SPARE; q < p; q++) {
    *from = q;
    if (find_mover(set, q, p - CLEARY_SPARE, p, mover, slot))
      return true;
  }
  return false;
}

/* Moves entries on towards the end of a run until a place within reach is free
 * (as in hopscotch hashing). False: not possible, or not looked for any farther. */
static bool make_place(struct cleary *set, const struct cleary_entry *entry) {
  uint64_t home = home_of(set, entry->key.order), p = home + CLEARY_REACH;
  uint64_t end = home + CLEARY_SEARCH, from;
  uint32_t slot, hole;
  struct cleary_entry mover;
  if (end > n_buckets(&set->layout))
    end = n_buckets(&set->layout);
  while (p < end && is_full(&set->layout, bucket_at(set, p)))
    p++;
  if (p >= end)
    return false;
  hole = used_slots(&set->layout, bucket_at(set, p));
  bool moved = false;
  while (p - home >= CLEARY_REACH) {
    if (!mover_on(set, p, &mover, &from, &slot)) {
      if (moved)
        close_hole(set, p, hole);
      return false;
    }
    write_entry(set, p, hole, &mover);
    moved = true;
    p = from;
    hole = slot;
  }
  write_entry(set, p, hole, entry);
  return true;
}

/* Strays that have found a place after all leave the list. */
static void settle_strays(struct cleary *set) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < set->n_strays; i++) {
    struct cleary_entry stray = set->stray[i];
    if (!place_entry(set, &stray) && !make_place(set, &stray))
      set->stray[kept++] = stray;
  }
  set->n_strays = kept;
}

/* A sweep from an old layout to that of `set`. */
struct sweep {
  struct cleary *set;
  struct cleary_layout old;
  uint64_t front;            /* the first so many buckets wait */
  uint64_t low, end;         /* the window of buckets being filled */
  uint64_t strays;           /* a dry sweep counts them */
  uint8_t fill[CLEARY_RING]; /* of bucket b at b modulo CLEARY_RING */
};

static void start_sweep(struct sweep *s, struct cleary *set, const struct cleary_layout *old) {
  uint64_t buckets = n_buckets(old), homes = set->layout.homes;
  uint64_t front = CLEARY_SPARE * homes / (homes - old->homes) + 2;
  *s = (struct sweep){.set = set,
                      .old = *old,
                      .front = front < buckets ? front : buckets,
                      .low = n_buckets(&set->layout),
                      .end = n_buckets(&set->layout)};
  assert(s->front <= CLEARY_FRONT);
}

/* Closes the window from `end` on and opens it down to bucket `low`. A bucket that
 * opens is cleared: all that it held has been read. */
static inline void move_window(struct sweep *s, uint64_t low, uint64_t end, bool dry) {
  while (s->low > low) {
    s->fill[--s->low % CLEARY_RING] = 0;
    if (!dry)
      memset(bucket_at(s->set, s->low), 0, CLEARY_BUCKET);
  }
  s->end = s->end < end ? s->end : end;
  assert(s->end <= s->low || s->end - s->low <= CLEARY_RING);
}

/* The end of where entries of bucket p and of those before it may go. */
static inline uint64_t end_of(const struct sweep *s, uint64_t p) {
  if (p + 1 >= s->old.homes)
    return n_buckets(&s->set->layout);
  uint64_t order = least_order(s->set->total_bits, s->old.homes, p + 1);
  return (order * s->set->layout.homes >> s->set->total_bits) + CLEARY_REACH;
}

static inline void sweep_entry(struct sweep *s, const struct cleary_entry *entry, bool dry) {
  uint64_t home = home_of(s->set, entry->key.order);
  for (uint32_t reach = 0; reach < CLEARY_REACH; reach++) {
    uint8_t *fill = &s->fill[(home + reach) % CLEARY_RING];
    if (*fill == s->set->layout.slots)
      continue;
    if (!dry)
      write_entry(s->set, home + reach, *fill, entry);
    (*fill)++;
    return;
  }
  if (dry)
    s->strays++;
  else
    add_stray(s->set, entry);
}

/* Moves the entries of bucket p (its contents, not the place they came from). */
static inline void sweep_bucket(struct sweep *s, uint64_t p, bool dry) {
  uint8_t copy[CLEARY_BUCKET + 8];
  const struct cleary_layout *l = &s->old;
  struct cleary *set = s->set;
  memcpy(copy, bucket_at(set, p), CLEARY_BUCKET + 8);
  uint64_t base = base_of(set->total_bits, l->homes, p), value;
  uint64_t low = base * set->layout.homes >> set->total_bits;
  move_window(s, low, end_of(s, p), dry);
  for (uint32_t i = 0; i < l->slots && (value = read_slot(l, copy, i)) != 0; i++) {
    struct cleary_entry entry = {decode(l, value, base), read_extra(set, l, copy, i)};
    sweep_entry(s, &entry, dry);
  }
}

static void sweep_down(struct sweep *s, bool dry) {
  for (uint64_t p = n_buckets(&s->old); p-- > s->front;)
    sweep_bucket(s, p, dry);
}

/* The first buckets: all are read before any is written, and wait as strays. */
static void sweep_front(struct sweep *s) {
  struct cleary *set = s->set;
  const struct cleary_layout *l = &s->old;
  uint64_t value;
  for (uint64_t p = 0; p < s->front; p++) {
    const uint8_t *bucket = bucket_at(set, p);
    uint64_t base = base_of(set->total_bits, l->homes, p);
    for (uint32_t i = 0; i < l->slots && (value = read_slot(l, bucket, i)) != 0; i++) {
      struct cleary_entry entry = {decode(l, value, base), read_extra(set, l, bucket, i)};
      add_stray(set, &entry);
    }
  }
  memset(bucket_at(set, 0), 0, s->low * CLEARY_BUCKET);
  settle_strays(set);
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
  return reserve_strays(set, set->n_strays + s.strays + s.front * set->layout.slots);
}

static uint64_t round_size(uint64_t bytes) {
  uint64_t unit = bytes >= CLEARY_LARGE ? BUDGET_HUGE : CLEARY_PAGE;
  return (bytes + unit - 1) / unit * unit;
}

/* Grows to so many bytes, with room for values of so many bits. */
static bool grow_to(struct cleary *set, uint64_t bytes, uint32_t a_bits, uint32_t b_bits) {
  struct cleary_layout old = set->layout;
  struct cleary_layout layout = layout_for(set, homes_in(bytes), a_bits, b_bits);
  if (layout.homes < old.homes + old.homes / 16 || layout.homes >> 31 != 0 ||
      layout.order_bits + a_bits + b_bits > 64 || set->entries >= load_for(&layout, 95) ||
      !prepare_strays(set, &layout))
    return false;
  void *memory = budget_remap(set->budget, set->purpose, set->memory, bytes_for(old.homes),
                              bytes, bytes >= BUDGET_HUGE);
  if (!memory) {
    trim_strays(set);
    return false;
  }
  struct sweep s;
  set->memory = memory;
  set->layout = layout;
  set->grow_at = load_for(&layout, 90);
  start_sweep(&s, set, &old);
  sweep_down(&s, false);
  sweep_front(&s);
  trim_strays(set);
  return true;
}

/* Makes room for one more entry: by a fifth, if memory does not allow that by a
 * fifteenth, and else by filling the table up to 95 percent. */
static bool make_room(struct cleary *set) {
  const struct cleary_layout *l = &set->layout;
  uint64_t bytes = bytes_for(l->homes), full = load_for(l, 95);
  if (grow_to(set, round_size(bytes / 5 * 6), l->a_bits, l->b_bits) ||
      grow_to(set, round_size(bytes / 14 * 15), l->a_bits, l->b_bits))
    return true;
  if (set->entries >= full)
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
  for (uint64_t p = 0; p < n_buckets(&old); p++) {
    uint8_t *bucket = bucket_at(set, p);
    uint64_t value;
    for (uint32_t i = 0; i < old.slots && (value = read_slot(&old, bucket, i)) != 0; i++)
      write_slot(&old, bucket, i, encode(&set->layout, decode(&old, value, 0)));
  }
}

/* Makes slots wide enough for a key. Values that grew will grow on, so what a slot has
 * left goes to them as they come. */
static bool widen(struct cleary *set, struct cleary_key key) {
  const struct cleary_layout *l = &set->layout;
  uint32_t a_bits = bits_for((uint64_t)key.a + 1), b_bits = bits_for((uint64_t)key.b + 2);
  a_bits = a_bits < l->a_bits ? l->a_bits : a_bits;
  b_bits = b_bits < l->b_bits ? l->b_bits : b_bits;
  if (l->order_bits + a_bits + b_bits <= l->width) {
    relay(set, a_bits, b_bits);
    return true;
  }
  /* As many buckets more as there are fewer slots in each, and a fifteenth. */
  uint64_t bytes = bytes_for(l->homes);
  struct cleary_layout next = layout_for(set, l->homes, a_bits, b_bits);
  uint64_t needed = bytes * l->slots / next.slots;
  if (set->entries < load_for(&next, 80))
    needed = bytes;
  return grow_to(set, round_size(needed / 14 * 15 + CLEARY_PAGE), a_bits, b_bits);
}

enum cleary_answer cleary_put(struct cleary *set, struct cleary_key key) {
  struct cleary_place found;
  if (find(set, key, &found))
    return CLEARY_OLD;
  if (!fits(&set->layout, key) && !widen(set, key))
    return CLEARY_SPENT;
  while (set->entries >= set->grow_at) {
    if (!make_room(set))
      return CLEARY_SPENT;
  }
  struct cleary_entry entry = {key, 0};
  if (!place_entry(set, &entry) && !make_place(set, &entry)) {
    if (!reserve_strays(set, set->n_strays + 1))
      return CLEARY_SPENT;
    add_stray(set, &entry);
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
  close_hole(set, place.p, (uint32_t)place.slot);
  settle_strays(set);
  return true;
}

uint64_t cleary_extra(const struct cleary *set, struct cleary_key key) {
  struct cleary_place place;
  if (!find(set, key, &place))
    return 0;
  if (!place.bucket)
    return set->stray[place.slot].extra;
  return read_extra(set, &set->layout, place.bucket, (uint32_t)place.slot);
}

void cleary_set_extra(struct cleary *set, struct cleary_key key, uint64_t extra) {
  struct cleary_place place;
  if (!find(set, key, &place))
    return;
  if (place.bucket)
    write_extra(set, place.bucket, (uint32_t)place.slot, extra);
  else
    set->stray[place.slot].extra = extra;
}

bool cleary_each(const struct cleary *set,
                 bool (*visit)(void *context, const struct cleary_entry *), void *context) {
  for (uint64_t p = 0; p < n_buckets(&set->layout); p++) {
    uint32_t used = used_slots(&set->layout, bucket_at(set, p));
    for (uint32_t i = 0; i < used; i++) {
      struct cleary_entry entry = entry_at(set, p, i);
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
  while (n < p && n <= CLEARY_REACH && is_full(&set->layout, bucket_at(set, p - n - 1)))
    n++;
  return n;
}

static const char *check_bucket(const struct cleary *set, uint64_t p) {
  const struct cleary_layout *l = &set->layout;
  uint32_t used = used_slots(l, bucket_at(set, p));
  uint64_t full = full_before(set, p);
  for (uint32_t i = used; i < l->slots; i++) {
    if (read_slot(l, bucket_at(set, p), i) != 0 ||
        read_extra(set, l, bucket_at(set, p), i) != 0)
      return "cleary: a free slot of a bucket is followed by a used one, or not clean";
  }
  for (uint32_t i = 0; i < used; i++) {
    uint64_t home = home_of(set, entry_at(set, p, i).key.order);
    if (home > p || p - home >= CLEARY_REACH)
      return "cleary: an entry lies out of reach of its home";
    if (p - home > full)
      return "cleary: a bucket between an entry and its home is not full";
  }
  return NULL;
}

const char *cleary_check(const struct cleary *set) {
  uint64_t found = set->n_strays;
  for (uint64_t p = 0; p < n_buckets(&set->layout); p++) {
    const char *broken = check_bucket(set, p);
    if (broken)
      return broken;
    found += used_slots(&set->layout, bucket_at(set, p));
  }
  for (uint64_t i = 0; i < set->n_strays; i++) {
    if (full_before(set, home_of(set, set->stray[i].key.order) + CLEARY_REACH) < CLEARY_REACH)
      return "cleary: a stray has a place within reach";
  }
  return found == set->entries ? NULL : "cleary: the number of entries is wrong";
}
