/* fuzz_model.c - see fuzz_model.h */
#include "fuzz_model.h"

#include <setjmp.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

void fuzz_require(bool good) {
  if (!good)
    abort();
}

void fuzz_print(const struct diag *diag) {
  FILE *out = fopen("/dev/null", "w");
  fuzz_require(out != NULL);
  diag_print(diag, out, false);
  fclose(out);
}

const char *fuzz_last_comment(const char *text, uint32_t length) {
  for (uint32_t i = length; i >= 2; i--)
    if (text[i - 1] == '/' && text[i - 2] == '/')
      return text + i;
  return text + length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct budget *budget = budget_open((uint64_t)1 << 32);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  jmp_buf at;
  if (setjmp(at) == 0) {
    arena_guard(arena, &at);
    /* A copy with a NUL after it, as sources have. */
    fuzz_read_model(arena, arena_text(arena, (const char *)data, size), (uint32_t)size);
  }
  arena_close(arena);
  budget_close(budget);
  return 0;
}
