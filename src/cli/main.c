/* main.c - the entry: which command, and what the program ends with. */
#include "cli/combinations.h"
#include "cli/command.h"

#include "base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether a person reads what goes to standard output, and not a program. */
static bool is_for_people(const struct options *o) {
  static const enum option files[] = {OPTION_JSON, OPTION_SVG, OPTION_HTML};
  const bool picture = o->command == COMMAND_GRAPH ||
                       (o->command == COMMAND_AUTOMATON && o->value[OPTION_FORMAT].given);
  for (uint32_t i = 0; i < sizeof files / sizeof *files; i++)
    if (options_to_stdout(o, files[i]))
      return false;
  return o->wants_help ||
         !(picture || o->value[OPTION_CODE].given || o->command == COMMAND_NONE ||
           (o->command == COMMAND_BENCH && o->value[OPTION_TABLE].given));
}

/* Long lines are broken where a terminal shows them. */
static void fit_terminal(const struct options *o) {
  static struct terminal_fold fold[2]; /* until the streams are flushed for the last time */
  const uint32_t out = terminal_columns(stdout), err = terminal_columns(stderr);
  FILE *folded = out > 0 && is_for_people(o) ? terminal_fold(&fold[0], stdout, out) : NULL;
  if (folded != NULL)
    stdout = folded;
  folded = err > 0 && !o->value[OPTION_DIAGNOSTICS].given ? terminal_fold(&fold[1], stderr, err)
                                                          : NULL;
  if (folded != NULL)
    stderr = folded;
}

static int run_command(const struct options *o) {
  switch (o->command) {
#define COMMAND(id, name, ...)                                                                 \
  case COMMAND_##id:                                                                           \
    return command_##name(o);
#define OPTION(...)
#include "cli/options.def"
#undef COMMAND
#undef OPTION
  case COMMAND_NONE:
  case COMMANDS:
    break;
  }
  if (o->value[OPTION_VERSION].given)
    puts("cairn " CAIRN_VERSION);
  else if (o->value[OPTION_MAN].given)
    (isatty(STDOUT_FILENO) ? options_man_plain : options_man)(stdout, CAIRN_VERSION);
  else if (o->value[OPTION_COMPLETION].given)
    options_completion((enum options_shell)o->value[OPTION_COMPLETION].number, stdout);
  else if (o->value[OPTION_COMBINATIONS].given)
    return combinations_print(stdout);
  return 0;
}

/* A reader that went away (as `head` does) is no failure; a full disk is. What failed otherwise
 * keeps its status: a violated property is one whatever can be written. */
static int finish(int status) {
  bool failed = fflush(stdout) != 0;
  if (!failed && !ferror(stdout))
    return status;
  int why = failed ? errno : EIO;
  /* It failed before, and the reason is gone: what is lost is lost, so one more try may say. */
  if (!failed) {
    clearerr(stdout);
    why = fputc('\n', stdout) == EOF || fflush(stdout) != 0 ? errno : EIO;
  }
  struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
  if (why == EPIPE || (poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0))
    return status;
  fprintf(stderr, "error: standard output cannot be written: %s\n", strerror(why));
  return status != 0 ? status : 3;
}

/* A standard file that the caller closed would be the next file opened, and what is
 * printed would end in a trail. So its place is taken, by one that refuses. */
static void take_places(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
      return;
}

/* Large blocks are mapped, whatever was freed before: they grow without a copy, and what is
 * given back goes to the system at once. By itself the C library would keep the room of the
 * largest that was freed: a model's tokens would cost memory while its code is compiled, and a
 * store that the states have left while the next one grows. */
static void map_large_blocks(void) {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 32 << 10);
#endif
}

/* "cairn help" is "cairn --help", and "cairn help check" a longer "cairn check --help". */
static bool turn_help(int argc, char **argv) {
  static char help[] = "--help";
  if (argc < 2 || argc > 3 || strcmp(argv[1], "help") != 0)
    return false;
  if (argc == 3)
    argv[1] = argv[2];
  argv[argc - 1] = help;
  return true;
}

int main(int argc, char **argv) {
  struct options options;
  take_places();
  map_large_blocks();
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes is a failed write, and no end */
  struct option_given *room = calloc((size_t)argc + 1, sizeof *room);
  if (room == NULL) {
    fputs("error: out of memory\n", stderr);
    return 3;
  }
  int status;
  const bool all = turn_help(argc, argv);
  const bool fine = options_parse(&options, argc, argv, room);
  fit_terminal(&options);
  options.messages = stderr;
  if (!fine) {
    fprintf(stderr, "error: %s\n", options.problem);
    if (argc < 2)
      options_help(COMMAND_NONE, false, stderr);
    if (options.command == COMMAND_CHECK)
      command_check_refused(&options);
    status = finish(2);
  } else if (options.wants_help) {
    if (options.help_about != OPTIONS)
      options_help_names(options.help_about, stdout);
    else
      options_help(options.command, all, stdout);
    status = finish(0);
  } else {
    status = finish(run_command(&options));
  }
  free(room);
  return status;
}
