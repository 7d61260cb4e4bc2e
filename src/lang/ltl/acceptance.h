/* acceptance.h - conditions of acceptance: any combination of "again and again" and "at last no
 * more" by and and or, of Rabin's, Streett's, parity and all other kinds.
 *
 * Marks are on edges. Inf of a mark: a run passes it infinitely often; Fin: it does not. A
 * condition is kept as its alternatives: a run is accepted if it passes all marks in `inf`
 * infinitely often and none of those in `fin`, for one of them. No alternative accepts nothing.
 */
#ifndef CAIRN_LANG_LTL_ACCEPTANCE_H
#define CAIRN_LANG_LTL_ACCEPTANCE_H

#include "base/arena.h"

struct acceptance_alternative {
  uint64_t inf, fin;
};

struct acceptance {
  struct acceptance_alternative *at; /* none implies another */
  uint32_t n, capacity;
};

/* A condition with more alternatives is not made. Streett's has 2^n of n pairs. */
#define ACCEPTANCE_ALTERNATIVES 256u

/* That of one alternative; {0, 0} accepts everything. */
struct acceptance acceptance_of(struct arena *, struct acceptance_alternative);

/* *a becomes a or b, a and b. False if there would be too many alternatives. */
bool acceptance_or(struct arena *, struct acceptance *a, const struct acceptance *b);
bool acceptance_and(struct arena *, struct acceptance *a, const struct acceptance *b);

#define ACCEPTANCE_CLAUSES 64u

/* Alternatives with the same Fin, as one: of each clause some mark is passed infinitely often.
 * No clause: whatever does not pass `fin` is accepted. */
struct acceptance_part {
  uint64_t fin;
  uint32_t n;
  uint64_t clause[ACCEPTANCE_CLAUSES];
};

struct acceptance_parts {
  struct acceptance_part *at; /* one without Fin comes first, if there is one */
  uint32_t n, capacity;
};

/* The condition in as few parts as can be without many clauses. */
struct acceptance_parts acceptance_parts(struct arena *, const struct acceptance *);

#endif
