/* parse_file.c - the whole text of a model, and a condition given beside it. */
#include "lang/dve/parser.h"

static bool at_top(const struct dve_parser *p) {
  return dve_at_variables(p) || dve_at(p, DVE_CHANNEL) || dve_at(p, DVE_PROCESS) ||
         dve_at(p, DVE_SYSTEM) || dve_at(p, DVE_END);
}

/* Reports what is between declarations once, and skips it. */
static void skip_stray(struct dve_parser *p) {
  bool is_section = dve_at_section(p) || dve_at(p, DVE_GUARD) || dve_at(p, DVE_EFFECT);
  const bool is_name = dve_at(p, DVE_ID);
  dve_unexpected(p, "a declaration, 'process' or 'system'");
  if (is_name && p->panic)
    diag_hint(p->diag,
              "the types are byte and int, and a constant is written const byte N = 3;");
  if (is_section && p->panic)
    diag_hint(p->diag, "this belongs inside a process; is there a '}' too many above?");
  while (!at_top(p))
    dve_advance(p);
  p->panic = false;
}

static bool parse_system_rest(struct dve_parser *p, struct dve_file *file) {
  file->synchronous = dve_at(p, DVE_SYNC);
  if (!dve_take(p, DVE_SYNC) && !dve_take(p, DVE_ASYNC))
    return dve_unexpected(p, "'async' or 'sync' after 'system'");
  if (dve_take(p, DVE_PROPERTY) &&
      !dve_expect_name(p, "the name of the process that is the property", &file->property))
    return false;
  return dve_expect(p, DVE_SEMICOLON, "at the end of the system line");
}

/* system = "system" ("async" | "sync") ["property" name] ";" */
static void parse_system(struct dve_parser *p, struct dve_file *file) {
  dve_advance(p);
  if (!parse_system_rest(p, file))
    return;
  if (!dve_at(p, DVE_END))
    dve_unexpected(p, "nothing more after the system line");
}

/* file = {variables | channels | process} system */
struct dve_file *dve_parse_file(struct arena *arena, struct diag *diag,
                                const struct source *source) {
  struct dve_parser p;
  dve_parser_start(&p, arena, diag, source);
  struct dve_file *file = ARENA_NEW(arena, struct dve_file);
  for (;;) {
    if (dve_at_variables(&p)) {
      dve_parse_variables(&p, &file->variables);
    } else if (dve_at(&p, DVE_CHANNEL)) {
      dve_parse_channels(&p, &file->channels);
    } else if (dve_at(&p, DVE_PROCESS)) {
      dve_parse_process(&p, &file->processes);
    } else if (dve_at(&p, DVE_SYSTEM)) {
      parse_system(&p, file);
      return file;
    } else if (dve_at(&p, DVE_END)) {
      dve_unexpected(&p, "'system async;' at the end");
      return file;
    } else {
      skip_stray(&p);
    }
  }
}

struct dve_expr *dve_parse_condition(struct arena *arena, struct diag *diag,
                                     const struct source *source) {
  struct dve_parser p;
  dve_parser_start(&p, arena, diag, source);
  struct dve_expr *e = dve_parse_expr(&p);
  if (e == NULL)
    return NULL;
  if (dve_at(&p, DVE_END))
    return e;
  bool is_assign = dve_at(&p, DVE_ASSIGN);
  dve_unexpected(&p, "an operator or the end of the condition");
  if (is_assign)
    diag_hint(p.diag, "did you mean '=='?");
  return NULL;
}
