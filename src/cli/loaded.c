/* loaded.c - from a file name to a model that can run.
 *
 * Running out of memory in the language wing jumps back to the step that is
 * under way and ends it with status 3; mistakes in the model end with status 2.
 */
#include "cli/loaded.h"

#include "cli/fail.h"

#include "base/clock.h"
#include "base/machine.h"
#include "base/terminal.h"
#include "ir/embedded.h"
#include "report/diagnostics.h"
#include "report/number.h"
#include "report/style.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

void loaded_say(const struct loaded *l, const struct diag *diag) {
  const uint64_t how = l->o->value[OPTION_DIAGNOSTICS].number;
  if (how == OPTIONS_DIAGNOSTICS_GCC)
    diag_print_lines(diag, l->o->messages);
  else if (how == OPTIONS_DIAGNOSTICS_JSON)
    diagnostics_print(diag, l->o->messages);
  else
    diag_print(diag, l->o->messages, l->color);
}

bool loaded_color(const struct options *o, FILE *stream) {
  if (o->value[OPTION_COLOR].number != OPTIONS_COLOR_AUTO)
    return o->value[OPTION_COLOR].number == OPTIONS_COLOR_ALWAYS;
  const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
  return terminal_is(stream) && (none == NULL || *none == '\0') && term != NULL &&
         strcmp(term, "dumb") != 0;
}

bool loaded_fail(struct loaded *l, int status, const char *format, ...) {
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it was begun one line above */
  vsnprintf(l->said, sizeof l->said, format, list);
  va_end(list);
  l->status = status;
  l->why = l->said;
  fprintf(l->o->messages, "%serror:%s ", style_on(l->color, STYLE_BAD), style_off(l->color));
  fail_print_clean(l->o->messages, l->said);
  fputc('\n', l->o->messages);
  return false;
}

/* The place to jump to ends with the step, and so does the guard. */
bool loaded_spent(struct loaded *l) {
  if (l->arena != NULL)
    arena_guard(l->arena, NULL);
  return loaded_fail(l, 3, "the memory budget was reached before the model could run");
}

/* More than there is would end in a kill by the system instead of a verdict. What is free
 * may change; what the machine has does not. */
static bool is_there(struct loaded *l, uint64_t wanted) {
  uint64_t available = machine_free_memory(""), all = machine_total_memory("");
  if (wanted > all)
    return loaded_fail(l, 2, "--memory is %s, but this machine has %s", number_bytes(wanted).at,
                       number_bytes(all).at);
  if (wanted > available)
    fprintf(l->o->messages, "warning: --memory is %s, but only %s are free\n",
            number_bytes(wanted).at, number_bytes(available).at);
  return true;
}

/* The least that a model and a search take beside the program. */
#define LOADED_LEAST ((uint64_t)1 << 20)

static bool is_enough(struct loaded *l) {
  uint64_t least = budget_used_all(l->budget) + LOADED_LEAST;
  unsigned long long mib = (least >> 20) + 1;
  if (least <= budget_limit(l->budget))
    return true;
  return loaded_fail(
      l, 2,
      "--memory %s is too little: the program itself takes %s, so at least %lluM is needed",
      number_bytes(budget_limit(l->budget)).at, number_bytes(least - LOADED_LEAST).at, mib);
}

static const char **texts(struct loaded *l, const struct options *o, enum option option,
                          uint32_t *n) {
  const char **list = ARENA_ARRAY(l->arena, o->n_given + 1, const char *);
  uint32_t cursor = 0;
  *n = 0;
  for (const char *text; (text = options_next(o, option, &cursor)) != NULL;)
    list[(*n)++] = text;
  return list;
}

static enum native_compiler compiler_of(const struct options *o) {
  static const enum native_compiler compiler[] = {
      [OPTIONS_TCC] = NATIVE_TCC, [OPTIONS_CC] = NATIVE_CC, [OPTIONS_AUTO] = NATIVE_AUTO};
  return compiler[o->value[OPTION_COMPILER].number];
}

void loaded_read_how(struct loaded *l, const struct options *o) {
  const struct option_value *v = o->value;
  l->how.define = texts(l, o, OPTION_DEFINE, &l->how.n_defines);
  l->how.claim = texts(l, o, OPTION_CLAIM, &l->how.n_claims);
  l->how.formula = texts(l, o, OPTION_LTL, &l->how.n_formulas);
  l->how.acceptance = (v[OPTION_PROPERTY].number & OPTIONS_ACCEPTANCE) != 0;
  l->how.progress = (v[OPTION_PROPERTY].number & OPTIONS_PROGRESS) != 0;
  l->how.sends_may_lose = v[OPTION_SEND_FULL].number == OPTIONS_LOSE;
  l->how.token_bits = 8u << v[OPTION_TOKEN_BITS].number; /* 8, 16, 32 in this order */
  l->how.end_needs_empty = v[OPTION_END_QUEUES].number == OPTIONS_EMPTY;
  l->how.allow_c = v[OPTION_ALLOW_C].given;
  l->how.as_spin = v[OPTION_SPIN].given;
  l->how.compiler = compiler_of(o);
  l->how.no_remarks = (v[OPTION_WARN].number & OPTIONS_WARN_NO_SPIN) != 0;
}

bool loaded_start(struct loaded *l, const struct options *o) {
  *l = (struct loaded){.path = o->operand[0], .o = o, .color = loaded_color(o, o->messages)};
  if (o->value[OPTION_MEMORY].given && !is_there(l, o->value[OPTION_MEMORY].number))
    return false;
  l->budget = budget_open(o->value[OPTION_MEMORY].number);
  if (l->budget == NULL)
    return loaded_spent(l);
  if (!is_enough(l))
    return false;
  /* The one allocation without a guard: there is no arena to guard yet. */
  l->arena = arena_open(l->budget, BUDGET_MODEL);
  if (l->arena == NULL)
    return loaded_spent(l);
  jmp_buf at;
  if (setjmp(at) != 0)
    return loaded_spent(l);
  arena_guard(l->arena, &at);
  l->diag = diag_open(l->arena);
  loaded_read_how(l, o);
  arena_guard(l->arena, NULL);
  return true;
}

static bool read_source(struct loaded *l) {
  const struct given_model *given = l->o->model;
  const char *why = NULL;
  if (given != NULL) {
    l->how.functions = given->functions;
    l->language = given->language;
    l->source =
        source_make(l->arena, l->path, given->text == NULL ? "" : given->text, given->length);
    return true;
  }
  l->source = source_read(l->arena, l->path, &why);
  if (l->source == NULL)
    return loaded_fail(l, clock_stop_requested() ? 3 : 2, "%s: %s", l->path, why);
  l->language = language_of_file(l->path);
  if (l->language == NULL)
    l->language = language_of_text(l->source);
  if (l->language == NULL && strcmp(l->path, "-") == 0)
    l->language = languages[0];
  if (l->language != NULL)
    return true;
  char known[200] = "";
  for (uint32_t i = 0; languages[i] != NULL; i++)
    snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i > 0 ? ", " : "",
             languages[i]->extensions);
  return loaded_fail(l, 2,
                     "%s: the ending of the name is of no input language; known endings: %s",
                     l->path, known);
}

/* What a language may have no use for: an option, or some of its values (a bit for each). A
 * mild one, which scripts give for models of all languages, is pointed out; others are refused.
 */
static const struct {
  enum option option;
  uint64_t values; /* 0: all */
  unsigned heeds;
  bool mild;
} heeded[] = {
    {OPTION_DEFINE, 0, LANGUAGE_DEFINES, false},
    {OPTION_SEND_FULL, 0, LANGUAGE_CHANNELS, false},
    {OPTION_END_QUEUES, 0, LANGUAGE_CHANNELS, false},
    {OPTION_SPIN, 0, LANGUAGE_SPIN, false},
    {OPTION_ALLOW_C, 0, LANGUAGE_SPIN, true},
    {OPTION_TOKEN_BITS, 0, LANGUAGE_TOKENS, false},
    {OPTION_PROPERTY, OPTIONS_ONE_SAFE | OPTIONS_BOUNDED, LANGUAGE_TOKENS, false},
    {OPTION_CHECK, 1 << OPTIONS_MERGE | 1 << OPTIONS_DEAD, LANGUAGE_STATEMENTS, false},
    {OPTION_WARN, OPTIONS_TRUNCATION, LANGUAGE_STATEMENTS, true},
    {OPTION_WARN, OPTIONS_WARN_SPIN | OPTIONS_WARN_NO_SPIN, LANGUAGE_SPIN, true},
    {OPTION_COMPILER, 0, LANGUAGE_COMPILED, true},
    {OPTION_NO_DEADLOCK, 0, LANGUAGE_ENDS, true},
};

/* C text may do what no fact says. Those that --reduce auto has chosen are left out silently.
 */
static void heed_embedded(struct loaded *l) {
  if (l->model == NULL)
    return;
  if (l->model->embedded == NULL) {
    if (l->how.allow_c && (l->language->heeds & LANGUAGE_SPIN))
      fputs("warning: --allow-c has no effect: there is no embedded C in the model\n",
            l->o->messages);
    return;
  }
  if (l->names_reductions || l->checked != 0)
    fprintf(l->o->messages,
            "warning: --reduce merge, --reduce dead and their checks have no effect in "
            "models with embedded C\n");
  if (l->names_choosing)
    fputs(
        "warning: --reduce por has no effect in models with embedded C: what C text reads and "
        "writes is not known\n",
        l->o->messages);
  l->reductions = l->checked = 0;
}

/* What the memory was like with which a state was met first is in no file. */
static bool may_be_saved(struct loaded *l) {
  const struct ir_embedded *c = l->model == NULL ? NULL : l->model->embedded;
  const bool saves = l->o->value[OPTION_CHECKPOINT].given || l->o->value[OPTION_RESUME].given;
  for (uint32_t k = 0; saves && c != NULL && k < c->kept.n; k++)
    if (c->kept.at[k].is_unmatched)
      return loaded_fail(
          l, 2,
          "models with \"UnMatched\" memory cannot be searched with --checkpoint "
          "and --resume: what they keep beside each state is in no file");
  return true;
}

static bool heeds_options(struct loaded *l) {
  bool heeds = l->language->heeds & LANGUAGE_STATEMENTS;
  l->reductions = heeds || l->names_reductions ? l->reductions : 0;
  if (l->reductions != 0 && !heeds)
    fprintf(
        l->o->messages,
        "warning: --reduce merge and --reduce dead have no effect in models of the language "
        "%s\n",
        l->language->name);
  for (uint32_t i = 0; i < sizeof heeded / sizeof *heeded; i++) {
    const struct option_entry *e = options_entry(heeded[i].option);
    const struct option_value *v = &l->o->value[heeded[i].option];
    const uint64_t values = e->kind == OPTION_CHOICE ? UINT64_C(1) << v->number : v->number;
    const bool some = heeded[i].values != 0;
    if (!v->given || (l->language->heeds & heeded[i].heeds) ||
        (some && !(values & heeded[i].values)))
      continue;
    if (!heeded[i].mild)
      return loaded_fail(l, 2,
                         "--%s%s%s has no effect in models of the language %s: leave it out",
                         e->name, some ? " " : "", some ? v->text : "", l->language->name);
    fprintf(l->o->messages, "warning: --%s%s%s has no effect in models of the language %s\n",
            e->name, some ? " " : "", some ? v->text : "", l->language->name);
  }
  return true;
}

/* Of a language that makes its models run itself. */
static bool open_all(struct loaded *l, const char *const *invariant, uint32_t n) {
  uint32_t all = n + l->n_measures;
  struct language_question *question = ARENA_ARRAY(l->arena, all, struct language_question);
  for (uint32_t i = 0; i < all; i++) {
    const char *text = i < n ? invariant[i] : l->measure[i - n];
    question[i].is_measure = i >= n;
    question[i].source = source_make(l->arena, i < n ? "--invariant" : "expression", text,
                                     (uint32_t)strlen(text));
  }
  l->ts = l->language->open(l->arena, l->diag, l->source, &l->how, question, all);
  return l->ts != NULL;
}

bool loaded_open_again(struct loaded *l, const char *const *invariant, uint32_t n) {
  struct diag *said = l->diag;
  jmp_buf at;
  if (setjmp(at) != 0)
    return loaded_spent(l);
  arena_guard(l->arena, &at);
  l->diag = diag_open(l->arena);
  bool fine = open_all(l, invariant, n);
  l->diag = said;
  arena_guard(l->arena, NULL);
  return fine;
}

/* A model is not the same when a text that it includes has changed. These were read after it.
 */
static uint64_t hash_included(const struct loaded *l, uint64_t hash) {
  const struct source *source = *arena_sources(l->arena);
  for (; source != NULL && source != l->source; source = source->earlier)
    hash = XXH3_64bits_withSeed(source->text, source->length, hash);
  return hash;
}

/* Formulas, and claims that are files. */
static bool add_claims(struct loaded *l) {
  const char *why = NULL;
  for (uint32_t i = 0; i < l->how.n_formulas; i++) {
    const char *text = l->how.formula[i];
    if (!language_add_formula(l->language, l->model, l->diag,
                              source_make(l->arena, "--ltl", text, (uint32_t)strlen(text))))
      return false;
  }
  for (uint32_t i = 0; i < l->how.n_claims; i++) {
    if (!language_is_automaton(l->how.claim[i]))
      continue;
    const struct source *source = source_read(l->arena, l->how.claim[i], &why);
    if (source == NULL)
      return loaded_fail(l, 2, "%s: %s", l->how.claim[i], why);
    if (!language_add_automaton(l->language, l->model, l->diag, source))
      return false;
  }
  return true;
}

static bool parse_all(struct loaded *l, const char *const *invariant, uint32_t n) {
  if (!loaded_is_compiled(l))
    return open_all(l, invariant, n);
  if (n > 0) { /* else a trail may have said what it asks */
    l->how.asked = invariant;
    l->how.n_asked = n;
  }
  l->model = l->language->parse(l->arena, l->diag, l->source, &l->how);
  bool fine = l->model != NULL;
  if (fine)
    l->model->hash = hash_included(l, l->model->hash);
  for (uint32_t i = 0; fine && i < n; i++) {
    struct source *text =
        source_make(l->arena, "--invariant", invariant[i], (uint32_t)strlen(invariant[i]));
    fine = language_add_invariant(l->language, l->model, l->diag, text);
  }
  for (uint32_t i = 0; fine && i < l->n_measures; i++) {
    struct source *text =
        source_make(l->arena, "expression", l->measure[i], (uint32_t)strlen(l->measure[i]));
    fine = language_add_measure(l->language, l->model, l->diag, text);
  }
  return fine && add_claims(l) && diag_errors(l->diag) == 0;
}

bool loaded_parse(struct loaded *l, const char *const *invariant, uint32_t n) {
  double begin = clock_now();
  jmp_buf at;
  if (setjmp(at) != 0)
    return loaded_spent(l);
  arena_guard(l->arena, &at);
  bool fine = read_source(l) && heeds_options(l);
  if (fine) {
    fine = parse_all(l, invariant, n);
    heed_embedded(l);
    fine = fine && may_be_saved(l);
    loaded_say(l, l->diag);
    if (!fine && l->why == NULL) {
      l->status = 2;
      l->why = "the model has errors";
    }
  }
  arena_guard(l->arena, NULL);
  l->parse_seconds = clock_now() - begin;
  return fine;
}

const char *loaded_why_forward(const struct loaded *l) {
  return l->native != NULL ? native_unable(l->native)
                           : "models of this language only go forward";
}

const struct net_model *loaded_net(const struct loaded *l) {
  return l->ts == NULL ? NULL : net_model_if(l->ts);
}

uint64_t loaded_hash(const struct loaded *l) {
  return l->model != NULL ? l->model->hash : l->ts->shape->model_hash;
}

bool loaded_compile(struct loaded *l, const struct options *o, bool report_truncation) {
  if (!loaded_is_compiled(l))
    return true;
  double begin = clock_now();
  struct native_options options = {.compiler = compiler_of(o),
                                   .patience = 2,
                                   .places = l->places,
                                   .report_truncation = report_truncation};
  struct native_failure failure;
  jmp_buf at;
  if (setjmp(at) != 0)
    return loaded_spent(l);
  arena_guard(l->arena, &at);
  if (l->language->finish != NULL)
    l->language->finish(l->model);
  for (uint32_t i = 0; i < l->model->claims.n && l->merges_unless_counted; i++)
    if (!l->model->claims.at[i].stutters)
      l->reductions &= ~(unsigned)IR_MERGE;
  l->model->wants_control = l->wants_control;
  l->model->wants_backward = l->how.backward;
  l->model->reductions = l->reductions;
  l->model->checked = l->checked;
  l->native = native_open(l->model, &options, l->budget, &failure);
  if (l->native == NULL)
    loaded_fail(l, failure.is_limit ? 3 : 2, "%s: %s", l->path, failure.why);
  arena_guard(l->arena, NULL);
  l->compile_seconds += clock_now() - begin;
  if (l->native == NULL)
    return false;
  l->ts = native_ts(l->native);
  return true;
}

bool loaded_again(struct loaded *l, const struct options *o, bool report_truncation) {
  native_close(l->native);
  l->native = NULL;
  return loaded_compile(l, o, report_truncation);
}

bool loaded_grow(struct loaded *l, const struct options *o, bool report_truncation) {
  l->places = native_more_places(l->model);
  return loaded_again(l, o, report_truncation);
}

void loaded_close(struct loaded *l) {
  if (l->native != NULL)
    native_close(l->native);
  if (l->arena != NULL)
    arena_close(l->arena);
  if (l->budget != NULL)
    budget_close(l->budget);
}

/* Bounds of nets are invariants, so that trails have them. */
const char *const *loaded_invariants(struct loaded *l, const struct options *o, uint32_t *n) {
  uint32_t given = 0;
  const char **text = texts(l, o, OPTION_INVARIANT, &given);
  const char **list = ARENA_ARRAY(l->arena, given + 2, const char *);
  for (*n = 0; *n < given; (*n)++)
    list[*n] = text[*n];
  if ((o->value[OPTION_PROPERTY].number & OPTIONS_ONE_SAFE) != 0)
    list[(*n)++] = "bounded(1)";
  if ((o->value[OPTION_PROPERTY].number & OPTIONS_BOUNDED) != 0)
    list[(*n)++] = arena_printf(l->arena, "bounded(%llu)",
                                (unsigned long long)o->value[OPTION_PROPERTY].size);
  return list;
}
