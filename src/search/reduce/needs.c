/* needs.c - who has to be in a set with a process. See needs.h. */
#include "search/reduce/needs.h"

#include "base/bits.h"

#include <string.h>

#define MANY UINT32_MAX

/* ---- memory ------------------------------------------------------------------------------ */

static size_t set_bytes(const struct needs *n) {
  return (2 * (size_t)(NEEDS_KEPT + 1) + 3) * n->words * sizeof *n->set;
}

struct needs *needs_open(const struct conflict *conflict, struct seen *seen,
                         const uint32_t *enabled, struct budget *budget) {
  struct needs *n = budget_alloc(budget, BUDGET_OTHER, sizeof *n);
  if (n == NULL)
    return NULL;
  *n = (struct needs){.related = conflict->related,
                      .conflict = conflict,
                      .control = conflict->control,
                      .budget = budget,
                      .seen = seen,
                      .enabled = enabled,
                      .words = conflict->words};
  n->place = budget_alloc(budget, BUDGET_OTHER, (NEEDS_KEPT + 1) * sizeof *n->place);
  n->set = budget_alloc(budget, BUDGET_OTHER, set_bytes(n));
  if (n->place == NULL || n->set == NULL) {
    needs_close(n);
    return NULL;
  }
  n->all = n->set + 2 * (size_t)(NEEDS_KEPT + 1) * n->words;
  n->any = n->all + n->words;
  n->mind = n->any + n->words;
  for (uint32_t i = 0; i <= NEEDS_KEPT; i++)
    n->place[i].of.location = TS_NONE;
  return n;
}

void needs_close(struct needs *n) {
  if (n == NULL)
    return;
  budget_free(n->budget, BUDGET_OTHER, n->place, (NEEDS_KEPT + 1) * sizeof *n->place);
  budget_free(n->budget, BUDGET_OTHER, n->set, set_bytes(n));
  budget_free(n->budget, BUDGET_OTHER, n, sizeof *n);
}

/* ---- what is kept ------------------------------------------------------------------------ */

static bool is_enabled(const struct needs *n, uint32_t step) {
  return n->enabled[step] == n->seen->stamp;
}

/* A set that a step may need, by its number: it goes into n->any, and is cut out of n->all. */
static void may_need(struct needs *n, uint32_t set) {
  const uint64_t *row = conflict_set(n->conflict, set);
  for (uint32_t w = 0; w < n->words; w++) {
    n->any[w] |= row[w];
    n->all[w] &= row[w];
  }
}

static void may_need_row(struct needs *n, const uint32_t *sets, uint32_t row,
                         const struct related_keys *keys) {
  may_need(n, sets[row]);
  for (uint32_t i = 0; i < related_elements(keys); i++)
    may_need(n, sets[keys->first + i]);
}

static void begin(struct needs *n) {
  memset(n->any, 0, n->words * sizeof *n->any);
  memset(n->all, 0xFF, n->words * sizeof *n->all);
}

/* All sets that an enabled step may need; it needs one of them. */
static void for_enabled(struct needs *n, uint32_t step) {
  begin(n);
  if (is_enabled(n, step))
    may_need_row(n, n->conflict->enabled, step, &n->related->step_keys[step]);
  else
    may_need(n, n->conflict->enabled[step]);
}

/* The same of one that is not. */
static void for_disabled(struct needs *n, uint32_t step) {
  const struct conflict *c = n->conflict;
  begin(n);
  may_need(n, c->disabled[step]);
  if (c->disabled[step] == 0)
    return;
  if (n->related->channel[step] != TS_NONE)
    may_need(n, c->filled[step]);
  for (uint32_t g = related_first_guard(n->control, step);
       g < related_first_guard(n->control, step + 1); g++)
    may_need_row(n, c->waits, g, &n->related->guard_keys[g]);
}

/* What is needed in any case is added to `least`; or, the second time, what may be to `most`.
 * True: the step may need more than `least` has. */
static bool add(const struct needs *n, uint64_t *least, uint64_t *most) {
  uint64_t more = 0;
  for (uint32_t w = 0; w < n->words; w++) {
    if (most == NULL)
      least[w] |= n->all[w];
    else
      most[w] |= n->any[w];
    more |= n->any[w] & ~least[w];
  }
  return more != 0;
}

static void add_step(struct needs *n, uint32_t step, uint64_t *least, uint64_t *most,
                     bool *more) {
  bool part = n->control->step[step].flags & TS_STEP_PART;
  if (is_enabled(n, step) || part) {
    for_enabled(n, step);
    *more |= add(n, least, most);
  }
  if (!is_enabled(n, step) || part) {
    for_disabled(n, step);
    *more |= add(n, least, most);
  }
}

void needs_fill(struct needs *n, struct needs_of of, uint32_t place) {
  const uint32_t *first = n->control->first_step + of.location;
  uint64_t *least = n->set + 2 * (size_t)place * n->words, *most = least + n->words, open = 0;
  bool more = false;
  memset(least, 0, 2 * n->words * sizeof *least);
  for (uint32_t s = first[0]; s < first[1]; s++)
    add_step(n, s, least, NULL, &more);
  for (uint32_t s = first[0]; s < first[1]; s++) {
    more = false;
    add_step(n, s, least, most, &more);
    open |= (uint64_t)more << (s - first[0]) % NEEDS_MOST_STEPS;
  }
  n->place[place] =
      (struct needs_place){place == NEEDS_KEPT ? (struct needs_of){TS_NONE, 0} : of, open};
}

/* ---- in a state -------------------------------------------------------------------------- */

/* How many are at a location of this set; MANY: a property is. */
static uint32_t count_there(const struct needs *n, const uint64_t *set, const uint64_t *at) {
  uint32_t count = 0;
  if (bits_test(set, n->conflict->watch))
    return MANY;
  for (uint32_t w = 0; w < n->words; w++)
    count += bits_count(set[w] & at[w]);
  return count;
}

/* Whose steps may enable a step that is not, as a set of locations: by the guard that does not
 * hold and that fewest can make true; where none is known to be false, by all that it touches.
 */
static const uint64_t *waits_for(struct needs *n, uint32_t step, const uint64_t *at,
                                 uint64_t *work) {
  const struct ts_control *c = n->control;
  const struct conflict *conflict = n->conflict;
  const uint64_t *best = NULL;
  uint32_t least = MANY;
  if (conflict->disabled[step] == 0)
    return conflict_set(conflict, 0);
  uint32_t end = related_first_guard(c, step + 1);
  for (uint32_t g = related_first_guard(c, step); g < end && least > 0; g++) {
    uint32_t row = related_guard(n->related, g, n->seen->row);
    const uint64_t *set = conflict_set(conflict, conflict->waits[row]);
    uint32_t count = count_there(n, set, at);
    *work += 4;
    if (count >= least || seen_holds(n->seen, g))
      continue;
    best = set;
    least = count;
  }
  if (best != NULL)
    return best;
  bool filled = related_is_filled(n->related, step, n->seen->row);
  return conflict_set(conflict, filled ? conflict->filled[step] : conflict->disabled[step]);
}

static void settle_step(struct needs *n, uint32_t step, const uint64_t *at, uint64_t *work) {
  bool enabled = is_enabled(n, step), part = n->control->step[step].flags & TS_STEP_PART;
  uint32_t row = enabled ? related_step(n->related, step, n->seen->row) : step;
  *work += 2;
  if (enabled || part)
    bits_unite(n->words, n->mind, conflict_set(n->conflict, n->conflict->enabled[row]));
  if (!enabled || part)
    bits_unite(n->words, n->mind, waits_for(n, step, at, work));
}

const uint64_t *needs_settle(struct needs *n, struct needs_of of, uint64_t open,
                             const uint64_t *at, uint64_t *work) {
  const uint32_t *first = n->control->first_step + of.location;
  memset(n->mind, 0, n->words * sizeof *n->mind);
  if (first[1] - first[0] > NEEDS_MOST_STEPS)
    for (uint32_t s = first[0]; s < first[1]; s++)
      settle_step(n, s, at, work);
  else
    for (; open != 0; open &= open - 1)
      settle_step(n, first[0] + (uint32_t)__builtin_ctzll(open), at, work);
  return n->mind;
}
