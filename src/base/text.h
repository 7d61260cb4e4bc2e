/* text.h - a growing byte string for building output and generated code.
 *
 * Counted memory; once an append fails for lack of it the text is marked
 * `failed`, stays valid and ignores further appends, so that callers check once
 * at the end.
 */
#ifndef CAIRN_BASE_TEXT_H
#define CAIRN_BASE_TEXT_H

#include "base/budget.h"

#include <stdarg.h>

struct text {
  char *at; /* always NUL-terminated once anything was appended */
  size_t length, capacity;
  bool failed;
  struct budget *budget;
  enum budget_purpose purpose;
};

void text_init(struct text *, struct budget *, enum budget_purpose);
void text_free(struct text *);
void text_add(struct text *, const char *bytes, size_t length);
void text_puts(struct text *, const char *);
void text_printf(struct text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *, const char *format, va_list);

#endif
