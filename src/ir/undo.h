/* undo.h - compiled models go backward: which events lead to a state. See undo.c.
 *
 * For models that do not move all at once, and whose steps are not merged; where processes come
 * and go, see undo_seats.c.
 */
#ifndef CAIRN_IR_UNDO_H
#define CAIRN_IR_UNDO_H

#include "ir/ir.h"

#include "ts/ts.h"

struct undo;

/* In the arena of the model, whose shape is complete. NULL with a sentence: why not. */
struct undo *ir_undo(const struct ir_model *, const struct ir_actions *,
                     const struct ts_shape *, const char **why);

/* As those of ts_code; the system goes forward by its code. */
int32_t undo_predecessors(const struct undo *, const struct ts *, const uint8_t *state,
                          uint32_t length, struct ts_event *cursor, struct ts_batch *out);
int32_t undo_all_predecessors(const struct undo *, const struct ts *, const uint8_t *state,
                              uint32_t length, struct ts_event *cursor, struct ts_batch *out);
/* The number of those rows whose actions compiled code does not count; TS_NONE: that cannot be
 * told. */
uint32_t undo_n_rest(const struct undo *, const struct ts *, const uint8_t *state,
                     uint32_t length);
/* Once it is noted which they are. */
void undo_compiled(struct undo *);
uint32_t undo_event(const struct undo *, const struct ts *, const uint8_t *state,
                    uint32_t length, struct ts_event, uint8_t *row);

/* How an action is undone, in whatever state. */
enum undo_way {
  UNDO_EXACT,   /* nothing that it has overwritten has to be tried */
  UNDO_TRIES,   /* at most so many states are tried */
  UNDO_LIMITED, /* the same, and that may be too many: then it cannot be told */
  UNDO_CANNOT   /* it does what cannot be undone */
};
struct undo_manner {
  enum undo_way way;
  uint64_t ways; /* UINT64_MAX: that many, or more */
};
struct undo_manner undo_manner(const struct undo *, uint32_t action);

#endif
