/* random.c - open states in random order: the key of a state is drawn when it is found. */
#include "search/frontier/priority.h"

static struct frontier *random_open(const struct frontier_config *config) {
  return priority_open(config, PRIORITY_DRAWN);
}

const struct frontier_kind frontier_random = {
    .name = "random",
    .summary = "open states in random order, which depends on the seed",
    .traits = FRONTIER_TREE | FRONTIER_GATHERS,
    .open = random_open,
    PRIORITY_FUNCTIONS,
};
