/* value.h - expressions whose value is known before the model runs. Private to this folder. */
#ifndef CAIRN_IR_VALUE_H
#define CAIRN_IR_VALUE_H

#include "ir/ir.h"

struct ir_value value_known(int32_t);

/* Unknown if the value would be cut. */
struct ir_value value_fitting(struct ir_value, const struct ir_type *);

/* The value of an expression, or unknown. `leaf` is asked about all that is neither a
 * constant nor an operator. */
struct ir_value value_of(const struct ir_expr *,
                         struct ir_value (*leaf)(const void *context, const struct ir_expr *),
                         const void *context);

/* What the instances of a model know of themselves permanently: their number, and own scalars
 * that nobody writes after they were made. */
struct value_births;
struct value_births *value_births(const struct ir_model *);

/* The value of an expression for the instance of a seat of slot `number`; seat NULL: for any
 * process. */
struct ir_value value_for(struct value_births *, const struct ir_seat *, uint32_t number,
                          const struct ir_expr *);

/* The channel of its own that the expression always is for this instance; NULL: none is known.
 */
const struct ir_channel *value_own_channel(struct value_births *, const struct ir_seat *,
                                           uint32_t number, const struct ir_expr *);

#endif
