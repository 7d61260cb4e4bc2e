/* unused.c - definitions of the command line that a model in C never uses.
 *
 * A word anywhere in the text, even in a comment, is a use, and a header of the model's own may
 * use what the text does not: nothing is said then. So what is said is true.
 */
#include "lang/c/unused.h"

#include <ctype.h>
#include <string.h>

static bool is_part(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* The next word of the text from *at on, which moves behind it; or a length of 0. */
static struct span next_word(const struct source *source, uint32_t *at) {
  const char *text = source->text;
  uint32_t begin = *at, end;
  while (begin < source->length && !is_part(text[begin]))
    begin++;
  for (end = begin; end < source->length && is_part(text[end]);)
    end++;
  *at = end;
  return (struct span){source, begin, end};
}

static bool has_word(const struct source *source, const char *name) {
  const size_t length = strlen(name);
  struct span word;
  uint32_t at = 0;
  while (word = next_word(source, &at), word.end > word.begin)
    if (word.end - word.begin == length && memcmp(source->text + word.begin, name, length) == 0)
      return true;
  return false;
}

static bool has_own_headers(const struct source *source) {
  for (const char *at = source->text; (at = strstr(at, "include")) != NULL; at += 7) {
    const char *after = at + 7;
    while (*after == ' ' || *after == '\t')
      after++;
    if (*after == '"')
      return true;
  }
  return false;
}

/* The name in a directive that looks most like it, or NULL. */
static const char *closest(struct arena *arena, const struct source *source, const char *name) {
  struct {
    const char **at;
    uint32_t n, capacity;
  } names = {0};
  struct span word;
  uint32_t at = 0;
  while (word = next_word(source, &at), word.end > word.begin) {
    const char *line = source->text + source->line[source_line(source, word.begin) - 1];
    while (*line == ' ' || *line == '\t')
      line++;
    if (*line == '#')
      *ARENA_PUSH(arena, &names) =
          arena_text(arena, source->text + word.begin, word.end - word.begin);
  }
  return diag_closest(name, names.at, names.n);
}

void c_warn_of_unused(struct arena *arena, struct diag *diag, const struct source *source,
                      const char *define) {
  const char *name = arena_text(arena, define, strcspn(define, "="));
  if (has_word(source, name) || has_own_headers(source))
    return;
  const char *other = closest(arena, source, name);
  diag_warning(diag, (struct span){0}, "-D %s has no effect: the model never uses the name",
               name);
  if (other != NULL)
    diag_hint(diag, "did you mean '%s'?", other);
}
