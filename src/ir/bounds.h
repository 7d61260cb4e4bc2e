/* bounds.h - the values that the slots of a model without instances can have; of one that was
 * taken apart (apart.h), those of processes that live. Private to this folder; see bounds.c.
 *
 * A state with a slot whose value is not among these can never be reached.
 */
#ifndef CAIRN_IR_BOUNDS_H
#define CAIRN_IR_BOUNDS_H

#include "ir/small_steps.h"
#include "ir/values.h"

#include "ts/ts.h"

enum { BOUNDS_SHARED = UINT16_MAX, BOUNDS_NOBODY = UINT16_MAX - 1 };

struct bounds {
  const struct ir_model *model;
  const struct ts_shape *shape;
  const uint16_t *writer; /* by slot: index of a process, or one of these */
  const uint32_t *first;  /* by slot: its set, or the first of its sets, by location */
  uint32_t n_sets;
  struct values *set;
  uint16_t *grown;
  struct values *ever; /* by slot */
  struct {
    uint32_t *at;
    uint32_t n, capacity;
  } * own; /* by process */
};

/* In the arena of the model; `steps`: of each action. */
const struct bounds *bounds_find(const struct ir_model *, const struct ir_actions *,
                                 const struct ts_shape *, const struct small_steps *steps);

/* The same, of which only the types are known. */
const struct bounds *bounds_of_types(const struct ir_model *, const struct ts_shape *);

/* What the slot may have in a state with these locations. */
const struct values *bounds_at(const struct bounds *, uint32_t slot, const uint8_t *state);
/* What it may have at any time, also within an action. */
const struct values *bounds_ever(const struct bounds *, uint32_t slot);

/* The slots whose bounds differ by the location of a process: those that it alone writes. */
const uint32_t *bounds_own(const struct bounds *, const struct ir_process *, uint32_t *n);

#endif
