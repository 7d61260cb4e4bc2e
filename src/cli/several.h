/* several.h - `cairn check` of several models, and of folders. */
#ifndef CAIRN_CLI_SEVERAL_H
#define CAIRN_CLI_SEVERAL_H

#include "cli/options.h"

#include "base/arena.h"

/* Paths of models, in the order in which they are checked. */
struct several_paths {
  const char **at;
  uint32_t n, capacity;
};

/* Whether the command line names more than one model file, or a folder. */
bool several_asked(const struct options *);

/* A table of all models; the exit status is that of what matters most in it: 2 if a model could
 * not be checked, else 1 if one is violated, else 3 if one is inconclusive, else 0. */
int several_check(const struct options *);

/* folder.c: adds the models in a folder and the folders in it, by name. Left out: what begins
 * with a dot, links to folders, and models that are programs, as those would run. False, and
 * errno, if a folder cannot be read. */
bool folder_models(struct arena *, const char *folder, struct several_paths *);

#endif
