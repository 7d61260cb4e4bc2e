/* simple.c - the statements without parts, and calls of inlines.
 *
 *   simple  place = condition | place = inline ( … ) | place ++ | place --
 *         | place ! … | place ? … (message.c) | condition | else | break | goto NAME
 *         | assert condition | printf ( string {, expr} ) | printm ( place )
 *         | set_priority ( expr , expr ) | c_code { … } | return condition
 */
#include "lang/promela/parse/parser.h"

#include <string.h>

static bool parse_goto(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_GOTO;
  promela_advance(p);
  const struct promela_place place = p->token.place;
  if (!promela_at(p, PROMELA_T_NAME))
    return promela_unexpected(p, "a label after 'goto'");
  struct promela_name *name = promela_intern(p, p->token.text, p->token.length);
  promela_advance(p);
  const uint32_t n = p->scopes.n;
  uint32_t *block = ARENA_ARRAY(p->arena, n, uint32_t);
  for (uint32_t i = 0; i < n; i++)
    block[i] = p->scopes.at[n - 1 - i].block;
  *ARENA_PUSH(p->arena, &p->jumps) =
      (struct promela_jump){stmt, p->d_step, name, place, block, n};
  return true;
}

static bool parse_break(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_BREAK;
  stmt->loop = p->loop;
  if (p->loop == NULL) {
    promela_error(p, p->token.place,
                  p->d_step != NULL ? "'break' cannot leave a d_step"
                                    : "'break' is not inside of a 'do' or 'for'");
    return false;
  }
  promela_advance(p);
  return true;
}

/* What was taken since `begin`, without parentheses around all of it. */
static const char *logged_inside(const struct promela_parser *p, uint32_t begin) {
  uint32_t open = 0, i = begin;
  for (; i < p->log.n; i++) {
    open += p->log.at[i].kind == PROMELA_T_OPEN;
    open -= open > 0 && p->log.at[i].kind == PROMELA_T_CLOSE;
    if (open == 0)
      break;
  }
  if (i == begin || i + 1 != p->log.n)
    return promela_logged(p, begin);
  return promela_join(p->arena, p->log.at + begin + 1, p->log.n - begin - 2, false);
}

static bool parse_assert(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_ASSERT;
  promela_advance(p);
  const uint32_t begin = p->log.n;
  stmt->a = promela_parse_condition(p);
  if (stmt->a != NULL)
    stmt->text = logged_inside(p, begin);
  return stmt->a != NULL;
}

/* A format that does not fit its values is printed as well as it can be. */
static void check_format(struct promela_parser *p, const struct promela_stmt *stmt,
                         struct span span) {
  uint32_t wanted = 0;
  for (const char *at = strchr(stmt->text, '%'); at != NULL; at = strchr(at, '%')) {
    if (at[1] != '%' && (at[1] == '\0' || strchr("cdeoux", at[1]) == NULL)) {
      diag_add(p->diag, DIAG_WARNING, span, "'%%%.1s' is no conversion of printf", at + 1);
      diag_hint(p->diag, "there are %%c, %%d, %%e, %%o, %%u, %%x and %%%%");
      return;
    }
    wanted += at[1] != '%';
    at += 2;
  }
  if (wanted != stmt->arguments.n)
    diag_add(p->diag, DIAG_WARNING, span, "the format asks for %u value%s, but %u %s given",
             wanted, wanted == 1 ? "" : "s", stmt->arguments.n,
             stmt->arguments.n == 1 ? "is" : "are");
}

/* printf ( string {, expr} ) */
static bool parse_printf(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_PRINTF;
  promela_advance(p);
  if (!promela_expect(p, PROMELA_T_OPEN, "after 'printf'"))
    return false;
  if (!promela_at(p, PROMELA_T_STRING))
    return promela_unexpected(p, "a string in double quotes");
  stmt->text = arena_text(p->arena, p->token.text + 1, p->token.length - 2);
  const struct span span = p->token.place.span;
  promela_advance(p);
  if (promela_take(p, PROMELA_T_COMMA) && !promela_parse_exprs(p, &stmt->arguments))
    return false;
  check_format(p, stmt, span);
  return promela_expect(p, PROMELA_T_CLOSE, "after the arguments of 'printf'");
}

/* printm ( expr ) */
static bool parse_printm(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_PRINTM;
  promela_advance(p);
  if (!promela_expect(p, PROMELA_T_OPEN, "after 'printm'"))
    return false;
  stmt->a = promela_parse_expr(p);
  return stmt->a != NULL && promela_expect(p, PROMELA_T_CLOSE, "after what is printed");
}

/* set_priority ( expr , expr ) */
static bool parse_set_priority(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_SET_PRIORITY;
  p->model->uses_priority = true;
  promela_advance(p);
  if (!promela_expect(p, PROMELA_T_OPEN, "after 'set_priority'"))
    return false;
  stmt->a = promela_parse_expr(p);
  if (stmt->a == NULL || !promela_expect(p, PROMELA_T_COMMA, "between process and priority"))
    return false;
  stmt->b = promela_parse_expr(p);
  return stmt->b != NULL && promela_expect(p, PROMELA_T_CLOSE, "after the priority");
}

static bool parse_c_code(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_C_CODE;
  stmt->text = promela_raw_block(p, &stmt->precondition);
  p->model->uses_c_code = true;
  stmt->code = "c_code { … }";
  return stmt->text != NULL;
}

/* return condition: assigns to the target of the call that we are in */
static bool parse_return(struct promela_parser *p, struct promela_stmt *stmt) {
  const struct promela_place begin = p->token.place;
  struct promela_expr *target = NULL;
  bool inside = false;
  for (uint32_t i = p->frames.n; i > 0 && !inside; i--) {
    inside = p->frames.at[i - 1].in != NULL;
    target = p->frames.at[i - 1].target;
  }
  if (!inside || target == NULL) {
    const bool said = promela_error(p, begin,
                                    inside ? "this inline is not called for a value: x = f(…)"
                                           : "'return' can only be used in an inline");
    if (said && !inside)
      promela_hint(p, "a process ends at its last brace: goto a label in front of that");
    return false;
  }
  promela_advance(p);
  stmt->kind = PROMELA_ASSIGN;
  stmt->target = target;
  stmt->a = promela_parse_condition(p);
  return stmt->a != NULL;
}

/* ---- calls of inlines ------------------------------------------------------------------ */

/* What cannot be in an expression cannot be an argument. */
static bool fits_argument(enum promela_token_kind kind, uint32_t parentheses) {
  switch (kind) {
  case PROMELA_T_SEMICOLON:
  case PROMELA_T_OPTION:
  case PROMELA_T_ASSIGN:
  case PROMELA_T_INCREMENT:
  case PROMELA_T_DECREMENT:
  case PROMELA_T_OPEN_BLOCK:
  case PROMELA_T_CLOSE_BLOCK:
  case PROMELA_T_STRING:
  case PROMELA_T_IF:
  case PROMELA_T_FI:
  case PROMELA_T_DO:
  case PROMELA_T_OD:
  case PROMELA_T_GOTO:
  case PROMELA_T_BREAK:
  case PROMELA_T_ATOMIC:
  case PROMELA_T_D_STEP:
    return false;
  case PROMELA_T_ARROW:
    return parentheses > 1;
  default:
    return kind < PROMELA_T_TYPE_BIT;
  }
}

/* ( argument {, argument} ) as lists of tokens; the closing parenthesis stays next. */
static bool read_arguments(struct promela_parser *p, struct promela_tokens *list, uint32_t room,
                           uint32_t *n) {
  const struct promela_place begin = p->token.place;
  uint32_t parentheses = 1;
  struct promela_tokens surplus = {0};
  *n = 0;
  promela_advance(p);
  for (;;) {
    if (promela_at(p, PROMELA_T_END)) {
      promela_error(p, begin, "the arguments that begin here are never closed by ')'");
      return promela_stop(p);
    }
    if (!fits_argument(p->token.kind, parentheses)) {
      promela_unexpected(p, "an expression as the argument of an inline");
      return false;
    }
    parentheses += promela_at(p, PROMELA_T_OPEN);
    parentheses -= promela_at(p, PROMELA_T_CLOSE);
    const bool ends = parentheses == 0;
    struct promela_tokens *argument = *n < room ? &list[*n] : &surplus;
    if (ends || (parentheses == 1 && promela_at(p, PROMELA_T_COMMA))) {
      if (argument->n == 0 && !(ends && *n == 0 && surplus.n == 0))
        return promela_unexpected(p, "an argument");
      *n += argument->n > 0;
      if (ends)
        return true;
      surplus.n = 0;
    } else {
      *ARENA_PUSH(p->arena, argument) = p->token;
      argument->at[argument->n - 1].newline = false;
    }
    promela_advance(p);
  }
}

struct promela_stmt *promela_parse_call(struct promela_parser *p, struct promela_inline *in,
                                        struct promela_expr *target) {
  struct promela_place place = p->token.place;
  struct promela_stmt *stmt = promela_new_stmt(p, PROMELA_BLOCK);
  promela_advance(p);
  if (!promela_at(p, PROMELA_T_OPEN)) {
    promela_unexpected(p, arena_printf(p->arena, "'(' after the inline '%s'", in->name));
    return NULL;
  }
  struct promela_tokens *arguments =
      ARENA_ARRAY(p->arena, in->parameters.n + 1, struct promela_tokens);
  uint32_t n;
  if (!read_arguments(p, arguments, in->parameters.n, &n))
    return NULL;
  if (n != in->parameters.n) {
    if (promela_error(p, place, "inline '%s' takes %u argument%s, not %u", in->name,
                      in->parameters.n, in->parameters.n == 1 ? "" : "s", n))
      diag_add(p->diag, DIAG_NOTE, in->definition, "defined here");
    return NULL;
  }
  if (p->token.place.span.source == place.span.source &&
      p->token.place.span.end > place.span.end)
    place.span.end = p->token.place.span.end;
  stmt->span = place.span;
  if (!promela_enter_inline(p, in, arguments, target, place))
    return NULL;
  promela_advance(p);
  stmt->code = promela_logged(p, 0);
  stmt->inlined = p->token.place.call;
  if (!promela_deeper(p))
    return NULL;
  stmt->body = p->grammar->block(p, "at the beginning of the inline's body");
  p->depth--;
  return stmt->body == NULL ? NULL : stmt;
}

/* ---- assignments and conditions --------------------------------------------------------- */

static bool is_place(const struct promela_expr *e) {
  return e->kind == PROMELA_VARIABLE || e->kind == PROMELA_FIELD ||
         (e->kind >= PROMELA_PID_VALUE && e->kind <= PROMELA_SCRATCH);
}

static bool check_target(struct promela_parser *p, const struct promela_expr *target) {
  if (target->kind >= PROMELA_PID_VALUE && target->kind <= PROMELA_LAST) {
    static const char *const names[] = {"_pid", "_nr_pr", "_last"};
    promela_error(p, promela_place_of(target), "'%s' can only be read",
                  names[target->kind - PROMELA_PID_VALUE]);
    return false;
  }
  return true;
}

/* = condition | = inline ( … ) after the target */
static bool parse_assignment(struct promela_parser *p, struct promela_stmt *stmt,
                             struct promela_expr *target) {
  stmt->kind = PROMELA_ASSIGN;
  stmt->target = target;
  if (!check_target(p, target))
    return false;
  promela_advance(p);
  if (promela_at(p, PROMELA_T_NAME)) {
    struct promela_name *name = promela_intern(p, p->token.text, p->token.length);
    if (name->in != NULL) {
      struct promela_stmt *block = promela_parse_call(p, name->in, target);
      if (block != NULL)
        *stmt = *block;
      return block != NULL;
    }
  }
  stmt->a = promela_parse_condition(p);
  return stmt->a != NULL;
}

static bool parse_with_place(struct promela_parser *p, struct promela_stmt *stmt,
                             struct promela_expr *place) {
  switch (p->token.kind) {
  case PROMELA_T_ASSIGN:
    return parse_assignment(p, stmt, place);
  case PROMELA_T_INCREMENT:
  case PROMELA_T_DECREMENT:
    stmt->kind = promela_at(p, PROMELA_T_INCREMENT) ? PROMELA_INCREMENT : PROMELA_DECREMENT;
    stmt->target = place;
    if (!check_target(p, place))
      return false;
    promela_advance(p);
    return true;
  default:
    stmt->a = place;
    return promela_parse_message(p, stmt);
  }
}

static bool at_place_operator(const struct promela_parser *p) {
  switch (p->token.kind) {
  case PROMELA_T_ASSIGN:
  case PROMELA_T_INCREMENT:
  case PROMELA_T_DECREMENT:
  case PROMELA_T_SEND:
  case PROMELA_T_SORTED_SEND:
  case PROMELA_T_RECEIVE:
  case PROMELA_T_RANDOM_RECEIVE:
    return true;
  default:
    return false;
  }
}

/* What begins with an expression. */
static bool parse_expression(struct promela_parser *p, struct promela_stmt *stmt) {
  struct promela_expr *e = promela_parse_condition(p);
  if (e == NULL)
    return false;
  if (at_place_operator(p)) {
    if (is_place(e))
      return parse_with_place(p, stmt, e);
    if (!promela_error(p, p->token.place, "'%s' cannot be applied to this expression",
                       promela_token_name(p->token.kind)))
      return false;
    if (promela_at(p, PROMELA_T_ASSIGN))
      promela_hint(p, "'=' assigns to a variable; to compare, write '=='");
    else if (promela_at(p, PROMELA_T_RECEIVE))
      promela_hint(p, "a choice between two values is written (condition -> a : b)");
    return false;
  }
  stmt->kind = PROMELA_EXPR;
  stmt->a = e;
  return true;
}

static bool parse_kind(struct promela_parser *p, struct promela_stmt *stmt) {
  switch (p->token.kind) {
  case PROMELA_T_GOTO:
    return parse_goto(p, stmt);
  case PROMELA_T_BREAK:
    return parse_break(p, stmt);
  case PROMELA_T_ELSE:
    stmt->kind = PROMELA_ELSE;
    promela_advance(p);
    return true;
  case PROMELA_T_ASSERT:
    return parse_assert(p, stmt);
  case PROMELA_T_PRINTF:
    return parse_printf(p, stmt);
  case PROMELA_T_PRINTM:
    return parse_printm(p, stmt);
  case PROMELA_T_SET_PRIORITY:
    return parse_set_priority(p, stmt);
  case PROMELA_T_C_CODE:
    return parse_c_code(p, stmt);
  case PROMELA_T_RETURN:
    return parse_return(p, stmt);
  case PROMELA_T_ARROW:
  case PROMELA_T_SEMICOLON:
  case PROMELA_T_CLOSE_BLOCK:
  case PROMELA_T_OPTION:
  case PROMELA_T_FI:
  case PROMELA_T_OD:
  case PROMELA_T_END:
    return promela_unexpected(p, "a statement");
  default:
    return parse_expression(p, stmt);
  }
}

bool promela_parse_simple(struct promela_parser *p, struct promela_stmt *stmt) {
  if (!parse_kind(p, stmt))
    return false;
  if (stmt->kind == PROMELA_C_CODE || stmt->kind == PROMELA_BLOCK)
    return true;
  promela_end_stmt(p, stmt);
  if (!promela_check_stmt(p, stmt))
    return false;
  promela_note_stmt(p, stmt);
  return true;
}
