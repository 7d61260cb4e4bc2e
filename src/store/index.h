/* index.h - from a hash to the numbers of the entries that may have it.
 *
 * For the stores of this folder. The index holds no keys: index_find() asks the
 * store, by a function that the compiler puts in line, whether entry `id` is the
 * one looked for. See index.c for the structure and why it grows the way it does.
 */
#ifndef CAIRN_STORE_INDEX_H
#define CAIRN_STORE_INDEX_H

#include "base/budget.h"

#define INDEX_SLOTS 8u  /* per bucket, of eight bytes: one cache line */
#define INDEX_REACH 15u /* buckets an entry may lie in: its home and those behind */
#define INDEX_NONE  UINT64_MAX

struct index_stray { /* an entry that found no place within reach */
  uint64_t top;      /* the kept bits of its hash */
  uint64_t id;
};

struct index {
  uint64_t (*bucket)[INDEX_SLOTS]; /* `homes` of them, and INDEX_REACH - 1 spare ones */
  uint64_t homes;
  uint32_t id_bits; /* low bits of a slot: id + 1; above them the tag */
  bool careful;     /* the hashes are not to be trusted to be uniform */
  uint64_t entries; /* strays included */
  uint64_t grow_at; /* entries */
  uint64_t n_strays, stray_capacity;
  struct index_stray *stray;
  unsigned __int128 width; /* kept hashes per home, times 2^64 */
  struct budget *budget;
  enum budget_purpose purpose;
};

/* Starts with one page. False if the budget is spent. `careful`: hashes may be
 * anything but uniform; growing then costs more, and strays may be many. */
bool index_open(struct index *, struct budget *, enum budget_purpose, bool careful);
void index_close(struct index *);

/* Bytes taken from the budget. */
uint64_t index_reserved(const struct index *);

/* Adds an entry that index_find() did not find. False, and nothing changed, if
 * memory ran out. */
bool index_insert(struct index *, uint64_t hash, uint64_t id);

/* Takes an entry out; false if there is none with this hash and id. */
bool index_remove(struct index *, uint64_t hash, uint64_t id);

/* A sentence naming the first broken invariant, or NULL. */
const char *index_check(const struct index *);

/* Calls `visit` with the id of every entry until it returns false. */
bool index_each(const struct index *, bool (*visit)(void *context, uint64_t id), void *context);

/* The bits of a hash that decide: the highest 48. */
static inline uint64_t index_top(uint64_t hash) {
  return hash >> 16;
}

static inline uint64_t index_home(const struct index *index, uint64_t top) {
  return (uint64_t)((unsigned __int128)(top << 16) * index->homes >> 64);
}

static inline void index_prefetch(const struct index *index, uint64_t hash) {
  __builtin_prefetch(index->bucket[index_home(index, index_top(hash))]);
}

/* Which of a bucket's slots may hold an entry with this tag: bit i for slot i.
 * A slot with the tag differs from `want` by its id + 1, which is not 0. */
static inline uint32_t index_hits(const uint64_t *bucket, uint64_t want, uint64_t limit) {
  uint32_t hits = 0;
  for (uint32_t i = 0; i < INDEX_SLOTS; i++)
    hits |= (uint32_t)((bucket[i] ^ want) - 1 < limit) << i;
  return hits;
}

/* The first entry in its home bucket that may have this hash, or INDEX_NONE; then
 * the next bucket is asked for if it may be there. */
static inline uint64_t index_peek(const struct index *index, uint64_t hash) {
  uint64_t top = index_top(hash), want = top << index->id_bits;
  const uint64_t *bucket = index->bucket[index_home(index, top)];
  uint32_t hits = index_hits(bucket, want, (UINT64_C(1) << index->id_bits) - 1);
  if (hits)
    return (bucket[__builtin_ctz(hits)] ^ want) - 1;
  if (bucket[INDEX_SLOTS - 1] != 0)
    __builtin_prefetch(bucket + INDEX_SLOTS);
  return INDEX_NONE;
}

/* The entry with this hash that is the `same`, or INDEX_NONE. */
static inline __attribute__((always_inline)) uint64_t index_find(
    const struct index *index, uint64_t hash, bool (*same)(const void *, uint64_t id),
    const void *context) {
  uint64_t top = index_top(hash), home = index_home(index, top);
  uint64_t want = top << index->id_bits, limit = (UINT64_C(1) << index->id_bits) - 1;
  for (uint32_t reach = 0; reach < INDEX_REACH; reach++) {
    const uint64_t *bucket = index->bucket[home + reach];
    for (uint32_t hits = index_hits(bucket, want, limit); hits; hits &= hits - 1) {
      uint64_t id = (bucket[__builtin_ctz(hits)] ^ want) - 1;
      if (__builtin_expect(same(context, id), 1))
        return id;
    }
    if (__builtin_expect(bucket[INDEX_SLOTS - 1] == 0, 1))
      return INDEX_NONE;
  }
  for (uint64_t i = 0; i < index->n_strays; i++) {
    if (index->stray[i].top == top && same(context, index->stray[i].id))
      return index->stray[i].id;
  }
  return INDEX_NONE;
}

#endif
