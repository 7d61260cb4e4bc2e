/* reduce.c - the list of reductions, and what each must have. */
#include "search/reduce/reduce.h"

#include "base/seam.h"

#define REDUCTION(kind) extern const struct reduction_kind reduction_##kind;
#include "search/reduce/kinds.def"
#undef REDUCTION

const struct reduction_kind *const reduction_kinds[] = {
#define REDUCTION(kind) &reduction_##kind,
#include "search/reduce/kinds.def"
#undef REDUCTION
    NULL};

static const struct seam_function functions[] = {
    SEAM(reduction_kind, open, 0),
    SEAM(reduction_kind, close, 0),
    SEAM(reduction_kind, skip, 0),
    SEAM(reduction_kind, pass, 0),
    SEAM(reduction_kind, fired, REDUCTION_HEARS),
    SEAM(reduction_kind, may_lose, REDUCTION_LOSES),
    SEAM(reduction_kind, failed, REDUCTION_FAILS),
    SEAM(reduction_kind, enter, REDUCTION_CHOOSES),
    SEAM(reduction_kind, leave_stack, REDUCTION_CHOOSES),
    SEAM(reduction_kind, look, REDUCTION_CHOOSES),
    SEAM(reduction_kind, guess, REDUCTION_CHOOSES),
    SEAM(reduction_kind, sees, REDUCTION_CHOOSES),
    SEAM(reduction_kind, choose, REDUCTION_CHOOSES),
    SEAM(reduction_kind, leads_back, REDUCTION_CHOOSES),
};

const char *reduction_broken(const struct reduction_kind *kind) {
  return seam_broken(kind, kind->traits, functions, sizeof functions / sizeof *functions);
}
