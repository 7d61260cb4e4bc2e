/* bench.c - `cairn bench`: measure a suite of models and methods, and show the figures. */
#include "cli/command.h"
#include "cli/fail.h"
#include "cli/loaded.h"
#include "cli/target.h"

#include "base/source.h"
#include "cli/bench/direct.h"
#include "cli/bench/show.h"
#include "cli/bench/work.h"
#include "report/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bench {
  const struct options *o;
  struct budget *budget;
  struct arena *arena;
  struct suite *suite;
  struct plan *plan;
  const char *results;  /* the file */
  const char *baseline; /* NULL: none */
  uint32_t repeat;
};

/* The folder of a file, absolute. */
static const char *folder_of(struct arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *folder = strcmp(path, "-") == 0 || slash == NULL ? "."
                       : slash == path                         ? "/"
                                       : arena_text(arena, path, (size_t)(slash - path));
  char *full = realpath(folder, NULL);
  if (full == NULL)
    return folder;
  const char *copy = arena_text(arena, full, strlen(full));
  free(full);
  return copy;
}

/* The suite's base name with another ending, in the current folder. */
static const char *default_results(struct arena *arena, const char *suite) {
  const char *slash = strrchr(suite, '/');
  const char *base = strcmp(suite, "-") == 0 ? "suite" : slash == NULL ? suite : slash + 1;
  const char *dot = strrchr(base, '.');
  size_t n = dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base);
  return arena_printf(arena, "%.*s.jsonl", (int)n, base);
}

static bool has_run(const struct bench *b, const char *name) {
  const char *closest = NULL,
             **names = ARENA_ARRAY(b->arena, b->plan->rows.n + 1, const char *);
  for (uint32_t i = 0; i < b->plan->rows.n; i++) {
    names[i] = plan_label(&b->plan->rows.at[i], "run", 3);
    if (strcmp(names[i], name) == 0)
      return true;
  }
  closest = diag_closest(name, names, b->plan->rows.n);
  fail_with(2,
            closest == NULL ? "no run has the name '%.80s'"
                            : "no run has the name '%.80s'; did you mean '%s'?",
            name, closest);
  return false;
}

/* Reads the suite and makes its rows: 0, or the exit status. */
static int prepare(struct bench *b) {
  const char *path = b->o->operand[0], *why = NULL, **only;
  uint32_t cursor = 0, n_only = 0;
  const bool direct = direct_asked(b->o);
  const enum option lacking = direct ? OPTIONS : direct_option(b->o);
  if (lacking != OPTIONS)
    return fail_with(2, "--%s is for models: a suite says itself how its models are searched",
                     options_entry(lacking)->name);
  if (!direct && b->o->n_operands > 1)
    return fail_with(2, "unexpected '%s': a suite is measured alone", b->o->operand[1]);
  const struct source *source =
      direct ? direct_suite(b->arena, b->o, &why) : source_read(b->arena, path, &why);
  if (source == NULL && direct)
    return fail_with(2, "%s", why);
  if (source == NULL)
    return fail_with(2, "%s cannot be read: %s", path, why);
  struct diag *diag = diag_open(b->arena);
  only = ARENA_ARRAY(b->arena, b->o->n_given + 1, const char *);
  while ((only[n_only] = options_next(b->o, OPTION_ONLY, &cursor)) != NULL)
    n_only++;
  b->suite = suite_parse(b->arena, diag, source, folder_of(b->arena, direct ? "-" : path));
  struct plan *plan = plan_make(b->arena, diag, b->suite, only, n_only);
  b->plan = plan;
  diag_print(diag, stderr, loaded_color(b->o, stderr));
  if (diag_errors(diag) > 0)
    return 2;
  if (plan->rows.n == 0)
    return fail_with(2, n_only > 0 ? "%s: no row fits --only" : "%s: there is nothing to run",
                     path);
  const struct option_value *value = b->o->value;
  b->results = value[OPTION_RESULTS].given ? value[OPTION_RESULTS].text
                                           : default_results(b->arena, path);
  b->baseline = value[OPTION_BASELINE].given ? value[OPTION_BASELINE].text : b->suite->baseline;
  b->repeat =
      value[OPTION_REPEAT].given ? (uint32_t)value[OPTION_REPEAT].number : b->suite->repeat;
  return b->baseline == NULL || has_run(b, b->baseline) ? 0 : 2;
}

/* Whether a file that the bench writes is a model of a row. */
static bool is_model(const struct bench *b, const char *path) {
  for (uint32_t i = 0; i < b->plan->rows.n; i++)
    if (source_same_file(path, b->plan->rows.at[i].model))
      return true;
  return false;
}

/* Whether a results file holds something else: no line of it is a result. */
static bool holds_no_results(const struct bench *b) {
  const struct results *results = results_read(b->arena, b->results, false);
  return results != NULL && results->runs.n == 0 && results->damaged > 0;
}

/* No file of the user's is lost: neither what is read, nor what something else wrote. */
static int check_targets(const struct bench *b) {
  const struct option_value *v = b->o->value;
  const struct target target[] = {
      {OPTION_RESULTS, b->results, NULL, false},
      {OPTION_OUTPUT, v[OPTION_OUTPUT].text, NULL, false},
      {OPTION_CHART, v[OPTION_CHART].text, &outfile_chart, v[OPTION_FORCE].given}};
  char why[TARGET_SENTENCE];
  for (uint32_t i = 0; i < sizeof target / sizeof *target; i++) {
    if (target[i].path == NULL)
      continue;
    if (target_refused(&target[i], b->arena, why))
      return fail_with(2, "%s", why);
    if (is_model(b, target[i].path))
      return fail_with(2,
                       "--%s %s is a model of the suite, and is not written: name another file",
                       options_entry(target[i].option)->name, target[i].path);
  }
  if (!v[OPTION_FORCE].given && holds_no_results(b))
    return fail_with(
        2,
        "--results %s is there and has no results: name another file, or add to it with "
        "--force",
        b->results);
  return 0;
}

static int list_rows(const struct bench *b) {
  for (uint32_t i = 0; i < b->plan->rows.n; i++) {
    const struct plan_row *row = &b->plan->rows.at[i];
    printf("%s\t", row->key);
    if (row->command != NULL)
      fputs(row->command, stdout);
    else
      printf("cairn check");
    for (char **word = row->argv; word != NULL && *word != NULL; word++)
      printf(" %s", *word);
    printf(row->command != NULL ? "\n" : " %s\n", row->model);
  }
  return 0;
}

static int write_tables(const struct bench *b, const struct show *show) {
  const char *path = b->o->value[OPTION_OUTPUT].given ? b->o->value[OPTION_OUTPUT].text : "-";
  struct outfile out;
  if (!outfile_open(&out, path))
    return fail_with(3, "%s cannot be written: %s", path, strerror(errno));
  show_tables(show, (enum table_format)b->o->value[OPTION_TABLE].number, out.file);
  return outfile_commit(&out) ? 0
                              : fail_with(3, "%s cannot be written: %s", path, strerror(errno));
}

static int write_chart(const struct bench *b, const struct show *show) {
  const char *path = b->o->value[OPTION_CHART].text;
  struct outfile out;
  if (!b->o->value[OPTION_CHART].given)
    return 0;
  if (!outfile_open(&out, path))
    return fail_with(3, "%s cannot be written: %s", path, strerror(errno));
  enum chart_answer answer = show_charts(show, out.file);
  if (answer != CHART_DONE) {
    outfile_abandon(&out);
    return fail_with(
        3, answer == CHART_NO_GNUPLOT
               ? "no chart was drawn: gnuplot is not installed (the tables are complete)"
               : "no chart was drawn: gnuplot failed (the tables are complete)");
  }
  return outfile_commit(&out) ? 0
                              : fail_with(3, "%s cannot be written: %s", path, strerror(errno));
}

static int show_all(const struct bench *b) {
  const struct results *results = results_read(b->arena, b->results, true);
  if (results == NULL)
    return fail_with(3, "%s cannot be read: %s", b->results, strerror(errno));
  if (results->damaged > 0)
    fprintf(stderr, "warning: %s: %u damaged line%s left out\n", b->results, results->damaged,
            results->damaged == 1 ? "" : "s");
  struct show *show = show_open(b->arena, b->plan, results, b->repeat, b->baseline);
  int tables = write_tables(b, show), chart = write_chart(b, show);
  uint32_t differ = show_differences(show), lacking = show_lacking(show);
  if (lacking > 0)
    fprintf(stderr, "%u of %u rows lack good runs\n", lacking, b->plan->rows.n);
  return tables != 0 ? tables : chart != 0 ? chart : differ > 0 || lacking > 0 ? 1 : 0;
}

static int run_bench(struct bench *b) {
  const struct option_value *value = b->o->value;
  int status = prepare(b);
  if (status != 0 || b->plan == NULL)
    return status;
  if (value[OPTION_LIST].given)
    return list_rows(b);
  status = check_targets(b);
  if (status != 0)
    return status;
  if (!value[OPTION_SHOW].given) {
    struct work work = {b->plan,
                        b->budget,
                        b->results,
                        b->repeat,
                        value[OPTION_FRESH].given,
                        isatty(STDERR_FILENO) == 1};
    enum work_end end = work_do(&work);
    if (end == WORK_STOPPED)
      return 3;
    if (end == WORK_INTERRUPTED)
      return fail_with(3, "interrupted; the same command goes on where it ended");
  }
  return show_all(b);
}

int command_bench(const struct options *o) {
  struct bench b = {.o = o, .budget = budget_open(0)};
  jmp_buf spent;
  int status = 3;
  b.arena = b.budget == NULL ? NULL : arena_open(b.budget, BUDGET_OTHER);
  if (b.arena == NULL) {
    budget_close(b.budget);
    return fail_with(3, "out of memory");
  }
  if (setjmp(spent) == 0) {
    arena_guard(b.arena, &spent);
    status = run_bench(&b);
  } else {
    fail_with(3, "out of memory");
  }
  arena_guard(b.arena, NULL);
  arena_close(b.arena);
  budget_close(b.budget);
  return status;
}
