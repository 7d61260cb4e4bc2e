/* replay.c - runs a fuzz target over the files of a folder, where no libFuzzer is.
 *
 * So every input that once broke something is tested in each build. Each input is
 * copied to a block of exactly its size, for the sanitizers to see the edge.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return 1;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
  int bad = size < 0 || data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size;
  fclose(file);
  if (!bad)
    LLVMFuzzerTestOneInput(data, (size_t)size);
  free(data);
  return bad;
}

int main(int argc, char **argv) {
  DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
  if (folder == NULL) {
    fputs("usage: replay FOLDER\n", stderr);
    return 2;
  }
  int n = 0, failed = 0;
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.')
      continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
    printf("%s\n", entry->d_name); /* the last line names the input that crashed */
    fflush(stdout);
    failed += replay(path);
    n++;
  }
  closedir(folder);
  printf("%d passed, %d failed\n", n - failed, failed);
  return n == 0 || failed > 0;
}
