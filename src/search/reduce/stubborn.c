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
 * The rows of bits over all steps are made before the search; a set is found with some
 * operations on words for each step in it. Tried from each enabled step; the sets with the
 * fewest enabled ones are kept. Why that is enough, with handshakes too: docs/por.md.
 */
#include "search/reduce/stubborn.h"

#include "base/bits.h"

#include <string.h>

enum {
  STEPS_MOST = 4096, /* of a model, for the rows take room for the square of it */
  SETS = 4,          /* kept in one state */
  STARTS = 8,        /* steps that sets are tried from, at most */
  DEAR = 64          /* a step that is enabled takes as much as this many that are not */
};

struct rows_of {
  uint64_t *at;
  uint32_t n;
};

struct stubborn {
  const struct ts_shape *shape;
  const struct ts_control *control;
  const struct conflict *conflict;
  struct budget *budget;
  uint32_t words;                  /* of a set of steps; 0: there are too many */
  struct rows_of meets;            /* by step: what does not accord with it */
  struct rows_of waits;            /* by step: what may enable it, whatever it waits for, */
  struct rows_of filled;           /* and where it waits for another message than there is */
  struct rows_of guard;            /* by guard: what may make it true */
  struct rows_of into;             /* by location: what leads there */
  struct rows_of ahead;            /* by location: what can be reached from there */
  uint32_t *first_action, *action; /* by step: its actions */
  /* In a state: */
  const struct stubborn_state *state;
  uint64_t *alive, *enabled, *set; /* steps that can be reached; are enabled; are in the set */
  uint64_t *found;                 /* SETS sets */
  uint32_t *open;                  /* steps in the set, in the order in which they came */
  uint32_t n_open, n_enabled, n_all, least; /* in the set; in the state; in the best set */
  uint32_t size[SETS], n_found;
  uint64_t work;
};

/* ---- memory ---------------------------------------------------------------------------- */

static bool open_rows(struct stubborn *s, struct rows_of *rows, uint32_t n) {
  rows->n = n + 1;
  rows->at =
      budget_alloc(s->budget, BUDGET_OTHER, (size_t)rows->n * s->words * sizeof *rows->at);
  return rows->at != NULL;
}

static void close_rows(struct stubborn *s, struct rows_of *rows) {
  budget_free(s->budget, BUDGET_OTHER, rows->at, (size_t)rows->n * s->words * sizeof *rows->at);
}

static uint64_t *row_of(const struct stubborn *s, const struct rows_of *rows, uint32_t i) {
  return rows->at + (size_t)i * s->words;
}

static uint32_t n_actions(const struct ts_shape *shape) {
  return shape->control->of.start[shape->n_actions];
}

/* Sets that are no table: alive, enabled, set, and those found. */
enum { OTHERS = 3 + SETS };

static size_t list_bytes(const struct stubborn *s) {
  return (s->control->n_steps + (size_t)2) * sizeof *s->open;
}

void stubborn_close(struct stubborn *s) {
  if (s == NULL)
    return;
  struct rows_of *rows[] = {&s->meets, &s->waits, &s->filled, &s->guard, &s->into, &s->ahead};
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
    close_rows(s, rows[i]);
  budget_free(s->budget, BUDGET_OTHER, s->alive, (size_t)OTHERS * s->words * sizeof *s->alive);
  budget_free(s->budget, BUDGET_OTHER, s->open, list_bytes(s));
  budget_free(s->budget, BUDGET_OTHER, s->first_action, list_bytes(s));
  budget_free(s->budget, BUDGET_OTHER, s->action,
              (n_actions(s->shape) + (size_t)1) * sizeof *s->action);
  budget_free(s->budget, BUDGET_OTHER, s, sizeof *s);
}

static bool open_all(struct stubborn *s) {
  const struct ts_control *c = s->control;
  s->alive =
      budget_alloc(s->budget, BUDGET_OTHER, (size_t)OTHERS * s->words * sizeof *s->alive);
  s->open = budget_alloc(s->budget, BUDGET_OTHER, list_bytes(s));
  s->first_action = budget_alloc(s->budget, BUDGET_OTHER, list_bytes(s));
  s->action = budget_alloc(s->budget, BUDGET_OTHER,
                           (n_actions(s->shape) + (size_t)1) * sizeof *s->action);
  if (s->alive == NULL || s->open == NULL || s->first_action == NULL || s->action == NULL)
    return false;
  s->enabled = s->alive + s->words;
  s->set = s->enabled + s->words;
  s->found = s->set + s->words;
  return open_rows(s, &s->meets, c->n_steps) && open_rows(s, &s->waits, c->n_steps) &&
         open_rows(s, &s->filled, c->n_steps) && open_rows(s, &s->guard, conflict_guards(c)) &&
         open_rows(s, &s->into, c->n_locations) && open_rows(s, &s->ahead, c->n_locations);
}

/* ---- tables ------------------------------------------------------------------------------ */

static bool waits(const struct ts_control *c, uint32_t step) {
  return c->step[step].flags & TS_STEP_WAITS;
}

/* Adds to a row all steps that touch an item in one of these ways, but for those of a process
 * (TS_NONE: of all). By the lists of all touches by item. */
struct touchers {
  uint32_t *first, *step;
  uint16_t *ways;
};

static void add_touchers(const struct stubborn *s, const struct touchers *t, uint64_t *row,
                         uint32_t item, unsigned ways, uint32_t but) {
  for (uint32_t i = t->first[item]; i < t->first[item + 1]; i++)
    if ((t->ways[i] & ways) && s->control->step[t->step[i]].process != but)
      bits_set(row, t->step[i]);
}

static void make_step(struct stubborn *s, const struct touchers *t, uint32_t step) {
  static const unsigned conflicts[] = TS_TOUCH_CONFLICTS, enables[] = TS_TOUCH_ENABLES;
  const struct ts_control *c = s->control;
  const struct ts_step *it = &c->step[step];
  for (uint32_t i = c->first_touch[step]; i < c->first_touch[step + 1]; i++) {
    const struct ts_touch *touch = &c->touch[i];
    unsigned guard = ts_touch_against(touch->guard, enables);
    bool takes = touch->guard == TS_RECEIVE && s->conflict->channel[step] != TS_NONE;
    add_touchers(s, t, row_of(s, &s->meets, step), touch->item,
                 ts_touch_against(touch->ways, conflicts), it->process);
    add_touchers(s, t, row_of(s, &s->waits, step), touch->item, guard, TS_NONE);
    add_touchers(s, t, row_of(s, &s->filled, step), touch->item,
                 takes ? TS_WRITE | TS_RECEIVE : guard, TS_NONE);
  }
  for (uint32_t i = c->first_step[it->from]; i < c->first_step[it->from + 1]; i++)
    if (i != step && !waits(c, i))
      bits_set(row_of(s, &s->meets, step), i);
  for (uint32_t g = conflict_first_guard(c, step); g < conflict_first_guard(c, step + 1); g++)
    for (uint32_t i = 0; i < c->guard[g].n_touches; i++) {
      const struct ts_touch *touch = &c->guard_touch[c->guard[g].first_touch + i];
      add_touchers(s, t, row_of(s, &s->guard, g), touch->item, touch->ways, TS_NONE);
    }
}

/* What a step leads to: its place, and where processes begin that it starts. */
static void add_into(struct stubborn *s, uint32_t step) {
  const struct ts_control *c = s->control;
  bits_set(row_of(s, &s->into, c->step[step].to), step);
  for (uint32_t i = c->starts.start[step]; i < c->starts.start[step + 1]; i++)
    bits_set(row_of(s, &s->into, c->process[c->starts.item[i]].initial), step);
}

static void unite(const struct stubborn *s, uint64_t *to, const uint64_t *from) {
  for (uint32_t w = 0; w < s->words; w++)
    to[w] |= from[w];
}

static bool contains(const struct stubborn *s, const uint64_t *all, const uint64_t *some) {
  for (uint32_t w = 0; w < s->words; w++)
    if (some[w] & ~all[w])
      return false;
  return true;
}

/* From each location its steps, and what can be reached from where they lead: until nothing
 * is added any more. */
static void make_ahead(struct stubborn *s) {
  const struct ts_control *c = s->control;
  bool again = true;
  while (again) {
    again = false;
    for (uint32_t l = c->n_locations; l-- > 0;) {
      uint64_t *row = row_of(s, &s->ahead, l);
      for (uint32_t i = c->first_step[l]; i < c->first_step[l + 1]; i++) {
        if (waits(c, i))
          continue;
        uint32_t n = c->starts.start[i + 1] - c->starts.start[i];
        again |= !bits_test(row, i);
        bits_set(row, i);
        for (uint32_t k = 0; k <= n; k++) {
          uint32_t to = k == n ? c->step[i].to
                               : c->process[c->starts.item[c->starts.start[i] + k]].initial;
          if (contains(s, row, row_of(s, &s->ahead, to)))
            continue;
          unite(s, row, row_of(s, &s->ahead, to));
          again = true;
        }
      }
    }
  }
}

/* The actions of each step, from the steps of each action. */
static void make_actions(struct stubborn *s) {
  const struct ts_rows *of = &s->control->of;
  for (uint32_t a = 0; a < s->shape->n_actions; a++)
    for (uint32_t i = of->start[a]; i < of->start[a + 1]; i++)
      s->first_action[of->item[i] + 1]++;
  for (uint32_t i = 1; i <= s->control->n_steps; i++)
    s->first_action[i] += s->first_action[i - 1];
  for (uint32_t a = s->shape->n_actions; a-- > 0;)
    for (uint32_t i = of->start[a]; i < of->start[a + 1]; i++) {
      uint32_t step = of->item[i];
      s->action[s->first_action[step] + s->open[step]++] = a;
    }
}

static void make_rows(struct stubborn *s, const struct touchers *t) {
  for (uint32_t i = 0; i < s->control->n_steps; i++) {
    make_step(s, t, i);
    if (!waits(s->control, i))
      add_into(s, i);
  }
  make_ahead(s);
  make_actions(s);
}

/* Who touches each item, and how; steps that wait for all others do not count. first[i + 1] is
 * where the list of item i begins, and comes to where it ends. */
static void list_touchers(const struct stubborn *s, struct touchers *t) {
  const struct ts_control *c = s->control;
  uint32_t n = c->first_touch[c->n_steps];
  for (uint32_t i = 0; i < n; i++)
    t->first[c->touch[i].item + 2]++;
  for (uint32_t i = 1; i <= c->n_items; i++)
    t->first[i + 1] += t->first[i];
  for (uint32_t k = 0; k < c->n_steps; k++)
    for (uint32_t i = c->first_touch[k]; i < c->first_touch[k + 1]; i++) {
      uint32_t at = t->first[c->touch[i].item + 1]++;
      t->step[at] = k;
      t->ways[at] = waits(c, k) ? 0 : c->touch[i].ways;
    }
}

static bool make_tables(struct stubborn *s) {
  const struct ts_control *c = s->control;
  size_t n = c->first_touch[c->n_steps] + (size_t)1, items = c->n_items + (size_t)2;
  struct touchers t = {
      .first = budget_alloc(s->budget, BUDGET_OTHER, items * sizeof *t.first),
      .step = budget_alloc(s->budget, BUDGET_OTHER, n * sizeof *t.step),
      .ways = budget_alloc(s->budget, BUDGET_OTHER, n * sizeof *t.ways),
  };
  bool fine = t.first != NULL && t.step != NULL && t.ways != NULL;
  if (fine) {
    list_touchers(s, &t);
    make_rows(s, &t);
  }
  budget_free(s->budget, BUDGET_OTHER, t.first, items * sizeof *t.first);
  budget_free(s->budget, BUDGET_OTHER, t.step, n * sizeof *t.step);
  budget_free(s->budget, BUDGET_OTHER, t.ways, n * sizeof *t.ways);
  return fine;
}

struct stubborn *stubborn_open(const struct ts_shape *shape, const struct conflict *conflict,
                               struct budget *budget) {
  struct stubborn *s = budget_alloc(budget, BUDGET_OTHER, sizeof *s);
  if (s == NULL)
    return NULL;
  s->shape = shape;
  s->control = shape->control;
  s->conflict = conflict;
  s->budget = budget;
  s->words = s->control->n_steps > STEPS_MOST ? 0 : BITS_WORDS(s->control->n_steps + 1);
  if (open_all(s) && (s->words == 0 || make_tables(s)))
    return s;
  stubborn_close(s);
  return NULL;
}

/* ---- closing a set ----------------------------------------------------------------------- */

static bool is_enabled(const struct stubborn *s, uint32_t step) {
  return s->state->enabled[step] == s->state->stamp;
}

/* Adds what can be reached of a row. False: the set becomes no better than the best. */
static bool add_row(struct stubborn *s, const uint64_t *row) {
  s->work += s->words;
  for (uint32_t w = 0; w < s->words; w++) {
    uint64_t fresh = row[w] & s->alive[w] & ~s->set[w];
    if (fresh == 0)
      continue;
    s->set[w] |= fresh;
    s->n_enabled += (uint32_t)__builtin_popcountll(fresh & s->enabled[w]);
    for (; fresh != 0; fresh &= fresh - 1)
      s->open[s->n_open++] = 64 * w + (uint32_t)__builtin_ctzll(fresh);
  }
  return s->n_enabled < s->least;
}

/* What adding a row would take. */
static uint32_t cost_of(struct stubborn *s, const uint64_t *row) {
  uint32_t cost = 0;
  s->work += s->words;
  for (uint32_t w = 0; w < s->words; w++) {
    uint64_t fresh = row[w] & s->alive[w] & ~s->set[w];
    if (fresh == 0)
      continue;
    cost += (uint32_t)__builtin_popcountll(fresh) +
            (DEAR - 1) * (uint32_t)__builtin_popcountll(fresh & s->enabled[w]);
  }
  return cost;
}

static void take_cheaper(struct stubborn *s, const uint64_t *row, const uint64_t **best,
                         uint32_t *cost) {
  if (*best != NULL && *cost == 0)
    return;
  uint32_t one = cost_of(s, row);
  if (*best == NULL || one < *cost) {
    *best = row;
    *cost = one;
  }
}

/* The steps that lead away from where the process is; false: more than this costs. */
static bool leaves_cheaper(const struct stubborn *s, uint32_t at, uint32_t cost) {
  const struct ts_control *c = s->control;
  uint32_t sum = 0;
  for (uint32_t i = c->first_step[at]; i < c->first_step[at + 1]; i++)
    if (!bits_test(s->set, i) && !waits(c, i))
      sum += is_enabled(s, i) ? DEAR : 1;
  return sum < cost;
}

static bool add_leaving(struct stubborn *s, uint32_t at) {
  const struct ts_control *c = s->control;
  for (uint32_t i = c->first_step[at]; i < c->first_step[at + 1]; i++) {
    if (bits_test(s->set, i) || waits(c, i))
      continue;
    bits_set(s->set, i);
    s->open[s->n_open++] = i;
    s->n_enabled += is_enabled(s, i);
  }
  return s->n_enabled < s->least;
}

/* Adds what may enable a step that is not enabled. */
static bool add_enabling(struct stubborn *s, uint32_t step) {
  const struct ts_control *c = s->control;
  const struct ts_step *it = &c->step[step];
  uint32_t at = s->state->location[it->process], cost = 0;
  const uint64_t *best = NULL;
  if (waits(c, step))
    return true;
  if (at != it->from)
    take_cheaper(s, row_of(s, &s->into, it->from), &best, &cost);
  for (uint32_t g = conflict_first_guard(c, step);
       at != TS_NONE && g < conflict_first_guard(c, step + 1); g++)
    if (!ts_guard_holds(s->shape, &c->guard[g], s->state->row))
      take_cheaper(s, row_of(s, &s->guard, g), &best, &cost);
  if (at != it->from && at != TS_NONE && cost > 0 && leaves_cheaper(s, at, cost))
    return add_leaving(s, at);
  if (best != NULL)
    return add_row(s, best);
  uint32_t slot = s->conflict->channel[step];
  bool filled = slot != TS_NONE && ts_value(&s->shape->slot[slot], s->state->row) != 0;
  return add_row(s, row_of(s, filled ? &s->filled : &s->waits, step));
}

static bool add_step(struct stubborn *s, uint32_t step) {
  const struct ts_control *c = s->control;
  bool enabled = is_enabled(s, step), part = c->step[step].flags & TS_STEP_PART;
  if (enabled &&
      (waits(c, step) ||
       bits_test(conflict_set(s->conflict, s->conflict->enabled[step]), c->n_locations)))
    return false; /* of all others, or of a property */
  return ((!enabled && !part) || add_row(s, row_of(s, &s->meets, step))) &&
         ((enabled && !part) || add_enabling(s, step));
}

/* The set that begins with a step; false: it is no better than the best. */
static bool close_from(struct stubborn *s, uint32_t step) {
  memset(s->set, 0, s->words * sizeof *s->set);
  bits_set(s->set, step);
  s->open[0] = step;
  s->n_open = s->n_enabled = 1;
  for (uint32_t i = 0; i < s->n_open; i++)
    if (!add_step(s, s->open[i]))
      return false;
  return true;
}

/* ---- the best sets ----------------------------------------------------------------------- */

static void look_at(struct stubborn *s) {
  const struct stubborn_state *state = s->state;
  const struct ts_control *c = s->control;
  memset(s->alive, 0, 2 * s->words * sizeof *s->alive);
  s->n_all = 0;
  for (uint32_t i = 0; i < state->n_there; i++) {
    uint32_t at = state->location[state->there[i]];
    if (!state->is_still)
      unite(s, s->alive, row_of(s, &s->ahead, at));
    for (uint32_t k = c->first_step[at]; k < c->first_step[at + 1]; k++)
      if (is_enabled(s, k)) {
        bits_set(s->enabled, k);
        s->n_all++;
      }
  }
  if (state->is_still)
    memset(s->alive, 0xFF, s->words * sizeof *s->alive);
  s->work += state->n_there * (state->is_still ? 1 : s->words);
}

/* Keeps the set just closed, before those that are larger. */
static void keep_set(struct stubborn *s) {
  size_t bytes = s->words * sizeof *s->set;
  uint32_t at = s->n_found < SETS ? s->n_found++ : SETS - 1;
  for (; at > 0 && s->size[at - 1] > s->n_enabled; at--) {
    s->size[at] = s->size[at - 1];
    memcpy(s->found + at * (size_t)s->words, s->found + (at - 1) * (size_t)s->words, bytes);
  }
  s->size[at] = s->n_enabled;
  for (uint32_t w = 0; w < s->words; w++)
    s->found[at * (size_t)s->words + w] = s->set[w] & s->enabled[w];
}

static bool is_kept(const struct stubborn *s, uint32_t step) {
  for (uint32_t i = 0; i < s->n_found; i++)
    if (bits_test(s->found + i * (size_t)s->words, step))
      return true;
  return false;
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
      if (left == 0 || !is_enabled(s, k) || is_kept(s, k))
        continue;
      left--;
      if (close_from(s, k))
        keep_set(s);
    }
  }
  *work += s->work;
  return s->n_found;
}

void stubborn_keep(const struct stubborn *s, uint32_t which, uint64_t *leave) {
  const uint64_t *found = s->found + which * (size_t)s->words;
  for (uint32_t i = 0; i < s->control->n_steps; i++)
    for (uint32_t k = s->first_action[i]; bits_test(found, i) && k < s->first_action[i + 1];
         k++)
      bits_clear(leave, s->action[k]);
}
