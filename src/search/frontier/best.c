/* best.c - best-first: the open state in which an expression is least comes first.
 *
 * best:EXPR, after Edelkamp, Leue, Lluch-Lafuente, "Directed explicit-state model checking in
 * the validation of communication protocols"; among equals the older comes first.
 */
#include "search/frontier/priority.h"

static struct frontier *best_open(const struct frontier_config *config) {
  return priority_open(config, PRIORITY_MEASURED);
}

const struct frontier_kind frontier_best = {
    .name = "best",
    .summary = "the state first in which the expression is least",
    .argument = "EXPR",
    .traits = FRONTIER_TREE | FRONTIER_GATHERS | FRONTIER_MEASURED,
    .open = best_open,
    PRIORITY_FUNCTIONS,
};
