/* again.c - where a counterexample is kept, and the command that shows it again.
 *
 * Without --trail the file is called after the model. Where a run of another model is there, or
 * of this one with other options, a number is added to the name, so that none is lost unseen.
 */
#include "cli/check.h"
#include "cli/quoted.h"

#include "report/trailfile.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define AGAIN_MOST 1000u /* names that are tried */

/* "dir/bakery.3.dve" -> "bakery.3.trail", and from number 2 on "bakery.3-2.trail". */
static const char *name_of(const struct check *c, uint32_t number) {
  const char *path = strcmp(c->loaded.path, "-") == 0 ? "model" : c->loaded.path;
  const char *slash = strrchr(path, '/');
  const char *base = slash == NULL ? path : slash + 1;
  const char *dot = strrchr(base, '.');
  int length = dot == NULL || dot == base ? (int)strlen(base) : (int)(dot - base);
  return number < 2 ? arena_printf(c->loaded.arena, "%.*s.trail", length, base)
                    : arena_printf(c->loaded.arena, "%.*s-%u.trail", length, base, number);
}

/* Where the model is to come from once more: " < FILE" if standard input is a file. */
static const char *input_again(const struct check *c) {
  char path[PATH_MAX], folder[PATH_MAX];
  struct stat info;
  if (strcmp(c->loaded.path, "-") != 0 || fstat(STDIN_FILENO, &info) != 0 ||
      !S_ISREG(info.st_mode))
    return "";
  const ssize_t n = readlink("/proc/self/fd/0", path, sizeof path - 1);
  if (n <= 0)
    return "";
  path[n] = '\0';
  const char *name = path;
  if (getcwd(folder, sizeof folder) != NULL && strncmp(path, folder, strlen(folder)) == 0 &&
      path[strlen(folder)] == '/')
    name += strlen(folder) + 1;
  return arena_printf(c->loaded.arena, " < %s", quoted_word(c->loaded.arena, name));
}

static const char *command_of(const struct check *c) {
  struct arena *arena = c->loaded.arena;
  const char *model = c->loaded.path, *trail = c->trail_path;
  bool dashes = (model[0] == '-' && model[1] != '\0') || trail[0] == '-';
  return arena_printf(arena, "%s trail %s%s%s %s%s", quoted_word(arena, c->o->program),
                      c->loaded.how.allow_c ? "--allow-c " : "", dashes ? "-- " : "",
                      quoted_word(arena, model), quoted_word(arena, trail), input_again(c));
}

void again_prepare(struct check *c) {
  const struct options *o = c->o;
  c->trail_path = check_given(c, OPTION_TRAIL) ? o->value[OPTION_TRAIL].text : name_of(c, 1);
  const char **option = ARENA_ARRAY(c->loaded.arena, o->n_given + 1, const char *);
  c->n_trail_options = 0;
  for (uint32_t i = 0; i < o->n_given; i++) {
    const struct option_entry *e = options_entry(o->given[i].option);
    const char *text = o->given[i].text;
    if (e->commands & OPTIONS_MODEL)
      option[c->n_trail_options++] =
          text == NULL ? e->name : arena_printf(c->loaded.arena, "%s=%s", e->name, text);
  }
  c->trail_option = option;
  c->trail_command = command_of(c);
  c->model_is_gone = strcmp(c->loaded.path, "-") == 0 && *input_again(c) == '\0';
}

void again_choose(struct check *c, const struct trailfile *trail) {
  jmp_buf spent;
  if (check_given(c, OPTION_TRAIL) || !trailfile_is_other(c->trail_path, trail))
    return;
  const char *volatile path = c->trail_path;
  if (setjmp(spent) == 0) {
    arena_guard(c->loaded.arena, &spent);
    for (uint32_t i = 2; i < AGAIN_MOST && trailfile_is_other(c->trail_path, trail); i++)
      c->trail_path = name_of(c, i);
    c->trail_command = command_of(c);
  } else {
    c->trail_path = path;
    fprintf(c->o->messages, "warning: the counterexample of another model in %s is replaced\n",
            path);
  }
  arena_guard(c->loaded.arena, NULL);
}

void again_print(const struct check *c, FILE *out) {
  fprintf(out, "\nwritten to %s; this shows it again%s:\n%s\n", c->trail_path,
          c->model_is_gone ? ", with the model on standard input" : "", c->trail_command);
}
