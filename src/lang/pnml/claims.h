/* claims.h - what is asked of the infinite runs of a net: formulas, and automata from files. */
#ifndef CAIRN_LANG_PNML_CLAIMS_H
#define CAIRN_LANG_PNML_CLAIMS_H

#include "lang/lang.h"
#include "lang/pnml/ask.h"
#include "net/model.h"

/* Adds the formulas and automata of the command line to the options of the net; the hash of
 * the net goes on. False after an error, which is in the diag. */
bool claims_read(struct ask *, const struct language_options *, struct net *,
                 struct net_options *);

#endif
