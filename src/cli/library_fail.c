/* library_fail.c - what all files of the library need: the last error, and numbers as in C. */
#include "cli/library.h"

#include <stdarg.h>

int library_fail(struct cairn *c, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(c->error, sizeof c->error, format, list);
  va_end(list);
  return -1;
}

void library_enter(struct cairn *c) {
  c->outside = uselocale(c->plain);
}

void library_leave(struct cairn *c) {
  uselocale(c->outside);
}
