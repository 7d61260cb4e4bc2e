/* claim.h - a Büchi automaton as the search wing knows it: what runs beside a system.
 *
 * Its letters say of each atom whether it holds, and its marks are on edges: a run is accepted
 * if it passes each mark infinitely often, and any infinite run is if there is none.
 */
#ifndef CAIRN_TS_CLAIM_H
#define CAIRN_TS_CLAIM_H

#include <stdint.h>

struct claim_cube {
  uint64_t yes, no; /* bits of atoms that must hold, and must not */
};

struct claim_edge {
  uint32_t from, to;
  uint64_t marks;
  const struct claim_cube *cube; /* read if one of them fits */
  uint32_t n_cubes;
};

struct claim {
  uint32_t n_states, initial, n_marks;
  const struct claim_edge *edge; /* by source */
  const uint32_t *first;         /* of a state's edges; n_states + 1 entries */
  uint32_t n_atoms;              /* at most 64 */
  const uint32_t *property;      /* of an atom: of the system, ascending, none twice */
};

#endif
