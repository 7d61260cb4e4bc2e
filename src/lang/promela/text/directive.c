/* directive.c - lines that start with #, and the files they name.
 *
 * Files are read when they are included, relative to the folder of the file that
 * names them. An include may come back to a file that is open (guards make that
 * end), so depth and number are bounded instead.
 */
#include "lang/promela/text/preprocess.h"

#include <string.h>

static struct promela_file *top_file(struct promela_preprocessor *pp) {
  return &pp->files.at[pp->files.n - 1];
}

static bool is_active(const struct promela_preprocessor *pp) {
  return pp->conditions.n == 0 || pp->conditions.at[pp->conditions.n - 1].is_active;
}

/* The rest of the line. */
static void read_line(struct promela_preprocessor *pp, struct promela_tokens *line) {
  struct promela_lexer *x = &top_file(pp)->lexer;
  for (;;) {
    const uint32_t before = x->at;
    struct promela_lexer quiet = *x;
    quiet.skipping = true;
    if (promela_lex(&quiet).newline) {
      x->at = before;
      return;
    }
    struct promela_token token = promela_lex(x);
    *promela_pp_add(pp, line) = token;
  }
}

bool promela_pp_enter(struct promela_preprocessor *pp, const struct source *source) {
  struct promela_file *file = ARENA_PUSH(pp->arena, &pp->files);
  file->lexer = (struct promela_lexer){.source = source, .diag = pp->diag, .arena = pp->texts};
  file->n_conditions = pp->conditions.n;
  /* A mark of Unicode editors. */
  if (source->length >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0)
    file->lexer.at = 3;
  return true;
}

/* ---- #define ---------------------------------------------------------------- */

/* name {, name} ) after the parenthesis; gives where the body starts. */
static uint32_t read_parameters(struct promela_preprocessor *pp, struct promela_macro *macro,
                                const struct promela_token *at, uint32_t n) {
  uint32_t i = 2;
  macro->is_function = true;
  if (i < n && at[i].kind == PROMELA_T_CLOSE)
    return i + 1;
  while (i < n) {
    struct promela_token name = at[i];
    if (name.kind == PROMELA_T_DOTS && i + 1 < n && at[i + 1].kind == PROMELA_T_DOT) {
      name.text = "__VA_ARGS__";
      name.length = (uint32_t)strlen(name.text);
      macro->is_variadic = true;
      i++;
    } else if (name.kind != PROMELA_T_NAME) {
      promela_pp_fail(pp, name.place.span, "expected the name of a parameter of macro '%s'",
                      macro->name);
      return n;
    }
    *ARENA_PUSH(pp->arena, &macro->parameters) = name;
    i++;
    if (i < n && at[i].kind == PROMELA_T_CLOSE)
      return i + 1;
    if (i >= n || at[i].kind != PROMELA_T_COMMA || macro->is_variadic)
      break;
    i++;
  }
  promela_pp_fail(pp, macro->definition, "the parameters of macro '%s' are not closed by ')'",
                  macro->name);
  return n;
}

static bool is_parameter(const struct promela_macro *macro, const struct promela_token *token) {
  for (uint32_t i = 0; i < macro->parameters.n; i++)
    if (token->kind == PROMELA_T_NAME && token->length == macro->parameters.at[i].length &&
        memcmp(token->text, macro->parameters.at[i].text, token->length) == 0)
      return true;
  return false;
}

static bool check_body(struct promela_preprocessor *pp, const struct promela_macro *macro) {
  const struct promela_tokens *body = &macro->body;
  for (uint32_t i = 0; i < body->n; i++) {
    const struct promela_token *token = &body->at[i];
    if (token->kind == PROMELA_T_PASTE && (i == 0 || i + 1 == body->n))
      return promela_pp_fail(pp, token->place.span, "'##' joins two tokens: one is missing");
    if (token->kind == PROMELA_T_HASH && macro->is_function &&
        (i + 1 == body->n || !is_parameter(macro, &body->at[i + 1])))
      return promela_pp_fail(pp, token->place.span, "'#' must be before a parameter of '%s'",
                             macro->name);
  }
  return true;
}

void promela_pp_read_define(struct promela_preprocessor *pp, const struct promela_token *at,
                            uint32_t n, struct span where) {
  if (n == 0 || at[0].kind != PROMELA_T_NAME || promela_spells(&at[0], "defined")) {
    promela_pp_fail(pp, n > 0 ? at[0].place.span : where, "expected the name of a macro");
    return;
  }
  struct promela_macro *macro = ARENA_NEW(pp->arena, struct promela_macro);
  macro->name = arena_text(pp->arena, at[0].text, at[0].length);
  macro->length = at[0].length;
  macro->definition = at[0].place.span;
  uint32_t i = 1;
  if (n > 1 && at[1].kind == PROMELA_T_OPEN && !at[1].space)
    i = read_parameters(pp, macro, at, n);
  for (; i < n; i++)
    *ARENA_PUSH(pp->arena, &macro->body) = at[i];
  if (check_body(pp, macro)) {
    promela_pp_undefine(pp, &at[0]);
    promela_pp_define(pp, macro);
  }
}

/* ---- #include --------------------------------------------------------------- */

/* The path of a file that `from` names. */
static const char *path_beside(struct arena *arena, const char *from, const char *name,
                               uint32_t length) {
  const char *slash = strrchr(from, '/');
  if (slash == NULL || name[0] == '/')
    return arena_text(arena, name, length);
  return arena_printf(arena, "%.*s%.*s", (int)(slash - from + 1), from, (int)length, name);
}

static bool is_open(const struct promela_preprocessor *pp, const char *path) {
  for (uint32_t i = 0; i < pp->files.n; i++)
    if (strcmp(pp->files.at[i].lexer.source->name, path) == 0)
      return true;
  return false;
}

static void include_file(struct promela_preprocessor *pp, const struct promela_token *name) {
  const struct span span = name->place.span;
  const char *path = path_beside(pp->arena, top_file(pp)->lexer.source->name, name->text + 1,
                                 name->length - 2);
  if (pp->files.n > PROMELA_MAX_FILES || ++pp->n_opened > PROMELA_MAX_OPENED) {
    if (is_open(pp, path))
      promela_pp_fail(pp, span, "'%.200s' includes itself without an end", path);
    else
      promela_pp_fail(pp, span, "too many files are included (more than %u deep or %u in all)",
                      PROMELA_MAX_FILES, PROMELA_MAX_OPENED);
    return;
  }
  if (name->length == 2 || memchr(name->text, '\0', name->length) != NULL) {
    promela_pp_fail(pp, span, "this is no name of a file");
    return;
  }
  const char *why = NULL;
  const struct source *source = source_read(pp->kept, path, &why);
  if (source == NULL)
    promela_pp_fail(pp, span, "cannot read '%.200s': %s", path, why);
  else
    promela_pp_enter(pp, source);
}

static void read_include(struct promela_preprocessor *pp, const struct promela_tokens *line,
                         struct span where) {
  struct promela_tokens expanded = {0};
  const struct promela_tokens *list = line;
  if (line->n > 0 && line->at[0].kind == PROMELA_T_NAME) {
    promela_pp_expand(pp, line->at, line->n, &expanded);
    list = &expanded;
  }
  if (list->n == 0 || list->at[0].kind != PROMELA_T_STRING) {
    promela_pp_fail(pp, line->n > 0 ? line->at[0].place.span : where,
                    "expected a file's name in double quotes after #include");
    if (line->n > 0 && line->at[0].kind == PROMELA_T_LT)
      diag_hint(pp->diag, "what C has in such files is not needed: printf and assert are "
                          "statements of the language");
    return;
  }
  const struct promela_token name = list->at[0];
  include_file(pp, &name);
}

/* ---- #if -------------------------------------------------------------------- */

static void open_condition(struct promela_preprocessor *pp, struct span where, bool holds) {
  const bool outer = is_active(pp);
  struct promela_condition *condition = ARENA_PUSH(pp->arena, &pp->conditions);
  *condition = (struct promela_condition){.span = where,
                                          .is_active = outer && holds,
                                          .was_active = holds,
                                          .is_outer_active = outer};
}

static bool name_is_defined(struct promela_preprocessor *pp, const struct promela_tokens *line,
                            struct span where) {
  if (line->n == 0 || line->at[0].kind != PROMELA_T_NAME)
    return promela_pp_fail(pp, where, "expected the name of a macro");
  return promela_pp_is_defined(pp, &line->at[0]);
}

/* The innermost #if of this file, or NULL after a report. */
static struct promela_condition *own_condition(struct promela_preprocessor *pp,
                                               const struct promela_token *word) {
  if (pp->conditions.n > top_file(pp)->n_conditions)
    return &pp->conditions.at[pp->conditions.n - 1];
  promela_pp_fail(pp, word->place.span, "there is no #if that this #%.*s belongs to",
                  (int)word->length, word->text);
  return NULL;
}

static void next_group(struct promela_preprocessor *pp, const struct promela_token *word,
                       const struct promela_tokens *line, bool is_else) {
  struct promela_condition *condition = own_condition(pp, word);
  if (condition == NULL)
    return;
  if (condition->in_else) {
    promela_pp_fail(pp, word->place.span, "#%.*s after #else", (int)word->length, word->text);
    return;
  }
  condition->in_else = is_else;
  const bool open = condition->is_outer_active && !condition->was_active;
  const bool holds =
      open && (is_else || promela_pp_condition(pp, line->at, line->n, word->place.span));
  condition = &pp->conditions.at[pp->conditions.n - 1];
  condition->is_active = holds;
  condition->was_active |= holds;
}

/* #if and its kin, which are watched in skipped text as well. False: another directive. */
static bool do_conditional(struct promela_preprocessor *pp, const struct promela_token *word,
                           const struct promela_tokens *line) {
  const struct span where = word->place.span;
  if (promela_spells(word, "if"))
    open_condition(pp, where,
                   is_active(pp) && promela_pp_condition(pp, line->at, line->n, where));
  else if (promela_spells(word, "ifdef"))
    open_condition(pp, where, is_active(pp) && name_is_defined(pp, line, where));
  else if (promela_spells(word, "ifndef"))
    open_condition(pp, where, is_active(pp) && !name_is_defined(pp, line, where));
  else if (promela_spells(word, "elif"))
    next_group(pp, word, line, false);
  else if (promela_spells(word, "else"))
    next_group(pp, word, line, true);
  else if (promela_spells(word, "endif")) {
    if (own_condition(pp, word) != NULL)
      pp->conditions.n--;
  } else {
    return false;
  }
  return true;
}

static void do_other(struct promela_preprocessor *pp, const struct promela_token *word,
                     const struct promela_tokens *line) {
  const struct span where = word->place.span;
  if (promela_spells(word, "define")) {
    promela_pp_read_define(pp, line->at, line->n, where);
  } else if (promela_spells(word, "undef")) {
    if (line->n == 0 || line->at[0].kind != PROMELA_T_NAME)
      promela_pp_fail(pp, where, "expected the name of a macro");
    else
      promela_pp_undefine(pp, &line->at[0]);
  } else if (promela_spells(word, "include")) {
    read_include(pp, line, where);
  } else if (promela_spells(word, "error")) {
    promela_pp_fail(pp, where, "#error %.200s",
                    promela_join(pp->arena, line->at, line->n, false));
  } else if (promela_spells(word, "warning")) {
    diag_warning(pp->diag, where, "#warning %.200s",
                 promela_join(pp->arena, line->at, line->n, false));
  } else if (word->kind != PROMELA_T_NUMBER && !promela_spells(word, "line") &&
             !promela_spells(word, "pragma") && !promela_spells(word, "ident")) {
    promela_pp_fail(pp, where, "there is no directive #%.*s",
                    (int)(word->length < 40 ? word->length : 40), word->text);
  }
}

static void do_directive(struct promela_preprocessor *pp) {
  struct promela_tokens line = {0};
  read_line(pp, &line);
  if (line.n == 0)
    return;
  const struct promela_token word = line.at[0];
  struct promela_tokens rest = {.at = line.at + 1, .n = line.n - 1};
  if (!do_conditional(pp, &word, &rest) && is_active(pp))
    do_other(pp, &word, &rest);
  promela_pp_release(pp, line.at, line.capacity);
  pp->files.at[pp->files.n - 1].lexer.skipping = !is_active(pp);
}

/* Leaves an included file. False at the end of all. */
static bool leave_file(struct promela_preprocessor *pp) {
  const uint32_t base = top_file(pp)->n_conditions;
  if (pp->conditions.n > base) {
    promela_pp_fail(pp, pp->conditions.at[pp->conditions.n - 1].span,
                    "this #if is never closed by #endif");
    return false;
  }
  if (pp->files.n == 1)
    return false;
  pp->files.n--;
  return true;
}

struct promela_token promela_pp_raw(struct promela_preprocessor *pp) {
  bool newline = false;
  while (!pp->failed) {
    struct promela_file *file = top_file(pp);
    struct promela_token token = promela_lex(&file->lexer);
    pp->failed |= file->lexer.failed;
    token.newline |= newline;
    if (token.kind == PROMELA_T_END) {
      if (!leave_file(pp))
        return token;
      newline = true;
    } else if (token.kind == PROMELA_T_HASH && token.newline && !pp->failed) {
      do_directive(pp);
      newline = true;
    } else if (is_active(pp)) {
      return token;
    } else {
      newline |= token.newline;
    }
  }
  return (struct promela_token){.kind = PROMELA_T_END, .newline = true};
}
