/* frontier.c - the list of orders. */
#include "search/frontier/frontier.h"

#include <string.h>

extern const struct frontier_kind frontier_bfs, frontier_dfs, frontier_bbfs, frontier_alt,
    frontier_best, frontier_random;

const struct frontier_kind *const frontier_kinds[] = {
    &frontier_bfs,    &frontier_dfs, &frontier_bbfs, &frontier_alt, &frontier_best,
    &frontier_random, NULL};

const struct frontier_kind *frontier_by_name(const char *name) {
  size_t n = strcspn(name, ":");
  for (uint32_t i = 0; frontier_kinds[i] != NULL; i++)
    if (strncmp(frontier_kinds[i]->name, name, n) == 0 && frontier_kinds[i]->name[n] == '\0')
      return frontier_kinds[i];
  return NULL;
}
