/* target.h - whether a file may be written: no file of the user's may be lost. */
#ifndef CAIRN_CLI_TARGET_H
#define CAIRN_CLI_TARGET_H

#include "cli/options.h"

#include "base/arena.h"
#include "report/outfile.h"

struct target {
  enum option option; /* by which the user named it; OPTIONS: by none */
  const char *path;
  const struct outfile_kind *kind; /* NULL: it may replace any file */
  bool force;
};

enum { TARGET_SENTENCE = 600 };

/* Whether this file must not be written, and a sentence why (TARGET_SENTENCE bytes). What was
 * read into the arena is never written; what holds anything but this kind of file only by
 * force. */
bool target_refused(const struct target *, struct arena *, char *why);

#endif
