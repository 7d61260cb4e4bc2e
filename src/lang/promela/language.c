/* language.c - Promela, the language of Spin, as one of the input languages.
 *
 * What is taken and where tools differ is said in docs/promela.md. The front half reads
 * text into a checked tree (promela.h), the back half lowers that to the checked model
 * (lower.h).
 */
#include "lang/lang.h"
#include "lang/promela/lower/lower.h"
#include "lang/promela/promela.h"

#include <string.h>
#include <xxhash.h>

extern const struct language language_promela;

static uint64_t hash_options(const struct language_options *o, uint64_t hash) {
  for (uint32_t i = 0; i < o->n_defines; i++)
    hash = XXH3_64bits_withSeed(o->define[i], strlen(o->define[i]) + 1, hash);
  for (uint32_t i = 0; i < o->n_claims; i++)
    hash = XXH3_64bits_withSeed(o->claim[i], strlen(o->claim[i]), hash);
  const uint8_t flags[3] = {o->sends_may_lose, o->end_needs_empty, o->as_spin};
  return XXH3_64bits_withSeed(flags, sizeof flags, hash);
}

static struct ir_model *parse(struct arena *arena, struct diag *diag,
                              const struct source *source,
                              const struct language_options *options) {
  static const struct language_options none = {0};
  const struct language_options *o = options == NULL ? &none : options;
  struct promela_model *tree = promela_read(arena, diag, source, o);
  struct ir_model *model = tree == NULL ? NULL : lower_model(diag, tree, o);
  if (model != NULL)
    model->hash = hash_options(o, XXH3_64bits(source->text, source->length));
  return model;
}

/* A proctype, or nothing but init { … }. */
static bool recognises(const struct source *source) {
  if (language_find_word(source, "proctype", 0) > 0)
    return true;
  uint32_t at = language_find_word(source, "init", 0);
  for (; at > 0; at = language_find_word(source, "init", at)) {
    const char *next = source->text + at;
    if (next[strspn(next, " \t\r\n")] == '{')
      return true;
  }
  return false;
}

/* Promela has remote references for what belongs to a process. */
static struct ir_expr *read_expr(struct ir_model *model, struct diag *diag,
                                 const struct source *source) {
  uint32_t errors = diag_errors(diag);
  struct promela_lower *l = lower_of(model);
  struct promela_expr *tree = promela_read_condition(l->model, diag, source);
  if (tree == NULL || diag_errors(diag) > errors)
    return NULL;
  struct ir_expr *value = lower_expr(l, tree);
  lower_reveal(l, value);
  lower_resolve(l);
  model->uses_last |= l->model->uses_last;
  return diag_errors(diag) > errors ? NULL : value;
}

/* What the checked model is made of are copies, and names, which stay. */
static void finish(struct ir_model *model) {
  struct promela_model *tree = lower_of(model)->model;
  arena_close(tree->tree);
  tree->tree = NULL;
}

const struct language language_promela = {
    .name = "promela",
    .extensions = ".pml .prom .promela .pm .pr .prm .spin",
    .summary = "Promela, the language of Spin",
    .traits = LANGUAGE_CHECKED,
    .heeds = LANGUAGE_DEFINES | LANGUAGE_CHANNELS | LANGUAGE_SPIN | LANGUAGE_STATEMENTS |
             LANGUAGE_ENDS | LANGUAGE_COMPILED,
    .parse = parse,
    .recognises = recognises,
    .read = read_expr,
    .finish = finish,
};
