/* paste.c - the body of a macro with its parameters replaced, # and ## done.
 *
 * C17, 6.10.3.1 to 6.10.3.3: a parameter beside # or ## stands for its argument as
 * written, any other for the argument after expansion.
 */
#include "lang/promela/text/preprocess.h"

#include <string.h>

/* Which parameter a token of the body names, or UINT32_MAX. */
static uint32_t parameter_of(const struct promela_macro *macro,
                             const struct promela_token *token) {
  if (token->kind == PROMELA_T_NAME)
    for (uint32_t i = 0; i < macro->parameters.n; i++) {
      const struct promela_token *name = &macro->parameters.at[i];
      if (name->length == token->length && memcmp(name->text, token->text, token->length) == 0)
        return i;
    }
  return UINT32_MAX;
}

/* A string that spells an argument. */
static struct promela_token stringify(struct promela_preprocessor *pp,
                                      const struct promela_tokens *argument) {
  size_t room = 3;
  for (uint32_t i = 0; i < argument->n; i++)
    room += 2u * argument->at[i].length + 1u;
  char *text = arena_alloc(pp->texts, room);
  uint32_t n = 0;
  text[n++] = '"';
  for (uint32_t i = 0; i < argument->n; i++) {
    const struct promela_token *token = &argument->at[i];
    const bool is_quoted = token->kind == PROMELA_T_STRING || token->kind == PROMELA_T_CHAR;
    if (i > 0 && token->space)
      text[n++] = ' ';
    for (uint32_t k = 0; k < token->length; k++) {
      if (is_quoted && (token->text[k] == '"' || token->text[k] == '\\'))
        text[n++] = '\\';
      text[n++] = token->text[k];
    }
  }
  text[n++] = '"';
  return (struct promela_token){.kind = PROMELA_T_STRING, .text = text, .length = n};
}

/* Joins the last token with another. */
static void paste(struct promela_preprocessor *pp, struct promela_token *left,
                  const struct promela_token *right, struct span where) {
  const uint32_t length = left->length + right->length;
  char *text = arena_alloc(pp->texts, (size_t)length + 1);
  memcpy(text, left->text, left->length);
  memcpy(text + left->length, right->text, right->length);
  const struct source *source = source_make(pp->texts, "<pasted>", text, length);
  struct promela_lexer lexer = {
      .source = source, .diag = pp->diag, .arena = pp->texts, .skipping = true};
  struct promela_token token = promela_lex(&lexer);
  if (token.length != length || token.kind == PROMELA_T_OTHER) {
    promela_pp_fail(pp, where, "'##' joins '%.*s' and '%.*s' to what is no token",
                    (int)(left->length < 40 ? left->length : 40), left->text,
                    (int)(right->length < 40 ? right->length : 40), right->text);
    return;
  }
  left->kind = token.kind;
  left->text = text;
  left->length = length;
  left->is_final = false;
}

struct builder {
  struct promela_preprocessor *pp;
  const struct promela_macro *macro;
  struct promela_arguments *arguments;
  const struct promela_token *use;
  struct promela_tokens *out;
};

/* What a token of the body stands for. */
static const struct promela_token *operand(struct builder *b, const struct promela_token *token,
                                           bool as_written, uint32_t *n) {
  const uint32_t i = parameter_of(b->macro, token);
  *n = 1;
  if (i == UINT32_MAX)
    return token;
  struct promela_tokens *raw = &b->arguments->raw[i];
  struct promela_tokens *expanded = &b->arguments->expanded[i];
  if (!as_written && !b->arguments->is_expanded[i]) {
    b->pp->expand(b->pp, raw->at, raw->n, expanded);
    b->arguments->is_expanded[i] = true;
  }
  const struct promela_tokens *list = as_written ? raw : expanded;
  *n = list->n;
  return list->at;
}

/* A token of the body has the place where the macro is used; one of an argument where it was
 * written.
 */
static void add(struct builder *b, const struct promela_token *token, bool is_argument) {
  struct promela_token *copy = promela_pp_add(b->pp, b->out);
  *copy = *token;
  if (is_argument) {
    if (copy->place.span.source == b->use->place.span.source)
      copy->use = b->use->place.span;
    return;
  }
  copy->place.spelled = token->place.span;
  copy->place.span = b->use->place.span;
  copy->newline = copy->below = false;
}

/* Adds what body token `i` stands for. */
static void add_operand(struct builder *b, uint32_t i, bool as_written, bool joined) {
  const struct promela_token *token = &b->macro->body.at[i];
  const bool is_argument = parameter_of(b->macro, token) != UINT32_MAX;
  uint32_t n;
  const struct promela_token *list = operand(b, token, as_written, &n);
  uint32_t k = 0;
  if (joined && n > 0 && b->out->n > 0) {
    paste(b->pp, &b->out->at[b->out->n - 1], &list[0], b->use->place.span);
    k = 1;
  }
  b->pp->work += n;
  if (b->pp->work > PROMELA_MAX_WORK) {
    promela_pp_fail(b->pp, b->use->place.span, "macros expand to more than %u tokens",
                    PROMELA_MAX_WORK);
    return;
  }
  for (; k < n; k++) {
    add(b, &list[k], is_argument);
    if (k == 0 && is_argument)
      b->out->at[b->out->n - 1].space = token->space;
  }
}

void promela_pp_substitute(struct promela_preprocessor *pp, const struct promela_macro *macro,
                           struct promela_arguments *arguments, const struct promela_token *use,
                           struct promela_tokens *out) {
  struct builder b = {pp, macro, arguments, use, out};
  const struct promela_tokens *body = &macro->body;
  bool joined = false;
  for (uint32_t i = 0; i < body->n && !pp->failed; i++) {
    const struct promela_token *token = &body->at[i];
    if (token->kind == PROMELA_T_PASTE && i > 0 && i + 1 < body->n) {
      joined = true;
      continue;
    }
    if (token->kind == PROMELA_T_HASH && macro->is_function && i + 1 < body->n) {
      const uint32_t parameter = parameter_of(macro, &body->at[i + 1]);
      struct promela_token text = stringify(pp, &arguments->raw[parameter]);
      text.place = token->place;
      text.space = token->space;
      add(&b, &text, false);
      i++;
      joined = false;
      continue;
    }
    const bool before_paste = i + 1 < body->n && body->at[i + 1].kind == PROMELA_T_PASTE;
    /* An argument of no tokens leaves nothing to join to. */
    const uint32_t n = out->n;
    add_operand(&b, i, joined || before_paste, joined && n > 0);
    joined = false;
    if (before_paste && out->n == n) {
      i++;
      continue;
    }
  }
}
