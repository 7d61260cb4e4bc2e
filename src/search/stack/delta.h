/* delta.h - a row as its difference to another one.
 *
 * An event changes a few bytes of a state. What is kept is the xor of both rows, so that
 * the same difference leads from either row to the other: for each 8-byte word that
 * changed its number, where in it the first changed byte is and how many follow to the
 * last one, and these bytes. Number and place share one byte in rows of four words, two in
 * all but the longest. Which words changed cannot be predicted, so of four at a time it is
 * found out without a branch for each; of fewer a branch each is less work.
 */
#ifndef CAIRN_SEARCH_STACK_DELTA_H
#define CAIRN_SEARCH_STACK_DELTA_H

#include <stdint.h>
#include <string.h>

enum {
  DELTA_MOST = 3 + 8, /* bytes of one word's difference */
  DELTA_SLACK = 8     /* bytes after a difference that may be written and read */
};

/* How many bytes are in front of each word's change. */
static inline uint32_t delta_front(uint32_t words) {
  return words <= 4 ? 1 : words <= 1024 ? 2 : 3;
}

static inline uint64_t delta_load(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

/* Writes the change of word i, which is not 0; returns the place after it. */
static inline uint8_t *delta_word(uint64_t change, uint32_t i, uint32_t front, uint8_t *out) {
  uint32_t first = (uint32_t)__builtin_ctzll(change) / 8;
  uint32_t more = (63u - (uint32_t)__builtin_clzll(change)) / 8 - first;
  uint32_t place = i << 6 | more << 3 | first;
  memcpy(out, &place, sizeof place);
  out += front;
  change >>= 8 * first;
  memcpy(out, &change, sizeof change);
  return out + more + 1;
}

/* Writes the changes of four words from word i on. */
static inline uint8_t *delta_four(const uint8_t *a, const uint8_t *b, uint32_t i,
                                  uint32_t front, uint8_t *out) {
  uint32_t marks = 0;
  for (uint32_t k = 0; k < 4; k++)
    marks |= (uint32_t)(delta_load(a + 8 * k) != delta_load(b + 8 * k)) << k;
  for (; marks != 0; marks &= marks - 1) {
    uint32_t k = (uint32_t)__builtin_ctz(marks);
    out = delta_word(delta_load(a + 8 * k) ^ delta_load(b + 8 * k), i + k, front, out);
  }
  return out;
}

/* Writes the difference of two rows of that many words; returns the place after it. */
static inline uint8_t *delta_write(const uint8_t *a, const uint8_t *b, uint32_t words,
                                   uint8_t *out) {
  uint32_t front = delta_front(words), i = 0;
  if (words == 4)
    return delta_four(a, b, 0, 1, out);
  for (; i + 4 <= words; i += 4, a += 32, b += 32)
    if (memcmp(a, b, 32) != 0)
      out = delta_four(a, b, i, front, out);
  for (; i < words; i++, a += 8, b += 8) {
    uint64_t change = delta_load(a) ^ delta_load(b);
    if (change != 0)
      out = delta_word(change, i, front, out);
  }
  return out;
}

/* Makes one of the two rows the other one; the difference ends at `end`. */
static inline void delta_apply(uint8_t *row, uint32_t words, const uint8_t *at,
                               const uint8_t *end) {
  uint32_t front = delta_front(words), mask = UINT32_MAX >> (32 - 8 * front);
  while (at < end) {
    uint32_t place;
    memcpy(&place, at, sizeof place);
    place &= mask;
    uint32_t bytes = (place >> 3 & 7) + 1, first = place & 7;
    uint64_t change = delta_load(at + front) & UINT64_MAX >> (64 - 8 * bytes);
    uint8_t *word = row + (size_t)8 * (place >> 6);
    change = delta_load(word) ^ change << (8 * first);
    memcpy(word, &change, sizeof change);
    at += front + bytes;
  }
}

#endif
