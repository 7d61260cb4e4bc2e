/* judge.h - one search of one tiny system, and everything that must hold of it. */
#ifndef CAIRN_TESTS_SOUNDNESS_JUDGE_H
#define CAIRN_TESTS_SOUNDNESS_JUDGE_H

#include "combination.h"
#include "table.h"

/* Of searches to the end; each that gave up was repeated with a larger cache, until it did
 * not. */
struct judge_count {
  uint64_t whole, forgetting; /* of them those that may forget */
  uint64_t forgot, revisited; /* of these such as did, and such as expanded states again */
  uint64_t tree, visits;      /* gave up: the tree is larger than the cache, many visits */
  uint64_t saved;             /* and resumed */
  uint64_t chose, fewer;      /* chose events by the state alone; and reached fewer states */
  uint64_t cycle,
      cycle_possible; /* gave up at an event back to the stack, of reductions that may */
};

struct judge {
  struct budget *budget;
  uint64_t base; /* bytes used while no search runs */
  char why[400]; /* what was wrong */
  uint64_t searches, expanded, events;
  struct judge_count count;
  bool gave_up; /* the last search, for its cache was too small */
  bool resumes; /* each search is saved and resumed as well, else one of eight */
};

bool judge_open(struct judge *);
void judge_close(struct judge *);

/* Searches the system to the end, then up to the first error, then with a limit that
 * depends on `seed`. False, and `why` says what, if anything was not as it must be. */
bool judge_search(struct judge *, struct table *, struct combination *, uint64_t seed);

/* Prints the counts. NULL, or what is too much or too little of them: a search that gives up
 * or forgets nothing tests nothing. How many may give up is said of all ways together
 * (`of_all`). Of a few searches nothing can be said. */
const char *judge_counts(const struct judge *, bool of_all);

#endif
