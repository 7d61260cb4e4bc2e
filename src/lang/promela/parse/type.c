/* type.c - types: the basic ones, sets of symbolic names, and what a channel carries. */
#include "lang/promela/parse/parser.h"

#include <string.h>

bool promela_at_type(const struct promela_parser *p) {
  return p->token.kind >= PROMELA_T_TYPE_BIT && p->token.kind <= PROMELA_T_TYPE_UNSIGNED;
}

bool promela_at_typedef_name(struct promela_parser *p) {
  return promela_at(p, PROMELA_T_NAME) &&
         promela_intern(p, p->token.text, p->token.length)->structure != NULL;
}

bool promela_at_declaration(struct promela_parser *p) {
  return promela_at_type(p) || promela_at(p, PROMELA_T_HIDDEN) ||
         promela_at(p, PROMELA_T_SHOW) || promela_at(p, PROMELA_T_LOCAL) ||
         promela_at_typedef_name(p);
}

struct promela_type promela_basic_type(enum promela_token_kind kind) {
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
struct promela_mtype *promela_mtype_named(struct promela_parser *p, const char *name) {
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

/* : NAME after mtype */
bool promela_parse_subtype(struct promela_parser *p, struct promela_type *type) {
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
    type->mtype = promela_mtype_named(p, name);
  return true;
}

/* ---- symbolic names ------------------------------------------------------------- */

/* NAME {[,] NAME} } : numbers are given when the last name is known. */
bool promela_parse_symbols(struct promela_parser *p, struct promela_mtype *set) {
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

/* ---- channels -------------------------------------------------------------------- */

/* field: type [: set] | typedef */
static bool parse_message_type(struct promela_parser *p, struct promela_channel *channel) {
  struct promela_type type;
  if (promela_at_typedef_name(p)) {
    type = (struct promela_type){
        .base = PROMELA_STRUCT,
        .structure = promela_intern(p, p->token.text, p->token.length)->structure};
  } else if (promela_at(p, PROMELA_T_TYPE_UNSIGNED)) {
    if (promela_error(p, p->token.place, "'unsigned' cannot be the type of a message"))
      promela_hint(p, "use byte, short or int");
    return false;
  } else if (promela_at_type(p)) {
    type = promela_basic_type(p->token.kind);
  } else {
    return promela_unexpected(p, "the type of a message's field");
  }
  promela_advance(p);
  if (!promela_parse_subtype(p, &type))
    return false;
  *ARENA_PUSH(p->arena, &channel->fields) = type;
  const uint64_t n = (uint64_t)channel->n_scalars + promela_scalars(&type);
  channel->n_scalars = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
  return true;
}

/* channel: [ constant ] of { field {, field} } */
struct promela_channel *promela_parse_channel(struct promela_parser *p) {
  const struct promela_place begin = p->token.place;
  struct promela_channel *channel = ARENA_NEW(p->arena, struct promela_channel);
  int32_t capacity;
  bool is_name;
  promela_advance(p);
  if (!promela_parse_const(p, "the capacity of a channel", &capacity, &is_name) ||
      !promela_expect(p, PROMELA_T_CLOSE_INDEX, "after the capacity of the channel"))
    return NULL;
  if (capacity < 0 || capacity > 65535) {
    promela_error(p, begin, "a channel holds 0 to 65535 messages, not %d", capacity);
    return NULL;
  }
  channel->capacity = (uint32_t)capacity;
  if (!promela_expect(p, PROMELA_T_OF, "after the capacity of the channel") ||
      !promela_expect(p, PROMELA_T_OPEN_BLOCK, "before the types of the messages"))
    return NULL;
  do {
    if (!parse_message_type(p, channel))
      return NULL;
  } while (promela_take(p, PROMELA_T_COMMA));
  if (!promela_expect(p, PROMELA_T_CLOSE_BLOCK, "after the types of the messages"))
    return NULL;
  channel->span = promela_span_from(p, begin);
  return channel;
}
