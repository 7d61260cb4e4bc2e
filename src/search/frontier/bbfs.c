/* bbfs.c - bounded breadth-first search: bbfs:W expands a level W states at a time.
 *
 * Evangelista and Kristensen, "Search-order independent state caching", section 5.1: a level
 * takes W states, and is left for the one above it when that is full. bbfs:1 is depth-first.
 */
#include "search/frontier/levels.h"

static uint64_t width(const uint64_t *parameter, uint64_t depth) {
  (void)depth;
  return parameter[0];
}

static struct frontier *bbfs_open(const struct frontier_config *config) {
  return levels_open(config, width);
}

const struct frontier_kind frontier_bbfs = {
    .name = "bbfs",
    .summary = "breadth-first, but only W states of a level at a time",
    .traits = FRONTIER_TREE | FRONTIER_GATHERS,
    .argument = "W",
    .n_parameters = 1,
    .open = bbfs_open,
    LEVELS_FUNCTIONS,
};
