/* format.c - automata as text for people, as a picture, and as a never claim. */
#include "lang/ltl/format.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether an expression may be negated, or be an operand, without parentheses. */
static bool is_name(const char *text) {
  for (; *text != '\0'; text++)
    if (!isalnum((unsigned char)*text) && strchr("_.@:[]", *text) == NULL)
      return false;
  return true;
}

static void print_literal(FILE *out, const char *text, bool negated, bool alone) {
  const char *not_ = negated ? "!" : "";
  if (is_name(text) || (alone && !negated))
    fprintf(out, "%s%s", not_, text);
  else
    fprintf(out, "%s(%s)", not_, text);
}

static void print_cube(FILE *out, const struct format_automaton *a, struct label_cube c,
                       bool alone) {
  const char *between = "";
  const bool one = alone && __builtin_popcountll(c.yes | c.no) == 1;
  for (uint32_t i = 0; i < a->n_atoms; i++) {
    const uint64_t bit = UINT64_C(1) << i;
    if (((c.yes | c.no) & bit) == 0)
      continue;
    fputs(between, out);
    print_literal(out, a->atom[i], (c.no & bit) != 0, one);
    between = " && ";
  }
  if (*between == '\0')
    fputs("true", out);
}

/* A label in the language's notation: "p && !q || r", "true". */
static void print_label(FILE *out, const struct format_automaton *a, struct label l) {
  for (uint32_t i = 0; i < l.n; i++) {
    fputs(i > 0 ? " || " : "", out);
    print_cube(out, a, l.at[i], l.n == 1);
  }
  if (l.n == 0)
    fputs("false", out);
}

static void print_marks(FILE *out, const char *open, uint64_t marks, const char *close) {
  const char *between = open;
  for (uint32_t m = 0; marks >> m != 0 && m < 64; m++)
    if ((marks >> m & 1) != 0) {
      fprintf(out, "%s%u", between, m);
      between = " ";
    }
  if (between != open)
    fputs(close, out);
}

static uint64_t state_marks(const struct buchi *b, uint32_t s) {
  return b->state_marks && b->first[s] < b->first[s + 1] ? b->edge[b->first[s]].marks : 0;
}

/* ---- text ----------------------------------------------------------------------------------
 */

static void print_count(FILE *out, uint32_t n, const char *what) {
  fprintf(out, "%u %s%s", n, what, n == 1 ? "" : "s");
}

void format_text(FILE *out, const struct format_automaton *a) {
  const struct buchi *b = a->buchi;
  const char *words = kind_words(b->arena, &a->kind);
  fprintf(out, "formula: %s\nautomaton: ", a->formula);
  print_count(out, b->n_states, "state");
  fputs(", ", out);
  print_count(out, b->n_edges, "edge");
  fputs(", ", out);
  print_count(out, b->n_marks, "mark");
  fprintf(out, " of acceptance on %s\nkind: %s%s%s\n", b->state_marks ? "states" : "edges",
          *words != '\0' ? words : "general", a->stutter_invariant ? ", " : "",
          a->stutter_invariant ? "stutter-invariant" : "");
  for (uint32_t s = 0; s < b->n_states; s++) {
    fprintf(out, "\nstate %u%s", s, s == b->initial ? " (initial)" : "");
    print_marks(out, " {", state_marks(b, s), "}");
    fputc('\n', out);
    for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++) {
      fprintf(out, "  -> %u", b->edge[i].to);
      print_marks(out, " {", b->state_marks ? 0 : b->edge[i].marks, "}");
      fputs("  ", out);
      print_label(out, a, b->edge[i].label);
      fputc('\n', out);
    }
  }
}

/* ---- Graphviz -------------------------------------------------------------------------------
 */

/* What is printed into a quoted string of DOT, by way of a stream of its own. */
static void print_quoted(FILE *out, const struct format_automaton *a, struct label l) {
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&text, &length);
  if (memory == NULL)
    return;
  print_label(memory, a, l);
  fclose(memory);
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '"' || text[i] == '\\')
      fputc('\\', out);
    fputc(text[i], out);
  }
  free(text);
}

void format_dot(FILE *out, const struct format_automaton *a) {
  const struct buchi *b = a->buchi;
  fputs("digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n"
        "  start [shape=point, label=\"\"];\n",
        out);
  fprintf(out, "  start -> %u;\n", b->initial);
  for (uint32_t s = 0; s < b->n_states; s++) {
    if (state_marks(b, s) != 0 && b->n_marks == 1)
      fprintf(out, "  %u [shape=doublecircle];\n", s);
    for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++) {
      fprintf(out, "  %u -> %u [label=\"", s, b->edge[i].to);
      print_quoted(out, a, b->edge[i].label);
      print_marks(out, " {", b->state_marks ? 0 : b->edge[i].marks, "}");
      fputs("\"];\n", out);
    }
  }
  fputs("}\n", out);
}

/* ---- never claims ---------------------------------------------------------------------------
 */

static bool is_accepting(const struct buchi *b, uint32_t s) {
  return b->first[s] < b->first[s + 1] && (b->n_marks == 0 || state_marks(b, s) != 0);
}

/* An accepting state that reads anything and stays: the claim may end there, and Spin then
 * reports what it has found without looking for a cycle. */
static bool accepts_all(const struct buchi *b, uint32_t s) {
  if (!is_accepting(b, s) || b->first[s] + 1 != b->first[s + 1])
    return false;
  const struct buchi_edge *e = &b->edge[b->first[s]];
  return e->to == s && label_is_true(e->label);
}

static void print_state_name(FILE *out, const struct buchi *b, uint32_t s) {
  if (accepts_all(b, s))
    fputs("accept_all", out);
  else if (s == b->initial)
    fprintf(out, "%s_init", is_accepting(b, s) ? "accept" : "T0");
  else
    fprintf(out, "%s_S%u", is_accepting(b, s) ? "accept" : "T0", s);
}

static void print_never_state(FILE *out, const struct format_automaton *a, uint32_t s) {
  const struct buchi *b = a->buchi;
  print_state_name(out, b, s);
  if (accepts_all(b, s)) {
    fputs(":\n  skip\n", out);
    return;
  }
  if (b->first[s] == b->first[s + 1]) {
    fputs(":\n  false;\n", out);
    return;
  }
  fputs(":\n  do\n", out);
  for (uint32_t i = b->first[s]; i < b->first[s + 1]; i++) {
    fputs("  :: (", out);
    print_label(out, a, b->edge[i].label);
    fputs(") -> goto ", out);
    print_state_name(out, b, b->edge[i].to);
    fputc('\n', out);
  }
  fputs("  od;\n", out);
}

/* The initial state comes first, and what may end the claim last. */
void format_never(FILE *out, const struct format_automaton *a) {
  const struct buchi *b = a->buchi;
  fputs("never { /* ", out);
  for (const char *c = a->formula; *c != '\0'; c++) {
    fputc(*c, out);
    if (c[0] == '*' && c[1] == '/')
      fputc(' ', out);
  }
  fputs(" */\n", out);
  if (!accepts_all(b, b->initial))
    print_never_state(out, a, b->initial);
  for (uint32_t s = 0; s < b->n_states; s++)
    if (s != b->initial && !accepts_all(b, s))
      print_never_state(out, a, s);
  for (uint32_t s = 0; s < b->n_states; s++)
    if (accepts_all(b, s)) {
      print_never_state(out, a, s);
      break;
    }
  fputs("}\n", out);
}
