/* control.h - what transitions touch, for partial order reduction. Private to this folder. */
#ifndef CAIRN_NET_CONTROL_H
#define CAIRN_NET_CONTROL_H

#include "net/fire.h"
#include "net/layout.h"
#include "ts/control.h"

/* The facts of ts/control.h, in the net's arena. NULL: there are too many transitions, or none.
 */
const struct ts_control *net_control(const struct net *, const struct net_layout *,
                                     const struct fire *, bool has_properties);

#endif
