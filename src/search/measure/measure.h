/* measure.h - the value of a state: some of its values as one number.
 *
 * For orders that expand the least first, and for the sweep-line, which goes by
 * progress. A measure is a list of parts, each an expression of the user's or a slot;
 * the first that differs decides, so the parts follow each other in 64 bits, the
 * first one highest.
 */
#ifndef CAIRN_SEARCH_MEASURE_MEASURE_H
#define CAIRN_SEARCH_MEASURE_MEASURE_H

#include "ts/ts.h"

#define MEASURE_PARTS 64u

struct measure_part {
  uint32_t expression; /* index into shape->measure, or TS_NONE: */
  uint32_t slot;       /* then this slot */
  int64_t least;       /* of its values */
  uint8_t bits;        /* that value - least needs */
  bool falls;          /* larger values come first */
};

struct measure {
  const struct ts *ts;
  uint32_t n, bits; /* bits of all parts */
  struct measure_part part[MEASURE_PARTS];
};

/* Adds the shape's expression `which`, or a slot. False if they no longer fit 64 bits. */
bool measure_add_expression(struct measure *, uint32_t which);
bool measure_add_slot(struct measure *, uint32_t slot, bool falls);
/* The same, in fewer bits: values beyond these are taken for the nearer one. */
bool measure_add_range(struct measure *, uint32_t slot, bool falls, int64_t least,
                       int64_t most);

/* Of a state; comparing two gives the order of the two. */
uint64_t measure_of(const struct measure *, const uint8_t *state, uint32_t length);

#endif
