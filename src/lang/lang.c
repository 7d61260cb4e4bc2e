/* lang.c - the list of languages. */
#include "lang/lang.h"

#include <string.h>

extern const struct language language_dve;

const struct language *const languages[] = {&language_dve, NULL};

const struct language *language_of_file(const char *path) {
  size_t length = strlen(path);
  for (uint32_t i = 0; languages[i] != NULL; i++) {
    size_t ending = strlen(languages[i]->extension);
    if (length > ending && strcmp(path + length - ending, languages[i]->extension) == 0)
      return languages[i];
  }
  return NULL;
}
