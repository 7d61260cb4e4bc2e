/* primary.c - the operands of operators. */
#include "lang/promela/parse/parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct promela_type one_bit = {.base = PROMELA_BIT, .is_bool = true, .bits = 1};
static const struct promela_type one_byte = {.base = PROMELA_BYTE, .bits = 8};

struct promela_expr *promela_number(struct promela_parser *p, int32_t value,
                                    struct promela_place place) {
  struct promela_expr *e = promela_new_expr(p, PROMELA_CONST, place);
  e->value = value;
  return e;
}

/* number: digits */
static struct promela_expr *parse_number(struct promela_parser *p) {
  const struct promela_token token = p->token;
  const char *text = arena_text(p->arena, token.text, token.length);
  char *end;
  errno = 0;
  const long long value = strtoll(text, &end, 10);
  if (*end != '\0') {
    if (promela_error(p, token.place, "this is no number"))
      promela_hint(p,
                   "numbers are written with decimal digits; a name does not begin with one");
    return NULL;
  }
  promela_advance(p);
  if (errno != 0 || value > UINT32_MAX)
    diag_warning(p->diag, token.place.span, "this number does not fit in 32 bits");
  return promela_number(p, (int32_t)(uint32_t)(uint64_t)value, token.place);
}

/* character: 'c' | '\n' and the like */
static struct promela_expr *parse_character(struct promela_parser *p) {
  const struct promela_token token = p->token;
  const bool is_escape = token.length > 1 && token.text[1] == '\\';
  if (token.length != 3u + is_escape) {
    promela_error(p, token.place, "expected one character between quotes");
    return NULL;
  }
  char c = token.text[1 + is_escape];
  static const char escapes[] = "n\nr\rt\tf\f";
  for (size_t i = 0; is_escape && i + 1 < sizeof escapes; i += 2)
    if (escapes[i] == token.text[2]) {
      c = escapes[i + 1];
      break;
    }
  promela_advance(p);
  return promela_number(p, (unsigned char)c, token.place);
}

/* word ( expr ) */
static struct promela_expr *parse_function(struct promela_parser *p,
                                           enum promela_expr_kind kind, bool of_channel) {
  const struct promela_place begin = p->token.place;
  const char *word = promela_token_name(p->token.kind);
  promela_advance(p);
  if (!promela_expect(p, PROMELA_T_OPEN, arena_printf(p->arena, "after '%s'", word)))
    return NULL;
  struct promela_expr *a = of_channel ? promela_parse_place(p, false) : promela_parse_expr(p);
  if (a == NULL || !promela_expect(p, PROMELA_T_CLOSE,
                                   arena_printf(p->arena, "after the argument of '%s'", word)))
    return NULL;
  struct promela_expr *e = promela_new_expr(p, kind, begin);
  e->a = a;
  e->height = a->height + 1;
  if (of_channel && kind != PROMELA_LEN)
    e->type = one_bit;
  return e;
}

struct promela_expr *promela_parse_priority(struct promela_parser *p) {
  p->model->uses_priority = true;
  if (!promela_at(p, PROMELA_T_NUMBER)) {
    promela_unexpected(p, "a number after 'priority'");
    return NULL;
  }
  struct promela_expr *e = parse_number(p);
  if (e == NULL || (e->value >= 1 && e->value <= 255))
    return e;
  promela_error(p, promela_place_of(e), "a priority is a number from 1 to 255, not %d",
                e->value);
  return NULL;
}

/* run: run NAME ( [expr {, expr}] ) [priority number] */
static struct promela_expr *parse_run(struct promela_parser *p) {
  const struct promela_place begin = p->token.place;
  promela_advance(p);
  const struct promela_place place = p->token.place;
  if (!promela_at(p, PROMELA_T_NAME)) {
    promela_unexpected(p, "the name of a proctype after 'run'");
    return NULL;
  }
  struct promela_name *name = promela_intern(p, p->token.text, p->token.length);
  promela_advance(p);
  if (p->proctype == NULL) {
    promela_error(p, begin, "'run' can only be used inside of a process");
    return NULL;
  }
  if (!promela_expect(p, PROMELA_T_OPEN, "before the arguments of 'run'"))
    return NULL;
  struct promela_exprs arguments = {0};
  const bool outer = p->allow_struct;
  p->allow_struct = true;
  const bool good = promela_at(p, PROMELA_T_CLOSE) || promela_parse_exprs(p, &arguments);
  p->allow_struct = outer;
  if (!good || !promela_expect(p, PROMELA_T_CLOSE, "after the arguments of 'run'"))
    return NULL;
  struct promela_expr *priority = NULL;
  if (promela_take(p, PROMELA_T_PRIORITY)) {
    priority = promela_parse_priority(p);
    if (priority == NULL)
      return NULL;
  }
  struct promela_expr *e = promela_new_expr(p, PROMELA_RUN, begin);
  e->arguments = arguments;
  e->priority = priority;
  e->type = one_byte;
  for (uint32_t i = 0; i < arguments.n; i++)
    if (arguments.at[i]->height >= e->height)
      e->height = arguments.at[i]->height + 1;
  *ARENA_PUSH(p->arena, &p->lates) = (struct promela_late){e, name, place};
  return e;
}

static bool in_claim(const struct promela_parser *p) {
  return p->in_formula || p->is_asked ||
         (p->proctype != NULL && p->proctype->kind == PROMELA_NEVER);
}

/* remote: NAME [ [ expr ] ] @ label | NAME [ [ expr ] ] : variable [ [ expr ] ] */
static struct promela_expr *parse_remote(struct promela_parser *p, struct promela_name *name) {
  const struct promela_place begin = p->token.place;
  promela_advance(p);
  struct promela_expr *pid = NULL;
  if (promela_take(p, PROMELA_T_OPEN_INDEX)) {
    pid = promela_parse_expr(p);
    if (pid == NULL || !promela_expect(p, PROMELA_T_CLOSE_INDEX, "after the process number"))
      return NULL;
  }
  const bool is_label = promela_at(p, PROMELA_T_AT);
  if (!is_label && !promela_at(p, PROMELA_T_COLON)) {
    const bool is_call = promela_at(p, PROMELA_T_OPEN) && !p->panic;
    promela_unexpected(p, "'@' and a label or ':' and a variable of the process");
    if (is_call)
      promela_hint(p, "a process is started by run");
    return NULL;
  }
  promela_advance(p);
  const struct promela_place place = p->token.place;
  if (!promela_at(p, PROMELA_T_NAME)) {
    promela_unexpected(p, is_label ? "the name of a label" : "the name of a variable");
    return NULL;
  }
  struct promela_name *field = promela_intern(p, p->token.text, p->token.length);
  promela_advance(p);
  struct promela_expr *inner = promela_new_expr(p, PROMELA_VARIABLE, place);
  if (!is_label && promela_take(p, PROMELA_T_OPEN_INDEX)) {
    inner->a = promela_parse_expr(p);
    if (inner->a == NULL || !promela_expect(p, PROMELA_T_CLOSE_INDEX, "after the index"))
      return NULL;
    inner->height = inner->a->height + 1;
  }
  struct promela_expr *e =
      promela_new_expr(p, is_label ? PROMELA_REMOTE_LABEL : PROMELA_REMOTE_VAR, begin);
  e->proctype = name->proctype;
  e->a = pid;
  e->b = is_label ? NULL : inner;
  e->height = 1 + (pid != NULL && pid->height > inner->height ? pid->height : inner->height);
  if (is_label)
    e->type = one_bit;
  *ARENA_PUSH(p->arena, &p->lates) = (struct promela_late){e, field, place};
  return e;
}

/* The names that the language declares; NULL if it is none. */
static struct promela_expr *parse_predefined(struct promela_parser *p) {
  static const struct {
    const char *text;
    enum promela_expr_kind kind;
  } names[] = {{"_pid", PROMELA_PID_VALUE},
               {"_nr_pr", PROMELA_NR_PR},
               {"_last", PROMELA_LAST},
               {"_priority", PROMELA_PRIORITY},
               {"_", PROMELA_SCRATCH}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (!promela_spells(&p->token, names[i].text))
      continue;
    const struct promela_place begin = p->token.place;
    const bool is_own = names[i].kind == PROMELA_PID_VALUE || names[i].kind == PROMELA_PRIORITY;
    if (is_own && p->is_asked) {
      promela_error(p, begin,
                    "'%s' is of the process that asks, and here none does: write a number",
                    names[i].text);
      return NULL;
    }
    /* A claim asks as process 0, of priority 1. */
    const bool is_known = is_own && in_claim(p);
    promela_advance(p);
    struct promela_expr *e =
        promela_new_expr(p, is_known ? PROMELA_CONST : names[i].kind, begin);
    e->value = is_known && names[i].kind == PROMELA_PRIORITY ? 1 : 0;
    e->type = one_byte;
    p->model->uses_last |= names[i].kind == PROMELA_LAST;
    p->model->uses_priority |= names[i].kind == PROMELA_PRIORITY;
    return e;
  }
  return NULL;
}

/* ---- variables ----------------------------------------------------------------------- */

/* [ expr ] after a variable, or what is wrong without. */
static bool parse_index(struct promela_parser *p, struct promela_expr *e, bool whole) {
  struct promela_variable *variable = e->variable;
  if (promela_at(p, PROMELA_T_OPEN_INDEX)) {
    promela_advance(p);
    const bool outer = p->allow_struct;
    p->allow_struct = false;
    e->a = promela_parse_expr(p);
    p->allow_struct = outer;
    if (e->a == NULL || !promela_expect(p, PROMELA_T_CLOSE_INDEX, "after the index"))
      return false;
    int32_t value;
    if (!variable->is_array && !(promela_fold(e->a, &value) && value == 0))
      return promela_error(p, promela_place_of(e), "'%s' is no array", variable->name), false;
    if (e->a->height >= e->height)
      e->height = e->a->height + 1;
  } else if (variable->is_array && (!whole || promela_at(p, PROMELA_T_DOT))) {
    if (promela_error(p, promela_place_of(e), "the array '%s' needs an index here",
                      variable->name))
      promela_hint(p, "write '%s[0]' for its first element", variable->name);
    return false;
  }
  e->type = variable->type;
  return true;
}

/* place: NAME [ [ expr ] ] {. NAME [ [ expr ] ]} */
static struct promela_expr *parse_variable(struct promela_parser *p, struct promela_name *name,
                                           bool whole) {
  const struct promela_place begin = p->token.place;
  struct promela_variable *variable = promela_find_variable(p, name, begin);
  if (variable == NULL || p->panic)
    return NULL;
  promela_advance(p);
  struct promela_expr *e = promela_new_expr(p, PROMELA_VARIABLE, begin);
  e->variable = variable;
  if (!parse_index(p, e, whole))
    return NULL;
  e->span = promela_span_from(p, begin);
  while (promela_take(p, PROMELA_T_DOT)) {
    const struct promela_place place = p->token.place;
    if (p->token.kind != PROMELA_T_NAME) {
      promela_unexpected(p, "the name of a field after '.'");
      return NULL;
    }
    const char *field = arena_text(p->arena, p->token.text, p->token.length);
    if (e->type.base != PROMELA_STRUCT) {
      if (promela_error(p, place, "'%s' is no struct: it has no field '%s'", e->variable->name,
                        field) &&
          e->type.base == PROMELA_CHAN)
        promela_hint(p, "a message is sent by c!value, and received by c?variable");
      return NULL;
    }
    struct promela_expr *outer = e;
    e = promela_new_expr(p, PROMELA_FIELD, place);
    e->b = outer;
    e->height = outer->height + 1;
    e->variable = promela_field_named(outer->type.structure, field);
    if (e->variable == NULL) {
      promela_error(p, place, "typedef '%s' has no field '%s'", outer->type.structure->name,
                    field);
      return NULL;
    }
    promela_advance(p);
    if (!parse_index(p, e, whole))
      return NULL;
    e->span = promela_span_from(p, begin);
  }
  return e;
}

struct promela_expr *promela_parse_place(struct promela_parser *p, bool whole) {
  if (p->token.kind != PROMELA_T_NAME) {
    promela_unexpected(p, "a variable");
    return NULL;
  }
  struct promela_expr *e = parse_predefined(p);
  if (e != NULL)
    return e;
  e = parse_variable(p, promela_intern(p, p->token.text, p->token.length), whole);
  if (e != NULL && e->type.base == PROMELA_STRUCT && !whole && !p->allow_struct) {
    promela_error(p, promela_place_of(e), "a whole struct cannot be used here");
    return NULL;
  }
  return e;
}

/* poll: place ?[ arguments ] | place ??[ arguments ], after the place */
static struct promela_expr *parse_poll(struct promela_parser *p, struct promela_expr *channel) {
  struct promela_expr *e = promela_new_expr(p, PROMELA_POLL, promela_place_of(channel));
  e->a = channel;
  e->random = promela_at(p, PROMELA_T_RANDOM_RECEIVE);
  e->type = one_bit;
  e->height = channel->height + 1;
  promela_advance(p);
  promela_advance(p);
  if (!p->grammar->receive(p, &e->arguments) ||
      !promela_expect(p, PROMELA_T_CLOSE_INDEX, "after what is polled for"))
    return NULL;
  e->span = promela_span_from(p, promela_place_of(channel));
  for (uint32_t i = 0; i < e->arguments.n; i++)
    if (e->arguments.at[i]->height >= e->height)
      e->height = e->arguments.at[i]->height + 1;
  return e;
}

/* What begins with a name. */
static struct promela_expr *parse_name(struct promela_parser *p) {
  const struct promela_place place = p->token.place;
  struct promela_name *name = promela_intern(p, p->token.text, p->token.length);
  if (name->symbol != NULL) {
    promela_advance(p);
    struct promela_expr *e = promela_number(p, name->symbol->value, place);
    e->symbol = name->symbol;
    e->type =
        (struct promela_type){.base = PROMELA_MTYPE, .bits = 8, .mtype = name->symbol->mtype};
    return e;
  }
  if (name->proctype != NULL)
    return parse_remote(p, name);
  if (name->binding == NULL && promela_peek(p)->kind == PROMELA_T_AT) {
    promela_error(p, place, "there is no proctype '%s' so far", name->text);
    return NULL;
  }
  struct promela_expr *e = promela_parse_place(p, false);
  if (e == NULL)
    return NULL;
  const bool is_receive =
      promela_at(p, PROMELA_T_RECEIVE) || promela_at(p, PROMELA_T_RANDOM_RECEIVE);
  return is_receive && promela_peek(p)->kind == PROMELA_T_OPEN_INDEX ? parse_poll(p, e) : e;
}

/* : expr ), after the condition and the first value */
static struct promela_expr *parse_other_value(struct promela_parser *p,
                                              struct promela_place begin,
                                              struct promela_expr *a, struct promela_expr *b) {
  if (b == NULL || !promela_expect(p, PROMELA_T_COLON, "between the values of '->'"))
    return NULL;
  struct promela_expr *c = promela_parse_expr(p);
  if (c == NULL || !promela_expect(p, PROMELA_T_CLOSE, "after the values of '->'"))
    return NULL;
  struct promela_expr *e = promela_new_expr(p, PROMELA_COND, begin);
  e->a = a;
  e->b = b;
  e->c = c;
  e->height = 1 + (b->height > c->height ? b->height : c->height);
  if (a->height >= e->height)
    e->height = a->height + 1;
  if (b->type.base == c->type.base)
    e->type = b->type;
  return e;
}

/* Not one in parentheses. */
static bool is_implication(const struct promela_expr *e) {
  return e->kind == PROMELA_IMPLIES && e->span.begin == e->a->span.begin;
}

/* ( condition ) | ( expr -> expr : expr ). In a formula what is before ':' has been read as an
 * implication. */
static struct promela_expr *parse_parentheses(struct promela_parser *p) {
  const struct promela_place begin = p->token.place;
  promela_advance(p);
  struct promela_expr *a = promela_parse_condition(p);
  if (a == NULL)
    return NULL;
  if (!p->in_formula && promela_take(p, PROMELA_T_ARROW))
    return parse_other_value(p, begin, a, promela_parse_expr(p));
  if (is_implication(a) && !is_implication(a->a) && !is_implication(a->b) &&
      promela_at(p, PROMELA_T_COLON))
    return parse_other_value(p, begin, a->a, a->b);
  if (!promela_expect(p, PROMELA_T_CLOSE, "to close the parenthesis"))
    return NULL;
  a->span = promela_span_from(p, begin);
  return a;
}

static struct promela_expr *parse_c_expr(struct promela_parser *p) {
  const struct promela_place begin = p->token.place;
  const char *precondition = NULL;
  const char *text = promela_raw_block(p, &precondition);
  if (text == NULL)
    return NULL;
  struct promela_expr *e = promela_new_expr(p, PROMELA_C_EXPR, begin);
  e->text = text;
  e->precondition = precondition;
  p->model->uses_c_code = true;
  return e;
}

static struct promela_expr *parse_word(struct promela_parser *p, enum promela_expr_kind kind,
                                       int32_t value) {
  const struct promela_place begin = p->token.place;
  promela_advance(p);
  struct promela_expr *e = promela_new_expr(p, kind, begin);
  e->value = value;
  e->type = one_bit;
  return e;
}

struct promela_expr *promela_parse_primary(struct promela_parser *p) {
  switch (p->token.kind) {
  case PROMELA_T_NUMBER:
    return parse_number(p);
  case PROMELA_T_CHAR:
    return parse_character(p);
  case PROMELA_T_TRUE:
  case PROMELA_T_SKIP:
    return parse_word(p, PROMELA_CONST, 1);
  case PROMELA_T_FALSE:
    return parse_word(p, PROMELA_CONST, 0);
  case PROMELA_T_NAME:
    return parse_name(p);
  case PROMELA_T_OPEN:
    return parse_parentheses(p);
  case PROMELA_T_RUN:
    return parse_run(p);
  case PROMELA_T_LEN:
    return parse_function(p, PROMELA_LEN, true);
  case PROMELA_T_EMPTY:
    return parse_function(p, PROMELA_EMPTY, true);
  case PROMELA_T_NEMPTY:
    return parse_function(p, PROMELA_NEMPTY, true);
  case PROMELA_T_FULL:
    return parse_function(p, PROMELA_FULL, true);
  case PROMELA_T_NFULL:
    return parse_function(p, PROMELA_NFULL, true);
  case PROMELA_T_ENABLED:
    p->model->uses_enabled = true;
    return parse_function(p, PROMELA_ENABLED, false);
  case PROMELA_T_PC_VALUE:
    p->model->uses_pc_value = true;
    return parse_function(p, PROMELA_PC_VALUE, false);
  case PROMELA_T_GET_PRIORITY:
    p->model->uses_priority = true;
    return parse_function(p, PROMELA_GET_PRIORITY, false);
  case PROMELA_T_TIMEOUT:
    return parse_word(p, PROMELA_TIMEOUT, 0);
  case PROMELA_T_NP:
    p->model->uses_np = true;
    if (!in_claim(p)) {
      promela_error(p, p->token.place, "'np_' can only be used in a never claim or a formula");
      return NULL;
    }
    return parse_word(p, PROMELA_NP, 0);
  case PROMELA_T_C_EXPR:
    return parse_c_expr(p);
  default:
    promela_unexpected(p, "an expression");
    return NULL;
  }
}
