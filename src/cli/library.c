/* library.c - Cairn as a library: a handle, its model and options, and the run.
 *
 * A handle makes a command line of what it is told, and then the same code reads it and runs
 * that `cairn check` does (check_run()). So names, values, refusals and figures cannot differ.
 * What is of the process and not of a run is left alone: signals, standard streams, the
 * language of numbers.
 */
#include "cli/library.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

int cairn_abi(void) {
  return CAIRN_ABI;
}

const char *cairn_version(void) {
  return CAIRN_VERSION;
}

/* ---- opening and closing ---------------------------------------------------------------- */

struct cairn *cairn_open(void) {
  struct cairn *c = calloc(1, sizeof *c);
  if (c == NULL)
    return NULL;
  c->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c->plain != (locale_t)0)
    return c;
  free(c);
  return NULL;
}

/* What is known of the last run. */
static void forget_run(struct cairn *c) {
  library_forget_steps(c);
  if (c->is_open)
    check_close(&c->check);
  c->is_open = false;
  if (c->messages != NULL)
    fclose(c->messages);
  c->messages = NULL;
  for (uint32_t i = 0; i < LIBRARY_TEXTS; i++) {
    free(c->said[i]);
    c->said[i] = NULL;
  }
  free(c->room);
  free(c->argv);
  c->room = NULL;
  c->argv = NULL;
}

void cairn_close(struct cairn *c) {
  if (c == NULL)
    return;
  forget_run(c);
  for (uint32_t i = 0; i < c->words.n; i++)
    free(c->words.at[i]);
  free(c->words.at);
  free(c->model);
  free(c->text);
  freelocale(c->plain);
  free(c);
}

/* ---- the model -------------------------------------------------------------------------- */

/* A copy with a NUL after it; NULL: no memory. */
static char *copy(const char *text, size_t length) {
  char *at = malloc(length + 1);
  if (at == NULL)
    return NULL;
  memcpy(at, text, length);
  at[length] = '\0';
  return at;
}

static int set_model(struct cairn *c, const char *name, char *text, struct given_model given) {
  char *own = copy(name, strlen(name));
  if (own == NULL) {
    free(text);
    return library_fail(c, "out of memory");
  }
  forget_run(c); /* which has pointers into these */
  free(c->model);
  free(c->text);
  c->model = own;
  c->text = text;
  c->given = given;
  c->given.text = text;
  c->error[0] = '\0';
  return 0;
}

int cairn_model_file(struct cairn *c, const char *path) {
  if (path == NULL || *path == '\0')
    return library_fail(c, "the file name of the model is empty");
  return set_model(c, path, NULL, (struct given_model){0});
}

static const struct language *language_named(const char *name) {
  for (uint32_t i = 0; languages[i] != NULL; i++)
    if (strcmp(languages[i]->name, name) == 0)
      return languages[i];
  return NULL;
}

int cairn_model_text(struct cairn *c, const char *name, const char *language, const char *text,
                     size_t length) {
  const struct language *known = language == NULL ? NULL : language_named(language);
  if (known == NULL)
    return library_fail(c, "there is no language '%.60s'", language == NULL ? "" : language);
  if (length > SOURCE_MAX)
    return library_fail(c, "the text of the model is longer than %u bytes", SOURCE_MAX);
  char *own = copy(length == 0 ? "" : text, length);
  if (own == NULL)
    return library_fail(c, "out of memory");
  return set_model(c, name == NULL || *name == '\0' ? "model" : name, own,
                   (struct given_model){.language = known, .length = (uint32_t)length});
}

int cairn_model_functions(struct cairn *c, const char *name, const struct cairn_model *model) {
  if (model == NULL)
    return library_fail(c, "the model has no functions");
  return set_model(c, name == NULL || *name == '\0' ? "model" : name, NULL,
                   (struct given_model){.language = language_named("c"), .functions = model});
}

/* ---- options ---------------------------------------------------------------------------- */

/* Room for a command line, "cairn check WORDS -- MODEL". */
struct line {
  char **argv;
  int argc;
  struct option_given *room;
};

static void drop_line(struct line *line) {
  free(line->argv);
  free(line->room);
}

static bool make_line(const struct cairn *c, const char *model, struct line *line) {
  static const char *const first[] = {"cairn", "check"};
  const size_t n = c->words.n + 5u;
  line->argv = calloc(n, sizeof *line->argv);
  line->room = calloc(n, sizeof *line->room);
  if (line->argv == NULL || line->room == NULL) {
    drop_line(line);
    return false;
  }
  /* argv is not written to; its type is that of main(). */
  line->argc = 0;
  for (uint32_t i = 0; i < 2; i++)
    line->argv[line->argc++] = (char *)(uintptr_t)first[i];
  for (uint32_t i = 0; i < c->words.n; i++)
    line->argv[line->argc++] = c->words.at[i];
  line->argv[line->argc++] = (char *)(uintptr_t) "--";
  line->argv[line->argc++] = (char *)(uintptr_t)model;
  return true;
}

/* Of what the command line has, but a program has no use for. */
static bool is_for_terminals(struct cairn *c, const struct options *o) {
  const char *json = o->value[OPTION_JSON].text;
  if (json == NULL || strcmp(json, "-") != 0)
    return o->wants_help &&
           library_fail(c, "help is for the command line: see `cairn check --help`");
  return library_fail(c, "--json - is for the command line: cairn_json() has the object");
}

/* Whether the words so far make sense; NULL, or why not is noted. */
static int judge_words(struct cairn *c) {
  struct line line;
  if (!make_line(c, c->model == NULL ? "model" : c->model, &line))
    return library_fail(c, "out of memory");
  struct options *o = calloc(1, sizeof *o);
  int status = 0;
  if (o == NULL)
    status = library_fail(c, "out of memory");
  else if (!options_parse(o, line.argc, line.argv, line.room))
    status = library_fail(c, "%s", o->problem);
  else if (is_for_terminals(c, o))
    status = -1;
  free(o);
  drop_line(&line);
  return status;
}

int cairn_set(struct cairn *c, const char *option, const char *value) {
  if (option == NULL || *option == '\0' || *option == '-')
    return library_fail(c, "the name of an option is written without dashes, as \"store\"");
  char **words = realloc(c->words.at, (c->words.n + 1) * sizeof *words);
  if (words == NULL)
    return library_fail(c, "out of memory");
  c->words.at = words;
  const size_t length = strlen(option) + (value == NULL ? 0 : strlen(value)) + 4;
  char *word = malloc(length);
  if (word == NULL)
    return library_fail(c, "out of memory");
  snprintf(word, length, "--%s%s%s", option, value == NULL ? "" : "=",
           value == NULL ? "" : value);
  words[c->words.n++] = word;
  library_enter(c);
  const int status = judge_words(c);
  library_leave(c);
  if (status == 0) {
    c->error[0] = '\0';
    return 0;
  }
  free(words[--c->words.n]);
  return status;
}

/* ---- the run ---------------------------------------------------------------------------- */

void cairn_on_progress(struct cairn *c, int (*call)(void *, const struct cairn_progress *),
                       void *context) {
  c->progress = call;
  c->context = context;
}

void cairn_stop(struct cairn *c) {
  atomic_store(&c->stop, true);
}

static bool show_progress(void *context, const struct search_figures *figures) {
  struct cairn *c = context;
  const struct cairn_progress progress = {figures->stored, figures->open, figures->events,
                                          figures->seconds};
  if (c->progress == NULL)
    return true;
  library_leave(c);
  const bool goes_on = c->progress(c->context, &progress) == 0;
  library_enter(c);
  return goes_on;
}

/* The reason why there is no answer, as the error of the run. */
static void note_reason(struct cairn *c) {
  char *reason = outcome_reason(&c->check.now.outcome);
  c->error[0] = '\0';
  if (reason != NULL)
    library_fail(c, "%s", reason);
  free(reason);
}

/* False: not even its messages have memory. */
static bool check_it(struct cairn *c, const struct line *line) {
  struct options *o = &c->options;
  c->argv = line->argv;
  c->room = line->room;
  const bool fine = options_parse(o, line->argc, line->argv, line->room);
  c->messages = open_memstream(&c->said[LIBRARY_MESSAGES], &c->said_bytes);
  if (c->messages == NULL)
    return false;
  o->messages = c->messages;
  o->model = c->given.language == NULL ? NULL : &c->given;
  check_open(&c->check, o);
  c->is_open = true;
  c->check.host.progress = show_progress;
  c->check.host.context = c;
  const struct guard_stop outer = check_limit_calls(&c->check);
  if (!fine)
    c->check.now.outcome.reason = o->problem;
  else if (check_run(&c->check))
    check_write_json(&c->check);
  guard_stop_by(outer);
  note_reason(c);
  return true;
}

enum cairn_verdict cairn_run(struct cairn *c) {
  struct line line;
  forget_run(c);
  if (c->model == NULL) {
    library_fail(c, "there is no model: cairn_model_file() and the like give one");
    return CAIRN_REJECTED;
  }
  if (!make_line(c, c->model, &line)) {
    library_fail(c, "out of memory");
    return CAIRN_INCONCLUSIVE;
  }
  library_enter(c);
  const atomic_bool *outer = clock_stop_by(&c->stop);
  const bool fine = check_it(c, &line);
  clock_stop_by(outer);
  atomic_store(&c->stop, false);
  library_leave(c);
  if (!fine) {
    library_fail(c, "out of memory");
    return CAIRN_INCONCLUSIVE;
  }
  return (enum cairn_verdict)outcome_status(&c->check.now.outcome);
}
