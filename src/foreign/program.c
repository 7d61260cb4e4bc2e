/* program.c - a user's C text, or shared object, as running code.
 *
 * Compiled once, by the system's compiler where there is one: a user's text may have variables
 * of its own, so that it cannot be exchanged for a better compilation while a search runs, as
 * is done with ours. It takes a tenth of a second.
 *
 * The header that it includes is part of this program, so that the two fit: it is written to a
 * private folder for as long as the compiler runs. What a model prints goes to standard error,
 * and to exit is to abort, which is an error of the model.
 */
#include "foreign/program.h"

#include "native/compile/cc.h"
#include "native/compile/file.h"
#include "native/compile/instant.h"
#include "native/compile/load.h"

#include "base/clock.h"
#include "foreign/header.h"

#include <ctype.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct program {
  struct budget *budget;
  struct instant_code tcc;
  struct load_code cc;
};

/* What stands before the text; then its lines count. */
static const char prologue[] = "#include <stdio.h>\n"
                               "#include <stdlib.h>\n"
                               "#define printf(...) fprintf(stderr, __VA_ARGS__)\n"
                               "#define puts(text) fprintf(stderr, \"%s\\n\", text)\n"
                               "#define putchar(c) fputc(c, stderr)\n"
                               "#define exit(status) abort()\n";

static void program_close(void *context) {
  struct program *program = context;
  instant_free(&program->tcc, program->budget);
  load_free(&program->cc, program->budget);
}

static bool write_header(const char *folder) {
  char path[4200];
  snprintf(path, sizeof path, "%s/cairn", folder);
  if (mkdir(path, 0700) != 0)
    return false;
  snprintf(path, sizeof path, "%s/cairn/model.h", folder);
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return false;
  bool done = file_write(fd, foreign_header_text, strlen(foreign_header_text));
  return close(fd) == 0 && done;
}

/* ---- compiling -------------------------------------------------------------------------- */

static bool stop(void *context, double seconds) {
  (void)context;
  double until = clock_now() + seconds;
  const struct timespec nap = {.tv_nsec = 2000000};
  while (clock_now() < until && !clock_stop_requested())
    nanosleep(&nap, NULL);
  return clock_stop_requested();
}

static bool by_cc(struct program *program, const struct cc *cc, const struct unit *unit,
                  struct reason *why) {
  struct cc_limits limits = cc_limits_for(strlen(unit->text));
  struct text object;
  text_init(&object, program->budget, BUDGET_CODE);
  bool done = cc_compile(cc, unit, &limits, stop, NULL, &object, why) &&
              load_object(&object, unit, program->budget, &program->cc, why);
  text_free(&object);
  return done;
}

static bool compile(struct program *program, enum native_compiler compiler,
                    const struct unit *unit, struct reason *why) {
  struct reason missing;
  reason_init(&missing, program->budget);
  struct cc *cc = compiler == NATIVE_TCC ? NULL : cc_find(program->budget, &missing);
  bool done = false;
  if (cc != NULL)
    done = by_cc(program, cc, unit, why);
  else if (compiler == NATIVE_CC)
    text_puts(&why->text, missing.text.at);
  else
    done = instant_build(unit, program->budget, &program->tcc, why);
  cc_close(cc);
  reason_free(&missing);
  return done;
}

/* Lines of the text keep their numbers and the name of the file. */
static void write_text(struct text *text, const struct program_order *order) {
  text_puts(text, prologue);
  for (uint32_t i = 0; i < order->n_defines; i++) {
    const char *define = order->define[i], *value = strchr(define, '=');
    const int name = (int)(value == NULL ? strlen(define) : (size_t)(value - define));
    text_printf(text, "#define %.*s %s\n", name, define, value == NULL ? "1" : value + 1);
  }
  text_puts(text, "#line 1 \"");
  for (const char *c = order->path; *c != '\0'; c++)
    text_printf(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  text_puts(text, "\"\n");
  text_add(text, order->text, order->length);
  text_puts(text, "\n");
}

static bool compile_text(struct program *program, struct arena *arena,
                         const struct program_order *order, struct reason *why) {
  struct text text, folder;
  text_init(&text, program->budget, BUDGET_CODE);
  text_init(&folder, program->budget, BUDGET_CODE);
  write_text(&text, order);
  bool done = false;
  if (text.failed) {
    reason_limit(why, "the memory budget has no room for the text");
  } else if (!file_make_folder(&folder)) {
    reason_limit(why, "no temporary folder can be made for the compiler");
  } else {
    const char *beside = dirname(arena_text(arena, order->path, strlen(order->path)));
    const struct unit unit = {.text = text.at,
                              .symbol = order->symbol,
                              .abi = order->abi,
                              .is_users = true,
                              .folder = {folder.at, beside}};
    if (write_header(folder.at))
      done = compile(program, order->compiler, &unit, why);
    else
      reason_limit(why, "no temporary file can be made for the compiler");
    file_remove_folder(folder.at);
  }
  text_free(&folder);
  text_free(&text);
  return done;
}

static bool load(struct program *program, const struct program_order *order,
                 struct reason *why) {
  const struct unit unit = {.symbol = order->symbol, .abi = order->abi, .is_users = true};
  struct text object;
  text_init(&object, program->budget, BUDGET_CODE);
  text_add(&object, order->text, order->length);
  bool done = !object.failed && load_object(&object, &unit, program->budget, &program->cc, why);
  if (object.failed)
    reason_limit(why, "the memory budget has no room for the model");
  text_free(&object);
  return done;
}

/* ---- opening ---------------------------------------------------------------------------- */

/* The number that ends before *at, with what parts it from the rest; 0: there is none. */
static uint32_t number_before(const char *text, const char **at) {
  const char *c = *at;
  while (c > text && (c[-1] == ':' || c[-1] == ' '))
    c--;
  const char *end = c;
  while (c > text && isdigit((unsigned char)c[-1]))
    c--;
  *at = c;
  return c == end ? 0 : (uint32_t)strtoul(c, NULL, 10);
}

/* A machine without the headers of the C library has no <stdio.h> either. */
static const char *sentence(struct arena *arena, const struct reason *why, uint32_t *line) {
  const char *text = why->text.at != NULL ? why->text.at : "the memory budget is exhausted";
  const char *error = strstr(text, "error: ");
  *line = 0;
  if (strstr(text, "stdio.h") != NULL)
    return arena_printf(arena,
                        "%s (the headers of the C library are needed; Debian has them in the "
                        "package libc6-dev)",
                        text);
  if (error == NULL)
    return arena_text(arena, text, strlen(text));
  /* "NAME:LINE:COLUMN: error: …", of libtcc without the column. */
  const char *at = error;
  const uint32_t last = number_before(text, &at), first = number_before(text, &at);
  *line = first > 0 ? first : last;
  error += strlen("error: ");
  return arena_text(arena, error, strlen(error));
}

const void *program_open(struct arena *arena, const struct program_order *order,
                         const char **why, uint32_t *line) {
  struct program *program = ARENA_NEW(arena, struct program);
  *program = (struct program){.budget = arena_budget(arena), .cc = {.fd = -1}};
  struct reason reason;
  reason_init(&reason, program->budget);
  arena_at_close(arena, program_close, program);
  bool done = order->is_object ? load(program, order, &reason)
                               : compile_text(program, arena, order, &reason);
  *why = done ? NULL : sentence(arena, &reason, line);
  reason_free(&reason);
  if (!done)
    return NULL;
  return program->cc.symbol != NULL ? program->cc.symbol : program->tcc.symbol;
}
