/* shortage.h - what goes where memory is short, of states that else go once nothing leads to
 * them any more. Private to this folder. See shortage.c.
 */
#ifndef CAIRN_SEARCH_FORGET_SHORTAGE_H
#define CAIRN_SEARCH_FORGET_SHORTAGE_H

#include "search/forget/cache.h"
#include "search/forget/once.h"

/* Of the bits of a state, besides a counter from SHORTAGE_SHIFT on. */
enum shortage_bits {
  SHORTAGE_CLOSED = 1, /* it is not open */
  SHORTAGE_FIRED = 2,  /* open, and some of its events were fired; where a tree is kept */
  SHORTAGE_ODD = 4,    /* the depth of an open one; where a tree is kept */
  SHORTAGE_SHIFT = 3
};

struct shortage {
  const struct once *once;
  uint64_t most; /* the largest counter, as a mask */
  struct rows rows;
  uint64_t *bits;
  uint32_t cursor; /* among the nodes */
  bool by_levels;  /* states are found in the order of their depth: that is to stay so */
  uint64_t level;  /* of the state that was fired last */
  bool is_on;      /* states may be forgotten that are reached again; */
  struct cache cache;
};

/* `once` has begun and stays where it is. False if the budget is exhausted; it can be ended
 * then, too. Where no tree is kept it does nothing. */
bool shortage_begin(struct shortage *, const struct once *once, uint64_t most);
void shortage_end(struct shortage *);

/* States that may be reached again go: from now on none goes but from here. */
static inline bool shortage_is_on(const struct shortage *s) {
  return s->is_on;
}

/* The first bits of a state with this node, or STORE_NONE, that was just stored. */
uint64_t shortage_bits(const struct shortage *, uint64_t node);
/* A tree was made of what is open. */
void shortage_note_open(struct shortage *);
/* The first events of a state with this node were fired. */
void shortage_note_fired(struct shortage *, uint32_t node);

/* Makes room for n states, or as many as can go; how many. */
uint64_t shortage_drop(struct shortage *, uint64_t n);

/* Saves what it knows, or loads it. False if memory ran out or the sink refused. */
bool shortage_pass(struct shortage *, struct sink *);

#endif
