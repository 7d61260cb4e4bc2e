/* token.h - the words of the DVE language.
 *
 * The lexer is a function from a position to the next token; the parser keeps
 * one token of lookahead, which is all the grammar needs.
 */
#ifndef CAIRN_LANG_DVE_TOKEN_H
#define CAIRN_LANG_DVE_TOKEN_H

#include "base/diag.h"
#include "base/source.h"

#include <stdbool.h>
#include <stdint.h>

/* The longest identifier taken, in bytes. */
#define DVE_MAX_NAME 1000u

enum dve_token_kind {
  DVE_END,
  DVE_BAD, /* already reported */
  DVE_ID,
  DVE_NUMBER,
  /* keywords */
  DVE_ACCEPT,
  DVE_AND_WORD,
  DVE_ASSERT,
  DVE_ASYNC,
  DVE_BUCHI,
  DVE_BYTE,
  DVE_CHANNEL,
  DVE_COMMIT,
  DVE_CONST,
  DVE_EFFECT,
  DVE_FALSE,
  DVE_GENBUCHI,
  DVE_GUARD,
  DVE_IMPLY,
  DVE_INIT,
  DVE_INT,
  DVE_MULLER,
  DVE_NOT_WORD,
  DVE_OR_WORD,
  DVE_PROCESS,
  DVE_PROPERTY,
  DVE_RABIN,
  DVE_STATE,
  DVE_STREETT,
  DVE_SYNC,
  DVE_SYSTEM,
  DVE_TRANS,
  DVE_TRUE,
  /* signs */
  DVE_OPEN,       /* ( */
  DVE_CLOSE,      /* ) */
  DVE_OPEN_INDEX, /* [ */
  DVE_CLOSE_INDEX,
  DVE_OPEN_BLOCK, /* { */
  DVE_CLOSE_BLOCK,
  DVE_COMMA,
  DVE_SEMICOLON,
  DVE_COLON,
  DVE_DOT,
  DVE_QUESTION,
  DVE_EXCLAM,
  DVE_ASSIGN,
  DVE_ARROW,      /* -> */
  DVE_WIDE_ARROW, /* => */
  DVE_TILDE,
  DVE_PLUS,
  DVE_MINUS,
  DVE_STAR,
  DVE_SLASH,
  DVE_PERCENT,
  DVE_SHL,
  DVE_SHR,
  DVE_LT,
  DVE_LE,
  DVE_GT,
  DVE_GE,
  DVE_EQ,
  DVE_NE,
  DVE_BAR,
  DVE_AMP,
  DVE_CARET,
  DVE_AND_SIGN, /* && */
  DVE_OR_SIGN,  /* || */
  DVE_TOKENS
};

struct dve_token {
  enum dve_token_kind kind;
  uint32_t begin, end;
  int32_t value; /* of a number */
};

struct dve_lexer {
  const struct source *source;
  struct diag *diag;
  uint32_t at;
  bool open_comment; /* the text ends in one: already reported */
};

/* The next token; at the end of the text DVE_END, again and again. What is no
 * token is reported and given as one DVE_BAD. */
struct dve_token dve_lex(struct dve_lexer *);

/* As it is written in the language, or for names and numbers what it is. */
const char *dve_token_name(enum dve_token_kind);

#endif
