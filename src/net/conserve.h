/* conserve.h - sets of places whose tokens together stay as many, or never grow. */
#ifndef CAIRN_NET_CONSERVE_H
#define CAIRN_NET_CONSERVE_H

#include "net/change.h"

struct conserve_want {
  bool exact;         /* as many, in every marking; else never more */
  uint64_t most;      /* tokens at first */
  const bool *barred; /* [place]: not to be in it; NULL: none */
};

struct conserve;

/* The search: works in memory of the net's arena. */
struct conserve *conserve_open(const struct net *, const struct changes *);

/* All searches together do a bounded amount of work, and find nothing after it; this begins
 * a new amount. */
void conserve_renew(struct conserve *);

/* A set with this place. Returns how many places it has, 0 if none was found, which says
 * nothing; *place is valid until the next call, *tokens what they hold at first. */
uint32_t conserve_find(struct conserve *, uint32_t place, const struct conserve_want *,
                       const uint32_t **place_out, uint64_t *tokens);

#endif
