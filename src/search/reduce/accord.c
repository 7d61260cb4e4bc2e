/* accord.c - which steps do not accord, and which may enable which. See accord.h.
 *
 * Two steps accord if neither disables the other, and they lead to the same state in both
 * orders where both are enabled (Laarman, Pater, van de Pol and Hansen, definition 5). By
 * default they do not if they touch an item in ways that do not go together. Where one only
 * writes a slot, and the other only tests it by its guards, the guards decide: whether what is
 * written may make one of them false. In the same way a step that writes a slot may make a
 * guard true, or not.
 */
#include "search/reduce/accord.h"

#include "search/reduce/alter.h"

#include "base/bits.h"

enum {
  ELEMENTS_MOST = 64, /* rows of one step or guard, for its elements */
  ROWS_MOST = 4096    /* of all */
};

/* Who touches each item: lists by item. Steps that wait for all others are in none. */
struct touchers {
  uint32_t *first, *step, *touch;
};

/* Which elements a row is for: of each key the index. */
struct elements {
  const struct related_keys *keys;
  uint32_t index[RELATED_KEYS];
};

/* ---- keys -------------------------------------------------------------------------------- */

static bool is_key(const struct related_key *key, uint32_t slot, int32_t offset) {
  return key->slot == slot && key->offset == offset;
}

static void add_key(struct related_keys *keys, uint32_t slot, int32_t offset, uint32_t length) {
  for (uint32_t i = 0; i < keys->n; i++)
    if (is_key(&keys->key[i], slot, offset)) {
      keys->key[i].length = length > keys->key[i].length ? length : keys->key[i].length;
      return;
    }
  if (keys->n < RELATED_KEYS)
    keys->key[keys->n++] = (struct related_key){slot, offset, length};
}

static uint32_t n_elements(const struct related_keys *keys) {
  uint64_t n = 1;
  for (uint32_t i = 0; i < keys->n; i++)
    n *= keys->key[i].length;
  return n > ELEMENTS_MOST ? 0 : (uint32_t)n;
}

/* Rows for the elements come after the others, *n of them; too many are left out. */
static void place_rows(struct related_keys *keys, uint32_t *n) {
  uint32_t more = keys->n == 0 ? 0 : n_elements(keys);
  if (*n + more > ROWS_MOST)
    more = 0;
  keys->n = more == 0 ? 0 : keys->n;
  keys->first = *n;
  *n += more;
}

/* An index in the terms of a guard: a slot, or a slot and a number added to it. */
static void add_index(struct related_keys *keys, const struct ts_term *first,
                      const struct ts_term *element) {
  const struct ts_term *t = element - 1;
  if (t >= first && t->kind == TS_TERM_SLOT) {
    add_key(keys, (uint32_t)t->value, 0, element->length);
  } else if (t - 2 >= first && (t->kind == TS_TERM_ADD || t->kind == TS_TERM_SUB) &&
             t[-1].kind == TS_TERM_CONST && t[-2].kind == TS_TERM_SLOT) {
    int32_t by = t[-1].value;
    if (by > -ROWS_MOST && by < ROWS_MOST)
      add_key(keys, (uint32_t)t[-2].value, t->kind == TS_TERM_ADD ? by : -by, element->length);
  }
}

static void find_keys(struct related *r) {
  const struct ts_control *c = r->control;
  for (uint32_t k = 0; k < c->n_steps && c->first_pick != NULL; k++) {
    for (uint32_t i = c->first_pick[k]; i < c->first_pick[k + 1]; i++)
      add_key(&r->step_keys[k], c->pick[i].slot, c->pick[i].offset, c->pick[i].length);
    place_rows(&r->step_keys[k], &r->n_meets);
  }
  for (uint32_t g = 0; g < related_guards(c); g++) {
    const struct ts_term *first = c->term + c->guard[g].first_term;
    for (uint32_t i = 1; i < c->guard[g].n_terms; i++)
      if (first[i].kind == TS_TERM_ELEMENT)
        add_index(&r->guard_keys[g], first, &first[i]);
    place_rows(&r->guard_keys[g], &r->n_guards);
  }
}

/* The elements of the row that is `number` after the first. */
static struct elements elements_of(const struct related_keys *keys, uint32_t number) {
  struct elements e = {.keys = keys};
  for (uint32_t i = keys->n; i-- > 0;) {
    e.index[i] = number % keys->key[i].length;
    number /= keys->key[i].length;
  }
  return e;
}

/* ---- guards ------------------------------------------------------------------------------ */

static void open_guard(const struct related *r, struct alter *a, uint32_t guard,
                       const struct elements *e) {
  *a = (struct alter){.shape = r->shape, .guard = &r->control->guard[guard]};
  for (uint32_t i = 0; e != NULL && i < e->keys->n; i++) {
    a->known_slot[a->n_known] = e->keys->key[i].slot;
    a->known_value[a->n_known++] = (int32_t)e->index[i] - e->keys->key[i].offset;
  }
  alter_open(a);
}

static bool looks_at(const struct alter *a, uint32_t item) {
  for (uint32_t i = 0; i < a->n; i++)
    if (a->slot[i] == item)
      return true;
  return !a->fine;
}

static bool has_touch(const struct ts_control *c, const struct ts_guard *guard, uint32_t item) {
  for (uint32_t i = 0; i < guard->n_touches; i++)
    if (c->guard_touch[guard->first_touch + i].item == item)
      return true;
  return false;
}

/* Whether step `by` may make one of the guards of `step` false that look at the item. */
static bool may_disable(const struct related *r, uint32_t by, uint32_t step, uint32_t item,
                        const struct elements *e) {
  const struct ts_control *c = r->control;
  for (uint32_t g = related_first_guard(c, step); g < related_first_guard(c, step + 1); g++) {
    struct alter a;
    if (!has_touch(c, &c->guard[g], item))
      continue;
    open_guard(r, &a, g, e);
    if (looks_at(&a, item) && alter_may(&a, by, false))
      return true;
  }
  return false;
}

static void make_guard(const struct related *r, const struct touchers *t, uint64_t *row,
                       uint32_t guard, const struct elements *e) {
  const struct ts_control *c = r->control;
  const struct ts_guard *it = &c->guard[guard];
  struct alter a;
  open_guard(r, &a, guard, e);
  for (uint32_t i = 0; i < it->n_touches; i++) {
    const struct ts_touch *touch = &c->guard_touch[it->first_touch + i];
    if (!looks_at(&a, touch->item))
      continue;
    for (uint32_t k = t->first[touch->item]; k < t->first[touch->item + 1]; k++)
      if ((c->touch[t->touch[k]].ways & touch->ways) && !bits_test(row, t->step[k]) &&
          alter_may(&a, t->step[k], true))
        bits_set(row, t->step[k]);
  }
}

/* ---- steps ------------------------------------------------------------------------------- */

/* How a step touches an item, of the elements that it picks only these. */
static unsigned ways_of(const struct ts_control *c, uint32_t step, const struct ts_touch *touch,
                        const struct elements *e) {
  unsigned ways = touch->ways & ~(unsigned)touch->picked;
  if (e == NULL || touch->picked == 0)
    return touch->ways;
  for (uint32_t i = c->first_pick[step]; i < c->first_pick[step + 1]; i++) {
    const struct ts_pick *p = &c->pick[i];
    uint32_t k = 0;
    if (touch->item < p->first || touch->item - p->first >= p->length)
      continue;
    while (k < e->keys->n && !is_key(&e->keys->key[k], p->slot, p->offset))
      k++;
    if (k == e->keys->n || touch->item - p->first == e->index[k])
      ways |= p->ways & touch->picked;
  }
  return ways;
}

static bool only_tests(const struct ts_touch *touch, unsigned ways) {
  return ways == TS_READ && (touch->tested & TS_READ);
}

static bool only_writes(unsigned ways) {
  return (ways & TS_WRITE) && (ways & ~(unsigned)(TS_READ | TS_WRITE)) == 0;
}

/* Whether two steps mind each other's ways to touch an item, which do not go together. */
static bool mind(const struct related *r, uint32_t step, const struct ts_touch *touch,
                 unsigned ways, uint32_t other, const struct ts_touch *others,
                 const struct elements *e) {
  if (touch->item >= r->control->n_slot_items)
    return true;
  if (only_tests(touch, ways) && only_writes(others->ways))
    return may_disable(r, other, step, touch->item, e);
  if (only_tests(others, others->ways) && only_writes(ways))
    return may_disable(r, step, other, touch->item, NULL);
  return true;
}

static void make_meets(const struct related *r, const struct touchers *t, uint64_t *row,
                       uint32_t step, const struct elements *e) {
  static const unsigned conflicts[] = TS_TOUCH_CONFLICTS;
  const struct ts_control *c = r->control;
  const struct ts_step *it = &c->step[step];
  for (uint32_t i = c->first_touch[step]; i < c->first_touch[step + 1]; i++) {
    const struct ts_touch *touch = &c->touch[i];
    unsigned ways = ways_of(c, step, touch, e);
    unsigned against = ts_touch_against(ways, conflicts) & ~(unsigned)touch->apart;
    for (uint32_t k = t->first[touch->item]; k < t->first[touch->item + 1]; k++) {
      uint32_t other = t->step[k];
      const struct ts_touch *others = &c->touch[t->touch[k]];
      if ((others->ways & against) && c->step[other].process != it->process &&
          !bits_test(row, other) && mind(r, step, touch, ways, other, others, e))
        bits_set(row, other);
    }
  }
  for (uint32_t i = c->first_step[it->from]; i < c->first_step[it->from + 1]; i++)
    if (i != step && !(c->step[i].flags & TS_STEP_WAITS))
      bits_set(row, i);
}

static void add_touchers(const struct related *r, const struct touchers *t, uint64_t *row,
                         uint32_t item, unsigned ways) {
  for (uint32_t i = t->first[item]; i < t->first[item + 1]; i++)
    if (r->control->touch[t->touch[i]].ways & ways)
      bits_set(row, t->step[i]);
}

/* What may enable a step, by all that its guard touches. */
static void make_waits(const struct related *r, const struct touchers *t, uint64_t *waits,
                       uint64_t *filled, uint32_t step) {
  static const unsigned enables[] = TS_TOUCH_ENABLES;
  const struct ts_control *c = r->control;
  for (uint32_t i = c->first_touch[step]; i < c->first_touch[step + 1]; i++) {
    const struct ts_touch *touch = &c->touch[i];
    unsigned guard = ts_touch_against(touch->guard, enables);
    bool takes = touch->guard == TS_RECEIVE && r->channel[step] != TS_NONE;
    add_touchers(r, t, waits, touch->item, guard);
    add_touchers(r, t, filled, touch->item, takes ? TS_WRITE | TS_RECEIVE : guard);
  }
}

/* ---- all --------------------------------------------------------------------------------- */

static uint64_t *row_of(const struct related *r, const struct related_rows *rows, uint32_t i) {
  return rows->at + (size_t)i * r->words;
}

static void make_rows(const struct related *r, const struct touchers *t) {
  const struct ts_control *c = r->control;
  for (uint32_t k = 0; k < c->n_steps; k++) {
    const struct related_keys *keys = &r->step_keys[k];
    make_waits(r, t, row_of(r, &r->waits, k), row_of(r, &r->filled, k), k);
    make_meets(r, t, row_of(r, &r->meets, k), k, NULL);
    for (uint32_t i = 0; i < related_elements(keys); i++) {
      struct elements e = elements_of(keys, i);
      make_meets(r, t, row_of(r, &r->meets, keys->first + i), k, &e);
    }
  }
  for (uint32_t g = 0; g < related_guards(c); g++) {
    const struct related_keys *keys = &r->guard_keys[g];
    make_guard(r, t, row_of(r, &r->guard, g), g, NULL);
    for (uint32_t i = 0; i < related_elements(keys); i++) {
      struct elements e = elements_of(keys, i);
      make_guard(r, t, row_of(r, &r->guard, keys->first + i), g, &e);
    }
  }
}

/* first[i + 1] is where the list of item i begins, and comes to where it ends. */
static void list_touchers(const struct related *r, struct touchers *t) {
  const struct ts_control *c = r->control;
  for (uint32_t k = 0; k < c->n_steps; k++)
    for (uint32_t i = c->first_touch[k]; i < c->first_touch[k + 1]; i++)
      t->first[c->touch[i].item + 2] += !(c->step[k].flags & TS_STEP_WAITS);
  for (uint32_t i = 1; i <= c->n_items; i++)
    t->first[i + 1] += t->first[i];
  for (uint32_t k = 0; k < c->n_steps; k++)
    for (uint32_t i = c->first_touch[k]; i < c->first_touch[k + 1]; i++) {
      if (c->step[k].flags & TS_STEP_WAITS)
        continue;
      uint32_t at = t->first[c->touch[i].item + 1]++;
      t->step[at] = k;
      t->touch[at] = i;
    }
}

bool accord_make(struct related *r) {
  const struct ts_control *c = r->control;
  if (r->words == 0)
    return true;
  find_keys(r);
  if (!related_open_rows(r, &r->meets, r->n_meets) ||
      !related_open_rows(r, &r->guard, r->n_guards))
    return false;
  size_t list = (c->first_touch[c->n_steps] + (size_t)1) * sizeof(uint32_t);
  size_t items = (c->n_items + (size_t)2) * sizeof(uint32_t);
  struct touchers t = {.first = budget_alloc(r->budget, BUDGET_OTHER, items),
                       .step = budget_alloc(r->budget, BUDGET_OTHER, list),
                       .touch = budget_alloc(r->budget, BUDGET_OTHER, list)};
  bool fine = t.first != NULL && t.step != NULL && t.touch != NULL;
  if (fine) {
    list_touchers(r, &t);
    make_rows(r, &t);
  }
  budget_free(r->budget, BUDGET_OTHER, t.first, items);
  budget_free(r->budget, BUDGET_OTHER, t.step, list);
  budget_free(r->budget, BUDGET_OTHER, t.touch, list);
  return fine;
}
