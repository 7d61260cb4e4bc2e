/* vectors.h - packed states by number, in memory that never moves.
 *
 * Of fixed length, a state's place follows from its number, and short states get the
 * room of the longest: most states of most models have it. Else (they are long, or packed
 * in the sparse form) a place is kept of every sixteenth, and of each state the distance from
 * there, two bytes where they do.
 */
#ifndef CAIRN_STORE_ROOM_VECTORS_H
#define CAIRN_STORE_ROOM_VECTORS_H

#include "store/room/segments.h"
#include "ts/pack.h"

#include <string.h>

#define VECTORS_BLOCK 16u /* states per kept place */

struct vectors {
  const struct pack *pack;
  uint32_t bytes;   /* of each; the most, if lengths vary */
  uint32_t header;  /* bytes of the length in front; 0: fixed length */
  bool fixed;       /* every state has room for the longest */
  uint8_t distance; /* bytes of a distance */
  uint64_t n;
  uint64_t end;           /* bytes of `data` in use; items, if fixed */
  uint8_t *at;            /* where `end` is, and ... */
  uint64_t left;          /* how much from there on is in its segment */
  uint8_t *place;         /* of the block being filled */
  struct segments data;   /* items of `bytes`, or single bytes */
  struct segments places; /* of each block: 8 bytes, and its distances */
};

void vectors_init(struct vectors *, const struct pack *, struct budget *);
void vectors_free(struct vectors *);

/* Slow path of vectors_reserve(): goes on in another segment or block. */
bool vectors_extend(struct vectors *, uint32_t bytes);

/* Where the next state goes, with room for `bytes` and 8 more; NULL if memory ran
 * out. vectors_commit() then adds it under number n. */
static inline uint8_t *vectors_reserve(struct vectors *v, uint32_t bytes) {
  bool fits = v->fixed ? v->left > 0 : v->left >= bytes && v->n % VECTORS_BLOCK != 0;
  return __builtin_expect(fits, 1) || vectors_extend(v, bytes) ? v->at : NULL;
}

void vectors_commit_distance(struct vectors *);

static inline void vectors_commit(struct vectors *v, uint32_t bytes) {
  if (!v->fixed)
    vectors_commit_distance(v);
  v->end += v->fixed ? 1 : bytes;
  v->left -= v->fixed ? 1 : bytes;
  v->at += v->fixed ? v->bytes : bytes;
  v->n++;
}

/* Writes a packed state where one was reserved: in whole words, for nothing is after yet. */
static inline void vectors_write(uint8_t *at, const uint8_t *packed, uint32_t bytes) {
  enum { LONG = 128 };
  if (__builtin_expect(bytes > LONG, 0))
    memcpy(at, packed, bytes);
  for (uint32_t i = 0; i < bytes && bytes <= LONG; i += 8)
    memcpy(at + i, packed + i, 8);
}

/* Gives back what only states in front of number i needed; they are gone then. */
void vectors_release(struct vectors *, uint64_t i);

uint64_t vectors_used(const struct vectors *);
uint64_t vectors_reserved(const struct vectors *);

static inline const uint8_t *vectors_at(const struct vectors *v, uint64_t i) {
  if (v->fixed)
    return segments_at(&v->data, i);
  const uint8_t *place = segments_at(&v->places, i / VECTORS_BLOCK);
  const uint8_t *distance = place + 8 + i % VECTORS_BLOCK * v->distance;
  uint64_t start;
  uint32_t wide;
  uint16_t narrow;
  memcpy(&start, place, sizeof start);
  if (v->distance == sizeof wide) {
    memcpy(&wide, distance, sizeof wide);
    return segments_at(&v->data, start + wide);
  }
  memcpy(&narrow, distance, sizeof narrow);
  return segments_at(&v->data, start + narrow);
}

/* Are these n bytes equal? */
static inline bool vectors_equal(const uint8_t *a, const uint8_t *b, uint32_t n) {
  uint64_t x, y;
  uint32_t u, w, i = 0;
  if (n >= 8) {
    for (; i + 8 < n; i += 8) {
      memcpy(&x, a + i, 8);
      memcpy(&y, b + i, 8);
      if (x != y)
        return false;
    }
    memcpy(&x, a + n - 8, 8);
    memcpy(&y, b + n - 8, 8);
    return x == y;
  }
  if (n < 4) {
    while (i < n && a[i] == b[i])
      i++;
    return i == n;
  }
  memcpy(&u, a, 4);
  memcpy(&w, b, 4);
  if (u != w)
    return false;
  memcpy(&u, a + n - 4, 4);
  memcpy(&w, b + n - 4, 4);
  return u == w;
}

/* Is state i this one? */
static inline bool vectors_same(const struct vectors *v, uint64_t i, const uint8_t *packed,
                                uint32_t bytes) {
  const uint8_t *at = vectors_at(v, i);
  /* Equal headers first: a shorter state may be at the end of its segment. */
  return vectors_equal(at, packed, v->header) &&
         vectors_equal(at + v->header, packed + v->header, bytes - v->header);
}

#endif
