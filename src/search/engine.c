/* engine.c - the list of engines. */
#include "search/engine.h"

#include <stddef.h>

#define ENGINE(name) extern const struct engine engine_##name;
#include "search/engines.def"
#undef ENGINE

const struct engine *const engines[] = {
#define ENGINE(name) &engine_##name,
#include "search/engines.def"
#undef ENGINE
    NULL};
