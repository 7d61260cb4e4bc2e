/* alone.c - what needs no search for the others. See alone.h. */
#include "search/reduce/alone.h"

#include "base/bits.h"

#include <string.h>

/* The actions of each process are taken out of all that there are. */
void alone_actions(const struct ts_shape *shape, uint64_t *rest, uint32_t words) {
  const struct ts_control *c = shape->control;
  memset(rest, 0xFF, (size_t)c->n_processes * words * sizeof *rest);
  for (uint32_t a = 0; a < shape->n_actions; a++)
    for (uint32_t i = c->of.start[a]; i < c->of.start[a + 1]; i++)
      bits_clear(rest + (size_t)c->step[c->of.item[i]].process * words, a);
}

/* Whether the step uses a channel that its process claims for itself. */
static bool is_claimed(const struct ts_control *c, uint32_t step) {
  for (uint32_t i = c->first_touch[step]; i < c->first_touch[step + 1]; i++)
    if (c->touch[i].apart != 0)
      return true;
  return false;
}

/* What may enable a step is of no interest if it is the only one of its location, for then
 * there is an event only if it is enabled: so the ends of channels that are claimed are alone.
 */
void alone_locations(const struct conflict *conflict, bool *alone) {
  const struct ts_control *c = conflict->control;
  for (uint32_t l = 0; l < c->n_locations; l++) {
    uint32_t n = c->first_step[l + 1] - c->first_step[l];
    alone[l] = n > 0;
    for (uint32_t s = c->first_step[l]; s < c->first_step[l + 1]; s++)
      alone[l] &= conflict->enabled[s] == 0 &&
                  (c->step[s].flags & ~(unsigned)TS_STEP_ENDS) == 0 &&
                  (conflict->disabled[s] == 0 || (n == 1 && is_claimed(c, s)));
  }
}

bool alone_still(const struct ts_control *c) {
  bool still = c->n_locations == c->n_processes;
  for (uint32_t i = 0; i < c->n_processes; i++)
    still &= c->process[i].live_slot == TS_NONE && c->process[i].tag_slot == TS_NONE;
  return still;
}
