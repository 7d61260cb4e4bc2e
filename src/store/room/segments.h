/* segments.h - an array of small items that grows and never moves.
 *
 * Item i is in one of many segments. Their sizes follow the array's: the items
 * from 2^k to 2^(k+1) - 1 (counted from the first segments' 2^shift) are cut into
 * 8 segments, so at most an eighth of the memory is not yet in use, and a
 * segment's number follows from the leading bits of i. Segments are made in any
 * order, as they are needed, and are zero at first. SEGMENTS_BEHIND bytes after
 * an item may be read and written too, for the sake of whole words.
 */
#ifndef CAIRN_STORE_ROOM_SEGMENTS_H
#define CAIRN_STORE_ROOM_SEGMENTS_H

#include "base/budget.h"

#define SEGMENTS_PARTS  4u /* log2 of the segments per doubling */
#define SEGMENTS_BEHIND 8u
#define SEGMENTS_MAX    (48u << SEGMENTS_PARTS)

struct segments {
  struct budget *budget;
  enum budget_purpose purpose;
  uint32_t item;  /* bytes */
  uint32_t shift; /* log2 of the items in the first segments */
  uint64_t first; /* 2^shift, */
  uint32_t bias;  /* and what it takes from the number of a segment */
  uint64_t reserved;
  uint8_t *base[SEGMENTS_MAX]; /* NULL: not made yet */
};

struct segments_place {
  uint32_t segment;
  uint64_t offset, items; /* in the segment */
};

/* Takes no memory. A segment has at least `least` bytes. */
void segments_init(struct segments *, struct budget *, enum budget_purpose, uint32_t item,
                   uint64_t least);
void segments_free(struct segments *);

/* Frees the segments in front of that of item i. */
void segments_release(struct segments *, uint64_t i);

/* Makes the segment of item i if need be; NULL if memory ran out. */
uint8_t *segments_make(struct segments *, uint64_t i);

static inline struct segments_place segments_place(const struct segments *s, uint64_t i) {
  uint64_t n = i + s->first;
  uint32_t cut = (63u ^ (uint32_t)__builtin_clzll(n)) - SEGMENTS_PARTS;
  uint64_t part = n >> cut; /* with the leading one */
  return (struct segments_place){(uint32_t)part + (cut << SEGMENTS_PARTS) - s->bias,
                                 n - (part << cut), UINT64_C(1) << cut};
}

/* Item i of a segment that exists. */
static inline uint8_t *segments_at(const struct segments *s, uint64_t i) {
  struct segments_place place = segments_place(s, i);
  return s->base[place.segment] + place.offset * s->item;
}

/* The first item of the segment after that of item i. */
static inline uint64_t segments_next(const struct segments *s, uint64_t i) {
  struct segments_place place = segments_place(s, i);
  return i - place.offset + place.items;
}

static inline bool segments_has(const struct segments *s, uint64_t i) {
  return s->base[segments_place(s, i).segment] != NULL;
}

#endif
