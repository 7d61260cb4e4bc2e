/* reason.c - why a condition does not hold in a state, in the words of the model.
 *
 * Of a conjunction only the parts that are false matter. A comparison with a constant is
 * answered by the value of its other side, any other condition by the values of the variables
 * in it.
 */
#include "ir/reason.h"

#include <stdio.h>
#include <string.h>

#define REASON_WIDTH 160u /* of the text of one condition */
#define REASON_MOST  8u   /* values that are listed */

const char *reason_text(struct arena *arena, const struct ir_expr *x) {
  return x->span.source != NULL && x->kind != IR_AT
             ? source_squeeze(arena, x->span, REASON_WIDTH)
             : ir_expr_text(arena, x);
}

/* ---- values --------------------------------------------------------------------------- */

/* NULL: none is known. */
static const struct ir_type *type_of(const struct ir_expr *x) {
  if (x->kind == IR_FOREIGN)
    x = x->b;
  return x->kind == IR_VARIABLE || x->kind == IR_ELEMENT ? x->variable->type : NULL;
}

const char *reason_value(struct arena *arena, const struct evaluation *e,
                         const struct ir_expr *x, int32_t value) {
  const struct ir_type *type = type_of(x);
  if (type != NULL && type->is_channel && value > 0) {
    const uint32_t channel = ts_channel_numbered(e->shape, value, e->state);
    if (channel != TS_NONE)
      return ts_notes(e->shape)->channel[channel].name;
  }
  if (type != NULL && type->values != NULL && value >= 0 && (uint32_t)value < type->n_values &&
      type->values[value] != NULL)
    return type->values[value];
  return arena_printf(arena, "%d", (int)value);
}

/* Each thing in an expression that has a value of its own, in the order of the text. */
struct values {
  struct arena *arena;
  const struct evaluation *e;
  const char *text;
  uint32_t n;
  const char *name[REASON_MOST];
};

static bool is_named(const struct ir_expr *x) {
  switch (x->kind) {
  case IR_VARIABLE:
    return !x->variable->is_const;
  case IR_ELEMENT:
  case IR_FOREIGN:
  case IR_AT:
  case IR_COUNT:
  case IR_SELF:
  case IR_LIVE:
  case IR_LAST:
  case IR_NUMBER:
  case IR_LOCATED:
  case IR_LENGTH:
  case IR_ROOM:
  case IR_POLL:
    return true;
  default:
    return false;
  }
}

static void add_value(struct values *v, const struct ir_expr *x) {
  const struct ir_value value = evaluate(v->e, x);
  if (!value.known || v->n == REASON_MOST)
    return;
  const char *name = reason_text(v->arena, x);
  for (uint32_t i = 0; i < v->n; i++)
    if (strcmp(v->name[i], name) == 0)
      return;
  v->name[v->n] = name;
  v->text = arena_printf(v->arena, "%s%s%s = %s", v->text, v->n > 0 ? ", " : "", name,
                         reason_value(v->arena, v->e, x, value.at));
  v->n++;
}

static void add_values(struct values *v, const struct ir_expr *x) {
  if (x == NULL)
    return;
  if (is_named(x))
    add_value(v, x);
  if (x->kind == IR_POLL || x->kind == IR_AT || x->kind == IR_COUNT)
    return;
  add_values(v, x->a);
  add_values(v, x->kind == IR_FOREIGN ? x->b->a : x->b);
  add_values(v, ir_third(x));
}

const char *reason_values(struct arena *arena, const struct evaluation *e,
                          const struct ir_expr *x) {
  struct values v = {.arena = arena, .e = e, .text = ""};
  add_values(&v, x);
  return v.text;
}

/* ---- conditions ----------------------------------------------------------------------- */

static bool is_comparison(const struct ir_expr *x) {
  return x->kind >= IR_LT && x->kind <= IR_NE;
}

static bool is_constant(const struct ir_expr *x) {
  return x->kind == IR_CONST || (x->kind == IR_VARIABLE && x->variable->is_const);
}

/* " (right = 2)": what the side that has the value is made of, unless that is all of it. */
static const char *parts(struct arena *arena, const struct evaluation *e,
                         const struct ir_expr *side) {
  struct values v = {.arena = arena, .e = e, .text = ""};
  if (is_named(side)) {
    add_values(&v, side->kind == IR_AT || side->kind == IR_COUNT ? NULL : side->a);
    if (side->kind == IR_FOREIGN)
      add_values(&v, side->b->a);
  } else {
    add_values(&v, side);
  }
  return v.n == 0 ? "" : arena_printf(arena, " (%s)", v.text);
}

static const char *compared(struct arena *arena, const struct evaluation *e,
                            const struct ir_expr *x) {
  const struct ir_expr *side = is_constant(x->b) ? x->a : x->b;
  const struct ir_value value = evaluate(e, side);
  if (!value.known)
    return reason_text(arena, x);
  return arena_printf(arena, "%s, is %s%s", reason_text(arena, x),
                      reason_value(arena, e, side, value.at), parts(arena, e, side));
}

static const char *one(struct arena *arena, const struct evaluation *e,
                       const struct ir_expr *x) {
  if (is_comparison(x) && is_constant(x->a) != is_constant(x->b))
    return compared(arena, e, x);
  if (x->kind == IR_VARIABLE || x->kind == IR_ELEMENT)
    return arena_printf(arena, "%s, is 0%s", reason_text(arena, x), parts(arena, e, x));
  if (x->kind == IR_ELSE)
    return "that no other statement here can be executed";
  if (x->kind == IR_TIMEOUT || x->kind == IR_STUCK)
    return "that no statement at all can be executed";
  const char *values = reason_values(arena, e, x);
  const bool plain = x->kind == IR_AT || x->kind == IR_LOCATED || x->kind == IR_POLL;
  if (plain || *values == '\0')
    return reason_text(arena, x);
  return arena_printf(arena, "%s, with %s", reason_text(arena, x), values);
}

const char *reason_condition(struct arena *arena, const struct evaluation *e,
                             const struct ir_expr *x) {
  if (x->kind != IR_AND)
    return one(arena, e, x);
  const struct ir_value a = evaluate(e, x->a), b = evaluate(e, x->b);
  const bool first = !a.known || a.at == 0, second = !b.known || b.at == 0;
  if (!first)
    return reason_condition(arena, e, x->b);
  if (!second || (a.known && !b.known))
    return reason_condition(arena, e, x->a);
  return arena_printf(arena, "%s; and %s", reason_condition(arena, e, x->a),
                      reason_condition(arena, e, x->b));
}

/* ---- failures ------------------------------------------------------------------------- */

const char *reason_number(struct arena *arena, const struct evaluation *e,
                          const struct ir_expr *x) {
  const struct ir_value value = evaluate(e, x);
  if (!value.known)
    return NULL;
  return arena_printf(arena, "%s is %d%s", reason_text(arena, x), (int)value.at,
                      is_constant(x) ? "" : parts(arena, e, x));
}

/* Whose number it is, which should be that of a process of another type. */
static const char *no_process(struct arena *arena, const struct evaluation *e,
                              const struct ir_expr *x) {
  if (x->a == NULL)
    return arena_printf(arena, "there is no process %s", x->process->name);
  const int32_t number = evaluate(e, x->a).at;
  const struct ir_seat *seat =
      number < 0 ? NULL : evaluate_seat(e->model, e->shape, e->state, (uint32_t)number);
  const char *values = is_constant(x->a) ? "" : parts(arena, e, x->a);
  if (is_named(x->a))
    values = arena_printf(arena, " (%s = %d)", reason_text(arena, x->a), (int)number);
  if (seat == NULL)
    return arena_printf(arena, "there is no process %d%s", (int)number, values);
  return arena_printf(arena, "process %d%s is %s", (int)number, values, seat->process->name);
}

static const char *number_of(struct arena *arena, const struct evaluation *e,
                             const struct ir_expr *x) {
  return arena_printf(arena, "%d", (int)evaluate(e, x).at);
}

const char *reason_failure(struct arena *arena, const struct evaluation *e,
                           const struct ir_expr *x) {
  const struct ir_expr *failing = evaluate_failing(e, x);
  if (failing == NULL)
    return NULL;
  if (failing->kind == IR_FOREIGN || failing->kind == IR_NUMBER)
    return no_process(arena, e, failing);
  if (failing->kind == IR_LENGTH || failing->kind == IR_ROOM)
    return reason_number(arena, e, failing->a);
  if (failing->kind == IR_ELEMENT || failing->kind == IR_CHECKED) {
    const struct ir_expr *index = failing->a;
    const char *value = number_of(arena, e, index);
    return is_constant(index)
               ? arena_printf(arena, "the index is %s", value)
               : arena_printf(arena, "the index %s is %s%s", reason_text(arena, index), value,
                              parts(arena, e, index));
  }
  if (is_constant(failing->a) && is_constant(failing->b))
    return NULL; /* the text says it */
  const char *sign = failing->kind == IR_DIV   ? "/"
                     : failing->kind == IR_MOD ? "%"
                     : failing->kind == IR_SHL ? "<<"
                                               : ">>";
  return arena_printf(arena, "%s is %s %s %s", reason_text(arena, failing),
                      number_of(arena, e, failing->a), sign, number_of(arena, e, failing->b));
}
