/* product_ways.h - what a claim with variables of its own can do in one step; see product.h. */
#ifndef CAIRN_TS_PRODUCT_WAYS_H
#define CAIRN_TS_PRODUCT_WAYS_H

#include "ts/claim.h"
#include "ts/ts.h"

#include "base/arena.h"

/* The most ways that one step may go, and the most bytes of variables. */
#define PRODUCT_WAYS 128u
#define PRODUCT_OWN  256u

/* The variables of a claim: parts of the system's state vector. */
struct product_own {
  uint32_t n_parts, bytes;
  const struct ts_range *part; /* bytes */
  const struct ts_range *slot; /* the same as slots, ascending */
  uint64_t changed;            /* their components, as struct ts_edge of the system has them */
};

/* Of the claim's changes, in the arena; NULL: it has no variables. There may be more bytes than
 * PRODUCT_OWN; then it can be used for nothing else. */
const struct product_own *product_own(struct arena *, const struct ts_shape *system,
                                      const struct claim *);

/* The ways of one step, as edges: where each leads, its marks and its fault; `change` is 1 if
 * variables may have changed. Values are copied by product_own_put(). */
struct product_ways {
  uint32_t n, fault; /* fault: of the product, or TS_NONE; then there are no ways */
  struct claim_edge at[PRODUCT_WAYS];
  uint8_t value[PRODUCT_WAYS][PRODUCT_OWN];
};

/* Walks from a state of the claim on, for as long as it does not stop. `work` is a copy of the
 * system's state, which is spoilt. */
void product_ways(const struct ts *system, const struct claim *, const struct product_own *,
                  uint32_t state, uint8_t *work, uint32_t length, struct product_ways *);

/* Writes the variables as one way leaves them into a state of the system. */
void product_own_put(const struct product_own *, const uint8_t *value, uint8_t *state);

/* Whether the letter is one that the edge reads. */
static inline bool product_reads(const struct claim_edge *e, uint64_t letter) {
  for (uint32_t i = 0; i < e->n_cubes; i++)
    if ((letter & e->cube[i].yes) == e->cube[i].yes && (letter & e->cube[i].no) == 0)
      return true;
  return false;
}

#endif
