/* folder.c - the models in a folder, and in the folders in it.
 *
 * A file is a model if its name ends as those of a language do. Files in C and shared objects
 * are left out: few of them are models, and to check one is to run it.
 */
#include "cli/several.h"

#include "lang/lang.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_model(const char *name) {
  const struct language *language = language_of_file(name);
  return language != NULL && !(language->traits & LANGUAGE_IS_PROGRAM);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in the folder, sorted, so that a table is the same each time. False, and errno. */
static bool read_names(struct arena *arena, const char *folder, struct several_paths *names) {
  DIR *open = opendir(folder);
  if (open == NULL)
    return false;
  errno = 0;
  for (struct dirent *entry; (entry = readdir(open)) != NULL;)
    if (entry->d_name[0] != '.')
      *ARENA_PUSH(arena, names) = arena_text(arena, entry->d_name, strlen(entry->d_name));
  const int failure = errno;
  closedir(open);
  errno = failure;
  if (names->n > 0)
    qsort(names->at, names->n, sizeof *names->at, by_name);
  return failure == 0;
}

bool folder_models(struct arena *arena, const char *folder, struct several_paths *paths) {
  struct several_paths names = {0};
  if (!read_names(arena, folder, &names))
    return false;
  const size_t length = strlen(folder);
  const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
  for (uint32_t i = 0; i < names.n; i++) {
    const char *path = arena_printf(arena, "%s%s%s", folder, slash, names.at[i]);
    struct stat info;
    if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
      if (!folder_models(arena, path, paths))
        return false;
    } else if (is_model(path)) {
      *ARENA_PUSH(arena, paths) = path;
    }
  }
  return true;
}
