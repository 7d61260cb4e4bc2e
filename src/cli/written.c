/* written.c - a file that an option names, written whole. */
#include "cli/written.h"

#include "cli/target.h"

#include <errno.h>
#include <string.h>

bool written_file(struct loaded *l, enum option option, const struct outfile_kind *kind,
                  void (*write)(void *context, FILE *), void *context) {
  const char *path = l->o->value[option].text, *name = options_entry(option)->name;
  const struct target target = {option, path, kind, l->o->value[OPTION_FORCE].given};
  char why[TARGET_SENTENCE];
  struct outfile out;
  if (target_refused(&target, l->arena, why))
    return loaded_fail(l, 2, "%s", why);
  if (!outfile_open(&out, path))
    return loaded_fail(l, 2, "--%s %s: %s", name, path, strerror(errno));
  write(context, out.file);
  if (out.file != stdout && !outfile_commit(&out))
    return loaded_fail(l, 3, "--%s %s: %s", name, path, strerror(errno));
  return true;
}
