/* engine.c - the list of engines. */
#include "search/engine.h"

#include <stddef.h>
#include <string.h>

#define ENGINE(name) extern const struct engine engine_##name;
#include "search/engines.def"
#undef ENGINE

const struct engine *const engines[] = {
#define ENGINE(name) &engine_##name,
#include "search/engines.def"
#undef ENGINE
    NULL};

const struct engine *engine_by_name(const char *name) {
  for (uint32_t i = 0; engines[i] != NULL; i++)
    if (strcmp(engines[i]->name, name) == 0)
      return engines[i];
  return NULL;
}
