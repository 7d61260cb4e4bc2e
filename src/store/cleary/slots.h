/* slots.h - buckets of slots of any width: where the entries of a cleary set are.
 *
 * Below cleary.c, which looks entries up and is what stores use, and grow.c. The
 * argument for the arithmetic is at the top of cleary.c.
 */
#ifndef CAIRN_STORE_CLEARY_SLOTS_H
#define CAIRN_STORE_CLEARY_SLOTS_H

#include "store/cleary/set.h"

#include "base/bits.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define SLOTS_BUCKET 64u /* bytes */
#define SLOTS_REACH  15u /* buckets an entry may be in */
#define SLOTS_SPARE  (SLOTS_REACH - 1)
#define SLOTS_BEHIND 1u /* unused buckets at the end, for whole words */
#define SLOTS_PAGE   4096u
#define SLOTS_TAG    16u

static inline uint64_t slots_bytes(uint64_t homes) {
  return (homes + SLOTS_SPARE + SLOTS_BEHIND) * SLOTS_BUCKET;
}

static inline uint64_t slots_homes(uint64_t bytes) {
  return bytes / SLOTS_BUCKET - SLOTS_SPARE - SLOTS_BEHIND;
}

static inline uint64_t slots_buckets(const struct cleary_layout *l) {
  return l->homes + SLOTS_SPARE;
}

static inline uint64_t slots_mask(uint32_t bits) {
  return bits == 0 ? 0 : UINT64_MAX >> ((64 - bits) & 63);
}

/* Figures for that many homes and for values of that many bits. */
static inline struct cleary_layout slots_layout(const struct cleary *set, uint64_t homes,
                                                uint32_t a_bits, uint32_t b_bits) {
  struct cleary_layout l = {.homes = homes, .a_bits = a_bits, .b_bits = b_bits};
  uint64_t interval = (((uint64_t)SLOTS_REACH << set->total_bits) + homes - 1) / homes;
  l.order_bits = bits_for(interval);
  if (l.order_bits > set->total_bits)
    l.order_bits = set->total_bits;
  uint32_t least = l.order_bits + a_bits + b_bits;
  least = least < SLOTS_TAG ? SLOTS_TAG : least;
  l.slots = SLOTS_BUCKET * 8 / (least + set->extra_bits);
  l.width = SLOTS_BUCKET * 8 / l.slots - set->extra_bits;
  l.width = l.width > 64 ? 64 : l.width;
  return l;
}

static inline uint64_t slots_load(const struct cleary_layout *l, uint32_t percent) {
  return l->homes * l->slots / 100 * percent + l->homes * l->slots % 100 * percent / 100;
}

/* Bits [from, from + bits) of a bucket; bits <= 64, and at most 57 if they start
 * within a byte. */
static inline uint64_t slots_read_bits(const uint8_t *bucket, uint32_t from, uint32_t bits) {
  uint64_t word;
  memcpy(&word, bucket + from / 8, 8);
  return word >> (from % 8) & slots_mask(bits);
}

static inline void slots_write_bits(uint8_t *bucket, uint32_t from, uint32_t bits,
                                    uint64_t value) {
  uint64_t word, mask = slots_mask(bits) << (from % 8);
  memcpy(&word, bucket + from / 8, 8);
  word = (word & ~mask) | value << (from % 8);
  memcpy(bucket + from / 8, &word, 8);
}

static inline uint8_t *slots_bucket(const struct cleary *set, uint64_t p) {
  return set->memory + p * SLOTS_BUCKET;
}

static inline uint64_t slots_read(const struct cleary_layout *l, const uint8_t *bucket,
                                  uint32_t i) {
  uint32_t rest = l->width - SLOTS_TAG;
  uint16_t tag;
  memcpy(&tag, bucket + 2 * i, 2);
  return tag | slots_read_bits(bucket, l->slots * SLOTS_TAG + i * rest, rest) << SLOTS_TAG;
}

static inline void slots_write(const struct cleary_layout *l, uint8_t *bucket, uint32_t i,
                               uint64_t value) {
  uint32_t rest = l->width - SLOTS_TAG;
  uint16_t tag = (uint16_t)value;
  memcpy(bucket + 2 * i, &tag, 2);
  slots_write_bits(bucket, l->slots * SLOTS_TAG + i * rest, rest, value >> SLOTS_TAG);
}

/* The opaque bits go in two halves, each of which fits a word wherever it starts. */
static inline uint64_t slots_read_extra(const struct cleary *set, const struct cleary_layout *l,
                                        const uint8_t *bucket, uint32_t i) {
  uint32_t bits = set->extra_bits, low = bits / 2, from = l->slots * l->width + i * bits;
  if (bits == 0)
    return 0;
  return slots_read_bits(bucket, from, low) | slots_read_bits(bucket, from + low, bits - low)
                                                  << low;
}

static inline void slots_write_extra(const struct cleary *set, uint8_t *bucket, uint32_t i,
                                     uint64_t extra) {
  const struct cleary_layout *l = &set->layout;
  uint32_t bits = set->extra_bits, low = bits / 2, from = l->slots * l->width + i * bits;
  if (bits == 0)
    return;
  slots_write_bits(bucket, from, low, extra & slots_mask(low));
  slots_write_bits(bucket, from + low, bits - low, extra >> low);
}

static inline uint64_t slots_home(const struct cleary *set, uint32_t order) {
  return (uint64_t)order * set->layout.homes >> set->total_bits;
}

/* The least order whose home is this one or farther on. */
static inline uint64_t slots_least_order(uint32_t total_bits, uint64_t homes, uint64_t home) {
  return ((home << total_bits) + homes - 1) / homes;
}

/* The least order that an entry in bucket p can have. */
static inline uint64_t slots_base(uint32_t total_bits, uint64_t homes, uint64_t p) {
  return p <= SLOTS_SPARE ? 0 : slots_least_order(total_bits, homes, p - SLOTS_SPARE);
}

static inline bool slots_fit(const struct cleary_layout *l, struct cleary_key key) {
  return (uint64_t)key.a >> l->a_bits == 0 && key.b < slots_mask(l->b_bits);
}

/* What is in the slot of a key that fits. */
static inline uint64_t slots_encode(const struct cleary_layout *l, struct cleary_key key) {
  uint64_t v = (key.order & slots_mask(l->order_bits)) | (uint64_t)key.a << l->order_bits |
               (uint64_t)key.b << (l->order_bits + l->a_bits);
  return v + 1;
}

static inline struct cleary_key slots_decode(const struct cleary_layout *l, uint64_t value,
                                             uint64_t base) {
  uint64_t v = value - 1, mask = slots_mask(l->order_bits);
  return (struct cleary_key){(uint32_t)(base + ((v - base) & mask)),
                             (uint32_t)(v >> l->order_bits & slots_mask(l->a_bits)),
                             (uint32_t)(v >> (l->order_bits + l->a_bits))};
}

static inline bool slots_full(const struct cleary_layout *l, const uint8_t *bucket) {
  return slots_read(l, bucket, l->slots - 1) != 0;
}

/* Which slots have this low part: bit i for slot i. */
static inline uint32_t slots_match(const uint8_t *bucket, uint16_t tag, uint32_t slots) {
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
  return hits & (uint32_t)slots_mask(slots);
}

static inline uint32_t slots_used(const struct cleary_layout *l, const uint8_t *bucket) {
  for (uint32_t free = slots_match(bucket, 0, l->slots); free; free &= free - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(free);
    if (slots_read(l, bucket, i) == 0)
      return i;
  }
  return l->slots;
}

static inline struct cleary_entry slots_entry(const struct cleary *set, uint64_t p,
                                              uint32_t i) {
  const struct cleary_layout *l = &set->layout;
  const uint8_t *bucket = slots_bucket(set, p);
  return (struct cleary_entry){
      slots_decode(l, slots_read(l, bucket, i), slots_base(set->total_bits, l->homes, p)),
      slots_read_extra(set, l, bucket, i)};
}

static inline void slots_put(const struct cleary *set, uint64_t p, uint32_t i,
                             const struct cleary_entry *entry) {
  uint8_t *bucket = slots_bucket(set, p);
  slots_write(&set->layout, bucket, i, slots_encode(&set->layout, entry->key));
  slots_write_extra(set, bucket, i, entry->extra);
}

#endif
