/* before.h - the states from which one event leads to a state, side by side and counted. */
#ifndef CAIRN_TS_BEFORE_H
#define CAIRN_TS_BEFORE_H

#include "ts/list.h"

enum before_kind {
  BEFORE_COUNTED, /* those that ts_code.predecessors() lists */
  BEFORE_ALL      /* all that the types have room for */
};
enum before_answer { BEFORE_TOLD, BEFORE_NOT_TOLD, BEFORE_SPENT };

/* Replaces the content of a list by the events that lead to a state of a model that goes
 * backward: an edge for each, with the state that it leads from as its row. */
enum before_answer before_fill(struct list *, const struct ts *, const uint8_t *state,
                               uint32_t length, enum before_kind);

/* How many different states there are in a list: two events may lead from one. False if the
 * budget is exhausted. */
bool before_states(const struct list *, uint32_t *n);

#endif
