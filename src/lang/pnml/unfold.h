/* unfold.h - from a symmetric net to a place/transition net. */
#ifndef CAIRN_LANG_PNML_UNFOLD_H
#define CAIRN_LANG_PNML_UNFOLD_H

#include "lang/pnml/symmetric.h"
#include "net/net.h"

/* All colours that a place may hold become places, all bindings of a transition that may
 * be enabled transitions. NULL after an error, which is in the diag. */
struct net *unfold(const struct symmetric_net *, struct diag *);

#endif
