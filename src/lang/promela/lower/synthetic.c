/* synthetic.c - statements that stand for what a for, a select or a declaration does. */
#include "lang/promela/lower/synthetic.h"

/* Of an expression that is shown. */
#define SYNTHETIC_WIDTH 60u

static struct promela_stmt *new_stmt(struct arena *arena, enum promela_stmt_kind kind,
                                     const struct promela_stmt *like) {
  struct promela_stmt *s = ARENA_NEW(arena, struct promela_stmt);
  s->kind = kind;
  if (like != NULL) {
    s->span = like->span;
    s->call = like->call;
    s->code = like->code;
  }
  return s;
}

static struct promela_expr *new_expr(struct arena *arena, enum promela_expr_kind kind,
                                     struct span span) {
  struct promela_expr *e = ARENA_NEW(arena, struct promela_expr);
  e->kind = kind;
  e->span = span;
  e->type = (struct promela_type){.base = PROMELA_INT, .bits = 32, .is_signed = true};
  e->height = 1;
  return e;
}

static struct promela_expr *constant(struct arena *arena, struct span span, int32_t value) {
  struct promela_expr *e = new_expr(arena, PROMELA_CONST, span);
  e->value = value;
  return e;
}

static struct promela_expr *compare(struct arena *arena, enum promela_expr_kind kind,
                                    struct promela_expr *a, struct promela_expr *b) {
  struct promela_expr *e = new_expr(arena, kind, a->span);
  e->a = a;
  e->b = b;
  e->height = 1 + (a->height > b->height ? a->height : b->height);
  return e;
}

struct promela_stmt *synthetic_skip(struct arena *arena, const struct promela_stmt *like) {
  struct promela_stmt *s = new_stmt(arena, PROMELA_EXPR, like);
  s->a = constant(arena, s->span, 1);
  return s;
}

struct promela_stmt *synthetic_break(struct arena *arena, const struct promela_stmt *loop) {
  struct promela_stmt *s = new_stmt(arena, PROMELA_BREAK, loop);
  /* Only compared, never changed. */
  union {
    const struct promela_stmt *given;
    struct promela_stmt *kept;
  } same = {.given = loop};
  s->loop = same.kept;
  return s;
}

static struct promela_stmt *assignment(struct arena *arena, const struct promela_stmt *like,
                                       struct promela_expr *target, struct promela_expr *a) {
  struct promela_stmt *s = new_stmt(arena, PROMELA_ASSIGN, like);
  s->target = target;
  s->a = a;
  return s;
}

static const char *text_of(struct arena *arena, struct span span) {
  return source_squeeze(arena, span, SYNTHETIC_WIDTH);
}

struct promela_stmt *synthetic_choice(struct arena *arena, const struct promela_stmt *select,
                                      int32_t value) {
  struct promela_stmt *s =
      assignment(arena, select, select->target, constant(arena, select->span, value));
  s->shown = arena_printf(arena, "%s: %s = %d", text_of(arena, select->span),
                          text_of(arena, select->target->span), (int)value);
  return s;
}

struct promela_stmt *synthetic_declaration(struct arena *arena, const struct promela_stmt *like,
                                           struct promela_variable *v) {
  struct promela_stmt *s = new_stmt(arena, PROMELA_DECLARE, like);
  s->span = v->span;
  *ARENA_PUSH(arena, &s->variables) = v;
  return s;
}

/* ---- loops ---- */

static struct promela_expr *counter(struct arena *arena, struct promela_proctype *p,
                                    const struct promela_stmt *stmt) {
  const struct promela_variable *q = stmt->a->variable;
  bool is_long = q->channel != NULL && q->channel->capacity > 255;
  struct promela_variable *v = ARENA_NEW(arena, struct promela_variable);
  v->name = "for";
  v->span = stmt->span;
  v->call = stmt->call;
  v->type = (struct promela_type){.base = is_long ? PROMELA_SHORT : PROMELA_BYTE,
                                  .bits = is_long ? 16 : 8,
                                  .is_signed = is_long};
  v->length = 1;
  v->owner = p;
  v->index = p->variables.n;
  *ARENA_PUSH(arena, &p->variables) = v;
  struct promela_expr *e = new_expr(arena, PROMELA_VARIABLE, stmt->span);
  e->type = v->type;
  e->variable = v;
  return e;
}

static struct promela_stmt *message(struct arena *arena, enum promela_stmt_kind kind,
                                    const struct promela_stmt *stmt) {
  struct promela_stmt *s = new_stmt(arena, kind, stmt);
  s->a = stmt->a;
  *ARENA_PUSH(arena, &s->arguments) = stmt->target;
  return s;
}

/* A loop over messages counts them, which nobody who reads the model knows of. */
static void show_messages(struct arena *arena, const struct promela_stmt *stmt,
                          struct synthetic_for *parts) {
  const char *target = text_of(arena, stmt->target->span);
  const char *channel = text_of(arena, stmt->a->span), *head = text_of(arena, stmt->span);
  parts->start->shown = arena_printf(arena, "%s: begins", head);
  parts->condition->shown = arena_printf(arena, "%s: another message", head);
  parts->take->shown = arena_printf(arena, "%s?%s", channel, target);
  parts->give_back->shown = arena_printf(arena, "%s!%s", channel, target);
  parts->increment->shown = arena_printf(arena, "%s: the message is done", head);
  parts->otherwise->shown = arena_printf(arena, "%s: no other message", head);
}

/* The parts as the model would have them, had it been written without the loop. */
static void show_parts(struct arena *arena, const struct promela_stmt *stmt,
                       struct synthetic_for *parts) {
  const bool is_select = stmt->kind == PROMELA_SELECT, is_in = stmt->kind == PROMELA_FOR_IN;
  const char *target = text_of(arena, stmt->target->span);
  const char *first = is_in ? "0" : text_of(arena, stmt->a->span);
  const char *last = is_in ? arena_printf(arena, "%d", (int)stmt->a->variable->length - 1)
                           : text_of(arena, stmt->b->span);
  parts->start->shown = arena_printf(arena, "%s = %s", target, first);
  parts->condition->shown =
      arena_printf(arena, "%s %s %s", target, is_select ? "<" : "<=", last);
  parts->increment->shown = arena_printf(arena, "%s++", target);
  if (parts->otherwise != NULL)
    parts->otherwise->shown = arena_printf(arena, "%s > %s", target, last);
}

struct synthetic_for synthetic_for(struct arena *arena, struct promela_proctype *p,
                                   const struct promela_stmt *stmt) {
  struct synthetic_for parts = {0};
  struct promela_expr *target = stmt->target, *a = stmt->a, *b = stmt->b;
  enum promela_expr_kind test = stmt->kind == PROMELA_SELECT ? PROMELA_LT : PROMELA_LE;
  if (stmt->kind == PROMELA_FOR_IN && stmt->a->type.base == PROMELA_CHAN &&
      (!stmt->a->variable->is_array || stmt->a->a != NULL)) {
    target = counter(arena, p, stmt);
    test = PROMELA_LT;
    b = new_expr(arena, PROMELA_LEN, stmt->a->span);
    b->a = stmt->a;
    parts.take = message(arena, PROMELA_RECEIVE, stmt);
    parts.give_back = message(arena, PROMELA_SEND, stmt);
    a = constant(arena, stmt->span, 0);
  } else if (stmt->kind == PROMELA_FOR_IN) {
    a = constant(arena, stmt->span, 0);
    b = constant(arena, stmt->span, (int32_t)stmt->a->variable->length - 1);
  }
  parts.start = assignment(arena, stmt, target, a);
  parts.condition = new_stmt(arena, PROMELA_EXPR, stmt);
  parts.condition->a = compare(arena, test, target, b);
  parts.increment = new_stmt(arena, PROMELA_INCREMENT, stmt);
  parts.increment->target = target;
  if (stmt->kind != PROMELA_SELECT)
    parts.otherwise = new_stmt(arena, PROMELA_ELSE, stmt);
  if (parts.take != NULL)
    show_messages(arena, stmt, &parts);
  else
    show_parts(arena, stmt, &parts);
  return parts;
}
