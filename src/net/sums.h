/* sums.h - markings that are never reached because a sum of tokens is too large or too small.
 */
#ifndef CAIRN_NET_SUMS_H
#define CAIRN_NET_SUMS_H

#include "net/fire.h"

struct net_sums;

enum { SUMS_WORDS = 16 }; /* of a bitmap of actions, where there are sums */

/* In the net's arena; `turned`: the same net with its arcs turned round, `backward` its
 * actions. NULL: no sum is known that can rule anything out. */
const struct net_sums *net_sums_make(const struct net *, const struct net *turned,
                                     const struct net_layout *, const struct fire *backward);

/* Adds to the bitmap the actions that lead back from this marking, which is reached, to one
 * that never is. */
void net_sums_rule_out(const struct net_sums *, const uint8_t *state, uint64_t *skip);

#endif
