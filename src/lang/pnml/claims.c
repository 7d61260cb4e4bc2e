/* claims.c - the same: conditions on markings are the atoms. */
#include "lang/pnml/claims.h"

struct reading {
  struct ask *ask;
  struct {
    struct net_atom *at;
    uint32_t n, capacity;
  } atoms;
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

bool claims_read(struct ask *ask, const struct language_options *how, struct net *net,
                 struct net_options *options) {
  struct reading r = {.ask = ask};
  const struct language_atoms atoms = {&r, add_atom};
  struct language_claims claims = {.hash = net->hash};
  if (!language_read_claims(ask->arena, ask->diag, how, &atoms, &claims))
    return false;
  net->hash = claims.hash;
  options->atom = r.atoms.at;
  options->n_atoms = r.atoms.n;
  options->claim = claims.at;
  options->n_claims = claims.n;
  return true;
}
