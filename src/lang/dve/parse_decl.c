/* parse_decl.c - declarations of variables, constants and channels. */
#include "lang/dve/parser.h"

bool dve_at_variables(const struct dve_parser *p) {
  return dve_at(p, DVE_CONST) || dve_at(p, DVE_BYTE) || dve_at(p, DVE_INT);
}

/* type = "byte" | "int" */
static bool parse_type(struct dve_parser *p, enum dve_type *type) {
  *type = dve_at(p, DVE_BYTE) ? DVE_TYPE_BYTE : DVE_TYPE_INT;
  if (dve_take(p, DVE_BYTE) || dve_take(p, DVE_INT))
    return true;
  return dve_unexpected(p, "'byte' or 'int'");
}

/* size = "[" expr "]", or nothing */
static bool parse_size(struct dve_parser *p, struct dve_expr **size) {
  *size = NULL;
  if (!dve_take(p, DVE_OPEN_INDEX))
    return true;
  *size = dve_parse_expr(p);
  return *size != NULL && dve_expect(p, DVE_CLOSE_INDEX, "after the size");
}

/* initial = "=" expr | "=" "{" expr {"," expr} "}", or nothing */
static bool parse_initial(struct dve_parser *p, struct dve_variable *v) {
  if (dve_at(p, DVE_EQ)) {
    if (DVE_PARSE_ERROR(p, dve_token_span(p), "'==' compares"))
      diag_hint(p->diag, "an initial value is given with '='");
    return false;
  }
  if (!dve_take(p, DVE_ASSIGN))
    return true;
  v->has_initial = true;
  if (!dve_open_list(p)) {
    struct dve_expr *e = dve_parse_expr(p);
    if (e == NULL)
      return false;
    *ARENA_PUSH(p->arena, &v->initial) = e;
    return true;
  }
  v->has_list = true;
  return dve_parse_exprs(p, &v->initial) && dve_close_list(p, "after the initial values");
}

/* variable = name size initial */
static bool parse_variable(struct dve_parser *p, struct dve_variable *v) {
  if (!dve_expect_name(p, "the name of a variable", &v->name))
    return false;
  if (!parse_size(p, &v->size))
    return false;
  if (dve_at(p, DVE_OPEN_INDEX)) {
    (void)DVE_PARSE_ERROR(p, dve_token_span(p), "arrays have one dimension");
    return false;
  }
  return parse_initial(p, v);
}

static bool parse_variable_list(struct dve_parser *p, struct dve_variables *list) {
  bool is_const = dve_take(p, DVE_CONST);
  enum dve_type type;
  if (!parse_type(p, &type))
    return false;
  do {
    struct dve_variable v = {.type = type, .is_const = is_const};
    if (!parse_variable(p, &v))
      return false;
    *ARENA_PUSH(p->arena, list) = v;
  } while (dve_take(p, DVE_COMMA));
  return dve_expect(p, DVE_SEMICOLON, "after the declaration");
}

/* variables = ["const"] type variable {"," variable} ";" */
void dve_parse_variables(struct dve_parser *p, struct dve_variables *list) {
  if (!parse_variable_list(p, list))
    dve_recover(p);
}

static bool parse_channel_types(struct dve_parser *p, struct dve_types *types) {
  do {
    enum dve_type type;
    if (!parse_type(p, &type))
      return false;
    *ARENA_PUSH(p->arena, types) = type;
  } while (dve_take(p, DVE_COMMA));
  return dve_close_list(p, "after the types of a message");
}

static bool parse_channel_list(struct dve_parser *p, struct dve_channels *list) {
  struct dve_channel shared = {.typed = dve_open_list(p)};
  if (shared.typed && !parse_channel_types(p, &shared.types))
    return false;
  do {
    struct dve_channel c = shared;
    if (!dve_expect_name(p, "the name of a channel", &c.name) || !parse_size(p, &c.capacity))
      return false;
    *ARENA_PUSH(p->arena, list) = c;
  } while (dve_take(p, DVE_COMMA));
  return dve_expect(p, DVE_SEMICOLON, "after the declaration");
}

/* channels = "channel" ["{" type {"," type} "}"] name size {"," name size} ";" */
void dve_parse_channels(struct dve_parser *p, struct dve_channels *list) {
  dve_advance(p);
  if (!parse_channel_list(p, list))
    dve_recover(p);
}
