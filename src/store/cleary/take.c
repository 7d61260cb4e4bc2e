/* take.c - a cleary set is emptied, from its end to its start.
 *
 * For states that go to another store when memory is short: what is taken is no longer
 * needed, so the set's memory shrinks on the way.
 */
#include "store/cleary/cleary.h"
#include "store/cleary/slots.h"

/* Given back at once: little, for the store that the states go to grows meanwhile. */
#define TAKE_BYTES (4 * SLOTS_PAGE)

/* Gives the buckets at the end back that were taken, once there are enough. */
static void shrink(struct cleary *set) {
  uint64_t all = slots_bytes(set->layout.homes), has = all - set->given_back;
  uint64_t needs = all - set->taken * SLOTS_BUCKET;
  if (has - needs < TAKE_BYTES)
    return;
  needs = (needs + SLOTS_PAGE - 1) / SLOTS_PAGE * SLOTS_PAGE;
  if (needs >= has)
    return;
  set->memory = budget_remap(set->budget, set->purpose, set->memory, has, needs, false);
  set->given_back = all - needs;
}

uint32_t cleary_list(const struct cleary *set, uint64_t *cursor, struct cleary_entry *entry) {
  uint32_t n = 0;
  uint64_t buckets = slots_buckets(&set->layout);
  while (n == 0 && *cursor < buckets) {
    uint64_t p = buckets - ++*cursor;
    uint32_t used = slots_used(&set->layout, slots_bucket(set, p));
    for (; n < used; n++)
      entry[n] = slots_entry(set, p, n);
  }
  for (; n < CLEARY_LISTED && *cursor >= buckets && *cursor - buckets < set->n_strays; n++)
    entry[n] = set->stray[(*cursor)++ - buckets];
  return n;
}

void cleary_release(struct cleary *set, uint64_t cursor, uint32_t n) {
  uint64_t buckets = slots_buckets(&set->layout);
  set->taken = cursor < buckets ? cursor : buckets;
  set->entries -= n;
  shrink(set);
}
