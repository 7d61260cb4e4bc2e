/* program.c - a user's C text, or shared object, as running code.
 *
 * The header that it includes is part of this program, so that the two fit: it is written to a
 * private folder for as long as the compiler runs.
 */
#include "foreign/program.h"

#include "native/compile/file.h"
#include "native/compile/users.h"

#include "foreign/header.h"

#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct program {
  struct budget *budget;
  struct users_code code;
};

static void program_close(void *context) {
  struct program *program = context;
  users_free(&program->code, program->budget);
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

/* Lines of the text keep their numbers and the name of the file. */
static void write_text(struct text *text, const struct program_order *order) {
  text_puts(text, users_prologue);
  for (uint32_t i = 0; i < order->n_defines; i++) {
    const char *define = order->define[i], *value = strchr(define, '=');
    const int name = (int)(value == NULL ? strlen(define) : (size_t)(value - define));
    text_printf(text, "#define %.*s %s\n", name, define, value == NULL ? "1" : value + 1);
  }
  users_put_line(text, order->path, 1);
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
                              .oldest = order->oldest,
                              .is_users = true,
                              .folder = {folder.at, beside}};
    if (write_header(folder.at))
      done = users_build(&program->code, &unit, order->compiler, program->budget, why);
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
  const struct unit unit = {
      .symbol = order->symbol, .abi = order->abi, .oldest = order->oldest, .is_users = true};
  struct text object;
  text_init(&object, program->budget, BUDGET_CODE);
  text_add(&object, order->text, order->length);
  bool done =
      !object.failed && load_object(&object, &unit, program->budget, &program->code.cc, why);
  if (object.failed)
    reason_limit(why, "the memory budget has no room for the model");
  text_free(&object);
  return done;
}

/* ---- opening ---------------------------------------------------------------------------- */

const void *program_open(struct arena *arena, const struct program_order *order,
                         const char **why, uint32_t *line) {
  struct program *program = ARENA_NEW(arena, struct program);
  *program = (struct program){.budget = arena_budget(arena), .code.cc = LOAD_NONE};
  struct reason reason;
  reason_init(&reason, program->budget);
  arena_at_close(arena, program_close, program);
  bool done = order->is_object ? load(program, order, &reason)
                               : compile_text(program, arena, order, &reason);
  *why = done ? NULL : users_sentence(arena, &reason, line);
  reason_free(&reason);
  if (!done)
    return NULL;
  return users_symbol(&program->code);
}
