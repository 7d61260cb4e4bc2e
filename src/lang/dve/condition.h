/* condition.h - what a process accepts, as a condition over marks of its locations. */
#ifndef CAIRN_LANG_DVE_CONDITION_H
#define CAIRN_LANG_DVE_CONDITION_H

#include "lang/dve/lower.h"
#include "lang/ltl/acceptance.h"

struct dve_condition {
  uint32_t n_marks; /* of all that share these marks; at most 64 */
  uint64_t *marks;  /* of a location */
  struct acceptance accepted;
};

/* Marks of the process are numbered from c->n_marks on. Why it cannot be made, or NULL. */
const char *dve_condition_of(struct dve_lower *, const struct ir_process *,
                             const struct dve_process *, struct dve_condition *c);

#endif
