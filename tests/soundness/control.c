/* control.c - who moves from where in a tiny system.
 *
 * Some parts are processes, whose location is their value; the others are variables. A letter
 * is a step of each process in its mask, from each value where it may be enabled; one without a
 * process is a process of its own, with one location. Two processes of one letter meet on an
 * item of their own. The value of a process is an item too, for those who read it. A letter
 * that only counts a variable up, wherever there is room, sends; one that only counts it down
 * receives: these commute where both are enabled. Of the others it is known what values they
 * write, and whether a value only decides if the letter is enabled.
 */
#include "table.h"

#include "base/bits.h"

#include <string.h>

struct making {
  const struct system *system;
  struct table_control *c;
  uint32_t processes; /* parts that are, a bitmap */
  uint32_t n_touches, n_guards, n_guard_touches, n_terms;
  bool joins; /* one guard says all */
};

static bool is_process(const struct making *m, uint32_t part) {
  return m->processes >> part & 1;
}

/* Whether all maps of the part are v -> v + by, defined wherever that is a value. */
static bool counts(const struct making *m, const struct system_letter *l, uint32_t part,
                   int by) {
  int values = m->system->values[part];
  for (uint32_t k = 0; k < l->n_choices; k++)
    for (int v = 0; v < values; v++) {
      int to = v + by;
      if (l->to[k][part][v] != (to >= 0 && to < values ? to : -1))
        return false;
    }
  return true;
}

static bool changes(const struct making *m, const struct system_letter *l, uint32_t part) {
  for (uint32_t k = 0; k < l->n_choices; k++)
    for (int v = 0; v < m->system->values[part]; v++)
      if (l->to[k][part][v] >= 0 && l->to[k][part][v] != v)
        return true;
  return false;
}

/* Whether all choices of a letter are enabled for the same values of a part, and each leaves it
 * as it is or sets it to one value: then its value only decides whether the letter is enabled.
 */
static bool only_asks(const struct making *m, const struct system_letter *l, uint32_t part) {
  for (uint32_t k = 0; k < l->n_choices; k++) {
    bool keeps = true, sets = true;
    int8_t to = -1;
    for (int v = 0; v < m->system->values[part]; v++) {
      int8_t is = l->to[k][part][v];
      if ((is >= 0) != (l->to[0][part][v] >= 0))
        return false;
      keeps &= is < 0 || is == v;
      sets &= is < 0 || to < 0 || is == to;
      to = is >= 0 ? is : to;
    }
    if (!keeps && !sets)
      return false;
  }
  return true;
}

/* The same item twice in one step becomes one. */
static void add_touch(struct making *m, struct ts_touch t) {
  for (uint32_t i = m->c->first_touch[m->c->control.n_steps]; i < m->n_touches; i++) {
    struct ts_touch *touch = &m->c->touch[i];
    if (touch->item != t.item)
      continue;
    touch->ways |= t.ways;
    touch->guard |= t.guard;
    touch->tested &= (uint16_t)~t.ways;
    touch->bounded = false;
    return;
  }
  m->c->touch[m->n_touches++] = t;
}

static void touch_variable(struct making *m, const struct system_letter *l, uint32_t part) {
  struct ts_touch touch = {.item = part, .guard = TS_READ};
  unsigned change = changes(m, l, part) ? TS_WRITE : 0;
  touch.low = SYSTEM_VALUES;
  for (uint32_t k = 0; k < l->n_choices; k++)
    for (int v = 0; v < m->system->values[part]; v++) {
      int8_t is = l->to[k][part][v];
      touch.low = is >= 0 && is != v && is < touch.low ? is : touch.low;
      touch.high = is >= 0 && is != v && is > touch.high ? is : touch.high;
    }
  touch.bounded = change != 0;
  touch.tested = only_asks(m, l, part) ? TS_READ : 0;
  touch.ways = (uint16_t)(TS_READ | change);
  if (counts(m, l, part, 1))
    touch = (struct ts_touch){.item = part, .ways = TS_SEND, .guard = TS_SEND};
  else if (counts(m, l, part, -1))
    touch = (struct ts_touch){.item = part, .ways = TS_RECEIVE, .guard = TS_RECEIVE};
  add_touch(m, touch);
}

static void add_term(struct making *m, enum ts_term_kind kind, int32_t value) {
  m->c->term[m->n_terms++] = (struct ts_term){.kind = (uint8_t)kind, .value = value};
}

/* The touch of a guard that asks for a part's value. */
static void add_guard_touch(struct making *m, const struct system_letter *l, uint32_t part) {
  bool sends = !is_process(m, part) && counts(m, l, part, 1);
  bool receives = !is_process(m, part) && counts(m, l, part, -1);
  unsigned ways = sends      ? TS_WRITE | TS_RECEIVE
                  : receives ? TS_WRITE | TS_SEND
                             : TS_TOUCH_CHANGES;
  m->c->guard_touch[m->n_guard_touches++] =
      (struct ts_touch){.item = part, .ways = (uint16_t)ways};
}

/* That a part has one of the values for which the letter has a map. */
static void add_condition(struct making *m, const struct system_letter *l, uint32_t part) {
  add_term(m, TS_TERM_CONST, 0);
  for (uint32_t v = 0; v < m->system->values[part]; v++) {
    bool any = false;
    for (uint32_t k = 0; k < l->n_choices; k++)
      any |= l->to[k][part][v] >= 0;
    if (!any)
      continue;
    add_term(m, TS_TERM_SLOT, (int32_t)part);
    add_term(m, TS_TERM_CONST, (int32_t)v);
    add_term(m, TS_TERM_EQ, 0);
    add_term(m, TS_TERM_OR, 0);
  }
}

/* A guard for these parts, all in one. */
static void add_guard(struct making *m, const struct system_letter *l, uint32_t parts) {
  struct ts_guard *guard = &m->c->guard[m->n_guards++];
  *guard = (struct ts_guard){.first_term = m->n_terms, .first_touch = m->n_guard_touches};
  for (uint32_t p = 0; p < m->system->n_parts; p++) {
    if (!(parts >> p & 1))
      continue;
    add_guard_touch(m, l, p);
    add_condition(m, l, p);
    if (guard->n_touches++ > 0)
      add_term(m, TS_TERM_AND, 0);
  }
  guard->n_terms = m->n_terms - guard->first_term;
}

/* The guards of a letter for parts: one each, or one for all. */
static void add_guards(struct making *m, const struct system_letter *l, uint32_t parts) {
  if (m->joins && parts != 0)
    add_guard(m, l, parts);
  for (uint32_t p = 0; p < m->system->n_parts && !m->joins; p++)
    if (parts >> p & 1)
      add_guard(m, l, 1u << p);
}

/* What a step of letter a touches; `home`: the part of its process, or none, and the value that
 * it gets. */
static void add_touches(struct making *m, uint32_t a, uint32_t home, uint32_t to) {
  const struct system_letter *l = &m->system->letter[a];
  for (uint32_t p = 0; p < m->system->n_parts; p++) {
    if (!(l->mask >> p & 1))
      continue;
    if (!is_process(m, p)) {
      touch_variable(m, l, p);
    } else if (p == home) {
      if (changes(m, l, p))
        add_touch(m, (struct ts_touch){.item = p,
                                       .ways = TS_WRITE,
                                       .bounded = true,
                                       .low = (int32_t)to,
                                       .high = (int32_t)to});
    } else {
      uint32_t low = p < home ? p : home, high = p < home ? home : p;
      uint32_t item = SYSTEM_PARTS + (a * SYSTEM_PARTS + low) * SYSTEM_PARTS + high;
      uint16_t way = home == low ? TS_CALL : TS_ANSWER;
      add_touch(m, (struct ts_touch){.item = item, .ways = way, .guard = way});
    }
  }
  if (l->fault.kind != TS_FINE && l->fault.part != home)
    add_touch(m, (struct ts_touch){.item = l->fault.part, .ways = TS_READ});
}

static void add_step(struct making *m, uint32_t a, uint32_t home, uint32_t from, uint32_t to) {
  struct ts_control *c = &m->c->control;
  const struct ts_process *p = &m->c->process[c->n_processes];
  m->c->step[c->n_steps] =
      (struct ts_step){.process = c->n_processes, .from = p->first + from, .to = p->first + to};
  m->c->letter[c->n_steps] = a;
  add_guards(m, &m->system->letter[a],
             m->system->letter[a].mask & ~(home < SYSTEM_PARTS ? 1u << home : 0));
  add_touches(m, a, home, to);
  m->c->first_touch[++c->n_steps] = m->n_touches;
  m->c->first_guard[c->n_steps] = m->n_guards;
}

static void begin_process(struct making *m, uint32_t slot, uint32_t n_locations,
                          uint32_t initial) {
  struct ts_control *c = &m->c->control;
  m->c->process[c->n_processes] = (struct ts_process){.location_slot = slot,
                                                      .first = c->n_locations,
                                                      .n_locations = n_locations,
                                                      .initial = c->n_locations + initial,
                                                      .live_slot = TS_NONE,
                                                      .tag_slot = TS_NONE};
}

static void end_location(struct making *m) {
  m->c->first_step[++m->c->control.n_locations] = m->c->control.n_steps;
}

static void add_part(struct making *m, uint32_t part) {
  const struct system *s = m->system;
  begin_process(m, part, s->values[part], s->initial[0][part]);
  for (uint32_t v = 0; v < s->values[part]; v++) {
    for (uint32_t a = 0; a < s->n_letters; a++)
      for (uint32_t k = 0; k < s->letter[a].n_choices; k++)
        if ((s->letter[a].mask >> part & 1) && s->letter[a].to[k][part][v] >= 0)
          add_step(m, a, part, v, (uint32_t)s->letter[a].to[k][part][v]);
    end_location(m);
  }
  m->c->control.n_processes++;
}

static void add_letter(struct making *m, uint32_t a) {
  begin_process(m, TS_NONE, 1, 0);
  add_step(m, a, SYSTEM_PARTS, 0, 0);
  end_location(m);
  m->c->control.n_processes++;
}

static void add_rows(struct making *m) {
  struct table_control *c = m->c;
  uint32_t n = 0;
  for (uint32_t a = 0; a < m->system->n_letters; a++) {
    for (uint32_t s = 0; s < c->control.n_steps; s++)
      if (c->letter[s] == a)
        c->of_item[n++] = s;
    c->of_start[a + 1] = n;
  }
}

static void watch(struct making *m) {
  const struct system *s = m->system;
  for (uint32_t i = 0; i < s->n_bad; i++)
    for (uint32_t k = 0; k < 2; k++)
      m->c->watched[m->c->control.n_watched++] =
          (struct ts_touch){.item = s->bad[i].part[k], .ways = TS_READ};
}

const struct ts_control *table_control(struct table *t) {
  const struct system *s = t->system;
  uint64_t random = s->seed ^ 4711;
  struct table_control *c = &t->control;
  struct making m = {.system = s, .c = c};
  c->control = (struct ts_control){.n_items = TABLE_ITEMS,
                                   .n_slot_items = s->n_parts,
                                   .process = c->process,
                                   .step = c->step,
                                   .first_step = c->first_step,
                                   .first_touch = c->first_touch,
                                   .touch = c->touch,
                                   .of = {c->of_start, c->of_item},
                                   .starts = {c->no_start, c->of_item},
                                   .filled = c->filled,
                                   .first_guard = c->first_guard,
                                   .guard = c->guard,
                                   .guard_touch = c->guard_touch,
                                   .term = c->term,
                                   .watched = c->watched};
  m.processes = (uint32_t)bits_next_random(&random) & ((1u << s->n_parts) - 1);
  if (bits_next_random(&random) % 2 == 0) /* those that were made as such */
    m.processes = ((1u << s->n_automata) - 1) & ((1u << s->n_parts) - 1);
  m.joins = bits_next_random(&random) % 3 == 0;
  for (uint32_t p = 0; p < s->n_parts; p++)
    if (is_process(&m, p))
      add_part(&m, p);
  for (uint32_t a = 0; a < s->n_letters; a++)
    if ((s->letter[a].mask & m.processes) == 0)
      add_letter(&m, a);
  for (uint32_t i = 0; i < TABLE_ITEMS; i++)
    c->filled[i] = i < s->n_parts ? i : TS_NONE;
  add_rows(&m);
  watch(&m);
  return &c->control;
}
