/* judge.h - one search of one tiny system, and everything that must hold of it. */
#ifndef CAIRN_TESTS_SOUNDNESS_JUDGE_H
#define CAIRN_TESTS_SOUNDNESS_JUDGE_H

#include "combination.h"
#include "table.h"

struct judge {
  struct budget *budget;
  uint64_t base;                                 /* bytes used while no search runs */
  char why[400];                                 /* what was wrong */
  uint64_t searches, expanded, events, given_up; /* given_up: the cache was too small */
};

bool judge_open(struct judge *);
void judge_close(struct judge *);

/* Searches the system to the end, then up to the first error, then with a limit that
 * depends on `seed`. False, and `why` says what, if anything was not as it must be. */
bool judge_search(struct judge *, struct table *, struct combination *, uint64_t seed);

#endif
