/* names.c - names, and what they mean where.
 *
 * A name is looked up once; it carries what it means as a constant, a typedef, a
 * proctype, an inline, and the innermost variable. Scopes are the braces of a
 * proctype (parameters outside of its body); a declaration hides what is outside
 * from there on. A name that is a constant, a type, a proctype or an inline cannot
 * be declared as anything else later: the text is read by these meanings.
 */
#include "lang/promela/parse/parser.h"

#include <string.h>

struct promela_name *promela_intern(struct promela_parser *p, const char *text,
                                    uint32_t length) {
  uint32_t hash = 2166136261u;
  for (uint32_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  struct promela_name **bucket = &p->names[(hash ^ hash >> 16) % PROMELA_NAMES];
  for (struct promela_name *name = *bucket; name != NULL; name = name->next)
    if (name->length == length && memcmp(name->text, text, length) == 0)
      return name;
  struct promela_name *name = ARENA_NEW(p->arena, struct promela_name);
  name->text = arena_text(p->arena, text, length);
  name->length = length;
  name->next = *bucket;
  *bucket = name;
  return name;
}

struct promela_name *promela_intern_text(struct promela_parser *p, const char *text) {
  return promela_intern(p, text, (uint32_t)strlen(text));
}

void promela_open_scope(struct promela_parser *p) {
  struct promela_scope *scope = ARENA_PUSH(p->arena, &p->scopes);
  scope->first = NULL;
  scope->block = p->proctype == NULL ? 0 : p->proctype->n_blocks++;
}

void promela_close_scope(struct promela_parser *p) {
  struct promela_scope *scope = &p->scopes.at[--p->scopes.n];
  for (struct promela_binding *b = scope->first; b != NULL; b = b->sibling)
    b->name->binding = b->hidden;
}

static struct promela_binding *add_binding(struct promela_parser *p, struct promela_name *name,
                                           struct promela_variable *variable, uint32_t scope) {
  struct promela_binding *binding = ARENA_NEW(p->arena, struct promela_binding);
  *binding = (struct promela_binding){.variable = variable,
                                      .name = name,
                                      .hidden = name->binding,
                                      .sibling = p->scopes.at[scope].first,
                                      .depth = scope};
  p->scopes.at[scope].first = binding;
  name->binding = binding;
  return binding;
}

bool promela_bind(struct promela_parser *p, struct promela_name *name,
                  struct promela_variable *variable, struct promela_place place) {
  const uint32_t depth = p->scopes.n - 1;
  const struct promela_binding *old = name->binding;
  /* Parameters and the variables of the body are one scope, as in C. */
  const bool is_same = old != NULL && (old->depth == depth || (depth == 2 && old->depth == 1));
  if (is_same && !old->is_bad) {
    if (promela_complain(p, place, "'%s' is declared twice", name->text))
      diag_add(p->diag, DIAG_NOTE, old->variable->span, "the first declaration");
    return false;
  }
  variable->depth = depth == 0 ? 0 : depth - 1;
  variable->block = p->scopes.at[depth].block;
  add_binding(p, name, variable, depth);
  return true;
}

/* What a name is that is no variable, or NULL. */
static const char *other_meaning(const struct promela_name *name) {
  return name->symbol != NULL      ? "a constant of an mtype"
         : name->structure != NULL ? "a typedef"
         : name->proctype != NULL  ? "a proctype"
         : name->in != NULL        ? "an inline"
                                   : NULL;
}

struct promela_name *promela_new_name(struct promela_parser *p, const char *what,
                                      struct promela_place *place) {
  *place = p->token.place;
  if (!promela_at(p, PROMELA_T_NAME)) {
    promela_unexpected(p, what);
    /* Taken for a name, it opens nothing that would have to be closed. */
    if (promela_at(p, PROMELA_T_IF) || promela_at(p, PROMELA_T_DO))
      promela_advance(p);
    return NULL;
  }
  struct promela_name *name = promela_intern(p, p->token.text, p->token.length);
  const char *meaning = other_meaning(name);
  if (meaning != NULL) {
    promela_error(p, *place, "'%s' is already the name of %s", name->text, meaning);
    return NULL;
  }
  promela_advance(p);
  return name;
}

/* The known name that looks most like it. */
static const char *closest(struct promela_parser *p, const struct promela_name *wrong) {
  struct {
    const char **at;
    uint32_t n, capacity;
  } names = {0};
  for (uint32_t i = 0; i < PROMELA_NAMES && names.n < 10000; i++)
    for (const struct promela_name *name = p->names[i]; name != NULL; name = name->next)
      if ((name->binding != NULL && !name->binding->is_bad) || name->symbol != NULL ||
          name->in != NULL)
        *ARENA_PUSH(p->arena, &names) = name->text;
  return diag_closest(wrong->text, names.at, names.n);
}

void promela_forgive(struct promela_parser *p, struct promela_name *name) {
  struct promela_variable *variable = ARENA_NEW(p->arena, struct promela_variable);
  variable->name = name->text;
  variable->length = 1;
  variable->type = (struct promela_type){.base = PROMELA_INT, .bits = 32, .is_signed = true};
  add_binding(p, name, variable, p->scopes.n - 1)->is_bad = true;
}

/* A process that has a variable of the name to itself, or NULL. */
static const struct promela_proctype *owner_of(const struct promela_parser *p,
                                               const char *name) {
  for (uint32_t i = 0; i < p->model->proctypes.n; i++) {
    const struct promela_proctype *owner = p->model->proctypes.at[i];
    for (uint32_t k = 0; k < owner->variables.n && owner != p->proctype; k++)
      if (strcmp(owner->variables.at[k]->name, name) == 0)
        return owner;
  }
  return NULL;
}

static bool spells(const struct promela_token *token, const char *name) {
  return token->length == strlen(name) && memcmp(token->text, name, token->length) == 0;
}

/* What is between a type and further names of its declaration, where values are simple. */
static bool is_in_declaration(enum promela_token_kind kind) {
  return kind == PROMELA_T_NAME || kind == PROMELA_T_NUMBER || kind == PROMELA_T_COMMA ||
         kind == PROMELA_T_ASSIGN || kind == PROMELA_T_OPEN_INDEX ||
         kind == PROMELA_T_CLOSE_INDEX;
}

/* The same of the processes below, which were not read yet: its name. */
static const char *owner_below(const struct promela_parser *p, const char *name) {
  const struct promela_token *at = p->frames.at[0].at, *end = p->frames.at[0].end;
  const struct promela_token *owner = NULL;
  enum promela_token_kind last = PROMELA_T_END;
  bool declares = false;
  uint32_t depth = 0;
  if (diag_errors(p->diag) > DIAG_MAX)
    return NULL; /* it would not be printed */
  for (; at < end; at++) {
    const enum promela_token_kind kind =
        at->kind == PROMELA_T_NAME ? promela_word(at->text, at->length) : at->kind;
    const bool type = last >= PROMELA_T_TYPE_BIT;
    if (last == PROMELA_T_PROCTYPE || last == PROMELA_T_D_PROCTYPE)
      owner = at;
    declares = type || (declares && is_in_declaration(kind));
    if (owner != NULL && declares && (type || last == PROMELA_T_COMMA) && spells(at, name))
      return arena_text(p->arena, owner->text, owner->length);
    depth += kind == PROMELA_T_OPEN_BLOCK;
    depth -= kind == PROMELA_T_CLOSE_BLOCK && depth > 0;
    if (kind == PROMELA_T_CLOSE_BLOCK && depth == 0)
      owner = NULL;
    last = kind;
  }
  return NULL;
}

static void hint_for_unknown(struct promela_parser *p, const struct promela_name *name) {
  const char *known = promela_habit(name->text), *other = closest(p, name);
  const struct promela_proctype *read = owner_of(p, name->text);
  const char *owner = read != NULL ? read->name : owner_below(p, name->text);
  if (known != NULL)
    promela_hint(p, "%s", known);
  else if (owner != NULL)
    promela_hint(p,
                 "'%s' of '%s' is seen by that process alone; what processes share is "
                 "declared outside of them",
                 name->text, owner);
  else if (other != NULL)
    promela_hint(p, "did you mean '%s'?", other);
  else if (p->in_formula || p->is_asked)
    promela_hint_of_formula(p, name->text);
  else if (promela_at(p, PROMELA_T_OPEN) || promela_peek(p)->kind == PROMELA_T_OPEN)
    promela_hint(p, "%s", promela_habit("function"));
}

struct promela_variable *promela_find_variable(struct promela_parser *p,
                                               struct promela_name *name,
                                               struct promela_place place) {
  if (name->binding != NULL) {
    if (name->binding->is_bad)
      p->panic = true;
    return name->binding->variable;
  }
  const char *meaning = other_meaning(name);
  const bool told =
      meaning != NULL
          ? promela_error(p, place, "'%s' is %s, not a variable", name->text, meaning)
          : promela_error(p, place, "undeclared name '%s'", name->text);
  if (told && meaning == NULL) {
    hint_for_unknown(p, name);
    promela_forgive(p, name);
  }
  return NULL;
}

struct promela_variable *promela_field_named(const struct promela_struct *structure,
                                             const char *name) {
  for (uint32_t i = 0; i < structure->fields.n; i++)
    if (strcmp(structure->fields.at[i]->name, name) == 0)
      return structure->fields.at[i];
  return NULL;
}

uint32_t promela_scalars(const struct promela_type *type) {
  if (type->base != PROMELA_STRUCT)
    return 1;
  uint64_t n = 0;
  for (uint32_t i = 0; i < type->structure->fields.n; i++) {
    const struct promela_variable *field = type->structure->fields.at[i];
    n += (uint64_t)field->length * promela_scalars(&field->type);
  }
  return n > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)n;
}
