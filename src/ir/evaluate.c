/* evaluate.c - expressions of the model evaluated in a state, as types.h defines them. */
#include "ir/evaluate.h"

#include "ir/value.h"

/* ---- processes ------------------------------------------------------------------------ */

const struct ir_seat *evaluate_seat(const struct ir_model *m, const struct ts_shape *shape,
                                    const uint8_t *state, uint32_t number) {
  const uint32_t live =
      m->live_varies ? (uint32_t)ts_value(&shape->slot[m->live_slot], state) : m->n_active;
  if (number >= live || number >= m->n_slots)
    return NULL;
  const struct ir_slot *slot = &m->slot[number];
  if (slot->tag_slot == TS_NONE)
    return slot->n_seats > 0 ? &slot->seat[0] : NULL;
  const int64_t tag = ts_value(&shape->slot[slot->tag_slot], state);
  for (uint32_t i = 0; i < slot->n_seats; i++)
    if ((int64_t)slot->seat[i].process->index + 1 == tag)
      return &slot->seat[i];
  return NULL;
}

uint32_t evaluate_live(const struct evaluation *e) {
  const struct ir_model *m = e->model;
  const uint32_t before = m->live_varies
                              ? (uint32_t)ts_value(&e->shape->slot[m->live_slot], e->state)
                              : m->n_active;
  return before + e->born;
}

/* How far the slots of a seat are from those that the template's fields name. */
static uint32_t further(const struct ir_seat *seat) {
  return seat == NULL ? 0 : seat->first_slot - seat->process->frame_slot;
}

uint32_t evaluate_location(const struct evaluation *e, const struct ir_process *p,
                           const struct ir_seat *seat) {
  return (uint32_t)ts_value(&e->shape->slot[p->location_slot + further(seat)], e->state);
}

/* The process that a FOREIGN, NUMBER or LOCATED is about: a live instance of the template, and
 * its number. */
static const struct ir_seat *other_seat(const struct evaluation *e, const struct ir_expr *x,
                                        uint32_t *number) {
  uint32_t from = 0, to = e->model->n_slots;
  if (x->a != NULL) {
    const struct ir_value given = evaluate(e, x->a);
    if (!given.known || given.at < 0 || (uint32_t)given.at >= to)
      return NULL;
    from = (uint32_t)given.at;
    to = from + 1;
  }
  for (*number = from; *number < to; (*number)++) {
    const struct ir_seat *seat = evaluate_seat(e->model, e->shape, e->state, *number);
    if (seat != NULL && seat->process == x->process)
      return seat;
  }
  return NULL;
}

/* ---- variables ------------------------------------------------------------------------ */

static uint32_t slot_of(const struct evaluation *e, const struct ir_expr *x,
                        const struct ir_seat *seat) {
  const struct ir_variable *v = x->variable;
  if (v->is_const || v->length == 0)
    return TS_NONE;
  uint32_t slot = v->first_slot;
  if (v->owner != NULL && e->model->has_instances) {
    if (seat == NULL || seat->process != v->owner)
      return TS_NONE;
    slot += further(seat);
  }
  if (x->kind == IR_VARIABLE)
    return slot;
  const struct ir_value index = evaluate(e, x->a);
  if (!index.known || index.at < 0 || (uint32_t)index.at >= v->length)
    return TS_NONE;
  return slot + (uint32_t)index.at;
}

uint32_t evaluate_slot(const struct evaluation *e, const struct ir_expr *x) {
  if (x->kind == IR_VARIABLE || x->kind == IR_ELEMENT)
    return slot_of(e, x, e->seat);
  if (x->kind != IR_FOREIGN)
    return TS_NONE;
  uint32_t number;
  const struct ir_seat *seat = other_seat(e, x, &number);
  return seat == NULL ? TS_NONE : slot_of(e, x->b, seat);
}

static struct ir_value at_slot(const struct evaluation *e, uint32_t slot) {
  return slot == TS_NONE ? ir_unknown
                         : value_known((int32_t)ts_value(&e->shape->slot[slot], e->state));
}

/* ---- channels ------------------------------------------------------------------------- */

uint32_t evaluate_channel(const struct evaluation *e, const struct ir_expr *number) {
  const struct ir_value value = evaluate(e, number);
  return value.known && value.at > 0 ? ts_channel_numbered(e->shape, value.at, e->state)
                                     : TS_NONE;
}

static struct ir_value messages(const struct evaluation *e, const struct ir_expr *x) {
  const uint32_t index = evaluate_channel(e, x->a);
  if (index == TS_NONE)
    return ir_unknown;
  const struct ts_channel *c = &ts_notes(e->shape)->channel[index];
  if (c->capacity == 0)
    return value_known(0);
  const int32_t n = (int32_t)ts_value(&e->shape->slot[c->count], e->state);
  return value_known(x->kind == IR_ROOM ? (int32_t)c->capacity - n : n);
}

bool evaluate_fits(const struct evaluation *e, const struct ir_operation *o,
                   const struct ts_channel *c, uint32_t message) {
  for (uint32_t i = 0; i < o->n_values && i < c->n_fields; i++) {
    const struct ir_expr *x = o->value[i];
    if (x->kind != IR_MATCH && x->kind != IR_CONST)
      continue;
    const struct ir_value want = evaluate(e, x->kind == IR_MATCH ? x->a : x);
    if (!want.known || want.at != ts_value(&e->shape->slot[c->cells[i] + message], e->state))
      return false;
  }
  return true;
}

static struct ir_value polled(const struct evaluation *e, const struct ir_operation *o) {
  const uint32_t index = evaluate_channel(e, o->channel);
  if (index == TS_NONE)
    return ir_unknown;
  const struct ts_channel *c = &ts_notes(e->shape)->channel[index];
  if (c->capacity == 0)
    return value_known(0);
  const uint32_t n = (uint32_t)ts_value(&e->shape->slot[c->count], e->state);
  for (uint32_t i = 0; i < n && (i == 0 || o->random); i++)
    if (evaluate_fits(e, o, c, i))
      return value_known(1);
  return value_known(0);
}

/* ---- all ------------------------------------------------------------------------------ */

static struct ir_value leaf(const void *context, const struct ir_expr *x) {
  const struct evaluation *e = context;
  const struct ir_seat *seat;
  uint32_t number;
  switch (x->kind) {
  case IR_VARIABLE:
  case IR_ELEMENT:
  case IR_FOREIGN:
    return at_slot(e, evaluate_slot(e, x));
  case IR_AT:
    return value_known(evaluate_location(e, x->process, NULL) == x->location);
  case IR_COUNT:
    return at_slot(e, x->channel->capacity > 0 ? x->channel->count_slot : TS_NONE);
  case IR_SELF:
    return value_known((int32_t)e->self);
  case IR_LIVE:
    return value_known((int32_t)evaluate_live(e));
  case IR_LAST:
    return at_slot(e, e->model->last_slot);
  case IR_NUMBER:
    return other_seat(e, x, &number) == NULL ? ir_unknown : value_known((int32_t)number);
  case IR_LOCATED:
    seat = other_seat(e, x, &number);
    if (seat == NULL && e->born > 0)
      return ir_unknown;
    return value_known(seat != NULL && evaluate_location(e, x->process, seat) == x->location);
  case IR_LENGTH:
  case IR_ROOM:
    return messages(e, x);
  case IR_POLL:
    return polled(e, x->operation);
  default:
    return ir_unknown;
  }
}

struct ir_value evaluate(const struct evaluation *e, const struct ir_expr *x) {
  return value_of(x, leaf, e);
}

/* ---- what fails ----------------------------------------------------------------------- */

/* Whether the operands have values, but the operator has none for them. */
static bool fails_itself(const struct evaluation *e, const struct ir_expr *x) {
  uint32_t number;
  if (x->kind == IR_FOREIGN || x->kind == IR_NUMBER)
    return e->born == 0 && other_seat(e, x, &number) == NULL &&
           (x->a == NULL || evaluate(e, x->a).known);
  if (x->kind == IR_LENGTH || x->kind == IR_ROOM)
    return evaluate_channel(e, x->a) == TS_NONE && evaluate(e, x->a).known;
  if (x->kind != IR_ELEMENT && x->kind != IR_CHECKED && x->kind != IR_DIV &&
      x->kind != IR_MOD && x->kind != IR_SHL && x->kind != IR_SHR)
    return false;
  const bool is_binary = x->kind != IR_ELEMENT && x->kind != IR_CHECKED;
  const struct ir_value a = evaluate(e, x->a);
  if (is_binary) {
    const struct ir_value b = evaluate(e, x->b);
    int32_t value;
    return a.known && b.known && !ir_fold(x->kind, a.at, b.at, &value);
  }
  const int64_t length = x->kind == IR_ELEMENT ? (int64_t)x->variable->length : x->value;
  return a.known && (a.at < 0 || a.at >= length);
}

const struct ir_expr *evaluate_failing(const struct evaluation *e, const struct ir_expr *x) {
  if (x == NULL || x->kind == IR_POLL)
    return NULL;
  const struct ir_expr *inside = evaluate_failing(e, x->a);
  if (inside != NULL)
    return inside;
  const struct ir_value a = x->a == NULL ? ir_unknown : evaluate(e, x->a);
  if (x->kind == IR_COND)
    return a.known ? evaluate_failing(e, a.at ? x->b : ir_third(x)) : NULL;
  const bool decided =
      a.known && ((x->kind == IR_AND && a.at == 0) || (x->kind == IR_OR && a.at != 0) ||
                  (x->kind == IR_IMPLY && a.at == 0));
  if (!decided)
    inside = evaluate_failing(e, x->b);
  if (inside != NULL)
    return inside;
  return fails_itself(e, x) ? x : NULL;
}
