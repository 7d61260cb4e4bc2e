/* backedges.h - of every state from which one it was reached and by which event, and whether
 * it is kept whole.
 *
 * The backedge table of the ComBack method (Westergaard, Kristensen, Brodal and Arge 2007,
 * section 6.3). States are cut into blocks of 256. A block's backedges have the bits that the
 * largest of them needs: how far back the other state is, and the event's number; the next
 * block begins with what the one before needed, and when a value does not fit, its block alone
 * is written anew. A bit per state says which are kept whole, and how many are in front of a
 * block, so that a whole state's place among them follows from its number.
 */
#ifndef CAIRN_STORE_BACK_BACKEDGES_H
#define CAIRN_STORE_BACK_BACKEDGES_H

#include "base/bits.h"
#include "base/budget.h"
#include "base/sink.h"

#include <string.h>

#define BACKEDGES_NONE UINT64_MAX /* the state of whose backedge there is none */

enum {
  BACKEDGES_BLOCK = 256, /* states */
  BACKEDGES_WORDS = BACKEDGES_BLOCK / 64,
  BACKEDGES_MOST = 48 /* bits of a distance; an event has 32 at most */
};

struct backedges_block {
  uint8_t *at; /* of each state a distance and an event */
  uint64_t whole[BACKEDGES_WORDS], rank;
  uint8_t distance_bits, event_bits;
};

struct backedges {
  struct budget *budget;
  struct backedges_block *block;
  uint64_t room;  /* of the array `block` */
  uint64_t n;     /* states */
  uint64_t whole; /* of them kept whole */
  uint64_t bytes; /* of the blocks' entries */
};

struct backedge {
  uint64_t parent; /* BACKEDGES_NONE: none */
  uint32_t event;
};

/* Takes no memory. */
void backedges_init(struct backedges *, struct budget *);
void backedges_free(struct backedges *);

/* Makes sure that the next state may have this backedge; false if memory ran out. */
bool backedges_make(struct backedges *, struct backedge);
/* Adds it, whose room was made. */
void backedges_add(struct backedges *, struct backedge, bool whole);
/* Another backedge for a state that is there. False, and nothing changed, if memory ran out. */
bool backedges_set(struct backedges *, uint64_t state, struct backedge);
/* Bytes taken from the budget. */
uint64_t backedges_reserved(const struct backedges *);
/* A sentence naming the first broken invariant, or NULL. */
const char *backedges_check(const struct backedges *);

/* See room/save.h. */
void backedges_save(const struct backedges *, struct sink *);
bool backedges_load(struct backedges *, struct sink *);

/* `width` bits, at most 56, from bit `at` on. */
static inline uint64_t backedges_read(const uint8_t *bytes, uint64_t at, uint32_t width) {
  uint64_t word;
  memcpy(&word, bytes + at / 8, sizeof word);
  return word >> at % 8 & bits_lowest(width);
}

static inline struct backedge backedges_get(const struct backedges *b, uint64_t state) {
  const struct backedges_block *block = &b->block[state / BACKEDGES_BLOCK];
  uint32_t wide = block->distance_bits, event = block->event_bits;
  uint64_t at = state % BACKEDGES_BLOCK * (wide + event);
  uint64_t code = backedges_read(block->at, at, wide);
  /* 0: none; odd: back, the usual case; even: forth. */
  uint64_t parent = code & 1 ? state - (code + 1) / 2 : state + code / 2;
  return (struct backedge){code == 0 ? BACKEDGES_NONE : parent,
                           (uint32_t)backedges_read(block->at, at + wide, event)};
}

static inline bool backedges_is_whole(const struct backedges *b, uint64_t state) {
  return bits_test(b->block[state / BACKEDGES_BLOCK].whole, state % BACKEDGES_BLOCK);
}

/* How many states before this one are whole. */
static inline uint64_t backedges_rank(const struct backedges *b, uint64_t state) {
  const struct backedges_block *block = &b->block[state / BACKEDGES_BLOCK];
  uint32_t bit = state % BACKEDGES_BLOCK, words = bit / 64;
  uint64_t rank = block->rank;
  for (uint32_t i = 0; i < words; i++)
    rank += (uint64_t)__builtin_popcountll(block->whole[i]);
  return rank + (uint64_t)__builtin_popcountll(block->whole[words] & bits_lowest(bit % 64));
}

#endif
