/* lower_message.c - channel operations. */
#include "lang/promela/lower.h"

static struct ir_operation *new_operation(struct promela_lower *l, struct span span,
                                          const struct promela_expr *channel,
                                          const struct lower_exprs *values) {
  struct ir_operation *o = ARENA_NEW(l->arena, struct ir_operation);
  o->span = span;
  o->channel = lower_expr(l, channel);
  o->n_values = values->n;
  o->value = values->at;
  return o;
}

struct ir_operation *lower_send(struct promela_lower *l, const struct promela_stmt *stmt) {
  struct lower_exprs values = {NULL, 0, 0};
  lower_arguments(l, &stmt->arguments, &values);
  struct ir_operation *o = new_operation(l, stmt->span, stmt->a, &values);
  o->is_send = true;
  o->sorted = stmt->sorted;
  return o;
}

/* What must match, and what takes the value. */
static void lower_pattern(struct promela_lower *l, const struct promela_expr *e,
                          struct lower_exprs *values) {
  struct promela_expr *one[1];
  struct promela_exprs single = {one, 1, 1};
  struct ir_expr *match;
  switch (e->kind) {
  case PROMELA_CONST:
    *ARENA_PUSH(l->arena, values) = lower_constant(l, e->value, e->span);
    return;
  case PROMELA_SCRATCH:
    *ARENA_PUSH(l->arena, values) = lower_new(l, IR_DROP, e->span);
    return;
  case PROMELA_VARIABLE:
  case PROMELA_FIELD:
    if (e->type.base != PROMELA_STRUCT) {
      *ARENA_PUSH(l->arena, values) = lower_target(l, e);
      return;
    }
    *one = ARENA_NEW(l->arena, struct promela_expr);
    **one = *e;
    lower_arguments(l, &single, values);
    return;
  default:
    match = lower_new(l, IR_MATCH, e->span);
    match->a = lower_expr(l, e);
    *ARENA_PUSH(l->arena, values) = match->a->kind == IR_CONST ? match->a : match;
  }
}

struct ir_operation *lower_receive(struct promela_lower *l, struct span span,
                                   const struct promela_expr *channel,
                                   const struct promela_exprs *arguments, bool random,
                                   bool keep) {
  struct lower_exprs values = {NULL, 0, 0};
  for (uint32_t i = 0; i < arguments->n; i++)
    lower_pattern(l, arguments->at[i], &values);
  struct ir_operation *o = new_operation(l, span, channel, &values);
  o->random = random;
  o->keep = keep;
  return o;
}

static struct ir_expr *ask(struct promela_lower *l, enum ir_expr_kind kind,
                           struct ir_expr *channel) {
  struct ir_expr *e = lower_new(l, kind, channel->span);
  e->a = channel;
  return e;
}

struct ir_expr *lower_is_rendezvous(struct promela_lower *l, struct ir_expr *a) {
  if (!l->has_rendezvous)
    return lower_constant(l, 0, a->span);
  if (a->kind == IR_CONST) {
    bool known = a->value >= 1 && (uint32_t)a->value <= l->channels.n;
    bool is = known && l->channels.at[a->value - 1]->capacity == 0;
    return lower_constant(l, is, a->span);
  }
  struct ir_expr *zero = lower_constant(l, 0, a->span);
  return lower_binary(l, IR_AND, lower_binary(l, IR_EQ, ask(l, IR_LENGTH, a), zero),
                      lower_binary(l, IR_EQ, ask(l, IR_ROOM, a), zero));
}

struct ir_expr *lower_possible(struct promela_lower *l, const struct ir_edge *own) {
  if (own->operation == NULL || (own->operation->is_send && l->ir.lossy))
    return own->guard;
  struct ir_expr *can;
  if (own->operation->is_send) {
    can = lower_binary(l, IR_GT, ask(l, IR_ROOM, own->operation->channel),
                       lower_constant(l, 0, own->span));
  } else {
    can = lower_new(l, IR_POLL, own->span);
    can->operation = own->operation;
  }
  return own->guard == NULL ? can : lower_binary(l, IR_AND, own->guard, can);
}
