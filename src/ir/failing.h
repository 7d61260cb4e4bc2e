/* failing.h - with which values a statement failed. Private to this folder. */
#ifndef CAIRN_IR_FAILING_H
#define CAIRN_IR_FAILING_H

#include "ir/reason.h"

#include "ts/explain.h"

struct explained {
  const struct ir_model *model;
  const struct ir_actions *actions;
};

/* As ts_explain.fault. */
const char *failing_values(const struct ts_explain *, const uint8_t *before,
                           const struct ts_event_part *, struct arena *);

#endif
