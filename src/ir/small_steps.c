/* small_steps.c - what an action does, in the order that ir.h says. */
#include "ir/small_steps.h"

struct small_step *making_add(struct making *m, enum small_step_kind kind) {
  struct small_step *step = ARENA_PUSH(m->arena, &m->steps);
  step->kind = kind;
  return step;
}

static bool part_may_fail(const struct ir_expr *e, const void *none) {
  (void)none;
  const bool is_element = e->kind == IR_ELEMENT;
  const bool divides = e->kind == IR_DIV || e->kind == IR_MOD;
  if (is_element || divides || e->kind == IR_SHL || e->kind == IR_SHR) {
    const struct ir_range r = ir_range(is_element ? e->a : e->b);
    const int64_t end = is_element ? (int64_t)e->variable->length : 32;
    return divides ? r.low <= 0 && r.high >= 0 : r.low < 0 || r.high >= end;
  }
  return false;
}

bool small_steps_may_fail(const struct ir_expr *e) {
  return ir_any_part(e, part_may_fail, NULL);
}

static uint32_t size_of(const struct ir_expr *e) {
  return e == NULL ? 0 : 1 + size_of(e->a) + size_of(e->b) + size_of(ir_third(e));
}

static void note_expr(struct making *m, const struct ir_expr *e) {
  m->steps.may_fail |= small_steps_may_fail(e);
  m->steps.size += size_of(e);
}

struct small_step *making_work_out(struct making *m, const struct ir_expr *value,
                                   const struct ir_type *type, uint32_t temporary) {
  struct small_step *step = making_add(m, SMALL_WORK_OUT);
  step->expr = value;
  note_expr(m, value);
  step->type = type;
  step->temporary = temporary;
  return step;
}

void making_store(struct making *m, const struct ir_expr *target, uint32_t temporary) {
  struct small_step *step = making_add(m, SMALL_STORE);
  step->expr = target;
  note_expr(m, target);
  step->temporary = temporary;
}

uint32_t making_temporaries(struct making *m, uint32_t n) {
  const uint32_t first = m->steps.n_temporaries;
  m->steps.n_temporaries += n;
  return first;
}

static void work_out_message(struct making *m, const struct ir_edge *sender, uint32_t first) {
  for (uint32_t i = 0; i < sender->n_values; i++)
    making_work_out(m, sender->value[i], sender->channel->field[i], first + i);
}

static void store_message(struct making *m, const struct ir_edge *receiver, uint32_t first,
                          uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    making_store(m, receiver->value[i], first + i);
}

static void operation(struct making *m, const struct ir_edge *edge) {
  const uint32_t first = making_temporaries(m, edge->n_values);
  const bool is_send = edge->sync == IR_SEND;
  if (is_send)
    work_out_message(m, edge, first);
  struct small_step *step = making_add(m, is_send ? SMALL_PUT : SMALL_TAKE);
  step->channel = edge->channel;
  step->temporary = first;
  step->n = edge->n_values;
  if (!is_send)
    store_message(m, edge, first, edge->n_values);
}

static void move_and_effects(struct making *m, const struct ir_move *move) {
  struct small_step *step = making_add(m, SMALL_MOVE);
  step->process = move->process;
  step->edge = move->edge;
  for (uint32_t i = 0; i < move->edge->n_effects; i++) {
    const struct ir_effect *effect = &move->edge->effect[i];
    if (effect->kind == IR_ASSIGN) {
      const uint32_t temporary = making_temporaries(m, 1);
      making_work_out(m, effect->value, NULL, temporary);
      making_store(m, effect->target, temporary);
    } else {
      m->steps.more |= effect->kind != IR_ASSERT && effect->kind != IR_PRINT;
    }
  }
}

struct small_steps small_steps_of(const struct ir_model *model,
                                  const struct ir_action *action) {
  struct making m = {.arena = model->arena};
  const struct ir_move *move = action->move;
  const struct ir_edge *edge = move->edge;
  for (uint32_t i = 0; i < action->n_moves; i++)
    note_expr(&m, move[i].edge->guard);
  if (action->n_moves == 2) {
    const struct ir_edge *other = move[1].edge;
    const uint32_t n = edge->n_values < other->n_values ? edge->n_values : other->n_values;
    const uint32_t first = making_temporaries(&m, edge->n_values);
    work_out_message(&m, edge, first);
    store_message(&m, other, first, n);
    move_and_effects(&m, &move[1]);
    move_and_effects(&m, move);
    return m.steps;
  }
  const bool buffered = edge->sync != IR_NO_SYNC;
  if (buffered && !edge->late)
    operation(&m, edge);
  move_and_effects(&m, move);
  if (buffered && edge->late)
    operation(&m, edge);
  m.steps.more |= edge->operation != NULL || edge->flags != 0;
  return m.steps;
}

uint32_t small_steps_most_temporaries(const struct small_steps *steps, uint32_t n) {
  uint32_t most = 1;
  for (uint32_t i = 0; i < n; i++)
    most = steps[i].n_temporaries > most ? steps[i].n_temporaries : most;
  return most;
}
