/* lang.c - which language a model is in, and what is the same in each. */
#include "lang/lang.h"

#include "base/seam.h"

#include <string.h>

static const struct seam_function functions[] = {
    SEAM(language, recognises, 0),
    SEAM(language, parse, LANGUAGE_CHECKED),
    SEAM(language, read, LANGUAGE_CHECKED),
    SEAM(language, open, LANGUAGE_RUNS),
};

const char *language_broken(const struct language *language) {
  return seam_broken(language, language->traits, functions,
                     sizeof functions / sizeof *functions);
}

static bool has_ending(const char *path, const char *endings) {
  size_t length = strlen(path);
  for (const char *at = endings; *at != '\0';) {
    size_t ending = strcspn(at, " ");
    if (length > ending && strncmp(path + length - ending, at, ending) == 0)
      return true;
    at += ending;
    at += strspn(at, " ");
  }
  return false;
}

const struct language *language_of_file(const char *path) {
  for (uint32_t i = 0; languages[i] != NULL; i++)
    if (has_ending(path, languages[i]->extensions))
      return languages[i];
  return NULL;
}

const struct language *language_of_text(const struct source *source) {
  for (uint32_t i = 0; languages[i] != NULL; i++)
    if (languages[i]->recognises(source))
      return languages[i];
  return NULL;
}

bool language_add_invariant(const struct language *language, struct ir_model *model,
                            struct diag *diag, const struct source *source) {
  struct ir_expr *condition = language->read(model, diag, source);
  if (condition != NULL)
    ir_add_invariant(model, source, condition);
  return condition != NULL;
}

bool language_add_measure(const struct language *language, struct ir_model *model,
                          struct diag *diag, const struct source *source) {
  struct ir_expr *value = language->read(model, diag, source);
  if (value != NULL)
    ir_add_measure(model, source, value);
  return value != NULL;
}
