/* backward.h - from a marking to those from which one transition leads to it. */
#ifndef CAIRN_NET_BACKWARD_H
#define CAIRN_NET_BACKWARD_H

#include "net/fire.h"

struct net_backward;

/* In the net's arena. The arguments are those of fire_make(), which made `forward`. */
const struct net_backward *net_backward_make(const struct net *, const struct net_layout *,
                                             uint32_t component_words, const uint32_t *fault,
                                             const struct fire *forward);

/* As ts_code.predecessors(), n_predecessors() and all_predecessors(). */
int32_t net_predecessors(const struct net_backward *, const uint8_t *state,
                         struct ts_event *cursor, struct ts_batch *out);
uint32_t net_n_predecessors(const struct net_backward *, const uint8_t *state);
int32_t net_all_predecessors(const struct net_backward *, const uint8_t *state,
                             struct ts_event *cursor, struct ts_batch *out);
/* No state has more of those that are counted; TS_NONE: that is not known. */
uint32_t net_most_predecessors(const struct net_backward *);

#endif
