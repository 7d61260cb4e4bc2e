/* table.h - a table of bits in which each state sets a few: how large, how many, how full.
 *
 * What bitstate and bitline share. The estimate does not go by the formula for a table filled
 * at random, but by how full this one is: a state not seen before is taken for old with a
 * probability p that the kind knows; to each state that was stored belong p / (1 - p)
 * expected ones that were not (docs/estimates.md).
 */
#ifndef CAIRN_STORE_BITS_TABLE_H
#define CAIRN_STORE_BITS_TABLE_H

#include "store/store.h"

#include "ts/hash.h"

#define BITS_MOST  64u /* set for each state */
#define BITS_BATCH 32u /* rows whose lines are prefetched at once */

enum { BITS_LINE = 512, BITS_LINE_WORDS = BITS_LINE / 64 };

/* What a store of such bits begins with. */
struct bits_table {
  struct store_work work; /* of all workers */
  struct budget *budget;
  size_t store_bytes; /* of the store that it begins */
  uint64_t *word;
  uint64_t bits, lines; /* of the table */
  uint64_t made;        /* lines that there are: the others come when they are needed */
  size_t bytes;         /* of these */
  uint32_t k;           /* bits set for each state */
  uint64_t states, ones;
  double wrong;
  double twin;        /* probability that two states have one hash */
  uint64_t hash_mask; /* for tests; 0: all bits */
  uint64_t kept;      /* mask of the bits of a hash that are known */
};

/* A store of `bytes` bytes that begins with a table; all after that is zero. NULL if the budget
 * is exhausted. `grows`: where states come from another store, only the first lines are made
 * now. */
struct store *bits_open(const struct store_config *, bool grows, size_t bytes);
/* These are functions of a kind as they are. */
void bits_close(struct store *);
struct store_work *bits_begin(struct store *);
void bits_end(struct store_work *);
const char *bits_check(struct store_work *);

/* Makes at least `lines` lines; false if memory ran out. */
bool bits_make(struct bits_table *, uint64_t lines);

/* `chance` is that of the next new state to be taken for old because of its bits. */
void bits_usage(const struct bits_table *, double chance, struct store_usage *);

/* What save and load of a store do; the size is the saved one. */
void bits_save(const struct bits_table *, struct sink *);
bool bits_load(struct bits_table *, struct sink *);

/* How many bits of a line are set. */
static inline uint32_t bits_ones(const uint64_t *line) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < BITS_LINE_WORDS; i++)
    n += (uint32_t)__builtin_popcountll(line[i]);
  return n;
}

static inline double bits_power(double base, uint32_t exponent) {
  double result = 1;
  while (exponent-- > 0)
    result *= base;
  return result;
}

static inline uint64_t bits_hash(const struct bits_table *t, uint64_t hash) {
  return store_hash(t->hash_mask, hash) & t->kept;
}

static inline uint64_t bits_scale(uint64_t g, uint64_t n) {
  return (uint64_t)((unsigned __int128)g * n >> 64);
}

/* A word that depends on all of the hash, and on `turn`. */
static inline uint64_t bits_mixed(uint64_t hash, uint64_t turn) {
  return hash_finish(hash ^ (turn + 1) * UINT64_C(0xA24BAED4963EE407));
}

/* The probability that a new state is taken for old: for its bits, or for its hash. */
static inline double bits_chance(const struct bits_table *t, double bits) {
  double twins = (double)t->states * t->twin;
  return 1 - (1 - bits) * (1 - (twins < 1 ? twins : 1));
}

/* Counts a state about to be stored. */
static inline void bits_count(struct bits_table *t, double bits) {
  double p = bits_chance(t, bits);
  if (p < 1)
    t->wrong += p / (1 - p);
  t->states++;
}

#endif
