/* lexer.c - text into tokens.
 *
 * White space, comments (both kinds) and a backslash before a line end separate
 * tokens. The text is a byte range that may hold anything: what is no token is
 * reported once per run of bytes, so that a binary file makes few messages.
 */
#include "lang/dve/token.h"

#include <string.h>

struct spelling {
  const char *text;
  enum dve_token_kind kind;
};

static const struct spelling keywords[] = {
    {"accept", DVE_ACCEPT},   {"and", DVE_AND_WORD},    {"assert", DVE_ASSERT},
    {"async", DVE_ASYNC},     {"buchi", DVE_BUCHI},     {"byte", DVE_BYTE},
    {"channel", DVE_CHANNEL}, {"commit", DVE_COMMIT},   {"const", DVE_CONST},
    {"effect", DVE_EFFECT},   {"false", DVE_FALSE},     {"genbuchi", DVE_GENBUCHI},
    {"guard", DVE_GUARD},     {"imply", DVE_IMPLY},     {"init", DVE_INIT},
    {"int", DVE_INT},         {"muller", DVE_MULLER},   {"not", DVE_NOT_WORD},
    {"or", DVE_OR_WORD},      {"process", DVE_PROCESS}, {"property", DVE_PROPERTY},
    {"rabin", DVE_RABIN},     {"state", DVE_STATE},     {"streett", DVE_STREETT},
    {"sync", DVE_SYNC},       {"system", DVE_SYSTEM},   {"trans", DVE_TRANS},
    {"true", DVE_TRUE},
};

/* Longer signs before their prefixes. */
static const struct spelling signs[] = {
    {"->", DVE_ARROW},      {"=>", DVE_WIDE_ARROW}, {"==", DVE_EQ},
    {"!=", DVE_NE},         {"<=", DVE_LE},         {">=", DVE_GE},
    {"<<", DVE_SHL},        {">>", DVE_SHR},        {"&&", DVE_AND_SIGN},
    {"||", DVE_OR_SIGN},    {"(", DVE_OPEN},        {")", DVE_CLOSE},
    {"[", DVE_OPEN_INDEX},  {"]", DVE_CLOSE_INDEX}, {"{", DVE_OPEN_BLOCK},
    {"}", DVE_CLOSE_BLOCK}, {",", DVE_COMMA},       {";", DVE_SEMICOLON},
    {":", DVE_COLON},       {".", DVE_DOT},         {"?", DVE_QUESTION},
    {"!", DVE_EXCLAM},      {"=", DVE_ASSIGN},      {"~", DVE_TILDE},
    {"+", DVE_PLUS},        {"-", DVE_MINUS},       {"*", DVE_STAR},
    {"/", DVE_SLASH},       {"%", DVE_PERCENT},     {"<", DVE_LT},
    {">", DVE_GT},          {"|", DVE_BAR},         {"&", DVE_AMP},
    {"^", DVE_CARET},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c) || c == '$' || c == '#';
}

static bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static char peek(const struct dve_lexer *x, uint32_t ahead) {
  uint32_t at = x->at + ahead;
  return at < x->source->length ? x->source->text[at] : '\0';
}

static struct span span_from(const struct dve_lexer *x, uint32_t begin) {
  return (struct span){x->source, begin, x->at};
}

/* Moves past a comment that starts here. An open one runs to the end. */
static void skip_comment(struct dve_lexer *x) {
  uint32_t begin = x->at;
  uint32_t length = x->source->length;
  const char *text = x->source->text;
  if (text[x->at + 1] == '/') {
    while (x->at < length && text[x->at] != '\n' && text[x->at] != '\r')
      x->at++;
    return;
  }
  x->at += 2;
  while (x->at < length && !(text[x->at] == '*' && peek(x, 1) == '/'))
    x->at++;
  if (x->at < length) {
    x->at += 2;
    return;
  }
  diag_error(x->diag, ((struct span){x->source, begin, begin + 2}),
             "this comment is never closed");
  x->open_comment = true;
}

/* A backslash and the line end after it; 0 if it is not that. */
static uint32_t continuation_length(const struct dve_lexer *x) {
  if (peek(x, 0) != '\\')
    return 0;
  uint32_t ahead = 1;
  while (peek(x, ahead) == ' ' || peek(x, ahead) == '\t' || peek(x, ahead) == '\r')
    ahead++;
  return peek(x, ahead) == '\n' ? ahead + 1 : 0;
}

static void skip_blanks(struct dve_lexer *x) {
  for (;;) {
    char c = peek(x, 0);
    uint32_t begin = x->at;
    if (is_space(c))
      x->at++;
    else if (c == '/' && (peek(x, 1) == '/' || peek(x, 1) == '*'))
      skip_comment(x);
    else
      x->at += continuation_length(x);
    if (x->at == begin)
      return;
  }
}

static struct dve_token token_from(const struct dve_lexer *x, enum dve_token_kind kind,
                                   uint32_t begin) {
  return (struct dve_token){.kind = kind, .begin = begin, .end = x->at};
}

static struct dve_token lex_word(struct dve_lexer *x) {
  uint32_t begin = x->at;
  while (is_name_part(peek(x, 0)))
    x->at++;
  uint32_t length = x->at - begin;
  if (length > DVE_MAX_NAME) {
    diag_error(x->diag, span_from(x, begin), "this name has %u bytes; at most %u are taken",
               length, DVE_MAX_NAME);
    return token_from(x, DVE_BAD, begin);
  }
  const char *word = x->source->text + begin;
  for (size_t i = 0; i < COUNT(keywords); i++)
    if (keywords[i].text[0] == word[0] && strlen(keywords[i].text) == length &&
        memcmp(keywords[i].text, word, length) == 0)
      return token_from(x, keywords[i].kind, begin);
  return token_from(x, DVE_ID, begin);
}

static struct dve_token lex_number(struct dve_lexer *x) {
  uint32_t begin = x->at;
  int64_t value = 0;
  while (is_digit(peek(x, 0))) {
    if (value <= INT32_MAX)
      value = value * 10 + (peek(x, 0) - '0');
    x->at++;
  }
  if (is_name_part(peek(x, 0))) {
    while (is_name_part(peek(x, 0)))
      x->at++;
    diag_error(x->diag, span_from(x, begin), "this is neither a number nor a name");
    diag_hint(x->diag, "numbers are decimal; names do not start with a digit");
    return token_from(x, DVE_BAD, begin);
  }
  if (value > INT32_MAX) {
    diag_error(x->diag, span_from(x, begin), "this number is too large: the largest is %d",
               INT32_MAX);
    return token_from(x, DVE_BAD, begin);
  }
  struct dve_token token = token_from(x, DVE_NUMBER, begin);
  token.value = (int32_t)value;
  return token;
}

static const struct spelling *find_sign(const struct dve_lexer *x) {
  for (size_t i = 0; i < COUNT(signs); i++) {
    const char *text = signs[i].text;
    if (peek(x, 0) == text[0] && (text[1] == '\0' || peek(x, 1) == text[1]))
      return &signs[i];
  }
  return NULL;
}

static struct dve_token lex_stray(struct dve_lexer *x) {
  uint32_t begin = x->at;
  while (x->at < x->source->length) {
    char c = peek(x, 0);
    if (is_space(c) || is_name_part(c) || find_sign(x) != NULL)
      break;
    x->at++;
  }
  /* '$' and '#' do not start a name, but may stop the loop at once. */
  if (x->at == begin)
    x->at++;
  unsigned byte = (unsigned char)x->source->text[begin];
  if (byte > ' ' && byte < 127)
    diag_error(x->diag, span_from(x, begin), "'%c' has no meaning here", (int)byte);
  else
    diag_error(x->diag, span_from(x, begin), "byte 0x%02x has no meaning here", byte);
  if (byte == '#')
    diag_hint(x->diag, "there is no preprocessor: a constant is written const byte N = 3;");
  return token_from(x, DVE_BAD, begin);
}

struct dve_token dve_lex(struct dve_lexer *x) {
  skip_blanks(x);
  if (x->at >= x->source->length)
    return token_from(x, DVE_END, x->at);
  char c = peek(x, 0);
  if (is_name_start(c))
    return lex_word(x);
  if (is_digit(c))
    return lex_number(x);
  const struct spelling *sign = find_sign(x);
  if (sign == NULL)
    return lex_stray(x);
  uint32_t begin = x->at;
  x->at += (uint32_t)strlen(sign->text);
  return token_from(x, sign->kind, begin);
}

const char *dve_token_name(enum dve_token_kind kind) {
  switch (kind) {
  case DVE_END:
    return "the end of the text";
  case DVE_ID:
    return "a name";
  case DVE_NUMBER:
    return "a number";
  default:
    break;
  }
  for (size_t i = 0; i < COUNT(keywords); i++)
    if (keywords[i].kind == kind)
      return keywords[i].text;
  for (size_t i = 0; i < COUNT(signs); i++)
    if (signs[i].kind == kind)
      return signs[i].text;
  return "?";
}
