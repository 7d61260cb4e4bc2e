/* parents.h - for every state how it was first reached, in little more than a byte.
 *
 * For orders that expand states as they were found: then the parents of states 0,
 * 1, 2 … ascend, and follow from one bit per state and one per parent. What is kept
 * besides is which of its parent's successors a state was; so the way to a state
 * is found from the initial state forwards, and the store is not asked. See parents.c.
 */
#ifndef CAIRN_SEARCH_ERROR_PARENTS_H
#define CAIRN_SEARCH_ERROR_PARENTS_H

#include "base/budget.h"
#include "base/sink.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct parents_far { /* what does not fit a byte */
  uint64_t id;
  uint32_t nth;
};

struct parents {
  uint64_t n;         /* states */
  uint64_t initial;   /* the first N have no parent */
  uint64_t last;      /* parent of the last state */
  uint64_t end, room; /* bits in use, bits that there are */
  uint64_t *bit;
  uint8_t *nth; /* by id; 255: look among the far ones */
  uint64_t nth_room;
  struct parents_far *far; /* by ascending id */
  uint64_t n_far, far_room;
  struct budget *budget;
};

/* How a state was first reached. */
struct parents_step {
  uint64_t parent; /* UINT64_MAX: it is an initial state */
  uint32_t nth;    /* among the parent's successors, or the initial states */
};

void parents_init(struct parents *, struct budget *);
void parents_free(struct parents *);

/* Saves them, or loads them into empty ones. False if memory ran out or the sink refused. */
bool parents_pass(struct parents *, struct sink *);

/* Slow paths of parents_add. */
bool parents_extend(struct parents *, uint64_t end);
bool parents_add_far(struct parents *, uint32_t nth);

/* Adds the state whose id is the number of calls so far; its parent must not be
 * before that of the state before. False, and nothing happened, if the budget is
 * exhausted. */
static inline bool parents_add(struct parents *p, uint64_t parent, uint32_t nth) {
  assert(parent >= p->last);
  uint64_t at = p->end + (parent - p->last);
  if ((at >= p->room || p->n == p->nth_room) && !parents_extend(p, at))
    return false;
  if (nth >= 255 && !parents_add_far(p, nth))
    return false;
  p->nth[p->n++] = nth < 255 ? (uint8_t)nth : 255;
  p->bit[at / 64] |= UINT64_C(1) << (at % 64);
  p->end = at + 1;
  p->last = parent;
  return true;
}

/* The same for an initial state; all of them come first. */
bool parents_add_initial(struct parents *, uint32_t nth);

/* Where the states looked up last were; begins as {0}. */
struct parents_cursor {
  bool begun;
  uint64_t word, ones; /* ones in the words in front of it */
};

/* The steps to states 0, 1, 2 …; begins as {0}. */
struct parents_walk {
  uint64_t id, bit;
};

struct parents_step parents_next(const struct parents *, struct parents_walk *);

/* The step to a state; with the same cursor only states before it can be asked for next. */
struct parents_step parents_get(const struct parents *, struct parents_cursor *, uint64_t id);

#endif
