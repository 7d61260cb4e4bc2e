/* nodes.h - numbers for 64-bit keys: the nodes of one place in a tree.
 *
 * Every key gets the next free number, from 0 on, and keeps it: so an inner node of
 * a tree is a key made of its children's numbers, and a leaf a piece of a state. The
 * index holds four bytes per slot and is built anew from the keys when it grows, so
 * there is never a second copy of it.
 */
#ifndef CAIRN_STORE_PARTS_NODES_H
#define CAIRN_STORE_PARTS_NODES_H

#include "base/budget.h"

#include <stdbool.h>
#include <stdint.h>

#define NODES_NONE UINT32_MAX

struct nodes {
  uint64_t *key; /* by number; of a free number the next one */
  uint32_t *slot;
  uint64_t *dead;  /* bitmap of free numbers, NULL: none was ever freed */
  uint64_t n;      /* numbers given out, free ones included */
  uint64_t n_free; /* of them free */
  uint32_t free;   /* the first */
  uint64_t capacity, slots, dead_capacity;
  uint32_t id_bits; /* low bits of a slot: number + 1; above them a tag */
  uint64_t hash_mask;
};

/* Takes no memory. `hash_mask`: for tests; of the hashes only these bits are used. */
void nodes_init(struct nodes *, uint64_t hash_mask);
void nodes_free(struct nodes *, struct budget *, enum budget_purpose);
uint64_t nodes_reserved(const struct nodes *);
uint64_t nodes_used(const struct nodes *);

/* The number of a new key, or NODES_NONE if memory ran out. */
uint32_t nodes_add(struct nodes *, struct budget *, enum budget_purpose, uint64_t key,
                   uint64_t hash);

/* Frees the numbers whose bit in `live` is 0. False, and nothing changed, if memory
 * ran out. */
bool nodes_sweep(struct nodes *, struct budget *, enum budget_purpose, const uint64_t *live);

/* Is this number in use? */
static inline bool nodes_has(const struct nodes *t, uint64_t id) {
  return id < t->n && !(id < t->dead_capacity && t->dead[id / 64] >> (id % 64) & 1);
}

/* A sentence naming the first broken invariant, or NULL. */
const char *nodes_check(const struct nodes *);

static inline uint64_t nodes_hash(const struct nodes *t, uint64_t key) {
  unsigned __int128 product =
      (unsigned __int128)(key ^ UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xA0761D6478BD642F);
  uint64_t hash = (uint64_t)product ^ (uint64_t)(product >> 64);
  if (__builtin_expect(t->hash_mask != UINT64_MAX, 0))
    hash = (hash & t->hash_mask) * UINT64_C(0x9E3779B97F4A7C15);
  return hash;
}

static inline uint64_t nodes_home(const struct nodes *t, uint64_t hash) {
  return (uint64_t)((unsigned __int128)hash * t->slots >> 64);
}

static inline void nodes_prefetch(const struct nodes *t, uint64_t hash) {
  if (t->slots > 0)
    __builtin_prefetch(t->slot + nodes_home(t, hash));
}

/* Asks for the key that a look-up will compare first. */
static inline void nodes_prefetch_key(const struct nodes *t, uint64_t hash) {
  if (t->slots == 0)
    return;
  uint32_t slot = t->slot[nodes_home(t, hash)];
  if (slot != 0)
    __builtin_prefetch(t->key + (slot & ((UINT64_C(1) << t->id_bits) - 1)) - 1);
}

/* The number of a key, or NODES_NONE. */
static inline uint32_t nodes_find(const struct nodes *t, uint64_t key, uint64_t hash) {
  if (t->slots == 0)
    return NODES_NONE;
  uint64_t mask = (UINT64_C(1) << t->id_bits) - 1;
  uint32_t want = (uint32_t)(hash << t->id_bits);
  for (uint64_t i = nodes_home(t, hash);;) {
    uint32_t slot = t->slot[i];
    if (slot == 0)
      return NODES_NONE;
    if (((slot ^ want) & ~mask & UINT32_MAX) == 0) {
      uint32_t id = (uint32_t)(slot & mask) - 1;
      if (t->key[id] == key)
        return id;
    }
    i = i + 1 == t->slots ? 0 : i + 1;
  }
}

#endif
