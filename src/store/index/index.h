/* index.h - from a hash to the numbers of the entries that may have it.
 *
 * For the stores of this folder. The index holds no keys: index_find() asks the
 * store, by a function that the compiler puts in line, whether entry `id` is the
 * one looked for. See index.c for the structure and why it grows the way it does.
 */
#ifndef CAIRN_STORE_INDEX_INDEX_H
#define CAIRN_STORE_INDEX_INDEX_H

#include "store/index/place.h"

#include "base/sink.h"

/* Functions that look at a whole bucket at once, for which the processor must have the
 * instructions: where index->wide says so. */
#if defined(__x86_64__)
#include <immintrin.h>
#define INDEX_WIDE __attribute__((target("avx2,bmi,bmi2")))
#else
#define INDEX_WIDE
#endif

#define INDEX_INLINE static inline __attribute__((always_inline))

/* Starts with one page. False if the budget is exhausted. `careful`: hashes may be
 * anything but uniform; growing then costs more, and strays may be many. */
bool index_open(struct index *, struct budget *, enum budget_purpose, bool careful);
void index_close(struct index *);

/* Bytes taken from the budget. */
uint64_t index_reserved(const struct index *);

/* Bytes that it will take with that many entries, if memory allows each step: no others than it
 * has for as many as it has or fewer. */
uint64_t index_bytes_for(const struct index *, uint64_t entries);

/* Adds an entry that index_find() did not find. False, and nothing changed, if
 * memory ran out; permanently, if it ran out so badly that an entry was lost. */
bool index_insert(struct index *, uint64_t hash, uint64_t id);

/* Takes an entry out; false if there is none with this hash and id. */
bool index_remove(struct index *, uint64_t hash, uint64_t id);

/* See room/save.h. */
void index_save(const struct index *, struct sink *);
bool index_load(struct index *, struct sink *);

/* A sentence naming the first broken invariant, or NULL. */
const char *index_check(const struct index *);

/* Calls `visit` with the id of every entry until it returns false. */
bool index_each(const struct index *, bool (*visit)(void *context, uint64_t id), void *context);

/* Prefetches the bucket `reach` after the home. */
static inline void index_prefetch_on(const struct index *index, uint64_t hash, uint32_t reach) {
  __builtin_prefetch(index->bucket[index_home(index, index_top(hash)) + reach]);
}

static inline void index_prefetch(const struct index *index, uint64_t hash) {
  index_prefetch_on(index, hash, 0);
}

#if defined(__x86_64__)
/* Bit i: slot i has the tag of `want`, or it is free and that tag is 0. */
INDEX_WIDE static inline uint32_t index_hits_wide(const uint64_t *bucket, uint64_t want,
                                                  uint32_t id_bits) {
  const __m256i wanted = _mm256_set1_epi64x((long long)want), zero = _mm256_setzero_si256();
  const __m128i shift = _mm_cvtsi32_si128((int)id_bits);
  __m256i low = _mm256_load_si256((const __m256i *)(const void *)bucket);
  __m256i high = _mm256_load_si256((const __m256i *)(const void *)(bucket + 4));
  low = _mm256_cmpeq_epi64(_mm256_srl_epi64(_mm256_xor_si256(low, wanted), shift), zero);
  high = _mm256_cmpeq_epi64(_mm256_srl_epi64(_mm256_xor_si256(high, wanted), shift), zero);
  return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(low)) |
         (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(high)) << 4;
}
#endif

/* Which of a bucket's slots may hold an entry with this tag: bit i for slot i, in a
 * constant `wide` by one comparison. Free slots that are named, too, follow all others
 * and give the id INDEX_NONE. */
INDEX_INLINE uint32_t index_hits(const uint64_t *bucket, uint64_t want, uint32_t id_bits,
                                 bool wide) {
#if defined(__x86_64__)
  if (wide)
    return index_hits_wide(bucket, want, id_bits);
#endif
  (void)wide;
  uint32_t hits = 0;
  for (uint32_t i = 0; i < INDEX_SLOTS; i++)
    hits |= (uint32_t)((bucket[i] ^ want) >> id_bits == 0) << i;
  return hits;
}

/* The first entry in the bucket `reach` after its home that may have this hash, or
 * INDEX_NONE; *further: it may be after this bucket. Without a branch. */
INDEX_INLINE uint64_t index_peek(const struct index *index, uint64_t hash, uint32_t reach,
                                 bool wide, bool *further) {
  uint64_t top = index_top(hash), want = top << index->id_bits;
  const uint64_t *bucket = index->bucket[index_home(index, top) + reach];
  uint32_t hits = index_hits(bucket, want, index->id_bits, wide);
  uint32_t first = (uint32_t)__builtin_ctz(hits | 1u << INDEX_SLOTS) % INDEX_SLOTS;
  *further = !hits & (bucket[INDEX_SLOTS - 1] != 0);
  return hits ? (bucket[first] ^ want) - 1 : INDEX_NONE;
}

/* The entry with this hash that is the `same`, or INDEX_NONE; *end is the bucket where
 * the search ended then, the first that is not full, or NULL: none within reach. */
INDEX_INLINE uint64_t index_find(const struct index *index, uint64_t hash,
                                 bool (*same)(const void *, uint64_t id), const void *context,
                                 bool wide, uint64_t **end) {
  uint64_t top = index_top(hash), home = index_home(index, top);
  uint64_t want = top << index->id_bits;
  *end = NULL;
  for (uint32_t reach = 0; reach < INDEX_REACH; reach++) {
    uint64_t *bucket = index->bucket[home + reach];
    for (uint32_t hits = index_hits(bucket, want, index->id_bits, wide); hits;
         hits &= hits - 1) {
      uint64_t id = (bucket[__builtin_ctz(hits)] ^ want) - 1;
      if (__builtin_expect(id != INDEX_NONE && same(context, id), 1))
        return id;
    }
    if (__builtin_expect(bucket[INDEX_SLOTS - 1] == 0, 1)) {
      *end = bucket;
      return INDEX_NONE;
    }
  }
  for (uint64_t i = 0; i < index->n_strays; i++) {
    if (index->stray[i].top == top && same(context, index->stray[i].id))
      return index->stray[i].id;
  }
  return INDEX_NONE;
}

/* index_insert() after index_find(), whose `end` is handed on. */
static inline bool index_insert_at(struct index *index, uint64_t hash, uint64_t id,
                                   uint64_t *end) {
  if (!end || index->entries >= index->grow_at || (id + 1) >> index->id_bits)
    return index_insert(index, hash, id);
  end[index_used(end)] = index_top(hash) << index->id_bits | (id + 1);
  index->entries++;
  return true;
}

#endif
