/* step.c - what a single step does. */
#include "lang/promela/lower/lower.h"
#include "lang/promela/parse/remark.h"

#include <string.h>

static struct ir_effect *new_effect(struct promela_lower *l, struct lower_effects *list,
                                    enum ir_effect_kind kind, struct span span) {
  struct ir_effect *e = ARENA_PUSH(l->arena, list);
  e->kind = kind;
  e->span = span;
  return e;
}

static void assign(struct promela_lower *l, struct lower_effects *list, struct span span,
                   struct ir_expr *target, struct ir_expr *value) {
  struct ir_effect *e = new_effect(l, list, IR_ASSIGN, span);
  e->target = target;
  e->value = value;
}

/* ---- run ---- */

static void run(struct promela_lower *l, struct lower_effects *list,
                const struct promela_expr *e, struct ir_expr *target) {
  struct ir_effect *effect = new_effect(l, list, IR_RUN, e->span);
  struct lower_exprs arguments = {NULL, 0, 0};
  lower_arguments(l, &e->arguments, &arguments);
  effect->target = target;
  effect->process = l->frame[e->proctype->index].process;
  effect->n_arguments = arguments.n;
  effect->argument = arguments.at;
  if (l->ir.uses_priority)
    effect->value =
        e->priority != NULL ? lower_expr(l, e->priority) : lower_constant(l, 1, e->span);
}

/* ---- assignments ---- */

/* Spin takes the priority for padding where nothing follows it in the process. */
static void note_priority(struct promela_lower *l, const struct promela_stmt *stmt) {
  for (uint32_t i = 0; i < l->model->proctypes.n; i++)
    if (l->frame[i].process != NULL && l->model->proctypes.at[i]->variables.n == 0) {
      promela_remark(l->model, l->diag, stmt->span,
                     "priorities are part of the state; Spin does not store that of a process "
                     "without variables, and may miss states",
                     NULL);
      return;
    }
}

static void set_priority(struct promela_lower *l, struct lower_effects *list,
                         const struct promela_stmt *stmt, struct ir_expr *number,
                         struct ir_expr *value) {
  struct ir_effect *e = new_effect(l, list, IR_SET_PRIORITY, stmt->span);
  struct ir_expr **argument = ARENA_ARRAY(l->arena, 1, struct ir_expr *);
  argument[0] = number;
  e->argument = argument;
  e->n_arguments = 1;
  e->value = value;
  note_priority(l, stmt);
}

/* Field by field. */
static void assign_struct(struct promela_lower *l, struct lower_effects *list,
                          const struct promela_stmt *stmt) {
  struct lower_exprs to = {NULL, 0, 0}, from = {NULL, 0, 0};
  struct promela_expr *target[1] = {stmt->target}, *value[1] = {stmt->a};
  lower_arguments(l, &(struct promela_exprs){target, 1, 1}, &to);
  lower_arguments(l, &(struct promela_exprs){value, 1, 1}, &from);
  for (uint32_t i = 0; i < to.n && i < from.n; i++)
    assign(l, list, stmt->span, to.at[i], from.at[i]);
}

static void assignment(struct promela_lower *l, struct lower_effects *list,
                       const struct promela_stmt *stmt) {
  const struct promela_expr *target = stmt->target;
  if (target->kind == PROMELA_PRIORITY)
    set_priority(l, list, stmt, lower_new(l, IR_SELF, target->span), lower_expr(l, stmt->a));
  else if (target->kind == PROMELA_SCRATCH)
    (void)lower_expr(l, stmt->a);
  else if (stmt->a->kind == PROMELA_RUN)
    run(l, list, stmt->a, lower_target(l, target));
  else if (target->type.base == PROMELA_STRUCT)
    assign_struct(l, list, stmt);
  else
    assign(l, list, stmt->span, lower_target(l, target), lower_expr(l, stmt->a));
}

static void step_by_one(struct promela_lower *l, struct lower_effects *list,
                        const struct promela_stmt *stmt) {
  enum ir_expr_kind kind = stmt->kind == PROMELA_DECREMENT ? IR_SUB : IR_ADD;
  struct ir_expr *one = lower_constant(l, 1, stmt->span);
  assign(l, list, stmt->span, lower_target(l, stmt->target),
         lower_binary(l, kind, lower_expr(l, stmt->target), one));
}

/* ---- declarations on the way ---- */

/* A channel that was made with the process stays. */
static bool is_handle(const struct promela_lower *l, const struct ir_variable *v) {
  for (uint32_t i = 0; i < l->channels.n; i++)
    if (l->channels.at[i]->handle == v)
      return true;
  return false;
}

static void declare_struct(struct promela_lower *l, struct lower_effects *list,
                           const struct lower_exprs *fields, struct span span) {
  for (uint32_t i = 0; i < fields->n; i++) {
    struct ir_expr *field = fields->at[i];
    uint32_t at = field->kind == IR_ELEMENT ? (uint32_t)field->a->value : 0;
    if (!is_handle(l, field->variable))
      assign(l, list, span, field, lower_constant(l, field->variable->initial[at], span));
  }
}

/* Every element starts anew. */
static void declaration(struct promela_lower *l, struct lower_effects *list,
                        const struct promela_stmt *stmt) {
  const struct promela_variable *v = stmt->variables.at[0];
  struct lower_exprs targets = {NULL, 0, 0};
  lower_elements(l, lower_find(l, v), v->span, &targets);
  if (v->type.base == PROMELA_STRUCT) {
    declare_struct(l, list, &targets, v->span);
    return;
  }
  if (v->initial != NULL && v->initial->kind == PROMELA_RUN) {
    run(l, list, v->initial, targets.at[0]);
    return;
  }
  for (uint32_t i = 0; i < targets.n; i++) {
    const struct promela_expr *given = v->initial;
    if (v->list.n > 0)
      given = v->list.at[i < v->list.n ? i : v->list.n - 1];
    assign(l, list, v->span, targets.at[i],
           given != NULL ? lower_expr(l, given) : lower_constant(l, 0, v->span));
  }
}

/* ---- statements ---- */

static void condition(struct promela_lower *l, struct lower_effects *list,
                      const struct promela_stmt *stmt, struct ir_edge *edge) {
  if (stmt->a->kind == PROMELA_RUN) {
    run(l, list, stmt->a, NULL);
    return;
  }
  edge->guard = lower_expr(l, stmt->a);
  if (edge->guard->kind == IR_CONST && edge->guard->value != 0)
    edge->guard = NULL;
}

/* Looking into a rendezvous channel is a model error, as a poll of it is. */
static void refuse_peek(struct promela_lower *l, struct ir_edge *edge) {
  const struct ir_operation *o = edge->operation;
  const struct ir_expr *is = o->keep ? lower_is_rendezvous(l, o->channel) : NULL;
  if (is == NULL || (is->kind == IR_CONST && is->value == 0))
    return;
  edge->guard = lower_new(l, IR_POLL, o->span);
  edge->guard->operation = o;
}

static void receive(struct promela_lower *l, const struct promela_stmt *stmt,
                    struct ir_edge *edge) {
  edge->operation =
      lower_receive(l, stmt->span, stmt->a, &stmt->arguments, stmt->random, stmt->peek);
  lower_use(l, edge->operation->channel, IR_RECEIVES);
  refuse_peek(l, edge);
}

static void lower_statement(struct promela_lower *l, const struct promela_stmt *stmt,
                            struct ir_edge *edge, struct lower_effects *list) {
  switch (stmt->kind) {
  case PROMELA_EXPR:
    condition(l, list, stmt, edge);
    break;
  case PROMELA_ASSIGN:
    assignment(l, list, stmt);
    break;
  case PROMELA_INCREMENT:
  case PROMELA_DECREMENT:
    step_by_one(l, list, stmt);
    break;
  case PROMELA_ASSERT: {
    struct ir_effect *effect = new_effect(l, list, IR_ASSERT, stmt->span);
    effect->value = lower_expr(l, stmt->a);
    effect->text = stmt->text;
    break;
  }
  case PROMELA_PRINTF:
  case PROMELA_PRINTM:
    lower_print(l, stmt, new_effect(l, list, IR_PRINT, stmt->span));
    break;
  case PROMELA_SEND:
    edge->operation = lower_send(l, stmt);
    break;
  case PROMELA_RECEIVE:
    receive(l, stmt, edge);
    break;
  case PROMELA_ELSE:
    edge->guard = lower_new(l, IR_ELSE, stmt->span);
    break;
  case PROMELA_DECLARE:
    declaration(l, list, stmt);
    break;
  case PROMELA_C_CODE:
    new_effect(l, list, IR_C_CODE, stmt->span)->piece =
        lower_piece(l, stmt->text, stmt->precondition, stmt->span, false);
    break;
  case PROMELA_SET_PRIORITY:
    set_priority(l, list, stmt, lower_expr(l, stmt->a), lower_expr(l, stmt->b));
    break;
  default:
    break;
  }
}

struct span lower_called(const struct promela_stmt *stmt) {
  const struct promela_call *call = stmt->call;
  while (call != NULL && call->outer != NULL)
    call = call->outer;
  if (call == NULL)
    return (struct span){0};
  return call->span;
}

void lower_step(struct promela_lower *l, const struct flow_node *node, struct ir_edge *edge) {
  struct lower_effects list = {NULL, 0, 0};
  edge->span = node->stmt->span;
  if (node->stmt->shown != NULL) /* of the tree, which is gone before the model is */
    edge->shown = arena_text(l->arena, node->stmt->shown, strlen(node->stmt->shown));
  edge->call = node->stmt->call;
  edge->called = lower_called(node->stmt);
  if (node->kind == FLOW_END)
    edge->flags |= IR_ENDS;
  if (node->kind == FLOW_STEP)
    lower_statement(l, node->stmt, edge, &list);
  edge->effect = list.at;
  edge->n_effects = list.n;
}
