/* file.c - the units of a model.
 *
 *   model  {unit}
 *   unit   proctype | init | never | trace | ltl | inline | typedef | declaration
 *        | embedded C | ;
 *
 * Formulas are read when all else is known, wherever they are.
 */
#include "lang/promela/parse/parser.h"

#include <string.h>

/* ---- processes ------------------------------------------------------------------- */

static struct promela_proctype *new_proctype(struct promela_parser *p,
                                             enum promela_process_kind kind, const char *name) {
  struct promela_proctype *proctype = ARENA_NEW(p->arena, struct promela_proctype);
  proctype->kind = kind;
  proctype->name = name;
  proctype->span = p->token.place.span;
  proctype->index = p->model->proctypes.n;
  *ARENA_PUSH(p->arena, &p->model->proctypes) = proctype;
  return proctype;
}

static void enter_proctype(struct promela_parser *p, struct promela_proctype *proctype) {
  p->proctype = proctype;
  p->has_statements = false;
  p->loop = p->d_step = NULL;
  promela_open_scope(p);
}

static void leave_proctype(struct promela_parser *p) {
  promela_resolve_jumps(p);
  promela_close_scope(p);
  p->proctype = NULL;
  p->in_sequence = false;
}

/* { sequence } : the end of the last line needs no separator */
static void parse_body(struct promela_parser *p) {
  struct promela_proctype *proctype = p->proctype;
  p->in_sequence = true;
  const struct promela_place begin = p->token.place;
  if (promela_expect(p, PROMELA_T_OPEN_BLOCK, "before the body of the process")) {
    promela_open_scope(p);
    struct promela_sequence *sequence = promela_parse_sequence(p);
    promela_close_scope(p);
    p->in_sequence = false;
    if (sequence != NULL) {
      proctype->body = *sequence;
      proctype->end = p->token.place.span;
      if (!promela_take(p, PROMELA_T_CLOSE_BLOCK) && !p->stopped) {
        promela_unexpected(p, "'}' and the end of the process");
        diag_add(p->diag, DIAG_NOTE, begin.span, "to close this '{'");
        promela_stop(p);
      }
    }
  }
  p->in_sequence = false;
}

/* parameters: [declaration {; declaration}] */
static bool parse_parameters(struct promela_parser *p) {
  if (promela_take(p, PROMELA_T_CLOSE))
    return true;
  do {
    if (!promela_parse_declaration(p, PROMELA_DECL_PARAMETER, NULL, NULL))
      return false;
    if (promela_at_declaration(p)) {
      promela_error(p, p->token.place, "parameters of different types are separated by ';'");
      return false;
    }
  } while (promela_take(p, PROMELA_T_SEMICOLON));
  p->proctype->n_parameters = p->proctype->variables.n;
  return promela_expect(p, PROMELA_T_CLOSE, "after the parameters");
}

/* [priority number] */
static bool parse_priority(struct promela_parser *p) {
  if (!promela_take(p, PROMELA_T_PRIORITY))
    return true;
  p->proctype->priority = promela_parse_priority(p);
  return p->proctype->priority != NULL;
}

/* [provided ( condition )] */
static bool parse_provided(struct promela_parser *p) {
  if (!promela_take(p, PROMELA_T_PROVIDED))
    return true;
  p->model->uses_provided = true;
  if (!promela_expect(p, PROMELA_T_OPEN, "after 'provided'"))
    return false;
  struct promela_expr *e = promela_parse_condition(p);
  p->proctype->provided = e;
  return e != NULL && promela_check_value(p, e, false) && promela_check_global(p, e) &&
         promela_expect(p, PROMELA_T_CLOSE, "after the condition of 'provided'");
}

/* active [ [ constant ] ] : how many */
static bool parse_active(struct promela_parser *p, uint32_t *n) {
  int32_t value = 1;
  bool is_name;
  promela_advance(p);
  const struct promela_place place = p->token.place;
  if (promela_take(p, PROMELA_T_OPEN_INDEX)) {
    if (!promela_parse_const(p, "the number of processes", &value, &is_name) ||
        !promela_expect(p, PROMELA_T_CLOSE_INDEX, "after the number of processes"))
      return false;
    if (value < 0 || value > 255) {
      promela_error(p, place, "there are 0 to 255 processes, not %d", value);
      return false;
    }
  }
  *n = (uint32_t)value;
  return true;
}

/* proctype: [active …] (proctype | D_proctype) NAME ( parameters )
 *           [priority …] [provided …] body */
static void parse_proctype(struct promela_parser *p) {
  uint32_t n_active = 0;
  if (promela_at(p, PROMELA_T_ACTIVE) && !parse_active(p, &n_active))
    return;
  const bool deterministic = promela_at(p, PROMELA_T_D_PROCTYPE);
  if (!deterministic && !promela_at(p, PROMELA_T_PROCTYPE)) {
    promela_unexpected(p, "'proctype'");
    return;
  }
  promela_advance(p);
  struct promela_place place;
  struct promela_name *name = promela_new_name(p, "the name of a proctype", &place);
  if (name == NULL)
    return;
  struct promela_proctype *proctype = new_proctype(p, PROMELA_PROCTYPE, name->text);
  proctype->span = place.span;
  proctype->n_active = n_active;
  proctype->deterministic = deterministic;
  name->proctype = proctype;
  enter_proctype(p, proctype);
  if (promela_expect(p, PROMELA_T_OPEN, "after the name of a proctype") &&
      parse_parameters(p) && parse_priority(p) && parse_provided(p))
    parse_body(p);
  leave_proctype(p);
}

/* The unit of that kind that is there already, or NULL. */
static const struct promela_proctype *other_of(const struct promela_parser *p,
                                               enum promela_process_kind kind) {
  for (uint32_t i = 0; i < p->model->proctypes.n; i++)
    if (p->model->proctypes.at[i]->kind == kind)
      return p->model->proctypes.at[i];
  return NULL;
}

static bool is_first(struct promela_parser *p, enum promela_process_kind kind,
                     const char *what) {
  const struct promela_proctype *other = other_of(p, kind);
  if (other == NULL)
    return true;
  if (promela_complain(p, p->token.place, "a model has one %s", what))
    diag_add(p->diag, DIAG_NOTE, other->span, "the first one");
  return false;
}

/* init: init [priority number] body */
static void parse_init(struct promela_parser *p) {
  const struct promela_proctype *other = other_of(p, PROMELA_INIT);
  if (other != NULL) {
    diag_warning(p->diag, p->token.place.span, "the model has another init: both run");
    diag_add(p->diag, DIAG_NOTE, other->span, "the first one");
  }
  struct promela_proctype *proctype = new_proctype(p, PROMELA_INIT, ":init:");
  proctype->n_active = 1;
  enter_proctype(p, proctype);
  promela_advance(p);
  if (parse_priority(p))
    parse_body(p);
  leave_proctype(p);
}

static bool claim_exists(const struct promela_parser *p, const char *name) {
  for (uint32_t i = 0; i < p->model->proctypes.n; i++)
    if (p->model->proctypes.at[i]->kind == PROMELA_NEVER &&
        strcmp(p->model->proctypes.at[i]->name, name) == 0)
      return true;
  return false;
}

/* never: never [NAME] body */
static void parse_never(struct promela_parser *p) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->model->proctypes.n; i++)
    n += p->model->proctypes.at[i]->kind == PROMELA_NEVER;
  const char *unnamed = arena_printf(p->arena, "never_%u", n);
  struct promela_proctype *proctype = new_proctype(p, PROMELA_NEVER, unnamed);
  enter_proctype(p, proctype);
  promela_advance(p);
  if (promela_at(p, PROMELA_T_NAME)) {
    const char *name = arena_text(p->arena, p->token.text, p->token.length);
    if (claim_exists(p, name))
      promela_complain(p, p->token.place, "there is another claim '%s'", name);
    proctype->name = name;
    promela_advance(p);
  }
  parse_body(p);
  leave_proctype(p);
}

/* trace: (trace | notrace) body */
static void parse_trace(struct promela_parser *p) {
  const bool is_trace = promela_at(p, PROMELA_T_TRACE);
  if (is_first(p, PROMELA_TRACE, "trace or notrace"))
    is_first(p, PROMELA_NOTRACE, "trace or notrace");
  struct promela_proctype *proctype = is_trace ? new_proctype(p, PROMELA_TRACE, ":trace:")
                                               : new_proctype(p, PROMELA_NOTRACE, ":notrace:");
  enter_proctype(p, proctype);
  promela_advance(p);
  parse_body(p);
  leave_proctype(p);
}

/* ---- inlines ----------------------------------------------------------------------- */

/* inline: inline NAME ( [NAME {, NAME}] ) { … } */
static void parse_inline(struct promela_parser *p) {
  struct promela_place place;
  promela_advance(p);
  struct promela_name *name = promela_new_name(p, "the name of an inline", &place);
  if (name == NULL)
    return;
  struct promela_inline *in = ARENA_NEW(p->arena, struct promela_inline);
  in->name = name->text;
  in->definition = place.span;
  if (!promela_expect(p, PROMELA_T_OPEN, "after the name of an inline"))
    return;
  while (!promela_at(p, PROMELA_T_CLOSE)) {
    const bool is_constant = promela_at(p, PROMELA_T_NAME) &&
                             promela_intern(p, p->token.text, p->token.length)->symbol != NULL;
    if (!promela_at(p, PROMELA_T_NAME) || is_constant) {
      promela_unexpected(p, "the name of a parameter");
      return;
    }
    *ARENA_PUSH(p->arena, &in->parameters) = p->token;
    promela_advance(p);
    if (!promela_take(p, PROMELA_T_COMMA) && !promela_at(p, PROMELA_T_CLOSE)) {
      promela_unexpected(p, "',' or ')' after the parameter");
      return;
    }
  }
  if (promela_skip_block(p, &in->begin, &in->end))
    name->in = in;
}

/* ---- formulas ---------------------------------------------------------------------- */

/* ltl: ltl [NAME] { condition } : kept for later */
static void keep_formula(struct promela_parser *p) {
  const struct promela_token *begin = p->frames.at[0].at;
  const struct promela_token *from;
  const struct promela_token *end;
  if (begin < p->frames.at[0].end && begin->kind == PROMELA_T_NAME)
    promela_advance(p);
  if (promela_skip_block(p, &from, &end))
    *ARENA_PUSH(p->arena, &p->formulas) = (struct promela_tokens){
        .at = (struct promela_token *)begin, .n = (uint32_t)(end - begin)};
}

/* An implication whose left side is only a part of what was meant. */
static void check_implication(struct promela_parser *p, const struct promela_expr *e) {
  if (e->kind != PROMELA_IMPLIES || e->a->kind != PROMELA_ALWAYS)
    return;
  const bool in_signs = e->a->span.source->text[e->a->span.begin] == '[';
  const char *always = in_signs ? "[]" : "always", *implies = in_signs ? "->" : "implies";
  diag_add(p->diag, DIAG_WARNING, e->span,
           "'%s' binds stronger than '%s': only what is left of '%s' has to hold always",
           always, implies, implies);
  diag_hint(p->diag, "if the implication is meant to hold always, write %s (p %s q)", always,
            implies);
}

static void parse_formula(struct promela_parser *p) {
  struct promela_formula *formula = ARENA_NEW(p->arena, struct promela_formula);
  formula->name = arena_printf(p->arena, "ltl_%u", p->model->formulas.n);
  formula->span = p->token.place.span;
  if (promela_at(p, PROMELA_T_NAME)) {
    formula->name = arena_text(p->arena, p->token.text, p->token.length);
    for (uint32_t i = 0; i < p->model->formulas.n; i++)
      if (strcmp(p->model->formulas.at[i]->name, formula->name) == 0)
        promela_complain(p, p->token.place, "there is another formula '%s'", formula->name);
    promela_advance(p);
  }
  if (!promela_expect(p, PROMELA_T_OPEN_BLOCK, "before the formula"))
    return;
  p->log.n = 0;
  formula->formula = promela_parse_condition(p);
  if (formula->formula == NULL)
    return;
  formula->code = promela_logged(p, 0);
  promela_take(p, PROMELA_T_SEMICOLON);
  if (!promela_expect(p, PROMELA_T_CLOSE_BLOCK, "after the formula"))
    return;
  if (!promela_check_value(p, formula->formula, false))
    return;
  check_implication(p, formula->formula);
  *ARENA_PUSH(p->arena, &p->model->formulas) = formula;
}

void promela_parse_formulas(struct promela_parser *p) {
  p->in_formula = true;
  for (uint32_t i = 0; i < p->formulas.n && !p->stopped; i++) {
    const struct promela_tokens *tokens = &p->formulas.at[i];
    p->panic = false;
    p->depth = 0;
    promela_read_tokens(p, tokens->at, tokens->at + tokens->n);
    parse_formula(p);
  }
  p->in_formula = false;
  p->panic = p->stopped;
}

/* ---- embedded C ------------------------------------------------------------------------ */

static void parse_c_block(struct promela_parser *p) {
  struct promela_c_part part = {.span = p->token.place.span};
  part.kind = promela_at(p, PROMELA_T_C_DECL) ? PROMELA_C_DECL : PROMELA_C_GLOBAL_CODE;
  const char *precondition = NULL;
  part.text[0] = promela_raw_block(p, &precondition);
  p->model->uses_c_code = true;
  *ARENA_PUSH(p->arena, &p->model->c_parts) = part;
}

/* (c_state | c_track) string string [string] */
static void parse_c_strings(struct promela_parser *p) {
  struct promela_c_part part = {.span = p->token.place.span};
  part.kind = promela_at(p, PROMELA_T_C_STATE) ? PROMELA_C_STATE : PROMELA_C_TRACK;
  p->model->uses_c_code = true;
  promela_advance(p);
  uint32_t n = 0;
  for (; n < 3 && promela_at(p, PROMELA_T_STRING); n++) {
    part.text[n] = arena_text(p->arena, p->token.text + 1, p->token.length - 2);
    promela_advance(p);
  }
  if (n < 2)
    promela_unexpected(p, "two or three strings in double quotes");
  *ARENA_PUSH(p->arena, &p->model->c_parts) = part;
}

/* ---- all units -----------------------------------------------------------------------------
 */

static void parse_unit(struct promela_parser *p) {
  switch (p->token.kind) {
  case PROMELA_T_ACTIVE:
  case PROMELA_T_PROCTYPE:
  case PROMELA_T_D_PROCTYPE:
    parse_proctype(p);
    break;
  case PROMELA_T_INIT:
    parse_init(p);
    break;
  case PROMELA_T_NEVER:
    parse_never(p);
    break;
  case PROMELA_T_TRACE:
  case PROMELA_T_NOTRACE:
    parse_trace(p);
    break;
  case PROMELA_T_LTL:
    keep_formula(p);
    break;
  case PROMELA_T_INLINE:
    parse_inline(p);
    break;
  case PROMELA_T_TYPEDEF:
    promela_parse_typedef(p);
    break;
  case PROMELA_T_C_CODE:
  case PROMELA_T_C_DECL:
    parse_c_block(p);
    break;
  case PROMELA_T_C_STATE:
  case PROMELA_T_C_TRACK:
    parse_c_strings(p);
    break;
  case PROMELA_T_SEMICOLON:
  case PROMELA_T_ARROW:
    promela_advance(p);
    break;
  default:
    if (promela_at_declaration(p))
      promela_parse_declaration(p, PROMELA_DECL_GLOBAL, NULL, NULL);
    else
      promela_unexpected(p, "a proctype, init, a declaration or another part of a model");
  }
}

void promela_parse_units(struct promela_parser *p) {
  while (!promela_at(p, PROMELA_T_END) && !p->stopped) {
    const struct promela_token *before = p->frames.at[0].at;
    p->depth = 0;
    p->log.n = 0;
    parse_unit(p);
    if (!p->panic)
      continue;
    p->in_sequence = false;
    if (p->frames.at[0].at == before && !promela_at(p, PROMELA_T_END))
      promela_advance(p);
    promela_recover_unit(p);
  }
}
