/* fuzz_trail.c - any bytes as a trail file: read, or one error; and what was read
 * is written and read again without a difference. */
#include "report/trailfile.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_trail(struct arena *arena, const char *text, size_t length,
                       struct trailfile *trail, FILE *messages) {
  struct diag *diag = diag_open(arena);
  struct source *source = source_make(arena, "x.trail", text, (uint32_t)length);
  bool fine = trailfile_read(arena, diag, source, trail);
  diag_print(diag, messages, false);
  if (fine != (diag_errors(diag) == 0) || diag_errors(diag) > 1)
    abort();
  return fine;
}

static void compare(const struct trailfile *a, const struct trailfile *b) {
  bool same = a->model_hash == b->model_hash && strcmp(a->model, b->model) == 0 &&
              a->n_invariants == b->n_invariants && a->error.kind == b->error.kind &&
              a->error.index == b->error.index &&
              a->error.in_last_event == b->error.in_last_event &&
              a->error.trail.initial == b->error.trail.initial &&
              a->error.trail.n_events == b->error.trail.n_events;
  for (uint32_t i = 0; same && i < a->n_invariants; i++)
    same = strcmp(a->invariant[i], b->invariant[i]) == 0;
  for (uint32_t i = 0; same && i < a->error.trail.n_events; i++)
    same = a->error.trail.event[i].action == b->error.trail.event[i].action &&
           a->error.trail.event[i].choice == b->error.trail.event[i].choice;
  if (!same)
    abort();
}

static void round_trip(struct arena *arena, const struct trailfile *trail, FILE *messages) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL)
    return;
  trailfile_write(out, trail);
  fclose(out);
  struct trailfile again;
  if (!read_trail(arena, text, length, &again, messages))
    abort();
  compare(trail, &again);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct budget *budget = budget_open(UINT64_C(1) << 32);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  FILE *messages = fopen("/dev/null", "w");
  /* A source's text ends with a NUL. */
  char *text = malloc(size + 1);
  struct trailfile trail;
  if (messages != NULL && text != NULL && arena != NULL) {
    memcpy(text, data, size);
    text[size] = '\0';
    if (read_trail(arena, text, size, &trail, messages))
      round_trip(arena, &trail, messages);
  }
  free(text);
  if (messages != NULL)
    fclose(messages);
  arena_close(arena);
  budget_close(budget);
  return 0;
}
