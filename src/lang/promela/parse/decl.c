/* decl.c - declarations of variables, channels, symbolic names and typedefs. */
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

static bool at_type(const struct promela_parser *p) {
  return p->token.kind >= PROMELA_T_TYPE_BIT && p->token.kind <= PROMELA_T_TYPE_UNSIGNED;
}

static bool at_typedef_name(struct promela_parser *p) {
  return promela_at(p, PROMELA_T_NAME) &&
         promela_intern(p, p->token.text, p->token.length)->structure != NULL;
}

bool promela_at_declaration(struct promela_parser *p) {
  return at_type(p) || promela_at(p, PROMELA_T_HIDDEN) || promela_at(p, PROMELA_T_SHOW) ||
         promela_at(p, PROMELA_T_LOCAL) || at_typedef_name(p);
}

static struct promela_type basic_type(enum promela_token_kind kind) {
  switch (kind) {
  case PROMELA_T_TYPE_BIT:
  case PROMELA_T_TYPE_BOOL:
    return (struct promela_type){
        .base = PROMELA_BIT, .is_bool = kind == PROMELA_T_TYPE_BOOL, .bits = 1};
  case PROMELA_T_TYPE_BYTE:
    return (struct promela_type){.base = PROMELA_BYTE, .bits = 8};
  case PROMELA_T_TYPE_PID:
    return (struct promela_type){.base = PROMELA_PID, .bits = 8};
  case PROMELA_T_TYPE_SHORT:
    return (struct promela_type){.base = PROMELA_SHORT, .bits = 16, .is_signed = true};
  case PROMELA_T_TYPE_INT:
    return (struct promela_type){.base = PROMELA_INT, .bits = 32, .is_signed = true};
  case PROMELA_T_TYPE_UNSIGNED:
    return (struct promela_type){.base = PROMELA_UNSIGNED};
  case PROMELA_T_TYPE_MTYPE:
    return (struct promela_type){.base = PROMELA_MTYPE, .bits = 8};
  default:
    return (struct promela_type){.base = PROMELA_CHAN, .bits = 8};
  }
}

/* The set of that name (NULL: plain mtype); made if it is new. */
static struct promela_mtype *mtype_named(struct promela_parser *p, const char *name) {
  for (uint32_t i = 0; i < p->model->mtypes.n; i++) {
    struct promela_mtype *set = p->model->mtypes.at[i];
    if (name == NULL ? set->name == NULL : set->name != NULL && strcmp(set->name, name) == 0)
      return set;
  }
  struct promela_mtype *set = ARENA_NEW(p->arena, struct promela_mtype);
  set->name = name;
  *ARENA_PUSH(p->arena, &p->model->mtypes) = set;
  return set;
}

/* : NAME behind mtype */
static bool parse_subtype(struct promela_parser *p, struct promela_type *type) {
  const char *name = NULL;
  if (promela_take(p, PROMELA_T_COLON)) {
    if (type->base != PROMELA_MTYPE) {
      promela_error(p, p->token.place, "only 'mtype' has named sets");
      return false;
    }
    if (!promela_at(p, PROMELA_T_NAME))
      return promela_unexpected(p, "the name of a set of symbolic names");
    name = arena_text(p->arena, p->token.text, p->token.length);
    promela_advance(p);
  }
  if (type->base == PROMELA_MTYPE)
    type->mtype = mtype_named(p, name);
  return true;
}

/* ---- symbolic names ------------------------------------------------------------- */

/* NAME {[,] NAME} } : numbers are given when the last name is known. */
static bool parse_symbols(struct promela_parser *p, struct promela_mtype *set) {
  const uint32_t first = set->symbols.n;
  while (!promela_at(p, PROMELA_T_CLOSE_BLOCK)) {
    struct promela_place place;
    if (set->symbols.n > first && promela_take(p, PROMELA_T_COMMA))
      continue;
    struct promela_name *name = promela_new_name(p, "a symbolic name", &place);
    if (name == NULL)
      return false;
    struct promela_symbol *symbol = ARENA_NEW(p->arena, struct promela_symbol);
    *symbol = (struct promela_symbol){.name = name->text, .span = place.span, .mtype = set};
    name->symbol = symbol;
    *ARENA_PUSH(p->arena, &set->symbols) = symbol;
    if (set->symbols.n > 255) {
      promela_error(p, place, "an mtype has at most 255 symbolic names");
      return false;
    }
  }
  const uint32_t n = set->symbols.n;
  for (uint32_t i = first; i < n; i++)
    set->symbols.at[i]->value = (int32_t)(first + n - i);
  if (n == first)
    return promela_unexpected(p, "a symbolic name");
  promela_advance(p);
  return true;
}

/* ---- initial values --------------------------------------------------------------- */

/* field: type [: set] | typedef */
static bool parse_message_type(struct promela_parser *p, struct promela_channel *channel) {
  struct promela_type type;
  if (at_typedef_name(p)) {
    type = (struct promela_type){
        .base = PROMELA_STRUCT,
        .structure = promela_intern(p, p->token.text, p->token.length)->structure};
  } else if (promela_at(p, PROMELA_T_TYPE_UNSIGNED)) {
    if (promela_error(p, p->token.place, "'unsigned' cannot be the type of a message"))
      promela_hint(p, "use byte, short or int");
    return false;
  } else if (at_type(p)) {
    type = basic_type(p->token.kind);
  } else {
    return promela_unexpected(p, "the type of a message's field");
  }
  promela_advance(p);
  if (!parse_subtype(p, &type))
    return false;
  *ARENA_PUSH(p->arena, &channel->fields) = type;
  const uint64_t n = (uint64_t)channel->n_scalars + promela_scalars(&type);
  channel->n_scalars = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
  return true;
}

/* channel: [ constant ] of { field {, field} } */
static struct promela_channel *parse_channel(struct promela_parser *p) {
  const struct promela_place begin = p->token.place;
  struct promela_channel *channel = ARENA_NEW(p->arena, struct promela_channel);
  int32_t capacity;
  bool is_name;
  promela_advance(p);
  if (!promela_parse_const(p, "the capacity of a channel", &capacity, &is_name) ||
      !promela_expect(p, PROMELA_T_CLOSE_INDEX, "behind the capacity of the channel"))
    return NULL;
  if (capacity < 0 || capacity > 255) {
    promela_error(p, begin, "a channel holds 0 to 255 messages, not %d", capacity);
    return NULL;
  }
  channel->capacity = (uint32_t)capacity;
  if (!promela_expect(p, PROMELA_T_OF, "behind the capacity of the channel") ||
      !promela_expect(p, PROMELA_T_OPEN_BLOCK, "before the types of the messages"))
    return NULL;
  do {
    if (!parse_message_type(p, channel))
      return NULL;
  } while (promela_take(p, PROMELA_T_COMMA));
  if (!promela_expect(p, PROMELA_T_CLOSE_BLOCK, "behind the types of the messages"))
    return NULL;
  channel->span = promela_span_from(p, begin);
  return channel;
}

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
  return promela_expect(p, PROMELA_T_CLOSE_BLOCK, "behind the list of values");
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
    variable->channel = parse_channel(p);
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

/* [ constant ] behind the name */
static bool parse_length(struct promela_parser *p, const struct declaration *d,
                         struct promela_variable *variable) {
  const struct promela_place begin = p->token.place;
  int32_t length;
  bool is_name;
  promela_advance(p);
  if (!promela_parse_const(p, "the length of an array", &length, &is_name) ||
      !promela_expect(p, PROMELA_T_CLOSE_INDEX, "behind the length of the array"))
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

/* : number behind the name of an unsigned */
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

/* [: number | [ constant ]] [= value] behind the name */
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
      mtype_named(p, d->type.mtype == NULL ? NULL : d->type.mtype->name);
  return parse_symbols(p, set);
}

/* declaration: [visibility] type declarator {, declarator} | mtype [: NAME] [=] { names } */
bool promela_parse_declaration(struct promela_parser *p, enum promela_decl_where where,
                               struct promela_struct *structure,
                               struct promela_variables *into) {
  struct declaration d = {.where = where, .structure = structure, .into = into};
  d.visibility = parse_visibility(p);
  const struct promela_place begin = p->token.place;
  const bool is_struct = at_typedef_name(p);
  if (is_struct) {
    d.type.base = PROMELA_STRUCT;
    d.type.structure = promela_intern(p, p->token.text, p->token.length)->structure;
    if (d.type.structure == structure) {
      promela_error(p, begin, "typedef '%s' cannot contain itself", structure->name);
      return false;
    }
  } else if (at_type(p)) {
    d.type = basic_type(p->token.kind);
  } else {
    return promela_unexpected(p, "a type");
  }
  promela_advance(p);
  if (!is_struct && !parse_subtype(p, &d.type))
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
    promela_expect(p, PROMELA_T_CLOSE_BLOCK, "behind the fields of the typedef");
}
