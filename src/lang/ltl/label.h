/* label.h - sets of letters: what an edge of an automaton can read.
 *
 * A letter says of each of up to 64 atoms whether it is true: bit i is atom i. A cube is the
 * set of letters with some bits given; a label is a union of cubes, with no cube for the empty
 * set. Labels of automata have few cubes, so that plain lists do.
 */
#ifndef CAIRN_LANG_LTL_LABEL_H
#define CAIRN_LANG_LTL_LABEL_H

#include "base/arena.h"

struct label_cube {
  uint64_t yes, no; /* atoms that must be true, and false */
};

struct label {
  const struct label_cube *at;
  uint32_t n;
};

/* A label with more cubes is not made: label_minus() then takes nothing away. */
#define LABEL_CUBES 64u

extern const struct label label_true;

static inline bool label_cube_has(struct label_cube c, uint64_t letter) {
  return (letter & c.yes) == c.yes && (letter & c.no) == 0;
}
static inline bool label_cubes_meet(struct label_cube a, struct label_cube b) {
  return ((a.yes | b.yes) & (a.no | b.no)) == 0;
}
/* Whether a is a part of b. */
static inline bool label_cube_within(struct label_cube a, struct label_cube b) {
  return (b.yes & ~a.yes) == 0 && (b.no & ~a.no) == 0;
}

bool label_has(struct label, uint64_t letter);
bool label_meet(struct label a, struct label b); /* have a letter in common */
bool label_within(struct label a, struct label b);
bool label_is_true(struct label);

/* Results are in the arena and tidy: no cube is superfluous or can be widened. */
struct label label_of_cube(struct arena *, struct label_cube);
struct label label_or(struct arena *, struct label a, struct label b);
struct label label_and(struct arena *, struct label a, struct label b);
struct label label_minus(struct arena *, struct label a, struct label b);

/* An order on labels, for sorting; 0: the same cubes. */
int label_compare(struct label a, struct label b);

#endif
