/* vary.h - what varies in a sample of states, and how many different values it has there.
 *
 * A unit is a slot, or slots that share bytes. A set of units has in each row of the sample a
 * sum, the xor of a hash for each unit: rows that agree in all of them have the same sum. So a
 * unit is added to a set, or taken out, in one pass (vary_flip), and what a table of the set's
 * values would hold is the number of different sums (vary_count).
 */
#ifndef CAIRN_STORE_PARTS_VARY_H
#define CAIRN_STORE_PARTS_VARY_H

#include "ts/ts.h"

#include "base/budget.h"

struct vary_unit {
  uint32_t offset, bytes; /* in a row */
  uint32_t component;
  uint32_t mask; /* bits that some value needs; 0: none */
  bool varies;   /* in the sample */
};

struct vary {
  struct budget *budget;
  size_t size;
  const struct ts_batch *sample;
  uint32_t n_rows; /* that are looked at, */
  size_t step;     /* and the bytes from one to the next */
  uint32_t n_units;
  struct vary_unit *unit; /* by offset */
  uint64_t *set;          /* [set_slots] */
  uint32_t set_slots;
};

/* Looks at up to `rows` of the sample, spread over it. False if the budget is exhausted, and
 * then there is nothing to close. The sample must stay. */
bool vary_open(struct vary *, const struct ts_shape *, const struct ts_batch *sample,
               uint32_t rows, struct budget *);
void vary_close(struct vary *);

/* The unit's value in one of the rows looked at. */
static inline uint32_t vary_value(const struct vary *v, const struct vary_unit *unit,
                                  uint32_t row) {
  const uint8_t *bytes = v->sample->rows + row * v->step + unit->offset;
  uint32_t value = bytes[0];
  if (unit->bytes > 1)
    value |= (uint32_t)bytes[1] << 8;
  if (unit->bytes > 2)
    value |= (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  return value & unit->mask;
}

/* Adds a unit to a set, or takes it out. */
void vary_flip(const struct vary *, uint32_t unit, uint64_t *sum);
/* How many of N sums are different. */
uint32_t vary_count(const struct vary *, const uint64_t *sum, uint32_t rows);

#endif
