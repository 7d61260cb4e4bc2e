/* counters.c - hashed counters: their memory. */
#include "search/forget/counters.h"

enum { PART = 16 }; /* of the budget, at most */

bool counters_open(struct counters *c, uint32_t bits, struct budget *budget) {
  uint64_t most = budget_limit(budget) / PART;
  *c = (struct counters){.bits = bits == 0 ? COUNTERS_USUAL : bits, .budget = budget};
  while (bits == 0 && c->bits > COUNTERS_LEAST && UINT64_C(1) << c->bits > most)
    c->bits--;
  c->at = budget_map(budget, BUDGET_STORE, (size_t)1 << c->bits, false);
  return c->at != NULL;
}

void counters_close(struct counters *c) {
  if (c->at != NULL)
    budget_unmap(c->budget, BUDGET_STORE, c->at, (size_t)1 << c->bits);
  c->at = NULL;
}

static bool reopen(struct counters *c, uint32_t bits) {
  counters_close(c);
  return counters_open(c, bits, c->budget);
}

bool counters_pass(struct counters *c, struct sink *sink) {
  uint64_t bits = c->bits;
  sink_section(sink, "counters");
  sink_pass_count(sink, &bits, COUNTERS_MOST);
  if (!sink_is_fine(sink) || (bits != c->bits && !reopen(c, (uint32_t)bits)))
    return false;
  sink_pass(sink, &c->cost, sizeof c->cost);
  sink_pass(sink, c->at, (size_t)1 << c->bits);
  return sink_is_fine(sink);
}
