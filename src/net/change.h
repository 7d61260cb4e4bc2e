/* change.h - what transitions do to places, taken together: puts less takes. */
#ifndef CAIRN_NET_CHANGE_H
#define CAIRN_NET_CHANGE_H

#include "net/net.h"

struct change { /* of a place by a transition, not 0 */
  uint32_t place, transition;
  int64_t by;
};

/* Both ways: rows by transition, and rows by place. */
struct changes {
  uint32_t *start, *place_start;
  struct change *at, *by_place;
};

void change_make(struct changes *, const struct net *);

#endif
