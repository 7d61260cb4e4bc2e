/* claims.c - the same: conditions on markings are the atoms. */
#include "lang/pnml/claims.h"

#include <string.h>
#include <xxhash.h>

struct reading {
  struct ask *ask;
  struct {
    struct net_atom *at;
    uint32_t n, capacity;
  } atoms;
  struct {
    struct claim *at;
    uint32_t n, capacity;
  } claims;
};

static bool add_atom(void *context, struct diag *diag, const struct source *text,
                     struct span span) {
  struct reading *r = context;
  (void)span;
  (void)diag; /* that of the questions */
  const struct net_term *term = ask_read(r->ask, text);
  if (term != NULL)
    *ARENA_PUSH(r->ask->arena, &r->atoms) = (struct net_atom){text->text, term};
  return term != NULL;
}

static bool add_claim(struct reading *r, const struct source *source, struct net *net,
                      bool is_formula) {
  const struct language_atoms atoms = {r, add_atom};
  const uint32_t first = r->atoms.n;
  struct claim claim;
  const bool fine =
      is_formula
          ? language_formula_claim(r->ask->arena, r->ask->diag, source, &atoms, &claim)
          : language_automaton_claim(r->ask->arena, r->ask->diag, source, &atoms, &claim);
  if (!fine)
    return false;
  claim.first_atom = first;
  *ARENA_PUSH(r->ask->arena, &r->claims) = claim;
  net->hash = XXH3_64bits_withSeed(source->text, source->length, net->hash);
  return true;
}

static bool add_file(struct reading *r, const char *path, struct net *net) {
  const char *why = NULL;
  const struct source *source = source_read(r->ask->arena, path, &why);
  if (source == NULL)
    diag_error(r->ask->diag, (struct span){0}, "%s: %s", path, why);
  return source != NULL && add_claim(r, source, net, false);
}

bool claims_read(struct ask *ask, const struct language_options *how, struct net *net,
                 struct net_options *options) {
  struct reading r = {.ask = ask};
  for (uint32_t i = 0; i < how->n_formulas; i++)
    if (!add_claim(&r,
                   source_make(ask->arena, "--ltl", how->formula[i],
                               (uint32_t)strlen(how->formula[i])),
                   net, true))
      return false;
  for (uint32_t i = 0; i < how->n_claims; i++)
    if (language_is_automaton(how->claim[i]) && !add_file(&r, how->claim[i], net))
      return false;
  options->atom = r.atoms.at;
  options->n_atoms = r.atoms.n;
  options->claim = r.claims.at;
  options->n_claims = r.claims.n;
  return true;
}
