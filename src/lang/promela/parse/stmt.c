/* stmt.c - sequences, labels, and the statements with parts.
 *
 *   sequence  step {separator {separator} step} [separator]
 *   step      declaration | (xr | xs) place {, place} | stmt [unless stmt]
 *   stmt      NAME : [stmt] | if … | do … | for … | atomic … | d_step … | { … } | simple
 *
 * A separator is ; or ->. The statements without parts are in simple.c, for and select in
 * loop.c.
 */
#include "lang/promela/parse/parser.h"

#include <string.h>

static bool at_end_of_sequence(const struct promela_parser *p) {
  return promela_at(p, PROMELA_T_CLOSE_BLOCK) || promela_at(p, PROMELA_T_FI) ||
         promela_at(p, PROMELA_T_OD) || promela_at(p, PROMELA_T_OPTION) ||
         promela_at(p, PROMELA_T_END) || promela_starts_unit(p->token.kind);
}

static bool at_separator(const struct promela_parser *p) {
  return promela_at(p, PROMELA_T_SEMICOLON) || promela_at(p, PROMELA_T_ARROW);
}

struct promela_sequence *promela_parse_block(struct promela_parser *p, const char *what) {
  const struct promela_place begin = p->token.place;
  if (!promela_expect(p, PROMELA_T_OPEN_BLOCK, what))
    return NULL;
  promela_open_scope(p);
  struct promela_sequence *sequence = promela_parse_sequence(p);
  promela_close_scope(p);
  if (sequence == NULL || promela_take(p, PROMELA_T_CLOSE_BLOCK))
    return sequence;
  if (p->stopped)
    return NULL;
  promela_unexpected(p, "'}'");
  if (begin.span.source != NULL)
    diag_add(p->diag, DIAG_NOTE, begin.span, "to close this '{'");
  promela_stop(p);
  return NULL;
}

/* ---- if and do ------------------------------------------------------------------- */

/* An 'else' that begins no option waits for nothing. */
static void warn_of_else(struct promela_parser *p, const struct promela_sequence *option) {
  for (uint32_t i = 1; i < option->n; i++)
    if (option->at[i]->kind == PROMELA_ELSE) {
      diag_warning(p->diag, option->at[i]->span, "this 'else' begins no option");
      promela_hint(p, "an option begins with '::', as in :: else -> skip");
    }
}

static bool check_else(struct promela_parser *p, const struct promela_stmt *stmt) {
  const struct promela_stmt *first = NULL;
  for (uint32_t i = 0; i < stmt->options.n; i++) {
    const struct promela_sequence *option = stmt->options.at[i];
    warn_of_else(p, option);
    if (option->n == 0 || option->at[0]->kind != PROMELA_ELSE)
      continue;
    const struct promela_stmt *other = option->at[0];
    if (first != NULL) {
      promela_complain(p, (struct promela_place){.span = other->span, .call = other->call},
                       "there is a second 'else' in this selection");
      return false;
    }
    first = other;
  }
  return true;
}

/* option: :: sequence */
static bool parse_options(struct promela_parser *p, struct promela_stmt *stmt,
                          enum promela_token_kind close) {
  const char *word = close == PROMELA_T_FI ? "if" : "do";
  if (!promela_at(p, PROMELA_T_OPTION)) {
    promela_unexpected(p, arena_printf(p->arena, "'::' and the first option of '%s'", word));
    return promela_stop(p);
  }
  while (promela_take(p, PROMELA_T_OPTION)) {
    struct promela_sequence *option = promela_parse_sequence(p);
    if (option == NULL)
      return false;
    promela_note_option(p, option);
    *ARENA_PUSH(p->tree, &stmt->options) = option;
  }
  if (promela_take(p, close))
    return true;
  if (p->stopped)
    return false;
  promela_unexpected(p, arena_printf(p->arena, "'%s'", promela_token_name(close)));
  diag_add(p->diag, DIAG_NOTE, stmt->span, "to close this '%s'", word);
  return promela_stop(p);
}

static bool parse_selection(struct promela_parser *p, struct promela_stmt *stmt) {
  const bool is_loop = promela_at(p, PROMELA_T_DO);
  struct promela_stmt *outer = p->loop;
  stmt->kind = is_loop ? PROMELA_DO : PROMELA_IF;
  stmt->code = is_loop ? "do" : "if";
  promela_advance(p);
  if (is_loop)
    p->loop = stmt;
  const bool good = parse_options(p, stmt, is_loop ? PROMELA_T_OD : PROMELA_T_FI);
  p->loop = outer;
  if (good)
    check_else(p, stmt);
  return good;
}

/* ---- blocks -------------------------------------------------------------------------- */

static bool parse_atomic(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_ATOMIC;
  stmt->code = "atomic";
  promela_advance(p);
  stmt->body = promela_parse_block(p, "after 'atomic'");
  return stmt->body != NULL;
}

static bool parse_d_step(struct promela_parser *p, struct promela_stmt *stmt) {
  struct promela_stmt *outer = p->d_step;
  struct promela_stmt *loop = p->loop;
  stmt->kind = PROMELA_D_STEP;
  stmt->code = "d_step";
  if (outer == NULL) {
    p->d_step = stmt;
    p->loop = NULL;
  }
  promela_advance(p);
  stmt->body = promela_parse_block(p, "after 'd_step'");
  p->d_step = outer;
  p->loop = loop;
  return stmt->body != NULL;
}

static bool parse_braces(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_BLOCK;
  stmt->code = "{";
  stmt->body = promela_parse_block(p, "");
  return stmt->body != NULL;
}

/* A call of an inline: its body is the block that comes next. */
static struct promela_stmt *parse_call_stmt(struct promela_parser *p) {
  struct promela_name *name = promela_intern(p, p->token.text, p->token.length);
  return promela_parse_call(p, name->in, NULL);
}

static bool at_call(struct promela_parser *p) {
  return promela_at(p, PROMELA_T_NAME) &&
         promela_intern(p, p->token.text, p->token.length)->in != NULL;
}

/* ---- one statement ---------------------------------------------------------------------- */

static bool parse_kind(struct promela_parser *p, struct promela_stmt *stmt) {
  switch (p->token.kind) {
  case PROMELA_T_IF:
  case PROMELA_T_DO:
    return parse_selection(p, stmt);
  case PROMELA_T_FOR:
    return promela_parse_for(p, stmt);
  case PROMELA_T_SELECT:
    return promela_parse_select(p, stmt);
  case PROMELA_T_ATOMIC:
    return parse_atomic(p, stmt);
  case PROMELA_T_D_STEP:
    return parse_d_step(p, stmt);
  case PROMELA_T_OPEN_BLOCK:
    return parse_braces(p, stmt);
  default:
    return promela_parse_simple(p, stmt);
  }
}

static bool at_label(struct promela_parser *p) {
  return promela_at(p, PROMELA_T_NAME) && promela_peek(p)->kind == PROMELA_T_COLON &&
         promela_intern(p, p->token.text, p->token.length)->proctype == NULL;
}

struct pending_labels {
  struct {
    struct promela_name *name;
    struct promela_place place;
  } * at;
  uint32_t n, capacity;
};

/* NAME : in front of a statement, as often as there are. */
static bool parse_labels(struct promela_parser *p, struct pending_labels *labels) {
  while (at_label(p)) {
    struct promela_place place;
    struct promela_name *name = promela_new_name(p, "a label", &place);
    if (name == NULL)
      return false;
    promela_advance(p);
    ARENA_PUSH(p->arena, labels);
    labels->at[labels->n - 1].name = name;
    labels->at[labels->n - 1].place = place;
    if (promela_at_declaration(p) || promela_at(p, PROMELA_T_XR) ||
        promela_at(p, PROMELA_T_XS)) {
      promela_complain(p, place, "a label goes before a statement, not before a declaration");
      struct promela_variables known = {0}; /* what it declares is not missed later */
      if (promela_at_declaration(p))
        (void)promela_parse_declaration(p, PROMELA_DECL_LOCAL, NULL, &known);
      p->panic = true;
      return false;
    }
  }
  return true;
}

/* A label with nothing after it is before a skip. */
static void make_skip(struct promela_parser *p, struct promela_stmt *stmt,
                      struct promela_place place) {
  stmt->kind = PROMELA_EXPR;
  stmt->a = promela_number(p, 1, place);
  stmt->span = place.span;
  stmt->call = place.call;
  stmt->code = "skip";
}

static struct promela_stmt *parse_stmt(struct promela_parser *p) {
  struct pending_labels labels = {0};
  if (!promela_deeper(p) || !parse_labels(p, &labels))
    return NULL;
  p->log.n = 0;
  struct promela_stmt *stmt = promela_new_stmt(p, PROMELA_EXPR);
  bool good = true;
  if (labels.n > 0 && (at_separator(p) || at_end_of_sequence(p))) {
    make_skip(p, stmt, labels.at[0].place);
  } else if (at_call(p)) {
    stmt = parse_call_stmt(p);
    good = stmt != NULL;
  } else {
    good = parse_kind(p, stmt);
  }
  p->depth--;
  p->has_statements = true;
  for (uint32_t i = 0; good && i < labels.n; i++) {
    struct promela_label *label =
        promela_declare_label(p, labels.at[i].name, labels.at[i].place, stmt);
    if (label != NULL)
      *ARENA_PUSH(p->arena, &stmt->labels) = label;
  }
  return good ? stmt : NULL;
}

/* unless stmt, after the first one */
static struct promela_stmt *parse_escape(struct promela_parser *p, struct promela_stmt *main) {
  const struct promela_place place = p->token.place;
  struct promela_stmt *stmt = promela_new_stmt(p, PROMELA_UNLESS);
  p->model->uses_unless = true;
  promela_advance(p);
  if (at_label(p)) {
    promela_error(p, p->token.place, "a label cannot follow 'unless'");
    return NULL;
  }
  const struct promela_place begin = p->token.place;
  struct promela_stmt *escape = parse_stmt(p);
  if (escape == NULL)
    return NULL;
  stmt->code = "unless";
  stmt->span = place.span;
  struct promela_sequence *body = ARENA_NEW(p->tree, struct promela_sequence);
  struct promela_sequence *other = ARENA_NEW(p->tree, struct promela_sequence);
  body->span = main->span;
  other->span = begin.span;
  *ARENA_PUSH(p->tree, body) = main;
  *ARENA_PUSH(p->tree, other) = escape;
  stmt->body = body;
  stmt->escape = other;
  return stmt;
}

static struct promela_stmt *parse_exclusive(struct promela_parser *p) {
  struct promela_stmt *stmt = promela_new_stmt(p, PROMELA_EXCLUSIVE);
  stmt->text = promela_token_name(p->token.kind);
  promela_advance(p);
  do {
    struct promela_expr *channel = promela_parse_place(p, true);
    if (channel == NULL)
      return NULL;
    if (channel->type.base != PROMELA_CHAN) {
      promela_error(p, promela_place_of(channel), "'%s' needs a channel", stmt->text);
      return NULL;
    }
    *ARENA_PUSH(p->tree, &stmt->arguments) = channel;
  } while (promela_take(p, PROMELA_T_COMMA));
  *ARENA_PUSH(p->tree, &p->proctype->exclusive) = stmt;
  promela_end_stmt(p, stmt);
  return stmt;
}

static struct promela_stmt *parse_declare(struct promela_parser *p) {
  struct promela_stmt *stmt = promela_new_stmt(p, PROMELA_DECLARE);
  stmt->at_start = !p->has_statements;
  if (!promela_parse_declaration(p, PROMELA_DECL_LOCAL, NULL, &stmt->variables))
    return NULL;
  promela_note_declaration(p, stmt);
  promela_end_stmt(p, stmt);
  return stmt;
}

static struct promela_stmt *parse_step(struct promela_parser *p) {
  p->log.n = 0;
  if (promela_at_declaration(p))
    return parse_declare(p);
  if (promela_at(p, PROMELA_T_XR) || promela_at(p, PROMELA_T_XS))
    return parse_exclusive(p);
  struct promela_stmt *stmt = parse_stmt(p);
  if (stmt != NULL && promela_at(p, PROMELA_T_UNLESS))
    stmt = parse_escape(p, stmt);
  return stmt;
}

/* Skips what a step with an error left over. False if there is no way to go on. */
static bool recover(struct promela_parser *p) {
  promela_recover(p);
  return !p->stopped && !promela_at(p, PROMELA_T_END);
}

/* An assignment as the guard of an option is always executable: often == was meant. */
static void check_guard(struct promela_parser *p, const struct promela_stmt *stmt) {
  if (stmt->kind != PROMELA_ASSIGN || !promela_at(p, PROMELA_T_ARROW))
    return;
  diag_warning(p->diag, stmt->span, "this guard assigns, so it can always be chosen");
  diag_hint(p->diag, "to compare, write '=='");
}

struct promela_sequence *promela_parse_sequence(struct promela_parser *p) {
  bool is_guard = p->taken == PROMELA_T_OPTION;
  struct promela_sequence *sequence = ARENA_NEW(p->tree, struct promela_sequence);
  const struct promela_place begin = p->token.place;
  const uint32_t depth = p->depth;
  do {
    struct promela_stmt *stmt = parse_step(p);
    if (stmt != NULL)
      *ARENA_PUSH(p->tree, sequence) = stmt;
    if (stmt != NULL && is_guard)
      check_guard(p, stmt);
    is_guard = false;
    if (stmt != NULL && !at_separator(p) && !at_end_of_sequence(p))
      promela_unexpected(p, "';' or '->' after this statement");
    p->depth = depth;
    if (p->panic && !recover(p))
      break;
    if (!at_separator(p))
      break;
    while (at_separator(p))
      promela_advance(p);
  } while (!at_end_of_sequence(p));
  sequence->span = promela_span_from(p, begin);
  return p->stopped ? NULL : sequence;
}
