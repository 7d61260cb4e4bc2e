/* find_word.c - words in a text, by which a language is recognised. */
#include "lang/lang.h"

#include <ctype.h>
#include <string.h>

static bool is_of_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

uint32_t language_find_word(const struct source *source, const char *word, uint32_t from) {
  uint32_t length = (uint32_t)strlen(word);
  for (uint32_t i = from; i + length <= source->length; i++) {
    const char *at = source->text + i;
    bool alone = (i == 0 || !is_of_word(at[-1])) && !is_of_word(at[length]);
    if (alone && memcmp(at, word, length) == 0)
      return i + length;
  }
  return 0;
}
