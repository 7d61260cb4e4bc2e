/* store.c - the list of stores, and what each must have. */
#include "store/store.h"

#include "base/seam.h"

#define STORE(kind) extern const struct store_kind store_##kind;
#include "store/kinds.def"
#undef STORE

const struct store_kind *const store_kinds[] = {
#define STORE(kind) &store_##kind,
#include "store/kinds.def"
#undef STORE
    NULL};

static const struct seam_function functions[] = {
    SEAM(store_kind, open, 0),
    SEAM(store_kind, close, 0),
    SEAM(store_kind, begin, 0),
    SEAM(store_kind, end, 0),
    SEAM(store_kind, put, 0),
    SEAM(store_kind, find, 0),
    SEAM(store_kind, prefetch, 0),
    SEAM(store_kind, usage, 0),
    SEAM(store_kind, check, 0),
    SEAM(store_kind, guess, STORE_GUESSES),
    SEAM(store_kind, confirm, STORE_GUESSES),
    SEAM(store_kind, get, STORE_GETS),
    SEAM(store_kind, remove, STORE_REMOVES),
    SEAM(store_kind, shed, STORE_REBUILDS),
    SEAM(store_kind, bits, STORE_KEEPS_BITS),
    SEAM(store_kind, set_bits, STORE_KEEPS_BITS),
    SEAM(store_kind, each, STORE_DRAINS),
    SEAM(store_kind, release, STORE_DRAINS),
    SEAM(store_kind, save, STORE_SAVES),
    SEAM(store_kind, load, STORE_SAVES),
};

const char *store_broken(const struct store_kind *kind) {
  return seam_broken(kind, kind->has, functions, sizeof functions / sizeof *functions);
}

const struct store_kind *store_by_name(const char *name) {
  for (uint32_t i = 0; store_kinds[i] != NULL; i++)
    if (seam_is_called(store_kinds[i]->name, name, ":,"))
      return store_kinds[i];
  return NULL;
}
