/* candidates.h - states that may be forgotten, by rank: the lowest goes first.
 *
 * Within a rank the oldest, the youngest or any may go first. An entry costs the bytes of a
 * ref and is added in constant time, for most searches add all their states and drop none.
 */
#ifndef CAIRN_SEARCH_FORGET_CANDIDATES_H
#define CAIRN_SEARCH_FORGET_CANDIDATES_H

#include "base/budget.h"
#include "base/sink.h"

#define CANDIDATES_RANKS 4096u

enum candidates_pick { CANDIDATES_OLDEST, CANDIDATES_YOUNGEST, CANDIDATES_RANDOM };

struct candidates;

/* Refs need that many bytes, at most eight. NULL if the budget is exhausted. */
struct candidates *candidates_open(struct budget *, uint32_t ref_bytes, uint64_t seed);
void candidates_close(struct candidates *);

/* False if the budget is exhausted. */
bool candidates_add(struct candidates *, uint32_t rank, uint64_t ref);
/* Takes one of the lowest rank; false: there is none. */
bool candidates_take(struct candidates *, enum candidates_pick, uint32_t *rank, uint64_t *ref);
uint64_t candidates_count(const struct candidates *);

/* Saves them, or loads them into what was just opened. False if memory ran out or the sink
 * refused. */
bool candidates_pass(struct candidates *, struct sink *);

#endif
