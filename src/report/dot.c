/* dot.c - state spaces for Graphviz.
 *
 * A node shows the control locations and the variables that are not zero; a
 * state without successors has a red frame, one that breaks an assertion is
 * filled, one with events to states that are not shown has a dashed frame, an event that failed
 * leads to a red mark. So is a run that a claim accepts: its edges
 * are red.
 */
#include "report/graph.h"

#include "base/utf8.h"
#include "report/steps.h"
#include "report/value.h"
#include "ts/wording.h"

#include <string.h>

static void print_escaped(FILE *out, const char *text) {
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      fputc('\\', out);
    fputc((unsigned char)*c < 32 || *c == 127 ? '?' : *c, out);
  }
}

static void dot_begin(const struct graph *g) {
  fputs("digraph \"", g->out);
  print_escaped(g->out, g->ts->shape->name);
  fputs("\" {\n  graph [nodesep=0.15, ranksep=0.35];\n  node [shape=box, style=rounded, "
        "fontname=\"sans-serif\", fontsize=10];\n"
        "  edge [fontname=\"sans-serif\", fontsize=9];\n",
        g->out);
}

static void dot_initial(const struct graph *g, uint64_t state) {
  unsigned long long n = state;
  fprintf(g->out, "  i%llu [shape=point];\n  i%llu -> s%llu;\n", n, n, n);
}

static bool breaks_property(const struct ts *ts, const uint8_t *state, uint32_t length) {
  uint32_t fault = TS_NONE;
  uint32_t first = ts_code(ts)->violated(ts, state, length, 0, &fault);
  return first < ts->shape->n_properties || fault != TS_NONE;
}

static void dot_state(const struct graph *g, uint64_t number, const uint8_t *state,
                      uint32_t length, enum graph_state kind) {
  const struct ts_shape *shape = g->ts->shape;
  fprintf(g->out, "  s%llu [label=\"%llu", (unsigned long long)number,
          (unsigned long long)number);
  char text[WORDING_STATE];
  char *next = text;
  if (wording_state(shape, state, text, sizeof text))
    for (char *line; (line = strsep(&next, "\n")) != NULL && next != NULL;) {
      fputs("\\n", g->out);
      print_escaped(g->out, line);
    }
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    const struct ts_variable *v = &shape->variable[shape->slot[i].variable];
    struct value value;
    if (!value_read(shape, i, state, &value) || value.is_own ||
        (!v->is_location && value.is_zero))
      continue;
    fputs("\\n", g->out);
    print_escaped(g->out, value.name);
    fputs(" = ", g->out);
    print_escaped(g->out, value.text);
  }
  const bool breaks = breaks_property(g->ts, state, length), goes_on = kind == GRAPH_GOES_ON;
  fprintf(g->out, "\"%s%s];\n", kind == GRAPH_DEADLOCK ? ", color=red, penwidth=2" : "",
          breaks && goes_on ? ", style=\"rounded,filled,dashed\", fillcolor=\"#f4b8b0\""
          : breaks          ? ", style=\"rounded,filled\", fillcolor=\"#f4b8b0\""
          : goes_on         ? ", style=\"rounded,dashed\""
                            : "");
}

/* Long statements would make the picture unreadable: they lose their middle, and the rest is
 * broken into lines of about this length, for pictures are wide and not high. */
#define DOT_LABEL 90u
#define DOT_TAIL  30u
#define DOT_LINE  8u

/* Without the middle, if it is too long. */
static void shorten(const char *label, char *text, size_t size) {
  const size_t n = strlen(label);
  if (n <= DOT_LABEL) {
    snprintf(text, size, "%s", label);
    return;
  }
  size_t head = DOT_LABEL - DOT_TAIL, tail = n - DOT_TAIL;
  while (head > 0 && !utf8_begins(label[head]))
    head--;
  while (!utf8_begins(label[tail]))
    tail++;
  snprintf(text, size, "%.*s…%s", (int)head, label, label + tail);
}

/* A label, with a new line at the first blank after each DOT_LINE bytes. */
static void print_label(FILE *out, const char *label) {
  while (*label != '\0') {
    size_t n = strnlen(label, DOT_LINE);
    n += strcspn(label + n, " ");
    char line[DOT_LABEL + 8];
    snprintf(line, sizeof line, "%.*s", (int)n, label);
    print_escaped(out, line);
    label += n;
    label += strspn(label, " ");
    if (*label != '\0')
      fputs("\\n", out);
  }
}

static bool is_marked(const struct graph *g, uint64_t from, struct ts_event event) {
  for (uint32_t i = 0; i < g->n_marks; i++)
    if (g->mark[i].from == from && g->mark[i].event.action == event.action &&
        g->mark[i].event.choice == event.choice)
      return true;
  return false;
}

static void dot_edge(const struct graph *g, uint64_t from, const uint8_t *before,
                     uint32_t length, const struct ts_edge *edge, uint64_t to) {
  char label[1200], text[DOT_LABEL + 8];
  const struct steps_labelling how = {g->inside, length, true};
  steps_label(g->ts, &how, before, edge->event, label, sizeof label);
  shorten(label, text, sizeof text);
  unsigned long long a = from;
  if (edge->kind == TS_MODEL_ERROR)
    fprintf(g->out, "  failed [label=\"model error\", color=red];\n  s%llu -> failed", a);
  else
    fprintf(g->out, "  s%llu -> s%llu", a, (unsigned long long)to);
  fputs(" [label=\"", g->out);
  print_label(g->out, text);
  fprintf(g->out, "\"%s];\n",
          is_marked(g, from, edge->event) ? ", color=red, penwidth=2"
          : edge->kind == TS_FINE         ? ""
                                          : ", color=red");
}

static void dot_end(const struct graph *g) {
  fputs("}\n", g->out);
}

const struct graph_format graph_dot = {
    .name = "dot",
    .summary = "Graphviz",
    .begin = dot_begin,
    .initial = dot_initial,
    .state = dot_state,
    .edge = dot_edge,
    .end = dot_end,
};
