/* farkas.h - bounds of places by weighted sums of tokens that never grow. */
#ifndef CAIRN_NET_FARKAS_H
#define CAIRN_NET_FARKAS_H

#include "net/change.h"

/* Whether a net is small enough for it. */
bool farkas_is_small(const struct net *);

/* Lowers bound[place] to what follows from such sums; where none bounds a place it stays. Does
 * a bounded amount of work, after which bounds may be higher than they need be, but never too
 * low. */
void farkas_bounds(const struct net *, const struct changes *, uint32_t *bound);

/* A sum that never grows, and shrinks by some transition. */
struct farkas_sum {
  const int64_t *weight; /* [place], none below 0 */
  const int64_t *by;     /* [transition]: what it adds, none above 0 */
};

/* Some of them, `most` at most, in the net's arena; how many. */
uint32_t farkas_sums(const struct net *, struct farkas_sum *, uint32_t most);

#endif
