/* xml_library.c - libxml2 by the loader of the system. */
#include "lang/pnml/xml_library.h"

#include "base/machine.h"

#include <dlfcn.h>

/* Since 2.14 the interface of the binary is another. */
#if LIBXML_VERSION >= 21400
#define XML_LIBRARY_NAME "libxml2.so.16"
#else
#define XML_LIBRARY_NAME "libxml2.so.2"
#endif

/* Never closed: the C++ library, which it may bring along, could not be unloaded anyway. */
const char *xml_library_load(struct xml_library *library, struct arena *arena) {
  const uint64_t before = machine_own_memory();
  void *handle = dlopen(XML_LIBRARY_NAME, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL)
    return dlerror();
  const uint64_t after = machine_own_memory();
  if (after > before && !budget_claim(arena_budget(arena), BUDGET_OTHER, after - before))
    arena_spent(arena);
  static const char *const name[] = {
#define XML_LIBRARY_NAME_OF(name) #name,
      XML_LIBRARY_FUNCTIONS(XML_LIBRARY_NAME_OF)};
  void **function = (void **)library;
  for (size_t i = 0; i < sizeof name / sizeof *name; i++)
    if ((function[i] = dlsym(handle, name[i])) == NULL)
      return dlerror();
  return NULL;
}
