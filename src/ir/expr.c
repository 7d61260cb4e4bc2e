/* expr.c - expressions in the notation of C, for messages.
 *
 * Brackets are set only where C's precedence needs them. The text is cut beyond
 * TEXT_MOST bytes: it is for people.
 */
#include "ir/ir.h"

#include <stdio.h>
#include <string.h>

#define TEXT_MOST 2000

struct writer {
  struct arena *arena;
  char *at;
  uint32_t n, capacity;
};

struct operator_text {
  const char *sign;
  int precedence; /* higher binds tighter */
};

static const struct operator_text operators[] = {
    [IR_NOT] = {"!", 11}, [IR_NEG] = {"-", 11},   [IR_CPL] = {"~", 11}, [IR_MUL] = {"*", 10},
    [IR_DIV] = {"/", 10}, [IR_MOD] = {"%", 10},   [IR_ADD] = {"+", 9},  [IR_SUB] = {"-", 9},
    [IR_SHL] = {"<<", 8}, [IR_SHR] = {">>", 8},   [IR_LT] = {"<", 7},   [IR_LE] = {"<=", 7},
    [IR_GT] = {">", 7},   [IR_GE] = {">=", 7},    [IR_EQ] = {"==", 6},  [IR_NE] = {"!=", 6},
    [IR_BAND] = {"&", 5}, [IR_BXOR] = {"^", 4},   [IR_BOR] = {"|", 3},  [IR_AND] = {"&&", 2},
    [IR_OR] = {"||", 1},  [IR_IMPLY] = {"->", 0}, [IR_COND] = {"?", 0},
};

static void put(struct writer *w, const char *text) {
  for (; *text && w->n < TEXT_MOST; text++)
    *ARENA_PUSH(w->arena, w) = *text;
}

static void put_expr(struct writer *w, const struct ir_expr *e, int outer);

static void put_variable(struct writer *w, const struct ir_expr *e) {
  if (e->variable->owner) {
    put(w, e->variable->owner->name);
    put(w, ".");
  }
  put(w, e->variable->name);
  if (e->kind == IR_ELEMENT) {
    put(w, "[");
    put_expr(w, e->a, -1);
    put(w, "]");
  }
}

static void put_leaf(struct writer *w, const struct ir_expr *e) {
  char number[16];
  switch (e->kind) {
  case IR_CONST:
    snprintf(number, sizeof number, "%d", (int)e->value);
    put(w, number);
    break;
  case IR_AT:
    put(w, e->process->name);
    put(w, ".");
    put(w, e->process->location[e->location].name);
    break;
  case IR_COUNT:
    put(w, "len(");
    put(w, e->channel->name);
    put(w, ")");
    break;
  default:
    put_variable(w, e);
    break;
  }
}

static void put_operands(struct writer *w, const struct ir_expr *e) {
  const struct operator_text *op = &operators[e->kind];
  if (!e->b) {
    put(w, op->sign);
    put_expr(w, e->a, op->precedence);
    return;
  }
  put_expr(w, e->a, op->precedence);
  put(w, " ");
  put(w, op->sign);
  put(w, " ");
  put_expr(w, e->b, op->precedence + 1);
  if (e->kind == IR_COND) {
    put(w, " : ");
    put_expr(w, e->c, op->precedence + 1);
  }
}

static void put_call(struct writer *w, const char *name, const struct ir_expr *a) {
  put(w, name);
  put(w, "(");
  if (a)
    put_expr(w, a, -1);
  put(w, ")");
}

/* What only some languages have: as the text has it, or a name that says what it is. */
static void put_special(struct writer *w, const struct ir_expr *e) {
  static const char *const name[] = {
      [IR_LIVE] = "processes",    [IR_LAST] = "last",         [IR_PLACE] = "place",
      [IR_ENABLED] = "enabled",   [IR_STUCK] = "stuck",       [IR_NONPROGRESS] = "np",
      [IR_ACCEPTED] = "accepted", [IR_PRIORITY] = "priority", [IR_LENGTH] = "len",
      [IR_ROOM] = "room",         [IR_POLL] = "poll",         [IR_ELSE] = "else",
      [IR_TIMEOUT] = "timeout",   [IR_SELF] = "self",         [IR_DROP] = "_",
      [IR_CHECKED] = "",          [IR_MATCH] = "eval",        [IR_LOCATED] = "at",
      [IR_FOREIGN] = "of",        [IR_NUMBER] = "number"};
  if (e->span.source)
    put(w, source_squeeze(w->arena, e->span, TEXT_MOST / 4));
  else if (e->kind == IR_CHECKED || e->kind == IR_EXCLUSIVE)
    put_expr(w, e->a, 11);
  else if (e->kind == IR_FOREIGN)
    put_expr(w, e->b, 11);
  else
    put_call(w, name[e->kind], e->a);
}

static void put_expr(struct writer *w, const struct ir_expr *e, int outer) {
  if (w->n >= TEXT_MOST)
    return;
  if (e->kind > IR_COND) {
    put_special(w, e);
    return;
  }
  if (e->kind <= IR_COUNT) {
    put_leaf(w, e);
    return;
  }
  bool brackets = operators[e->kind].precedence < outer;
  put(w, brackets ? "(" : "");
  put_operands(w, e);
  put(w, brackets ? ")" : "");
}

const char *ir_expr_text(struct arena *arena, const struct ir_expr *e) {
  struct writer w = {.arena = arena};
  put_expr(&w, e, -1);
  if (w.n >= TEXT_MOST)
    return arena_printf(arena, "%.*s…", (int)w.n, w.at);
  *ARENA_PUSH(arena, &w) = 0;
  return w.at;
}
