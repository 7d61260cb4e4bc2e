/* message.c - sends, and what can be asked about an operation. */
#include "lang/promela/lower/lower.h"

struct ir_operation *lower_send(struct promela_lower *l, const struct promela_stmt *stmt) {
  struct lower_exprs values = {NULL, 0, 0};
  lower_arguments(l, &stmt->arguments, &values);
  struct ir_operation *o = lower_operation(l, stmt->span, stmt->a, &values);
  o->is_send = true;
  o->sorted = stmt->sorted;
  lower_use(l, o->channel, IR_SENDS);
  return o;
}

static struct ir_expr *ask(struct promela_lower *l, enum ir_expr_kind kind,
                           struct ir_expr *channel) {
  struct ir_expr *e = lower_new(l, kind, channel->span);
  e->a = ARENA_NEW(l->arena, struct ir_expr); /* where it is used it is asked about as well */
  *e->a = *channel;
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
