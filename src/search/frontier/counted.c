/* counted.c - best:pseudo-root: the open state first to which the fewest events are still to
 * come.
 *
 * Parashkevov and Yantchev, "Space efficient reachability analysis through use of pseudo-root
 * states" (1997), section 5.2, ask for an order that lets --forget pseudo-root forget most. A
 * state to which no event is still to come goes as soon as it is expanded, and where most
 * events can be gone back, all that it leads to was expanded before and has one event less to
 * wait for. So the counter of an open state is its key. Counters only fall, and there are few
 * values: buckets (search/tree/buckets.h) move a state in constant time. Among equals the one
 * that has waited longest comes first; the other way round more is kept (docs/pseudo-root.md).
 */
#include "search/frontier/priority.h"

static struct frontier *counted_open(const struct frontier_config *config) {
  return priority_open(config, PRIORITY_COUNTED);
}

const struct frontier_kind frontier_counted = {
    .name = "best:pseudo-root",
    .summary = "the state first to which the fewest events are still to come",
    .traits = FRONTIER_TREE | FRONTIER_GATHERS | FRONTIER_COUNTED,
    .open = counted_open,
    .counted = priority_counted,
    PRIORITY_FUNCTIONS,
};
