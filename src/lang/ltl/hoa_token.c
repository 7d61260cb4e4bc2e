/* hoa_token.c - the tokens of the Hanoi omega-automata format (Babiak and others 2015). */
#include "lang/ltl/hoa_token.h"

#include <ctype.h>
#include <string.h>

/* After a comment, which may hold others; the whole text if it is not closed. */
static uint32_t skip_comment(const struct source *s, uint32_t from) {
  uint32_t depth = 0;
  for (uint32_t i = from; i + 1 < s->length; i++) {
    const bool opens = s->text[i] == '/' && s->text[i + 1] == '*';
    const bool closes = s->text[i] == '*' && s->text[i + 1] == '/';
    if (!opens && !closes)
      continue;
    depth += opens;
    depth -= closes;
    i++;
    if (depth == 0)
      return i + 1;
  }
  return s->length;
}

static uint32_t skip_blank(const struct source *s, uint32_t from) {
  for (;;) {
    while (from < s->length && isspace((unsigned char)s->text[from]))
      from++;
    if (from + 1 >= s->length || s->text[from] != '/' || s->text[from + 1] != '*')
      return from;
    from = skip_comment(s, from);
  }
}

static bool begins_name(char c) {
  return isalpha((unsigned char)c) || c == '_';
}

static bool is_of_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static struct hoa_token name_at(const struct source *s, uint32_t from) {
  struct hoa_token t = {.kind = s->text[from] == '@' ? HOA_T_ALIAS : HOA_T_NAME, .begin = from};
  t.end = from + 1;
  while (t.end < s->length && is_of_name(s->text[t.end]))
    t.end++;
  if (t.kind == HOA_T_NAME && t.end < s->length && s->text[t.end] == ':')
    t.kind = HOA_T_HEADER;
  return t;
}

static struct hoa_token number_at(const struct source *s, uint32_t from) {
  struct hoa_token t = {.kind = HOA_T_NUMBER, .begin = from, .end = from};
  uint64_t value = 0;
  for (; t.end < s->length && isdigit((unsigned char)s->text[t.end]); t.end++)
    if (value < UINT32_MAX)
      value = value * 10 + (uint64_t)(s->text[t.end] - '0');
  t.value = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
  return t;
}

static struct hoa_token string_at(const struct source *s, uint32_t from) {
  struct hoa_token t = {.kind = HOA_T_STRING, .begin = from, .end = from + 1};
  while (t.end < s->length && s->text[t.end] != '"')
    t.end += s->text[t.end] == '\\' && t.end + 1 < s->length ? 2 : 1;
  if (t.end >= s->length)
    return (struct hoa_token){.kind = HOA_T_WRONG, .begin = from, .end = from + 1};
  t.end++;
  return t;
}

static struct hoa_token section_at(const struct source *s, uint32_t from) {
  static const char *const section[] = {"--BODY--", "--END--", "--ABORT--"};
  for (size_t i = 0; i < sizeof section / sizeof section[0]; i++) {
    const uint32_t length = (uint32_t)strlen(section[i]);
    if (s->length - from >= length && memcmp(s->text + from, section[i], length) == 0)
      return (struct hoa_token){.kind = HOA_T_SECTION, .begin = from, .end = from + length};
  }
  return (struct hoa_token){.kind = HOA_T_WRONG, .begin = from, .end = from + 1};
}

struct hoa_token hoa_token_at(const struct source *s, uint32_t from) {
  from = skip_blank(s, from);
  if (from >= s->length)
    return (struct hoa_token){.kind = HOA_T_END, .begin = s->length, .end = s->length};
  const char c = s->text[from];
  if (begins_name(c) || (c == '@' && from + 1 < s->length && is_of_name(s->text[from + 1])))
    return name_at(s, from);
  if (isdigit((unsigned char)c))
    return number_at(s, from);
  if (c == '"')
    return string_at(s, from);
  if (c == '-')
    return section_at(s, from);
  const bool sign = c != '\0' && strchr("!&|()[]{}", c) != NULL;
  return (struct hoa_token){
      .kind = sign ? HOA_T_SIGN : HOA_T_WRONG, .begin = from, .end = from + 1};
}

bool hoa_token_spells(const struct source *s, struct hoa_token t, const char *text) {
  return strlen(text) == t.end - t.begin &&
         memcmp(s->text + t.begin, text, t.end - t.begin) == 0;
}

struct hoa_token hoa_text_take(struct hoa_text *text) {
  const struct hoa_token t = text->token;
  text->token = hoa_token_at(text->source, t.end);
  return t;
}

bool hoa_text_at_sign(const struct hoa_text *text, char sign) {
  return text->token.kind == HOA_T_SIGN && text->source->text[text->token.begin] == sign;
}

bool hoa_text_take_sign(struct hoa_text *text, char sign) {
  const bool is = hoa_text_at_sign(text, sign);
  if (is)
    hoa_text_take(text);
  return is;
}

bool hoa_text_spells(const struct hoa_text *text, const char *spelling) {
  return hoa_token_spells(text->source, text->token, spelling);
}

bool hoa_text_refuse_at(const struct hoa_text *text, struct hoa_token t, const char *what) {
  diag_error(text->diag, (struct span){text->source, t.begin, t.end}, "%s", what);
  return false;
}

bool hoa_text_refuse(const struct hoa_text *text, const char *what) {
  return hoa_text_refuse_at(text, text->token, what);
}
