/* hoa_token.h - the tokens of the Hanoi omega-automata format. */
#ifndef CAIRN_LANG_LTL_HOA_TOKEN_H
#define CAIRN_LANG_LTL_HOA_TOKEN_H

#include "base/diag.h"

enum hoa_token_kind {
  HOA_T_END,     /* of the text */
  HOA_T_HEADER,  /* NAME: , without the colon in begin..end */
  HOA_T_NAME,    /* identifiers; t and f among them */
  HOA_T_ALIAS,   /* @name */
  HOA_T_NUMBER,  /* value */
  HOA_T_STRING,  /* with its quotes in begin..end */
  HOA_T_SECTION, /* --BODY-- --END-- --ABORT-- */
  HOA_T_SIGN,    /* one of ! & | ( ) [ ] { } */
  HOA_T_WRONG    /* no token of the format */
};

struct hoa_token {
  enum hoa_token_kind kind;
  uint32_t begin, end;
  uint32_t value; /* of a number; UINT32_MAX: it is that or more */
};

/* The token at `from`, after white space and comments. */
struct hoa_token hoa_token_at(const struct source *, uint32_t from);

bool hoa_token_is_sign(const struct source *, struct hoa_token, char sign);
bool hoa_token_spells(const struct source *, struct hoa_token, const char *text);

#endif
