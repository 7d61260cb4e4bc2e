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
#include "ir/naming.h"

#include "base/bits.h"
#include "ts/ts.h"

#include <string.h>

/* Longer arrays are kept as they are: clearing them would take longer than it spares. */
#define DEAD_MOST_ELEMENTS 64u

/* ---- the variables of a template ------------------------------------------------------------
 */

/* Sets have a bit for each of the variables looked at. */
struct dead {
  const struct ir_model *model;
  const struct ir_process *process;
  struct arena *arena;
  const uint32_t *user;
  const bool *read;
  uint32_t *place; /* by variable of the shape: its bit + 1, or 0 */
  struct ir_variable **variable;
  uint32_t n, words;
  uint64_t *live;  /* by location: read on some way on, before it is written */
  uint64_t *dirty; /* by location: may be anything but zero */
  uint64_t *set;   /* room for one */
};

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

static void mark_dirty(const struct dead *d, uint64_t *set, const struct ir_expr *target,
                       const struct ir_expr *value) {
  if (place_of(d, target) == 0)
    return;
  if (target->kind == IR_VARIABLE && is_zero(value))
    bits_clear(set, place_of(d, target) - 1);
  else if (!is_zero(value))
    bits_set(set, place_of(d, target) - 1);
}

static void after_operation(const struct dead *d, uint64_t *set, const struct ir_edge *e) {
  const struct ir_operation *o = e->operation;
  for (uint32_t i = 0; e->sync == IR_RECEIVE && i < e->n_values; i++)
    mark_dirty(d, set, e->value[i], NULL);
  for (uint32_t i = 0; o != NULL && !o->is_send && i < o->n_values; i++)
    if (is_target(o->value[i]))
      mark_dirty(d, set, o->value[i], NULL);
}

/* What keeps the value that it began with stays a constant for those who look for some. */
static void drop_unwritten(struct dead *d) {
  const struct ir_process *p = d->process;
  uint64_t *written = ARENA_ARRAY(d->arena, BITS_WORDS(d->n), uint64_t);
  uint32_t n = 0;
  for (uint32_t k = 0; k < p->n_edges; k++) {
    after_operation(d, written, &p->edge[k]);
    for (uint32_t i = 0; i < p->edge[k].n_effects; i++)
      mark_dirty(d, written, p->edge[k].effect[i].target, NULL);
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

static void forget_variables(struct dead *d) {
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

static void before_operation(const struct dead *d, uint64_t *set, const struct ir_edge *e) {
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
    before_operation(d, set, e);
  before_effects(d, set, e);
  if (!e->late)
    before_operation(d, set, e);
  read_all(d, set, e->guard);
}

static uint64_t *at(const struct dead *d, uint64_t *sets, uint32_t location) {
  return sets + (size_t)location * d->words;
}

static bool unite(const struct dead *d, uint64_t *to, const uint64_t *from) {
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
        unite(d, d->set, at(d, d->live, e->to));
      before_edge(d, d->set, e);
      again |= unite(d, at(d, d->live, e->from), d->set);
    }
  }
}

/* ---- forwards: what may be anything but zero
 * --------------------------------------------------
 */

static void after_effects(const struct dead *d, uint64_t *set, const struct ir_edge *e) {
  for (uint32_t i = 0; i < e->n_effects; i++)
    mark_dirty(d, set, e->effect[i].target,
               e->effect[i].kind == IR_ASSIGN ? e->effect[i].value : NULL);
}

/* How far effects can clear what is dead after the edge. */
enum clearing { NEVER, PERHAPS, ALWAYS };

/* The sender of a handshake does no effects of its own (IR_SEND, of models without instances,
 * does), and within a d_step nothing is stored. */
static enum clearing clearing_of(const struct dead *d, const struct ir_edge *e) {
  const struct ir_model *m = d->model;
  if ((e->flags & IR_ENDS) || (d->process->location[e->to].flags & IR_IN_DSTEP))
    return NEVER;
  if (e->operation == NULL || !e->operation->is_send)
    return ALWAYS;
  bool all = true, any = false;
  const struct ir_expr *c = e->operation->channel;
  if (c->kind == IR_CONST && c->value >= 1 && (uint32_t)c->value <= m->n_channels)
    return m->channel[c->value - 1]->capacity == 0 ? NEVER : ALWAYS;
  for (uint32_t i = 0; i < m->n_channels; i++) {
    all &= m->channel[i]->capacity > 0;
    any |= m->channel[i]->capacity > 0;
  }
  return all ? ALWAYS : any ? PERHAPS : NEVER;
}

/* What the edge is to clear, into d->set, and what may be dirty after it, into `after`. */
static void clear_at(const struct dead *d, const struct ir_edge *e, uint64_t *after) {
  const enum clearing clearing = clearing_of(d, e);
  const uint64_t *live = at(d, d->live, e->to);
  memcpy(after, at(d, d->dirty, e->from), d->words * sizeof *after);
  if (!e->late)
    after_operation(d, after, e);
  after_effects(d, after, e);
  memset(d->set, 0, d->words * sizeof *d->set);
  if (e->late) /* what the operation reads after the effects */
    before_operation(d, d->set, e);
  for (uint32_t w = 0; w < d->words; w++) {
    d->set[w] = clearing == NEVER ? 0 : after[w] & ~live[w] & ~d->set[w];
    after[w] &= clearing == ALWAYS ? ~d->set[w] : ~UINT64_C(0);
  }
  if (e->late)
    after_operation(d, after, e);
}

static void begin_dirty(const struct dead *d, uint64_t *set) {
  const struct ir_process *p = d->process;
  for (uint32_t i = 0; i < d->n; i++) {
    const struct ir_variable *v = d->variable[i];
    for (uint32_t k = 0; v->initial != NULL && k < v->length; k++)
      if (v->initial[k] != 0)
        bits_set(set, i);
    for (uint32_t k = 0; k < p->n_parameters; k++)
      if (p->variable[k] == v)
        bits_set(set, i);
  }
  for (uint32_t i = 0; i < p->n_starts; i++)
    mark_dirty(d, set, p->start[i].target, NULL);
}

static void find_dirty(struct dead *d) {
  const struct ir_process *p = d->process;
  uint64_t *after = ARENA_ARRAY(d->arena, d->words, uint64_t);
  begin_dirty(d, at(d, d->dirty, p->initial));
  for (bool again = true; again;) {
    again = false;
    for (uint32_t k = 0; k < p->n_edges; k++) {
      clear_at(d, &p->edge[k], after);
      if (!(p->edge[k].flags & IR_ENDS))
        again |= unite(d, at(d, d->dirty, p->edge[k].to), after);
    }
  }
}

/* ---- edges ---------------------------------------------------------------------------------
 */

static uint32_t count_effects(const struct dead *d, const uint64_t *set) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->n; i++)
    n += bits_test(set, i) ? d->variable[i]->length : 0;
  return n;
}

static struct ir_expr *constant(struct arena *arena, uint32_t value, struct span span) {
  struct ir_expr *e = ARENA_NEW(arena, struct ir_expr);
  *e = (struct ir_expr){.kind = IR_CONST, .value = (int32_t)value, .span = span};
  return e;
}

/* variable = 0, or an element of it. */
static struct ir_effect cleared(struct arena *arena, struct ir_variable *v, uint32_t element,
                                struct span span) {
  struct ir_expr *target = ARENA_NEW(arena, struct ir_expr);
  *target = (struct ir_expr){.kind = IR_VARIABLE, .variable = v, .span = span};
  if (v->is_array) {
    target->kind = IR_ELEMENT;
    target->a = constant(arena, element, span);
  }
  return (struct ir_effect){
      .kind = IR_ASSIGN, .span = span, .target = target, .value = constant(arena, 0, span)};
}

/* The edge clears what is in d->set, after its other effects. */
static uint32_t add_effects(const struct dead *d, struct ir_edge *e) {
  uint32_t n = e->n_effects, more = count_effects(d, d->set);
  if (more == 0)
    return 0;
  struct ir_effect *effect = ARENA_ARRAY(d->arena, n + (size_t)more, struct ir_effect);
  if (n > 0)
    memcpy(effect, e->effect, n * sizeof *effect);
  for (uint32_t i = 0; i < d->n; i++)
    for (uint32_t k = 0; bits_test(d->set, i) && k < d->variable[i]->length; k++)
      effect[n++] = cleared(d->arena, d->variable[i], k, e->span);
  e->n_effects = n;
  e->effect = effect;
  return more;
}

/* What is dead where the process begins begins at zero. */
static void clear_initial(const struct dead *d) {
  const uint64_t *live = at(d, d->live, d->process->initial);
  for (uint32_t i = 0; i < d->n; i++)
    if (!bits_test(live, i) && d->variable[i]->initial != NULL) {
      d->variable[i]->plain_initial = d->variable[i]->initial;
      d->variable[i]->initial = NULL;
    }
}

static uint32_t clear_process(struct dead *d, struct ir_process *p) {
  size_t bytes = (size_t)p->n_locations * d->words;
  struct ir_edge *edge = ARENA_ARRAY(d->arena, p->n_edges, struct ir_edge);
  uint64_t *after = ARENA_ARRAY(d->arena, d->words, uint64_t);
  uint32_t n = 0;
  d->live = ARENA_ARRAY(d->arena, bytes, uint64_t);
  d->dirty = ARENA_ARRAY(d->arena, bytes, uint64_t);
  d->set = ARENA_ARRAY(d->arena, d->words, uint64_t);
  find_live(d);
  clear_initial(d);
  find_dirty(d);
  for (uint32_t k = 0; k < p->n_edges; k++) {
    edge[k] = p->edge[k];
    clear_at(d, &p->edge[k], after);
    n += add_effects(d, &edge[k]);
  }
  if (n > 0) {
    p->plain = p->plain == NULL ? p->edge : p->plain;
    p->edge = edge;
  }
  return n;
}

void ir_clear_dead(struct ir_model *m, const struct ts_shape *shape) {
  struct naming names;
  naming_find(&names, m, shape);
  struct dead d = {.model = m,
                   .arena = m->arena,
                   .user = names.user,
                   .read = names.read,
                   .place = ARENA_ARRAY(m->arena, shape->n_variables + (size_t)1, uint32_t)};
  for (uint32_t i = 0; i < m->n_processes; i++) {
    struct ir_process *p = m->process[i];
    d.process = p;
    d.variable =
        ARENA_ARRAY(m->arena, p->n_variables + (size_t)m->n_globals, struct ir_variable *);
    choose_variables(&d);
    if (d.n > 0)
      m->n_cleared += clear_process(&d, p);
    forget_variables(&d);
  }
}
