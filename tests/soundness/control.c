/* control.c - who moves from where in a tiny system.
 *
 * Some parts are processes, whose location is their value; the others are variables. A letter
 * is a step of each process in its mask, from each value where it may be enabled; one without a
 * process is a process of its own, with one location. Two processes of one letter meet on an
 * item of their own. The value of a process is an item too, for those who read it. A letter
 * that only counts a variable up, wherever there is room, sends; one that only counts it down
 * receives: these commute where both are enabled.
 */
#include "table.h"

#include "base/bits.h"

#include <string.h>

struct making {
  const struct system *system;
  struct table_control *c;
  uint32_t processes; /* parts that are, a bitmap */
  uint32_t n_touches, n_guards, n_terms;
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

/* The same item twice in one step becomes one. */
static void add_touch(struct making *m, uint32_t item, unsigned ways, unsigned guard) {
  for (uint32_t i = m->c->first_touch[m->c->control.n_steps]; i < m->n_touches; i++)
    if (m->c->touch[i].item == item) {
      m->c->touch[i].ways |= (uint8_t)ways;
      m->c->touch[i].guard |= (uint8_t)guard;
      return;
    }
  m->c->touch[m->n_touches++] = (struct ts_touch){item, (uint8_t)ways, (uint8_t)guard, 0};
}

static void touch_variable(struct making *m, const struct system_letter *l, uint32_t part) {
  unsigned change = changes(m, l, part) ? TS_WRITE : 0;
  if (counts(m, l, part, 1))
    add_touch(m, part, TS_SEND, TS_SEND);
  else if (counts(m, l, part, -1))
    add_touch(m, part, TS_RECEIVE, TS_RECEIVE);
  else
    add_touch(m, part, TS_READ | change, TS_READ);
}

static void add_term(struct making *m, enum ts_term_kind kind, int32_t value) {
  m->c->term[m->n_terms++] = (struct ts_term){.kind = (uint8_t)kind, .value = value};
}

/* That a part has one of the values for which the letter has a map. */
static void add_guard(struct making *m, const struct system_letter *l, uint32_t part) {
  bool sends = !is_process(m, part) && counts(m, l, part, 1);
  bool receives = !is_process(m, part) && counts(m, l, part, -1);
  unsigned ways = sends      ? TS_WRITE | TS_RECEIVE
                  : receives ? TS_WRITE | TS_SEND
                             : TS_TOUCH_CHANGES;
  struct ts_guard *guard = &m->c->guard[m->n_guards];
  *guard = (struct ts_guard){m->n_terms, 0, m->n_guards, 1};
  m->c->guard_touch[m->n_guards++] = (struct ts_touch){part, (uint16_t)ways, 0, 0};
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
  guard->n_terms = m->n_terms - guard->first_term;
}

/* What a step of letter a touches; `home`: the part of its process, or none. */
static void add_touches(struct making *m, uint32_t a, uint32_t home) {
  const struct system_letter *l = &m->system->letter[a];
  for (uint32_t p = 0; p < m->system->n_parts; p++) {
    if (!(l->mask >> p & 1))
      continue;
    if (p != home)
      add_guard(m, l, p);
    if (!is_process(m, p)) {
      touch_variable(m, l, p);
    } else if (p == home) {
      if (changes(m, l, p))
        add_touch(m, p, TS_WRITE, 0);
    } else {
      uint32_t low = p < home ? p : home, high = p < home ? home : p;
      uint32_t item = SYSTEM_PARTS + (a * SYSTEM_PARTS + low) * SYSTEM_PARTS + high;
      unsigned way = home == low ? TS_CALL : TS_ANSWER;
      add_touch(m, item, way, way);
    }
  }
  if (l->fault.kind != TS_FINE && l->fault.part != home)
    add_touch(m, l->fault.part, TS_READ, 0);
}

static void add_step(struct making *m, uint32_t a, uint32_t home, uint32_t from, uint32_t to) {
  struct ts_control *c = &m->c->control;
  const struct ts_process *p = &m->c->process[c->n_processes];
  m->c->step[c->n_steps] =
      (struct ts_step){.process = c->n_processes, .from = p->first + from, .to = p->first + to};
  m->c->letter[c->n_steps] = a;
  add_touches(m, a, home);
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
          (struct ts_touch){s->bad[i].part[k], TS_READ, 0, 0};
}

const struct ts_control *table_control(struct table *t) {
  const struct system *s = t->system;
  uint64_t random = s->seed ^ 4711;
  struct table_control *c = &t->control;
  struct making m = {.system = s, .c = c};
  c->control = (struct ts_control){.n_items = TABLE_ITEMS,
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
