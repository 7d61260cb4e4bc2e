/* stream.c - the tokens as the parser sees them: inlines entered, semicolons put in.
 *
 * A call of an inline goes on in the tokens of its body, with the arguments' tokens
 * in place of the parameters. The rules for semicolons that may be left out are Spin's:
 * after `}` and `else` where there is none, and at the end of a line inside of a body
 * after a token that can end a statement. A separator before another one or before
 * `}` is dropped.
 */
#include "lang/promela/parse/parser.h"

#include <string.h>

void promela_stream_start(struct promela_parser *p) {
  promela_read_tokens(p, p->text.at, p->text.at + p->text.n - 1);
}

void promela_read_tokens(struct promela_parser *p, const struct promela_token *begin,
                         const struct promela_token *end) {
  p->frames.n = 0;
  struct promela_frame *frame = ARENA_PUSH(p->arena, &p->frames);
  *frame = (struct promela_frame){.at = begin, .end = end};
  p->has_held = p->has_ahead = false;
  p->last = p->last_token = PROMELA_T_SEMICOLON;
  p->parentheses = 0;
  promela_advance(p);
}

static void leave_frame(struct promela_parser *p) {
  struct promela_frame *top = &p->frames.at[--p->frames.n];
  if (top->in != NULL)
    top->in->is_busy = false;
}

/* The argument that a name in an inline's body stands for, or NULL. */
static struct promela_tokens *argument_of(const struct promela_frame *frame,
                                          const struct promela_token *token) {
  if (frame->in == NULL || token->kind != PROMELA_T_NAME)
    return NULL;
  const struct promela_tokens *names = &frame->in->parameters;
  for (uint32_t i = 0; i < names->n; i++)
    if (names->at[i].length == token->length &&
        memcmp(names->at[i].text, token->text, token->length) == 0)
      return &frame->arguments[i];
  return NULL;
}

static struct promela_token end_token(const struct promela_parser *p) {
  struct promela_token token = p->text.at[p->text.n - 1];
  token.kind = PROMELA_T_END;
  return token;
}

/* The next token of the innermost text; words and names are kept apart. */
static struct promela_token read_token(struct promela_parser *p) {
  while (!p->stopped) {
    struct promela_frame *top = &p->frames.at[p->frames.n - 1];
    if (top->at == top->end) {
      if (p->frames.n == 1)
        break;
      leave_frame(p);
      continue;
    }
    struct promela_token token = *top->at++;
    if (top->call != NULL)
      token.place.call = top->call;
    if (top->stands_for != NULL)
      token.stands_for = top->stands_for;
    if (top->is_first) {
      token.newline = top->first_newline;
      token.space = top->first_space;
      top->is_first = false;
    }
    /* A body that calls the next inline twice doubles the text at each level, so it is not the
     * depth that has to be bounded. */
    if (++p->n_read > PROMELA_MAX_TOKENS) {
      promela_error(p, token.place, "inlines expand to more than %u tokens",
                    PROMELA_MAX_TOKENS);
      promela_stop(p);
      break;
    }
    if (token.kind == PROMELA_T_STAR && top->at < top->end && !top->at->space &&
        top->at->kind == PROMELA_T_SLASH) {
      /* The end of a comment that was inside of a comment. */
      diag_warning(p->diag, token.place.span, "this '*/' closes no comment; it is ignored");
      top->at++;
      continue;
    }
    struct promela_tokens *argument = argument_of(top, &token);
    if (argument == NULL) {
      if (token.kind == PROMELA_T_NAME)
        token.kind = promela_word(token.text, token.length);
      return token;
    }
    /* The argument has a frame of its own, without parameters: names in it are those of the
     * caller, though they may be called like a parameter. Whether a line or a space is in front
     * of it is asked of the place where it is put in. */
    struct promela_place *place = ARENA_NEW(p->arena, struct promela_place);
    *place = token.place;
    if (token.use.source != NULL)
      place->span = token.use;
    struct promela_frame *frame = ARENA_PUSH(p->arena, &p->frames);
    *frame = (struct promela_frame){.at = argument->at,
                                    .stands_for = place,
                                    .end = argument->at + argument->n,
                                    .first_newline = token.newline,
                                    .first_space = token.space,
                                    .is_first = true};
  }
  return end_token(p);
}

static bool may_end_statement(enum promela_token_kind kind) {
  switch (kind) {
  case PROMELA_T_CLOSE_BLOCK:
  case PROMELA_T_CLOSE:
  case PROMELA_T_CLOSE_INDEX:
  case PROMELA_T_OD:
  case PROMELA_T_FI:
  case PROMELA_T_ELSE:
  case PROMELA_T_BREAK:
  case PROMELA_T_C_CODE:
  case PROMELA_T_C_EXPR:
  case PROMELA_T_C_DECL:
  case PROMELA_T_NAME:
  case PROMELA_T_NUMBER:
  case PROMELA_T_CHAR:
  case PROMELA_T_TRUE:
  case PROMELA_T_FALSE:
  case PROMELA_T_SKIP:
  case PROMELA_T_INCREMENT:
  case PROMELA_T_DECREMENT:
    return true;
  default:
    return false;
  }
}

/* Tokens that only go on with what is before them: a line may begin with one. Minus and `!` are
 * not among them, for an expression may begin with either. */
static bool goes_on(enum promela_token_kind kind) {
  switch (kind) {
  case PROMELA_T_SEMICOLON:
  case PROMELA_T_ARROW:
  case PROMELA_T_UNLESS:
  case PROMELA_T_PLUS:
  case PROMELA_T_STAR:
  case PROMELA_T_SLASH:
  case PROMELA_T_PERCENT:
  case PROMELA_T_SHL:
  case PROMELA_T_SHR:
  case PROMELA_T_LT:
  case PROMELA_T_LE:
  case PROMELA_T_GT:
  case PROMELA_T_GE:
  case PROMELA_T_EQ:
  case PROMELA_T_NE:
  case PROMELA_T_BAND:
  case PROMELA_T_BXOR:
  case PROMELA_T_BOR:
  case PROMELA_T_AND:
  case PROMELA_T_OR:
  case PROMELA_T_ASSIGN:
  case PROMELA_T_COMMA:
  case PROMELA_T_DOT:
  case PROMELA_T_OPEN_INDEX:
  case PROMELA_T_CLOSE_INDEX:
  case PROMELA_T_CLOSE:
  case PROMELA_T_RECEIVE:
  case PROMELA_T_RANDOM_RECEIVE:
  case PROMELA_T_SORTED_SEND:
  case PROMELA_T_OF:
    return true;
  default:
    return false;
  }
}

static struct promela_token separator(const struct promela_token *before) {
  struct promela_token token = *before;
  token.kind = PROMELA_T_SEMICOLON;
  token.text = ";";
  token.length = 1;
  token.implied = true;
  token.place.span.end = token.place.span.begin;
  return token;
}

static bool needs_none_after_brace(enum promela_token_kind kind) {
  switch (kind) {
  case PROMELA_T_PROCTYPE:
  case PROMELA_T_INIT:
  case PROMELA_T_NEVER:
  case PROMELA_T_OPTION:
  case PROMELA_T_FI:
  case PROMELA_T_OD:
  case PROMELA_T_CLOSE_BLOCK:
  case PROMELA_T_UNLESS:
  case PROMELA_T_SEMICOLON:
  case PROMELA_T_ARROW:
  case PROMELA_T_COMMA:
  case PROMELA_T_END:
    return true;
  default:
    return false;
  }
}

static bool is_separator(enum promela_token_kind kind) {
  return kind == PROMELA_T_SEMICOLON || kind == PROMELA_T_ARROW;
}

/* Whether a separator was left out before this token. */
static bool lacks_separator(const struct promela_parser *p, const struct promela_token *token) {
  if (p->last == PROMELA_T_ELSE)
    return !is_separator(token->kind) && token->kind != PROMELA_T_FI;
  if (p->last == PROMELA_T_CLOSE_BLOCK)
    return !needs_none_after_brace(token->kind);
  return token->newline && p->in_sequence && p->parentheses == 0 &&
         may_end_statement(p->last_token) && !goes_on(token->kind);
}

static void hold(struct promela_parser *p, struct promela_token token) {
  p->held = token;
  p->has_held = true;
}

/* The next token, separators put in and superfluous ones left out. */
static struct promela_token next_token(struct promela_parser *p) {
  struct promela_token token;
  if (p->has_held) {
    token = p->held;
    p->has_held = false;
  } else {
    token = read_token(p);
    if (lacks_separator(p, &token)) {
      hold(p, token);
      token = separator(&token);
    }
  }
  /* In a formula the arrow is an operator. */
  while (is_separator(token.kind) && !p->in_formula) {
    if (!p->has_held)
      hold(p, read_token(p));
    const enum promela_token_kind kind = p->held.kind;
    if (!is_separator(kind) && kind != PROMELA_T_CLOSE_BLOCK)
      break;
    token = p->held;
    p->has_held = false;
  }
  p->last = p->last_token = token.kind;
  if (token.kind == PROMELA_T_OPEN)
    p->parentheses++;
  else if (token.kind == PROMELA_T_CLOSE && p->parentheses > 0)
    p->parentheses--;
  return token;
}

const struct promela_token *promela_peek(struct promela_parser *p) {
  if (!p->has_ahead) {
    p->ahead = next_token(p);
    p->has_ahead = true;
  }
  return &p->ahead;
}

void promela_advance(struct promela_parser *p) {
  if (p->token.text != NULL) {
    p->last_span = p->token.place.span;
    p->last_in_text = p->token.stands_for != NULL   ? p->token.stands_for->span
                      : p->token.use.source != NULL ? p->token.use
                                                    : p->token.place.span;
    p->taken = p->token.kind;
    *ARENA_PUSH(p->arena, &p->log) = p->token;
  }
  if (p->has_ahead) {
    p->token = p->ahead;
    p->has_ahead = false;
  } else {
    p->token = next_token(p);
  }
}

bool promela_enter_inline(struct promela_parser *p, struct promela_inline *in,
                          struct promela_tokens *arguments, struct promela_expr *target,
                          struct promela_place place) {
  if (in->is_busy) {
    if (promela_error(p, place, "inline '%s' calls itself", in->name))
      promela_hint(
          p, "the body of an inline is put in place of the call, which would have no end");
    return promela_stop(p);
  }
  if (p->frames.n > 2 * PROMELA_MAX_MACROS) { /* twice: arguments are frames, too */
    promela_error(p, place, "calls of inlines are nested too deep");
    return promela_stop(p);
  }
  struct promela_call *call = ARENA_NEW(p->arena, struct promela_call);
  *call = (struct promela_call){
      .name = in->name, .span = place.span, .definition = in->definition, .outer = place.call};
  struct promela_frame *frame = ARENA_PUSH(p->arena, &p->frames);
  *frame = (struct promela_frame){.at = in->begin,
                                  .end = in->end,
                                  .in = in,
                                  .arguments = arguments,
                                  .call = call,
                                  .target = target};
  in->is_busy = true;
  /* What is in front of the body is the call, which ends no statement yet: no separator. */
  p->last = p->last_token = PROMELA_T_SEMICOLON;
  return true;
}

/* Reads up to the bracket that closes the one just read. */
static bool collect(struct promela_parser *p, enum promela_token_kind open,
                    enum promela_token_kind close, struct promela_tokens *out) {
  const struct promela_place place = p->token.place;
  for (uint32_t depth = 1;;) {
    struct promela_token token = read_token(p);
    if (token.kind == PROMELA_T_END) {
      promela_error(p, place, "the embedded C that begins here is never closed");
      return promela_stop(p);
    }
    depth += token.kind == open;
    depth -= token.kind == close;
    if (depth == 0)
      return true;
    *ARENA_PUSH(p->arena, out) = token;
  }
}

const char *promela_raw_block(struct promela_parser *p, const char **precondition) {
  const enum promela_token_kind word = p->token.kind;
  struct promela_tokens before = {0};
  struct promela_tokens block = {0};
  struct promela_token token = read_token(p);
  if (token.kind == PROMELA_T_OPEN_INDEX) {
    if (!collect(p, PROMELA_T_OPEN_INDEX, PROMELA_T_CLOSE_INDEX, &before))
      return NULL;
    *precondition = promela_join(p->arena, before.at, before.n, false);
    token = read_token(p);
  }
  if (token.kind != PROMELA_T_OPEN_BLOCK) {
    promela_error(p, token.place, "expected '{' and embedded C after '%s'",
                  promela_token_name(word));
    promela_stop(p);
    return NULL;
  }
  if (!collect(p, PROMELA_T_OPEN_BLOCK, PROMELA_T_CLOSE_BLOCK, &block))
    return NULL;
  p->last = p->last_token = word;
  const char *text = promela_join(p->arena, block.at, block.n, true);
  promela_advance(p);
  return text;
}

bool promela_skip_block(struct promela_parser *p, const struct promela_token **begin,
                        const struct promela_token **end) {
  struct promela_frame *frame = &p->frames.at[0];
  const struct promela_place place = p->token.place;
  if (p->frames.n != 1 || frame->at == frame->end || frame->at->kind != PROMELA_T_OPEN_BLOCK ||
      p->has_held || p->has_ahead) {
    if (frame->at < frame->end)
      promela_error(p, frame->at->place, "expected '{'");
    else
      promela_error(p, place, "expected '{' after this");
    return false;
  }
  *begin = frame->at;
  uint32_t depth = 0;
  do {
    if (frame->at == frame->end) {
      promela_error(p, place, "the braces after this are never closed by '}'");
      return promela_stop(p);
    }
    depth += frame->at->kind == PROMELA_T_OPEN_BLOCK;
    depth -= frame->at->kind == PROMELA_T_CLOSE_BLOCK;
    frame->at++;
  } while (depth > 0);
  *end = frame->at;
  p->last = p->last_token = PROMELA_T_CLOSE_BLOCK;
  promela_advance(p);
  return true;
}
