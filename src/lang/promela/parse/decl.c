/* decl.c - declarations of variables, and typedefs. */
#include "lang/promela/parse/parser.h"

#include <string.h>

/* What the declarators of one declaration share. */
struct declaration {
  enum promela_decl_where where;
  struct promela_struct *structure; /* FIELD: whose */
  struct promela_type type;
  enum promela_visibility visibility;
  struct promela_variables *into;
};

/* ---- initial values --------------------------------------------------------------- */

/* { expr {, expr} } */
static bool parse_list(struct promela_parser *p, struct promela_variable *variable) {
  const struct promela_place begin = p->token.place;
  promela_advance(p);
  if (!variable->is_array) {
    promela_error(p, begin, "'%s' is no array: it has one value", variable->name);
    return false;
  }
  if (!promela_parse_exprs(p, &variable->list))
    return false;
  for (uint32_t i = 0; i < variable->list.n; i++) {
    int32_t value;
    if (!promela_fold(variable->list.at[i], &value)) {
      promela_error(p, promela_place_of(variable->list.at[i]),
                    "the values in this list must be constants");
      return false;
    }
  }
  if (variable->list.n > variable->length)
    diag_warning(p->diag, begin.span, "'%s' has %u elements, but %u values are given",
                 variable->name, variable->length, variable->list.n);
  return promela_expect(p, PROMELA_T_CLOSE_BLOCK, "after the list of values");
}

static bool check_mtype(struct promela_parser *p, const struct promela_variable *variable,
                        const struct promela_expr *value) {
  const struct promela_mtype *set = variable->type.mtype;
  if (variable->type.base != PROMELA_MTYPE || value->symbol == NULL || set == NULL ||
      set->name == NULL || value->symbol->mtype == set)
    return true;
  return promela_complain(p, promela_place_of(value), "'%s' does not belong to 'mtype:%s'",
                          value->symbol->name, set->name),
         false;
}

/* = value: of a channel, of an array, of a scalar */
static bool parse_initial(struct promela_parser *p, const struct declaration *d,
                          struct promela_variable *variable) {
  const struct promela_place begin = p->token.place;
  promela_advance(p);
  if (d->where == PROMELA_DECL_PARAMETER) {
    promela_error(p, begin, "a parameter has no initial value: it gets one from 'run'");
    return false;
  }
  if (promela_at(p, PROMELA_T_OPEN_INDEX)) {
    const struct promela_place place = p->token.place;
    if (variable->type.base != PROMELA_CHAN) {
      promela_error(p, place, "'%s' is no channel", variable->name);
      return false;
    }
    variable->channel = promela_parse_channel(p);
    if (variable->channel != NULL && d->where == PROMELA_DECL_LOCAL && p->has_statements) {
      promela_error(p, place, "a channel must be declared before the first statement");
      return false;
    }
    return variable->channel != NULL;
  }
  if (promela_at(p, PROMELA_T_OPEN_BLOCK))
    return parse_list(p, variable);
  variable->initial = promela_parse_expr(p);
  if (variable->initial == NULL)
    return false;
  if (!promela_check_value(p, variable->initial, false))
    return false;
  int32_t value;
  if (d->where == PROMELA_DECL_FIELD && !promela_fold(variable->initial, &value)) {
    promela_error(p, promela_place_of(variable->initial),
                  "the initial value of a field must be a constant");
    return false;
  }
  return check_mtype(p, variable, variable->initial);
}

/* ---- declarators ---------------------------------------------------------------------- */

/* [ constant ] after the name */
static bool parse_length(struct promela_parser *p, const struct declaration *d,
                         struct promela_variable *variable) {
  const struct promela_place begin = p->token.place;
  int32_t length;
  bool is_name;
  promela_advance(p);
  if (!promela_parse_const(p, "the length of an array", &length, &is_name) ||
      !promela_expect(p, PROMELA_T_CLOSE_INDEX, "after the length of the array"))
    return false;
  if (is_name && length <= 0)
    length = 8;
  if (is_name)
    diag_warning(p->diag, begin.span, "a variable as the length of an array is taken as %d",
                 length);
  if (length < 1 || length > 65535) {
    promela_error(p, begin, "an array has 1 to 65535 elements, not %d", length);
    return false;
  }
  if (d->where == PROMELA_DECL_PARAMETER) {
    promela_error(p, begin, "an array cannot be a parameter");
    return false;
  }
  variable->is_array = true;
  variable->length = (uint32_t)length;
  return true;
}

/* : number after the name of an unsigned */
static bool parse_width(struct promela_parser *p, struct promela_variable *variable) {
  const struct promela_place begin = p->token.place;
  int32_t width = 0;
  if (promela_take(p, PROMELA_T_COLON)) {
    bool is_name;
    if (!promela_at(p, PROMELA_T_NUMBER))
      return promela_unexpected(p, "the number of bits");
    if (!promela_parse_const(p, "the number of bits", &width, &is_name))
      return false;
    if (variable->type.base != PROMELA_UNSIGNED) {
      promela_error(p, begin, "only 'unsigned' has a number of bits");
      return false;
    }
  }
  if (variable->type.base != PROMELA_UNSIGNED)
    return true;
  if (width < 1 || width > 32) {
    promela_error(p, (struct promela_place){.span = variable->span, .call = variable->call},
                  "'unsigned' needs a number of bits from 1 to 32: unsigned %s : 5",
                  variable->name);
    return false;
  }
  variable->type.bits = (uint8_t)width;
  return true;
}

static void keep_variable(struct promela_parser *p, const struct declaration *d,
                          struct promela_variable *variable) {
  struct promela_variables *list = d->where == PROMELA_DECL_FIELD    ? &d->structure->fields
                                   : d->where == PROMELA_DECL_GLOBAL ? &p->model->globals
                                                                     : &p->proctype->variables;
  variable->index = list->n;
  *ARENA_PUSH(p->arena, list) = variable;
  if (d->into != NULL)
    *ARENA_PUSH(p->arena, d->into) = variable;
}

static bool name_variable(struct promela_parser *p, const struct declaration *d,
                          struct promela_name *name, struct promela_variable *variable) {
  const struct promela_place place = {.span = variable->span, .call = variable->call};
  if (d->where != PROMELA_DECL_FIELD)
    return promela_bind(p, name, variable, place);
  if (promela_field_named(d->structure, variable->name) == NULL)
    return true;
  promela_complain(p, place, "field '%s' is declared twice", variable->name);
  return false;
}

/* The first array in a struct, or NULL. */
static const struct promela_variable *array_in(const struct promela_struct *structure) {
  for (uint32_t i = 0; structure != NULL && i < structure->fields.n; i++) {
    const struct promela_variable *field = structure->fields.at[i];
    if (field->is_array)
      return field;
    field = array_in(field->type.structure);
    if (field != NULL)
      return field;
  }
  return NULL;
}

static bool check_parameter(struct promela_parser *p, const struct promela_variable *v) {
  const struct promela_variable *array = array_in(v->type.structure);
  const struct promela_place place = {.span = v->span, .call = v->call};
  if (array == NULL)
    return true;
  if (promela_error(p, place, "parameter '%s' cannot be a struct with an array in it: '%s'",
                    v->name, array->name)) {
    diag_add(p->diag, DIAG_NOTE, array->span, "the array");
    promela_hint(p, "Spin refuses it as well; give the number of a global array's element");
  }
  return false;
}

/* [: number | [ constant ]] [= value] after the name */
static bool parse_rest(struct promela_parser *p, const struct declaration *d,
                       struct promela_name *name, struct promela_place place) {
  struct promela_variable *variable = ARENA_NEW(p->arena, struct promela_variable);
  variable->name = name->text;
  variable->span = place.span;
  variable->call = place.call;
  variable->type = d->type;
  variable->visibility = d->visibility;
  variable->length = 1;
  variable->structure = d->structure;
  variable->owner = d->where == PROMELA_DECL_FIELD ? NULL : p->proctype;
  variable->is_parameter = d->where == PROMELA_DECL_PARAMETER;
  if (name->text[0] == '_' &&
      (name->text[1] == '\0' || strcmp(name->text, "_pid") == 0 ||
       strcmp(name->text, "_nr_pr") == 0 || strcmp(name->text, "_last") == 0)) {
    promela_error(p, place, "'%s' is declared by the language", name->text);
    return false;
  }
  if (promela_at(p, PROMELA_T_OPEN_INDEX) ? !parse_length(p, d, variable)
                                          : !parse_width(p, variable))
    return false;
  if (promela_at(p, PROMELA_T_ASSIGN) && !parse_initial(p, d, variable))
    return false;
  if (d->visibility == PROMELA_HIDDEN &&
      (d->where == PROMELA_DECL_LOCAL || d->type.base == PROMELA_CHAN)) {
    promela_error(p, place, "only global variables that are no channels can be hidden");
    return false;
  }
  if (d->where == PROMELA_DECL_PARAMETER && !check_parameter(p, variable))
    return false;
  if (name_variable(p, d, name, variable))
    keep_variable(p, d, variable);
  return true;
}

/* declarator: NAME [: number | [ constant ]] [= value] */
static bool parse_declarator(struct promela_parser *p, const struct declaration *d) {
  struct promela_place place;
  struct promela_name *name = promela_new_name(p, "the name of a variable", &place);
  if (name == NULL)
    return false;
  const bool good = parse_rest(p, d, name, place);
  if (!good && d->where != PROMELA_DECL_FIELD && name->binding == NULL)
    promela_forgive(p, name);
  return good;
}

/* visibility: hidden | show | local */
static enum promela_visibility parse_visibility(struct promela_parser *p) {
  if (promela_take(p, PROMELA_T_HIDDEN))
    return PROMELA_HIDDEN;
  if (promela_take(p, PROMELA_T_SHOW))
    return PROMELA_SHOW;
  return promela_take(p, PROMELA_T_LOCAL) ? PROMELA_LOCAL : PROMELA_PLAIN;
}

/* mtype [: NAME] [=] { names }: the brace is next */
static bool parse_symbol_set(struct promela_parser *p, const struct declaration *d,
                             struct promela_place begin) {
  if (d->type.base != PROMELA_MTYPE) {
    promela_unexpected(p, "the name of a variable");
    return false;
  }
  if (d->where != PROMELA_DECL_GLOBAL) {
    promela_error(p, begin, "symbolic names must be declared outside of processes");
    return false;
  }
  promela_advance(p);
  struct promela_mtype *set =
      promela_mtype_named(p, d->type.mtype == NULL ? NULL : d->type.mtype->name);
  return promela_parse_symbols(p, set);
}

/* declaration: [visibility] type declarator {, declarator} | mtype [: NAME] [=] { names } */
bool promela_parse_declaration(struct promela_parser *p, enum promela_decl_where where,
                               struct promela_struct *structure,
                               struct promela_variables *into) {
  struct declaration d = {.where = where, .structure = structure, .into = into};
  d.visibility = parse_visibility(p);
  const struct promela_place begin = p->token.place;
  const bool is_struct = promela_at_typedef_name(p);
  if (is_struct) {
    d.type.base = PROMELA_STRUCT;
    d.type.structure = promela_intern(p, p->token.text, p->token.length)->structure;
    if (d.type.structure == structure) {
      promela_error(p, begin, "typedef '%s' cannot contain itself", structure->name);
      return false;
    }
  } else if (promela_at_type(p)) {
    d.type = promela_basic_type(p->token.kind);
  } else {
    return promela_unexpected(p, "a type");
  }
  promela_advance(p);
  if (!is_struct && !promela_parse_subtype(p, &d.type))
    return false;
  if (d.type.base == PROMELA_MTYPE) {
    const bool assigned = promela_at(p, PROMELA_T_ASSIGN);
    if (assigned)
      promela_advance(p);
    if (assigned || promela_at(p, PROMELA_T_OPEN_BLOCK)) {
      if (!promela_at(p, PROMELA_T_OPEN_BLOCK))
        return promela_unexpected(p, "'{' and symbolic names");
      return parse_symbol_set(p, &d, begin);
    }
  }
  do {
    if (!parse_declarator(p, &d))
      return false;
  } while (promela_take(p, PROMELA_T_COMMA) &&
           !(where == PROMELA_DECL_PARAMETER && promela_at_declaration(p)));
  return true;
}

/* typedef: typedef NAME { declaration {; declaration} [;] } */
void promela_parse_typedef(struct promela_parser *p) {
  struct promela_place place;
  promela_advance(p);
  struct promela_name *name = promela_new_name(p, "the name of a typedef", &place);
  if (name == NULL)
    return;
  struct promela_struct *structure = ARENA_NEW(p->arena, struct promela_struct);
  structure->name = name->text;
  structure->span = place.span;
  if (name->binding != NULL) {
    promela_error(p, place, "'%s' is already the name of a variable", name->text);
    return;
  }
  name->structure = structure;
  *ARENA_PUSH(p->arena, &p->model->structs) = structure;
  p->in_sequence = true;
  bool good = promela_expect(p, PROMELA_T_OPEN_BLOCK, "before the fields of the typedef");
  while (good) {
    good = promela_parse_declaration(p, PROMELA_DECL_FIELD, structure, NULL);
    if (!good || !promela_take(p, PROMELA_T_SEMICOLON) || promela_at(p, PROMELA_T_CLOSE_BLOCK))
      break;
  }
  p->in_sequence = false;
  if (good)
    promela_expect(p, PROMELA_T_CLOSE_BLOCK, "after the fields of the typedef");
}
