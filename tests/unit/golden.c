/* golden.c - see golden.h */
#include "golden.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char *golden_read(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  *length = 0;
  if (file == NULL) {
    char *why = NULL;
    const int n = asprintf(&why, "%s is not there", path);
    assert_true(n > 0);
    return why;
  }
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *text = calloc(*length + 1, 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, *length, file), *length);
  fclose(file);
  return text;
}

static void update(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void check_file(const char *dir, const char *name,
                       char *(*say)(const char *name, const char *text, size_t length)) {
  char path[4096], golden[4096 + 8];
  size_t length, wanted_length;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  snprintf(golden, sizeof golden, "%.*s.txt", (int)strlen(path) - 4, path);
  char *text = golden_read(path, &length);
  char *found = say(name, text, length);
  if (getenv("CAIRN_UPDATE") != NULL)
    update(golden, found);
  char *wanted = golden_read(golden, &wanted_length);
  assert_string_equal(wanted, found);
  free(wanted);
  free(found);
  free(text);
}

uint32_t golden_check(const char *folder, const char *ending,
                      char *(*say)(const char *name, const char *text, size_t length)) {
  const char *root = getenv("CAIRN_SOURCE");
  char path[2048];
  snprintf(path, sizeof path, "%s/%s", root == NULL ? "." : root, folder);
  DIR *dir = opendir(path);
  uint32_t n = 0;
  if (dir == NULL) {
    print_message("%s cannot be read; CAIRN_SOURCE says where the project is\n", path);
    return 0;
  }
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    const size_t length = strlen(entry->d_name);
    if (length <= 4 || strcmp(entry->d_name + length - 4, ending) != 0)
      continue;
    check_file(path, entry->d_name, say);
    n++;
  }
  closedir(dir);
  return n;
}
