/* work.c - doing the runs of a plan that are not done yet.
 *
 * Everything that runs leave is in one temporary folder: what was built, a
 * verifier's files, trails. Our own memory is kept small meanwhile (results are read
 * again for the tables), since a started process inherits our peak as its least one.
 */
#include "cli/bench/work.h"

#include "cli/methods.h"

#include <errno.h>
#include <ftw.h>
#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define WORK_PROGRAM "/proc/self/exe"
#define WORK_OUTPUT  ((size_t)64 << 20) /* more of what a run prints is not read */

enum build_state { BUILD_DUE, BUILD_DONE, BUILD_FAILED };

struct worker {
  const struct work *work;
  struct arena *arena; /* for all of it */
  const struct results *done;
  FILE *file;
  char folder[256], program[4096];
  uint64_t program_hash;
  uint8_t *built; /* enum build_state, by row */
  uint64_t *fingerprint;
  uint64_t n_done, n_all;
  const struct plan_row *row; /* what is running, for the progress line */
  uint32_t repeat;
  bool shown, failed;
};

/* ---- files -------------------------------------------------------------------- */

/* The contents, NUL-terminated, to be freed; NULL if it cannot be read. */
static char *read_whole(const char *path, size_t *length) {
  FILE *file = fopen(path, "r");
  struct stat info;
  if (file == NULL)
    return NULL;
  char *text = NULL;
  *length = 0;
  if (fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode)) {
    size_t size = (size_t)info.st_size < WORK_OUTPUT ? (size_t)info.st_size : WORK_OUTPUT;
    text = malloc(size + 1);
    if (text != NULL) {
      *length = fread(text, 1, size, file);
      text[*length] = '\0';
    }
  }
  fclose(file);
  return text;
}

static bool hash_file(XXH3_state_t *state, const char *path) {
  char block[1 << 16];
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return false;
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
    XXH3_64bits_update(state, block, n);
  bool fine = !ferror(file);
  fclose(file);
  return fine;
}

static int remove_entry(const char *path, const struct stat *info, int kind,
                        struct FTW *where) {
  (void)info, (void)kind, (void)where;
  return remove(path);
}

static void remove_folder(const char *path) {
  nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- fingerprints --------------------------------------------------------------- */

static void hash_text(XXH3_state_t *state, const char *text) {
  if (text != NULL)
    XXH3_64bits_update(state, text, strlen(text) + 1);
}

/* Everything that a run depends on; 0: its model cannot be read. */
static uint64_t fingerprint_of(struct worker *w, const struct plan_row *row) {
  const struct suite *suite = w->work->plan->suite;
  XXH3_state_t *state = XXH3_createState();
  if (state == NULL)
    return 0;
  XXH3_64bits_reset(state);
  XXH3_64bits_update(state, &suite->seconds, sizeof suite->seconds);
  XXH3_64bits_update(state, &suite->memory, sizeof suite->memory);
  bool fine = hash_file(state, row->model);
  if (row->line->kind == SUITE_RUN)
    XXH3_64bits_update(state, &w->program_hash, sizeof w->program_hash);
  for (char **word = row->argv; word != NULL && *word != NULL; word++)
    hash_text(state, *word);
  for (char **word = row->environment; word != NULL && *word != NULL; word++)
    hash_text(state, *word);
  hash_text(state, row->build);
  hash_text(state, row->command);
  for (uint32_t i = 0; row->line->kind == SUITE_TOOL && i < suite->lines.n; i++) {
    const struct suite_line *line = &suite->lines.at[i];
    for (uint32_t j = 0; line->kind == SUITE_FIGURE && j < line->cells.n; j++)
      hash_text(state, line->cells.at[j].text);
  }
  uint64_t hash = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return fine ? hash | 1 : 0;
}

/* ---- progress and messages ------------------------------------------------------ */

static void clear_progress(struct worker *w) {
  if (w->shown)
    fputs("\r\033[K", stderr);
  w->shown = false;
}

static void show_progress(void *data, double seconds) {
  struct worker *w = data;
  char line[400];
  if (!w->work->terminal)
    return;
  snprintf(line, sizeof line, "[%llu/%llu] %s, run %u of %u, %.0f s",
           (unsigned long long)w->n_done + 1, (unsigned long long)w->n_all, w->row->key,
           w->repeat + 1, w->work->repeat, seconds);
  fprintf(stderr, "\r\033[K%.79s", line);
  fflush(stderr);
  w->shown = true;
}

static void complain(struct worker *w, const char *what, const char *detail) {
  clear_progress(w);
  w->failed = true;
  fprintf(stderr, "failed: %s: %s%s", w->row->key, what, detail[0] != '\0' ? ": " : "");
  for (const char *c = detail; *c != '\0'; c++)
    fputc((unsigned char)*c < 32 || *c == 127 ? '?' : *c, stderr);
  fputc('\n', stderr);
}

/* The last line of a file that says something, cut; "" if there is none. */
static void last_line(const char *path, char *to, size_t room) {
  size_t length;
  char *text = read_whole(path, &length);
  to[0] = '\0';
  if (text == NULL)
    return;
  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
    text[--length] = '\0';
  const char *line = strrchr(text, '\n');
  snprintf(to, room, "%s", line == NULL ? text : line + 1);
  free(text);
}

/* ---- figures ------------------------------------------------------------------- */

struct found { /* what a figure's formula may name: `value`, and the row's labels */
  const struct plan_row *row;
  double value;
};

static struct formula_value look_found(const struct formula_scope *scope, const char *name,
                                       size_t length) {
  const struct found *found = scope->data;
  if (length == 5 && memcmp(name, "value", 5) == 0)
    return (struct formula_value){.kind = FORMULA_NUMBER, .number = found->value};
  const char *label = plan_label(found->row, name, length);
  if (label == NULL)
    return (struct formula_value){0};
  return formula_value_of(label, strlen(label));
}

/* The number that the pattern finds in the text; false: none. */
static bool find_figure(const struct worker *w, const struct suite_line *line, const char *text,
                        double *number) {
  regex_t regex;
  regmatch_t match[2];
  if (regcomp(&regex, line->cells.at[1].text, REG_EXTENDED | REG_NEWLINE) != 0)
    return false;
  bool found = regexec(&regex, text, 2, match, 0) == 0 && match[1].rm_so >= 0;
  regfree(&regex);
  if (!found)
    return false;
  struct formula_value v =
      formula_value_of(text + match[1].rm_so, (size_t)(match[1].rm_eo - match[1].rm_so));
  struct found what = {w->row, v.number};
  struct formula_scope scope = {.look = look_found, .data = &what, .repeats = 1};
  if (v.kind == FORMULA_NUMBER && line->cells.n > 2)
    v = formula_evaluate(line->cells.at[2].text, &scope);
  *number = v.number;
  return v.kind == FORMULA_NUMBER;
}

/* What the output of a tool says, as JSON; to be freed. */
static char *figures_of_tool(const struct worker *w, const char *path) {
  size_t length, size = 0;
  char *text = read_whole(path, &length), *json = NULL;
  FILE *out = open_memstream(&json, &size);
  if (out == NULL || text == NULL) {
    free(text);
    if (out != NULL)
      fclose(out);
    return json;
  }
  const struct suite *suite = w->work->plan->suite;
  const char *comma = "";
  fputc('{', out);
  for (uint32_t i = 0; i < suite->lines.n; i++) {
    double number;
    if (suite->lines.at[i].kind != SUITE_FIGURE ||
        !find_figure(w, &suite->lines.at[i], text, &number))
      continue;
    fprintf(out, "%s\"%s\": %.15g", comma, suite->lines.at[i].cells.at[0].text, number);
    comma = ", ";
  }
  fputc('}', out);
  free(text);
  fclose(out);
  return json;
}

/* ---- one run -------------------------------------------------------------------- */

struct paths { /* of one row */
  char folder[320], out[352], err[352], json[352];
};

static void make_paths(const struct worker *w, const struct plan_row *row, struct paths *p) {
  snprintf(p->folder, sizeof p->folder, "%s/%u", w->folder,
           (unsigned)(row - w->work->plan->rows.at));
  snprintf(p->out, sizeof p->out, "%s/.out", p->folder);
  snprintf(p->err, sizeof p->err, "%s/.err", p->folder);
  snprintf(p->json, sizeof p->json, "%s/.json", p->folder);
  mkdir(p->folder, 0700);
}

static struct launch_result launch_shell(struct worker *w, const struct plan_row *row,
                                         const struct paths *p, const char *line,
                                         double seconds, uint64_t memory) {
  char *argv[] = {"/bin/sh", "-c", arena_text(w->arena, line, strlen(line)), NULL};
  struct launch launch = {argv,    row->environment, p->folder,     p->out, p->err,
                          seconds, memory,           show_progress, w};
  return launch_run(&launch);
}

static struct launch_result launch_cairn(struct worker *w, const struct plan_row *row,
                                         struct paths *p) {
  const struct suite *suite = w->work->plan->suite;
  uint32_t n = 0, at = 0;
  while (row->argv[n] != NULL)
    n++;
  char **argv = ARENA_ARRAY(w->arena, n + 6, char *);
  argv[at++] = w->program;
  argv[at++] = "check";
  for (uint32_t i = 0; i < n; i++)
    argv[at++] = row->argv[i];
  argv[at++] = "--json";
  argv[at++] = p->json;
  argv[at++] = arena_text(w->arena, row->model, strlen(row->model));
  unlink(p->json);
  struct launch launch = {argv,           NULL,          p->folder,     p->out, p->err,
                          suite->seconds, suite->memory, show_progress, w};
  return launch_run(&launch);
}

static void describe(const struct worker *w, const struct launch_result *how, char *to,
                     size_t room) {
  switch (how->end) {
  case LAUNCH_EXITED:
    snprintf(to, room, "exit status %d", how->status);
    break;
  case LAUNCH_SIGNALLED:
    snprintf(to, room, "ended by signal %d (%s)", how->status, strsignal(how->status));
    break;
  case LAUNCH_TIME:
    snprintf(to, room, "more than %g seconds", w->work->plan->suite->seconds);
    break;
  case LAUNCH_INTERRUPTED:
    snprintf(to, room, "interrupted");
    break;
  case LAUNCH_NOT_STARTED:
    snprintf(to, room, "it could not be started (%s)", strerror(how->status));
    break;
  }
}

/* Builds what the row needs, once. False: it failed, or we are asked to stop. */
static bool build(struct worker *w, const struct plan_row *row, struct paths *p) {
  uint8_t *state = &w->built[row - w->work->plan->rows.at];
  if (*state == BUILD_DUE && row->line->kind == SUITE_TOOL && row->build[0] != '\0') {
    struct launch_result how = launch_shell(w, row, p, row->build, 0, 0);
    char detail[300], what[120];
    if (how.end == LAUNCH_INTERRUPTED)
      return false;
    if (how.end != LAUNCH_EXITED || how.status != 0) {
      *state = BUILD_FAILED;
      last_line(p->err, detail, sizeof detail);
      describe(w, &how, what, sizeof what);
      complain(w, "its build line failed", detail[0] != '\0' ? detail : what);
    }
  }
  if (*state == BUILD_DUE)
    *state = BUILD_DONE;
  return *state == BUILD_DONE;
}

/* Of cairn 1 and 3 are answers; 2 means that there was no search. */
static bool is_good(const struct plan_row *row, const struct launch_result *how) {
  if (how->end != LAUNCH_EXITED)
    return false;
  return row->line->kind == SUITE_TOOL
             ? how->status == 0
             : how->status >= 0 && how->status <= 3 && how->status != 2;
}

static double load_now(void) {
  double load[1];
  return getloadavg(load, 1) == 1 ? load[0] : 0;
}

static enum work_end record(struct worker *w, const struct plan_row *row, struct paths *p,
                            const struct launch_result *how, double load) {
  char message[300], what[120];
  size_t length;
  bool good = is_good(row, how);
  char *figures =
      row->line->kind == SUITE_TOOL ? figures_of_tool(w, p->out) : read_whole(p->json, &length);
  last_line(p->err, message, sizeof message);
  if (!good) {
    describe(w, how, what, sizeof what);
    complain(w, what, message);
  }
  struct results_line line = {row->key,
                              w->repeat,
                              w->fingerprint[row - w->work->plan->rows.at],
                              good,
                              *how,
                              load,
                              message[0] != '\0' ? message : NULL,
                              figures != NULL && figures[0] == '{' ? figures : "{}"};
  bool written = results_write(w->file, &line);
  int why = errno;
  free(figures);
  if (written)
    return WORK_DONE;
  clear_progress(w);
  fprintf(stderr, "error: %s cannot be written: %s\n", w->work->results, strerror(why));
  return WORK_STOPPED;
}

/* The program's own refusal of what does not go together needs no run. */
static bool is_refused(struct worker *w, const struct plan_row *row) {
  uint32_t n = 0;
  if (row->line->kind != SUITE_RUN)
    return false;
  while (row->argv[n] != NULL)
    n++;
  char **argv = ARENA_ARRAY(w->arena, n + 4, char *);
  argv[0] = w->program;
  argv[1] = arena_text(w->arena, "check", 5);
  memcpy(argv + 2, row->argv, n * sizeof *argv);
  argv[n + 2] = arena_text(w->arena, row->model, strlen(row->model));
  struct methods_judged judged;
  methods_judge(w->arena, (int)n + 3, argv, &judged);
  if (judged.broken != NULL && w->repeat == 0)
    complain(w, "refused", judged.why);
  return judged.broken != NULL;
}

static enum work_end run_row(struct worker *w, const struct plan_row *row) {
  const struct suite *suite = w->work->plan->suite;
  struct paths p;
  if (is_refused(w, row))
    return WORK_DONE;
  make_paths(w, row, &p);
  show_progress(w, 0);
  if (!build(w, row, &p))
    return launch_asked_to_stop() ? WORK_INTERRUPTED : WORK_DONE;
  double load = load_now();
  struct launch_result how =
      row->line->kind == SUITE_TOOL
          ? launch_shell(w, row, &p, row->command, suite->seconds, suite->memory)
          : launch_cairn(w, row, &p);
  if (how.end == LAUNCH_INTERRUPTED)
    return WORK_INTERRUPTED;
  return record(w, row, &p, &how, load);
}

/* ---- all of them ------------------------------------------------------------------ */

static bool is_done(const struct worker *w, uint32_t i, uint32_t repeat) {
  return w->fingerprint[i] == 0 || results_find(w->done, w->work->plan->rows.at[i].key, repeat,
                                                w->fingerprint[i]) != NULL;
}

static enum work_end run_all(struct worker *w) {
  const struct plan *plan = w->work->plan;
  for (uint32_t repeat = 0; repeat < w->work->repeat; repeat++)
    for (uint32_t i = 0; i < plan->rows.n; i++)
      w->n_all += !is_done(w, i, repeat);
  for (w->repeat = 0; w->repeat < w->work->repeat; w->repeat++)
    for (uint32_t i = 0; i < plan->rows.n; i++) {
      w->row = &plan->rows.at[i];
      if (is_done(w, i, w->repeat) || w->built[i] == BUILD_FAILED)
        continue;
      enum work_end end = launch_asked_to_stop() ? WORK_INTERRUPTED : run_row(w, w->row);
      if (end != WORK_DONE)
        return end;
      w->n_done++;
    }
  return w->failed ? WORK_FAILED : WORK_DONE;
}

static bool make_folder(struct worker *w) {
  const char *base = getenv("TMPDIR");
  int n = snprintf(w->folder, sizeof w->folder, "%s/cairn-bench.XXXXXX",
                   base == NULL || *base == '\0' ? "/tmp" : base);
  if (n > 0 && (size_t)n < sizeof w->folder && mkdtemp(w->folder) != NULL)
    return true;
  fprintf(stderr, "error: no temporary folder can be made: %s\n", strerror(errno));
  return false;
}

/* The program that runs is the one to be measured, wherever it is. */
static bool find_program(struct worker *w) {
  ssize_t n = readlink(WORK_PROGRAM, w->program, sizeof w->program - 1);
  XXH3_state_t *state = n > 0 ? XXH3_createState() : NULL;
  if (state == NULL)
    return false;
  w->program[n] = '\0';
  XXH3_64bits_reset(state);
  bool fine = hash_file(state, WORK_PROGRAM);
  w->program_hash = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return fine;
}

static void take_fingerprints(struct worker *w) {
  const struct plan *plan = w->work->plan;
  w->built = ARENA_ARRAY(w->arena, plan->rows.n, uint8_t);
  w->fingerprint = ARENA_ARRAY(w->arena, plan->rows.n, uint64_t);
  for (uint32_t i = 0; i < plan->rows.n; i++) {
    w->row = &plan->rows.at[i];
    w->fingerprint[i] = fingerprint_of(w, w->row);
    if (w->fingerprint[i] == 0)
      complain(w, "its model cannot be read", w->row->model);
  }
}

static enum work_end begin(struct worker *w) {
  const char *path = w->work->results;
  switch (results_append(path, w->work->fresh, &w->file)) {
  case RESULTS_IN_USE:
    fprintf(stderr, "error: another suite is writing to %s\n", path);
    return WORK_STOPPED;
  case RESULTS_FAILED:
    fprintf(stderr, "error: %s cannot be written: %s\n", path, strerror(errno));
    return WORK_STOPPED;
  case RESULTS_FINE:
    break;
  }
  w->done = results_read(w->arena, path, false);
  enum work_end end = WORK_STOPPED;
  if (w->done == NULL || !find_program(w)) {
    fprintf(stderr, "error: %s cannot be read: %s\n", w->done == NULL ? path : WORK_PROGRAM,
            strerror(errno));
  } else if (make_folder(w)) {
    take_fingerprints(w);
    end = run_all(w);
    clear_progress(w);
    remove_folder(w->folder);
  }
  fclose(w->file);
  return end;
}

enum work_end work_do(const struct work *work) {
  struct worker w = {.work = work, .arena = arena_open(work->budget, BUDGET_OTHER)};
  if (w.arena == NULL) {
    fprintf(stderr, "error: out of memory\n");
    return WORK_STOPPED;
  }
  launch_hold_signals();
  enum work_end end = begin(&w);
  arena_close(w.arena);
  return end;
}
