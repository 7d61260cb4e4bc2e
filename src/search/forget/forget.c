/* forget.c - the list of ways to forget, and what each must have. */
#include "search/forget/forget.h"

#include "base/seam.h"

#define FORGET(kind) extern const struct forget_kind forget_##kind;
#include "search/forget/kinds.def"
#undef FORGET

const struct forget_kind *const forget_kinds[] = {
#define FORGET(kind) &forget_##kind,
#include "search/forget/kinds.def"
#undef FORGET
    NULL};

static const struct seam_function functions[] = {
    SEAM(forget_kind, bits, 0),
    SEAM(forget_kind, open, 0),
    SEAM(forget_kind, close, 0),
    SEAM(forget_kind, pass, 0),
    SEAM(forget_kind, added, FORGET_CLASSES),
    SEAM(forget_kind, resume, FORGET_CLASSES),
    SEAM(forget_kind, report, FORGET_CLASSES | FORGET_COUNTS | FORGET_BACKWARD),
    SEAM(forget_kind, drop, FORGET_DROPS),
    SEAM(forget_kind, answered, FORGET_ONCE),
    SEAM(forget_kind, begun, FORGET_BACKWARD),
    SEAM(forget_kind, planted, FORGET_BACKWARD),
    SEAM(forget_kind, closed, FORGET_ONCE),
    SEAM(forget_kind, prefetch, FORGET_COUNTS),
    SEAM(forget_kind, adopt, FORGET_ADOPTS),
};

const char *forget_broken(const struct forget_kind *kind) {
  return seam_broken(kind, kind->traits, functions, sizeof functions / sizeof *functions);
}

const struct forget_kind *forget_by_name(const char *name) {
  for (uint32_t i = 0; forget_kinds[i] != NULL; i++)
    if (seam_is_called(forget_kinds[i]->name, name, ":,"))
      return forget_kinds[i];
  return NULL;
}
