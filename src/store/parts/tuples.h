/* tuples.h - numbers of components, one after the other without gaps, by id.
 *
 * A number has as many bits as the largest so far needs. When one outgrows its field an
 * epoch ends: from the next tuple on all have the wider field, while those before stay as
 * they are. Which epoch a tuple belongs to follows from its id, for ids ascend; there are
 * at most as many epochs as a tuple has bits, and nothing is ever written again.
 *
 * Who works with tuples has them in words, in the fields of the last epoch.
 */
#ifndef CAIRN_STORE_PARTS_TUPLES_H
#define CAIRN_STORE_PARTS_TUPLES_H

#include "base/budget.h"
#include "base/sink.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct tuples_epoch {
  uint64_t first;  /* id of its first tuple */
  uint64_t offset; /* of that tuple in the data */
  uint32_t bytes;  /* of each tuple */
};

struct tuples_field {
  uint32_t at, width; /* first bit, and bits */
};

struct tuples_ones { /* the bits of a field in a tuple of two words */
  uint64_t word[2];
};

struct tuples {
  struct budget *budget;
  uint32_t fields;
  uint64_t n;
  uint8_t *data; /* all tuples */
  uint64_t end, capacity;
  struct tuples_epoch *epoch;
  uint8_t *width; /* of each epoch and field, bits, at most 32 */
  uint32_t epochs, room;
  struct tuples_epoch last;   /* a copy */
  struct tuples_field *field; /* of the last epoch */
  struct tuples_ones *ones;   /* the same, for tuples of at most TUPLES_PAIR words */
  uint32_t words;             /* of its tuples */
  uint64_t mask;              /* of the last word's bits */
};

/* False if the budget is exhausted, and then there is nothing to close. */
bool tuples_open(struct tuples *, struct budget *, uint32_t fields);
void tuples_close(struct tuples *);
/* Bytes taken from the budget, and of those the bytes in use. */
uint64_t tuples_reserved(const struct tuples *);
uint64_t tuples_used(const struct tuples *);

/* Words that a tuple in work must have room for, whatever the epoch. */
static inline size_t tuples_most_words(const struct tuples *t) {
  return (size_t)t->fields / 2 + 3;
}

/* Begins an epoch with fields of at least that many bits: a tuple in work is to be laid again.
 * False, and nothing changed, if memory ran out. */
bool tuples_begin(struct tuples *, const uint8_t *width);
/* Room for one tuple more. There must be an epoch. */
bool tuples_reserve(struct tuples *);
/* Works out `ones`. */
void tuples_find_ones(struct tuples *);
/* Writes it, if there is room. */
void tuples_add(struct tuples *, const uint64_t *tuple);

/* The numbers of a tuple: that of field k goes to number[place[k]]. */
void tuples_numbers(const struct tuples *, uint64_t id, const uint32_t *place,
                    uint32_t *number);
/* A tuple of an epoch before the last one, in the last one's fields. */
void tuples_load_old(const struct tuples *, uint64_t id, uint64_t *tuple);

/* See room/save.h. */
void tuples_save(const struct tuples *, struct sink *);
bool tuples_restore(struct tuples *, struct sink *);

/* A sentence naming the first broken invariant, or NULL. */
const char *tuples_check(const struct tuples *);

static inline bool tuples_is_last(const struct tuples *t, uint64_t id) {
  return __builtin_expect(id >= t->last.first, 1);
}

static inline const uint8_t *tuples_place(const struct tuples *t, uint64_t id) {
  return t->data + t->last.offset + (id - t->last.first) * t->last.bytes;
}

/* Prefetches a tuple, if it is of the last epoch. */
static inline void tuples_prefetch(const struct tuples *t, uint64_t id) {
  if (!tuples_is_last(t, id))
    return;
  const uint8_t *at = tuples_place(t, id);
  __builtin_prefetch(at);
  __builtin_prefetch(at + t->last.bytes - 1);
}

/* A tuple; the word after it is zero. */
static inline void tuples_load(const struct tuples *t, uint64_t id, uint64_t *tuple) {
  tuple[t->words] = 0;
  if (!tuples_is_last(t, id)) {
    tuples_load_old(t, id, tuple);
    return;
  }
  const uint8_t *at = tuples_place(t, id);
  for (uint32_t i = 0; i < t->words; i++)
    memcpy(&tuple[i], at + 8 * i, sizeof *tuple);
  tuple[t->words - 1] &= t->mask;
}

/* A tuple of at most TUPLES_PAIR words, as most are, in registers. `room`: for one tuple. */
#define TUPLES_PAIR 2u
typedef unsigned __int128 tuples_pair;

static inline tuples_pair tuples_as_pair(const uint64_t *tuple) {
  return tuple[0] | (tuples_pair)tuple[1] << 64;
}

static inline tuples_pair tuples_load_pair(const struct tuples *t, uint64_t id,
                                           uint64_t *room) {
  uint64_t low, high;
  if (!tuples_is_last(t, id)) {
    tuples_load_old(t, id, room);
    return tuples_as_pair(room);
  }
  const uint8_t *at = tuples_place(t, id);
  memcpy(&low, at, sizeof low);
  if (t->words < TUPLES_PAIR)
    return low & t->mask;
  memcpy(&high, at + sizeof low, sizeof high);
  return low | (tuples_pair)(high & t->mask) << 64;
}

/* Bits of a number of that width. */
static inline uint64_t tuples_ones(struct tuples_field field) {
  return (UINT64_C(1) << field.width) - 1;
}

static inline uint32_t tuples_pair_get(tuples_pair tuple, struct tuples_field field) {
  return (uint32_t)((uint64_t)(tuple >> field.at % 128) & tuples_ones(field));
}

/* A field of a tuple in work. */
static inline uint32_t tuples_get(const uint64_t *tuple, struct tuples_field field) {
  const uint64_t *word = tuple + field.at / 64;
  uint32_t from = field.at % 64;
  uint64_t bits = word[0] >> from | word[1] << 1 << (63 - from);
  return (uint32_t)(bits & tuples_ones(field));
}

/* Sets a field that is 0. */
static inline void tuples_set(uint64_t *tuple, struct tuples_field field, uint32_t number) {
  uint64_t *word = tuple + field.at / 64;
  uint32_t from = field.at % 64;
  word[0] |= (uint64_t)number << from;
  word[1] |= (uint64_t)number >> 1 >> (63 - from);
}

/* Makes a field 0. */
static inline void tuples_clear(uint64_t *tuple, struct tuples_field field) {
  uint64_t *word = tuple + field.at / 64, mask = tuples_ones(field);
  uint32_t from = field.at % 64;
  word[0] &= ~(mask << from);
  word[1] &= ~(mask >> 1 >> (63 - from));
}

/* Is a stored tuple this one? `room`: for one tuple. */
static inline bool tuples_same(const struct tuples *t, uint64_t id, const uint64_t *tuple,
                               uint64_t *room) {
  uint64_t differs = 0;
  tuples_load(t, id, room);
  for (uint32_t i = 0; i < t->words; i++)
    differs |= room[i] ^ tuple[i];
  return differs == 0;
}

#endif
