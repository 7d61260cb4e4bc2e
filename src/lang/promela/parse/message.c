/* message.c - send and receive.
 *
 *   send     place (! | !!) arguments;      arguments  expr {, expr} | expr ( expr {, expr} )
 *   receive  place (? | ??) targets | place (? | ??) < targets >
 *   targets  target {, target} | target ( targets ) | ( targets )
 *   target   place | constant | - constant | eval ( expr )
 */
#include "lang/promela/parse/parser.h"

/* One of what a receive takes or matches. */
static struct promela_expr *parse_target(struct promela_parser *p) {
  const struct promela_place begin = p->token.place;
  if (promela_take(p, PROMELA_T_EVAL)) {
    if (!promela_expect(p, PROMELA_T_OPEN, "after 'eval'"))
      return NULL;
    struct promela_expr *a = promela_parse_expr(p);
    if (a == NULL || !promela_check_value(p, a, false) ||
        !promela_expect(p, PROMELA_T_CLOSE, "after the argument of 'eval'"))
      return NULL;
    struct promela_expr *e = promela_new_expr(p, PROMELA_EVAL, begin);
    e->a = a;
    e->height = a->height + 1;
    e->type = a->type;
    return e;
  }
  const bool minus = promela_take(p, PROMELA_T_MINUS);
  if (minus && !promela_at(p, PROMELA_T_NUMBER)) {
    promela_unexpected(p, "a number after '-'");
    return NULL;
  }
  struct promela_expr *e = promela_parse_primary(p);
  if (e == NULL)
    return NULL;
  const bool fits = e->kind == PROMELA_CONST || e->kind == PROMELA_VARIABLE ||
                    e->kind == PROMELA_FIELD || e->kind == PROMELA_SCRATCH;
  if (!fits) {
    if (promela_error(p, begin, "a receive takes variables and constants"))
      promela_hint(p, "to receive only the value of an expression, write eval(…)");
    return NULL;
  }
  if (minus)
    e->value = (int32_t)(0u - (uint32_t)e->value);
  return e;
}

/* targets; the parentheses add nothing but looks */
static bool parse_targets(struct promela_parser *p, struct promela_exprs *list) {
  if (!promela_deeper(p))
    return false;
  bool good;
  if (promela_take(p, PROMELA_T_OPEN)) {
    good =
        parse_targets(p, list) && promela_expect(p, PROMELA_T_CLOSE, "after what is received");
  } else {
    do {
      struct promela_expr *target = parse_target(p);
      if (target == NULL)
        return false;
      *ARENA_PUSH(p->tree, list) = target;
      if (promela_take(p, PROMELA_T_OPEN)) {
        good = parse_targets(p, list) &&
               promela_expect(p, PROMELA_T_CLOSE, "after what is received");
        p->depth--;
        return good;
      }
    } while (promela_take(p, PROMELA_T_COMMA));
    good = true;
  }
  p->depth--;
  return good;
}

static bool check_twice(struct promela_parser *p, const struct promela_exprs *list) {
  for (uint32_t i = 0; i < list->n; i++)
    for (uint32_t k = 0; k < i && list->at[i]->kind == PROMELA_VARIABLE; k++)
      if (list->at[k]->kind == PROMELA_VARIABLE &&
          list->at[k]->variable == list->at[i]->variable && list->at[i]->a == NULL) {
        promela_error(p, promela_place_of(list->at[i]),
                      "'%s' cannot receive two fields of one message",
                      list->at[i]->variable->name);
        return false;
      }
  return true;
}

bool promela_parse_receive(struct promela_parser *p, struct promela_exprs *list) {
  const bool outer = p->allow_struct;
  p->allow_struct = true;
  const bool good = parse_targets(p, list);
  p->allow_struct = outer;
  if (list->n > 1000) {
    promela_error(p, promela_place_of(list->at[0]), "a message has at most 1000 fields");
    return false;
  }
  return good;
}

static bool parse_receive(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_RECEIVE;
  stmt->random = promela_at(p, PROMELA_T_RANDOM_RECEIVE);
  promela_advance(p);
  stmt->peek = promela_take(p, PROMELA_T_LT);
  if (!promela_parse_receive(p, &stmt->arguments) || !check_twice(p, &stmt->arguments))
    return false;
  return !stmt->peek || promela_expect(p, PROMELA_T_GT, "after what is looked at");
}

/* expr {, expr} | expr ( expr {, expr} ) */
static bool parse_arguments(struct promela_parser *p, struct promela_exprs *list) {
  struct promela_expr *first = promela_parse_expr(p);
  if (first == NULL)
    return false;
  *ARENA_PUSH(p->tree, list) = first;
  if (promela_take(p, PROMELA_T_OPEN))
    return promela_parse_exprs(p, list) &&
           promela_expect(p, PROMELA_T_CLOSE, "after what is sent");
  return !promela_take(p, PROMELA_T_COMMA) || promela_parse_exprs(p, list);
}

static bool parse_send(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_SEND;
  stmt->sorted = promela_at(p, PROMELA_T_SORTED_SEND);
  promela_advance(p);
  const bool outer = p->allow_struct;
  p->allow_struct = true;
  const bool good = parse_arguments(p, &stmt->arguments);
  p->allow_struct = outer;
  return good;
}

bool promela_parse_message(struct promela_parser *p, struct promela_stmt *stmt) {
  const struct promela_expr *channel = stmt->a;
  if (channel->kind != PROMELA_VARIABLE && channel->kind != PROMELA_FIELD) {
    promela_error(p, promela_place_of(channel), "this is no channel");
    return false;
  }
  if (p->proctype != NULL && p->proctype->kind == PROMELA_NEVER) {
    promela_error(p, promela_place_of(channel), "a never claim cannot send or receive");
    return false;
  }
  return promela_at(p, PROMELA_T_SEND) || promela_at(p, PROMELA_T_SORTED_SEND)
             ? parse_send(p, stmt)
             : parse_receive(p, stmt);
}
