/* ir_random.h - small random models, and a slow way to run them.
 *
 * The models use everything that the checked model has: types of odd widths,
 * arrays, all operators (those that can fail included), handshakes, buffered
 * channels, committed locations, synchronous systems. The interpreter follows the
 * words of ir.h, one action at a time, and shares no code with the printer.
 */
#ifndef CAIRN_TESTS_IR_RANDOM_H
#define CAIRN_TESTS_IR_RANDOM_H

#include "ir/ir.h"
#include "ts/ts.h"

struct ir_model *random_model(struct arena *, uint64_t seed);

/* Evaluates an expression in a state; sets *fault if that is a model error. */
int32_t slow_value(const struct ir_expr *, const uint8_t *row, bool *fault);

enum slow_outcome { SLOW_NOT_ENABLED, SLOW_SUCCESSOR, SLOW_ERROR };

struct slow {
  const struct ir_model *model;
  const struct ir_actions *actions;
  const struct ts_shape *shape;
};

/* Tries one event; `row` gets the successor. */
enum slow_outcome slow_fire(const struct slow *, const uint8_t *state, struct ts_event,
                            uint8_t *row);
/* How many choices an action has in a state (0 or 1, or combinations). */
uint32_t slow_choices(const struct slow *, const uint8_t *state, uint32_t action);

#endif
