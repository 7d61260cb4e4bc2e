/* outfile.c - files that appear whole or not at all.
 *
 * rename() within one folder is atomic, so a reader, a full disk or a killed
 * process never meets half a file under its final name.
 */
#include "report/outfile.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct outfile_kind outfile_trail = {"a trail", {"cairn trail "}},
                          outfile_json = {"JSON of this program",
                                          {"{\n  \"format\": 1,\n  \"cairn\": "}},
                          outfile_graph = {"a graph", {"digraph ", "des ("}},
                          outfile_chart = {"a chart", {"<?xml", "<svg"}},
                          outfile_html = {"a page", {"<!DOCTYPE html>"}},
                          outfile_checkpoint = {"a checkpoint",
                                                {"\x89"
                                                 "cairn\n"}};

bool outfile_holds_other(const char *path, const struct outfile_kind *kind) {
  struct stat info;
  char head[64];
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
    return false;
  FILE *file = fopen(path, "rb");
  size_t n = file == NULL ? 0 : fread(head, 1, sizeof head, file);
  if (file != NULL)
    fclose(file);
  for (uint32_t i = 0; kind->begins[i] != NULL; i++)
    if (n >= strlen(kind->begins[i]) &&
        memcmp(head, kind->begins[i], strlen(kind->begins[i])) == 0)
      return false;
  return true;
}

/* "dir/name" -> "dir/.name.XXXXXX"; NULL if memory ran out. */
static char *temporary_name(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *base = slash == NULL ? path : slash + 1;
  size_t folder = (size_t)(base - path);
  /* Cut, so that a name of the greatest length still leaves room for the rest. */
  size_t length = strnlen(base, 200);
  char *name = malloc(folder + length + 16);
  if (name == NULL)
    return NULL;
  memcpy(name, path, folder);
  name[folder] = '.';
  memcpy(name + folder + 1, base, length);
  memcpy(name + folder + 1 + length, ".XXXXXX", 8);
  return name;
}

static bool open_temporary(struct outfile *out) {
  out->temporary = temporary_name(out->path);
  if (out->temporary == NULL)
    return false;
  int file = mkostemp(out->temporary, 0);
  if (file >= 0) {
    mode_t mask = umask(0);
    umask(mask);
    (void)!fchmod(file, 0666 & ~mask);
    out->file = fdopen(file, "w");
    if (out->file != NULL)
      return true;
    close(file);
    unlink(out->temporary);
  }
  free(out->temporary);
  out->temporary = NULL;
  return false;
}

bool outfile_open(struct outfile *out, const char *path) {
  struct stat info;
  *out = (struct outfile){.path = path};
  if (strcmp(path, "-") == 0) {
    out->file = stdout;
    return true;
  }
  bool exists = stat(path, &info) == 0;
  if (!exists && errno != ENOENT)
    return false;
  if (exists && !S_ISREG(info.st_mode)) {
    if (S_ISDIR(info.st_mode)) {
      errno = EISDIR;
      return false;
    }
    out->file = fopen(path, "w");
    return out->file != NULL;
  }
  return open_temporary(out);
}

bool outfile_commit(struct outfile *out) {
  errno = 0;
  bool fine = fflush(out->file) == 0 && !ferror(out->file);
  int why = errno;
  if (out->file != stdout && fclose(out->file) != 0 && fine) {
    fine = false;
    why = errno;
  }
  if (out->temporary != NULL) {
    if (fine && rename(out->temporary, out->path) != 0) {
      fine = false;
      why = errno;
    }
    if (!fine)
      unlink(out->temporary);
    free(out->temporary);
  }
  *out = (struct outfile){.path = out->path};
  errno = why != 0 ? why : EIO;
  return fine;
}

void outfile_abandon(struct outfile *out) {
  if (out->file != NULL && out->file != stdout)
    fclose(out->file);
  if (out->temporary != NULL) {
    unlink(out->temporary);
    free(out->temporary);
  }
  *out = (struct outfile){.path = out->path};
}
