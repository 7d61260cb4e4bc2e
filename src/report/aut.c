/* aut.c - state spaces in the Aldebaran format (CADP, mCRL2): one line per edge.
 *
 * The format knows one initial state: where a model has several, a further
 * state in front of them leads there. Events that failed lead to one last state.
 */
#include "report/graph.h"
#include "report/steps.h"

static uint64_t failed_state(const struct graph *g) {
  return g->n_states;
}

static uint64_t root_state(const struct graph *g) {
  return g->n_states + (g->n_failed > 0);
}

static void aut_begin(const struct graph *g) {
  bool root = g->ts->shape->n_initial != 1;
  uint64_t states = root_state(g) + root;
  fprintf(g->out, "des (%llu, %llu, %llu)\n", root ? (unsigned long long)root_state(g) : 0,
          (unsigned long long)g->n_edges, (unsigned long long)states);
}

static void aut_initial(const struct graph *g, uint64_t state) {
  if (g->ts->shape->n_initial != 1)
    fprintf(g->out, "(%llu, \"initial\", %llu)\n", (unsigned long long)root_state(g),
            (unsigned long long)state);
}

static void aut_state(const struct graph *g, uint64_t number, const uint8_t *state,
                      uint32_t length, enum graph_state kind) {
  (void)g, (void)number, (void)state, (void)length, (void)kind; /* AUT has only edges */
}

static void aut_edge(const struct graph *g, uint64_t from, const uint8_t *before,
                     uint32_t length, const struct ts_edge *edge, uint64_t to) {
  char label[1200];
  const struct steps_labelling how = {g->inside, length, false};
  steps_label(g->ts, &how, before, edge->event, label, sizeof label);
  /* Labels are quoted and have no escapes. */
  for (char *c = label; *c != '\0'; c++)
    if (*c == '"')
      *c = '\'';
  bool failed = edge->kind == TS_MODEL_ERROR;
  fprintf(g->out, "(%llu, \"%s%s\", %llu)\n", (unsigned long long)from,
          failed ? "model error: " : "", label,
          (unsigned long long)(failed ? failed_state(g) : to));
}

static void aut_end(const struct graph *g) {
  (void)g;
}

const struct graph_format graph_aut = {
    .name = "aut",
    .summary = "Aldebaran",
    .begin = aut_begin,
    .initial = aut_initial,
    .state = aut_state,
    .edge = aut_edge,
    .end = aut_end,
};
