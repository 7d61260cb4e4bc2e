/* place.h - an index as a table of places, and what to do when buckets are full.
 *
 * Below index.h, which looks entries up and is what stores use, and grow.c. The argument
 * for the arithmetic is at the top of index.c.
 */
#ifndef CAIRN_STORE_INDEX_PLACE_H
#define CAIRN_STORE_INDEX_PLACE_H

#include "base/budget.h"

#define INDEX_SLOTS 8u  /* per bucket, of eight bytes: one cache line */
#define INDEX_REACH 15u /* buckets an entry may be in: its home and those after it */
#define INDEX_NONE  UINT64_MAX

#define PLACE_SPARE   (INDEX_REACH - 1) /* buckets after the last home */
#define PLACE_TOP     48u               /* bits of H */
#define PLACE_ID_BASE 12u               /* id_bits less log2 of homes */

struct index_stray { /* an entry that found no place within reach */
  uint64_t top;      /* the kept bits of its hash */
  uint64_t id;
};

struct index {
  uint64_t (*bucket)[INDEX_SLOTS]; /* `homes` of them, and INDEX_REACH - 1 spare ones */
  uint64_t homes;
  uint32_t id_bits; /* low bits of a slot: id + 1; above them the tag */
  bool wide;        /* the processor can do what INDEX_WIDE needs */
  bool careful;     /* the hashes are not to be trusted to be uniform */
  bool tight;       /* it grows by a sixth at a time: less memory, more work */
  uint64_t entries; /* strays included */
  uint64_t grow_at; /* entries */
  uint64_t lost;    /* entries for which there was no memory while growing */
  uint64_t n_strays, stray_capacity;
  struct index_stray *stray;
  unsigned __int128 width; /* kept hashes per home, times 2^64 */
  struct budget *budget;
  enum budget_purpose purpose;
};

/* Sets the figures that follow from the number of homes. */
void place_set_homes(struct index *, uint64_t homes);

/* Room for that many strays in all. */
bool place_reserve_strays(struct index *, uint64_t strays);

/* Keeps an entry that has no place. If there is no memory for it, which can only be
 * while growing, it is lost. Then the index says permanently that memory ran out, and so
 * whoever misses the entry cannot take it for new. */
void place_add_stray(struct index *, uint64_t top, uint64_t id);

/* Strays that have found a place after all leave the list. */
void place_settle_strays(struct index *);

/* Puts an entry into the first bucket that is not full; false: none in reach. */
bool place_put(struct index *, uint64_t top, uint64_t id);

/* Moves entries on towards the end of a run until a place within reach is free, and puts
 * the entry there. False: not possible, or not looked for any farther. */
bool place_make(struct index *, uint64_t top, uint64_t id);

/* Frees a slot of bucket p and moves back what had passed it (invariants 1, 2). */
void place_close_hole(struct index *, uint64_t p, uint64_t *hole);

/* The bits of a hash that decide: the highest 48. */
static inline uint64_t index_top(uint64_t hash) {
  return hash >> 16;
}

static inline uint64_t index_home(const struct index *index, uint64_t top) {
  return (uint64_t)((unsigned __int128)(top << 16) * index->homes >> 64);
}

/* The used slots of a bucket that is not full. */
static inline uint32_t index_used(const uint64_t *bucket) {
  uint32_t used = bucket[3] != 0 ? 4 : 0;
  used += bucket[used + 1] != 0 ? 2 : 0;
  return used + (bucket[used] != 0);
}

static inline uint64_t place_bytes(uint64_t homes) {
  return (homes + PLACE_SPARE) * INDEX_SLOTS * sizeof(uint64_t);
}

/* At most 2 below the least H whose home is this bucket. */
static inline uint64_t place_least_top(unsigned __int128 width, uint64_t home) {
  return (uint64_t)(width * home >> 64);
}

/* The least H that an entry in bucket p can have, nearly. */
static inline uint64_t place_base(unsigned __int128 width, uint64_t p) {
  return p <= PLACE_SPARE ? 0 : place_least_top(width, p - PLACE_SPARE);
}

static inline uint64_t place_top(uint64_t slot, uint32_t id_bits, uint64_t base) {
  uint64_t mask = UINT64_MAX >> id_bits;
  return base + (((slot >> id_bits) - base) & mask);
}

static inline uint64_t place_id(const struct index *index, uint64_t slot) {
  return (slot & ((UINT64_C(1) << index->id_bits) - 1)) - 1;
}

static inline uint64_t place_slot(const struct index *index, uint64_t top, uint64_t id) {
  return top << index->id_bits | (id + 1);
}

static inline bool place_is_full(const uint64_t *bucket) {
  return bucket[INDEX_SLOTS - 1] != 0;
}

static inline uint32_t place_used(const uint64_t *bucket) {
  uint32_t used = 0;
  while (used < INDEX_SLOTS && bucket[used] != 0)
    used++;
  return used;
}

/* The home of slot i in bucket p. */
static inline uint64_t place_home(const struct index *index, uint64_t p, uint32_t i) {
  uint64_t top = place_top(index->bucket[p][i], index->id_bits, place_base(index->width, p));
  return index_home(index, top);
}

#endif
