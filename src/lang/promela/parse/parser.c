/* parser.c - tokens taken and missed: the ground under the parser's parts. */
#include "lang/promela/parse/parser.h"

#include <string.h>

/* ---- tokens -------------------------------------------------------------------- */

bool promela_take(struct promela_parser *p, enum promela_token_kind kind) {
  if (!promela_at(p, kind))
    return false;
  promela_advance(p);
  return true;
}

/* The place after the last token taken, on its line. */
static struct promela_place behind_last(const struct promela_parser *p) {
  struct promela_place place = {
      .span = {p->last_span.source, p->last_span.end, p->last_span.end}};
  if (p->last_span.source == NULL)
    place = p->token.place;
  return place;
}

static bool report_missing(struct promela_parser *p, struct promela_place place,
                           const char *wanted) {
  if (p->panic)
    return false;
  const struct promela_token token = p->token;
  if (token.kind == PROMELA_T_END) {
    promela_error(p, behind_last(p), "expected %s, but the text ends here", wanted);
    return promela_stop(p);
  }
  if (token.kind == PROMELA_T_OTHER && token.length > 0 && token.text[0] == '"') {
    promela_error(p, token.place, "this string is not closed on its line");
    return promela_stop(p);
  }
  if (token.kind == PROMELA_T_OTHER && (unsigned char)token.text[0] < ' ')
    return promela_error(p, place, "this byte means nothing here"), false;
  const bool good =
      token.implied
          ? promela_error(p, behind_last(p), "expected %s, but the line ends here", wanted)
          : promela_error(p, place, "expected %s, but found '%.*s'", wanted,
                          (int)(token.length < 40 ? token.length : 40), token.text);
  if (good)
    promela_hint_for(p, wanted);
  return false;
}

bool promela_unexpected(struct promela_parser *p, const char *wanted) {
  return report_missing(p, p->token.place, wanted);
}

bool promela_expect(struct promela_parser *p, enum promela_token_kind kind, const char *where) {
  if (promela_take(p, kind))
    return true;
  if (p->panic)
    return false;
  const bool is_below = p->token.newline && p->last_span.source == p->token.place.span.source;
  return report_missing(p, is_below ? behind_last(p) : p->token.place,
                        arena_printf(p->arena, "'%s' %s", promela_token_name(kind), where));
}

struct span promela_span_from(const struct promela_parser *p, struct promela_place begin) {
  struct span span = begin.span;
  if (p->last_span.source == span.source && p->last_span.end > span.end)
    span.end = p->last_span.end;
  return span;
}

const char *promela_logged(const struct promela_parser *p, uint32_t begin) {
  if (begin >= p->log.n)
    return "";
  return promela_join(p->arena, p->log.at + begin, p->log.n - begin, false);
}

/* ---- going on ------------------------------------------------------------------- */

static bool ends_sequence(enum promela_token_kind kind) {
  return kind == PROMELA_T_OPTION || kind == PROMELA_T_FI || kind == PROMELA_T_OD;
}

bool promela_starts_unit(enum promela_token_kind kind) {
  switch (kind) {
  case PROMELA_T_PROCTYPE:
  case PROMELA_T_D_PROCTYPE:
  case PROMELA_T_ACTIVE:
  case PROMELA_T_INIT:
  case PROMELA_T_NEVER:
  case PROMELA_T_LTL:
  case PROMELA_T_INLINE:
  case PROMELA_T_TYPEDEF:
  case PROMELA_T_TRACE:
  case PROMELA_T_NOTRACE:
    return true;
  default:
    return false;
  }
}

/* Brackets opened meanwhile are skipped with what they enclose. An arrow inside of
 * parentheses is a choice between two values, and parts no statements. A word that begins
 * a unit does not begin one where it is itself the mistake (`run init()`). */
void promela_recover(struct promela_parser *p) {
  uint32_t blocks = 0;
  if (promela_starts_unit(p->token.kind) && p->note.span.source == p->token.place.span.source &&
      p->note.span.begin == p->token.place.span.begin)
    promela_advance(p);
  while (!promela_at(p, PROMELA_T_END) && !promela_starts_unit(p->token.kind)) {
    const enum promela_token_kind kind = p->token.kind;
    if (blocks == 0 &&
        (ends_sequence(kind) || kind == PROMELA_T_CLOSE_BLOCK || kind == PROMELA_T_SEMICOLON ||
         (kind == PROMELA_T_ARROW && p->parentheses == 0)))
      break;
    blocks += kind == PROMELA_T_OPEN_BLOCK || kind == PROMELA_T_IF || kind == PROMELA_T_DO;
    blocks -= blocks > 0 &&
              (kind == PROMELA_T_CLOSE_BLOCK || kind == PROMELA_T_FI || kind == PROMELA_T_OD);
    promela_advance(p);
  }
  p->panic = p->stopped;
  p->parentheses = 0;
}

void promela_recover_unit(struct promela_parser *p) {
  uint32_t blocks = 0;
  while (!promela_at(p, PROMELA_T_END) && !promela_starts_unit(p->token.kind)) {
    const enum promela_token_kind kind = p->token.kind;
    if (kind == PROMELA_T_SEMICOLON && blocks == 0)
      break;
    blocks += kind == PROMELA_T_OPEN_BLOCK;
    blocks -= blocks > 0 && kind == PROMELA_T_CLOSE_BLOCK;
    promela_advance(p);
  }
  p->panic = p->stopped;
  p->parentheses = 0;
}

/* ---- statements ---------------------------------------------------------------- */

struct promela_stmt *promela_new_stmt(struct promela_parser *p, enum promela_stmt_kind kind) {
  struct promela_stmt *stmt = ARENA_NEW(p->tree, struct promela_stmt);
  stmt->kind = kind;
  const struct promela_place *place =
      p->token.stands_for != NULL ? p->token.stands_for : &p->token.place;
  stmt->span =
      place == &p->token.place && p->token.use.source != NULL ? p->token.use : place->span;
  stmt->call = place->call;
  stmt->code = "";
  return stmt;
}

void promela_end_stmt(struct promela_parser *p, struct promela_stmt *stmt) {
  if (p->last_in_text.source == stmt->span.source && p->last_in_text.end > stmt->span.end)
    stmt->span.end = p->last_in_text.end;
  stmt->code = promela_join(p->tree, p->log.at, p->log.n, false);
}
