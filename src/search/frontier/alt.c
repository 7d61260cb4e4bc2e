/* alt.c - breadth-first and depth-first in turn: alt:B,D.
 *
 * Evangelista and Kristensen, "Search-order independent state caching", section 5.1: above
 * depths 0 to B - 1 a level takes any number of states, above the next D one, and so on.
 */
#include "search/frontier/levels.h"

static uint64_t width(const uint64_t *parameter, uint64_t depth) {
  uint64_t broad = parameter[0], period = broad + parameter[1];
  return depth % period < broad ? UINT64_MAX : 1;
}

static struct frontier *alt_open(const struct frontier_config *config) {
  return levels_open(config, width);
}

const struct frontier_kind frontier_alt = {
    .name = "alt",
    .summary = "B levels breadth-first, D levels depth-first, in turn",
    .traits = FRONTIER_TREE | FRONTIER_GATHERS,
    .argument = "B,D",
    .n_parameters = 2,
    .open = alt_open,
    LEVELS_FUNCTIONS,
};
