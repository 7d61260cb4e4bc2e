/* print.c - what printf and printm print.
 *
 * There is one table of names for all sets of symbolic names, one set after the other; a
 * value that is printed by its name is moved to its set's part of the table.
 */
#include "lang/promela/lower/lower.h"

#include <string.h>

/* The names of the values of one set, 0 being none. */
static void name_values(struct promela_lower *l, const struct promela_mtype *set,
                        struct ir_type *type) {
  const char **name = ARENA_ARRAY(l->arena, set->symbols.n + (size_t)1, const char *);
  for (uint32_t j = 0; j < set->symbols.n; j++)
    name[set->symbols.at[j]->value] = set->symbols.at[j]->name;
  type->values = name;
  type->n_values = set->symbols.n + 1;
}

void lower_symbols(struct promela_lower *l) {
  uint32_t n = 1, sets = l->model->mtypes.n;
  l->symbol_base = ARENA_ARRAY(l->arena, sets, uint32_t);
  l->mtype = ARENA_ARRAY(l->arena, sets, struct ir_type);
  for (uint32_t i = 0; i < sets; i++) {
    l->symbol_base[i] = n - 1;
    n += l->model->mtypes.at[i]->symbols.n;
  }
  const char **symbol = ARENA_ARRAY(l->arena, n, const char *);
  for (uint32_t i = 0; i < sets; i++) {
    const struct promela_mtype *set = l->model->mtypes.at[i];
    for (uint32_t j = 0; j < set->symbols.n; j++)
      symbol[l->symbol_base[i] + (uint32_t)set->symbols.at[j]->value] =
          set->symbols.at[j]->name;
    l->mtype[i] = (struct ir_type){.name = "mtype", .bits = 8};
    name_values(l, set, &l->mtype[i]);
  }
  l->ir.symbol = symbol;
  l->ir.n_symbols = n;
}

/* A value as its place in the table of names. */
static struct ir_expr *symbol(struct promela_lower *l, const struct promela_expr *e) {
  struct ir_expr *value = lower_expr(l, e);
  uint32_t base = 0;
  for (uint32_t i = 0; i < l->model->mtypes.n; i++)
    if (e->type.base == PROMELA_MTYPE && l->model->mtypes.at[i] == e->type.mtype)
      base = l->symbol_base[i];
  if (base == 0)
    return value;
  struct ir_expr *moved =
      lower_binary(l, IR_ADD, value, lower_constant(l, (int32_t)base, e->span));
  if (value->kind == IR_CONST)
    return value->value == 0 ? value : moved;
  struct ir_expr *choice = lower_new(l, IR_COND, e->span);
  choice->a = value;
  choice->b = moved;
  choice->c = lower_constant(l, 0, e->span);
  return choice;
}

static int32_t octal(const char **at) {
  int32_t value = 0;
  for (uint32_t i = 0; i < 3 && **at >= '0' && **at <= '7'; i++)
    value = value * 8 + *(*at)++ - '0';
  return value;
}

/* The character after a backslash; moves after it. */
static char escape(const char **at) {
  static const char names[] = "ntrabfv", meant[] = "\n\t\r\a\b\f\v";
  if (**at >= '0' && **at <= '7')
    return (char)octal(at);
  char c = *(*at)++;
  const char *known = strchr(names, c);
  return known == NULL ? c : meant[known - names];
}

static const char *resolve(struct promela_lower *l, const char *text) {
  char *out = ARENA_ARRAY(l->arena, strlen(text) + 1, char);
  size_t n = 0;
  for (const char *at = text; *at != '\0';) {
    char c = *at++;
    if (c == '\\' && *at != '\0')
      c = escape(&at);
    out[n++] = c == '\0' ? ' ' : c;
  }
  return out;
}

void lower_print(struct promela_lower *l, const struct promela_stmt *stmt,
                 struct ir_effect *effect) {
  const struct promela_exprs one = {ARENA_ARRAY(l->arena, 1, struct promela_expr *), 1, 1};
  one.at[0] = stmt->a;
  const struct promela_exprs *list = stmt->kind == PROMELA_PRINTM ? &one : &stmt->arguments;
  effect->text = stmt->kind == PROMELA_PRINTM ? "%e" : resolve(l, stmt->text);
  struct ir_expr **argument = ARENA_ARRAY(l->arena, list->n, struct ir_expr *);
  const char *at = effect->text;
  for (uint32_t i = 0; i < list->n; i++) {
    at = at == NULL ? NULL : strchr(at, '%');
    while (at != NULL && at[1] == '%')
      at = strchr(at + 2, '%');
    bool by_name = at != NULL && at[1] == 'e';
    argument[i] = by_name ? symbol(l, list->at[i]) : lower_expr(l, list->at[i]);
    at = at == NULL || at[1] == '\0' ? NULL : at + 2;
  }
  effect->argument = argument;
  effect->n_arguments = list->n;
}
