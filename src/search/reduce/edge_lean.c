/* edge_lean.c - edge-lean search: events that commute are fired in one order only.
 *
 * Bosnacki, Elkind, Genest, Peled, "On commutativity based edge lean search", section 3:
 * a state that was discovered by action b need not be left by an action a that is
 * independent of b and in front of it, for a and then b lead from the parent to the same
 * state. Nothing is kept but the action by which a state was discovered, and of a state that
 * was forgotten and is discovered again, the one of the last time. That no state is missed, in
 * whatever order states are taken and with forgetting: docs/reductions.md.
 */
#include "search/reduce/reduce.h"

#include "ts/independence.h"

struct reduction {
  struct independence *independence;
  struct budget *budget;
};

static void lean_close(struct reduction *r) {
  independence_close(r->independence);
  budget_free(r->budget, BUDGET_OTHER, r, sizeof *r);
}

static struct reduction *lean_open(const struct reduction_config *config) {
  struct reduction *r = budget_alloc(config->budget, BUDGET_OTHER, sizeof *r);
  if (r == NULL)
    return NULL;
  r->budget = config->budget;
  r->independence = independence_open(config->shape, config->rank, config->budget);
  if (r->independence != NULL)
    return r;
  lean_close(r);
  return NULL;
}

static const uint64_t *lean_skip(struct reduction *r, const struct open *open) {
  return open->by.action == TS_NONE || open->of_few
             ? NULL
             : independence_before(r->independence, open->by.action);
}

/* How a state was discovered is known elsewhere. */
static bool lean_pass(struct reduction *r, struct sink *sink) {
  (void)r;
  return sink_is_fine(sink);
}

const struct reduction_kind reduction_edge_lean = {
    .name = "edge-lean",
    .summary = "events that commute are fired in one order only",
    .traits = REDUCTION_BESIDE,
    .open = lean_open,
    .close = lean_close,
    .skip = lean_skip,
    .pass = lean_pass,
};
