/* line.h - how values are kept in the lines of a table. See values.c. */
#ifndef CAIRN_STORE_VALUES_LINE_H
#define CAIRN_STORE_VALUES_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
  LINE = 64,
  LINE_COUNT = LINE - 1, /* where a line's number of entries is */
  LINE_REACH = 16,       /* lines in which an entry may be: home and after it */
  LINE_AWAY_BITS = 4
};

/* How values of `width` bits are kept in `homes` lines. */
struct line_layout {
  uint64_t homes;
  uint32_t width;
  uint32_t shift;     /* 64 - bits of a remainder */
  uint32_t rest_bits; /* per slot */
  uint32_t slots;     /* per line */
};

static inline struct line_layout line_layout(uint64_t homes, uint32_t width) {
  uint32_t log = 63u - (uint32_t)__builtin_clzll(homes);
  uint32_t remainder = width > log + 8 ? width - log : 8;
  struct line_layout l = {.homes = homes, .width = width, .shift = 64 - remainder};
  l.rest_bits = remainder - 8 + LINE_AWAY_BITS;
  l.slots = 8 * LINE_COUNT / (8 + l.rest_bits);
  return l;
}

struct line_value { /* where a value belongs, and what is stored of it */
  uint64_t home, remainder;
};

static inline struct line_value line_value(const struct line_layout *l, uint64_t t) {
  unsigned __int128 product = (unsigned __int128)t * l->homes;
  return (struct line_value){(uint64_t)(product >> 64), (uint64_t)product >> l->shift};
}

/* The value again: the only one whose product has this home and remainder. */
static inline uint64_t line_back(const struct line_layout *l, struct line_value v) {
  uint64_t step = l->homes << (64 - l->width);
  unsigned __int128 product = (unsigned __int128)v.home << 64 | v.remainder << l->shift;
  return (uint64_t)((product + step - 1) / step) << (64 - l->width);
}

static inline uint64_t line_rest_mask(const struct line_layout *l) {
  return (UINT64_C(1) << l->rest_bits) - 1;
}

static inline uint64_t line_rest(const struct line_layout *l, const uint8_t *line,
                                 uint32_t slot) {
  uint32_t bit = 8 * l->slots + slot * l->rest_bits;
  uint64_t word;
  memcpy(&word, line + bit / 8, 8);
  return word >> bit % 8 & line_rest_mask(l);
}

static inline void line_set(const struct line_layout *l, uint8_t *line, uint32_t slot,
                            uint64_t remainder, uint64_t away) {
  uint32_t bit = 8 * l->slots + slot * l->rest_bits;
  uint64_t word;
  memcpy(&word, line + bit / 8, 8);
  word &= ~(line_rest_mask(l) << bit % 8);
  word |= (remainder >> 8 << LINE_AWAY_BITS | away) << bit % 8;
  memcpy(line + bit / 8, &word, 8);
  line[slot] = (uint8_t)remainder;
}

static inline uint64_t line_remainder(const struct line_layout *l, const uint8_t *line,
                                      uint32_t slot) {
  return line_rest(l, line, slot) >> LINE_AWAY_BITS << 8 | line[slot];
}

static inline uint32_t line_away(const struct line_layout *l, const uint8_t *line,
                                 uint32_t slot) {
  return line_rest(l, line, slot) & (LINE_REACH - 1);
}

/* Which slots in use have this tag: bit i for slot i. Eight bytes are compared at a
 * time, and the signs of those that are equal are gathered by one multiplication. */
static inline uint64_t line_hits(const struct line_layout *l, const uint8_t *line,
                                 uint64_t tag) {
  const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
  uint64_t hits = 0, want = tag * UINT64_C(0x0101010101010101);
  for (uint32_t i = 0; i < l->slots; i += 8) {
    uint64_t word;
    memcpy(&word, line + i, 8);
    word ^= want;
    word = ~(((word & low) + low) | word | low) >> 7;
    hits |= (word * UINT64_C(0x0102040810204080) >> 56) << i;
  }
  return hits & ((UINT64_C(1) << line[LINE_COUNT]) - 1);
}

#endif
