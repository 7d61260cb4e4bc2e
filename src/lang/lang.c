/* lang.c - the list of languages. */
#include "lang/lang.h"

#include <ctype.h>
#include <string.h>

extern const struct language language_dve, language_promela;

const struct language *const languages[] = {&language_dve, &language_promela, NULL};

static bool has_ending(const char *path, const char *endings) {
  size_t length = strlen(path);
  for (const char *at = endings; *at != '\0';) {
    size_t ending = strcspn(at, " ");
    if (length > ending && strncmp(path + length - ending, at, ending) == 0)
      return true;
    at += ending;
    at += strspn(at, " ");
  }
  return false;
}

const struct language *language_of_file(const char *path) {
  for (uint32_t i = 0; languages[i] != NULL; i++)
    if (has_ending(path, languages[i]->extensions))
      return languages[i];
  return NULL;
}

const struct language *language_of_text(const struct source *source) {
  for (uint32_t i = 0; languages[i] != NULL; i++)
    if (languages[i]->recognises(source))
      return languages[i];
  return NULL;
}

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
