/* reason.h - why a condition does not hold in a state, in the words of the model. Private to
 * this folder. */
#ifndef CAIRN_IR_REASON_H
#define CAIRN_IR_REASON_H

#include "ir/evaluate.h"

/* "fork[right] == 0, is 1 (right = 2)": of a condition whose value is 0 or not known. */
const char *reason_condition(struct arena *, const struct evaluation *, const struct ir_expr *);

/* "x = 1, y = 2": the variables in it, each once; "" where there are none. */
const char *reason_values(struct arena *, const struct evaluation *, const struct ir_expr *);

/* A value as the language writes what the expression stands for. */
const char *reason_value(struct arena *, const struct evaluation *, const struct ir_expr *,
                         int32_t value);

/* The text of an expression as the user wrote it, on one line. */
const char *reason_text(struct arena *, const struct ir_expr *);

/* "x + 10 is 260 (x = 250)"; NULL where that is not known. */
const char *reason_number(struct arena *, const struct evaluation *, const struct ir_expr *);

/* What evaluating the expression fails at: "index = 5"; NULL: it does not fail. */
const char *reason_failure(struct arena *, const struct evaluation *, const struct ir_expr *);

#endif
