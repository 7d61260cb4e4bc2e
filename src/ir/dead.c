/* dead.c - dead variables: what is written before it is read again is zero in stored states.
 *
 * A variable of a process is *dead* at a location of its control if on no way on from there it
 * is read before it is written. Its value makes no difference then, and states that differ in
 * it alone are one state if it is zero (Holzmann, "The Spin Model Checker", 2003, chapter 9;
 * Bozga, Fernandez and Ghirvu, "State space reduction based on live variables analysis", SAS
 * 1999, who give the argument: equal but for dead variables is a bisimulation). So the edges
 * that lead to a location get effects that set to zero what is dead there and may be anything
 * else: a second analysis, forwards, knows what may.
 *
 * The data flow is that of compilers (Aho, Sethi and Ullman, "Compilers", section 10.6), one
 * bit per variable and location of a template. Arrays count as a whole, and writing an element
 * is no reason to forget the others. Only variables that nobody else names are looked at,
 * neither other processes nor properties, claims or measures: those of the process itself, and
 * globals that are named by one process only, which lives once. docs/dead-variables.md has it
 * construct by construct.
 */
#include "ir/dead.h"

#include "base/bits.h"
#include "ts/facts.h"

#include <string.h>

/* Longer arrays are kept as they are: clearing them would take longer than it spares. */
#define DEAD_MOST_ELEMENTS 64u

/* ---- the variables of a template ------------------------------------------------------------
 */

static bool is_run(const struct ir_model *m, const struct ir_process *p) {
  for (uint32_t i = 0; i < m->n_processes; i++)
    for (uint32_t k = 0; k < m->process[i]->n_edges; k++)
      for (uint32_t j = 0; j < m->process[i]->edge[k].n_effects; j++)
        if (m->process[i]->edge[k].effect[j].process == p)
          return true;
  return false;
}

/* There is one instance, which no other one follows. */
static bool lives_once(const struct ir_model *m, const struct ir_process *p) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->n_active; i++)
    n += m->active[i] == p;
  return !m->has_instances || (n == 1 && !is_run(m, p));
}

static void add_variable(struct dead *d, struct ir_variable *v) {
  if (!naming_has(d->model, v) || v->is_hidden || v->length > DEAD_MOST_ELEMENTS ||
      (d->user[v->variable] != d->process->index + 1 && d->read[v->variable]))
    return;
  d->variable[d->n++] = v;
  d->place[v->variable] = d->n;
}

/* The bit + 1 of what is read or written; 0: it is none of these variables. */
static uint32_t place_of(const struct dead *d, const struct ir_expr *e) {
  bool is_one = e != NULL && (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT);
  return is_one && naming_has(d->model, e->variable) ? d->place[e->variable->variable] : 0;
}

static bool is_target(const struct ir_expr *e) {
  return e->kind == IR_VARIABLE || e->kind == IR_ELEMENT || e->kind == IR_FOREIGN;
}

static bool is_zero(const struct ir_expr *e) {
  return e != NULL && e->kind == IR_CONST && e->value == 0;
}

void dead_mark_dirty(const struct dead *d, uint64_t *set, const struct ir_expr *target,
                     const struct ir_expr *value) {
  if (place_of(d, target) == 0)
    return;
  if (target->kind == IR_VARIABLE && is_zero(value))
    bits_clear(set, place_of(d, target) - 1);
  else if (!is_zero(value))
    bits_set(set, place_of(d, target) - 1);
}

void dead_after_operation(const struct dead *d, uint64_t *set, const struct ir_edge *e) {
  const struct ir_operation *o = e->operation;
  for (uint32_t i = 0; e->sync == IR_RECEIVE && i < e->n_values; i++)
    dead_mark_dirty(d, set, e->value[i], NULL);
  for (uint32_t i = 0; o != NULL && !o->is_send && i < o->n_values; i++)
    if (is_target(o->value[i]))
      dead_mark_dirty(d, set, o->value[i], NULL);
}

/* What keeps the value that it began with stays a constant for those who look for some. */
static void drop_unwritten(struct dead *d) {
  const struct ir_process *p = d->process;
  uint64_t *written = ARENA_ARRAY(d->arena, BITS_WORDS(d->n), uint64_t);
  uint32_t n = 0;
  for (uint32_t k = 0; k < p->n_edges; k++) {
    dead_after_operation(d, written, &p->edge[k]);
    for (uint32_t i = 0; i < p->edge[k].n_effects; i++)
      dead_mark_dirty(d, written, p->edge[k].effect[i].target, NULL);
  }
  for (uint32_t i = 0; i < d->n; i++) {
    d->place[d->variable[i]->variable] = 0;
    if (bits_test(written, i))
      d->variable[n++] = d->variable[i];
  }
  for (d->n = 0; d->n < n; d->n++)
    d->place[d->variable[d->n]->variable] = d->n + 1;
}

static void choose_variables(struct dead *d) {
  const struct ir_model *m = d->model;
  const struct ir_process *p = d->process;
  d->n = 0;
  for (uint32_t i = 0; i < p->n_variables; i++)
    add_variable(d, p->variable[i]);
  bool once = lives_once(m, p);
  for (uint32_t i = 0; i < m->n_globals; i++)
    if (once || !d->read[m->global[i]->variable])
      add_variable(d, m->global[i]);
  drop_unwritten(d);
  d->words = BITS_WORDS(d->n);
}

void dead_end(struct dead *d) {
  for (uint32_t i = 0; i < d->n; i++)
    d->place[d->variable[i]->variable] = 0;
}

/* ---- backwards: what is live
 * ------------------------------------------------------------------
 */

static void read_operation(const struct dead *d, uint64_t *set, const struct ir_operation *o);

static void read_all(const struct dead *d, uint64_t *set, const struct ir_expr *e) {
  if (e == NULL)
    return;
  if (place_of(d, e) > 0)
    bits_set(set, place_of(d, e) - 1);
  if (ir_polled(e) != NULL)
    read_operation(d, set, ir_polled(e));
  read_all(d, set, e->a);
  read_all(d, set, e->b);
  read_all(d, set, ir_third(e));
}

/* Of a target only indices are read. */
static void read_target(const struct dead *d, uint64_t *set, const struct ir_expr *e) {
  if (e == NULL)
    return;
  read_all(d, set, e->a);
  if (e->kind == IR_FOREIGN)
    read_all(d, set, e->b->a);
}

/* What is polled is read, targets included, which is more than need be. */
static void read_operation(const struct dead *d, uint64_t *set, const struct ir_operation *o) {
  read_all(d, set, o->channel);
  for (uint32_t i = 0; i < o->n_values; i++)
    read_all(d, set, o->value[i]);
}

/* A scalar is written as a whole. */
static void write_target(const struct dead *d, uint64_t *set, const struct ir_expr *e) {
  if (e != NULL && e->kind == IR_VARIABLE && place_of(d, e) > 0)
    bits_clear(set, place_of(d, e) - 1);
}

/* Values that are sent, or targets and what is to match, before the operation from those after
 * it. */
static void before_values(const struct dead *d, uint64_t *set, bool is_send,
                          struct ir_expr *const *value, uint32_t n) {
  for (uint32_t i = 0; i < n && !is_send; i++)
    write_target(d, set, value[i]);
  for (uint32_t i = 0; i < n; i++)
    if (!is_send && is_target(value[i]))
      read_target(d, set, value[i]);
    else
      read_all(d, set, value[i]);
}

void dead_before_operation(const struct dead *d, uint64_t *set, const struct ir_edge *e) {
  const struct ir_operation *o = e->operation;
  if (e->sync != IR_NO_SYNC)
    before_values(d, set, e->sync == IR_SEND, e->value, e->n_values);
  if (o == NULL)
    return;
  before_values(d, set, o->is_send, o->value, o->n_values);
  read_all(d, set, o->channel);
}

static void before_effects(const struct dead *d, uint64_t *set, const struct ir_edge *e) {
  for (uint32_t i = e->n_effects; i-- > 0;) {
    const struct ir_effect *f = &e->effect[i];
    write_target(d, set, f->target);
    read_target(d, set, f->target);
    read_all(d, set, f->value);
    for (uint32_t k = 0; k < f->n_arguments; k++)
      read_all(d, set, f->argument[k]);
  }
}

/* From what is live after the edge to what is live before it. */
static void before_edge(const struct dead *d, uint64_t *set, const struct ir_edge *e) {
  if (e->late)
    dead_before_operation(d, set, e);
  before_effects(d, set, e);
  if (!e->late)
    dead_before_operation(d, set, e);
  read_all(d, set, e->guard);
}

bool dead_unite(const struct dead *d, uint64_t *to, const uint64_t *from) {
  bool more = false;
  for (uint32_t w = 0; w < d->words; w++) {
    more |= (from[w] & ~to[w]) != 0;
    to[w] |= from[w];
  }
  return more;
}

static void find_live(struct dead *d) {
  const struct ir_process *p = d->process;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t k = p->n_edges; k-- > 0;) {
      const struct ir_edge *e = &p->edge[k];
      memset(d->set, 0, d->words * sizeof *d->set);
      if (!(e->flags & IR_ENDS))
        dead_unite(d, d->set, dead_at(d, d->live, e->to));
      before_edge(d, d->set, e);
      again |= dead_unite(d, dead_at(d, d->live, e->from), d->set);
    }
  }
}

void dead_open(struct dead *d, const struct ir_model *m, const struct ts_shape *shape) {
  struct naming names;
  naming_find(&names, m, shape);
  *d = (struct dead){.model = m,
                     .arena = m->arena,
                     .user = names.user,
                     .read = names.read,
                     .place = ARENA_ARRAY(m->arena, shape->n_variables + (size_t)1, uint32_t)};
}

/* The variables of a template; false: there are none to look at. */
bool dead_begin(struct dead *d, const struct ir_process *p) {
  const struct ir_model *m = d->model;
  d->process = p;
  d->variable =
      ARENA_ARRAY(d->arena, p->n_variables + (size_t)m->n_globals, struct ir_variable *);
  choose_variables(d);
  if (d->n == 0)
    return false;
  size_t words = (size_t)p->n_locations * d->words;
  d->live = ARENA_ARRAY(d->arena, words, uint64_t);
  d->dirty = ARENA_ARRAY(d->arena, words, uint64_t);
  d->set = ARENA_ARRAY(d->arena, d->words, uint64_t);
  find_live(d);
  return true;
}

/* ---- facts for a test ---------------------------------------------------------------------
 */

struct unreads {
  struct ts_unread *at;
  uint32_t n, capacity;
};

/* What is dead at each location of a process whose own slots are `shift` after those of its
 * variables. */
static void add_unreads(const struct dead *d, struct ts_at at_process, uint32_t shift,
                        struct unreads *list) {
  const struct ir_process *p = d->process;
  for (uint32_t l = 0; l < p->n_locations; l++) {
    struct ts_range *slots = ARENA_ARRAY(d->arena, d->n, struct ts_range);
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->n && !(p->location[l].flags & IR_IN_DSTEP); i++)
      if (!bits_test(dead_at(d, d->live, l), i))
        slots[n++] =
            (struct ts_range){d->variable[i]->first_slot + (d->variable[i]->owner ? shift : 0),
                              d->variable[i]->length};
    at_process.location = l;
    if (n > 0)
      *ARENA_PUSH(d->arena, list) = (struct ts_unread){at_process, slots, n};
  }
}

/* Globals that only it names are dead when it has ended. */
static void add_ended(const struct dead *d, struct ts_at process, struct unreads *list) {
  struct ts_range *slots = ARENA_ARRAY(d->arena, d->n, struct ts_range);
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->n; i++) {
    const struct ir_variable *v = d->variable[i];
    if (v->owner == NULL && (d->process->n_seats == 1 || !d->read[v->variable]))
      slots[n++] = (struct ts_range){v->first_slot, v->length};
  }
  process.gone = true;
  if (n > 0)
    *ARENA_PUSH(d->arena, list) = (struct ts_unread){process, slots, n};
}

/* The same for each place where the template may be. */
static void add_seats(const struct dead *d, struct unreads *list) {
  const struct ir_model *m = d->model;
  const struct ir_process *p = d->process;
  for (uint32_t i = 0; i < m->n_slots; i++)
    for (uint32_t k = 0; k < m->slot[i].n_seats; k++) {
      const struct ir_seat *seat = &m->slot[i].seat[k];
      if (seat->process != p)
        continue;
      uint32_t shift = seat->first_slot - p->frame_slot;
      const struct ts_at process = {.location_slot = p->location_slot + shift,
                                    .live_slot = m->live_varies ? m->live_slot : TS_NONE,
                                    .number = i,
                                    .tag_slot = m->slot[i].tag_slot,
                                    .tag = p->index + 1};
      add_unreads(d, process, shift, list);
      add_ended(d, process, list);
    }
}

void ir_dead_facts(struct ir_model *m, struct ts_shape *shape) {
  struct dead d;
  struct unreads list = {0};
  struct ts_facts *facts = ARENA_NEW(m->arena, struct ts_facts);
  dead_open(&d, m, shape);
  for (uint32_t i = 0; i < m->n_processes; i++) {
    if (dead_begin(&d, m->process[i]) && m->has_instances)
      add_seats(&d, &list);
    else if (d.n > 0)
      add_unreads(&d,
                  (struct ts_at){.location_slot = m->process[i]->location_slot,
                                 .live_slot = TS_NONE,
                                 .tag_slot = TS_NONE},
                  0, &list);
    dead_end(&d);
  }
  if (shape->facts != NULL)
    *facts = *shape->facts;
  facts->unread = list.at;
  facts->n_unread = list.n;
  shape->facts = facts;
}
