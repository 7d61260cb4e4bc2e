/* macro.c - the expansion of macros.
 *
 * Expansion is by a stack of token lists. A macro is busy while its list is on the
 * stack; its name, found meanwhile, is final: that is the rule against recursion
 * (C17, 6.10.3.4). Arguments are expanded by themselves, after a barrier. Every
 * token that is moved counts, so that macros that double each other end in a
 * message and not in the memory.
 */
#include "lang/promela/text/preprocess.h"

#include <string.h>

static void push(struct promela_preprocessor *pp, const struct promela_token *at, uint32_t n,
                 struct promela_macro *macro, bool is_barrier) {
  struct promela_context *context = ARENA_PUSH(pp->arena, &pp->contexts);
  *context =
      (struct promela_context){.at = at, .n = n, .macro = macro, .is_barrier = is_barrier};
  if (macro != NULL)
    macro->is_busy = true;
}

static void pop(struct promela_preprocessor *pp) {
  struct promela_context *top = &pp->contexts.at[--pp->contexts.n];
  if (top->macro != NULL)
    top->macro->is_busy = false;
  promela_pp_release(pp, top->own, top->capacity);
}

/* The list to read from, or NULL if it is the file. Lists read to their end leave. */
static struct promela_context *current(struct promela_preprocessor *pp) {
  while (pp->contexts.n > 0) {
    struct promela_context *top = &pp->contexts.at[pp->contexts.n - 1];
    if (top->i < top->n || top->is_barrier)
      return top;
    pop(pp);
  }
  return NULL;
}

static struct promela_token take(struct promela_preprocessor *pp) {
  struct promela_context *top = current(pp);
  if (top == NULL)
    return pp->raw(pp);
  if (top->i == top->n)
    return (struct promela_token){.kind = PROMELA_T_END};
  return top->at[top->i++];
}

static void put_back(struct promela_preprocessor *pp, struct promela_token token) {
  struct promela_token *copy = ARENA_NEW(pp->arena, struct promela_token);
  *copy = token;
  push(pp, copy, 1, NULL, false);
}

/* Takes an opening parenthesis, if that is next. */
static bool take_open(struct promela_preprocessor *pp) {
  struct promela_context *top = current(pp);
  if (top != NULL && top->i == top->n)
    return false;
  struct promela_token token = take(pp);
  if (token.kind == PROMELA_T_OPEN)
    return true;
  put_back(pp, token);
  return false;
}

/* Work done; false when it is too much. */
static bool count(struct promela_preprocessor *pp, uint32_t n,
                  const struct promela_token *use) {
  pp->work += n;
  if (pp->work <= PROMELA_MAX_WORK)
    return true;
  return promela_pp_fail(
      pp, use->place.span,
      "macros expand to more than %u tokens; this is where it became too much",
      PROMELA_MAX_WORK);
}

static struct promela_macro *macro_of(struct promela_preprocessor *pp,
                                      const struct promela_token *token) {
  return token->kind == PROMELA_T_NAME ? promela_pp_find(pp, token->text, token->length) : NULL;
}

/* Makes the place of a macro's use one that ends with its closing parenthesis. */
static void reach(struct promela_token *use, const struct promela_token *close) {
  if (close->kind == PROMELA_T_CLOSE && close->place.span.source == use->place.span.source &&
      close->place.span.end > use->place.span.end)
    use->place.span.end = close->place.span.end;
}

/* One argument, up to a comma (unless it is the rest) or the closing parenthesis, to which
 * the use then reaches. Gives what ended it. */
static enum promela_token_kind read_argument(struct promela_preprocessor *pp,
                                             struct promela_token *use, bool is_rest,
                                             struct promela_tokens *out) {
  uint32_t depth = 0;
  for (;;) {
    struct promela_token token = take(pp);
    if (token.kind == PROMELA_T_END)
      promela_pp_fail(pp, use->place.span,
                      "the arguments of macro '%.*s' are never closed by ')'",
                      (int)(use->length < 40 ? use->length : 40), use->text);
    if (pp->failed || !count(pp, 1, use))
      return PROMELA_T_END;
    pp->has_crossed |= token.below;
    if (depth == 0 &&
        (token.kind == PROMELA_T_CLOSE || (token.kind == PROMELA_T_COMMA && !is_rest))) {
      reach(use, &token);
      return token.kind;
    }
    depth += token.kind == PROMELA_T_OPEN;
    depth -= token.kind == PROMELA_T_CLOSE;
    const struct promela_macro *macro = macro_of(pp, &token);
    token.is_final |= macro != NULL && macro->is_busy;
    token.space |= token.newline;
    token.newline = token.below = false;
    *promela_pp_add(pp, out) = token;
  }
}

/* All arguments of a call whose parenthesis was taken. */
static bool read_arguments(struct promela_preprocessor *pp, const struct promela_macro *macro,
                           struct promela_token *use, struct promela_arguments *into) {
  const uint32_t wanted = macro->parameters.n;
  const uint32_t room = wanted + 1;
  into->raw = ARENA_ARRAY(pp->arena, room, struct promela_tokens);
  into->expanded = ARENA_ARRAY(pp->arena, room, struct promela_tokens);
  into->is_expanded = ARENA_ARRAY(pp->arena, room, bool);
  struct promela_tokens surplus = {0};
  uint32_t n = 0;
  enum promela_token_kind end;
  do {
    const bool is_rest = macro->is_variadic && n + 1 == wanted;
    end = read_argument(pp, use, is_rest, n < room ? &into->raw[n] : &surplus);
    n++;
  } while (end == PROMELA_T_COMMA);
  if (pp->failed)
    return false;
  const bool is_empty = n == 1 && into->raw[0].n == 0;
  const bool is_short_rest = macro->is_variadic && n + 1 == wanted;
  if (n == wanted || (wanted == 0 && is_empty) || is_short_rest)
    return true;
  promela_pp_fail(pp, use->place.span, "macro '%s' takes %u argument%s, not %u", macro->name,
                  wanted, wanted == 1 ? "" : "s", is_empty ? 0 : n);
  return false;
}

static void release_arguments(struct promela_preprocessor *pp,
                              const struct promela_macro *macro,
                              const struct promela_arguments *arguments) {
  for (uint32_t i = 0; macro->is_function && i <= macro->parameters.n; i++) {
    promela_pp_release(pp, arguments->raw[i].at, arguments->raw[i].capacity);
    promela_pp_release(pp, arguments->expanded[i].at, arguments->expanded[i].capacity);
  }
}

/* Puts the expansion of a macro's use on the stack. False if it is no use. */
static bool expand_use(struct promela_preprocessor *pp, struct promela_macro *macro,
                       struct promela_token *use) {
  if (macro->is_function && !take_open(pp))
    return false;
  if (pp->depth > PROMELA_MAX_MACROS || pp->contexts.n > 50 * PROMELA_MAX_MACROS) {
    promela_pp_fail(pp, use->place.span, "macros are nested more than %u deep",
                    PROMELA_MAX_MACROS);
    return false;
  }
  struct promela_arguments arguments = {0};
  struct promela_tokens out = {0};
  if (macro->is_function && !read_arguments(pp, macro, use, &arguments))
    return false;
  promela_pp_substitute(pp, macro, &arguments, use, &out);
  release_arguments(pp, macro, &arguments);
  if (pp->failed || !count(pp, out.n + 1, use))
    return false;
  if (out.n > 0) {
    out.at[0].space = use->space;
    out.at[0].newline = use->newline;
  }
  push(pp, out.at, out.n, macro, false);
  pp->contexts.at[pp->contexts.n - 1].own = out.at;
  pp->contexts.at[pp->contexts.n - 1].capacity = out.capacity;
  return true;
}

/* __LINE__ and __FILE__; false if it is neither. */
static bool expand_special(struct promela_preprocessor *pp, struct promela_token *token) {
  const struct span span = token->place.span;
  const char *text;
  if (promela_spells(token, "__LINE__")) {
    text = arena_printf(pp->texts, "%u", source_line(span.source, span.begin));
    token->kind = PROMELA_T_NUMBER;
  } else if (promela_spells(token, "__FILE__")) {
    text = arena_printf(pp->texts, "\"%s\"", span.source->name);
    token->kind = PROMELA_T_STRING;
  } else {
    return false;
  }
  token->text = text;
  token->length = (uint32_t)strlen(text);
  return true;
}

struct promela_token promela_pp_next(struct promela_preprocessor *pp) {
  bool newline = false;
  for (;;) {
    const bool from_file = current(pp) == NULL;
    struct promela_token token = take(pp);
    token.newline |= token.below;
    if (from_file && pp->has_crossed) {
      token.newline = true;
      pp->has_crossed = false;
    }
    /* The line's end before a macro that expands to nothing counts for what follows. */
    token.newline |= newline;
    if (pp->failed)
      return (struct promela_token){.kind = PROMELA_T_END};
    if (token.kind != PROMELA_T_NAME || token.is_final || expand_special(pp, &token))
      return token;
    struct promela_macro *macro = macro_of(pp, &token);
    if (macro == NULL)
      return token;
    if (macro->is_busy) {
      token.is_final = true;
      return token;
    }
    if (!expand_use(pp, macro, &token))
      return token;
    newline |= token.newline;
  }
}

void promela_pp_expand(struct promela_preprocessor *pp, const struct promela_token *at,
                       uint32_t n, struct promela_tokens *out) {
  const uint32_t base = pp->contexts.n;
  pp->depth++;
  push(pp, at, n, NULL, true);
  while (!pp->failed) {
    struct promela_token token = promela_pp_next(pp);
    if (token.kind == PROMELA_T_END)
      break;
    *promela_pp_add(pp, out) = token;
  }
  while (pp->contexts.n > base)
    pop(pp);
  pp->depth--;
}
