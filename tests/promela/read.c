/* read.c - reads a Promela model and prints the messages: exit 0 if it was accepted.
 *
 *     read [-D NAME[=VALUE]] … FILE
 */
#include "lang/lang.h"
#include "lang/promela/promela.h"

#include <string.h>

#define MAX_DEFINES 64

int main(int argc, char **argv) {
  const char *defines[MAX_DEFINES];
  uint32_t n = 0;
  const char *path = NULL;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "-D", 2) != 0)
      path = argv[i];
    else if (n < MAX_DEFINES)
      defines[n++] = argv[i] + 2;
  }
  if (path == NULL)
    return 2;
  struct budget *budget = budget_open((uint64_t)2 << 30);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  struct diag *diag = diag_open(arena);
  const char *why = NULL;
  const struct source *source = source_read(arena, path, &why);
  int status = 2;
  if (source == NULL)
    fprintf(stderr, "%s: %s\n", path, why);
  else
    status =
        promela_read(arena, diag, source,
                     &(struct language_options){.define = defines, .n_defines = n}) == NULL;
  diag_print(diag, stdout, false);
  arena_close(arena);
  budget_close(budget);
  return status;
}
