/* steps.h - states and steps of a run as text.
 *
 * A step is shown as who moved, where in the text, and the statement; below it
 * the variables that changed. A mover's own change of location is shown by the
 * statement and not repeated.
 */
#ifndef CAIRN_REPORT_STEPS_H
#define CAIRN_REPORT_STEPS_H

#include "report/inside.h"

#include "ts/ts.h"

#include "base/budget.h"

#include <stdio.h>

struct steps {
  const struct ts *ts;
  FILE *out;
  bool full; /* whole states instead of changes */
  bool color;
  int columns; /* lines are wrapped there: steps_columns(), once */
  int process_width, place_width, number_width;
  /* steps_replay(): which steps are shown; [from, to) is left out. */
  uint32_t skip_from, skip_to;
  uint32_t n_events, n_cycle; /* the same: of the trail; n_cycle 0: there is no cycle */
  struct inside *inside;      /* how the steps of an event are found, or NULL */
  uint8_t *previous;
  uint32_t previous_length;
};

/* The column widths are worked out once. False if the budget is exhausted. */
bool steps_open(struct steps *, const struct ts *, FILE *out, struct budget *);
void steps_close(struct steps *, struct budget *);

/* A state; without `full` what is zero is left out. */
void steps_state(const struct steps *, const uint8_t *state, bool full);

/* One step, from `before` to `after` (NULL: the event has no successor). */
void steps_step(const struct steps *, uint64_t number, const struct ts_edge *edge,
                const uint8_t *before, uint32_t before_length, const uint8_t *after);

/* Lines are wrapped at this column: of the terminal, else 96. */
int steps_columns(FILE *);

/* The most steps inside an event that are listed. */
#define STEPS_INNER 256u

/* The name of who moves; "" if nobody does. */
const char *steps_mover(const struct ts_shape *, const struct ts_mover *);

/* The statement that it executes; of the end of a process that word. */
const char *steps_statement(const struct ts_shape *, const struct ts_mover *);

/* The actions of the steps inside an event, at most STEPS_INNER; an event without such is its
 * own action. `inside` as for steps_label(). */
uint32_t steps_inner(const struct ts *, struct inside *, const uint8_t *before, uint32_t length,
                     struct ts_event, uint32_t *action);

struct steps_labelling {
  struct inside *inside; /* finds the steps inside; or NULL */
  uint32_t length;       /* of the state before */
  bool statements;       /* no locations, where a picture shows them beside it */
};

/* The statements of an event on one line: "P_0: NCS -> choose {…}; Q: …". Cut to
 * fit; control bytes become "?". */
void steps_label(const struct ts *, const struct steps_labelling *, const uint8_t *before,
                 struct ts_event, char *text, size_t size);

/* A step function for search_replay(); the context is the struct steps. */
bool steps_replay(void *context, uint32_t n, const struct ts_edge *edge, const uint8_t *state,
                  uint32_t length);

#endif
