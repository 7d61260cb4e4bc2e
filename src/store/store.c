/* store.c - the list of stores. */
#include "store/store.h"

#include <string.h>

extern const struct store_kind store_full, store_tree, store_collapse, store_compact,
    store_bitstate, store_bitline, store_automaton;

const struct store_kind *const store_kinds[] = {
    &store_full,    &store_tree,     &store_collapse, &store_automaton,
    &store_compact, &store_bitstate, &store_bitline,  NULL};

const struct store_kind *store_by_name(const char *name) {
  size_t n = strcspn(name, ":,");
  for (uint32_t i = 0; store_kinds[i]; i++) {
    if (strncmp(store_kinds[i]->name, name, n) == 0 && store_kinds[i]->name[n] == '\0')
      return store_kinds[i];
  }
  return NULL;
}
