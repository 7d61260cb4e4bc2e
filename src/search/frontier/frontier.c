/* frontier.c - the list of orders. */
#include "search/frontier/frontier.h"

#include <string.h>

extern const struct frontier_kind frontier_bfs, frontier_dfs;

const struct frontier_kind *const frontier_kinds[] = {&frontier_bfs, &frontier_dfs, NULL};

const struct frontier_kind *frontier_by_name(const char *name) {
  for (uint32_t i = 0; frontier_kinds[i] != NULL; i++)
    if (strcmp(frontier_kinds[i]->name, name) == 0)
      return frontier_kinds[i];
  return NULL;
}
