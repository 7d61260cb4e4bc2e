/* inside.h - the steps of one event, with the messages and prints on the way.
 *
 * The model is run again from the state before, and shows what it does; the way to the
 * event is then followed back from its last step.
 */
#ifndef CAIRN_REPORT_INSIDE_H
#define CAIRN_REPORT_INSIDE_H

#include "ts/ts.h"

#include "base/budget.h"

#include <stdio.h>

struct inside {
  struct budget *budget;
  const uint8_t *before; /* the state that was given */
  uint8_t *row;          /* the successor */
  uint32_t stride;
  struct ts_trace trace;
  uint32_t *step; /* records of the steps, in order */
  uint32_t n_steps;
  uint64_t capacity;
};

/* False if the budget is exhausted. */
bool inside_open(struct inside *, const struct ts *, struct budget *);
void inside_close(struct inside *);

/* Runs the event. False: the model says nothing of its steps, or memory ran out; then the
 * event's action is its only step. */
bool inside_read(struct inside *, const struct ts *, const uint8_t *state, uint32_t length,
                 struct ts_event);

/* The action of step i. */
uint32_t inside_action(const struct inside *, uint32_t i);

enum inside_kind { INSIDE_SEND, INSIDE_RECEIVE, INSIDE_PRINT };

/* A message that is sent or received in a step, or what it prints. */
struct inside_note {
  enum inside_kind kind;
  const char *channel; /* its name; of a print NULL */
  const char *text;    /* the values with commas; of a print the whole of it */
};

/* Calls `tell` with what belongs to step i, in order. */
void inside_each(const struct inside *, const struct ts_shape *, uint32_t i,
                 void (*tell)(void *context, const struct inside_note *), void *context);

/* What belongs to step i, a line for each message and print, indented. */
void inside_print(const struct inside *, const struct ts_shape *, uint32_t i, int indent,
                  FILE *);

#endif
