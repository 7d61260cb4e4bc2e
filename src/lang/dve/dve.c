/* dve.c - the DVE language: the models of DiVinE 2 and of the BEEM set.
 *
 * What is taken and where tools differ is said in docs/dve.md. The front end is
 * three steps: text to tokens to a tree (lexer.c, parse_*.c), and from there to
 * the checked model (lower*.c). A step with errors is the last one, so that no
 * message is about something that is only half known.
 */
#include "lang/dve/lower.h"
#include "lang/dve/parser.h"
#include "lang/lang.h"

#include <xxhash.h>

extern const struct language language_dve;

static struct ir_model *parse(struct arena *arena, struct diag *diag,
                              const struct source *source,
                              const struct language_options *options) {
  uint32_t errors = diag_errors(diag);
  const struct dve_file *file = dve_parse_file(arena, diag, source);
  if (diag_errors(diag) > errors)
    return NULL;
  struct ir_model *model = dve_lower_file(arena, diag, source, file, options);
  if (model != NULL)
    model->hash = XXH3_64bits(source->text, source->length);
  return model;
}

/* system async; or system sync; ends every model. */
static bool recognises(const struct source *source) {
  return language_find_word(source, "process", 0) > 0 &&
         language_find_word(source, "system", 0) > 0 &&
         language_find_word(source, "proctype", 0) == 0;
}

/* The text is a DVE expression in which local names are qualified. */
static struct ir_expr *read_expr(struct ir_model *model, struct diag *diag,
                                 const struct source *source) {
  uint32_t errors = diag_errors(diag);
  const struct dve_expr *tree = dve_parse_condition(model->arena, diag, source);
  if (tree == NULL || diag_errors(diag) > errors)
    return NULL;
  struct dve_lower l = {
      .arena = model->arena, .diag = diag, .model = model, .names = dve_names_of_model(model)};
  return dve_lower_expr(&l, tree);
}

const struct language language_dve = {
    .name = "dve",
    .extensions = ".dve",
    .summary = "DVE, the language of DiVinE 2 and of the BEEM benchmark set",
    .traits = LANGUAGE_CHECKED,
    .heeds = LANGUAGE_STATEMENTS | LANGUAGE_COMPILED,
    .parse = parse,
    .recognises = recognises,
    .read = read_expr,
};
