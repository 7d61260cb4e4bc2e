/* stubborn.c - stubborn sets of steps, by closure over guards.
 *
 * Valmari, "Stubborn sets for reduced state space generation" (1989), in the form of Laarman,
 * Pater, van de Pol and Hansen, "Guard-based partial-order reduction" (STTT 18, 2016), section
 * 3. Begins with an enabled step. For an enabled step in the set, all that does not accord with
 * it comes in; for one that is not, all that may make one condition true that is false: a
 * guard, or that its process is at the place. A process comes to a place by a step into it, and
 * before that by a step out of the place where it is; so either will do. Of several such sets
 * the one is taken that brings in the fewest enabled steps. What can never be reached from
 * where the processes are is left out of all this.
 *
 * The rows of bits over all steps are made before the search (related.c); a set is found with
 * some operations on words for each step in it. Tried from several enabled steps; each set has
 * to have fewer enabled ones than those before. A set into which a step comes that one was
 * tried from before is given up: it would be no better than that one. Why all this is enough,
 * with handshakes too: docs/por.md.
 */
#include "search/reduce/stubborn.h"

#include "base/bits.h"

#include <string.h>

enum {
  SETS = 4,   /* kept in one state */
  STARTS = 8, /* steps that sets are tried from, at most */
  ROW = 5,    /* looks at steps that a row takes, beside its words */
  DEAR = 64   /* a step that is enabled takes as much as this many that are not */
};

struct stubborn {
  const struct related *related;
  const struct ts_control *control;
  struct budget *budget;
  uint32_t words;
  uint64_t *barred; /* steps that no set may have while they are enabled: those that wait for
                     * all others, and those that change what a property looks at */
  /* In a state: */
  const struct stubborn_state *state;
  uint64_t *alive, *enabled, *set; /* steps that can be reached; are enabled; are in the set */
  uint64_t *never;                 /* with one of these the set is no better than the best */
  uint64_t *found;                 /* SETS sets */
  uint32_t *
      open; /* steps in the set: those that are enabled from the front, others from the back, */
  uint32_t waiting; /* down to here */
  uint32_t *left; /* by process: the set, by its number, that has all steps from where it is */
  uint32_t number;
  uint32_t n_enabled, n_all, least; /* in the set; in the state; in the best set */
  uint32_t n_found;
  uint64_t work;
};

/* ---- memory ---------------------------------------------------------------------------- */

/* Sets of steps: barred, alive, enabled, set, never, and those found. */
enum { ROWS = 5 + SETS };

static size_t rows_bytes(const struct stubborn *s) {
  return (size_t)ROWS * s->words * sizeof *s->set;
}

static size_t open_bytes(const struct stubborn *s) {
  return (s->control->n_steps + (size_t)1) * sizeof *s->open;
}

static size_t left_bytes(const struct stubborn *s) {
  return (s->control->n_processes + (size_t)1) * sizeof *s->left;
}

void stubborn_close(struct stubborn *s) {
  if (s == NULL)
    return;
  budget_free(s->budget, BUDGET_OTHER, s->barred, rows_bytes(s));
  budget_free(s->budget, BUDGET_OTHER, s->open, open_bytes(s));
  budget_free(s->budget, BUDGET_OTHER, s->left, left_bytes(s));
  budget_free(s->budget, BUDGET_OTHER, s, sizeof *s);
}

static void find_barred(struct stubborn *s, const struct conflict *conflict) {
  const struct ts_control *c = s->control;
  for (uint32_t i = 0; i < c->n_steps; i++)
    if ((c->step[i].flags & TS_STEP_WAITS) ||
        bits_test(conflict_set(conflict, conflict->enabled[i]), conflict->watch))
      bits_set(s->barred, i);
}

struct stubborn *stubborn_open(const struct related *related, const struct conflict *conflict,
                               struct budget *budget) {
  struct stubborn *s = budget_alloc(budget, BUDGET_OTHER, sizeof *s);
  if (s == NULL)
    return NULL;
  s->related = related;
  s->control = related->control;
  s->budget = budget;
  s->words = related->words;
  s->barred = budget_alloc(budget, BUDGET_OTHER, rows_bytes(s));
  s->open = budget_alloc(budget, BUDGET_OTHER, open_bytes(s));
  s->left = budget_alloc(budget, BUDGET_OTHER, left_bytes(s));
  if (s->barred == NULL || s->open == NULL || s->left == NULL) {
    stubborn_close(s);
    return NULL;
  }
  s->alive = s->barred + s->words;
  s->enabled = s->alive + s->words;
  s->set = s->enabled + s->words;
  s->never = s->set + s->words;
  s->found = s->never + s->words;
  if (s->words > 0)
    find_barred(s, conflict);
  return s;
}

/* ---- closing a set ----------------------------------------------------------------------- */

static bool waits(const struct ts_control *c, uint32_t step) {
  return c->step[step].flags & TS_STEP_WAITS;
}

static bool is_enabled(const struct stubborn *s, uint32_t step) {
  return s->state->enabled[step] == s->state->stamp;
}

static const uint64_t *row_of(const struct stubborn *s, const struct related_rows *rows,
                              uint32_t i) {
  return related_row(s->related, rows, i);
}

/* A step has come into the set. */
static inline void add_one(struct stubborn *s, uint32_t step) {
  if (is_enabled(s, step))
    s->open[s->n_enabled++] = step;
  else
    s->open[--s->waiting] = step;
}

/* Adds what can be reached of a row. False: the set becomes no better than the best. */
static bool add_row(struct stubborn *s, const uint64_t *row) {
  s->work += ROW + s->words;
  for (uint32_t w = 0; w < s->words; w++) {
    uint64_t fresh = row[w] & s->alive[w] & ~s->set[w];
    if (fresh == 0)
      continue;
    if (fresh & s->never[w])
      return false;
    s->set[w] |= fresh;
    for (; fresh != 0; fresh &= fresh - 1)
      add_one(s, 64 * w + (uint32_t)__builtin_ctzll(fresh));
  }
  return s->n_enabled < s->least;
}

/* What adding a row would take; `most` or more: it is no matter how much. */
static uint32_t cost_of(struct stubborn *s, const uint64_t *row, uint32_t most) {
  uint32_t cost = 0;
  s->work += ROW + s->words;
  for (uint32_t w = 0; w < s->words && cost < most; w++) {
    uint64_t fresh = row[w] & s->alive[w] & ~s->set[w];
    if (fresh != 0)
      cost += bits_count(fresh) + (DEAR - 1) * bits_count(fresh & s->enabled[w]);
  }
  return cost;
}

/* The cheapest row so far of those that would do. */
struct choice {
  const uint64_t *row;
  uint32_t cost;
};

static void take_cheaper(struct stubborn *s, const uint64_t *row, struct choice *best) {
  uint32_t cost = cost_of(s, row, best->cost);
  if (cost < best->cost)
    *best = (struct choice){row, cost};
}

/* The steps that lead away from where the process is; false: no less than this. */
static bool leaves_cheaper(const struct stubborn *s, uint32_t at, uint32_t cost) {
  const struct ts_control *c = s->control;
  uint32_t sum = 0;
  for (uint32_t i = c->first_step[at]; i < c->first_step[at + 1]; i++)
    if (!bits_test(s->set, i) && !waits(c, i))
      sum += is_enabled(s, i) ? DEAR : 1;
  return sum < cost;
}

static bool add_leaving(struct stubborn *s, uint32_t at, uint32_t process) {
  const struct ts_control *c = s->control;
  s->left[process] = s->number;
  for (uint32_t i = c->first_step[at]; i < c->first_step[at + 1]; i++) {
    if (bits_test(s->set, i) || waits(c, i))
      continue;
    if (bits_test(s->never, i))
      return false;
    bits_set(s->set, i);
    add_one(s, i);
  }
  return s->n_enabled < s->least;
}

/* Adds what may enable a step that is not enabled. */
static bool add_enabling(struct stubborn *s, uint32_t step) {
  const struct ts_control *c = s->control;
  const struct ts_step *it = &c->step[step];
  uint32_t at = s->state->location[it->process];
  struct choice best = {NULL, UINT32_MAX};
  struct seen *seen = s->state->seen;
  if (at != it->from) {
    if (at != TS_NONE && s->left[it->process] == s->number)
      return true;
    take_cheaper(s, row_of(s, &s->related->into, it->from), &best);
  }
  uint32_t end = at == TS_NONE ? 0 : related_first_guard(c, step + 1);
  for (uint32_t g = related_first_guard(c, step); g < end && best.cost > 0; g++)
    if (!seen_holds(seen, g))
      take_cheaper(s, row_of(s, &s->related->guard, related_guard(s->related, g, seen->row)),
                   &best);
  if (best.cost == 0)
    return true;
  if (at != it->from && at != TS_NONE && leaves_cheaper(s, at, best.cost))
    return add_leaving(s, at, it->process);
  if (best.row != NULL)
    return add_row(s, best.row);
  bool filled = related_is_filled(s->related, step, seen->row);
  return add_row(s, row_of(s, filled ? &s->related->filled : &s->related->waits, step));
}

/* Adds what a step of the set makes necessary; false: it becomes no better than the best. */
static bool add_step(struct stubborn *s, uint32_t step) {
  const struct ts_step *it = &s->control->step[step];
  bool enabled = is_enabled(s, step), part = it->flags & TS_STEP_PART;
  s->work += ROW;
  uint32_t row = enabled ? related_step(s->related, step, s->state->seen->row) : step;
  if ((enabled || part) && !add_row(s, row_of(s, &s->related->meets, row)))
    return false;
  if (enabled) /* and with it came the others of its location */
    s->left[it->process] = s->number;
  return (enabled && !part) || add_enabling(s, step);
}

/* The set that begins with a step; false: it is no better than the best. Steps that are enabled
 * come first, for these bring in others that are, so that it is found out soon. */
static bool close_from(struct stubborn *s, uint32_t step) {
  uint32_t enabled = 0, waiting = s->control->n_steps;
  memset(s->set, 0, s->words * sizeof *s->set);
  bits_set(s->set, step);
  s->number++;
  s->n_enabled = 0;
  s->waiting = waiting;
  add_one(s, step);
  while (enabled < s->n_enabled || waiting > s->waiting) {
    uint32_t next = enabled < s->n_enabled ? s->open[enabled++] : s->open[--waiting];
    if (!add_step(s, next))
      return false;
  }
  return true;
}

/* ---- the best sets ----------------------------------------------------------------------- */

static void look_at(struct stubborn *s) {
  const struct stubborn_state *state = s->state;
  const struct ts_control *c = s->control;
  memset(s->alive, state->is_still ? 0xFF : 0, s->words * sizeof *s->alive);
  memset(s->enabled, 0, s->words * sizeof *s->enabled);
  s->n_all = 0;
  for (uint32_t i = 0; i < state->n_there; i++) {
    uint32_t at = state->location[state->there[i]];
    if (!state->is_still)
      bits_unite(s->words, s->alive, row_of(s, &s->related->ahead, at));
    for (uint32_t k = c->first_step[at]; k < c->first_step[at + 1]; k++)
      if (is_enabled(s, k)) {
        bits_set(s->enabled, k);
        s->n_all++;
      }
  }
  for (uint32_t w = 0; w < s->words; w++)
    s->never[w] = s->barred[w] & s->enabled[w];
  s->work += state->n_there * (state->is_still ? 1 : s->words);
}

/* Keeps the set just closed, before those that are larger. */
static void keep_set(struct stubborn *s) {
  size_t row = s->words;
  s->least = s->n_enabled;
  s->n_found += s->n_found < SETS;
  memmove(s->found + row, s->found, (s->n_found - 1) * row * sizeof *s->set);
  for (uint32_t w = 0; w < row; w++)
    s->found[w] = s->set[w] & s->enabled[w];
}

uint32_t stubborn_find(struct stubborn *s, const struct stubborn_state *state, uint64_t *work) {
  const struct ts_control *c = s->control;
  s->n_found = 0;
  if (s->words == 0)
    return 0;
  s->state = state;
  s->work = 0;
  look_at(s);
  s->least = s->n_all;
  uint32_t left = STARTS;
  for (uint32_t i = 0; i < state->n_there; i++) {
    uint32_t at = state->location[state->there[i]];
    for (uint32_t k = c->first_step[at]; k < c->first_step[at + 1]; k++) {
      if (left == 0 || s->least == 1 || !is_enabled(s, k) || bits_test(s->never, k))
        continue;
      left--;
      if (close_from(s, k))
        keep_set(s);
      bits_set(s->never, k);
    }
  }
  *work += s->work;
  return s->n_found;
}

void stubborn_keep(const struct stubborn *s, uint32_t which, uint64_t *leave) {
  const uint64_t *found = s->found + which * (size_t)s->words;
  const struct related *r = s->related;
  for (uint32_t w = 0; w < s->words; w++)
    for (uint64_t rest = found[w]; rest != 0; rest &= rest - 1) {
      uint32_t i = 64 * w + (uint32_t)__builtin_ctzll(rest);
      for (uint32_t k = r->first_action[i]; k < r->first_action[i + 1]; k++)
        bits_clear(leave, r->action[k]);
    }
}
