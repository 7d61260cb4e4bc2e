/* seeds.c - one seed after the other. */
#include "seeds.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

struct seeds seeds_try(int argc, char **argv, bool (*try)(void *context, uint64_t seed),
                       void *context) {
  uint64_t systems = UINT64_MAX, first = 1;
  double seconds = 5, began = clock_now();
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "-n") == 0)
      systems = strtoull(argv[i + 1], NULL, 10), seconds = 1e9;
    else if (strcmp(argv[i], "-s") == 0)
      seconds = strtod(argv[i + 1], NULL);
    else if (strcmp(argv[i], "-f") == 0)
      first = strtoull(argv[i + 1], NULL, 10);
  }
  struct seeds s = {0, 0};
  for (; s.tried < systems && clock_now() - began < seconds && s.failed < 10; s.tried++)
    s.failed += !try(context, first + s.tried);
  return s;
}
