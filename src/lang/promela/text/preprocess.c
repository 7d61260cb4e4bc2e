/* preprocess.c - the preprocessor as a whole: what -D says, then the text. */
#include "lang/promela/text/preprocess.h"

#include <string.h>

/* -D NAME or NAME=VALUE. */
static void define_from_outside(struct promela_preprocessor *pp, const char *define) {
  char *text = strchr(define, '=') == NULL ? arena_printf(pp->kept, "%s 1", define)
                                           : arena_text(pp->kept, define, strlen(define));
  char *equals = strchr(text, '=');
  if (equals != NULL)
    *equals = ' ';
  const struct source *source =
      source_make(pp->kept, "<command line>", text, (uint32_t)strlen(text));
  struct promela_lexer lexer = {.source = source, .diag = pp->diag, .arena = pp->texts};
  struct promela_tokens line = {0};
  for (;;) {
    struct promela_token token = promela_lex(&lexer);
    if (token.kind == PROMELA_T_END)
      break;
    token.newline = false;
    *ARENA_PUSH(pp->arena, &line) = token;
  }
  promela_pp_read_define(pp, line.at, line.n, (struct span){source, 0, source->length});
}

static bool preprocess(struct promela_preprocessor *pp, const struct source *source,
                       struct promela_defines defines, struct promela_tokens *out) {
  pp->raw = promela_pp_raw;
  pp->expand = promela_pp_expand;
  for (uint32_t i = 0; i < defines.n; i++)
    define_from_outside(pp, defines.at[i]);
  promela_pp_enter(pp, source);
  while (!pp->failed) {
    struct promela_token token = promela_pp_next(pp);
    if (pp->failed)
      break;
    if (out->n >= PROMELA_MAX_TOKENS)
      return promela_pp_fail(pp, token.place.span, "the model has more than %u tokens",
                             PROMELA_MAX_TOKENS);
    *ARENA_PUSH(pp->texts, out) = token; /* alone in its arena it grows in place */
    if (token.kind == PROMELA_T_END)
      return true;
  }
  return false;
}

bool promela_preprocess(struct arena *arena, struct diag *diag, const struct source *source,
                        struct promela_defines defines, struct promela_tokens *out,
                        struct arena **tokens) {
  *tokens = arena_inside(arena);
  struct arena *own = arena_inside(arena);
  struct promela_preprocessor *pp = ARENA_NEW(own, struct promela_preprocessor);
  pp->arena = own;
  pp->texts = *tokens;
  pp->kept = arena;
  pp->diag = diag;
  const bool fine = preprocess(pp, source, defines, out);
  arena_close(own);
  return fine;
}
