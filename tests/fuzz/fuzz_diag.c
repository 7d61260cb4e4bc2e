/* fuzz_diag.c - any bytes as text, name and message, any span: what is printed is
 * well-formed UTF-8 without control characters, on lines of bounded length. */
#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD 8u /* bytes that choose the span; the text follows */

static void require(bool good) {
  if (!good)
    abort();
}

static void examine(const char *out, size_t length) {
  size_t line = 0;
  for (size_t i = 0; i < length; i++) {
    const unsigned char c = (unsigned char)out[i];
    require(c == '\n' || (c >= ' ' && c != 0x7F));
    line = c == '\n' ? 0 : line + 1;
    require(line < 8000); /* the name is as long as the input */
  }
}

static void print_one(struct arena *arena, const char *text, uint32_t length, uint32_t begin,
                      uint32_t end) {
  const struct source *source = source_make(arena, "f", text, length);
  const struct span span = {source, begin, end};
  struct diag *diag = diag_open(arena);
  diag_error(diag, span, "%s", text);
  diag_hint(diag, "%s", source_squeeze(arena, span, end % 40));
  const char *const names[] = {"choosing", text};
  require(diag_closest(text, names, 1) == NULL || strlen(text) < 14);
  char *out = NULL;
  size_t out_length = 0;
  FILE *file = open_memstream(&out, &out_length);
  diag_print(diag, file, false);
  fclose(file);
  examine(out, out_length);
  free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < HEAD)
    return 0;
  uint32_t place[2];
  memcpy(place, data, HEAD);
  const uint32_t length = (uint32_t)size - HEAD;
  struct budget *budget = budget_open((uint64_t)1 << 32);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  const char *text = arena_text(arena, (const char *)data + HEAD, length);
  print_one(arena, text, length, place[0] % (length + 3), place[1] % (length + 20));
  arena_close(arena);
  budget_close(budget);
  return 0;
}
