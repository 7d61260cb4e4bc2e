/* pairs.h - which values two slots can have at the same time. Private to this folder; see
 * pairs.c.
 *
 * A state with a pair of values that is not among these can never be reached.
 */
#ifndef CAIRN_IR_PAIRS_H
#define CAIRN_IR_PAIRS_H

#include "ir/bounds.h"
#include "ir/holes.h"

/* Of the slots that are looked at, with their values numbered from 0. */
enum { PAIRS_VALUES = 64, PAIRS_NO_VALUE = 255, PAIRS_HOLE = 254 };

struct pairs {
  uint32_t n;
  const uint32_t *slot;   /* of the n that are looked at */
  const uint32_t *number; /* by slot: which of these it is, or TS_NONE */
  const uint8_t *index;   /* [256 * number + value - VALUES_FIRST]: or PAIRS_NO_VALUE */
  const uint32_t *first;  /* by number: the row of its first value */
  uint64_t *with;         /* [row * n + number]: a bit for each value of that one */
};

/* A bit for each value of each slot looked at, that goes with this value of this one. */
static inline uint64_t *pairs_row(const struct pairs *p, uint32_t number, uint32_t index) {
  return &p->with[(uint64_t)(p->first[number] + index) * p->n];
}

static inline uint32_t pairs_index(const struct pairs *p, uint32_t number, int32_t value) {
  const int64_t at = (int64_t)value - VALUES_FIRST;
  return at < 0 || at >= VALUES_BITS ? PAIRS_NO_VALUE : p->index[256 * number + (uint32_t)at];
}

/* Numbers the slots that are looked at, with room for their pairs, of which there are none;
 * NULL: that is too much. n_values: by number. */
struct pairs *pairs_open(const struct ir_model *, const struct ts_shape *,
                         const struct bounds *, const bool *looked, const uint32_t **n_values);

/* In the arena of the model; NULL: that would take too long, or too much room. `looked`: by
 * process, whether it may be looked at its slots, which are zero while it is not there; NULL:
 * all of them, and all are always there. */
const struct pairs *pairs_find(const struct ir_model *, const struct ir_actions *,
                               const struct ts_shape *, const struct small_steps *steps,
                               const struct bounds *, const bool *looked);

/* The index of each slot looked at in a row. */
void pairs_read(const struct pairs *, const struct holes *, uint8_t *now);
/* Whether what was changed in the row goes with all the rest of it, holes apart. `now`: room
 * with the indices of the row before the changes, left as it was. */
bool pairs_allow(const struct pairs *, const struct holes *, uint8_t *now);
/* The values that a hole, a slot that is looked at, may have beside all the rest; and whether
 * that one is among them. */
uint64_t pairs_left(const struct pairs *, const struct holes *, uint8_t *now, uint32_t slot);
bool pairs_have(const struct pairs *, uint64_t left, uint32_t slot, int32_t value);

#endif
