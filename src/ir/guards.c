/* guards.c - the guard of a step as single conditions that can be looked at in a state.
 *
 * A guard is cut where it says `and`. Of each part that is made of slots and plain operators a
 * list of terms is made, with what others may do to make it true. The first part that may be a
 * model error ends it: what comes after it is not looked at then, and a fault is an event; an
 * index out of range counts as true. So does a guard that asks for other edges or processes
 * first (else, escapes, provided, the answer of a handshake). The room and the messages of a
 * channel are parts of the guard, too, if it is known which channel it is.
 */
#include "ir/guards.h"

#include "ir/which.h"

/* ---- terms ------------------------------------------------------------------------------- */

struct making {
  struct guards *g;
  uint32_t depth;
  bool may_fail; /* it may be a model error */
};

static bool add(struct making *m, enum ts_term_kind kind, int32_t value, uint32_t length) {
  if (kind <= TS_TERM_SLOT && ++m->depth > TS_TERM_DEPTH)
    return false;
  m->depth -= kind >= TS_TERM_ADD;
  *ARENA_PUSH(m->g->model->arena, &m->g->terms) =
      (struct ts_term){(uint8_t)kind, value, length};
  return true;
}

static struct ir_value known(const struct guards *g, const struct ir_expr *e) {
  if (g->touch != NULL)
    return value_for(g->touch->births, g->touch->seat, g->touch->number, e);
  return (struct ir_value){e->value, e->kind == IR_CONST};
}

/* The first slot of a variable, or TS_NONE: it is another process's. */
static uint32_t slot_of(const struct guards *g, const struct ir_variable *v) {
  if (v->owner == NULL || g->touch == NULL)
    return v->first_slot;
  const struct ir_seat *seat = g->touch->seat;
  if (seat == NULL || seat->process != v->owner)
    return TS_NONE;
  return seat->first_slot + (v->first_slot - v->owner->frame_slot);
}

static bool add_expr(struct making *m, const struct ir_expr *e);

static bool add_reference(struct making *m, const struct ir_expr *e) {
  const struct ir_variable *v = e->variable;
  uint32_t slot = v->is_const || v->is_hidden || !v->length ? TS_NONE : slot_of(m->g, v);
  if (slot == TS_NONE)
    return false;
  if (e->kind == IR_VARIABLE)
    return add(m, TS_TERM_SLOT, (int32_t)slot, 0);
  struct ir_value index = known(m->g, e->a);
  if (index.known)
    return index.at >= 0 && (uint32_t)index.at < v->length &&
           add(m, TS_TERM_SLOT, (int32_t)slot + index.at, 0);
  struct ir_range range = ir_range(e->a);
  m->may_fail |= range.low < 0 || (int64_t)range.high >= (int64_t)v->length;
  return add_expr(m, e->a) && add(m, TS_TERM_ELEMENT, (int32_t)slot, v->length);
}

/* The one channel of a number, if it has one permanent place; or NULL. */
static const struct ir_channel *channel_of(const struct guards *g, const struct ir_expr *e) {
  if (g->touch == NULL || e->kind == IR_EXCLUSIVE)
    return NULL;
  struct which which =
      which_channels(g->model, g->touch->births, g->touch->seat, g->touch->number, e);
  bool fine = which.one != NULL && which.one->owner == NULL && which.one->capacity > 0;
  return fine ? which.one : NULL;
}

static bool add_channel(struct making *m, const struct ir_expr *e) {
  const struct ir_channel *c = e->kind == IR_COUNT ? e->channel : channel_of(m->g, e->a);
  if (c == NULL || c->capacity == 0)
    return false;
  if (e->kind != IR_ROOM)
    return add(m, TS_TERM_SLOT, (int32_t)c->count_slot, 0);
  return add(m, TS_TERM_CONST, (int32_t)c->capacity, 0) &&
         add(m, TS_TERM_SLOT, (int32_t)c->count_slot, 0) && add(m, TS_TERM_SUB, 0, 0);
}

/* False: it cannot be said, or may be another model error than an index out of range. Terms may
 * have been added. */
static bool add_expr(struct making *m, const struct ir_expr *e) {
  static const uint8_t kind[] = {
      [IR_NOT] = TS_TERM_NOT, [IR_NEG] = TS_TERM_NEG, [IR_MUL] = TS_TERM_MUL,
      [IR_ADD] = TS_TERM_ADD, [IR_SUB] = TS_TERM_SUB, [IR_LT] = TS_TERM_LT,
      [IR_LE] = TS_TERM_LE,   [IR_GT] = TS_TERM_GT,   [IR_GE] = TS_TERM_GE,
      [IR_EQ] = TS_TERM_EQ,   [IR_NE] = TS_TERM_NE,   [IR_AND] = TS_TERM_AND,
      [IR_OR] = TS_TERM_OR};
  struct ir_value value = known(m->g, e);
  if (value.known)
    return add(m, TS_TERM_CONST, value.at, 0);
  if (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT)
    return add_reference(m, e);
  if (e->kind == IR_COUNT || e->kind == IR_LENGTH || e->kind == IR_ROOM)
    return add_channel(m, e);
  if (e->kind >= sizeof kind || kind[e->kind] == TS_TERM_CONST)
    return false;
  return add_expr(m, e->a) && (kind[e->kind] < TS_TERM_ADD || add_expr(m, e->b)) &&
         add(m, (enum ts_term_kind)kind[e->kind], 0, 0);
}

/* ---- guards ------------------------------------------------------------------------------ */

/* What the marks hold becomes what may make the guard true. */
static void add_touches(struct guards *g) {
  static const unsigned enables[] = TS_TOUCH_ENABLES;
  struct marks *marks = g->marks;
  marks_take(marks);
  for (uint32_t i = 0; i < marks->list.n; i++) {
    unsigned ways = ts_touch_against(marks->list.at[i].ways, enables);
    *ARENA_PUSH(g->model->arena, &g->touches) =
        (struct ts_touch){.item = marks->list.at[i].item, .ways = (uint16_t)ways};
  }
}

static void add_guard(struct guards *g, uint32_t first_term, uint32_t first_touch) {
  *ARENA_PUSH(g->model->arena, &g->guard) = (struct ts_guard){
      first_term, g->terms.n - first_term, first_touch, g->touches.n - first_touch};
}

/* One part of a guard; false: what comes after it is not known. */
static bool add_part(struct guards *g, const struct ir_expr *e) {
  struct making m = {g, 0, false};
  struct plain plain = {g->model, &g->marks->reads, &g->marks->writes, g->marks};
  uint32_t first = g->terms.n, touches = g->touches.n;
  if (!add_expr(&m, e)) {
    g->terms.n = first;
    return false;
  }
  marks_begin(g->marks);
  if (g->touch != NULL)
    touch_part(g->touch, e);
  else
    plain_expr(&plain, e);
  add_touches(g);
  add_guard(g, first, touches);
  return !m.may_fail;
}

static bool add_parts(struct guards *g, const struct ir_expr *e) {
  if (e == NULL)
    return true;
  if (e->kind == IR_AND)
    return add_parts(g, e->a) && add_parts(g, e->b);
  return add_part(g, e);
}

/* That a channel has room, or a message. */
static void add_operation(struct guards *g, const struct ir_channel *c, bool is_send) {
  struct making m = {g, 0, false};
  uint32_t first = g->terms.n, touches = g->touches.n;
  add(&m, TS_TERM_SLOT, (int32_t)c->count_slot, 0);
  add(&m, TS_TERM_CONST, is_send ? (int32_t)c->capacity : 0, 0);
  add(&m, is_send ? TS_TERM_LT : TS_TERM_GT, 0, 0);
  marks_begin(g->marks);
  marks_add(g->marks, marks_channel(g->marks, c), is_send ? TS_ROOM : TS_ANY);
  add_touches(g);
  add_guard(g, first, touches);
}

/* Whether somebody else's guard is looked at first, which may be a model error. */
static bool is_asked_second(const struct guards *g, const struct ir_edge *e) {
  if (g->touch == NULL)
    return e->sync == IR_RECEIVE && e->channel->capacity == 0;
  return g->touch->seat->process->provided != NULL ||
         (e->operation != NULL && !e->operation->is_send &&
          touch_is_rendezvous(g->touch, e->operation));
}

void guards_add(struct guards *g, const struct ir_edge *e) {
  const struct ir_channel *c = NULL;
  bool is_send = e->sync == IR_SEND;
  uint32_t before = g->guard.n;
  bool all = !is_asked_second(g, e) && add_parts(g, e->guard);
  g->marks->known = g->guard.n - before;
  if (!all)
    return;
  if (e->sync != IR_NO_SYNC) {
    c = e->channel->capacity > 0 ? e->channel : NULL;
  } else if (e->operation != NULL) {
    is_send = e->operation->is_send;
    c = is_send && g->model->lossy ? NULL : channel_of(g, e->operation->channel);
  }
  if (c != NULL)
    add_operation(g, c, is_send);
}

bool guards_wait(const struct ir_edge *e) {
  const struct ir_expr *first = e->guard;
  while (first != NULL && first->kind == IR_AND)
    first = first->a;
  return first != NULL && first->kind == IR_TIMEOUT;
}

bool guards_are_tried_last(const struct ir_edge *const *edge, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (edge[i]->escape || (edge[i]->guard && edge[i]->guard->kind == IR_ELSE))
      return true;
  return false;
}
