/* queries.h - formulas of the Model Checking Contest. */
#ifndef CAIRN_LANG_PNML_QUERIES_H
#define CAIRN_LANG_PNML_QUERIES_H

#include "net/query.h"

#include "base/diag.h"

struct queries_list {
  struct net_query *at;
  uint32_t n, capacity;
};

/* Reads a file of formulas about a net, in its arena. Formulas that this version cannot
 * answer (of CTL) are in the list, and say so. False after an error, which is in
 * the diag. */
bool queries_read(struct queries_list *, const struct net *, struct diag *,
                  const struct source *);
/* A question that has a name in place of a file: ReachabilityDeadlock, OneSafe,
 * QuasiLiveness, StableMarking. False: there is none of this name. */
bool queries_named(struct queries_list *, const struct net *, const char *name);

#endif
