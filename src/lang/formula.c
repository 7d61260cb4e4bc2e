/* formula.c - formulas of linear temporal logic, and automata from files, over the expressions
 * of any language.
 *
 * A language says how one of its expressions becomes an atom (struct language_atoms); for
 * models that are an ir this is done here, once.
 */
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
  struct arena *arena;
  const struct language_atoms *atoms;
  uint32_t n;
  const char *text[LTL_ATOMS];
};

/* The same text is the same atom; a new one becomes one of the model. */
static bool read_atom(void *context, struct diag *diag, struct span span, uint32_t *number) {
  struct reading *r = context;
  const char *text = source_squeeze(r->arena, span, UINT32_MAX);
  for (*number = 0; *number < r->n; ++*number)
    if (strcmp(r->text[*number], text) == 0)
      return true;
  if (r->n == LTL_ATOMS)
    return true; /* the parser refuses this number */
  const struct source *part = source_make(r->arena, "formula", text, (uint32_t)strlen(text));
  const bool added = r->atoms->add(r->atoms->context, diag, part, span);
  diag_place(diag, part, span);
  if (!added)
    return false;
  r->text[r->n++] = text;
  return true;
}

static bool formula_claim(struct arena *arena, struct diag *diag, const struct source *source,
                          const struct language_atoms *atoms, struct claim *claim) {
  struct reading reading = {.arena = arena, .atoms = atoms};
  const struct ltl_reader reader = {read_atom, &reading};
  const struct span all = {source, 0, source->length};
  const struct ltl_formula *f = ltl_parse(arena, diag, source, &reader);
  const char *why = NULL;
  if (f == NULL)
    return false;
  const char *text = source_squeeze(arena, all, FORMULA_WIDTH);
  *claim = (struct claim){.name = text,
                          .what = arena_printf(arena, "ltl %s", text),
                          .is_asked = true,
                          .n_atoms = reading.n};
  const bool fits = ltl_claim_make(arena, f->root, claim, &why);
  if (!fits)
    diag_error(diag, all, "%s", why);
  return fits;
}

static bool automaton_claim(struct arena *arena, struct diag *diag, const struct source *source,
                            const struct language_atoms *atoms, struct claim *claim) {
  const struct hoa *hoa = hoa_read(arena, diag, source);
  if (hoa == NULL)
    return false;
  if (hoa->buchi->n_states > MOST_STATES || hoa->buchi->n_edges > MOST_EDGES) {
    diag_error(diag, (struct span){source, 0, 0},
               "the automaton has more than %d states or %d edges", MOST_STATES, MOST_EDGES);
    return false;
  }
  for (uint32_t i = 0; i < hoa->n_atoms; i++) {
    const struct source *part =
        source_make(arena, "proposition", hoa->atom[i], (uint32_t)strlen(hoa->atom[i]));
    if (!atoms->add(atoms->context, diag, part, hoa->place[i]))
      return false;
  }
  *claim = (struct claim){.kind = CLAIM_AUTOMATON,
                          .name = source->name,
                          .what = arena_printf(arena, "automaton %s", source->name),
                          .n_atoms = hoa->n_atoms,
                          .stutters = hoa->stutter_invariant};
  ltl_claim_take(hoa->buchi, claim);
  return true;
}

/* ---- models that are no ir -------------------------------------------------------------- */

static bool take(struct arena *arena, struct diag *diag, const struct source *source,
                 const struct language_atoms *atoms, struct language_claims *claims,
                 bool is_formula) {
  struct claim claim;
  if (!(is_formula ? formula_claim(arena, diag, source, atoms, &claim)
                   : automaton_claim(arena, diag, source, atoms, &claim)))
    return false;
  claim.first_atom = claims->n_atoms;
  claims->n_atoms += claim.n_atoms;
  *ARENA_PUSH(arena, claims) = claim;
  claims->hash = XXH3_64bits_withSeed(source->text, source->length, claims->hash);
  return true;
}

bool language_read_claims(struct arena *arena, struct diag *diag,
                          const struct language_options *how,
                          const struct language_atoms *atoms, struct language_claims *claims) {
  for (uint32_t i = 0; i < how->n_formulas; i++) {
    const char *text = how->formula[i];
    const struct source *source = source_make(arena, "--ltl", text, (uint32_t)strlen(text));
    if (!take(arena, diag, source, atoms, claims, true))
      return false;
  }
  for (uint32_t i = 0; i < how->n_claims; i++) {
    const char *why = NULL, *path = how->claim[i];
    if (!language_is_automaton(path))
      continue;
    const struct source *source = source_read(arena, path, &why);
    if (source == NULL)
      diag_error(diag, (struct span){0}, "%s: %s", path, why);
    if (source == NULL || !take(arena, diag, source, atoms, claims, false))
      return false;
  }
  return true;
}

/* ---- models that are an ir -------------------------------------------------------------- */

struct asking {
  const struct language *language;
  struct ir_model *model;
};

static bool add_condition(void *context, struct diag *diag, const struct source *text,
                          struct span span) {
  const struct asking *a = context;
  struct ir_expr *condition = a->language->read(a->model, diag, text);
  if (condition != NULL)
    ir_add_atom(a->model, text->text, span, condition);
  return condition != NULL;
}

static bool add_claim(const struct language *language, struct ir_model *model,
                      struct diag *diag, const struct source *source,
                      bool (*make)(struct arena *, struct diag *, const struct source *,
                                   const struct language_atoms *, struct claim *)) {
  struct asking asking = {language, model};
  const struct language_atoms atoms = {&asking, add_condition};
  const uint32_t first = model->atoms.n;
  struct claim claim;
  if (!make(model->arena, diag, source, &atoms, &claim))
    return false;
  claim.first_atom = first;
  *ARENA_PUSH(model->arena, &model->claims) = claim;
  model->hash = XXH3_64bits_withSeed(source->text, source->length, model->hash);
  return true;
}

bool language_add_formula(const struct language *language, struct ir_model *model,
                          struct diag *diag, const struct source *source) {
  return add_claim(language, model, diag, source, formula_claim);
}

bool language_add_automaton(const struct language *language, struct ir_model *model,
                            struct diag *diag, const struct source *source) {
  return add_claim(language, model, diag, source, automaton_claim);
}

bool language_is_automaton(const char *name) {
  const size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".hoa") == 0;
}
