/* automaton.c - `cairn automaton`: the Büchi automaton of a formula, or one from a file.
 *
 * Without a model the expressions of the formula are not read, and equal texts are the same.
 * What ends in .hoa is the name of a file in the Hanoi omega-automata format instead.
 */
#include "cli/command.h"
#include "cli/loaded.h"

#include "lang/ltl/format.h"
#include "lang/ltl/hoa.h"
#include "lang/ltl/parse.h"
#include "lang/ltl/stutter.h"
#include "lang/ltl/translate.h"

#include <string.h>

struct work {
  const struct options *o;
  struct loaded loaded;
  struct translate_options how;
  struct format_automaton automaton;
};

static bool fail_with_messages(struct work *w) {
  loaded_say(&w->loaded, w->loaded.diag);
  w->loaded.status = 2;
  return false;
}

static struct translate_options how(const struct options *o) {
  struct translate_options how = {.steps = TRANSLATE_ALL,
                                  .negated = o->value[OPTION_NEGATE].given};
  if (o->value[OPTION_FORMAT].given && o->value[OPTION_FORMAT].number == OPTIONS_NEVER)
    how.acceptance = TRANSLATE_STATES;
  else if (o->value[OPTION_DEGENERALISE].given)
    how.acceptance = TRANSLATE_EDGES;
  return how;
}

/* Looks for stutter invariance only where the formula does not show it. */
static bool is_invariant(struct work *w, const struct ltl_node *root) {
  struct translate_options other = w->how;
  const char *why;
  if (stutter_is_obvious(root))
    return true;
  other.negated = !other.negated;
  const struct buchi *no = translate(w->loaded.arena, root, &other, &why);
  return no != NULL && stutter_is_invariant(w->automaton.buchi, no);
}

static bool from_formula(struct work *w) {
  struct loaded *l = &w->loaded;
  struct format_automaton *a = &w->automaton;
  const char *text = w->o->operand[0];
  const char *why = NULL;
  if (strlen(text) > SOURCE_MAX)
    return loaded_fail(l, 2, "the formula is too long");
  const struct source *source = source_make(l->arena, "formula", text, (uint32_t)strlen(text));
  const struct ltl_formula *f = ltl_parse(l->arena, l->diag, source, NULL);
  if (f == NULL)
    return fail_with_messages(w);
  loaded_say(l, l->diag);
  a->buchi = translate(l->arena, f->root, &w->how, &why);
  if (a->buchi == NULL)
    return loaded_fail(l, 2, "the automaton of this formula is too large: %s", why);
  a->formula = source_squeeze(l->arena, (struct span){source, 0, source->length}, UINT32_MAX);
  if (w->how.negated)
    a->formula = arena_printf(l->arena, "!(%s)", a->formula);
  a->n_atoms = f->n_atoms;
  a->atom = f->atom;
  a->stutter_invariant = is_invariant(w, f->root);
  return true;
}

static bool from_file(struct work *w) {
  struct loaded *l = &w->loaded;
  const char *why = NULL;
  if (w->how.negated)
    return loaded_fail(l, 2, "--negate needs a formula: automata cannot be complemented");
  const struct source *source = source_read(l->arena, w->o->operand[0], &why);
  if (source == NULL)
    return loaded_fail(l, 2, "%s: %s", w->o->operand[0], why);
  const struct hoa *hoa = hoa_read(l->arena, l->diag, source);
  if (hoa == NULL)
    return fail_with_messages(w);
  w->automaton.buchi = translate_reduce(hoa->buchi, &w->how);
  w->automaton.formula = hoa->name[0] != '\0' ? hoa->name : w->o->operand[0];
  w->automaton.n_atoms = hoa->n_atoms;
  w->automaton.atom = hoa->atom;
  w->automaton.stutter_invariant = hoa->stutter_invariant;
  return true;
}

static void print(struct work *w) {
  struct format_automaton *a = &w->automaton;
  const struct option_value *format = &w->o->value[OPTION_FORMAT];
  a->kind = kind_of(a->buchi);
  if (!format->given)
    format_text(stdout, a);
  else if (format->number == OPTIONS_NEVER)
    format_never(stdout, a);
  else if (format->number == OPTIONS_HOA)
    format_hoa(stdout, a);
  else
    format_dot(stdout, a);
}

static bool run(struct work *w) {
  jmp_buf at;
  if (setjmp(at) != 0) {
    arena_guard(w->loaded.arena, NULL);
    return loaded_fail(&w->loaded, 3, "the memory budget was reached");
  }
  arena_guard(w->loaded.arena, &at);
  w->how = how(w->o);
  const bool fine = language_is_automaton(w->o->operand[0]) ? from_file(w) : from_formula(w);
  if (fine)
    print(w);
  arena_guard(w->loaded.arena, NULL);
  return fine;
}

int command_automaton(const struct options *o) {
  struct work w = {.o = o};
  const bool fine = loaded_start(&w.loaded, o) && run(&w);
  loaded_close(&w.loaded);
  return fine ? 0 : w.loaded.status;
}
