/* language.c - C as a language: a file that says what follows a state, compiled and run.
 *
 * What such a file defines is in include/cairn/model.h. Conditions and formulas of the command
 * line are expressions of C over the names that the model declares.
 */
#include "lang/lang.h"

#include "foreign/foreign.h"
#include "lang/c/unused.h"

#include <string.h>
#include <xxhash.h>

struct reading {
  struct arena *arena;
  struct diag *diag;
  const struct language_options *how;
  struct {
    const struct source **at;
    uint32_t n, capacity;
  } texts;                       /* invariants, measures, atoms */
  struct language_claims claims; /* with the hash of all that is read */
  struct foreign_asked asked;
};

static bool c_recognises(const struct source *source) {
  return source->length > 4 && memcmp(source->text, "\177ELF", 4) == 0;
}

static void add_hash(struct reading *r, const struct source *source) {
  r->claims.hash = XXH3_64bits_withSeed(source->text, source->length, r->claims.hash);
}

static bool add_atom(void *context, struct diag *diag, const struct source *text,
                     struct span span) {
  struct reading *r = context;
  (void)diag;
  (void)span;
  *ARENA_PUSH(r->arena, &r->texts) = text;
  r->asked.n_atoms++;
  return true;
}

/* Invariants come before measures. */
static void add_questions(struct reading *r, const struct language_question *question,
                          uint32_t n) {
  for (uint32_t side = 0; side < 2; side++)
    for (uint32_t i = 0; i < n; i++) {
      if (question[i].is_measure != (side == 1))
        continue;
      *ARENA_PUSH(r->arena, &r->texts) = question[i].source;
      if (side == 0)
        add_hash(r, question[i].source);
      r->asked.n_invariants += side == 0;
      r->asked.n_measures += side == 1;
    }
}

static bool compile_questions(struct reading *r, const struct cairn_model *model) {
  const char **text = ARENA_ARRAY(r->arena, r->texts.n, const char *), *why = NULL;
  for (uint32_t i = 0; i < r->texts.n; i++)
    text[i] = r->texts.at[i]->text;
  uint32_t number = TS_NONE;
  r->asked.asks = asks_open(r->arena, model, text, r->texts.n,
                            (enum native_compiler)r->how->compiler, &why, &number);
  if (r->asked.asks == NULL) {
    const struct source *at = number < r->texts.n ? r->texts.at[number] : NULL;
    diag_error(r->diag, (struct span){at, 0, at == NULL ? 0 : at->length}, "%s", why);
  }
  r->asked.text = text;
  r->asked.claim = r->claims.at;
  r->asked.n_claims = r->claims.n;
  return r->asked.asks != NULL;
}

static struct ts *c_open(struct arena *arena, struct diag *diag, const struct source *source,
                         const struct language_options *how,
                         const struct language_question *question, uint32_t n) {
  static const struct language_options defaults;
  struct reading r = {.arena = arena, .diag = diag, .how = how == NULL ? &defaults : how};
  add_hash(&r, source);
  for (uint32_t i = 0; i < r.how->n_defines; i++)
    r.claims.hash =
        XXH3_64bits_withSeed(r.how->define[i], strlen(r.how->define[i]), r.claims.hash);
  add_questions(&r, question, n);
  const struct language_atoms atoms = {&r, add_atom};
  if (!language_read_claims(arena, diag, r.how, &atoms, &r.claims))
    return NULL;
  const struct foreign_order order = {.source = source,
                                      .is_object = c_recognises(source),
                                      .compiler = (enum native_compiler)r.how->compiler,
                                      .functions = how == NULL ? NULL : how->functions,
                                      .define = r.how->define,
                                      .n_defines = r.how->n_defines,
                                      .hash = r.claims.hash};
  struct foreign *f = foreign_open(arena, diag, &order);
  for (uint32_t i = 0; i < r.how->n_defines && !order.is_object; i++)
    c_warn_of_unused(arena, diag, source, r.how->define[i]);
  if (f == NULL || !compile_questions(&r, f->model))
    return NULL;
  foreign_finish(f, arena, &r.asked);
  return &f->ts;
}

const struct language language_c = {
    .name = "c",
    .extensions = ".c .so",
    .summary = "models written in C, and shared objects of them",
    .traits = LANGUAGE_RUNS | LANGUAGE_IS_PROGRAM,
    .heeds = LANGUAGE_DEFINES | LANGUAGE_ENDS | LANGUAGE_COMPILED,
    .recognises = c_recognises,
    .open = c_open,
};
