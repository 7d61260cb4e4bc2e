/* parser.c - tokens taken and missed: the ground under the parser's parts.
 *
 * How errors are passed on is said in parser.h. Recovery is by the panic method
 * of the compiler books: statements end at `;`, blocks at `}`, and a keyword
 * that can only start a section is where a forgotten end is noticed.
 */
#include "lang/dve/parser.h"

void dve_parser_start(struct dve_parser *p, struct arena *arena, struct diag *diag,
                      const struct source *source) {
  *p = (struct dve_parser){.arena = arena, .diag = diag};
  p->lexer = (struct dve_lexer){.source = source, .diag = diag};
  p->token = dve_lex(&p->lexer);
}

void dve_advance(struct dve_parser *p) {
  p->last_end = p->token.end;
  p->token = dve_lex(&p->lexer);
}

bool dve_take(struct dve_parser *p, enum dve_token_kind kind) {
  if (!dve_at(p, kind))
    return false;
  dve_advance(p);
  return true;
}

bool dve_open_list(struct dve_parser *p) {
  if (!dve_take(p, DVE_OPEN_BLOCK))
    return false;
  p->braces++;
  return true;
}

bool dve_close_list(struct dve_parser *p, const char *where) {
  if (!dve_expect(p, DVE_CLOSE_BLOCK, where))
    return false;
  p->braces--;
  return true;
}

struct span dve_token_span(const struct dve_parser *p) {
  return (struct span){p->lexer.source, p->token.begin, p->token.end};
}

/* The byte after the last token. */
static struct span last_end_of(const struct dve_parser *p) {
  return (struct span){p->lexer.source, p->last_end, p->last_end};
}

struct span dve_span_from(const struct dve_parser *p, uint32_t begin) {
  return (struct span){p->lexer.source, begin, p->last_end > begin ? p->last_end : begin};
}

/* Reports that `wanted` is missing at `place`, where the next token is not it. */
static bool report_missing(struct dve_parser *p, struct span place, const char *wanted) {
  if (dve_at(p, DVE_BAD) || (dve_at(p, DVE_END) && (p->lexer.open_comment || p->ended))) {
    p->panic = true;
    return false;
  }
  p->ended = dve_at(p, DVE_END);
  struct span span = dve_token_span(p);
  uint32_t length = span.end - span.begin;
  if (dve_at(p, DVE_END))
    (void)DVE_PARSE_ERROR(p, last_end_of(p), "expected %s, but the text ends here", wanted);
  else
    (void)DVE_PARSE_ERROR(p, place, "expected %s, but found '%.*s'", wanted,
                          (int)(length < 40 ? length : 40), span.source->text + span.begin);
  return false;
}

bool dve_unexpected(struct dve_parser *p, const char *wanted) {
  return report_missing(p, dve_token_span(p), wanted);
}

/* Where something forgotten belongs: here, or at the end of the line before. */
static struct span missing_place(const struct dve_parser *p) {
  struct span here = dve_token_span(p);
  for (uint32_t i = p->last_end; i < here.begin; i++)
    if (here.source->text[i] == '\n')
      return last_end_of(p);
  return here;
}

bool dve_expect(struct dve_parser *p, enum dve_token_kind kind, const char *where) {
  if (dve_take(p, kind))
    return true;
  if (!p->panic)
    report_missing(p, missing_place(p),
                   arena_printf(p->arena, "'%s' %s", dve_token_name(kind), where));
  return false;
}

bool dve_expect_name(struct dve_parser *p, const char *what, struct span *name) {
  *name = dve_token_span(p);
  if (dve_take(p, DVE_ID))
    return true;
  bool is_keyword = p->token.kind >= DVE_ACCEPT && p->token.kind <= DVE_TRUE;
  bool silent = p->panic;
  dve_unexpected(p, what);
  if (is_keyword && !silent)
    diag_hint(p->diag, "'%s' is a word of the language and cannot be a name",
              dve_token_name(p->token.kind));
  return false;
}

bool dve_at_section(const struct dve_parser *p) {
  switch (p->token.kind) {
  case DVE_BYTE:
  case DVE_INT:
  case DVE_CONST:
  case DVE_CHANNEL:
  case DVE_PROCESS:
  case DVE_STATE:
  case DVE_INIT:
  case DVE_COMMIT:
  case DVE_ACCEPT:
  case DVE_ASSERT:
  case DVE_TRANS:
  case DVE_SYSTEM:
    return true;
  default:
    return false;
  }
}

static bool at_part(const struct dve_parser *p) {
  return dve_at(p, DVE_GUARD) || dve_at(p, DVE_SYNC) || dve_at(p, DVE_EFFECT);
}

static void recover(struct dve_parser *p, bool is_part) {
  uint32_t blocks = p->braces;
  p->braces = 0;
  p->panic = false;
  p->depth = 0;
  while (!dve_at(p, DVE_END) && !dve_at_section(p)) {
    if (dve_at(p, DVE_CLOSE_BLOCK) && blocks-- == 0)
      return;
    if (is_part && blocks == 0 && at_part(p))
      return;
    if (dve_at(p, DVE_OPEN_BLOCK))
      blocks++;
    if (dve_take(p, DVE_SEMICOLON)) {
      if (blocks == 0)
        return;
      continue;
    }
    dve_advance(p);
  }
}

void dve_recover(struct dve_parser *p) {
  recover(p, false);
}

void dve_recover_part(struct dve_parser *p) {
  recover(p, true);
}
