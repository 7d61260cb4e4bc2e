/* formula.c - formulas of linear temporal logic, and automata from files, over the expressions
 * of any language. */
#include "lang/lang.h"
#include "lang/ltl/claim.h"
#include "lang/ltl/hoa.h"
#include "lang/ltl/parse.h"

#include <string.h>
#include <xxhash.h>

#define FORMULA_WIDTH 200u /* bytes of a formula that are shown */

/* The largest automaton that is taken. */
enum { MOST_STATES = 4096, MOST_EDGES = 65536 };

struct reading {
  const struct language *language;
  struct ir_model *model;
  uint32_t first; /* atom of the model */
  const char *text[LTL_ATOMS];
};

/* The same text is the same atom; a new one becomes one of the model. */
static bool read_atom(void *context, struct diag *diag, struct span span, uint32_t *number) {
  struct reading *r = context;
  struct arena *arena = r->model->arena;
  const uint32_t n = r->model->atoms.n - r->first;
  const char *text = source_squeeze(arena, span, UINT32_MAX);
  for (*number = 0; *number < n; ++*number)
    if (strcmp(r->text[*number], text) == 0)
      return true;
  if (n == LTL_ATOMS)
    return true; /* the parser refuses this number */
  const struct source *part = source_make(arena, "formula", text, (uint32_t)strlen(text));
  struct ir_expr *condition = r->language->read(r->model, diag, part);
  if (condition == NULL)
    return false;
  r->text[n] = text;
  ir_add_atom(r->model, text, span, condition);
  return true;
}

bool language_add_formula(const struct language *language, struct ir_model *model,
                          struct diag *diag, const struct source *source) {
  struct reading reading = {.language = language, .model = model, .first = model->atoms.n};
  const struct ltl_reader reader = {read_atom, &reading};
  const struct span all = {source, 0, source->length};
  const struct ltl_formula *f = ltl_parse(model->arena, diag, source, &reader);
  const char *why = NULL;
  if (f == NULL)
    return false;
  const char *text = source_squeeze(model->arena, all, FORMULA_WIDTH);
  struct claim claim = {.name = text,
                        .what = arena_printf(model->arena, "ltl %s", text),
                        .is_asked = true,
                        .first_atom = reading.first,
                        .n_atoms = model->atoms.n - reading.first};
  if (!ltl_claim_make(model->arena, f->root, &claim, &why)) {
    diag_error(diag, all, "%s", why);
    return false;
  }
  *ARENA_PUSH(model->arena, &model->claims) = claim;
  model->hash = XXH3_64bits_withSeed(source->text, source->length, model->hash);
  return true;
}

/* A proposition is an expression of the model's language. */
static bool read_propositions(const struct language *language, struct ir_model *model,
                              struct diag *diag, const struct hoa *hoa) {
  for (uint32_t i = 0; i < hoa->n_atoms; i++) {
    const struct source *part =
        source_make(model->arena, "proposition", hoa->atom[i], (uint32_t)strlen(hoa->atom[i]));
    struct ir_expr *condition = language->read(model, diag, part);
    if (condition == NULL)
      return false;
    ir_add_atom(model, hoa->atom[i], hoa->place[i], condition);
  }
  return true;
}

bool language_add_automaton(const struct language *language, struct ir_model *model,
                            struct diag *diag, const struct source *source) {
  const struct span all = {source, 0, 0};
  const uint32_t first = model->atoms.n;
  const struct hoa *hoa = hoa_read(model->arena, diag, source);
  if (hoa == NULL)
    return false;
  if (hoa->buchi->n_states > MOST_STATES || hoa->buchi->n_edges > MOST_EDGES) {
    diag_error(diag, all, "the automaton has more than %d states or %d edges", MOST_STATES,
               MOST_EDGES);
    return false;
  }
  if (!read_propositions(language, model, diag, hoa))
    return false;
  struct claim claim = {.kind = CLAIM_AUTOMATON,
                        .name = source->name,
                        .what = arena_printf(model->arena, "automaton %s", source->name),
                        .first_atom = first,
                        .n_atoms = hoa->n_atoms};
  ltl_claim_take(hoa->buchi, &claim);
  *ARENA_PUSH(model->arena, &model->claims) = claim;
  model->hash = XXH3_64bits_withSeed(source->text, source->length, model->hash);
  return true;
}
