/* explain.h - what the transitions of a net lack in a marking. Private to this folder. */
#ifndef CAIRN_NET_EXPLAIN_H
#define CAIRN_NET_EXPLAIN_H

#include "net/layout.h"
#include "net/marking.h"

/* For the notes of the shape (ts/explain.h), in the net's arena. `holds`: by property;
 * `transition`: by action. */
const struct ts_explain *net_explain(const struct net *, const struct net_layout *,
                                     const struct ts_shape *,
                                     const struct net_term *const *holds,
                                     const uint32_t *transition);

#endif
