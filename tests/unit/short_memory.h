/* short_memory.h - memory that is refused, or taken by somebody else, at a certain call of the
 * model: for tests of what happens in the midst of a search. */
#ifndef CAIRN_TESTS_UNIT_SHORT_MEMORY_H
#define CAIRN_TESTS_UNIT_SHORT_MEMORY_H

#include "base/budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct short_memory {
  uint64_t calls;        /* so far */
  uint64_t refuse_at;    /* calls before the refusal; 0: none */
  uint64_t refuse_after; /* requests before it, */
  uint64_t refuse_calls; /* and calls until it ends */
  uint64_t claim_at;     /* calls before all memory but some is taken; 0: never */
  uint64_t left;         /* that some */
  uint64_t claimed;
};

static inline void short_memory_claim(struct short_memory *m, struct budget *budget) {
  const uint64_t free = budget_limit(budget) - budget_used_all(budget);
  m->claimed = free > m->left ? free - m->left : 0;
  assert_true(budget_claim(budget, BUDGET_OTHER, m->claimed));
}

/* At each call of the model. */
static inline void short_memory_call(struct short_memory *m, struct budget *budget) {
  m->calls++;
  if (m->refuse_at > 0 && m->calls == m->refuse_at)
    budget_fail_after(budget, 1 + m->refuse_after);
  if (m->refuse_at > 0 && m->calls == m->refuse_at + m->refuse_calls)
    budget_fail_after(budget, 0);
  if (m->calls == m->claim_at)
    short_memory_claim(m, budget);
}

#endif
