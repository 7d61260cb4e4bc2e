/* hidden.c - whether the value of a global passes from one stored state to the next.
 *
 * A variable that the model calls hidden may be left out of the state only if that cannot
 * be noticed: no event reads a value that it has not written itself. The analysis follows
 * each process from every location where an event may begin, and on along the edges that
 * keep control, for as long as the variable still has the value of an earlier event. A read
 * on such a way means that the value is carried from state to state. The elements of an
 * array are looked at one by one.
 *
 * What is in doubt counts as carried. Only `v = v + 1` and its like are no read: nobody
 * learns the value by them, and the new one is as unknown as the old one.
 */
#include "ir/ir.h"

#define HIDDEN_MOST_ELEMENTS 1024u /* longer arrays count as carried */

struct question {
  const struct ir_model *model;
  const struct ir_variable *variable;
  int32_t element;
};

/* The expression is the element itself, whatever its value. */
static bool is_it(const struct question *q, const struct ir_expr *e) {
  if (e == NULL || e->variable != q->variable)
    return false;
  return e->kind == IR_VARIABLE ||
         (e->kind == IR_ELEMENT && e->a->kind == IR_CONST && e->a->value == q->element);
}

static bool may_be_it(const struct question *q, const struct ir_expr *e) {
  return is_it(q, e) ||
         (e->kind == IR_ELEMENT && e->variable == q->variable && e->a->kind != IR_CONST);
}

/* ---- reads ------------------------------------------------------------------------ */

static bool operation_reads(const struct question *q, const struct ir_operation *o);

static bool part_reads(const struct ir_expr *e, const void *question) {
  return may_be_it(question, e) || operation_reads(question, ir_polled(e));
}

static bool reads(const struct question *q, const struct ir_expr *e) {
  return ir_any_part(e, part_reads, q);
}

/* Of a target only the index is read. */
static bool target_reads(const struct question *q, const struct ir_expr *e) {
  return e != NULL && (reads(q, e->a) || (e->kind == IR_FOREIGN && reads(q, e->b)));
}

static bool is_target(const struct ir_expr *e) {
  return e->kind == IR_VARIABLE || e->kind == IR_ELEMENT || e->kind == IR_FOREIGN;
}

static bool operation_reads(const struct question *q, const struct ir_operation *o) {
  bool any = o != NULL && reads(q, o->channel);
  for (uint32_t i = 0; o != NULL && i < o->n_values && !any; i++)
    any = !o->is_send && is_target(o->value[i]) ? target_reads(q, o->value[i])
                                                : reads(q, o->value[i]);
  return any;
}

static bool start_reads(const struct question *q, const struct ir_process *p) {
  bool any = false;
  for (uint32_t i = 0; i < p->n_starts && !any; i++)
    any = reads(q, p->start[i].value) || target_reads(q, p->start[i].target);
  return any;
}

static bool part_may_fail(const struct ir_expr *e, const void *none) {
  (void)none;
  const bool plain = e->kind == IR_CONST || e->kind == IR_VARIABLE ||
                     (e->kind >= IR_NOT && e->kind <= IR_MUL) || e->kind == IR_ADD ||
                     e->kind == IR_SUB || (e->kind >= IR_LT && e->kind <= IR_COND);
  return !plain;
}

/* Whether the value can be computed from any operands. */
static bool never_fails(const struct ir_expr *e) {
  return !ir_any_part(e, part_may_fail, NULL);
}

static bool effect_reads(const struct question *q, const struct ir_effect *f) {
  if (f->kind == IR_ASSIGN && is_it(q, f->target) && never_fails(f->value))
    return false;
  bool any = reads(q, f->value) || target_reads(q, f->target);
  for (uint32_t i = 0; i < f->n_arguments && !any; i++)
    any = reads(q, f->argument[i]);
  return any || (f->kind == IR_RUN && start_reads(q, f->process));
}

/* ---- steps ------------------------------------------------------------------------ */

enum outcome { STALE, WRITTEN, READ };

/* What becomes of a value of an earlier event in this step. */
static enum outcome step(const struct question *q, const struct ir_edge *e) {
  if (e->sync != IR_NO_SYNC || reads(q, e->guard))
    return READ;
  bool written = false;
  if (e->operation != NULL) {
    const struct ir_operation *o = e->operation;
    if (operation_reads(q, o))
      return READ;
    for (uint32_t i = 0; i < o->n_values && !o->is_send; i++)
      written |= is_it(q, o->value[i]);
  }
  for (uint32_t i = 0; i < e->n_effects && !written; i++) {
    const struct ir_effect *f = &e->effect[i];
    if (effect_reads(q, f))
      return READ;
    written = is_it(q, f->target) && !reads(q, f->value);
  }
  return written ? WRITTEN : STALE;
}

/* Whether somebody else may move while the process, which had control, is here. */
static bool may_wait(const struct ir_model *m, const struct ir_process *p, uint32_t location) {
  if ((p->location[location].flags & IR_IN_DSTEP) != 0)
    return false;
  if (p->provided != NULL || m->uses_priority)
    return true;
  for (uint32_t i = 0; i < p->n_edges; i++) {
    const struct ir_edge *e = &p->edge[i];
    if (e->from == location && e->operation == NULL && (e->flags & IR_ENDS) == 0 &&
        (e->guard == NULL || e->guard->kind == IR_ELSE))
      return false;
  }
  return true;
}

/* A handshake takes control away from its sender. */
static bool gives_control(const struct ir_model *m, const struct ir_edge *e) {
  if ((e->flags & IR_KEEPS) == 0)
    return true;
  if (e->operation == NULL || !e->operation->is_send)
    return false;
  const struct ir_expr *c = e->operation->channel;
  return c->kind != IR_CONST || c->value < 1 || (uint32_t)c->value > m->n_channels ||
         m->channel[c->value - 1]->capacity == 0;
}

/* ---- processes -------------------------------------------------------------------- */

/* Marks where the value of an earlier event may still be there: where events begin. */
static void mark_begins(const struct ir_model *m, const struct ir_process *p, bool *stale) {
  stale[p->initial] = true;
  for (uint32_t i = 0; i < p->n_edges; i++)
    if (gives_control(m, &p->edge[i]) || may_wait(m, p, p->edge[i].to))
      stale[p->edge[i].to] = true;
}

static bool process_carries(const struct question *q, const struct ir_process *p) {
  if (reads(q, p->provided) || start_reads(q, p))
    return true;
  bool *stale = ARENA_ARRAY(q->model->arena, p->n_locations + (size_t)1, bool);
  mark_begins(q->model, p, stale);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < p->n_edges; i++) {
      const struct ir_edge *e = &p->edge[i];
      if (!stale[e->from])
        continue;
      const enum outcome o = step(q, e);
      if (o == READ)
        return true;
      changed |= o == STALE && !stale[e->to];
      stale[e->to] |= o == STALE;
    }
  }
  return false;
}

bool ir_is_read(const struct ir_expr *e, const struct ir_variable *v) {
  bool any = false;
  for (uint32_t k = 0; k < v->length && !any; k++)
    any = reads(&(struct question){NULL, v, (int32_t)k}, e);
  return any;
}

bool ir_is_carried(const struct ir_model *m, const struct ir_variable *v) {
  if (v->length > HIDDEN_MOST_ELEMENTS)
    return true;
  for (uint32_t i = 0; i < m->n_properties; i++)
    if (ir_is_read(m->property[i].condition, v))
      return true;
  for (uint32_t i = 0; i < m->atoms.n; i++)
    if (ir_is_read(m->atoms.at[i].condition, v))
      return true;
  for (uint32_t k = 0; k < v->length; k++)
    for (uint32_t i = 0; i < m->n_processes; i++)
      if (process_carries(&(struct question){m, v, (int32_t)k}, m->process[i]))
        return true;
  return false;
}
