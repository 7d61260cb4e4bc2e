/* quoted.c - see quoted.h. Quotes of one kind are within those of the other one, as suites have
 * no backslash. */
#include "cli/quoted.h"

#include <string.h>

const char *quoted_word(struct arena *arena, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "./_-+=:,@%";
  if (*word != '\0' && word[strspn(word, plain)] == '\0')
    return word;
  const char *done = "'";
  for (;;) {
    size_t n = strcspn(word, "'");
    done = arena_printf(arena, "%s%.*s", done, (int)n, word);
    if (word[n] == '\0')
      return arena_printf(arena, "%s'", done);
    done = arena_printf(arena, "%s'\"'\"'", done);
    word += n + 1;
  }
}
