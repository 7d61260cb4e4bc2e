/* claim_parts.h - the components of an automaton, and which of their edges have all marks.
 *
 * A cycle of a product is a cycle of its automaton, so it stays within one component of that.
 * Where no edge inside has the marks there is no cycle to look for; where all have them any
 * cycle will do; only the others need to be searched twice (Černá and Pelánek, "Relating
 * hierarchy of temporal properties to model checking", MFCS 2003, section 4).
 */
#ifndef CAIRN_TS_CLAIM_PARTS_H
#define CAIRN_TS_CLAIM_PARTS_H

#include "ts/claim.h"

#include "base/arena.h"

enum claim_part_marks {
  CLAIM_PART_NONE, /* the edges inside do not have all marks, taken together */
  CLAIM_PART_ALL,  /* each of them has all */
  CLAIM_PART_SOME
};

struct claim_part {
  uint32_t part;  /* the same for all states of a component */
  uint32_t marks; /* enum claim_part_marks */
};

/* By state, in the arena. NULL if the budget is exhausted. */
const struct claim_part *claim_parts(struct arena *, struct budget *, const struct claim *);

#endif
