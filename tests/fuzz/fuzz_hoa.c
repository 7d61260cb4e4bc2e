/* fuzz_hoa.c - any bytes as an automaton in the Hanoi format: read, or one message; and what
 * was read is written and read again without a difference. */
#include "fuzz_model.h"

#include "lang/ltl/format.h"
#include "lang/ltl/hoa.h"

#include <stdlib.h>
#include <string.h>

static bool same(const struct hoa *x, const struct hoa *y) {
  const struct buchi *a = x->buchi;
  const struct buchi *b = y->buchi;
  bool same = a->n_states == b->n_states && a->n_marks == b->n_marks &&
              a->n_edges == b->n_edges && a->initial == b->initial && x->n_atoms == y->n_atoms;
  for (uint32_t i = 0; same && i < x->n_atoms; i++)
    same = strcmp(x->atom[i], y->atom[i]) == 0;
  for (uint32_t i = 0; same && i < a->n_edges; i++)
    same = a->edge[i].from == b->edge[i].from && a->edge[i].to == b->edge[i].to &&
           a->edge[i].marks == b->edge[i].marks &&
           label_compare(a->edge[i].label, b->edge[i].label) == 0;
  return same;
}

static void write_and_read(struct arena *arena, const struct hoa *hoa) {
  const struct format_automaton a = {.buchi = hoa->buchi,
                                     .formula = hoa->name,
                                     .n_atoms = hoa->n_atoms,
                                     .atom = hoa->atom,
                                     .kind = kind_of(hoa->buchi)};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL)
    return;
  format_hoa(out, &a);
  fclose(out);
  struct diag *diag = diag_open(arena);
  const struct hoa *again =
      hoa_read(arena, diag, source_make(arena, "again.hoa", text, (uint32_t)length));
  fuzz_require(again != NULL && same(hoa, again));
  free(text);
}

void fuzz_read_model(struct arena *arena, const char *text, uint32_t length) {
  struct diag *diag = diag_open(arena);
  const struct hoa *hoa = hoa_read(arena, diag, source_make(arena, "x.hoa", text, length));
  fuzz_require((hoa == NULL) == (diag_errors(diag) == 1) && diag_errors(diag) <= 1);
  if (hoa != NULL && hoa->buchi->n_states < 1000)
    write_and_read(arena, hoa);
  fuzz_print(diag);
}
