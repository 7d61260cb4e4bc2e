/* parser.h - what the parts of the DVE parser share.
 *
 * Recursive descent with one token of lookahead. After an error the parser is
 * in panic: everything returns false up to the statement, which skips to a
 * place from where it makes sense to go on. So a statement has one message.
 */
#ifndef CAIRN_LANG_DVE_PARSER_H
#define CAIRN_LANG_DVE_PARSER_H

#include "lang/dve/syntax.h"
#include "lang/dve/token.h"

struct dve_parser {
  struct dve_lexer lexer;
  struct arena *arena;
  struct diag *diag;
  struct dve_token token; /* the next one */
  uint32_t last_end;      /* of the last one taken */
  uint32_t depth;         /* of the expression being read */
  uint32_t braces;        /* open inside the statement being read */
  bool panic;
  bool ended; /* it was said that the text ends too early: once is enough */
};

void dve_parser_start(struct dve_parser *, struct arena *, struct diag *,
                      const struct source *);

static inline bool dve_at(const struct dve_parser *p, enum dve_token_kind kind) {
  return p->token.kind == kind;
}

void dve_advance(struct dve_parser *);
bool dve_take(struct dve_parser *, enum dve_token_kind); /* if it is next */

/* Takes the token, or reports that it is missing `where` ("after the guard"). */
bool dve_expect(struct dve_parser *, enum dve_token_kind, const char *where);
/* Takes a name; `what` says whose ("the name of a state"). */
bool dve_expect_name(struct dve_parser *, const char *what, struct span *name);

/* Reports the next token as not fitting; `wanted` says what would. Returns
 * false: silent in panic and at a token that the lexer has reported. */
bool dve_unexpected(struct dve_parser *, const char *wanted);

/* Reports at `span` unless in panic, and enters panic. True if it did report:
 * then a hint may follow. */
#define DVE_PARSE_ERROR(p, span, ...)                                                          \
  ((p)->panic ? false : ((p)->panic = true, diag_error((p)->diag, (span), __VA_ARGS__), true))

/* "{" and "}" around lists inside a statement. */
bool dve_open_list(struct dve_parser *);
bool dve_close_list(struct dve_parser *, const char *where);

struct span dve_token_span(const struct dve_parser *);
struct span dve_span_from(const struct dve_parser *, uint32_t begin);

/* Ends a panic: skips past the next `;`, or to a `}` that closes the block we
 * are in, to a keyword that starts a section, or to the end. */
void dve_recover(struct dve_parser *);
/* The same, or to the next part of a transition. */
void dve_recover_part(struct dve_parser *);
bool dve_at_section(const struct dve_parser *); /* such a keyword is next */

/* ---- expressions (parse_expr.c) ---- */

/* NULL after a report. */
struct dve_expr *dve_parse_expr(struct dve_parser *);
/* A variable, an element or what looks like one. */
struct dve_expr *dve_parse_place(struct dve_parser *);
/* expr {, expr} into the list. */
bool dve_parse_exprs(struct dve_parser *, struct dve_exprs *);

/* ---- declarations (parse_decl.c) ---- */

bool dve_at_variables(const struct dve_parser *);
void dve_parse_variables(struct dve_parser *, struct dve_variables *);
void dve_parse_channels(struct dve_parser *, struct dve_channels *);

/* ---- transitions (parse_trans.c), processes (parse_process.c), all (parse_file.c) ---- */

void dve_parse_transitions(struct dve_parser *, struct dve_transitions *);
void dve_parse_process(struct dve_parser *, struct dve_processes *);

/* The whole model; to be used only if no error was reported. */
struct dve_file *dve_parse_file(struct arena *, struct diag *, const struct source *);

/* One expression and nothing else. NULL after a report. */
struct dve_expr *dve_parse_condition(struct arena *, struct diag *, const struct source *);

#endif
