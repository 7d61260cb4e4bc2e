/* conflict.c - whom a step must not be separated from.
 *
 * First, for each item that more than one process touches, and each way to touch it: from which
 * locations can a step be reached that does so? Such a location is found backwards over the
 * steps of its process, and over those that begin the process. A step that waits for all others
 * ends the way: as long as one step is enabled and fired by nobody, it is not (docs/por.md).
 *
 * Then the sets of a step are the union of these over what it touches. At the end locations
 * that no set tells apart are made one bit of all sets: often one per process.
 */
#include "search/reduce/conflict.h"

#include "base/bits.h"

#include <string.h>

#define WORK_MOST UINT64_C(2000000000) /* locations times steps: seconds */
#define PART_MOST 16u                  /* of the budget, for the tables while they are made */

enum { NOBODY = 0, MANY = UINT32_MAX, EMPTY = 0, ALL = 1 };

struct making {
  struct conflict *conflict;
  const struct related *related;
  const struct ts_control *control;
  struct budget *budget;
  uint32_t *user;   /* by item: process + 1 */
  uint32_t *shared; /* by item: its number among those of many processes, or TS_NONE */
  uint32_t n_shared;
  uint64_t *where; /* by shared item and way: a set of locations, and */
  uint64_t *meets; /* the union of those of the ways that it conflicts with */
  uint32_t *first_pred, *pred;
  uint64_t *seen, *row;
  uint32_t *place, places; /* of each set by its hash, its number + 1; a power of two */
  uint32_t *open;
};

/* ---- memory ------------------------------------------------------------------------ */

static size_t where_bytes(const struct making *m) {
  return (size_t)m->n_shared * TS_TOUCH_WAYS * m->conflict->words * sizeof *m->where + 8;
}

static uint32_t n_preds(const struct ts_control *c) {
  return c->n_steps + c->starts.start[c->n_steps];
}

static void close_making(struct making *m) {
  const struct ts_control *c = m->control;
  size_t set = m->conflict->words * sizeof *m->seen;
  budget_free(m->budget, BUDGET_OTHER, m->user, (c->n_items + 1u) * sizeof *m->user);
  budget_free(m->budget, BUDGET_OTHER, m->shared, (c->n_items + 1u) * sizeof *m->shared);
  budget_free(m->budget, BUDGET_OTHER, m->where, m->where == NULL ? 0 : where_bytes(m));
  budget_free(m->budget, BUDGET_OTHER, m->meets, m->meets == NULL ? 0 : where_bytes(m));
  budget_free(m->budget, BUDGET_OTHER, m->first_pred, (c->n_locations + 2u) * 4);
  budget_free(m->budget, BUDGET_OTHER, m->pred, (n_preds(c) + 1u) * 4);
  budget_free(m->budget, BUDGET_OTHER, m->open, (c->n_locations + 1u) * 4);
  budget_free(m->budget, BUDGET_OTHER, m->place, m->places * sizeof *m->place);
  budget_free(m->budget, BUDGET_OTHER, m->seen, set);
  budget_free(m->budget, BUDGET_OTHER, m->row, set);
}

/* That are made, at most. */
static uint64_t n_rows(const struct making *m) {
  return 2 * (uint64_t)m->control->n_steps + m->related->n_meets + m->related->n_guards;
}

static bool open_making(struct making *m) {
  const struct ts_control *c = m->control;
  size_t set = m->conflict->words * sizeof *m->seen;
  m->user = budget_alloc(m->budget, BUDGET_OTHER, (c->n_items + 1u) * sizeof *m->user);
  m->shared = budget_alloc(m->budget, BUDGET_OTHER, (c->n_items + 1u) * sizeof *m->shared);
  m->first_pred = budget_alloc(m->budget, BUDGET_OTHER, (c->n_locations + 2u) * 4);
  m->pred = budget_alloc(m->budget, BUDGET_OTHER, (n_preds(c) + 1u) * 4);
  m->open = budget_alloc(m->budget, BUDGET_OTHER, (c->n_locations + 1u) * 4);
  m->seen = budget_alloc(m->budget, BUDGET_OTHER, set);
  m->row = budget_alloc(m->budget, BUDGET_OTHER, set);
  uint64_t sets = n_rows(m);
  for (m->places = 16; m->places < 2 * sets; m->places *= 2)
    continue;
  m->place = budget_alloc(m->budget, BUDGET_OTHER, m->places * sizeof *m->place);
  return m->user != NULL && m->shared != NULL && m->first_pred != NULL && m->pred != NULL &&
         m->open != NULL && m->seen != NULL && m->row != NULL && m->place != NULL;
}

/* ---- who touches what ---------------------------------------------------------------- */

static void note_user(struct making *m, uint32_t step, uint32_t item) {
  uint32_t *user = &m->user[item], process = m->control->step[step].process + 1;
  *user = *user == NOBODY || *user == process ? process : MANY;
}

static void number_shared(struct making *m) {
  const struct ts_control *c = m->control;
  for (uint32_t s = 0; s < c->n_steps; s++) {
    for (uint32_t i = c->first_touch[s]; i < c->first_touch[s + 1]; i++)
      note_user(m, s, c->touch[i].item);
    for (uint32_t g = related_first_guard(c, s); g < related_first_guard(c, s + 1); g++)
      for (uint32_t i = 0; i < c->guard[g].n_touches; i++)
        note_user(m, s, c->guard_touch[c->guard[g].first_touch + i].item);
  }
  for (uint32_t i = 0; i < c->n_items; i++)
    m->shared[i] = m->user[i] == MANY ? m->n_shared++ : TS_NONE;
}

/* Step s leads to location `to`: counted, or added. */
static void add_pred(struct making *m, uint32_t s, uint32_t to, bool count) {
  if (count)
    m->first_pred[to + 2]++;
  else
    m->pred[m->first_pred[to + 1]++] = m->control->step[s].from;
}

/* What leads to each location: its steps, and for where a process begins the steps that begin
 * it. first_pred[l + 1] is where those of l begin, and comes to where they end. */
static void add_preds(struct making *m, bool count) {
  const struct ts_control *c = m->control;
  for (uint32_t s = 0; s < c->n_steps; s++) {
    if (c->step[s].flags & TS_STEP_WAITS)
      continue;
    add_pred(m, s, c->step[s].to, count);
    for (uint32_t i = c->starts.start[s]; i < c->starts.start[s + 1]; i++)
      add_pred(m, s, c->process[c->starts.item[i]].initial, count);
  }
}

static void make_preds(struct making *m) {
  add_preds(m, true);
  for (uint32_t l = 1; l <= m->control->n_locations; l++)
    m->first_pred[l + 1] += m->first_pred[l];
  add_preds(m, false);
}

/* ---- from where ---------------------------------------------------------------------- */

/* A location, unless it was seen. */
static void begin_back(struct making *m, uint32_t location, uint32_t *n) {
  if (bits_test(m->seen, location))
    return;
  bits_set(m->seen, location);
  m->open[(*n)++] = location;
}

/* All locations from which those that were begun with are reached, into `seen`. */
static void go_back(struct making *m, uint32_t n) {
  while (n > 0) {
    uint32_t at = m->open[--n];
    for (uint32_t i = m->first_pred[at]; i < m->first_pred[at + 1]; i++)
      begin_back(m, m->pred[i], &n);
  }
}

/* The same of one location, and of those where the steps of a row begin. */
static void go_back_from(struct making *m, uint32_t location) {
  uint32_t n = 0;
  memset(m->seen, 0, m->conflict->words * sizeof *m->seen);
  begin_back(m, location, &n);
  go_back(m, n);
}

/* But for the steps of one process. */
static void go_back_from_steps(struct making *m, const uint64_t *row, uint32_t process) {
  uint32_t n = 0;
  memset(m->seen, 0, m->conflict->words * sizeof *m->seen);
  for (uint32_t w = 0; w < m->related->words; w++)
    for (uint64_t rest = row[w]; rest != 0; rest &= rest - 1) {
      const struct ts_step *step = &m->control->step[64 * w + (uint32_t)__builtin_ctzll(rest)];
      if (step->process != process)
        begin_back(m, step->from, &n);
    }
  go_back(m, n);
}

static uint64_t *set_of(const struct making *m, uint64_t *sets, uint32_t shared, uint32_t way) {
  return sets + ((uint64_t)shared * TS_TOUCH_WAYS + way) * m->conflict->words;
}

static void find_where(struct making *m) {
  const struct ts_control *c = m->control;
  for (uint32_t l = 0; l < c->n_locations; l++) {
    bool gone = false;
    for (uint32_t s = c->first_step[l]; s < c->first_step[l + 1]; s++) {
      if (c->step[s].flags & TS_STEP_WAITS)
        continue;
      for (uint32_t i = c->first_touch[s]; i < c->first_touch[s + 1]; i++) {
        uint32_t shared = m->shared[c->touch[i].item];
        if (shared == TS_NONE)
          continue;
        if (!gone)
          go_back_from(m, l);
        gone = true;
        for (uint32_t way = 0; way < TS_TOUCH_WAYS; way++)
          if (c->touch[i].ways >> way & 1)
            bits_unite(m->conflict->words, set_of(m, m->where, shared, way), m->seen);
      }
    }
  }
}

static void find_meets(struct making *m) {
  static const unsigned conflicts[] = TS_TOUCH_CONFLICTS;
  for (uint32_t i = 0; i < m->n_shared; i++)
    for (uint32_t way = 0; way < TS_TOUCH_WAYS; way++)
      for (uint32_t other = 0; other < TS_TOUCH_WAYS; other++)
        if (conflicts[way] >> other & 1)
          bits_unite(m->conflict->words, set_of(m, m->meets, i, way),
                     set_of(m, m->where, i, other));
}

/* ---- sets ------------------------------------------------------------------------------ */

static uint32_t hash_of(const uint64_t *row, uint32_t words) {
  uint64_t sum = words;
  for (uint32_t w = 0; w < words; w++)
    sum = (sum ^ row[w]) * UINT64_C(0x9E3779B97F4A7C15), sum ^= sum >> 29;
  return (uint32_t)(sum >> 20);
}

/* Room for one more set; false: no memory. */
static bool make_room(struct conflict *c) {
  size_t bytes = c->words * sizeof *c->set;
  if (c->n_sets < c->most_sets)
    return true;
  uint64_t most = 2 * c->most_sets + 16;
  uint64_t *set =
      budget_realloc(c->budget, BUDGET_OTHER, c->set, c->most_sets * bytes, most * bytes);
  if (set == NULL)
    return false;
  c->set = set;
  c->most_sets = most;
  return true;
}

/* The number of the set in `row`, which may be a new one; false: no memory. */
static bool keep_row(struct making *m, uint32_t *number) {
  struct conflict *c = m->conflict;
  size_t bytes = c->words * sizeof *c->set;
  uint32_t i = hash_of(m->row, c->words) & (m->places - 1);
  for (; m->place[i] != 0; i = (i + 1) & (m->places - 1))
    if (memcmp(conflict_set(c, m->place[i] - 1), m->row, bytes) == 0) {
      *number = m->place[i] - 1;
      return true;
    }
  if (!make_room(c))
    return false;
  memcpy(c->set + c->n_sets * c->words, m->row, bytes);
  *number = (uint32_t)c->n_sets++;
  m->place[i] = *number + 1;
  return true;
}

/* Locations from which an item is touched in one of these ways, or (`meets`) in one that
 * conflicts with them. */
static void add_where(struct making *m, uint32_t item, unsigned ways, uint64_t *sets) {
  for (uint32_t way = 0; way < TS_TOUCH_WAYS && m->shared[item] != TS_NONE; way++)
    if (ways >> way & 1)
      bits_unite(m->conflict->words, m->row, set_of(m, sets, m->shared[item], way));
}

static bool is_watched(const struct ts_control *c, uint32_t step) {
  static const unsigned conflicts[] = TS_TOUCH_CONFLICTS;
  for (uint32_t i = c->first_touch[step]; i < c->first_touch[step + 1]; i++)
    for (uint32_t k = 0; k < c->n_watched; k++)
      if (c->watched[k].item == c->touch[i].item &&
          (ts_touch_against(c->touch[i].ways, conflicts) & c->watched[k].ways))
        return true;
  return false;
}

enum state { ENABLED, DISABLED, FILLED };

/* What may be done to an item that may enable a step. */
static unsigned enabling(const struct ts_control *c, const struct ts_touch *t,
                         enum state state) {
  static const unsigned enables[] = TS_TOUCH_ENABLES;
  if (state == FILLED && t->guard == TS_RECEIVE && c->filled && c->filled[t->item] != TS_NONE)
    return TS_WRITE | TS_RECEIVE;
  return ts_touch_against(t->guard, enables);
}

/* Takes bits [from, to) out. */
static void take_out(uint64_t *set, uint32_t from, uint32_t to) {
  for (uint32_t w = from >> 6; w <= to >> 6; w++) {
    uint64_t keep = 0;
    if (w == from >> 6)
      keep |= bits_lowest(from & 63);
    if (w == to >> 6)
      keep |= ~bits_lowest(to & 63);
    set[w] &= keep;
  }
}

/* The same of all of a process. */
static void take_own_out(struct making *m, uint32_t step) {
  const struct ts_process *p = &m->control->process[m->control->step[step].process];
  take_out(m->row, p->first, p->first + p->n_locations);
}

/* By items: the set of a step, into `row`. */
static void add_items(struct making *m, uint32_t step, enum state state) {
  static const unsigned conflicts[] = TS_TOUCH_CONFLICTS;
  const struct ts_control *c = m->control;
  for (uint32_t i = c->first_touch[step]; i < c->first_touch[step + 1]; i++) {
    const struct ts_touch *t = &c->touch[i];
    if (state == ENABLED && t->apart != 0)
      add_where(m, t->item, ts_touch_against(t->ways, conflicts) & ~(unsigned)t->apart,
                m->where);
    else if (state == ENABLED)
      add_where(m, t->item, t->ways, m->meets);
    else
      add_where(m, t->item, enabling(c, t, state), m->where);
  }
}

/* By steps: the locations from which one of a row is reached. */
static void add_steps(struct making *m, uint32_t step, const struct related_rows *rows,
                      uint32_t row) {
  go_back_from_steps(m, related_row(m->related, rows, row), m->control->step[step].process);
  bits_unite(m->conflict->words, m->row, m->seen);
}

/* The set of a step, into `row`, and kept. Its own process is never asked about. `number`: of
 * the row of the steps. */
static bool make_row(struct making *m, uint32_t step, enum state state, uint32_t number,
                     uint32_t *set) {
  const struct ts_control *c = m->control;
  const struct related *r = m->related;
  bool waits = c->step[step].flags & TS_STEP_WAITS;
  memset(m->row, waits && state == ENABLED ? 0xFF : 0, m->conflict->words * sizeof *m->row);
  if (!waits) {
    if (r->words == 0)
      add_items(m, step, state);
    else
      add_steps(m, step,
                state == ENABLED    ? &r->meets
                : state == DISABLED ? &r->waits
                                    : &r->filled,
                number);
    take_own_out(m, step);
    if (state == ENABLED && (is_watched(c, step) || (c->step[step].flags & TS_STEP_CLOSES)))
      bits_set(m->row, c->n_locations);
  }
  return keep_row(m, set);
}

/* The set of a guard of a step, into `row`, and kept. */
static bool make_guard_row(struct making *m, uint32_t step, uint32_t guard, uint32_t number) {
  const struct ts_control *c = m->control;
  const struct ts_guard *it = &c->guard[guard];
  memset(m->row, 0, m->conflict->words * sizeof *m->row);
  for (uint32_t i = 0; i < it->n_touches && m->related->words == 0; i++) {
    const struct ts_touch *t = &c->guard_touch[it->first_touch + i];
    add_where(m, t->item, t->ways, m->where);
  }
  if (m->related->words > 0)
    add_steps(m, step, &m->related->guard, number);
  take_own_out(m, step);
  return keep_row(m, &m->conflict->waits[number]);
}

/* Of a step or guard `number` and its elements. */
static uint32_t row_number(const struct related_keys *keys, uint32_t number, uint32_t i) {
  return i == 0 ? number : keys->first + i - 1;
}

static bool make_guard_sets(struct making *m) {
  const struct ts_control *c = m->control;
  for (uint32_t s = 0; s < c->n_steps; s++)
    for (uint32_t g = related_first_guard(c, s); g < related_first_guard(c, s + 1); g++) {
      const struct related_keys *keys = &m->related->guard_keys[g];
      for (uint32_t i = 0; i <= related_elements(keys); i++)
        if (!make_guard_row(m, s, g, row_number(keys, g, i)))
          return false;
    }
  return true;
}

static bool make_sets(struct making *m) {
  struct conflict *c = m->conflict;
  uint32_t number;
  memset(m->row, 0, c->words * sizeof *m->row);
  if (!keep_row(m, &number))
    return false;
  for (uint32_t s = 0; s < m->control->n_steps; s++) {
    const struct related_keys *keys = &m->related->step_keys[s];
    for (uint32_t i = 0; i <= related_elements(keys); i++)
      if (!make_row(m, s, ENABLED, row_number(keys, s, i), &c->enabled[row_number(keys, s, i)]))
        return false;
    bool channel = m->related->channel[s] != TS_NONE;
    if (!make_row(m, s, DISABLED, s, &c->disabled[s]) ||
        (channel && !make_row(m, s, FILLED, s, &c->filled[s])))
      return false;
  }
  return make_guard_sets(m);
}

/* Without tables: everything conflicts with everything. */
static bool make_no_sets(struct making *m) {
  uint32_t number;
  memset(m->row, 0, m->conflict->words * sizeof *m->row);
  bool fine = keep_row(m, &number);
  memset(m->row, 0xFF, m->conflict->words * sizeof *m->row);
  fine = fine && keep_row(m, &number);
  for (uint32_t s = 0; s < m->control->n_steps && fine; s++)
    m->conflict->disabled[s] = m->conflict->filled[s] = number;
  for (uint32_t i = 0; i < m->related->n_meets && fine; i++)
    m->conflict->enabled[i] = number;
  for (uint32_t i = 0; i < m->related->n_guards && fine; i++)
    m->conflict->waits[i] = number;
  return fine;
}

/* ---- all ------------------------------------------------------------------------------- */

/* Where and how each item is touched; false: it would take too much, or (*fine) no memory. */
static bool make_items(struct making *m, bool *fine) {
  const struct ts_control *c = m->control;
  number_shared(m);
  if (where_bytes(m) > budget_limit(m->budget) / PART_MOST ||
      (uint64_t)c->n_locations * c->n_steps > WORK_MOST)
    return false;
  m->where = budget_alloc(m->budget, BUDGET_OTHER, where_bytes(m));
  m->meets = budget_alloc(m->budget, BUDGET_OTHER, where_bytes(m));
  *fine = m->where != NULL && m->meets != NULL;
  if (!*fine)
    return false;
  find_where(m);
  find_meets(m);
  return true;
}

static bool make_all(struct making *m) {
  const struct ts_control *c = m->control;
  bool fine = open_making(m), known;
  if (!fine)
    return false;
  make_preds(m);
  if (m->related->words == 0)
    known = make_items(m, &fine);
  else
    known = n_rows(m) * (c->n_locations + (uint64_t)n_preds(c)) <= WORK_MOST;
  return known ? make_sets(m) : fine && make_no_sets(m);
}

static size_t guard_bytes(const struct related *related) {
  return (related->n_guards + (size_t)1) * sizeof(uint32_t);
}

static size_t enabled_bytes(const struct related *related) {
  return (related->n_meets + (size_t)1) * sizeof(uint32_t);
}

static size_t bit_bytes(const struct ts_control *control) {
  return (control->n_locations + (size_t)1) * sizeof(uint32_t);
}

struct conflict *conflict_open(const struct related *related, struct budget *budget) {
  const struct ts_control *control = related->control;
  struct conflict *c = budget_alloc(budget, BUDGET_OTHER, sizeof *c);
  if (c == NULL)
    return NULL;
  c->related = related;
  c->control = control;
  c->budget = budget;
  c->words = BITS_WORDS(control->n_locations + 1);
  size_t bytes = (control->n_steps + (size_t)1) * sizeof *c->enabled;
  c->enabled = budget_alloc(budget, BUDGET_OTHER, enabled_bytes(related));
  c->disabled = budget_alloc(budget, BUDGET_OTHER, bytes);
  c->filled = budget_alloc(budget, BUDGET_OTHER, bytes);
  c->waits = budget_alloc(budget, BUDGET_OTHER, guard_bytes(related));
  c->bit = budget_alloc(budget, BUDGET_OTHER, bit_bytes(control));
  struct making m = {.conflict = c, .related = related, .control = control, .budget = budget};
  bool fine = c->enabled != NULL && c->disabled != NULL && c->filled != NULL &&
              c->waits != NULL && c->bit != NULL && make_all(&m);
  close_making(&m);
  if (fine)
    return c;
  conflict_close(c);
  return NULL;
}

void conflict_close(struct conflict *c) {
  if (c == NULL)
    return;
  size_t bytes = (c->control->n_steps + (size_t)1) * sizeof *c->enabled;
  budget_free(c->budget, BUDGET_OTHER, c->enabled, enabled_bytes(c->related));
  budget_free(c->budget, BUDGET_OTHER, c->disabled, bytes);
  budget_free(c->budget, BUDGET_OTHER, c->filled, bytes);
  budget_free(c->budget, BUDGET_OTHER, c->waits, guard_bytes(c->related));
  budget_free(c->budget, BUDGET_OTHER, c->bit, bit_bytes(c->control));
  budget_free(c->budget, BUDGET_OTHER, c->set, c->most_sets * c->words * sizeof *c->set);
  budget_free(c->budget, BUDGET_OTHER, c, sizeof *c);
}
