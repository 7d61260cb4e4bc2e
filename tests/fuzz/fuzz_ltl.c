/* fuzz_ltl.c - any bytes as a formula: there is one, or one message. A short one is simplified
 * and translated, and its automaton is written in every format. */
#include "fuzz_model.h"

#include "lang/ltl/format.h"
#include "lang/ltl/parse.h"
#include "lang/ltl/translate.h"

static void print(struct arena *arena, const struct ltl_formula *f,
                  const struct source *source) {
  const struct translate_options o = {.steps = TRANSLATE_ALL, .acceptance = TRANSLATE_STATES};
  const char *why = NULL;
  const struct buchi *b = translate(arena, f->root, &o, &why);
  FILE *nowhere = fopen("/dev/null", "w");
  fuzz_require(nowhere != NULL && (b != NULL || why != NULL));
  if (b != NULL) {
    const struct format_automaton a = {.buchi = b,
                                       .formula = source->text,
                                       .n_atoms = f->n_atoms,
                                       .atom = f->atom,
                                       .kind = kind_of(b)};
    format_text(nowhere, &a);
    format_dot(nowhere, &a);
    format_hoa(nowhere, &a);
    format_never(nowhere, &a);
  }
  fclose(nowhere);
}

void fuzz_read_model(struct arena *arena, const char *text, uint32_t length) {
  struct diag *diag = diag_open(arena);
  const struct source *source = source_make(arena, "f", text, length);
  const struct ltl_formula *f = ltl_parse(arena, diag, source, NULL);
  fuzz_require((f == NULL) == (diag_errors(diag) == 1) && diag_errors(diag) <= 1);
  if (f != NULL && length < 60)
    print(arena, f, source);
  fuzz_print(diag);
}
