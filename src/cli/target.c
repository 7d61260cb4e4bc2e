/* target.c - whether a file may be written: no file of the user's may be lost.
 *
 * A mistyped option must not cost a model. So a file that was read in this run is never
 * written, under whatever name, and an existing file is replaced only if it looks like one that
 * this program wrote, or is empty, or --force is given.
 */
#include "cli/target.h"

#include "base/source.h"

#include <string.h>

bool target_refused(const struct target *target, struct arena *arena, char *why) {
  char name[400];
  if (strcmp(target->path, "-") == 0)
    return false;
  if (target->option == OPTIONS)
    snprintf(name, sizeof name, "%.300s", target->path);
  else
    snprintf(name, sizeof name, "--%s %.300s", options_entry(target->option)->name,
             target->path);
  if (arena != NULL && source_was_read(arena, target->path)) {
    snprintf(why, TARGET_SENTENCE, "%s was read, and is not written: name another file", name);
    return true;
  }
  if (target->kind == NULL || target->force || !outfile_holds_other(target->path, target->kind))
    return false;
  snprintf(why, TARGET_SENTENCE,
           "%s is there and is not %s: name another file, or replace it with --force", name,
           target->kind->what);
  return true;
}
