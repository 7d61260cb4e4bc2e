/* net.h - a place/transition net, and how it becomes a transition system.
 *
 * Nets come from a language (lang/pnml) with their colours unfolded. They are no model of
 * ir: a net has thousands of actions that are all alike, which tables say better than code.
 * net_open() works out how a marking is laid out in a state vector, and returns a ts whose
 * code is one interpreter of tables (fire.c), compiled with this program.
 *
 *   trim.c      drops what can never fire or change
 *   conserve.c  finds sets of places that always hold one token together, or never more
 *   farkas.c    bounds places of small nets by weighted sums
 *   layout.c    places and units to slots of the vector
 *   fire.c      which transitions are enabled, and where they lead
 *   backward.c  the same backward
 *   sums.c      which markings before one are never reached
 */
#ifndef CAIRN_NET_NET_H
#define CAIRN_NET_NET_H

#include "ts/ts.h"

#include "base/arena.h"

struct net_arc {
  uint32_t place, weight;
};

struct net_place {
  const char *name;
  uint32_t group; /* the place of the text that it is of */
  uint32_t initial;
};

struct net_transition {
  const char *name;
  uint32_t group; /* the transition of the text that it is of */
};

/* A place or transition as it is written: with all its colours. */
struct net_group {
  const char *id, *name;
  struct ts_place where;
  uint32_t first, n;      /* its places or transitions, which follow each other */
  uint64_t constant;      /* of a place: tokens in places that were dropped, for they never
                           * change */
  uint64_t most_constant; /* the most of them in one such place */
};

/* Arcs in rows by transition, each row ascending by place, no place twice in one. */
struct net_arcs {
  uint32_t *start; /* n_transitions + 1 */
  struct net_arc *at;
};

struct net_dropped { /* a place that never changes */
  const char *name;
  uint32_t tokens;
};

struct net {
  struct arena *arena;
  const char *name; /* file name */
  uint64_t hash;    /* of the text */
  uint32_t n_places, n_transitions, n_place_groups, n_transition_groups;
  struct net_place *place;
  struct net_transition *transition;
  struct net_group *place_group, *transition_group;
  struct net_arcs in, out;
  struct net_dropped *dropped; /* by net_trim() */
  uint32_t n_dropped;
};

/* Drops transitions that can never fire, and places that never change: their tokens are
 * counted in their groups. Places and transitions are renumbered. */
void net_trim(struct net *);

#endif
