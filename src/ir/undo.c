/* undo.c - going backward: which events lead to a state.
 *
 * An action is undone step by step (small_steps.h), the last one first, on one row. What a
 * store has overwritten is not known then: its slot becomes a *hole*, and what was stored says
 * something about the step that worked it out. That value is compared, if it does not depend on
 * a hole; or solved for the hole, where only additions, subtractions and the like lie between;
 * else the hole takes each value that its slot may ever have (bounds.h), one after the other.
 * So each way of undoing a step is one of several that have no state in common, and no state
 * comes twice.
 *
 * Before the first step the guards fill holes in the same way, and those that are still left
 * take each value that their slot may have with these locations. Where an action may be a model
 * error, or others may have to go first, each row is then fired forward by the code of the
 * model, and is a predecessor only if that leads to the state.
 *
 * States that can never be reached are left out where the bounds show it. Where a hole may have
 * too many values the answer is that it cannot be told.
 */
#include "ir/undo.h"

#include "ir/undo_walk.h"

#include "base/bits.h"

#include <string.h>

/* ---- undoing -------------------------------------------------------------------------------
 */

/* Undoes the steps before number k, the last one first. */
static void undo_before(struct walk *w, uint32_t k);

static bool is_of(const struct ir_expr *e, const void *variable) {
  return (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT) && e->variable == variable;
}

static bool mentions(const struct ir_expr *e, const struct ir_variable *v) {
  return ir_any_part(e, is_of, v);
}

/* The element was stored to, if that is what the index was before. */
static void check_index(struct walk *w, uint32_t k, uint32_t element) {
  const struct ir_expr *index = w->steps->at[k].expr->a;
  const struct ir_value value = holes_known(&w->row, index);
  if (!value.known)
    undo_with_each(w, index, check_index, k, element);
  else if (value.at == (int32_t)element)
    undo_before(w, k);
}

static void undo_store_to(struct walk *w, uint32_t k, uint32_t slot) {
  const struct small_step *step = &w->steps->at[k];
  struct temporary *t = &w->temporary[step->temporary];
  const uint32_t mark = w->row.n_changes;
  t->known = !holes_is(&w->row, slot);
  t->value = t->known ? holes_value(&w->row, slot) : 0;
  t->type = step->expr->variable->type;
  holes_make(&w->row, slot);
  if (step->expr->kind == IR_VARIABLE)
    undo_before(w, k);
  else
    check_index(w, k, slot - step->expr->variable->first_slot);
  holes_take_back(&w->row, mark);
}

static void undo_store(struct walk *w, uint32_t k, uint32_t unused) {
  const struct ir_expr *target = w->steps->at[k].expr;
  const struct ir_variable *v = target->variable;
  (void)unused;
  if (target->kind == IR_VARIABLE) {
    undo_store_to(w, k, v->first_slot);
  } else if (mentions(target->a, v)) { /* the index may be another one by now */
    for (uint32_t i = 0; i < v->length && !undo_is_over(w); i++)
      undo_store_to(w, k, v->first_slot + i);
  } else {
    const struct ir_value index = holes_known(&w->row, target->a);
    if (!index.known)
      undo_with_each(w, target->a, undo_store, k, 0);
    else if (index.at >= 0 && (uint32_t)index.at < v->length)
      undo_store_to(w, k, v->first_slot + (uint32_t)index.at);
  }
}

static void undo_work_out(struct walk *w, uint32_t k, uint32_t unused) {
  const struct small_step *step = &w->steps->at[k];
  const struct temporary *t = &w->temporary[step->temporary];
  const struct ir_value value = t->known ? holes_known(&w->row, step->expr) : ir_unknown;
  uint32_t bits = ir_type_bits(step->type), slot;
  int32_t only;
  (void)unused;
  if (!t->known || (!value.known && step->is_unseen)) {
    undo_before(w, k);
  } else if (value.known) {
    if (values_cut_one(values_cut_one(value.at, step->type), t->type) == t->value)
      undo_before(w, k);
  } else {
    bits = ir_type_bits(t->type) < bits ? ir_type_bits(t->type) : bits;
    if (!holes_solve(&w->row, step->expr, (uint32_t)t->value, bits, &slot, &only)) {
      undo_with_each(w, step->expr, undo_work_out, k, 0);
    } else if (values_have(bounds_ever(w->u->bounds, slot), only)) {
      const uint32_t mark = w->row.n_changes;
      holes_set(&w->row, slot, only);
      undo_work_out(w, k, 0);
      holes_take_back(&w->row, mark);
    }
  }
}

static void undo_move(struct walk *w, uint32_t k) {
  const struct small_step *step = &w->steps->at[k];
  const uint32_t slot = step->process->location_slot, mark = w->row.n_changes;
  if (holes_value(&w->row, slot) != (int32_t)step->edge->to)
    return;
  if (step->edge->from != step->edge->to)
    holes_set(&w->row, slot, (int32_t)step->edge->from);
  undo_before(w, k);
  holes_take_back(&w->row, mark);
}

static void undo_put(struct walk *w, uint32_t k) {
  const struct small_step *step = &w->steps->at[k];
  const struct ir_channel *c = step->channel;
  const uint32_t count = (uint32_t)holes_value(&w->row, c->count_slot), mark = w->row.n_changes;
  if (count == 0)
    return;
  holes_set(&w->row, c->count_slot, (int32_t)count - 1);
  for (uint32_t i = 0; i < step->n; i++) {
    const uint32_t slot = ir_channel_cell(c, count - 1, i).slot;
    w->temporary[step->temporary + i] =
        (struct temporary){holes_value(&w->row, slot), true, NULL};
    holes_set(&w->row, slot, 0);
  }
  undo_before(w, k);
  holes_take_back(&w->row, mark);
}

/* The first message had each value of field i, and those after it, that was stored as it was.
 */
static void undo_taken(struct walk *w, uint32_t k, uint32_t i) {
  static const struct temporary lost = {0, false, NULL};
  const struct small_step *step = &w->steps->at[k];
  const struct ir_channel *c = step->channel;
  if (i == c->n_fields) {
    undo_before(w, k);
    return;
  }
  const struct temporary *t = i < step->n ? &w->temporary[step->temporary + i] : &lost;
  const uint32_t slot = ir_channel_cell(c, 0, i).slot, mark = w->row.n_changes;
  const struct values *values = bounds_ever(w->u->bounds, slot);
  if (t->known && ir_type_bits(c->field[i]) <= ir_type_bits(t->type)) {
    const int32_t only = values_cut_one(t->value, c->field[i]);
    if (values_cut_one(only, t->type) != t->value || !values_have(values, only))
      return;
    holes_set(&w->row, slot, only);
    undo_taken(w, k, i + 1);
    holes_take_back(&w->row, mark);
    return;
  }
  if (!undo_may_try(w, values))
    return;
  for (int64_t v = INT64_MIN; !undo_is_over(w) && values_next(values, &v);) {
    if (t->known && values_cut_one((int32_t)v, t->type) != t->value)
      continue;
    holes_set(&w->row, slot, (int32_t)v);
    undo_taken(w, k, i + 1);
    holes_take_back(&w->row, mark);
  }
}

static void undo_take(struct walk *w, uint32_t k) {
  const struct ir_channel *c = w->steps->at[k].channel;
  const uint32_t count = (uint32_t)holes_value(&w->row, c->count_slot), mark = w->row.n_changes;
  if (count == c->capacity)
    return;
  holes_set(&w->row, c->count_slot, (int32_t)count + 1);
  for (uint32_t i = 0; i < c->n_fields; i++)
    for (uint32_t m = count; m > 0; m--)
      holes_set(&w->row, ir_channel_cell(c, m, i).slot,
                holes_value(&w->row, ir_channel_cell(c, m - 1, i).slot));
  undo_taken(w, k, 0);
  holes_take_back(&w->row, mark);
}

static void undo_before(struct walk *w, uint32_t k) {
  if (undo_is_over(w))
    return;
  if (k-- == 0) {
    if (w->then == NULL)
      undo_begin(w);
    else
      w->then(w);
    return;
  }
  switch (w->steps->at[k].kind) {
  case SMALL_WORK_OUT:
    undo_work_out(w, k, 0);
    return;
  case SMALL_STORE:
    undo_store(w, k, 0);
    return;
  case SMALL_MOVE:
    undo_move(w, k);
    return;
  case SMALL_PUT:
    undo_put(w, k);
    return;
  case SMALL_OPERATE:
    undo_operate(w, k, 0);
    return;
  case SMALL_RUN:
    undo_run(w, k);
    return;
  case SMALL_END:
    undo_end(w, k);
    return;
  default:
    undo_take(w, k);
    return;
  }
}

static void undo_action(struct walk *w, uint32_t action) {
  const struct ir_action *a = &w->u->actions->at[action];
  w->tries = 0; /* each action has its own limits: a list is the same in parts */
  w->filled = w->tried = 0;
  if (w->u->seats != NULL) {
    undo_last(w, action);
    return;
  }
  for (uint32_t i = 1; i < a->n_moves; i++)
    if (holes_value(&w->row, a->move[i].process->location_slot) != (int32_t)a->move[i].edge->to)
      return;
  w->action = action;
  w->steps = &w->u->steps[action];
  if (w->steps->more || w->steps->n_temporaries > UNDO_MOST_TEMPORARIES)
    w->cannot = true;
  else
    undo_before(w, w->steps->n);
}

/* ---- all actions ---------------------------------------------------------------------------
 */

/* Room for a walk, on the stack. */
struct room {
  uint64_t row[TS_MAX_BYTES / 8], fired[TS_MAX_BYTES / 8], hole[TS_MAX_BYTES / 64];
  struct holes_change change[HOLES_CHANGES];
  struct temporary temporary[UNDO_ROOM_TEMPORARIES];
  uint8_t now[TS_MAX_BYTES];
  struct undo_seen seen;
  uint64_t others[IR_MAX_ACTIONS / 64];
};

static void begin_seats(struct walk *w, struct room *room) {
  const struct undo_seats *s = w->u->seats;
  for (uint32_t i = 0; i < s->n_hidden; i++)
    holes_make(&w->row, s->hidden[i]);
  if (!s->any_long)
    return;
  w->seen = &room->seen;
  w->others = room->others;
  w->seen->n = 0;
  memset(w->seen->place, 0, sizeof w->seen->place);
  memset(w->others, 0xFF, BITS_WORDS(w->u->actions->n) * sizeof *w->others);
}

static struct walk walk_from(const struct undo *u, const struct ts *ts, const uint8_t *state,
                             uint32_t length, struct ts_batch *out, struct room *room) {
  struct walk w = {.u = u,
                   .ts = ts,
                   .after = state,
                   .length = length,
                   .row = {u->shape, (uint8_t *)room->row, room->hole, room->change, 0, false},
                   .fired = (uint8_t *)room->fired,
                   .now = room->now,
                   .temporary = room->temporary,
                   .all_temporaries = room->temporary,
                   .out = out,
                   .undo_before = undo_before,
                   .before = length};
  ts_copy(u->shape, w.row.at, state, length);
  memset(room->hole, 0, BITS_WORDS(u->shape->n_slots) * sizeof *room->hole);
  if (u->seats != NULL)
    begin_seats(&w, room);
  if (u->pairs != NULL)
    pairs_read(u->pairs, &w.row, w.now);
  return w;
}

/* Where the actions that lead to what the process is now are in `start`. */
static uint32_t where_is(const struct walk *w, uint32_t process) {
  return w->u->seats != NULL
             ? undo_where(w, process)
             : (uint32_t)holes_value(&w->row, w->u->model->process[process]->location_slot);
}

/* 0: all; 1: the batch is full; 3: it cannot be told. *n: how many rows there were. */
static int32_t undo_all(const struct undo *u, const struct ts *ts, const uint8_t *state,
                        uint32_t length, struct ts_event *cursor, struct ts_batch *out,
                        uint32_t *n) {
  struct room room;
  struct walk w = walk_from(u, ts, state, length, out, &room);
  /* What was seen for one action is of use for others: a list is then gone through from its
   * beginning again. */
  const bool in_one = u->seats != NULL && u->seats->any_long;
  w.skip = cursor->choice;
  for (uint32_t p = 0; p < u->model->n_processes; p++) {
    if (u->model->process[p]->is_property)
      continue;
    const uint32_t at = where_is(&w, p);
    if (at == TS_NONE)
      continue;
    const uint32_t *start = &u->start[u->first[p] + at];
    for (uint32_t i = start[0]; i < start[1]; i++) {
      if (i < cursor->action)
        continue;
      if (!in_one) {
        w.n = 0;
        w.skip = i == cursor->action ? cursor->choice : 0;
      }
      const uint32_t before = w.n;
      undo_action(&w, u->order[i]);
      *n += w.n - before;
      if (w.cannot || w.row.spent)
        return 3;
      if (w.full) {
        *cursor = (struct ts_event){in_one ? 0 : i, w.n};
        return 1;
      }
    }
  }
  return 0;
}

int32_t undo_predecessors(const struct undo *u, const struct ts *ts, const uint8_t *state,
                          uint32_t length, struct ts_event *cursor, struct ts_batch *out) {
  uint32_t n = 0;
  return undo_all(u, ts, state, length, cursor, out, &n);
}

int32_t undo_all_predecessors(const struct undo *u, const struct ts *ts, const uint8_t *state,
                              uint32_t length, struct ts_event *cursor, struct ts_batch *out) {
  return undo_predecessors(u->all, ts, state, length, cursor, out);
}

uint32_t undo_n_rest(const struct undo *u, const struct ts *ts, const uint8_t *state,
                     uint32_t length) {
  struct room room;
  struct walk w;
  uint32_t n = 0;
  bool begun = false;
  struct ts_event cursor = {0, 0};
  if (u->seats != NULL)
    return undo_all(u, ts, state, length, &cursor, NULL, &n) == 0 ? n : TS_NONE;
  for (uint32_t p = 0; u->has_rest && p < u->model->n_processes; p++) {
    const struct ir_process *process = u->model->process[p];
    const uint32_t *first = &u->rest_start[u->first[p]];
    if (process->is_property || first[0] == u->rest_start[u->first[p + 1]])
      continue;
    const uint32_t at = (uint32_t)ts_value(&u->shape->slot[process->location_slot], state);
    const uint32_t *start = &u->rest_start[u->first[p] + at];
    for (uint32_t i = start[0]; i < start[1]; i++) {
      if (!begun)
        w = walk_from(u, ts, state, length, NULL, &room);
      begun = true;
      undo_action(&w, u->rest[i]);
      if (w.cannot || w.row.spent)
        return TS_NONE;
      n = w.n;
    }
  }
  return n;
}

/* The same of an event of a model with instances, whose last step is not known. */
static uint32_t undo_one(struct walk *w, const struct ts_event *event) {
  const struct undo *u = w->u;
  w->only = event;
  for (uint32_t p = 0; p < u->model->n_processes; p++) {
    const uint32_t at = undo_where(w, p);
    for (uint32_t i = at == TS_NONE ? 0 : u->start[u->first[p] + at];
         at != TS_NONE && i < u->start[u->first[p] + at + 1]; i++) {
      if (!u->seats->is_long[event->action] && u->order[i] != event->action)
        continue;
      undo_action(w, u->order[i]);
      if (w->cannot || w->row.spent || w->full)
        return TS_NONE;
    }
  }
  return w->n == 0 ? 0 : w->out->edge[0].length;
}

uint32_t undo_event(const struct undo *u, const struct ts *ts, const uint8_t *state,
                    uint32_t length, struct ts_event event, uint8_t *row) {
  struct room room;
  struct ts_edge edge;
  struct ts_batch one = {.rows = row, .edge = &edge, .capacity = 1};
  one.stride = ts_stride(u->shape);
  struct walk w = walk_from(u, ts, state, length, &one, &room);
  if (u->seats != NULL)
    return undo_one(&w, &event);
  const struct ir_move *move = u->actions->at[event.action].move;
  if (holes_value(&w.row, move->process->location_slot) != (int32_t)move->edge->to)
    return 0;
  undo_action(&w, event.action);
  return w.cannot || w.row.spent || w.full ? TS_NONE : w.n == 0 ? 0 : length;
}
