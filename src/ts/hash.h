/* hash.h - one hash per state, the xor of one hash per 8-byte word.
 *
 * hash(state) = finish(seed ^ xor over i of mix(word[i], i) ^ length), mix being
 * a multiplication to 128 bits with a key per position, folded. So the hash of a
 * successor follows from its parent's by the words that changed, and only the
 * components that an event changed are looked at. A library's hash is not used
 * here because none can be updated in place, and states of 14 bytes are hashed
 * in a few cycles this way.
 *
 * "raw" hashes are those before finish(): they can be updated. A store gets
 * finished ones, whose bits are all alike.
 */
#ifndef CAIRN_TS_HASH_H
#define CAIRN_TS_HASH_H

#include "ts/ts.h"

#include "base/budget.h"

struct hash;

/* Keys and word ranges for a shape; `seed` selects an independent function.
 * NULL if the budget is exhausted. */
struct hash *hash_open(const struct ts_shape *, uint64_t seed, struct budget *);
void hash_close(struct hash *);

uint64_t hash_raw(const struct hash *, const uint8_t *row, uint32_t length);

static inline uint64_t hash_finish(uint64_t raw) {
  raw ^= raw >> 32;
  raw *= UINT64_C(0xD6E8FEB86659FD93);
  raw ^= raw >> 32;
  raw *= UINT64_C(0xD6E8FEB86659FD93);
  return raw ^ (raw >> 32);
}

struct hash_parent {
  const uint8_t *row;
  uint32_t length;
  uint64_t raw; /* its hash */
};

/* The hashes of rows [from, batch->n), successors of one parent: raw[i] before hash_finish(),
 * and hash[i] after it. */
void hash_successors(const struct hash *, const struct hash_parent *,
                     const struct ts_batch *batch, uint32_t from, uint64_t *raw,
                     uint64_t *hash);

#endif
