/* failing.c - with which values a statement failed.
 *
 * The compiled code tells only which statement it was. Where the event has several, those
 * before it are done once more here, on a copy of the state: assignments, moves of control,
 * messages, new processes (of which no more is known then than that they live). If one of them
 * does more (a sorted send, C text), nothing is known of the values after it, and nothing is
 * said.
 */
#include "ir/failing.h"

#include <string.h>

struct replay {
  struct arena *arena;
  struct evaluation e;
  uint8_t *state; /* the same as e.state */
  struct ts_place fault;
  int32_t *passed;   /* by a handshake, or NULL */
  uint32_t n_passed; /* 0: none is under way */
};

/* ---- doing ---------------------------------------------------------------------------- */

/* A value as it is kept: cut to the bits of the slot. */
static void put(struct replay *r, uint32_t slot, int32_t value) {
  const struct ts_slot *s = &r->e.shape->slot[slot];
  ts_write(r->state + s->offset, s->bytes, (uint32_t)ir_cut(value, s->bits, s->is_signed));
}

static bool assign(struct replay *r, const struct ir_expr *target, struct ir_value value) {
  const uint32_t slot = evaluate_slot(&r->e, target);
  if (slot == TS_NONE || !value.known)
    return false;
  put(r, slot, value.at);
  return true;
}

/* The message leaves the channel; those after it move up. */
static void take(struct replay *r, const struct ts_channel *c, uint32_t message, uint32_t n) {
  const struct ts_slot *slot = r->e.shape->slot;
  for (uint32_t f = 0; f < c->n_fields; f++)
    for (uint32_t i = message; i < n; i++)
      put(r, c->cells[f] + i,
          i + 1 < n ? (int32_t)ts_value(&slot[c->cells[f] + i + 1], r->state) : 0);
  put(r, c->count, (int32_t)n - 1);
}

static bool receive(struct replay *r, const struct ir_operation *o, const struct ts_channel *c,
                    uint32_t n) {
  const struct ts_slot *slot = r->e.shape->slot;
  uint32_t message = 0;
  while (message < n && !evaluate_fits(&r->e, o, c, message))
    message = o->random ? message + 1 : n;
  if (message == n)
    return false;
  for (uint32_t i = 0; i < o->n_values && i < c->n_fields; i++) {
    const struct ir_expr *x = o->value[i];
    const struct ir_value value = {(int32_t)ts_value(&slot[c->cells[i] + message], r->state),
                                   true};
    if (x->kind != IR_MATCH && x->kind != IR_CONST && x->kind != IR_DROP &&
        !assign(r, x, value))
      return false;
  }
  if (!o->keep)
    take(r, c, message, n);
  return true;
}

static bool send(struct replay *r, const struct ir_operation *o, const struct ts_channel *c,
                 uint32_t n) {
  if (o->sorted || n >= c->capacity || o->n_values != c->n_fields)
    return false;
  for (uint32_t i = 0; i < o->n_values; i++) {
    const struct ir_value value = evaluate(&r->e, o->value[i]);
    if (!value.known)
      return false;
    put(r, c->cells[i] + n, value.at);
  }
  put(r, c->count, (int32_t)n + 1);
  return true;
}

/* ---- handshakes ----------------------------------------------------------------------- */

static bool pass(struct replay *r, const struct ir_operation *o, const struct ts_channel *c) {
  if (o->n_values != c->n_fields)
    return false;
  r->passed = ARENA_ARRAY(r->arena, c->n_fields, int32_t);
  for (uint32_t i = 0; i < c->n_fields; i++) {
    const struct ir_value value = evaluate(&r->e, o->value[i]);
    if (!value.known)
      return false;
    r->passed[i] = ir_cut(value.at, c->field[i].bits, c->field[i].is_signed);
  }
  r->n_passed = c->n_fields;
  return true;
}

static bool accept(struct replay *r, const struct ir_operation *o) {
  if (o->n_values != r->n_passed)
    return false;
  for (uint32_t i = 0; i < o->n_values; i++) {
    const struct ir_expr *x = o->value[i];
    if (x->kind != IR_MATCH && x->kind != IR_CONST && x->kind != IR_DROP &&
        !assign(r, x, (struct ir_value){r->passed[i], true}))
      return false;
  }
  r->n_passed = 0;
  return true;
}

/* Does what an edge does with channels. False: what comes of it is not known. */
static bool do_operation(struct replay *r, const struct ir_edge *edge) {
  if (edge->operation == NULL)
    return edge->sync == IR_NO_SYNC;
  const uint32_t index = evaluate_channel(&r->e, edge->operation->channel);
  if (index == TS_NONE)
    return false;
  const struct ts_channel *c = &ts_notes(r->e.shape)->channel[index];
  if (c->capacity == 0)
    return edge->operation->is_send ? pass(r, edge->operation, c) : accept(r, edge->operation);
  const uint32_t n = (uint32_t)ts_value(&r->e.shape->slot[c->count], r->state);
  return edge->operation->is_send ? send(r, edge->operation, c, n)
                                  : receive(r, edge->operation, c, n);
}

/* ---- what fails ----------------------------------------------------------------------- */

/* Whether something in the span is at the place of the fault. */
static bool is_there(const struct replay *r, struct span span) {
  const struct ts_place place = ir_place(span);
  return r->fault.file == NULL ||
         (place.file != NULL && place.line == r->fault.line && place.column == r->fault.column);
}

static const char *failure(struct replay *r, const struct ir_expr *x) {
  return x == NULL ? NULL : reason_failure(r->arena, &r->e, x);
}

static const char *out_of_values(struct replay *r, const struct ir_expr *x) {
  const char *values = reason_values(r->arena, &r->e, x);
  return *values == '\0' ? NULL : values;
}

/* What is wrong with an effect; NULL: nothing that is known. */
static const char *effect_failure(struct replay *r, const struct ir_effect *effect) {
  if (effect->kind == IR_ASSERT && is_there(r, effect->span)) {
    const struct ir_value value = evaluate(&r->e, effect->value);
    if (value.known && value.at == 0)
      return out_of_values(r, effect->value);
  }
  const char *why = failure(r, effect->value);
  if (why == NULL)
    why = failure(r, effect->target);
  for (uint32_t i = 0; i < effect->n_arguments && why == NULL; i++)
    why = failure(r, effect->argument[i]);
  if (why == NULL && effect->kind == IR_SET_PRIORITY && is_there(r, effect->span))
    why = reason_number(r->arena, &r->e, effect->value);
  if (why == NULL && effect->kind == IR_RUN && r->fault.file != NULL &&
      is_there(r, effect->span))
    why = arena_printf(r->arena, "there are %u processes", evaluate_live(&r->e));
  return why;
}

/* A channel that is given by a number, which is none of a channel. */
static const char *no_channel(struct replay *r, const struct ir_operation *o) {
  if (o->channel == NULL || evaluate_channel(&r->e, o->channel) != TS_NONE)
    return NULL;
  const char *why = failure(r, o->channel);
  return why != NULL ? why : reason_number(r->arena, &r->e, o->channel);
}

/* Its number is the next one, for the youngest process ends first. */
static bool begin_process(struct replay *r, const struct ir_expr *target) {
  const struct ir_value number = {(int32_t)evaluate_live(&r->e), true};
  r->e.born++;
  return target == NULL || assign(r, target, number);
}

/* Does an effect. False: its result is not known. */
static bool do_effect(struct replay *r, const struct ir_effect *effect) {
  if (effect->kind == IR_RUN)
    return begin_process(r, effect->target);
  if (effect->kind == IR_ASSIGN)
    return assign(r, effect->target, evaluate(&r->e, effect->value));
  return effect->kind == IR_ASSERT || effect->kind == IR_PRINT;
}

/* What in an edge fails; otherwise it is done, as far as that is known (*goes_on). */
static const char *edge_failure(struct replay *r, const struct ir_edge *edge, bool *goes_on) {
  const char *why = failure(r, edge->guard);
  const struct ir_operation *o = edge->operation;
  if (why == NULL && o != NULL)
    why = no_channel(r, o);
  for (uint32_t i = 0; o != NULL && i < o->n_values && why == NULL; i++)
    why = failure(r, o->value[i]->kind == IR_MATCH ? o->value[i]->a : o->value[i]);
  for (uint32_t i = 0; i < edge->n_values && why == NULL; i++)
    why = failure(r, edge->value[i]);
  *goes_on = why == NULL && !(edge->flags & IR_ENDS) && do_operation(r, edge);
  for (uint32_t i = 0; i < edge->n_effects && why == NULL; i++) {
    why = effect_failure(r, &edge->effect[i]);
    if (why == NULL && !do_effect(r, &edge->effect[i])) {
      *goes_on = false;
      return NULL;
    }
  }
  return why;
}

/* The process is where the edge leads. */
static void move(struct replay *r, const struct ir_move *move) {
  const struct ir_process *p = move->process;
  const uint32_t shift = r->e.seat == NULL ? 0 : r->e.seat->first_slot - p->frame_slot;
  put(r, p->location_slot + shift, (int32_t)move->edge->to);
}

const char *failing_values(const struct ts_explain *explain, const uint8_t *before,
                           const struct ts_event_part *part, struct arena *arena) {
  const struct explained *x = explain->model;
  const struct ts_shape *shape = explain->shape;
  uint8_t *state = arena_alloc(arena, ts_stride(shape) + 8u);
  memcpy(state, before, ts_stride(shape));
  struct replay r = {.arena = arena,
                     .e = {.model = x->model, .shape = shape, .state = state},
                     .state = state,
                     .fault = part->place};
  for (uint32_t i = 0; i < part->n; i++) {
    const struct ir_action *action = &x->actions->at[part->action[i]];
    for (uint32_t k = 0; k < action->n_moves; k++) {
      const struct ir_move *m = &action->move[k];
      bool goes_on;
      r.e.self = m->number;
      r.e.seat =
          x->model->has_instances ? evaluate_seat(x->model, shape, state, m->number) : NULL;
      if (x->model->has_instances && (r.e.seat == NULL || r.e.seat->process != m->process))
        return NULL;
      move(&r, m);
      const char *why = edge_failure(&r, m->edge, &goes_on);
      if (why != NULL || !goes_on)
        return why;
    }
  }
  return NULL;
}
