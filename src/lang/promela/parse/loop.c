/* loop.c - for and select.
 *
 *   for     for ( place : expr .. expr ) [;] { sequence } | for ( place in place ) …
 *   select  select ( place : expr .. expr )
 */
#include "lang/promela/parse/parser.h"

#include <stdlib.h>

/* A number, and nothing else before what ends it. */
static bool at_plain_number(struct promela_parser *p, enum promela_token_kind end) {
  return promela_at(p, PROMELA_T_NUMBER) && promela_peek(p)->kind == end;
}

/* place : expr .. expr */
static bool parse_range(struct promela_parser *p, struct promela_stmt *stmt) {
  promela_advance(p);
  const bool is_plain = at_plain_number(p, PROMELA_T_DOTS) && p->token.place.call == NULL;
  stmt->a = promela_parse_expr(p);
  if (stmt->a == NULL || !promela_expect(p, PROMELA_T_DOTS, "between the ends of the range"))
    return false;
  stmt->is_plain = is_plain && at_plain_number(p, PROMELA_T_CLOSE);
  stmt->b = promela_parse_expr(p);
  return stmt->b != NULL && promela_check_value(p, stmt->a, false) &&
         promela_check_value(p, stmt->b, false);
}

/* What a `for` may run over with this target. */
static bool check_collection(struct promela_parser *p, const struct promela_stmt *stmt) {
  const struct promela_expr *of = stmt->a;
  const struct promela_type *type = &stmt->target->type;
  if (of->type.base == PROMELA_CHAN && (!of->variable->is_array || of->a != NULL)) {
    const struct promela_channel *channel = of->variable->channel;
    if (type->base != PROMELA_STRUCT) {
      if (promela_error(p, promela_place_of(stmt->target),
                        "the messages of a channel need a struct here, of their type"))
        promela_hint(p,
                     "declare a typedef for the messages, the channel of it, and '%s' as one",
                     stmt->target->variable->name);
      return false;
    }
    if (channel != NULL &&
        (channel->fields.n != 1 || channel->fields.at[0].structure != type->structure)) {
      promela_error(p, promela_place_of(of),
                    "the messages of channel '%s' have another type than '%s'",
                    of->variable->name, stmt->target->variable->name);
      return false;
    }
    return true;
  }
  if (!of->variable->is_array || of->a != NULL) {
    promela_error(p, promela_place_of(of), "'%s' is no array and no channel",
                  of->variable->name);
    return false;
  }
  return true;
}

static bool check_index(struct promela_parser *p, const struct promela_stmt *stmt) {
  const struct promela_expr *target = stmt->target;
  if (target->kind == PROMELA_VARIABLE && !target->variable->is_array &&
      (stmt->kind == PROMELA_FOR_IN || target->type.base != PROMELA_STRUCT))
    return true;
  if (stmt->kind == PROMELA_SELECT && target->kind != PROMELA_SCRATCH)
    return true;
  promela_error(p, promela_place_of(target), "'%s' needs a scalar variable here",
                stmt->kind == PROMELA_SELECT ? "select" : "for");
  return false;
}

/* Of a head with a mistake in it: what is left of it, so that it has one message. */
static void skip_head(struct promela_parser *p) {
  while (p->parentheses > 0 && !promela_at(p, PROMELA_T_END) &&
         !promela_at(p, PROMELA_T_OPEN_BLOCK) && !promela_at(p, PROMELA_T_CLOSE_BLOCK) &&
         !promela_starts_unit(p->token.kind))
    promela_advance(p);
}

/* The place of the first token of that kind from `from` on, or the end. */
static uint32_t find_logged(const struct promela_parser *p, uint32_t from,
                            enum promela_token_kind kind) {
  while (from < p->log.n && p->log.at[from].kind != kind)
    from++;
  return from;
}

/* ( place = first ; place < last ; … ), as C writes it: says what that is here. */
static void refuse_loop_of_c(struct promela_parser *p, const struct promela_stmt *stmt) {
  const uint32_t begin = p->log.n + 1;
  if (!promela_error(p, p->token.place,
                     "expected ':' and a range, first .. last, but found '='"))
    return;
  skip_head(p);
  const struct promela_token *log = p->log.at;
  const uint32_t first = find_logged(p, begin, PROMELA_T_SEMICOLON);
  const uint32_t second = find_logged(p, first + 1, PROMELA_T_SEMICOLON);
  const bool is_below = first + 2 < p->log.n && log[first + 2].kind == PROMELA_T_LT;
  const bool is_most = first + 2 < p->log.n && log[first + 2].kind == PROMELA_T_LE;
  if (first == begin || second <= first + 3 || second >= p->log.n || !(is_below || is_most) ||
      stmt->target->variable == NULL) {
    promela_hint(p, "a loop over numbers is written for (i : first .. last) { … }");
    return;
  }
  const char *last = promela_join(p->arena, log + first + 3, second - first - 3, false);
  if (is_below && second == first + 4 && log[first + 3].kind == PROMELA_T_NUMBER)
    last = arena_printf(p->arena, "%d", (int)strtol(last, NULL, 10) - 1);
  else if (is_below)
    last = arena_printf(p->arena, "%s - 1", last);
  promela_hint(p, "a loop over numbers is written for (%s : %s .. %s) { … }",
               stmt->target->variable->name,
               promela_join(p->arena, log + begin, first - begin, false), last);
}

/* ( place : expr .. expr ) | ( place in place ) */
static bool parse_head(struct promela_parser *p, struct promela_stmt *stmt) {
  promela_advance(p);
  if (!promela_expect(p, PROMELA_T_OPEN, "after this word"))
    return false;
  stmt->target = promela_parse_place(p, stmt->kind == PROMELA_FOR);
  if (stmt->target == NULL)
    return false;
  if (stmt->kind == PROMELA_FOR && promela_at(p, PROMELA_T_NAME) &&
      promela_spells(&p->token, "in")) {
    stmt->kind = PROMELA_FOR_IN;
    promela_advance(p);
    stmt->a = promela_parse_place(p, true);
    if (stmt->a == NULL)
      return false;
    if (stmt->a->variable == NULL)
      return promela_error(p, promela_place_of(stmt->a), "expected an array or a channel"),
             false;
  } else if (stmt->kind == PROMELA_FOR && promela_at(p, PROMELA_T_ASSIGN)) {
    refuse_loop_of_c(p, stmt);
    return false;
  } else if (!promela_at(p, PROMELA_T_COLON)) {
    return promela_unexpected(p, "':' and a range, first .. last");
  } else if (!parse_range(p, stmt)) {
    return false;
  }
  return promela_expect(p, PROMELA_T_CLOSE, "after the range") && check_index(p, stmt) &&
         (stmt->kind != PROMELA_FOR_IN || check_collection(p, stmt));
}

/* for: for ( head ) [;] { sequence } */
bool promela_parse_for(struct promela_parser *p, struct promela_stmt *stmt) {
  stmt->kind = PROMELA_FOR;
  if (!parse_head(p, stmt)) {
    skip_head(p);
    return false;
  }
  promela_end_stmt(p, stmt);
  while (promela_at(p, PROMELA_T_SEMICOLON) || promela_at(p, PROMELA_T_ARROW))
    promela_advance(p);
  struct promela_stmt *outer = p->loop;
  p->loop = stmt;
  stmt->body = p->grammar->block(p, "before the body of 'for'");
  p->loop = outer;
  return stmt->body != NULL;
}

bool promela_parse_select(struct promela_parser *p, struct promela_stmt *stmt) {
  int32_t low;
  int32_t high;
  stmt->kind = PROMELA_SELECT;
  if (!parse_head(p, stmt))
    return false;
  promela_end_stmt(p, stmt);
  if (promela_fold(stmt->a, &low) && promela_fold(stmt->b, &high) && low > high) {
    promela_error(p, promela_place_of(stmt->a), "there is no value from %d to %d", low, high);
    return false;
  }
  return true;
}
