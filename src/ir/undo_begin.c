/* undo_begin.c - before the first step of an action that is undone: guards, what is left of the
 * holes, and the test that it leads to where it came from. */
#include "ir/undo_walk.h"

#include "base/bits.h"

#include <string.h>

bool undo_holds(struct walk *w, const struct ir_expr *e) {
  if (e == NULL)
    return true;
  if (e->kind == IR_AND)
    return undo_holds(w, e->a) && undo_holds(w, e->b);
  struct ir_value value = holes_known(&w->row, e);
  if (value.known || e->kind != IR_EQ)
    return !value.known || value.at != 0;
  const struct ir_value a = holes_known(&w->row, e->a), b = holes_known(&w->row, e->b);
  uint32_t slot;
  int32_t only;
  if (a.known == b.known || !holes_solve(&w->row, a.known ? e->b : e->a,
                                         (uint32_t)(a.known ? a.at : b.at), 32, &slot, &only))
    return true;
  holes_set(&w->row, slot, only);
  value = holes_known(&w->row, e);
  return !value.known || value.at != 0;
}

static bool guards_hold(struct walk *w) {
  const struct ir_action *a = &w->u->actions->at[w->action];
  for (uint32_t i = 0; i < a->n_moves; i++)
    if (!undo_holds(w, a->move[i].edge->guard))
      return false;
  return true;
}

static void fire(struct walk *w) {
  struct ts_edge edge = {0};
  if (++w->tries > w->u->patience * w->u->patience * UNDO_MOST_TRIES) {
    w->cannot = true;
    return;
  }
  w->event = (struct ts_event){w->action, 0};
  if (w->u->seats != NULL) {
    undo_fire_seats(w);
    return;
  }
  if (w->u->is_plain && !w->steps->may_fail) {
    if (guards_hold(w)) /* all of their parts: a hole may have been filled for a later one */
      undo_found(w);
    return;
  }
  memset(w->fired, 0, ts_stride(w->u->shape));
  if (ts_fire(w->ts, w->row.at, w->length, (struct ts_event){w->action, 0}, &edge, w->fired) &&
      edge.kind != TS_MODEL_ERROR && memcmp(w->fired, w->after, w->length) == 0)
    undo_found(w);
}

static bool may_have(const struct walk *w, uint32_t slot) {
  return holes_is(&w->row, slot) ||
         values_have(bounds_at(w->u->bounds, slot, w->row.at), holes_value(&w->row, slot));
}

/* Whether the bounds allow what is known of the row. */
static bool may_be_where_it_is(const struct walk *w, const struct ir_process *p) {
  uint32_t n;
  const uint32_t *slot = bounds_own(w->u->bounds, p, &n);
  for (uint32_t k = 0; k < n; k++)
    if (!may_have(w, slot[k]))
      return false;
  return true;
}

static bool may_be_reached(const struct walk *w) {
  const struct ir_action *a = &w->u->actions->at[w->action];
  for (uint32_t i = 0; i < a->n_moves; i++)
    if (!may_be_where_it_is(w, a->move[i].process))
      return false;
  for (uint32_t i = 0; i + 1 < w->n_path; i++) {
    const struct ir_process *p = w->u->actions->at[w->path[i]].move->process;
    if (p != a->move->process && !may_be_where_it_is(w, p))
      return false;
  }
  return true;
}

static bool stored_may_be(const struct walk *w) {
  for (uint32_t i = 0; i < w->steps->n; i++) {
    const struct small_step *s = &w->steps->at[i];
    if (s->kind != SMALL_STORE)
      continue;
    const uint32_t slot = holes_slot(&w->row, s->expr);
    if (slot != TS_NONE && !may_have(w, slot))
      return false;
  }
  return true;
}

static bool goes_together(const struct walk *w) {
  return w->u->pairs == NULL || pairs_allow(w->u->pairs, &w->row, w->now);
}

/* The rest of the holes. */
static void fill(struct walk *w) {
  uint32_t slot = TS_NONE;
  for (uint32_t i = 0; i < w->row.n_changes && slot == TS_NONE; i++)
    if (holes_is(&w->row, w->row.change[i].slot))
      slot = w->row.change[i].slot;
  if (slot == TS_NONE) {
    fire(w);
    return;
  }
  const struct values *values = bounds_at(w->u->bounds, slot, w->row.at);
  const uint32_t mark = w->row.n_changes;
  const struct pairs *pairs = w->u->pairs;
  const bool is_paired = pairs != NULL && pairs->number[slot] != TS_NONE;
  const uint64_t left = is_paired ? pairs_left(pairs, &w->row, w->now, slot) : 0;
  w->filled += is_paired ? bits_count(left) : values_count(values);
  if (w->filled > (uint64_t)w->u->patience * w->u->patience * UNDO_MOST_FILLED) {
    w->cannot = true;
    return;
  }
  for (int64_t v = INT64_MIN; !undo_is_over(w) && values_next(values, &v);) {
    if (is_paired && !pairs_have(pairs, left, slot, (int32_t)v))
      continue;
    holes_set(&w->row, slot, (int32_t)v);
    if (guards_hold(w) && (w->row.n_changes == mark + 1 || goes_together(w)))
      fill(w);
    holes_take_back(&w->row, mark);
  }
}

/* In a state that is stored they are zero. */
static bool hide(struct walk *w) {
  const struct undo_seats *s = w->u->seats;
  for (uint32_t i = 0; s != NULL && i < s->n_hidden; i++) {
    if (holes_is(&w->row, s->hidden[i]))
      holes_set(&w->row, s->hidden[i], 0);
    if (holes_value(&w->row, s->hidden[i]) != 0)
      return false;
  }
  return true;
}

void undo_begin(struct walk *w) {
  const uint32_t mark = w->row.n_changes;
  if (hide(w) && may_be_reached(w) && guards_hold(w) && may_be_reached(w) && stored_may_be(w) &&
      goes_together(w))
    fill(w);
  holes_take_back(&w->row, mark);
}
