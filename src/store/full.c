/* full.c - the exact store: every state, packed, found by a hash index.
 *
 * Three parts: the packed states by number (vectors.h), the index from hashes to
 * numbers (index.h), and what few searches want: opaque bits and the marks of
 * removed states, both arrays by number that exist only if used.
 *
 * A batch is answered in three passes. The first asks for the cache lines of all
 * home buckets, so that their ways from memory overlap; the second asks for the
 * vectors whose tags are right; the third compares and inserts one row after the
 * other. A row is packed once, and compared packed.
 */
#include "store/index.h"
#include "store/store.h"
#include "store/vectors.h"

#include "ts/pack.h"

#include <assert.h>
#include <string.h>

#define FULL_BATCH 128u /* rows whose lines are asked for at once */

struct store {
  struct budget *budget;
  struct pack *pack;
  struct index index;
  struct vectors vectors;
  uint64_t states;    /* stored and not removed */
  uint64_t hash_mask; /* for tests; 0: all bits */
  uint32_t bits;      /* opaque bits per state */
  bool has_removed;
  struct segments extra;   /* opaque bits, whole bytes per state */
  struct segments removed; /* a word of marks per 64 states */
  size_t size;             /* of this block */
  uint8_t packed[];        /* room for one state, and for what packing writes behind */
};

static struct store *full_open(const struct store_config *config) {
  struct pack *pack = pack_open(config->shape, config->budget);
  size_t size = sizeof(struct store) + (pack ? pack_bytes(pack) : 0) + 16;
  struct store *s = pack ? budget_alloc(config->budget, BUDGET_STORE, size) : NULL;
  if (s && !index_open(&s->index, config->budget, BUDGET_STORE, config->hash_bits != 0)) {
    budget_free(config->budget, BUDGET_STORE, s, size);
    s = NULL;
  }
  if (!s) {
    pack_close(pack);
    return NULL;
  }
  s->budget = config->budget;
  s->pack = pack;
  s->size = size;
  s->bits = config->bits;
  if (config->hash_bits > 0 && config->hash_bits < 64)
    s->hash_mask = UINT64_MAX >> (64 - config->hash_bits);
  vectors_init(&s->vectors, pack, s->budget);
  segments_init(&s->extra, s->budget, BUDGET_STORE, (s->bits + 7) / 8 + (s->bits == 0), 1024);
  segments_init(&s->removed, s->budget, BUDGET_STORE, 8, 1024);
  return s;
}

static void full_close(struct store *s) {
  if (!s)
    return;
  segments_free(&s->removed);
  segments_free(&s->extra);
  vectors_free(&s->vectors);
  index_close(&s->index);
  pack_close(s->pack);
  budget_free(s->budget, BUDGET_STORE, s, s->size);
}

/* The hash that the index sees. The index goes by the high bits, so a hash cut
 * to its low bits is spread again. */
static inline uint64_t own_hash(const struct store *s, uint64_t hash) {
  if (__builtin_expect(s->hash_mask != 0, 0))
    return (hash & s->hash_mask) * UINT64_C(0x9E3779B97F4A7C15);
  return hash;
}

static void full_prefetch(const struct store *s, const uint64_t *hash, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    index_prefetch(&s->index, own_hash(s, hash[i]));
}

/* What is looked for. */
struct sought {
  const struct store *store;
  uint32_t bytes;
};

static inline bool is_same(const void *context, uint64_t id) {
  const struct sought *sought = context;
  const struct store *s = sought->store;
  return vectors_same(&s->vectors, id, s->packed, sought->bytes);
}

/* Measured with bench/store_bench (November 2026, a virtual machine with two cores
 * of an AMD EPYC of family 26, several other jobs running on them, processor
 * time, 14 random bytes per row, batches of 64; 16 rows are a tenth slower, 128 no
 * slower), millions per second:
 *   states            1 M   10 M   50 M   100 M
 *   put, new         11.9    8.3    7.8     7.2
 *   find, old        24.3   15.7   10.5     7.7
 * Putting spends a fifth of its time on the kernel's clearing of new pages and a
 * tenth on the index's sweeps. Without the prefetch of vectors finding is half as
 * fast; asking for the second line of a vector gave two fifths; asking for two
 * buckets at once lost a quarter of the rate of putting.
 *
 * Asks for the vector of the first entry in its home bucket that has the tag of
 * each hash, or for the next bucket if that is where to go on. */
static void prefetch_vectors(const struct store *s, const uint64_t *hash, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    uint64_t id = index_peek(&s->index, own_hash(s, hash[i]));
    if (id == INDEX_NONE)
      continue;
    const uint8_t *at = vectors_at(&s->vectors, id);
    __builtin_prefetch(at);
    __builtin_prefetch(at + s->vectors.bytes - 1); /* one in five of 14 bytes lies astride */
  }
}

/* Stores the packed state; false, and nothing is changed, if memory ran out. */
static bool insert(struct store *s, uint64_t hash, uint32_t bytes) {
  uint64_t id = s->vectors.n;
  if (s->bits > 0 && !segments_make(&s->extra, id))
    return false;
  uint8_t *at = vectors_reserve(&s->vectors, bytes);
  if (!at || !index_insert(&s->index, hash, id))
    return false;
  for (uint32_t i = 0; i < bytes; i += 8) /* whole words: nothing lies behind yet */
    memcpy(at + i, s->packed + i, 8);
  vectors_commit(&s->vectors, bytes);
  s->states++;
  return true;
}

static inline uint64_t lookup(struct store *s, const struct ts_batch *batch, uint32_t i,
                              uint64_t hash, uint32_t *bytes) {
  *bytes = pack_row(s->pack, batch->rows + i * batch->stride, batch->edge[i].length, s->packed);
  struct sought sought = {s, *bytes};
  return index_find(&s->index, hash, is_same, &sought);
}

static uint32_t full_put(struct store *s, const struct ts_batch *batch, const uint64_t *hash,
                         uint32_t from, uint32_t to, uint8_t *answer, uint64_t *ref) {
  while (from < to) {
    uint32_t end = to - from < FULL_BATCH ? to : from + FULL_BATCH, bytes;
    full_prefetch(s, hash + from, end - from);
    prefetch_vectors(s, hash + from, end - from);
    for (; from < end; from++) {
      uint64_t own = own_hash(s, hash[from]), id = lookup(s, batch, from, own, &bytes);
      answer[from] = id == INDEX_NONE ? STORE_NEW : STORE_OLD;
      ref[from] = id == INDEX_NONE ? s->vectors.n : id;
      if (id == INDEX_NONE && !insert(s, own, bytes))
        return from;
    }
  }
  return to;
}

static void full_find(struct store *s, const struct ts_batch *batch, const uint64_t *hash,
                      uint32_t from, uint32_t to, uint8_t *answer, uint64_t *ref) {
  while (from < to) {
    uint32_t end = to - from < FULL_BATCH ? to : from + FULL_BATCH, bytes;
    full_prefetch(s, hash + from, end - from);
    prefetch_vectors(s, hash + from, end - from);
    for (; from < end; from++) {
      ref[from] = lookup(s, batch, from, own_hash(s, hash[from]), &bytes);
      answer[from] = ref[from] == STORE_NONE ? STORE_NEW : STORE_OLD;
    }
  }
}

static bool is_removed(const struct store *s, uint64_t id) {
  uint64_t marks;
  if (!s->has_removed || !segments_has(&s->removed, id / 64))
    return false;
  memcpy(&marks, segments_at(&s->removed, id / 64), sizeof marks);
  return marks >> (id % 64) & 1;
}

static uint32_t full_get(const struct store *s, uint64_t ref, uint8_t *row) {
  uint32_t length = 0;
  if (ref < s->vectors.n && !is_removed(s, ref))
    length = pack_unrow(s->pack, vectors_at(&s->vectors, ref), row);
  return length;
}

static bool full_remove(struct store *s, uint64_t ref, uint64_t hash) {
  if (ref >= s->vectors.n || is_removed(s, ref))
    return false;
  uint8_t *at = segments_make(&s->removed, ref / 64);
  if (!at || !index_remove(&s->index, own_hash(s, hash), ref))
    return false;
  uint64_t marks;
  memcpy(&marks, at, sizeof marks);
  marks |= UINT64_C(1) << (ref % 64);
  memcpy(at, &marks, sizeof marks);
  s->has_removed = true;
  s->states--;
  return true;
}

static uint64_t full_bits(const struct store *s, uint64_t ref) {
  uint64_t bits = 0;
  assert(ref < s->vectors.n);
  if (s->bits > 0)
    memcpy(&bits, segments_at(&s->extra, ref), s->extra.item);
  return bits;
}

static void full_set_bits(struct store *s, uint64_t ref, uint64_t bits) {
  assert(ref < s->vectors.n && (s->bits == 64 || bits >> s->bits == 0));
  if (s->bits > 0)
    memcpy(segments_at(&s->extra, ref), &bits, s->extra.item);
}

static void full_usage(const struct store *s, struct store_usage *usage) {
  uint64_t rest = s->size + s->removed.reserved;
  *usage = (struct store_usage){.states = s->states};
  usage->index_bytes = index_reserved(&s->index);
  usage->vector_bytes = vectors_reserved(&s->vectors);
  usage->reserved = usage->index_bytes + usage->vector_bytes + s->extra.reserved + rest;
  usage->bytes = usage->index_bytes + vectors_used(&s->vectors) + rest +
                 (s->bits > 0 ? s->vectors.n * s->extra.item : 0);
}

/* The entries that the index leads to, met one by one. */
struct census {
  const struct store *store;
  uint64_t *met; /* bitmap */
  const char *broken;
};

static bool meet(void *context, uint64_t id) {
  struct census *c = context;
  uint64_t bit = UINT64_C(1) << (id % 64);
  if (id >= c->store->vectors.n)
    c->broken = "full: the index leads to a state that does not exist";
  else if (is_removed(c->store, id))
    c->broken = "full: the index leads to a removed state";
  else if (c->met[id / 64] & bit)
    c->broken = "full: the index leads to a state twice";
  else
    c->met[id / 64] |= bit;
  return !c->broken;
}

/* Is what is stored under `id` the packed form of a state? */
static bool is_packed_well(const struct store *s, uint64_t id, uint8_t *row, uint8_t *packed) {
  const uint8_t *at = vectors_at(&s->vectors, id);
  uint32_t length = pack_unrow(s->pack, at, row);
  uint32_t bytes = pack_row(s->pack, row, length, packed);
  return memcmp(at, packed, bytes) == 0;
}

static const char *check_vectors(const struct store *s) {
  size_t stride = pack_stride(s->pack), room = stride + pack_bytes(s->pack) + 16;
  uint8_t *row = budget_alloc(s->budget, BUDGET_OTHER, room);
  const char *broken = NULL;
  for (uint64_t id = 0; row && !broken && id < s->vectors.n; id++) {
    if (!is_removed(s, id) && !is_packed_well(s, id, row, row + stride))
      broken = "full: a stored state is not what packing makes";
  }
  budget_free(s->budget, BUDGET_OTHER, row, room);
  return broken;
}

static const char *full_check(const struct store *s) {
  const char *broken = index_check(&s->index);
  if (broken)
    return broken;
  if (s->index.entries != s->states)
    return "full: the index and the number of states differ";
  size_t size = s->vectors.n / 64 * 8 + 8;
  struct census census = {s, budget_alloc(s->budget, BUDGET_OTHER, size), NULL};
  if (census.met)
    index_each(&s->index, meet, &census);
  budget_free(s->budget, BUDGET_OTHER, census.met, size);
  return census.broken ? census.broken : check_vectors(s);
}

const struct store_kind store_full = {
    .name = "full",
    .summary = "every state, packed, in a hash table: exact",
    .has = STORE_EXACT | STORE_IDS | STORE_HANDLES | STORE_REMOVES,
    .open = full_open,
    .close = full_close,
    .put = full_put,
    .find = full_find,
    .prefetch = full_prefetch,
    .get = full_get,
    .remove = full_remove,
    .bits = full_bits,
    .set_bits = full_set_bits,
    .usage = full_usage,
    .check = full_check,
};
