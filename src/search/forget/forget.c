/* forget.c - the list of ways to forget. */
#include "search/forget/forget.h"

#include <string.h>

extern const struct forget_kind forget_cache, forget_sweep_line;

const struct forget_kind *const forget_kinds[] = {&forget_cache, &forget_sweep_line, NULL};

const struct forget_kind *forget_by_name(const char *name) {
  size_t n = strcspn(name, ":,");
  for (uint32_t i = 0; forget_kinds[i] != NULL; i++)
    if (strncmp(forget_kinds[i]->name, name, n) == 0 && forget_kinds[i]->name[n] == '\0')
      return forget_kinds[i];
  return NULL;
}
