/* which.h - which channels an expression may name. Private to this folder. */
#ifndef CAIRN_IR_WHICH_H
#define CAIRN_IR_WHICH_H

#include "ir/value.h"

struct which {
  const struct ir_channel *one;    /* always this, */
  const struct ir_variable *table; /* or one of the channels in this array; else any */
};

/* For the instance of a seat of slot `number`; seat NULL: for any process. */
struct which which_channels(const struct ir_model *, struct value_births *,
                            const struct ir_seat *, uint32_t number, const struct ir_expr *);

/* Whether it may be this channel, whose number is given if it is global: how many there are up
 * to it. */
bool which_has(const struct which *, const struct ir_channel *, int32_t number);

/* Whether it does not depend on who lives. */
static inline bool which_is_known(const struct which *w) {
  return w->one != NULL || w->table != NULL;
}

#endif
