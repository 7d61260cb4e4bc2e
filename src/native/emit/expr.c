/* expr.c - expressions of the model as expressions of C.
 *
 * Values are int32_t. Arithmetic that may leave 32 bits by its types' ranges is
 * done unsigned, because overflow must wrap; all other is printed plainly. What
 * the ranges decide becomes a constant. Checks that can fail become statements in front of the
 * expression, in the order of evaluation; where the right side of a lazy operator has any, they
 * are inside an `if` on the left side. An expression that grows deep goes into a temporary,
 * so that no compiler has to nest hundreds of brackets. The kinds that only models with
 * instances have are printed by `special`, which comes back here for their operands.
 */
#include "native/emit/emit.h"

#include <stdio.h>
#include <string.h>

#define HEIGHT_MOST 24 /* operators above each other in one C expression */

static uint32_t lower(struct emit *, const struct emit_context *, const struct ir_expr *,
                      bool bare);
static uint32_t lower_truth(struct emit *, const struct emit_context *, const struct ir_expr *,
                            bool bare);

static void put(struct emit *e, const char *text) {
  text_puts(&e->expr, text);
}

static void put_number(struct emit *e, int32_t value) {
  if (value == INT32_MIN)
    put(e, "(-2147483647 - 1)");
  else
    text_printf(&e->expr, value < 0 ? "(%d)" : "%d", (int)value);
}

/* ---- checks -------------------------------------------------------------------------- */

void emit_spill_operand(struct emit *e, const struct emit_context *in, const struct ir_expr *x,
                        char *name, size_t size) {
  size_t from = e->expr.length;
  lower(e, in, x, false);
  emit_spill(e, from);
  snprintf(name, size, "%s", e->expr.failed ? "0" : e->expr.at + from);
  emit_drop(e, from);
}

static const char *spilled(const struct emit *e, size_t from) {
  return e->expr.at && from < e->expr.length ? e->expr.at + from : "0";
}

static void failing(struct emit *e, const struct emit_context *in, const struct ir_expr *x,
                    const char *message, const char *condition) {
  emit_check(e, in, emit_fault(e, x, EMIT_FAULT, x->span, message), "%s", condition);
}

/* ---- references ------------------------------------------------------------------------ */

/* Whether an index is out of range never, always, or has to be checked. */
static uint32_t lower_index(struct emit *e, const struct emit_context *in,
                            const struct ir_expr *x) {
  struct ir_range r = ir_range(x->a);
  int64_t n = x->variable->length;
  size_t from = e->expr.length;
  if (r.low >= 0 && r.high < n)
    return lower(e, in, x->a, false);
  char message[160], condition[64];
  snprintf(message, sizeof message, "index of '%.80s' out of range (0 to %lld)",
           x->variable->name, (long long)n - 1);
  lower(e, in, x->a, false);
  if (r.low >= n || r.high < 0) {
    emit_drop(e, from);
    failing(e, in, x, message, "1");
    put(e, "0");
    return 0;
  }
  emit_spill(e, from);
  if (r.low >= 0)
    snprintf(condition, sizeof condition, "%s >= %lld", spilled(e, from), (long long)n);
  else if (r.high < n)
    snprintf(condition, sizeof condition, "%s < 0", spilled(e, from));
  else
    snprintf(condition, sizeof condition, "(uint32_t)%s >= %lldu", spilled(e, from),
             (long long)n);
  failing(e, in, x, message, condition);
  return 0;
}

void emit_index(struct emit *e, const struct emit_context *in,
                const struct ir_expr *reference) {
  lower_index(e, in, reference);
}

/* Own variables of models with instances are offsets in a frame. */
static void frame_name(struct emit *e, const struct emit_context *in,
                       const struct ir_variable *v) {
  if (v->owner && e->has_frames)
    text_printf(&e->expr, "%s + ", in->frame);
  emit_variable_name(&e->expr, v);
}

static uint32_t lower_variable(struct emit *e, const struct emit_context *in,
                               const struct ir_expr *x) {
  const struct ir_variable *v = x->variable;
  uint32_t bytes = ir_type_bytes(v->type);
  uint32_t height = 0;
  if (!v->length || (v->is_const && x->kind == IR_VARIABLE)) {
    put_number(e, v->length && v->initial ? v->initial[0] : 0);
    return 0;
  }
  if (v->is_const) {
    text_printf(&e->expr, "table_%u[", emit_table(e, v));
    height = lower_index(e, in, x);
    put(e, "]");
    return 1 + height;
  }
  bool is_signed = v->type->is_signed;
  struct emit_context own = *in; /* an index is the business of the one who evaluates */
  own.frame = EMIT_OWN_FRAME;
  emit_cell(&e->expr, emit_base(e, in, v->first_slot), bytes, is_signed);
  frame_name(e, in, v);
  if (x->kind == IR_ELEMENT) {
    text_printf(&e->expr, bytes > 1 ? " + %u * " : " + ", bytes);
    height = lower_index(e, &own, x);
  }
  put(e, emit_cell_end(bytes, is_signed));
  return 1 + height;
}

static void lower_location(struct emit *e, const struct emit_context *in,
                           const struct ir_expr *x) {
  const struct ir_process *p = x->process;
  put(e, "(");
  emit_cell(&e->expr, emit_base(e, in, p->location_slot), p->location_bytes, false);
  emit_location_name(&e->expr, p);
  put(e, emit_cell_end(p->location_bytes, false));
  text_printf(&e->expr, " == %u)", x->location);
}

static void lower_count(struct emit *e, const struct emit_context *in,
                        const struct ir_expr *x) {
  const struct ir_channel *c = x->channel;
  if (!c->capacity) {
    put(e, "0");
    return;
  }
  emit_cell(&e->expr, emit_base(e, in, c->count_slot), c->count_bytes, false);
  emit_count_name(&e->expr, c);
  put(e, emit_cell_end(c->count_bytes, false));
}

/* ---- operators ----------------------------------------------------------------------------
 */

static bool is_truth(const struct ir_expr *x) {
  switch (x->kind) {
  case IR_AT:
  case IR_NOT:
  case IR_LOCATED:
  case IR_ENABLED:
  case IR_STUCK:
  case IR_NONPROGRESS:
  case IR_ACCEPTED:
  case IR_POLL:
  case IR_ELSE:
  case IR_TIMEOUT:
    return true;
  default:
    return (x->kind >= IR_LT && x->kind <= IR_NE) || (x->kind >= IR_AND && x->kind <= IR_IMPLY);
  }
}

static bool is_single(struct ir_range r) {
  return r.low == r.high;
}

static uint32_t higher(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static uint32_t lower_unary(struct emit *e, const struct emit_context *in,
                            const struct ir_expr *x) {
  uint32_t height;
  switch (x->kind) {
  case IR_NOT:
    if (is_truth(x->a)) {
      put(e, "!");
      return 1 + lower(e, in, x->a, false);
    }
    height = lower(e, in, x->a, false);
    put(e, " == 0");
    return 1 + height;
  case IR_NEG:
    put(e, ir_wraps(x) ? "(int32_t)(0u - (uint32_t)" : "-");
    height = lower(e, in, x->a, false);
    put(e, ir_wraps(x) ? ")" : "");
    return 1 + height;
  default:
    put(e, "~");
    return 1 + lower(e, in, x->a, false);
  }
}

static const char *sign_of(enum ir_expr_kind kind) {
  static const char *const sign[] = {
      [IR_MUL] = "*",  [IR_DIV] = "/",  [IR_MOD] = "%", [IR_ADD] = "+",   [IR_SUB] = "-",
      [IR_SHL] = "<<", [IR_SHR] = ">>", [IR_LT] = "<",  [IR_LE] = "<=",   [IR_GT] = ">",
      [IR_GE] = ">=",  [IR_EQ] = "==",  [IR_NE] = "!=", [IR_BAND] = "&",  [IR_BXOR] = "^",
      [IR_BOR] = "|",  [IR_AND] = "&&", [IR_OR] = "||", [IR_IMPLY] = "||"};
  return sign[kind];
}

/* The right operand of a division or shift, checked. */
static uint32_t lower_checked(struct emit *e, const struct emit_context *in,
                              const struct ir_expr *x) {
  struct ir_range r = ir_range(x->b);
  bool shift = x->kind == IR_SHL || x->kind == IR_SHR;
  bool never = shift ? r.low >= 0 && r.high <= 31 : r.low > 0 || r.high < 0;
  bool always = shift ? r.high < 0 || r.low > 31 : r.low == 0 && r.high == 0;
  size_t from = e->expr.length;
  uint32_t height = lower(e, in, x->b, false);
  if (never)
    return height;
  const char *message = shift ? "shift by less than 0 or more than 31" : "division by zero";
  if (always) {
    emit_drop(e, from);
    failing(e, in, x, message, "1");
    put(e, "1");
    return 0;
  }
  char condition[64];
  emit_spill(e, from);
  snprintf(condition, sizeof condition, shift ? "(uint32_t)%s > 31u" : "%s == 0",
           spilled(e, from));
  failing(e, in, x, message, condition);
  return 0;
}

/* The smallest number divided by -1 traps on common machines. */
static bool may_trap(const struct ir_expr *x) {
  struct ir_range b = ir_range(x->b);
  return ir_range(x->a).low == INT32_MIN && b.low <= -1 && b.high >= -1;
}

static uint32_t lower_division(struct emit *e, const struct emit_context *in,
                               const struct ir_expr *x) {
  bool trap = may_trap(x);
  if (trap) {
    e->helpers |= x->kind == IR_DIV ? EMIT_DIVIDE : EMIT_MODULO;
    put(e, x->kind == IR_DIV ? "divide(" : "modulo(");
  }
  uint32_t height = lower(e, in, x->a, false);
  text_printf(&e->expr, trap ? ", " : " %s ", sign_of(x->kind));
  height = higher(height, lower_checked(e, in, x));
  put(e, trap ? ")" : "");
  return 1 + height;
}

static uint32_t lower_shift(struct emit *e, const struct emit_context *in,
                            const struct ir_expr *x) {
  bool left = x->kind == IR_SHL;
  put(e, left ? "(int32_t)((uint32_t)" : "");
  uint32_t height = lower(e, in, x->a, false);
  text_printf(&e->expr, " %s ", sign_of(x->kind));
  height = higher(height, lower_checked(e, in, x));
  put(e, left ? ")" : "");
  return 1 + height;
}

static uint32_t lower_arithmetic(struct emit *e, const struct emit_context *in,
                                 const struct ir_expr *x) {
  bool wraps = ir_wraps(x);
  put(e, wraps ? "(int32_t)((uint32_t)" : "");
  uint32_t height = lower(e, in, x->a, false);
  text_printf(&e->expr, wraps ? " %s (uint32_t)" : " %s ", sign_of(x->kind));
  height = higher(height, lower(e, in, x->b, false));
  put(e, wraps ? ")" : "");
  return 1 + height;
}

/* ---- lazy operators -------------------------------------------------------------------------
 */

/* What the branches of a condition need was printed as statements; it must happen
 * only where the branch is taken. So: int32_t t; if (a) { … t = b; } else { … t = c; } */
struct branches {
  size_t a, b, b_end, c, c_end; /* in expr; a ends where b begins or before */
  size_t a_end;
  size_t for_b, for_c; /* in out */
};

static const char *piece(struct emit *e, const struct text *t, size_t from, size_t to) {
  return arena_text(e->arena, t->at + from, to - from);
}

static uint32_t branch(struct emit *e, const struct branches *at) {
  if (e->out->failed || e->expr.failed)
    return 0;
  uint32_t t = e->temps++;
  const char *a = piece(e, &e->expr, at->a, at->a_end);
  const char *b = piece(e, &e->expr, at->b, at->b_end);
  const char *c = piece(e, &e->expr, at->c, at->c_end);
  const char *for_b = piece(e, e->out, at->for_b, at->for_c);
  const char *for_c = piece(e, e->out, at->for_c, e->out->length);
  emit_drop(e, at->a);
  e->out->length = at->for_b;
  emit_line(e, "int32_t t%u;", t);
  emit_line(e, "if (%s) {", a);
  text_puts(e->out, for_b);
  emit_line(e, "  t%u = %s;", t, b);
  emit_line(e, "} else {");
  text_puts(e->out, for_c);
  emit_line(e, "  t%u = %s;", t, c);
  emit_line(e, "}");
  text_printf(&e->expr, "t%u", t);
  return 0;
}

/* a && b is a ? b : 0; a || b is a ? 1 : b; a imply b is a ? b : 1. */
static uint32_t lower_lazy(struct emit *e, const struct emit_context *in,
                           const struct ir_expr *x) {
  struct branches at = {.a = e->expr.length};
  bool or = x->kind == IR_OR;
  put(e, x->kind == IR_IMPLY ? "!" : "");
  size_t operand = e->expr.length;
  uint32_t height = lower_truth(e, in, x->a, false);
  at.a_end = e->expr.length;
  at.for_b = at.for_c = e->out->length;
  text_printf(&e->expr, " %s ", sign_of(x->kind));
  size_t right = e->expr.length;
  e->depth++;
  height = 1 + higher(height, lower_truth(e, in, x->b, false));
  e->depth--;
  if (e->out->length == at.for_b)
    return height;
  size_t right_end = e->expr.length;
  put(e, x->kind == IR_AND ? "0" : "1");
  at.b = or ? right_end : right;
  at.b_end = or ? e->expr.length : right_end;
  at.c = or ? right : right_end;
  at.c_end = or ? right_end : e->expr.length;
  at.for_c = or ? at.for_b : e->out->length;
  size_t start = at.a;
  at.a = operand;
  height = branch(e, &at);
  if (start != operand && !e->expr.failed) { /* the "!" of imply has gone into the branches */
    memmove(e->expr.at + start, e->expr.at + operand, e->expr.length - operand + 1);
    e->expr.length -= operand - start;
  }
  return height;
}

static uint32_t lower_condition(struct emit *e, const struct emit_context *in,
                                const struct ir_expr *x) {
  struct branches at = {.a = e->expr.length};
  uint32_t height = lower_truth(e, in, x->a, false);
  at.a_end = e->expr.length;
  at.for_b = e->out->length;
  put(e, " ? ");
  at.b = e->expr.length;
  e->depth++;
  height = higher(height, lower(e, in, x->b, false));
  at.b_end = e->expr.length;
  at.for_c = e->out->length;
  put(e, " : ");
  at.c = e->expr.length;
  height = higher(height, lower(e, in, x->c, false));
  e->depth--;
  at.c_end = e->expr.length;
  return e->out->length == at.for_b ? 1 + height : branch(e, &at);
}

/* ---- all kinds
 * ------------------------------------------------------------------------------- */

static uint32_t lower_operator(struct emit *e, const struct emit_context *in,
                               const struct ir_expr *x) {
  switch (x->kind) {
  case IR_NOT:
  case IR_NEG:
  case IR_CPL:
    return lower_unary(e, in, x);
  case IR_DIV:
  case IR_MOD:
    return lower_division(e, in, x);
  case IR_SHL:
  case IR_SHR:
    return lower_shift(e, in, x);
  case IR_AND:
  case IR_OR:
  case IR_IMPLY:
    return lower_lazy(e, in, x);
  case IR_COND:
    return lower_condition(e, in, x);
  default:
    return lower_arithmetic(e, in, x);
  }
}

static uint32_t lower_leaf(struct emit *e, const struct emit_context *in,
                           const struct ir_expr *x) {
  switch (x->kind) {
  case IR_CONST:
    put_number(e, x->value);
    return 0;
  case IR_AT:
    lower_location(e, in, x);
    return 1;
  case IR_COUNT:
    lower_count(e, in, x);
    return 0;
  default:
    return lower_variable(e, in, x);
  }
}

static uint32_t lower(struct emit *e, const struct emit_context *in, const struct ir_expr *x,
                      bool bare) {
  size_t start = e->expr.length, statements = e->out->length;
  uint32_t height;
  if (x->kind <= IR_COUNT) {
    height = lower_leaf(e, in, x);
  } else if (x->kind > IR_COND) {
    height = e->special(e, in, x);
  } else {
    put(e, bare ? "" : "(");
    height = lower_operator(e, in, x);
    put(e, bare ? "" : ")");
  }
  struct ir_range r = ir_range(x);
  if (is_single(r) && e->out->length == statements) {
    emit_drop(e, start);
    put_number(e, r.low);
    return 0;
  }
  if (height > HEIGHT_MOST) {
    emit_spill(e, start);
    return 0;
  }
  return height;
}

static uint32_t lower_truth(struct emit *e, const struct emit_context *in,
                            const struct ir_expr *x, bool bare) {
  if (is_truth(x))
    return lower(e, in, x, bare);
  struct ir_range r = ir_range(x);
  size_t start = e->expr.length, statements = e->out->length;
  put(e, bare ? "" : "(");
  uint32_t height = lower(e, in, x, false);
  put(e, bare ? " != 0" : " != 0)");
  if ((r.low > 0 || r.high < 0 || is_single(r)) && e->out->length == statements) {
    emit_drop(e, start);
    put(e, r.low > 0 || r.high < 0 ? "1" : "0");
    return 0;
  }
  return height + 1;
}

void emit_operand(struct emit *e, const struct emit_context *in, const struct ir_expr *x) {
  lower(e, in, x, false);
}

void emit_bare(struct emit *e, const struct emit_context *in, const struct ir_expr *x) {
  lower(e, in, x, true);
}

void emit_truth(struct emit *e, const struct emit_context *in, const struct ir_expr *x,
                bool bare) {
  lower_truth(e, in, x, bare);
}

/* Tried, and taken back: only then is known that no check belongs to it. */
enum emit_decided emit_decide(struct emit *e, const struct emit_context *in,
                              const struct ir_expr *x) {
  if (!x)
    return EMIT_ALWAYS;
  struct ir_range r = ir_range(x);
  if (r.low <= 0 && r.high >= 0 && !is_single(r))
    return EMIT_DEPENDS;
  size_t from = e->expr.length, statements = e->out->length;
  uint32_t temps = e->temps;
  lower_truth(e, in, x, true);
  bool pure = e->out->length == statements;
  emit_drop(e, from);
  if (!e->out->failed)
    e->out->length = statements;
  e->temps = temps;
  return !pure ? EMIT_DEPENDS : is_single(r) && r.low == 0 ? EMIT_NEVER : EMIT_ALWAYS;
}
