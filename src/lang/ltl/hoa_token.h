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

bool hoa_token_spells(const struct source *, struct hoa_token, const char *text);

/* A text that is read token by token, by several readers in turn. */
struct hoa_text {
  struct diag *diag;
  const struct source *source;
  struct hoa_token token; /* the next one */
};

/* The next token, and goes on to the one after it. */
struct hoa_token hoa_text_take(struct hoa_text *);

bool hoa_text_at_sign(const struct hoa_text *, char sign);
bool hoa_text_take_sign(struct hoa_text *, char sign);
bool hoa_text_spells(const struct hoa_text *, const char *spelling);

/* An error at the token, or at the next one. False. */
bool hoa_text_refuse_at(const struct hoa_text *, struct hoa_token, const char *what);
bool hoa_text_refuse(const struct hoa_text *, const char *what);

#endif
