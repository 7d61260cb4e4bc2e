/* way.h - who knows the way to a state: the stack, the tree of open states, or the parents.
 *
 * Where the order has the way in hand it is asked. Where a tree of open states is kept, it
 * says so itself (tree/keep.c). Else, for orders that number what is open, it is kept for
 * every state by which event of which other one it was first reached (parents.h), unless nobody
 * wants to know.
 */
#ifndef CAIRN_SEARCH_ERROR_WAY_H
#define CAIRN_SEARCH_ERROR_WAY_H

#include "ts/ts.h"

#include <stdbool.h>

struct search;

enum way_of { WAY_NONE, WAY_STACK, WAY_TREE, WAY_PARENTS };

#define WAY_BROKEN UINT64_MAX

struct way {
  enum way_of of;
  bool lasts; /* can be asked when the search is over; else at once, or never */
  /* The events from an initial state to the one with this number (STORE_NONE: no state), the
   * first one naming the initial state: returns how many, and writes them unless `event` is
   * NULL. WAY_BROKEN: they do not lead there, which is a fault of ours. */
  uint64_t (*path)(struct search *, uint64_t number, struct ts_event *event);
  uint64_t pred;   /* of parents: of the last row answered, and */
  uint32_t nth;    /* which of its successors that was */
  uint32_t *fresh; /* rows that are new, the same */
};

#endif
