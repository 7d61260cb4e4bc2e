/* graph.h - state spaces in the formats of other tools.
 *
 * The caller visits the states and hands them to the writer; a format is one constant
 * struct graph_format. States are numbered from 0; where no state in front of others is left
 * out, the numbers from n_states on are free for what is no state (the end of an event that
 * failed).
 */
#ifndef CAIRN_REPORT_GRAPH_H
#define CAIRN_REPORT_GRAPH_H

#include "ts/ts.h"

#include <stdio.h>

struct inside;

struct graph_mark { /* an event that is shown in red */
  uint64_t from;
  struct ts_event event;
};

enum graph_state { GRAPH_PLAIN, GRAPH_DEADLOCK, GRAPH_GOES_ON };

struct graph {
  const struct ts *ts;
  struct inside *inside; /* how the steps of an event are found, or NULL */
  FILE *out;
  uint64_t n_states, n_edges; /* known before the first call; edges include those
                               * from the root, where n_initial is not 1 */
  uint64_t n_failed;          /* events without a successor, among the edges */
  const struct graph_mark *mark;
  uint32_t n_marks;
};

struct graph_format {
  const char *name, *summary;
  void (*begin)(const struct graph *);
  void (*initial)(const struct graph *, uint64_t state);
  /* No event, and no proper end; or there are events to states that are not shown. */
  void (*state)(const struct graph *, uint64_t number, const uint8_t *state, uint32_t length,
                enum graph_state);
  /* To the state `to`; for a failed event `to` is not looked at. */
  void (*edge)(const struct graph *, uint64_t from, const uint8_t *before, uint32_t length,
               const struct ts_edge *edge, uint64_t to);
  void (*end)(const struct graph *);
};

extern const struct graph_format graph_dot, graph_aut;

#endif
