/* plain.c - what the moves of a model without instances read and write.
 *
 * Sets may be too large but never too small. An access by an index that is not constant takes
 * the whole array; such a write counts as a read too, because the elements it does not hit keep
 * their values.
 */
#include "ir/plain.h"

/* The element that a reference names, or all of them. */
static void add_variable(struct set *set, const struct ir_expr *e) {
  const struct ir_variable *v = e->variable;
  if (v->is_const || !v->length)
    return;
  if (e->kind == IR_VARIABLE)
    set_add_slots(set, v->first_slot, 1);
  else if (e->a->kind != IR_CONST)
    set_add_slots(set, v->first_slot, v->length);
  else if (e->a->value >= 0 && (uint32_t)e->a->value < v->length)
    set_add_slots(set, v->first_slot + (uint32_t)e->a->value, 1);
}

/* The one slot of a reference, or TS_NONE: it may be several, or none. */
static uint32_t slot_of(const struct ir_expr *e) {
  const struct ir_variable *v = e->variable;
  bool one = e->kind == IR_VARIABLE || e->a->kind == IR_CONST;
  uint32_t at = e->kind == IR_ELEMENT && one ? (uint32_t)e->a->value : 0;
  return one && !v->is_const && at < v->length ? v->first_slot + at : TS_NONE;
}

/* Adds an element by an index whose value before the step is known in each state; false: it is
 * none, and nothing is added. */
static bool pick_element(struct plain *p, const struct ir_expr *e, unsigned way,
                         const struct ir_range *range) {
  int32_t offset;
  if (p->marks == NULL || e->kind != IR_ELEMENT || e->a->kind == IR_CONST ||
      e->variable->is_const || !e->variable->length)
    return false;
  const struct ir_expr *v = marks_index_variable(e->a, &offset);
  uint32_t slot = v == NULL ? TS_NONE : slot_of(v);
  return slot != TS_NONE &&
         marks_pick(p->marks, (struct marks_index){slot, offset},
                    (struct ts_range){e->variable->first_slot, e->variable->length}, way,
                    range);
}

static void read_index(struct plain *p, const struct ir_expr *e) {
  bool tests = p->marks != NULL && marks_begin_index(p->marks, e);
  plain_expr(p, e->a);
  if (p->marks != NULL)
    marks_end_index(p->marks, tests);
}

void plain_expr(struct plain *p, const struct ir_expr *e) {
  if (!e)
    return;
  switch (e->kind) {
  case IR_VARIABLE:
    add_variable(p->reads, e);
    break;
  case IR_ELEMENT:
    if (!pick_element(p, e, TS_READ, NULL))
      add_variable(p->reads, e);
    read_index(p, e);
    return;
  case IR_AT:
    if (p->marks != NULL)
      marks_located(p->marks, e->process, e->location);
    else
      set_add_slots(p->reads, e->process->location_slot, 1);
    break;
  case IR_COUNT:
    if (p->marks == NULL)
      set_add_slots(p->reads, e->channel->count_slot, e->channel->capacity > 0);
    else if (e->channel->capacity > 0)
      marks_add(p->marks, marks_channel(p->marks, e->channel), TS_READ);
    break;
  default:
    break;
  }
  plain_expr(p, e->a);
  plain_expr(p, e->b);
  plain_expr(p, ir_third(e));
}

/* Range: of the value; NULL: any. */
static void write_target(struct plain *p, const struct ir_expr *target,
                         const struct ir_range *range) {
  bool picked = pick_element(p, target, TS_WRITE, range);
  uint32_t slot = p->marks == NULL ? TS_NONE : slot_of(target);
  if (target->kind == IR_ELEMENT) {
    plain_expr(p, target->a);
    if (target->a->kind != IR_CONST && !picked)
      add_variable(p->reads, target);
  }
  if (slot != TS_NONE)
    marks_write(p->marks, slot, 1, range);
  else if (!picked)
    add_variable(p->writes, target);
}

static void touch_effect(struct plain *p, const struct ir_effect *e) {
  plain_expr(p, e->value);
  if (p->marks == NULL) {
    write_target(p, e->target, NULL);
    return;
  }
  struct ir_range range = ir_range(e->value);
  marks_take(p->marks);
  write_target(p, e->target, marks_stored(&range, e->target->variable->type));
  marks_take(p->marks);
}

static void touch_channel(struct plain *p, const struct ir_edge *e) {
  const struct ir_channel *c = e->channel;
  for (uint32_t i = 0; i < e->n_values; i++) {
    if (e->sync == IR_SEND)
      plain_expr(p, e->value[i]);
    else
      write_target(p, e->value[i], NULL);
    if (p->marks != NULL) /* the next target may have this one in its index */
      marks_take(p->marks);
  }
  if (!c->capacity || p->marks != NULL)
    return;
  set_add_slots(p->reads, c->count_slot, 1);
  set_add_slots(p->writes, c->count_slot, 1);
  for (uint32_t f = 0; f < c->n_fields; f++) {
    const uint32_t slot = ir_channel_cell(c, 0, f).slot;
    set_add_slots(p->reads, slot, c->capacity);
    set_add_slots(p->writes, slot, c->capacity);
  }
}

/* All that happens after the guard, in this order: an index may be assigned on the way. */
static void touch_rest(struct plain *p, const struct ir_edge *e) {
  bool has_channel = e->sync != IR_NO_SYNC && !p->model->synchronous;
  if (has_channel && !e->late)
    touch_channel(p, e);
  for (uint32_t i = 0; i < e->n_effects; i++)
    touch_effect(p, &e->effect[i]);
  if (has_channel && e->late)
    touch_channel(p, e);
}

void plain_move(struct plain *p, const struct ir_move *move) {
  set_add_slots(p->reads, move->process->location_slot, 1);
  if (move->edge->from != move->edge->to)
    set_add_slots(p->writes, move->process->location_slot, 1);
  plain_expr(p, move->edge->guard);
  touch_rest(p, move->edge);
}

/* Whether anybody is at a committed location decides who may move. */
static void ask_committed(struct plain *p) {
  for (uint32_t i = 0; i < p->model->n_processes; i++) {
    const struct ir_process *other = p->model->process[i];
    for (uint32_t l = 0; !other->is_property && l < other->n_locations; l++)
      if (other->location[l].flags & IR_COMMITTED)
        marks_located(p->marks, other, l);
  }
}

/* The parts of a guard, as guards.c cuts it. */
static void touch_parts(struct plain *p, const struct ir_expr *e) {
  if (e != NULL && e->kind == IR_AND) {
    touch_parts(p, e->a);
    touch_parts(p, e->b);
    return;
  }
  marks_begin_part(p->marks);
  plain_expr(p, e);
  marks_end_part(p->marks);
}

void plain_step(struct plain *p, const struct ir_edge *e) {
  struct marks *m = p->marks;
  const struct ir_channel *c = e->channel;
  m->guard = m->early = true;
  m->left = m->known;
  touch_parts(p, e->guard);
  ask_committed(p);
  if (e->sync != IR_NO_SYNC && c->capacity > 0)
    marks_add(m, marks_channel(m, c), e->sync == IR_SEND ? TS_SEND : TS_RECEIVE);
  else if (e->sync != IR_NO_SYNC)
    marks_add(m, marks_channel(m, c), e->sync == IR_SEND ? TS_CALL : TS_ANSWER);
  marks_take(m);
  m->guard = false;
  m->early =
      e->sync == IR_NO_SYNC || c->capacity > 0; /* else the other side may do more first */
  touch_rest(p, e);
  marks_take(m);
}

/* ---- committed locations --------------------------------------------------------------- */

static bool has_committed(const struct ir_process *p) {
  for (uint32_t i = 0; !p->is_property && i < p->n_locations; i++)
    if (p->location[i].flags & IR_COMMITTED)
      return true;
  return false;
}

uint32_t plain_committed(const struct ir_model *m, uint32_t *slot) {
  uint32_t n = 0;
  for (uint32_t p = 0; !m->synchronous && p < m->n_processes; p++)
    if (has_committed(m->process[p]))
      slot[n++] = m->process[p]->location_slot;
  return n;
}
