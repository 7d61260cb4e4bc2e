/* undo.h - compiled models go backward: which events lead to a state. See undo.c.
 *
 * For models without instances that do not move all at once, and whose steps are not merged.
 */
#ifndef CAIRN_IR_UNDO_H
#define CAIRN_IR_UNDO_H

#include "ir/ir.h"

#include "ts/ts.h"

struct undo;

/* In the arena of the model, whose shape is complete. NULL with a sentence: why not. */
const struct undo *ir_undo(const struct ir_model *, const struct ir_actions *,
                           const struct ts_shape *, const char **why);

/* As those of ts_code; the system goes forward by its code. */
int32_t undo_predecessors(const struct undo *, const struct ts *, const uint8_t *state,
                          uint32_t length, struct ts_event *cursor, struct ts_batch *out);
uint32_t undo_n_predecessors(const struct undo *, const struct ts *, const uint8_t *state,
                             uint32_t length);
uint32_t undo_event(const struct undo *, const struct ts *, const uint8_t *state,
                    uint32_t length, struct ts_event, uint8_t *row);

#endif
