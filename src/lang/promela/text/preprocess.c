/* preprocess.c - the preprocessor as a whole: what -D says, then the text. */
#include "lang/promela/text/preprocess.h"

#include <string.h>

/* -D NAME or NAME=VALUE: its macro, or NULL after a mistake. */
static struct promela_macro *define_from_outside(struct promela_preprocessor *pp,
                                                 const char *define) {
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
  struct promela_macro *macro = pp->failed || line.n == 0
                                    ? NULL
                                    : promela_pp_find(pp, line.at[0].text, line.at[0].length);
  if (macro != NULL)
    macro->is_used = false;
  return macro;
}

/* The name in the model that looks most like it, or NULL: macros, names that directives ask
 * about, and what no macro has replaced. */
static const char *closest(struct promela_preprocessor *pp, const struct promela_macro *wrong,
                           const struct promela_tokens *out) {
  struct {
    const char **at;
    uint32_t n, capacity;
  } names = {0};
  for (uint32_t i = 0; i < pp->asked.n; i++)
    *ARENA_PUSH(pp->arena, &names) = pp->asked.at[i];
  for (uint32_t i = 0; i < PROMELA_BUCKETS; i++)
    for (const struct promela_macro *at = pp->bucket[i]; at != NULL; at = at->next)
      if (at->is_used)
        *ARENA_PUSH(pp->arena, &names) = at->name;
  for (uint32_t i = 0; i < out->n && names.n < 10000; i++)
    if (out->at[i].kind == PROMELA_T_NAME)
      *ARENA_PUSH(pp->arena, &names) =
          arena_text(pp->arena, out->at[i].text, out->at[i].length);
  return diag_closest(wrong->name, names.at, names.n);
}

static void warn_of_unused(struct promela_preprocessor *pp, const struct promela_macro *macro,
                           const struct promela_tokens *out) {
  if (macro == NULL || macro->is_used)
    return;
  const char *other = closest(pp, macro, out);
  diag_warning(pp->diag, (struct span){0}, "-D %s has no effect: the model never uses the name",
               macro->name);
  if (other != NULL)
    diag_hint(pp->diag, "did you mean '%s'?", arena_text(pp->kept, other, strlen(other)));
}

static bool preprocess(struct promela_preprocessor *pp, const struct source *source,
                       struct promela_defines defines, struct promela_tokens *out) {
  pp->raw = promela_pp_raw;
  pp->expand = promela_pp_expand;
  struct promela_macro **given = ARENA_ARRAY(pp->arena, defines.n + 1, struct promela_macro *);
  for (uint32_t i = 0; i < defines.n; i++)
    given[i] = define_from_outside(pp, defines.at[i]);
  promela_pp_enter(pp, source);
  while (!pp->failed) {
    struct promela_token token = promela_pp_next(pp);
    if (pp->failed)
      break;
    if (out->n >= PROMELA_MAX_TOKENS)
      return promela_pp_fail(pp, token.place.span, "the model has more than %u tokens",
                             PROMELA_MAX_TOKENS);
    *ARENA_PUSH(pp->texts, out) = token; /* alone in its arena it grows in place */
    if (token.kind != PROMELA_T_END)
      continue;
    for (uint32_t i = 0; i < defines.n; i++)
      warn_of_unused(pp, given[i], out);
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
