/* curve.h - how a store grows with the number of states, and how it will go on.
 *
 * A store is looked at each time that the number of its states has doubled, so that the last
 * look is at as many states as are asked about, or at a half of them, a quarter, and so on: an
 * index, which grows in steps, is about as full then as it will be.
 */
#ifndef CAIRN_SEARCH_MOVE_CURVE_H
#define CAIRN_SEARCH_MOVE_CURVE_H

#include "store/store.h"

#define CURVE_OCTAVES 64u

struct curve {
  uint64_t states;     /* asked about */
  uint32_t octave;     /* of the next look: at states >> octave; CURVE_OCTAVES: none is due */
  uint32_t looks;      /* so far: the last one at octave `last`, the others after it */
  uint32_t last;       /* of them */
  double index_at_end; /* bytes of the index with all states; 0: nobody knows */
  bool has_index;      /* it has an entry for each state */
  double index[CURVE_OCTAVES], rest[CURVE_OCTAVES]; /* bytes, by octave */
};

/* Bytes that the states asked about take. The truth is likely between least and most. */
struct curve_end {
  double likely, least, most;
};

void curve_begin(struct curve *, const struct store_kind *, uint64_t states);
/* At how many states it is to be looked at next; STORE_NONE: never. */
uint64_t curve_next(const struct curve *);
/* As many are there: looks at the store. */
void curve_look(struct curve *, const struct store_kind *, const struct store *);
/* How many states there were at the last look; 0: too few for an estimate. */
uint64_t curve_seen(const struct curve *);
/* Where curve_seen() is not 0. What was measured, if that were all states. */
struct curve_end curve_extend(const struct curve *);

#endif
