/* lexer.c - the tokens of a formula.
 *
 * An expression of another language is only looked at for where it ends: its names, numbers,
 * quotes and brackets are tokens, its operators are any signs.
 */
#include "lang/ltl/lexer.h"

#include <ctype.h>
#include <string.h>

struct sign {
  const char *text;
  enum ltl_token_kind kind;
  enum ltl_op op;
};

/* The longest first. The signs of expressions are here where a part of them would be one of
 * ours. */
static const struct sign signs[] = {
    {"<->", LTL_T_BINARY, LTL_EQUIVALENT}, {"->", LTL_T_BINARY, LTL_IMPLIES},
    {"&&", LTL_T_BINARY, LTL_AND},         {"||", LTL_T_BINARY, LTL_OR},
    {"/\\", LTL_T_BINARY, LTL_AND},        {"\\/", LTL_T_BINARY, LTL_OR},
    {"[]", LTL_T_UNARY, LTL_ALWAYS},       {"<>", LTL_T_UNARY, LTL_EVENTUALLY},
    {"!=", LTL_T_SIGN, LTL_TRUE},          {"!", LTL_T_NOT, LTL_NOT},
    {"(", LTL_T_OPEN, LTL_TRUE},           {")", LTL_T_CLOSE, LTL_TRUE},
    {"[", LTL_T_BRACKET, LTL_TRUE},        {"{", LTL_T_BRACKET, LTL_TRUE},
    {"]", LTL_T_BACK, LTL_TRUE},           {"}", LTL_T_BACK, LTL_TRUE},
    {".", LTL_T_JOIN, LTL_TRUE},           {":", LTL_T_JOIN, LTL_TRUE},
    {"@", LTL_T_JOIN, LTL_TRUE},
};

static const struct sign words[] = {
    {"U", LTL_T_BINARY, LTL_UNTIL},
    {"until", LTL_T_BINARY, LTL_UNTIL},
    {"stronguntil", LTL_T_BINARY, LTL_UNTIL},
    {"W", LTL_T_BINARY, LTL_WEAK_UNTIL},
    {"weakuntil", LTL_T_BINARY, LTL_WEAK_UNTIL},
    {"V", LTL_T_BINARY, LTL_RELEASE},
    {"release", LTL_T_BINARY, LTL_RELEASE},
    {"implies", LTL_T_BINARY, LTL_IMPLIES},
    {"equivalent", LTL_T_BINARY, LTL_EQUIVALENT},
    {"X", LTL_T_UNARY, LTL_NEXT},
    {"next", LTL_T_UNARY, LTL_NEXT},
    {"always", LTL_T_UNARY, LTL_ALWAYS},
    {"eventually", LTL_T_UNARY, LTL_EVENTUALLY},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_of_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || ((unsigned char)c & 0x80) != 0;
}

/* After a comment that begins at `from`, or `from` if none does. */
static uint32_t skip_comment(const struct source *s, uint32_t from) {
  if (s->length - from < 2 || s->text[from] != '/')
    return from;
  const bool line = s->text[from + 1] == '/';
  if (!line && s->text[from + 1] != '*')
    return from;
  for (uint32_t i = from + 2; i < s->length; i++) {
    if (line && s->text[i] == '\n')
      return i + 1;
    if (!line && s->text[i] == '*' && i + 1 < s->length && s->text[i + 1] == '/')
      return i + 2;
  }
  return s->length;
}

static uint32_t skip_blank(const struct source *s, uint32_t from) {
  for (;;) {
    uint32_t to = from;
    while (to < s->length && isspace((unsigned char)s->text[to]))
      to++;
    to = skip_comment(s, to);
    if (to == from)
      return to;
    from = to;
  }
}

bool ltl_token_spells(const struct source *s, struct ltl_token t, const char *text) {
  return strlen(text) == t.end - t.begin &&
         memcmp(s->text + t.begin, text, t.end - t.begin) == 0;
}

static struct ltl_token word_at(const struct source *s, uint32_t from) {
  struct ltl_token t = {.kind = LTL_T_WORD, .begin = from, .end = from};
  while (t.end < s->length && is_of_word(s->text[t.end]))
    t.end++;
  for (size_t i = 0; i < COUNT(words); i++)
    if (ltl_token_spells(s, t, words[i].text)) {
      t.kind = words[i].kind;
      t.op = words[i].op;
    }
  return t;
}

static struct ltl_token quoted_at(const struct source *s, uint32_t from) {
  struct ltl_token t = {.kind = LTL_T_QUOTED, .begin = from, .end = from + 1};
  while (t.end < s->length && s->text[t.end] != s->text[from])
    t.end += s->text[t.end] == '\\' && t.end + 1 < s->length ? 2 : 1;
  if (t.end < s->length)
    t.end++;
  return t;
}

struct ltl_token ltl_token_at(const struct source *s, uint32_t from) {
  from = skip_blank(s, from);
  if (from >= s->length)
    return (struct ltl_token){.kind = LTL_T_END, .begin = s->length, .end = s->length};
  if (is_of_word(s->text[from]))
    return word_at(s, from);
  if (s->text[from] == '"' || s->text[from] == '\'')
    return quoted_at(s, from);
  for (size_t i = 0; i < COUNT(signs); i++) {
    const uint32_t length = (uint32_t)strlen(signs[i].text);
    if (s->length - from >= length && memcmp(s->text + from, signs[i].text, length) == 0)
      return (struct ltl_token){signs[i].kind, signs[i].op, from, from + length};
  }
  return (struct ltl_token){.kind = LTL_T_SIGN, .begin = from, .end = from + 1};
}
