/* evaluate.h - expressions of the model evaluated in a state, for reports.
 *
 * The compiled code evaluates expressions in a search; this is for the one state at the end of
 * a counterexample, where people want to know why something does not hold. What it does not
 * know it says so. Private to this folder.
 */
#ifndef CAIRN_IR_EVALUATE_H
#define CAIRN_IR_EVALUATE_H

#include "ir/ir.h"

#include "ts/ts.h"

/* Who asks, and where. */
struct evaluation {
  uint32_t born; /* processes that began since the state, of which no more is known */
  const struct ir_model *model;
  const struct ts_shape *shape;
  const uint8_t *state;
  const struct ir_seat *seat; /* of the process that evaluates, where there are instances; or
                               * NULL */
  uint32_t self;              /* its number */
};

/* Unknown where working it out is a model error, or takes more than the state. */
struct ir_value evaluate(const struct evaluation *, const struct ir_expr *);

/* The part of it whose evaluation is a model error; NULL: none is. */
const struct ir_expr *evaluate_failing(const struct evaluation *, const struct ir_expr *);

/* The slot of a VARIABLE, ELEMENT or FOREIGN; TS_NONE: it is a constant, or not there. */
uint32_t evaluate_slot(const struct evaluation *, const struct ir_expr *);

/* Who lives as process number `number` in a model with instances; NULL: nobody. */
const struct ir_seat *evaluate_seat(const struct ir_model *, const struct ts_shape *,
                                    const uint8_t *state, uint32_t number);

/* How many processes live. */
uint32_t evaluate_live(const struct evaluation *);

/* The control location of a process: of a seat, or without instances. */
uint32_t evaluate_location(const struct evaluation *, const struct ir_process *,
                           const struct ir_seat *);

/* The channel of an edge or operation: an index into the notes; TS_NONE: none. */
uint32_t evaluate_channel(const struct evaluation *, const struct ir_expr *number);

/* Whether message i of a channel fits what the receive asks for; false also where that is not
 * known. */
bool evaluate_fits(const struct evaluation *, const struct ir_operation *,
                   const struct ts_channel *, uint32_t message);

#endif
