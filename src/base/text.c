/* text.c - a growing byte string.
 *
 * The room doubles, so that appending is cheap on average. A text that failed
 * keeps what it has: a half-made program is never handed on, because callers ask
 * for `failed` once at the end.
 */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define TEXT_FIRST ((size_t)256)

void text_init(struct text *text, struct budget *budget, enum budget_purpose purpose) {
  *text = (struct text){.budget = budget, .purpose = purpose};
}

void text_free(struct text *text) {
  budget_free(text->budget, text->purpose, text->at, text->capacity);
  text_init(text, text->budget, text->purpose);
}

/* Makes room for `more` bytes and the NUL after them. */
static bool reserve(struct text *text, size_t more) {
  if (text->failed)
    return false;
  if (more < text->capacity - text->length)
    return true;
  size_t capacity = text->capacity == 0 ? TEXT_FIRST : text->capacity;
  while (capacity - text->length <= more && capacity <= SIZE_MAX / 4)
    capacity *= 2;
  char *at = NULL;
  if (capacity - text->length > more)
    at = budget_realloc(text->budget, text->purpose, text->at, text->capacity, capacity);
  if (at == NULL) {
    text->failed = true;
    return false;
  }
  text->at = at;
  text->capacity = capacity;
  return true;
}

void text_add(struct text *text, const char *bytes, size_t length) {
  if (!reserve(text, length))
    return;
  if (length > 0)
    memcpy(text->at + text->length, bytes, length);
  text->length += length;
  text->at[text->length] = '\0';
}

void text_puts(struct text *text, const char *string) {
  text_add(text, string, strlen(string));
}

void text_printf(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(text, format, arguments);
  va_end(arguments);
}

void text_vprintf(struct text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  /* Most pieces are short: try what room there is first. */
  if (reserve(text, 64)) {
    const size_t room = text->capacity - text->length;
    const int n = vsnprintf(text->at + text->length, room, format, arguments);
    if (n >= 0 && (size_t)n >= room) {
      text->at[text->length] = '\0';
      if (reserve(text, (size_t)n))
        vsnprintf(text->at + text->length, (size_t)n + 1, format, again);
    }
    if (n < 0)
      text->failed = true;
    if (!text->failed)
      text->length += (size_t)n;
  }
  va_end(again);
}
