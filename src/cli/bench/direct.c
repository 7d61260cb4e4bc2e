/* direct.c - see direct.h. The text of a suite is made, so that there is one way to read and to
 * run what is measured, and so that --list shows what it comes to. */
#include "cli/bench/direct.h"
#include "cli/methods.h"
#include "cli/quoted.h"

#include "base/text.h"
#include "lang/lang.h"

#include <string.h>

/* What varies: an option of `bench` with a list, and the one of `check` that gets each. */
static const struct varied {
  enum option list;
  const char *name;
} varied[] = {
    {OPTION_STORES, "store"}, {OPTION_ORDERS, "order"}, {OPTION_REDUCTIONS, "reduce"}};

#define N_VARIED (sizeof varied / sizeof *varied)

bool direct_asked(const struct options *o) {
  return language_of_file(o->operand[0]) != NULL;
}

enum option direct_option(const struct options *o) {
  static const enum option options[] = {OPTION_STORES, OPTION_ORDERS, OPTION_REDUCTIONS,
                                        OPTION_DEFINE, OPTION_TIME,   OPTION_MEMORY};
  for (uint32_t i = 0; i < sizeof options / sizeof *options; i++)
    if (o->value[options[i]].given)
      return options[i];
  return OPTIONS;
}

/* The length of the first value of a list: what begins with a digit after a comma is a part of
 * it, as in alt:2,3. Reductions go together, so each time that the option is given is one. */
static size_t value_length(const struct varied *v, const char *text) {
  size_t n = v->list == OPTION_REDUCTIONS ? strlen(text) : strcspn(text, ",");
  while (text[n] == ',' && text[n + 1] >= '0' && text[n + 1] <= '9')
    n += 1 + strcspn(text + n + 1, ",");
  return n;
}

static void add_values(struct text *text, const struct options *o, const struct varied *v) {
  uint32_t cursor = 0;
  if (!o->value[v->list].given)
    return;
  text_printf(text, "each\t%s", v->name);
  for (const char *list; (list = options_next(o, v->list, &cursor)) != NULL;)
    for (const char *at = list; *at != '\0'; at += *at == ',') {
      const size_t n = value_length(v, at);
      if (n > 0)
        text_printf(text, "\t%.*s", (int)n, at);
      at += n;
    }
  text_printf(text, "\n");
}

/* A line for the runs, of which there is one for each combination of values. */
static void add_runs(struct text *text, const struct options *o) {
  const char *blank = "";
  text_printf(text, "run\t");
  for (uint32_t i = 0; i < N_VARIED; i++)
    if (o->value[varied[i].list].given) {
      text_printf(text, "%s${%s}", blank, varied[i].name);
      blank = " ";
    }
  text_printf(text, "%s", *blank == '\0' ? "auto\t-" : "\t");
  for (uint32_t i = 0; i < N_VARIED; i++)
    if (o->value[varied[i].list].given)
      text_printf(text, " --%s ${%s}", varied[i].name, varied[i].name);
  text_printf(text, "\n");
}

static void add_model(struct text *text, struct arena *arena, const struct options *o,
                      const char *path) {
  const char *slash = strrchr(path, '/');
  uint32_t cursor = 0;
  text_printf(text, "model\t%s\t%s\t", slash == NULL ? path : slash + 1, path);
  for (const char *define; (define = options_next(o, OPTION_DEFINE, &cursor)) != NULL;)
    text_printf(text, " -D %s", quoted_word(arena, define));
  if (o->value[OPTION_TIME].given)
    text_printf(text, " --time %s", o->value[OPTION_TIME].text);
  if (o->value[OPTION_MEMORY].given)
    text_printf(text, " --memory %s", o->value[OPTION_MEMORY].text);
  text_printf(text, "\n");
}

/* What `check` says against a value alone. What does not go together is for its row to say. */
static const char *wrong_value(struct arena *arena, const struct options *o,
                               const struct varied *v) {
  uint32_t cursor = 0;
  for (const char *list; (list = options_next(o, v->list, &cursor)) != NULL;)
    for (const char *at = list; *at != '\0'; at += *at == ',') {
      const size_t n = value_length(v, at);
      char *argv[] = {arena_text(arena, "cairn", 5), arena_text(arena, "check", 5),
                      arena_printf(arena, "--%s=%.*s", v->name, (int)n, at),
                      arena_text(arena, "model", 5)};
      struct methods_judged judged = {0};
      if (n > 0)
        methods_judge(arena, 4, argv, &judged);
      if (judged.why != NULL && judged.broken == NULL)
        return judged.why;
      at += n;
    }
  return NULL;
}

static const char *problem_of(struct arena *arena, const struct options *o) {
  for (uint32_t i = 0; i < o->n_operands; i++) {
    const char *path = options_operand(o, i);
    if (language_of_file(path) == NULL)
      return arena_printf(arena, "%s is no model by its name: a suite is measured alone", path);
    if (strpbrk(path, "\t\n\r$") != NULL)
      return "the name of a model has a tab, a line's end or '$': rename it";
  }
  for (uint32_t i = 0; i < o->n_given; i++)
    if (o->given[i].text != NULL && strpbrk(o->given[i].text, "\t\n\r$") != NULL)
      return "a value has a tab, a line's end or '$', which a suite cannot have";
  for (uint32_t i = 0; i < N_VARIED; i++) {
    const char *why = wrong_value(arena, o, &varied[i]);
    if (why != NULL)
      return why;
  }
  return NULL;
}

const struct source *direct_suite(struct arena *arena, const struct options *o,
                                  const char **why) {
  struct text text;
  *why = problem_of(arena, o);
  if (*why != NULL)
    return NULL;
  text_init(&text, arena_budget(arena), BUDGET_OTHER);
  for (uint32_t i = 0; i < N_VARIED; i++)
    add_values(&text, o, &varied[i]);
  for (uint32_t i = 0; i < o->n_operands; i++)
    add_model(&text, arena, o, options_operand(o, i));
  add_runs(&text, o);
  const char *copy = text.failed ? NULL : arena_text(arena, text.at, text.length);
  const uint32_t length = (uint32_t)text.length;
  text_free(&text);
  *why = copy == NULL ? "out of memory" : NULL;
  const char *title =
      o->n_operands == 1 ? o->operand[0] : arena_printf(arena, "%u models", o->n_operands);
  return copy == NULL ? NULL : source_make(arena, title, copy, length);
}
