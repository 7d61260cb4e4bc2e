/* hash.c - one multiplication per word of a state.
 *
 * mix(word, i) = fold((word ^ add[i]) * multiply[i]) ^ fold(add[i] * multiply[i]),
 * fold being the xor of the two halves of the 128-bit product. The second term
 * makes mix(0, i) zero: so words after a state's end count for nothing, and the
 * hashes of two states differ by the words in which they differ, whatever their
 * lengths. Both keys of each position come from the seed.
 *
 * Successors: a short row is hashed whole, for finding out what changed costs
 * more than two multiplications; of a long one only the words of changed
 * components are compared with the parent's, and hashed where they differ.
 */
#include "ts/hash.h"

#include "ts/words.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

/* Rows of up to that many words are hashed whole. */
#define HASH_SHORT 8u

struct hash_key {
  uint64_t add, multiply;
};

struct hash {
  struct budget *budget;
  size_t size;
  uint64_t start; /* the seed's part */
  uint32_t words; /* of the longest row */
  bool fixed;
  bool ordered; /* components ascend, so that no word is seen twice */
  struct words_range part[WORDS_PARTS];
  struct ts_rows listed; /* the shape's */
  uint64_t *zero;        /* [words + 1]: xor of fold() of zeros before */
  struct hash_key *key;  /* [words] */
};

static inline uint64_t fold(uint64_t word, struct hash_key key) {
  unsigned __int128 product = (unsigned __int128)(word ^ key.add) * key.multiply;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t load(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

struct hash *hash_open(const struct ts_shape *shape, uint64_t seed, struct budget *budget) {
  size_t words = ts_stride(shape) / 8;
  size_t size =
      sizeof(struct hash) + words * sizeof(struct hash_key) + (words + 1) * sizeof(uint64_t);
  struct hash *h = budget_alloc(budget, BUDGET_MODEL, size);
  if (!h)
    return NULL;
  h->budget = budget;
  h->size = size;
  h->words = (uint32_t)words;
  h->fixed = shape->fixed_length;
  h->key = (struct hash_key *)(h + 1);
  h->zero = (uint64_t *)(h->key + words);
  h->start = bits_next_random(&seed);
  for (uint32_t i = 0; i < h->words; i++) {
    h->key[i].add = bits_next_random(&seed);
    h->key[i].multiply = bits_next_random(&seed) | 1;
    h->zero[i + 1] = h->zero[i] ^ fold(0, h->key[i]);
  }
  if (h->fixed)
    h->start ^= h->zero[h->words] ^ shape->max_bytes;
  h->ordered = words_of_parts(shape, h->words, h->part);
  h->listed = shape->words;
  return h;
}

void hash_close(struct hash *h) {
  if (h)
    budget_free(h->budget, BUDGET_MODEL, h, h->size);
}

static inline uint64_t mix_all(const struct hash *h, const uint8_t *row, uint32_t words) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < words; i++)
    sum ^= fold(load(row + 8 * i), h->key[i]);
  return sum;
}

uint64_t hash_raw(const struct hash *h, const uint8_t *row, uint32_t length) {
  if (h->fixed)
    return h->start ^ mix_all(h, row, h->words);
  uint32_t words = (length + 7) / 8;
  return h->start ^ length ^ h->zero[words] ^ mix_all(h, row, words);
}

static inline uint64_t mix_change(const struct hash *h, const uint8_t *old, const uint8_t *new,
                                  uint32_t i) {
  uint64_t a = load(old + 8 * (size_t)i), b = load(new + 8 * (size_t)i);
  return a == b ? 0 : fold(a, h->key[i]) ^ fold(b, h->key[i]);
}

/* What the difference of two rows in words [from, to) adds. */
static inline uint64_t mix_changes(const struct hash *h, const uint8_t *old, const uint8_t *new,
                                   uint32_t from, uint32_t to) {
  uint64_t sum = 0;
  for (uint32_t i = from; i < to; i++)
    sum ^= mix_change(h, old, new, i);
  return sum;
}

/* The same for the words that are listed for an action. */
static inline uint64_t mix_listed(const struct hash *h, const uint8_t *old, const uint8_t *new,
                                  uint32_t action) {
  uint64_t sum = 0;
  for (uint32_t i = h->listed.start[action]; i < h->listed.start[action + 1]; i++)
    sum ^= mix_change(h, old, new, h->listed.item[i]);
  return sum;
}

/* The same for the words of all changed components; two may share a word. */
static uint64_t mix_parts(const struct hash *h, const uint8_t *old, const uint8_t *new,
                          uint64_t changed) {
  uint64_t sum = 0;
  uint32_t done = 0;
  for (; changed; changed &= changed - 1) {
    struct words_range part = h->part[__builtin_ctzll(changed)];
    sum ^= mix_changes(h, old, new, part.from > done ? part.from : done, part.to);
    if (part.to > done)
      done = part.to;
  }
  return sum;
}

static inline uint64_t what_changed(const struct hash *h, const uint8_t *old,
                                    const uint8_t *new, const struct ts_edge *edge) {
  if (h->listed.start != NULL)
    return mix_listed(h, old, new, edge->event.action);
  return h->ordered ? mix_parts(h, old, new, edge->changed)
                    : mix_changes(h, old, new, 0, h->words);
}

/* Rows of that many words, a constant: words after the end of a row count for nothing. */
static inline __attribute__((always_inline)) void hash_short(const struct hash *h,
                                                             const struct ts_batch *batch,
                                                             uint32_t from, uint64_t *raw,
                                                             uint64_t *hash, uint32_t words) {
  const uint8_t *row = batch->rows + from * batch->stride;
  const struct hash_key *key = h->key;
  bool fixed = h->fixed;
  uint64_t start = fixed ? h->start : h->start ^ h->zero[words];
  for (uint32_t i = from; i < batch->n; i++, row += batch->stride) {
    uint64_t sum = fixed ? start : start ^ batch->edge[i].length;
    for (uint32_t k = 0; k < words; k++)
      sum ^= fold(load(row + 8 * k), key[k]);
    raw[i] = sum;
    hash[i] = hash_finish(sum);
  }
}

void hash_successors(const struct hash *h, const struct hash_parent *parent,
                     const struct ts_batch *batch, uint32_t from, uint64_t *raw,
                     uint64_t *hash) {
  const uint8_t *row = batch->rows + from * batch->stride;
  static_assert(HASH_SHORT == 8, "one case each");
  switch (h->words) {
  case 1:
    hash_short(h, batch, from, raw, hash, 1);
    return;
  case 2:
    hash_short(h, batch, from, raw, hash, 2);
    return;
  case 3:
    hash_short(h, batch, from, raw, hash, 3);
    return;
  case 4:
    hash_short(h, batch, from, raw, hash, 4);
    return;
  case 5:
    hash_short(h, batch, from, raw, hash, 5);
    return;
  case 6:
    hash_short(h, batch, from, raw, hash, 6);
    return;
  case 7:
    hash_short(h, batch, from, raw, hash, 7);
    return;
  case 8:
    hash_short(h, batch, from, raw, hash, 8);
    return;
  default:
    break;
  }
  for (uint32_t i = from; i < batch->n; i++, row += batch->stride) {
    const struct ts_edge *edge = &batch->edge[i];
    uint64_t sum = parent->raw;
    if (edge->kind == TS_MODEL_ERROR) {
      raw[i] = hash[i] = 0;
      continue;
    }
    if (!h->fixed)
      sum ^= parent->length ^ edge->length;
    sum ^= what_changed(h, parent->row, row, edge);
    raw[i] = sum;
    hash[i] = hash_finish(sum);
  }
}
