/* holes.h - a row of which some slots are not known. Private to this folder.
 *
 * The slots that are not known are its holes. Every change is noted, so that it can be taken
 * back. Of models without instances.
 */
#ifndef CAIRN_IR_HOLES_H
#define CAIRN_IR_HOLES_H

#include "ir/value.h"

#include "ts/ts.h"

enum { HOLES_CHANGES = 4096 };

struct holes_change {
  uint32_t slot;
  int32_t value;
  bool was_hole;
};

struct holes {
  const struct ts_shape *shape;
  uint8_t *at;
  uint64_t *hole; /* by slot */
  struct holes_change *change;
  uint32_t n_changes;
  bool spent; /* there were more than HOLES_CHANGES: it is not to be used */
};

int32_t holes_value(const struct holes *, uint32_t slot);
bool holes_is(const struct holes *, uint32_t slot);
void holes_set(struct holes *, uint32_t slot, int32_t value);
void holes_make(struct holes *, uint32_t slot);
/* Until there are no more changes than that. */
void holes_take_back(struct holes *, uint32_t n_changes);

/* Unknown where it depends on a hole, or is a model error. */
struct ir_value holes_known(const struct holes *, const struct ir_expr *);
/* The slot of a VARIABLE or ELEMENT; TS_NONE: it is not known, or there is none. */
uint32_t holes_slot(const struct holes *, const struct ir_expr *);
/* A hole that the value depends on, or TS_NONE. */
uint32_t holes_in(const struct holes *, const struct ir_expr *);
/* Finds the hole, and the value of it, for which the expression is `want` in its lowest bits,
 * if it is made of one hole by steps that can be undone. */
bool holes_solve(const struct holes *, const struct ir_expr *, uint32_t want, uint32_t bits,
                 uint32_t *slot, int32_t *value);

#endif
