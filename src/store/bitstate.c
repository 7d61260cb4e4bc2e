/* bitstate.c - k bits per state, anywhere in a table of bits that does not grow.
 *
 * Holzmann's bitstate hashing (supertrace; "An analysis of bitstate hashing", 1998),
 * which is Bloom's filter ("Space/time trade-offs in hash coding with allowable
 * errors", 1970): a state is old if all of its k bits are set already.
 *
 * Position i comes from g = a + i * b, a being the hash and b odd, made from the hash by
 * mixing (double hashing; Kirsch and Mitzenmacher, "Less hashing, same performance",
 * 2006). The sum is taken modulo 2^64 and scaled to the table only then, so that the
 * progressions of two states meet no more often than 64-bit numbers do, whatever the
 * size of the table.
 *
 * The estimate (bits/table.h): with a part f of the bits set, a new state is taken for old
 * with the probability f^k.
 */
#include "store/bits/table.h"

struct store {
  struct bits_table table;
};

static struct store *bitstate_open(const struct store_config *config) {
  return bits_open(config, false, sizeof(struct store));
}

static inline double chance(const struct bits_table *t) {
  return bits_power((double)t->ones / (double)t->bits, t->k);
}

static inline bool is_set(const struct bits_table *t, uint64_t hash) {
  uint64_t g = hash, step = bits_mixed(hash, 0) | 1;
  for (uint32_t i = 0; i < t->k; i++, g += step) {
    uint64_t bit = bits_scale(g, t->bits);
    if ((t->word[bit / 64] >> bit % 64 & 1) == 0)
      return false;
  }
  return true;
}

static inline void set(struct bits_table *t, uint64_t hash) {
  uint64_t g = hash, step = bits_mixed(hash, 0) | 1;
  bits_count(t, chance(t));
  for (uint32_t i = 0; i < t->k; i++, g += step) {
    uint64_t bit = bits_scale(g, t->bits), *word = &t->word[bit / 64];
    t->ones += ~*word >> bit % 64 & 1;
    *word |= UINT64_C(1) << bit % 64;
  }
}

static inline void prefetch(const struct bits_table *t, const uint64_t *hash, uint32_t n) {
  for (uint32_t r = 0; r < n; r++) {
    uint64_t own = bits_hash(t, hash[r]), g = own, step = bits_mixed(own, 0) | 1;
    for (uint32_t i = 0; i < t->k; i++, g += step)
      __builtin_prefetch(&t->word[bits_scale(g, t->bits) / 64], 1);
  }
}

static void bitstate_prefetch(const struct store_work *work, const uint64_t *hash, uint32_t n) {
  prefetch(&work->store->table, hash, n);
}

static uint32_t bitstate_put(struct store_work *work, struct rows *rows, uint32_t from,
                             uint32_t to) {
  struct bits_table *t = &work->store->table;
  while (from < to) {
    uint32_t end = to - from < BITS_BATCH ? to : from + BITS_BATCH;
    prefetch(t, rows->hash + from, end - from);
    for (; from < end; from++) {
      uint64_t own = bits_hash(t, rows->hash[from]);
      bool old = is_set(t, own);
      rows->answer[from] = old ? STORE_OLD : STORE_NEW;
      rows->ref[from] = 0;
      if (!old)
        set(t, own);
    }
  }
  return to;
}

static void bitstate_find(struct store_work *work, struct rows *rows, uint32_t from,
                          uint32_t to) {
  const struct bits_table *t = &work->store->table;
  while (from < to) {
    uint32_t end = to - from < BITS_BATCH ? to : from + BITS_BATCH;
    prefetch(t, rows->hash + from, end - from);
    for (; from < end; from++) {
      bool old = is_set(t, bits_hash(t, rows->hash[from]));
      rows->answer[from] = old ? STORE_OLD : STORE_NEW;
      rows->ref[from] = old ? 0 : STORE_NONE;
    }
  }
}

static void bitstate_usage(const struct store *s, struct store_usage *usage) {
  bits_usage(&s->table, chance(&s->table), usage);
}

static void bitstate_save(const struct store *s, struct sink *sink) {
  bits_save(&s->table, sink);
}

static bool bitstate_load(struct store *s, struct sink *sink) {
  return bits_load(&s->table, sink);
}

const struct store_kind store_bitstate = {
    .name = "bitstate",
    .summary = "a few bits per state in a table of fixed size: misses states",
    .has = STORE_SAVES,
    .least = 1,
    .most = BITS_MOST,
    .parameter = "bits set per state",
    .sized = true,
    .open = bitstate_open,
    .close = bits_close,
    .begin = bits_begin,
    .end = bits_end,
    .put = bitstate_put,
    .find = bitstate_find,
    .prefetch = bitstate_prefetch,
    .usage = bitstate_usage,
    .check = bits_check,
    .save = bitstate_save,
    .load = bitstate_load,
};
