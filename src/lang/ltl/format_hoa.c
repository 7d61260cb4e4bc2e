/* format_hoa.c - writing the Hanoi omega-automata format (Babiak and others 2015), version 1.
 */
#include "lang/ltl/format.h"

static void print_string(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

static void print_label(FILE *out, struct label l) {
  for (uint32_t i = 0; i < l.n; i++) {
    const uint64_t all = l.at[i].yes | l.at[i].no;
    const char *between = i > 0 ? " | " : "";
    if (all == 0)
      fprintf(out, "%st", between);
    for (uint32_t k = 0; k < 64; k++)
      if ((all >> k & 1) != 0) {
        fprintf(out, "%s%s%u", between, (l.at[i].no >> k & 1) != 0 ? "!" : "", k);
        between = "&";
      }
  }
  if (l.n == 0)
    fputc('f', out);
}

static void print_marks(FILE *out, uint64_t marks) {
  const char *between = " {";
  for (uint32_t m = 0; m < 64; m++)
    if ((marks >> m & 1) != 0) {
      fprintf(out, "%s%u", between, m);
      between = " ";
    }
  if (marks != 0)
    fputc('}', out);
}

static void print_acceptance(FILE *out, uint32_t n_marks) {
  if (n_marks == 0) {
    fputs("acc-name: all\nAcceptance: 0 t\n", out);
    return;
  }
  if (n_marks == 1)
    fputs("acc-name: Buchi\nAcceptance: 1 ", out);
  else
    fprintf(out, "acc-name: generalized-Buchi %u\nAcceptance: %u ", n_marks, n_marks);
  for (uint32_t m = 0; m < n_marks; m++)
    fprintf(out, "%sInf(%u)", m > 0 ? "&" : "", m);
  fputc('\n', out);
}

static void print_header(FILE *out, const struct format_automaton *a) {
  const struct buchi *b = a->buchi;
  fputs("HOA: v1\nname: ", out);
  print_string(out, a->formula);
  fprintf(out, "\ntool: \"cairn\"\nStates: %u\nStart: %u\nAP: %u", b->n_states, b->initial,
          a->n_atoms);
  for (uint32_t i = 0; i < a->n_atoms; i++) {
    fputc(' ', out);
    print_string(out, a->atom[i]);
  }
  fputc('\n', out);
  print_acceptance(out, b->n_marks);
  fprintf(out, "properties: trans-labels explicit-labels %s",
          b->state_marks ? "state-acc" : "trans-acc");
  fputs(a->kind.deterministic ? " deterministic" : "", out);
  fputs(a->kind.complete ? " complete" : "", out);
  fputs(a->kind.terminal ? " terminal" : a->kind.weak ? " inherently-weak" : "", out);
  fputs(a->stutter_invariant ? " stutter-invariant" : "", out);
  fputs("\n--BODY--\n", out);
}

void format_hoa(FILE *out, const struct format_automaton *a) {
  const struct buchi *b = a->buchi;
  print_header(out, a);
  for (uint32_t s = 0; s < b->n_states; s++) {
    fprintf(out, "State: %u", s);
    if (b->state_marks && b->first[s] < b->first[s + 1])
      print_marks(out, b->edge[b->first[s]].marks);
    fputc('\n', out);
    for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++) {
      fputc('[', out);
      print_label(out, b->edge[i].label);
      fprintf(out, "] %u", b->edge[i].to);
      print_marks(out, b->state_marks ? 0 : b->edge[i].marks);
      fputc('\n', out);
    }
  }
  fputs("--END--\n", out);
}
