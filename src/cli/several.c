/* several.c - `cairn check` of several models: a table, and one exit status.
 *
 * Each model is checked by a process of its own, one after the other: each has the whole budget
 * of memory, and neither a model that is wrong nor one that makes the program fail ends the
 * rest. The process sends what came of it through a pipe; the text and the JSON of the whole
 * are made of that.
 */
#include "cli/several.h"

#include "cli/check.h"
#include "cli/fail.h"
#include "cli/target.h"

#include "base/clock.h"
#include "base/source.h"
#include "base/utf8.h"
#include "report/number.h"
#include "report/outfile.h"
#include "report/style.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Texts that follow the head of an answer, in this order. */
enum part { SENTENCE, AGAIN, MESSAGES, JSON, TEXTS };

struct head {
  enum outcome_verdict verdict;
  bool searched; /* the figures say something */
  uint64_t stored;
  double seconds;
  uint64_t length[TEXTS];
};

struct answer {
  const char *path;
  struct head head;
  const char *text[TEXTS];
};

struct several {
  const struct options *o;
  struct arena *arena;
  struct several_paths paths;
  struct answer *answer; /* n of them */
  uint32_t n;
};

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool several_asked(const struct options *o) {
  return o->n_operands > 1 || (o->n_operands == 1 && is_folder(o->operand[0]));
}

/* ---- one model, in its own process ------------------------------------------------ */

struct texts {
  char *at[TEXTS];
  size_t size[TEXTS];
  FILE *file[TEXTS];
};

static bool texts_open(struct texts *texts) {
  for (uint32_t i = 0; i < TEXTS; i++)
    if ((texts->file[i] = open_memstream(&texts->at[i], &texts->size[i])) == NULL)
      return false;
  return true;
}

static void send_answer(int to, struct head *head, struct texts *texts) {
  FILE *out = fdopen(to, "w");
  for (uint32_t i = 0; i < TEXTS; i++) {
    fclose(texts->file[i]);
    head->length[i] = texts->size[i];
  }
  if (out == NULL)
    return;
  fwrite(head, sizeof *head, 1, out);
  for (uint32_t i = 0; i < TEXTS; i++)
    fwrite(texts->at[i], 1, texts->size[i], out);
  fclose(out);
}

/* What is printed goes to standard output only with --stats. */
static void check_one(const struct several *s, const char *path, int to) {
  struct options o = *s->o;
  struct texts texts = {0};
  struct check c;
  if (!texts_open(&texts))
    return;
  o.n_operands = 1;
  o.operand[0] = path;
  o.messages = texts.file[MESSAGES];
  o.value[OPTION_JSON] = (struct option_value){0};
  check_open(&c, &o);
  c.writes_trail = true;
  c.host.terminal = isatty(STDERR_FILENO) ? stderr : NULL;
  clock_watch_signals();
  const struct guard_stop outer = check_limit_calls(&c);
  check_run(&c);
  const struct outcome *outcome = &c.now.outcome;
  struct head head = {.verdict = outcome->verdict, .searched = outcome->result != NULL};
  if (head.searched) {
    head.stored = outcome->result->figures.stored;
    head.seconds = outcome->result->figures.seconds;
  }
  outcome_print_sentence(outcome, texts.file[SENTENCE]);
  if (outcome->trail_file != NULL)
    fputs(c.trail_command, texts.file[AGAIN]);
  outcome_write_json(outcome, texts.file[JSON]);
  if (s->o->value[OPTION_STATS].given && outcome->verdict != OUTCOME_REJECTED)
    check_print(&c, stdout);
  fflush(stdout);
  send_answer(to, &head, &texts);
  guard_stop_by(outer);
  check_close(&c);
}

/* ---- and what came of it ----------------------------------------------------------- */

static bool read_all(int from, void *to, uint64_t bytes) {
  for (char *at = to; bytes > 0;) {
    const ssize_t n = read(from, at, bytes);
    if (n == 0 || (n < 0 && errno != EINTR))
      return false;
    if (n > 0) {
      at += n;
      bytes -= (uint64_t)n;
    }
  }
  return true;
}

static bool receive(struct arena *arena, int from, struct answer *answer) {
  if (!read_all(from, &answer->head, sizeof answer->head))
    return false;
  for (uint32_t i = 0; i < TEXTS; i++) {
    char *text = arena_alloc(arena, answer->head.length[i] + 1);
    if (!read_all(from, text, answer->head.length[i]))
      return false;
    text[answer->head.length[i]] = '\0';
    answer->text[i] = text;
  }
  return true;
}

/* The process ended without an answer. */
static void note_loss(struct arena *arena, struct answer *answer, int status) {
  answer->head = (struct head){.verdict = OUTCOME_INCONCLUSIVE};
  for (uint32_t i = 0; i < TEXTS; i++)
    answer->text[i] = "";
  answer->text[SENTENCE] =
      WIFSIGNALED(status)
          ? arena_printf(arena, "the program was ended by signal %d: check this model alone",
                         WTERMSIG(status))
          : "the program ended too early: check this model alone";
}

/* Messages without a place get the model's name in front. */
static void show_messages(const struct answer *answer) {
  static const char *const kind[] = {"error: ", "warning: ", "note: "};
  for (const char *line = answer->text[MESSAGES]; *line != '\0';) {
    const size_t n = strcspn(line, "\n");
    for (uint32_t i = 0; i < sizeof kind / sizeof *kind; i++)
      if (strncmp(line, kind[i], strlen(kind[i])) == 0 &&
          strncmp(line + strlen(kind[i]), answer->path, strlen(answer->path)) != 0)
        fprintf(stderr, "%s: ", answer->path);
    fprintf(stderr, "%.*s\n", (int)n, line);
    line += n + (line[n] == '\n');
  }
}

/* False if no process could be started. */
static bool check_apart(struct several *s, const char *path) {
  struct answer *answer = &s->answer[s->n];
  int ends[2], status = 0;
  if (pipe(ends) != 0)
    return false;
  if (s->o->value[OPTION_STATS].given)
    printf("%s%s:\n", s->n > 0 ? "\n" : "", path);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    check_one(s, path, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  answer->path = path;
  const bool heard = child > 0 && receive(s->arena, ends[0], answer);
  close(ends[0]);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (child > 0 && !heard)
    note_loss(s->arena, answer, status);
  if (child > 0) {
    show_messages(answer);
    s->n++;
  }
  return child > 0;
}

/* ---- the whole ---------------------------------------------------------------------- */

/* An error is shown before a violation, and that before a doubt. */
static enum outcome_verdict verdict_of_all(const struct several *s) {
  static const enum outcome_verdict order[] = {OUTCOME_REJECTED, OUTCOME_VIOLATED,
                                               OUTCOME_INCONCLUSIVE};
  for (uint32_t k = 0; k < sizeof order / sizeof *order; k++)
    for (uint32_t i = 0; i < s->n; i++)
      if (s->answer[i].head.verdict == order[k])
        return order[k];
  return s->n < s->paths.n ? OUTCOME_INCONCLUSIVE : OUTCOME_VERIFIED;
}

static void print_row(const struct answer *answer, int width, bool color) {
  static const char *const style[] = {[OUTCOME_VERIFIED] = STYLE_GOOD,
                                      [OUTCOME_VIOLATED] = STYLE_BAD,
                                      [OUTCOME_INCONCLUSIVE] = STYLE_WARN,
                                      [OUTCOME_REJECTED] = STYLE_BAD};
  const struct head *head = &answer->head;
  printf("%s%*s  %s%-12s%s", answer->path, width - utf8_width(answer->path), "",
         style_on(color, style[head->verdict]), outcome_verdict_name(head->verdict),
         style_off(color));
  if (head->searched)
    printf("  %13s  %9s\n", number_grouped(head->stored).at, number_seconds(head->seconds).at);
  else
    printf("  %13s  %9s\n", "-", "-");
}

static void print_table(const struct several *s) {
  static const enum outcome_verdict all[] = {OUTCOME_VERIFIED, OUTCOME_VIOLATED,
                                             OUTCOME_INCONCLUSIVE, OUTCOME_REJECTED};
  const bool quiet = s->o->value[OPTION_QUIET].given, color = loaded_color(s->o, stdout);
  int width = 5;
  for (uint32_t i = 0; i < s->n; i++)
    width = utf8_width(s->answer[i].path) > width ? utf8_width(s->answer[i].path) : width;
  if (s->o->value[OPTION_STATS].given)
    putchar('\n');
  printf("%-*s  %-12s  %13s  %9s\n", width, "model", "verdict", "states", "time");
  for (uint32_t i = 0; i < s->n; i++) {
    const struct answer *answer = &s->answer[i];
    print_row(answer, width, color);
    if (quiet || answer->head.verdict == OUTCOME_VERIFIED)
      continue;
    if (answer->text[SENTENCE][0] != '\0')
      printf("    %s\n", answer->text[SENTENCE]);
    if (answer->text[AGAIN][0] != '\0')
      printf("    %s\n", answer->text[AGAIN]);
  }
  printf("\n%u model%s", s->paths.n, number_plural(s->paths.n));
  const char *mark = ": ";
  for (uint32_t k = 0; k < sizeof all / sizeof *all; k++) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
      n += s->answer[i].head.verdict == all[k];
    if (n > 0) {
      printf("%s%u %s", mark, n, outcome_verdict_name(all[k]));
      mark = ", ";
    }
  }
  if (s->n < s->paths.n)
    printf("%s%u not checked", mark, s->paths.n - s->n);
  putchar('\n');
}

static void write_objects(const struct several *s, FILE *out) {
  fprintf(out, "{\n  \"format\": 1,\n  \"cairn\": \"%s\",\n  \"verdict\": \"%s\",\n",
          CAIRN_VERSION, outcome_verdict_name(verdict_of_all(s)));
  fprintf(out, "  \"not_checked\": %u,\n  \"models\": [\n", s->paths.n - s->n);
  const char *comma = "";
  for (uint32_t i = 0; i < s->n; i++)
    if (s->answer[i].text[JSON][0] != '\0') {
      fprintf(out, "%s%s", comma, s->answer[i].text[JSON]);
      comma = ",\n";
    }
  fputs("  ]\n}\n", out);
}

/* The file that --json names, or NULL; a model is not replaced. 0, or the exit status. */
static int open_json(const struct several *s, struct outfile *out) {
  const char *path = s->o->value[OPTION_JSON].text;
  char why[TARGET_SENTENCE];
  const struct target target = {OPTION_JSON, path, &outfile_json,
                                s->o->value[OPTION_FORCE].given};
  for (uint32_t i = 0; i < s->paths.n; i++)
    if (source_same_file(path, s->paths.at[i]))
      return fail_with(2, "--json names the model %s itself", path);
  if (target_refused(&target, NULL, why))
    return fail_with(2, "%s", why);
  return outfile_open(out, path) ? 0 : fail_with(2, "--json %s: %s", path, strerror(errno));
}

static int tell(const struct several *s, struct outfile *json) {
  const int all = outcome_verdict_status(verdict_of_all(s));
  if (json == NULL || json->file != stdout)
    print_table(s);
  if (json == NULL)
    return all;
  write_objects(s, json->file);
  if (json->file == stdout || outfile_commit(json))
    return all;
  fail_with(2, "--json %s: %s", s->o->value[OPTION_JSON].text, strerror(errno));
  return all == 0 ? 3 : all;
}

static int check_all(struct several *s) {
  struct outfile out = {0}, *json = NULL;
  const int refused = s->o->value[OPTION_JSON].given ? open_json(s, &out) : 0;
  if (refused != 0)
    return refused;
  if (s->o->value[OPTION_JSON].given)
    json = &out;
  s->answer = ARENA_ARRAY(s->arena, s->paths.n, struct answer);
  clock_watch_signals();
  for (uint32_t i = 0; i < s->paths.n && !clock_stop_requested(); i++)
    if (!check_apart(s, s->paths.at[i])) {
      const char *why = strerror(errno);
      if (json != NULL && json->file != stdout)
        outfile_abandon(json);
      return fail_with(3, "no process could be started: %s", why);
    }
  return tell(s, json);
}

/* Files as they were named, folders as what is in them. 0, or the exit status. */
static int find_models(struct several *s) {
  for (uint32_t i = 0; i < s->o->n_operands; i++) {
    const char *path = options_operand(s->o, i);
    const uint32_t before = s->paths.n;
    if (strcmp(path, "-") == 0)
      return fail_with(2, "standard input cannot be one of several models: name a file");
    if (!is_folder(path))
      *ARENA_PUSH(s->arena, &s->paths) = path;
    else if (!folder_models(s->arena, path, &s->paths))
      return fail_with(2, "%s: %s", path, strerror(errno));
    else if (s->paths.n == before)
      return fail_with(
          2, "%s: no model is in this folder: their names end as .pml, .dve or .pnml", path);
  }
  return 0;
}

/* What belongs to one search. 0, or the exit status. */
static int find_clashes(const struct options *o) {
  static const enum option alone[] = {OPTION_TRAIL, OPTION_CHECKPOINT, OPTION_RESUME,
                                      OPTION_QUERIES};
  for (uint32_t i = 0; i < sizeof alone / sizeof *alone; i++)
    if (o->value[alone[i]].given)
      return fail_with(2, "--%s is for one model: leave it out, or check this model alone",
                       options_entry(alone[i])->name);
  return 0;
}

int several_check(const struct options *o) {
  struct budget *budget = budget_open(0);
  struct several s = {.o = o,
                      .arena = budget == NULL ? NULL : arena_open(budget, BUDGET_OTHER)};
  jmp_buf spent;
  int status = 3;
  if (s.arena != NULL && setjmp(spent) == 0) {
    arena_guard(s.arena, &spent);
    status = find_clashes(o);
    if (status == 0)
      status = find_models(&s);
    if (status == 0)
      status = check_all(&s);
  } else {
    status = fail_with(3, "out of memory"); /* whatever it was when it ran out */
  }
  if (s.arena != NULL) {
    arena_guard(s.arena, NULL);
    arena_close(s.arena);
  }
  budget_close(budget);
  return status;
}
