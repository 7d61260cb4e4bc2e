/* expand.h - all successors of one state at once, for commands that look at
 * states one by one. */
#ifndef CAIRN_CLI_EXPAND_H
#define CAIRN_CLI_EXPAND_H

#include "base/budget.h"
#include "ts/ts.h"

struct expand {
  const struct ts *ts;
  struct budget *budget;
  struct ts_batch batch; /* the successors, after expand_state() */
  size_t edge_bytes, row_bytes;
};

/* False if the budget is exhausted. */
bool expand_open(struct expand *, const struct ts *, struct budget *);
bool expand_state(struct expand *, const uint8_t *state, uint32_t length);
void expand_close(struct expand *);

static inline const uint8_t *expand_row(const struct expand *e, uint32_t i) {
  return e->batch.rows + i * e->batch.stride;
}

#endif
