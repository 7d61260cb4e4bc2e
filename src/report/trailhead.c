/* trailhead.c - whose counterexample a file has.
 *
 * A run of another model, or of the same one with other options, is not written over: it may be
 * what the user is looking at. The model may have changed since, so its hash does not count;
 * nor does what was asked of it (invariants, claims, formulas).
 */
#include "report/trailfile.h"

#include "base/source.h"

#include <stdlib.h>
#include <string.h>

struct head {
  FILE *file;
  char *line;
  size_t room;
};

static bool begins(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

/* The next line that says which model it is, or NULL. */
static const char *next_line(struct head *head) {
  while (getline(&head->line, &head->room, head->file) > 0) {
    char *line = head->line;
    line[strcspn(line, "\n")] = '\0';
    if (begins(line, "initial "))
      return NULL;
    if (begins(line, "model ") || (begins(line, "option ") && !begins(line, "option claim=") &&
                                   !begins(line, "option ltl=")))
      return line;
  }
  return NULL;
}

/* Models that came from standard input have only their hashes. */
static bool is_same_model(const char *a, const char *b) {
  const size_t hash = strlen("model 0123456789abcdef ");
  if (strlen(a) < hash || strlen(b) < hash || strcmp(a + hash, "<stdin>") == 0)
    return strcmp(a, b) == 0;
  return source_same_file(a + hash, b + hash);
}

static bool differ(struct head *a, struct head *b) {
  for (;;) {
    const char *one = next_line(a), *other = next_line(b);
    if (one == NULL || other == NULL)
      return one != other;
    if (begins(one, "model ") ? !is_same_model(one, other) : strcmp(one, other) != 0)
      return true;
  }
}

bool trailfile_is_other(const char *path, const struct trailfile *trail) {
  struct head there = {.file = fopen(path, "r")}, own = {0};
  char *text = NULL;
  size_t size = 0;
  FILE *to = there.file == NULL ? NULL : open_memstream(&text, &size);
  bool other = false;
  if (to != NULL) {
    trailfile_write_head(to, trail);
    if (fclose(to) == 0)
      own.file = fmemopen(text, size, "r");
  }
  if (own.file != NULL && getline(&there.line, &there.room, there.file) > 0)
    other = begins(there.line, "cairn trail ") && differ(&there, &own);
  if (own.file != NULL)
    fclose(own.file);
  if (there.file != NULL)
    fclose(there.file);
  free(own.line);
  free(there.line);
  free(text);
  return other;
}
