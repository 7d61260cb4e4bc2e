/* lexer.h - the tokens of a formula, as far as they matter outside of expressions. */
#ifndef CAIRN_LANG_LTL_LEXER_H
#define CAIRN_LANG_LTL_LEXER_H

#include "lang/ltl/syntax.h"

enum ltl_token_kind {
  LTL_T_END,
  LTL_T_BINARY,  /* op */
  LTL_T_UNARY,   /* op: [] <> X */
  LTL_T_NOT,     /* ! */
  LTL_T_OPEN,    /* ( */
  LTL_T_CLOSE,   /* ) */
  LTL_T_BRACKET, /* [ { */
  LTL_T_BACK,    /* ] } */
  LTL_T_WORD,    /* names and numbers */
  LTL_T_QUOTED,  /* 'a' "a" */
  LTL_T_JOIN,    /* . : @, which join the parts of a name */
  LTL_T_SIGN     /* all else */
};

struct ltl_token {
  enum ltl_token_kind kind;
  enum ltl_op op;
  uint32_t begin, end; /* of the source's text */
};

/* The token at `from`, after white space and comments. */
struct ltl_token ltl_token_at(const struct source *, uint32_t from);

bool ltl_token_spells(const struct source *, struct ltl_token, const char *text);

#endif
