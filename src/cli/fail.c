/* fail.c - errors of the command line, where there is no model loaded. */
#include "cli/fail.h"

#include <stdarg.h>

void fail_print_clean(FILE *out, const char *text) {
  for (const char *c = text; *c != '\0'; c++)
    fputc((unsigned char)*c < 32 || *c == 127 ? '?' : *c, out);
}

int fail_with(int status, const char *format, ...) {
  char said[600];
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it was begun one line above */
  vsnprintf(said, sizeof said, format, list);
  va_end(list);
  fputs("error: ", stderr);
  fail_print_clean(stderr, said);
  fputc('\n', stderr);
  return status;
}
