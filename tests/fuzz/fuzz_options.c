/* fuzz_options.c - any bytes as a command line, words parted by newlines: parsed,
 * or one sentence that a terminal can show. */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS 64

static void check_result(const struct options *o, bool fine) {
  if (fine != (o->problem[0] == '\0') && !o->wants_help)
    abort();
  for (const char *c = o->problem; *c != '\0'; c++)
    if ((unsigned char)*c < 32)
      abort();
  if (!fine || o->wants_help)
    return;
  for (uint32_t i = 0; i < OPTIONS; i++) {
    const struct option_entry *e = options_entry((enum option)i);
    const struct option_value *v = &o->value[i];
    bool number = e->kind == OPTION_NUMBER || e->kind == OPTION_SIZE;
    if (v->given && number && (v->number < e->low || v->number > e->high))
      abort();
    if (v->given && (e->commands >> o->command & 1) == 0)
      abort();
  }
  uint32_t cursor = 0, n = 0;
  while (options_next(o, OPTION_INVARIANT, &cursor) != NULL)
    n++;
  if (n > WORDS)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  char *argv[WORDS + 1] = {(char[]){"cairn"}};
  int argc = 1;
  if (text == NULL)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  for (char *word = text; argc < WORDS && (size_t)(word - text) < size; argc++) {
    argv[argc] = word;
    word += strcspn(word, "\n");
    *word++ = '\0';
  }
  struct option_given room[WORDS + 1];
  struct options options;
  check_result(&options, options_parse(&options, argc, argv, room));
  free(text);
  return 0;
}
