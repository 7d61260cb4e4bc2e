/* extra.h - some bits for each state, by number, that a store keeps without knowing what they
 * mean.
 *
 * Whole bytes per state, in an array that exists only if there are such bits.
 */
#ifndef CAIRN_STORE_ROOM_EXTRA_H
#define CAIRN_STORE_ROOM_EXTRA_H

#include "store/room/save.h"

#include <assert.h>
#include <string.h>

struct extra {
  struct segments segments;
  uint32_t bits; /* per state, at most 64 */
};

/* Takes no memory. */
static inline void extra_init(struct extra *e, struct budget *budget, uint32_t bits) {
  e->bits = bits;
  segments_init(&e->segments, budget, BUDGET_STORE, (bits + 7) / 8 + (bits == 0), 1024);
}

static inline void extra_free(struct extra *e) {
  segments_free(&e->segments);
}

/* Room for the bits of this state, which are zero if it is new; false if memory ran out. */
static inline bool extra_make(struct extra *e, uint64_t id) {
  return e->bits == 0 || segments_make(&e->segments, id) != NULL;
}

static inline uint64_t extra_get(const struct extra *e, uint64_t id) {
  uint64_t bits = 0;
  if (e->bits > 0)
    memcpy(&bits, segments_at(&e->segments, id), e->segments.item);
  return bits;
}

static inline void extra_set(struct extra *e, uint64_t id, uint64_t bits) {
  assert(e->bits == 64 || bits >> e->bits == 0);
  if (e->bits > 0)
    memcpy(segments_at(&e->segments, id), &bits, e->segments.item);
}

/* Bytes taken from the budget, and those of n states. */
static inline uint64_t extra_reserved(const struct extra *e) {
  return e->segments.reserved;
}

static inline uint64_t extra_used(const struct extra *e, uint64_t n) {
  return e->bits > 0 ? n * e->segments.item : 0;
}

/* The bits of n states. See save.h. */
static inline void extra_save(const struct extra *e, struct sink *sink, uint64_t n) {
  sink_same(sink, e->bits, "has other bits for each state");
  segments_save(&e->segments, sink, e->bits > 0 ? n : 0);
}

static inline bool extra_load(struct extra *e, struct sink *sink, uint64_t n) {
  sink_same(sink, e->bits, "has other bits for each state");
  return segments_load(&e->segments, sink, e->bits > 0 ? n : 0);
}

#endif
