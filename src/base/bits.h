/* bits.h - small integer helpers that every floor uses. */
#ifndef CAIRN_BASE_BITS_H
#define CAIRN_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Bits needed to tell `values` values apart; 0 for one value or none. */
static inline uint32_t bits_for(uint64_t values) {
  uint32_t bits = 0;
  while (bits < 64 && (UINT64_C(1) << bits) < values)
    bits++;
  return bits;
}

static inline bool bits_test(const uint64_t *set, uint64_t i) {
  return (set[i >> 6] >> (i & 63)) & 1;
}

static inline void bits_set(uint64_t *set, uint64_t i) {
  set[i >> 6] |= UINT64_C(1) << (i & 63);
}

static inline void bits_clear(uint64_t *set, uint64_t i) {
  set[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}

/* All that is in one set goes into another one, too. */
static inline void bits_unite(uint32_t words, uint64_t *to, const uint64_t *from) {
  for (uint32_t w = 0; w < words; w++)
    to[w] |= from[w];
}

/* The lowest n bits, n from 0 to 64. */
static inline uint64_t bits_lowest(uint32_t n) {
  return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* How many bits are set; in line, for there need not be an instruction for it. */
static inline uint32_t bits_count(uint64_t set) {
  set -= set >> 1 & UINT64_C(0x5555555555555555);
  set = (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
  set = (set + (set >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
  return (uint32_t)((set * UINT64_C(0x0101010101010101)) >> 56);
}

#define BITS_WORDS(n) (((n) + 63u) / 64u)

/* splitmix64: the next of a sequence of well-mixed numbers. */
static inline uint64_t bits_next_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

#endif
