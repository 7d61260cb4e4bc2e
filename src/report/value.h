/* value.h - what a state says, in terms of the model.
 *
 * A variable is shown by element, a buffered channel as a whole: c = [<1, red>, <2, green>].
 * A variable that only says which channel is its own is not shown: the channel is.
 */
#ifndef CAIRN_REPORT_VALUE_H
#define CAIRN_REPORT_VALUE_H

#include "ts/ts.h"

#define VALUE_NAME 200u
#define VALUE_TEXT 600u

struct value {
  char name[VALUE_NAME], text[VALUE_TEXT];
  bool is_zero; /* 0, or a channel without messages */
  bool is_own;  /* a variable whose value is the channel of the same name */
  bool is_channel;
  uint32_t n_slots; /* from the slot in question on */
};

/* What is shown at a slot, from the lowest on; false: what is there belongs to a slot before,
 * or there is nothing in this state. */
bool value_read(const struct ts_shape *, uint32_t slot, const uint8_t *state, struct value *);

/* Whether any of its slots differs. */
bool value_differs(const struct ts_shape *, const struct value *, uint32_t slot,
                   const uint8_t *before, const uint8_t *after);

/* A number as the language would write it: `values` are the names of some (or NULL). Of a
 * channel its name, if there is one of that number in the state. */
void value_number(const struct ts_shape *, const struct ts_field *, int64_t number,
                  const uint8_t *state, char *text, size_t size);

#endif
