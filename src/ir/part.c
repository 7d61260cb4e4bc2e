/* part.c - what the parts of a guard touch, where it is known that it holds.
 *
 * A part that says that a channel has room, or a message, and no more, asks less than the
 * channel's length does. Whether a part is listed among the guards of its step (guards.c)
 * decides what may be said of those who read what it reads, see marks.h.
 */
#include "ir/touch.h"

#include "ir/which.h"

static bool is_zero(const struct ir_expr *e) {
  return e->kind == IR_CONST && e->value == 0;
}

/* The channel that a condition says has a message (nempty), and no more; NULL: another one. */
static const struct ir_expr *asks_message(const struct ir_expr *e) {
  bool any = e->kind == IR_GT && e->a->kind == IR_LENGTH && is_zero(e->b);
  return any ? e->a->a : NULL;
}

/* The same of room: !(len > 0 && room == 0), as nfull is written. */
static const struct ir_expr *asks_room(const struct ir_expr *e) {
  const struct ir_expr *full = e->kind == IR_NOT ? e->a : NULL;
  bool room = full != NULL && full->kind == IR_AND && asks_message(full->a) != NULL &&
              full->b->kind == IR_EQ && full->b->a->kind == IR_ROOM && is_zero(full->b->b);
  return room ? full->b->a->a : NULL;
}

/* The guard holds where a channel has room, or a message. */
static void mark_asked(struct touch *t, const struct ir_expr *number, unsigned way) {
  struct which which = which_channels(t->model, t->births, t->seat, t->number, number);
  int32_t k = 0;
  touch_expr(t, number);
  for (uint32_t i = 0; i < t->model->n_channels; i++) {
    const struct ir_channel *c = t->model->channel[i];
    k += !c->owner;
    if (c->capacity == 0 || !which_has(&which, c, k))
      continue;
    marks_add(t->marks, marks_channel(t->marks, c), way);
    if (t->marks->guard && which.one != NULL)
      marks_grant(t->marks, c, way);
  }
  if (!which_is_known(&which))
    touch_living(t, t->reads);
}

/* A condition that is true where the step is enabled. What it says of channels stays so
 * whatever others do who only take away, or only add. */
void touch_part(struct touch *t, const struct ir_expr *e) {
  const struct ir_expr *number;
  if (e == NULL)
    return;
  if (e->kind == IR_AND) {
    touch_part(t, e->a);
    touch_part(t, e->b);
    return;
  }
  marks_begin_part(t->marks);
  if ((number = asks_message(e)) != NULL)
    mark_asked(t, number, TS_ANY);
  else if ((number = asks_room(e)) != NULL)
    mark_asked(t, number, TS_ROOM);
  else
    touch_expr(t, e);
  marks_end_part(t->marks);
}
