/* lexer.c - text into raw tokens, as a C preprocessor sees them.
 *
 * A backslash at the end of a line joins it to the next, inside of words too; then
 * the spelling is copied. A number is digits and what letters follow them, but no
 * dots: `1..N` is three tokens, and N may be a macro. There are no trigraphs.
 * What only embedded C may hold comes as OTHER and is refused by the parser.
 */
#include "lang/promela/text/token.h"

#include <string.h>

struct sign {
  const char *text;
  enum promela_token_kind kind;
};

/* Longer signs before their beginnings. */
static const struct sign signs[] = {
    {"::", PROMELA_T_OPTION},      {"->", PROMELA_T_ARROW},
    {"..", PROMELA_T_DOTS},        {"##", PROMELA_T_PASTE},
    {"++", PROMELA_T_INCREMENT},   {"--", PROMELA_T_DECREMENT},
    {"!!", PROMELA_T_SORTED_SEND}, {"??", PROMELA_T_RANDOM_RECEIVE},
    {"==", PROMELA_T_EQ},          {"!=", PROMELA_T_NE},
    {"<=", PROMELA_T_LE},          {">=", PROMELA_T_GE},
    {"<<", PROMELA_T_SHL},         {">>", PROMELA_T_SHR},
    {"&&", PROMELA_T_AND},         {"||", PROMELA_T_OR},
    {"(", PROMELA_T_OPEN},         {")", PROMELA_T_CLOSE},
    {"[", PROMELA_T_OPEN_INDEX},   {"]", PROMELA_T_CLOSE_INDEX},
    {"{", PROMELA_T_OPEN_BLOCK},   {"}", PROMELA_T_CLOSE_BLOCK},
    {",", PROMELA_T_COMMA},        {";", PROMELA_T_SEMICOLON},
    {":", PROMELA_T_COLON},        {".", PROMELA_T_DOT},
    {"@", PROMELA_T_AT},           {"#", PROMELA_T_HASH},
    {"=", PROMELA_T_ASSIGN},       {"!", PROMELA_T_SEND},
    {"?", PROMELA_T_RECEIVE},      {"~", PROMELA_T_TILDE},
    {"+", PROMELA_T_PLUS},         {"-", PROMELA_T_MINUS},
    {"*", PROMELA_T_STAR},         {"/", PROMELA_T_SLASH},
    {"%", PROMELA_T_PERCENT},      {"<", PROMELA_T_LT},
    {">", PROMELA_T_GT},           {"&", PROMELA_T_BAND},
    {"^", PROMELA_T_BXOR},         {"|", PROMELA_T_BOR},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

/* LF, CR LF, or a lone CR as in old files. */
static bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

/* Moves `at` over joined lines. */
static uint32_t skip_splices(const struct promela_lexer *x, uint32_t at) {
  const char *text = x->source->text;
  const uint32_t length = x->source->length;
  while (at < length && text[at] == '\\') {
    uint32_t end = at + 1;
    while (end < length && (text[end] == ' ' || text[end] == '\t'))
      end++;
    if (end == length || !is_line_end(text[end]))
      break;
    at = end + 1 + (text[end] == '\r' && end + 1 < length && text[end + 1] == '\n');
  }
  return at;
}

/* The byte at the cursor, which must not be on a splice; NUL at the end. */
static char here(const struct promela_lexer *x) {
  return x->at < x->source->length ? x->source->text[x->at] : '\0';
}

static char after(const struct promela_lexer *x) {
  const uint32_t at = skip_splices(x, x->at + 1);
  return at < x->source->length ? x->source->text[at] : '\0';
}

static bool at_end(const struct promela_lexer *x) {
  return x->at >= x->source->length;
}

static void step(struct promela_lexer *x) {
  x->at = skip_splices(x, x->at + 1);
}

static void report(struct promela_lexer *x, uint32_t begin, uint32_t end, const char *what) {
  if (x->skipping || x->failed)
    return;
  diag_error(x->diag, ((struct span){x->source, begin, end}), "%s", what);
  x->failed = true;
}

static void skip_comment(struct promela_lexer *x) {
  const uint32_t begin = x->at;
  if (after(x) == '/') {
    while (!at_end(x) && !is_line_end(here(x)))
      step(x);
    return;
  }
  step(x);
  step(x);
  while (!at_end(x) && !(here(x) == '*' && after(x) == '/'))
    step(x);
  if (at_end(x))
    report(x, begin, begin + 2, "this comment is never closed");
  step(x);
  step(x);
}

/* Skips what separates tokens and notes it. */
static void skip_blanks(struct promela_lexer *x, struct promela_token *token) {
  for (;;) {
    const char c = here(x);
    if (at_end(x))
      return;
    if (is_line_end(c))
      token->newline = true;
    if (c == ' ' || (c >= '\t' && c <= '\r'))
      step(x);
    else if (c == '/' && (after(x) == '/' || after(x) == '*'))
      skip_comment(x);
    else
      return;
    token->space = true;
  }
}

/* The spelling from `begin` to the cursor, joined lines taken out. */
static void spell(const struct promela_lexer *x, uint32_t begin, struct promela_token *token) {
  uint32_t end = x->at < x->source->length ? x->at : x->source->length;
  const char *text = x->source->text;
  if (end > begin && memchr(text + begin, '\\', end - begin) != NULL) {
    char *copy = arena_alloc(x->arena, end - begin + 1);
    uint32_t n = 0;
    uint32_t last = begin;
    for (uint32_t at = skip_splices(x, begin); at < end; at = skip_splices(x, at + 1)) {
      copy[n++] = text[at];
      last = at + 1;
    }
    token->text = copy;
    token->length = n;
    end = last;
  } else {
    token->text = text + begin;
    token->length = end - begin;
  }
  token->place.span = (struct span){x->source, begin, end};
}

static void lex_name(struct promela_lexer *x, struct promela_token *token, uint32_t begin) {
  while (is_name_part(here(x)))
    step(x);
  spell(x, begin, token);
  token->kind = PROMELA_T_NAME;
  if (token->length > PROMELA_MAX_NAME && !x->skipping && !x->failed) {
    diag_error(x->diag, token->place.span, "this name has %u bytes; at most %u are taken",
               token->length, PROMELA_MAX_NAME);
    x->failed = true;
  }
}

/* A string or a character, up to its quote. One that the line's end cuts is a lone
 * quote, as embedded C and texts under #if may have it. */
static void lex_quoted(struct promela_lexer *x, struct promela_token *token, uint32_t begin) {
  const char quote = here(x);
  token->kind = quote == '"' ? PROMELA_T_STRING : PROMELA_T_CHAR;
  step(x);
  while (!at_end(x) && !is_line_end(here(x)) && here(x) != quote) {
    if (here(x) == '\\' && !is_line_end(after(x)) && after(x) != '\0')
      step(x);
    step(x);
  }
  if (here(x) == quote) {
    step(x);
  } else {
    x->at = skip_splices(x, begin + 1);
    token->kind = PROMELA_T_OTHER;
  }
  spell(x, begin, token);
}

static bool lex_sign(struct promela_lexer *x, struct promela_token *token, uint32_t begin) {
  const char c = here(x);
  for (size_t i = 0; i < COUNT(signs); i++) {
    if (signs[i].text[0] != c || (signs[i].text[1] != '\0' && signs[i].text[1] != after(x)))
      continue;
    token->kind = signs[i].kind;
    step(x);
    if (signs[i].text[1] != '\0')
      step(x);
    /* Spin reads --> as an arrow, and models have it. */
    if (token->kind == PROMELA_T_DECREMENT && here(x) == '>') {
      token->kind = PROMELA_T_ARROW;
      step(x);
    }
    spell(x, begin, token);
    return true;
  }
  return false;
}

/* Bytes of no sign: all that follow one another, so that a binary file is one token. */
static void lex_other(struct promela_lexer *x, struct promela_token *token, uint32_t begin) {
  token->kind = PROMELA_T_OTHER;
  step(x);
  while (!at_end(x) && ((unsigned char)here(x) < ' ' || (unsigned char)here(x) > '~') &&
         !(here(x) >= '\t' && here(x) <= '\r'))
    step(x);
  spell(x, begin, token);
}

struct promela_token promela_lex(struct promela_lexer *x) {
  struct promela_token token = {.newline = x->at == 0};
  x->at = skip_splices(x, x->at);
  skip_blanks(x, &token);
  const uint32_t begin = x->at < x->source->length ? x->at : x->source->length;
  token.text = x->source->text + begin;
  for (uint32_t i = x->last_end; i < begin && !token.below; i++)
    token.below = is_line_end(x->source->text[i]);
  token.place.span = (struct span){x->source, begin, begin};
  if (at_end(x)) {
    token.newline = true;
    return token;
  }
  const char c = here(x);
  if (is_name_start(c)) {
    lex_name(x, &token, begin);
  } else if (is_digit(c)) {
    while (is_name_part(here(x)))
      step(x);
    spell(x, begin, &token);
    token.kind = PROMELA_T_NUMBER;
  } else if (c == '"' || c == '\'') {
    lex_quoted(x, &token, begin);
  } else if (!lex_sign(x, &token, begin)) {
    lex_other(x, &token, begin);
  }
  x->last_end = token.place.span.end;
  return token;
}

const char *promela_token_name(enum promela_token_kind kind) {
  static const char *const names[] = {"the end",     "a name",   "a number",
                                      "a character", "a string", "this byte"};
  if (kind < COUNT(names))
    return names[kind];
  for (size_t i = 0; i < COUNT(signs); i++)
    if (signs[i].kind == kind)
      return signs[i].text;
  return promela_word_name(kind);
}
