/* store.c - the list of stores. */
#include "store/store.h"

#include <string.h>

extern const struct store_kind store_full;

const struct store_kind *const store_kinds[] = {&store_full, NULL};

const struct store_kind *store_by_name(const char *name) {
  for (uint32_t i = 0; store_kinds[i]; i++) {
    if (strcmp(store_kinds[i]->name, name) == 0)
      return store_kinds[i];
  }
  return NULL;
}
