/* nodes.c - an open hash table of numbers beside an array of keys.
 *
 * Linear probing (Knuth, volume 3, section 6.4, algorithm L) in slots of four
 * bytes: a cache line holds sixteen, and what a number leaves of its slot is a tag, so
 * that a wrong key is seldom compared. The array of keys grows by an eighth, moved
 * by page tables; the slots by two fifths at a load of 85 percent, filled again
 * from the keys. A key so costs 13 to 16 bytes.
 *
 * Free numbers make a list through their keys. They are found by whoever knows what
 * is in use (nodes_sweep), and the bitmap of them exists only from then on.
 */
#include "store/parts/nodes.h"

#include "base/array.h"

#include "base/bits.h"

#include <string.h>

#define NODES_LEAST 16u
#define NODES_MOST  (UINT64_C(0xFFFFFFFF) - 1)
#define NODES_AHEAD 16u

void nodes_init(struct nodes *t, uint64_t hash_mask) {
  *t = (struct nodes){.free = NODES_NONE, .hash_mask = hash_mask};
}

void nodes_free(struct nodes *t, struct budget *budget, enum budget_purpose purpose) {
  array_free(budget, purpose, t->key, t->capacity * sizeof *t->key);
  array_free(budget, purpose, t->slot, t->slots * sizeof *t->slot);
  array_free(budget, purpose, t->dead, t->dead_capacity / 8);
  nodes_init(t, t->hash_mask);
}

uint64_t nodes_reserved(const struct nodes *t) {
  return t->capacity * sizeof *t->key + t->slots * sizeof *t->slot + t->dead_capacity / 8;
}

uint64_t nodes_used(const struct nodes *t) {
  return t->n * sizeof *t->key + t->slots * sizeof *t->slot + t->dead_capacity / 8;
}

static void enter(struct nodes *t, uint64_t hash, uint64_t id) {
  uint64_t i = nodes_home(t, hash);
  while (t->slot[i] != 0)
    i = i + 1 == t->slots ? 0 : i + 1;
  t->slot[i] = (uint32_t)(hash << t->id_bits) | (uint32_t)(id + 1);
}

/* Fills the slots, which hold whatever they held, from the keys. */
static void fill(struct nodes *t) {
  memset(t->slot, 0, t->slots * sizeof *t->slot);
  for (uint64_t id = 0; id < t->n; id++) {
    if (id + NODES_AHEAD < t->n)
      __builtin_prefetch(t->slot + nodes_home(t, nodes_hash(t, t->key[id + NODES_AHEAD])), 1);
    if (nodes_has(t, id))
      enter(t, nodes_hash(t, t->key[id]), id);
  }
}

static bool grow_keys(struct nodes *t, struct budget *budget, enum budget_purpose purpose) {
  uint64_t more = t->capacity < 8 * NODES_LEAST ? t->capacity : t->capacity / 8;
  uint64_t bytes = array_size((t->capacity + (more ? more : NODES_LEAST)) * sizeof *t->key);
  uint64_t *key = array_resize(budget, purpose, t->key, t->capacity * sizeof *t->key, bytes);
  if (!key)
    return false;
  t->key = key;
  t->capacity = bytes / sizeof *t->key;
  return true;
}

static bool grow_slots(struct nodes *t, struct budget *budget, enum budget_purpose purpose) {
  uint64_t slots = t->slots == 0 ? 2 * NODES_LEAST : t->slots + t->slots / 5 * 2;
  uint64_t bytes = array_size(slots * sizeof *t->slot);
  uint32_t *slot = array_resize(budget, purpose, t->slot, t->slots * sizeof *t->slot, bytes);
  if (!slot)
    return false;
  t->slot = slot;
  t->slots = bytes / sizeof *t->slot;
  t->id_bits = bits_for(t->slots + 1);
  t->id_bits = t->id_bits > 32 ? 32 : t->id_bits;
  fill(t);
  return true;
}

uint32_t nodes_add(struct nodes *t, struct budget *budget, enum budget_purpose purpose,
                   uint64_t key, uint64_t hash) {
  if ((t->n - t->n_free + 1) * 20 > t->slots * 17 || t->n + 1 >= t->slots) {
    if (!grow_slots(t, budget, purpose) && (t->n - t->n_free + 1) * 20 > t->slots * 19)
      return NODES_NONE;
  }
  uint64_t id = t->free;
  if (t->n_free > 0) {
    t->free = (uint32_t)t->key[id];
    t->n_free--;
    bits_clear(t->dead, id);
  } else {
    if (t->n >= NODES_MOST || t->n + 1 >= t->slots ||
        (t->n == t->capacity && !grow_keys(t, budget, purpose)))
      return NODES_NONE;
    id = t->n++;
  }
  t->key[id] = key;
  enter(t, hash, id);
  return (uint32_t)id;
}

bool nodes_sweep(struct nodes *t, struct budget *budget, enum budget_purpose purpose,
                 const uint64_t *live) {
  if (t->dead_capacity < t->n) {
    uint64_t bytes = array_size((t->n + 63) / 64 * 8);
    uint64_t *dead = array_resize(budget, purpose, t->dead, t->dead_capacity / 8, bytes);
    if (!dead)
      return false;
    t->dead = dead;
    t->dead_capacity = bytes * 8;
  }
  t->n_free = 0;
  t->free = NODES_NONE;
  for (uint64_t id = t->n; id-- > 0;) {
    uint64_t bit = UINT64_C(1) << (id % 64);
    t->dead[id / 64] &= ~bit;
    if (live[id / 64] & bit)
      continue;
    t->dead[id / 64] |= bit;
    t->key[id] = t->free;
    t->free = (uint32_t)id;
    t->n_free++;
  }
  if (t->slots > 0)
    fill(t);
  return true;
}

const char *nodes_check(const struct nodes *t) {
  uint64_t used = 0, free = 0;
  for (uint64_t i = 0; i < t->slots; i++)
    used += t->slot[i] != 0;
  if (used != t->n - t->n_free)
    return "nodes: the index has more or fewer entries than there are keys";
  for (uint64_t id = 0; id < t->n; id++) {
    if (!nodes_has(t, id))
      free++;
    else if (nodes_find(t, t->key[id], nodes_hash(t, t->key[id])) != id)
      return "nodes: a key is not found under its number";
  }
  return free == t->n_free ? NULL : "nodes: the number of free numbers is wrong";
}
