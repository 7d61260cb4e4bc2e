/* present.h - a state as it is looked at to choose: which processes are there, where, and which
 * of their steps are enabled.
 *
 * In a set, processes are known by their seats. If the sets of locations fit into a word, the
 * seat of a process is the bit of where it is (conflict.h), so that a set of locations, cut to
 * where processes are, is a set of seats; else they are numbered in each state. Either way the
 * youngest come first.
 */
#ifndef CAIRN_SEARCH_REDUCE_PRESENT_H
#define CAIRN_SEARCH_REDUCE_PRESENT_H

#include "search/reduce/conflict.h"

#include "base/bits.h"

enum { PRESENT_SEATS = 64 }; /* one more than processes that can have one */

/* How a process is found. */
struct present_finder {
  bool is_plain;          /* it is always there, and a byte says where: */
  uint32_t offset, first; /* that, and the location that it says with 0 */
};

struct present_step { /* of an action */
  uint32_t step, process, from;
  uint32_t seat; /* unless there are many: of its process */
  uint64_t bit;  /* of the step among those of its location, if there are no more than 64 */
};

struct present_process {
  uint64_t steps; /* those of its location that are enabled, as bits; */
  uint32_t count; /* its enabled events */
};

struct present {
  const struct ts_shape *shape;
  const struct ts_control *control;
  const struct conflict *conflict;
  struct budget *budget;
  bool *alone; /* by location: no step conflicts with anything, ever */
  struct present_finder *finder;
  struct present_step *step; /* as control->of */
  size_t n_steps;
  bool is_still; /* each process is always where it is: transitions of a net */
  bool is_wide;  /* the sets of locations are longer than a word */
  /* In a state: */
  uint32_t stamp;                  /* of it */
  uint32_t n_there;                /* processes that are; without many, of present_list() */
  uint32_t *location;              /* by process; TS_NONE: it is not there */
  struct present_process *process; /* by process */
  uint32_t *guess; /* the processes at locations that are alone, the youngest first */
  uint32_t n_guesses;
  uint32_t *enabled;           /* by step: stamp of the state in which it was */
  uint64_t *at;                /* where processes are, in the bits of conflict.h */
  uint32_t *seat;              /* by bit, where a process is: its seat, if there are many */
  uint64_t bar;                /* the seat of what a property looks at */
  uint64_t all;                /* seats of the processes that are there, and */
  uint64_t active;             /* of those who have an enabled event */
  uint32_t who[PRESENT_SEATS]; /* by seat: the process */
  uint32_t *there;             /* present_list() */
};

/* False if the budget is exhausted; then it is to be closed, too. */
bool present_open(struct present *, const struct conflict *, struct budget *);
void present_close(struct present *); /* not opened: nothing happens */

/* Looks at a state, with a new stamp. No event of it is known yet. */
void present_look(struct present *, const uint8_t *row);
/* These events are enabled in it. */
void present_sees(struct present *, const struct ts_edge *, uint32_t n);
/* The processes that are there, the youngest first. */
const uint32_t *present_list(struct present *);

/* Whether processes have seats in this state. */
static inline bool present_has_seats(const struct present *p) {
  return !p->is_still && (!p->is_wide || p->n_there < PRESENT_SEATS);
}

/* The seats of those who are at a location of a set. */
static inline uint64_t present_at(const struct present *p, const uint64_t *set) {
  if (!p->is_wide)
    return set[0] & (p->at[0] | p->bar);
  uint64_t who = bits_test(set, p->conflict->watch) ? p->bar : 0;
  for (uint32_t w = 0; w < p->conflict->words; w++)
    for (uint64_t rest = set[w] & p->at[w]; rest != 0; rest &= rest - 1)
      who |= UINT64_C(1) << p->seat[64 * w + (uint32_t)__builtin_ctzll(rest)];
  return who;
}

#endif
