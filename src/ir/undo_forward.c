/* undo_forward.c - what those who go backward stand on: rows that were found, values of holes,
 * and firing a row forward again, where processes come and go.
 */
#include "ir/undo_walk.h"

#include <string.h>

void undo_found(struct walk *w) {
  if (w->only != NULL &&
      (w->only->action != w->event.action || w->only->choice != w->event.choice))
    return;
  if (w->skip > 0) {
    w->skip--;
    w->n++;
    return;
  }
  struct ts_batch *out = w->out;
  if (out != NULL && out->n == out->capacity) {
    w->full = true;
    return;
  }
  w->n++;
  if (out == NULL)
    return;
  memcpy(out->rows + out->n * out->stride, w->row.at, ts_stride(w->u->shape));
  out->edge[out->n++] =
      (struct ts_edge){.event = w->event, .length = w->before, .changed = UINT64_MAX};
}

void undo_with_each(struct walk *w, const struct ir_expr *e, undo_again *go_on, uint32_t k,
                    uint32_t argument) {
  const uint32_t slot = holes_in(&w->row, e), mark = w->row.n_changes;
  if (slot == TS_NONE) /* a model error */
    return;
  const struct values *values = bounds_ever(w->u->bounds, slot);
  if (values_count(values) > UNDO_MOST_VALUES) {
    w->cannot = true;
    return;
  }
  for (int64_t v = INT64_MIN; !undo_is_over(w) && values_next(values, &v);) {
    holes_set(&w->row, slot, (int32_t)v);
    go_on(w, k, argument);
    holes_take_back(&w->row, mark);
  }
}

/* ---- who lives ------------------------------------------------------------------------- */

uint32_t undo_live(const struct walk *w) {
  const struct ir_model *m = w->u->model;
  return m->live_varies ? (uint32_t)holes_value(&w->row, m->live_slot) : m->n_active;
}

/* Whether it is this template that sits there, or nobody else can. */
static bool has_tag(const struct walk *w, uint32_t process) {
  const struct apart_seat *s = &w->u->seats->apart->seat[process];
  const struct ir_slot *slot = &w->u->model->slot[s->number];
  return slot->tag_slot == TS_NONE ||
         holes_value(&w->row, slot->tag_slot) == (int32_t)s->seat->process->index + 1;
}

bool undo_lives(const struct walk *w, uint32_t process) {
  return w->u->seats->apart->seat[process].number < undo_live(w) && has_tag(w, process);
}

/* ---- forward again --------------------------------------------------------------------- */

static uint32_t length_of(const struct walk *w) {
  const struct ir_model *m = w->u->model;
  if (!m->live_varies)
    return w->length;
  const uint32_t live = undo_live(w);
  return live == 0 ? m->slot[0].offset : m->slot[live - 1].offset + m->slot[live - 1].bytes;
}

/* Whether the event went by the steps that were undone. */
static bool is_path(struct walk *w, const struct ts_trace *trace) {
  uint32_t i = 0;
  if (trace->n > trace->capacity) {
    w->cannot = true;
    return false;
  }
  for (uint32_t at = trace->last; at != TS_NONE; at = trace->at[at + 2], i++)
    if (i == w->n_path || trace->at[at + 3] != w->path[i])
      return false;
  return i == w->n_path;
}

static bool leads_here(const struct walk *w, const struct ts_edge *edge) {
  return edge->kind != TS_MODEL_ERROR && edge->length == w->length &&
         memcmp(w->fired, w->after, w->length) == 0;
}

/* Each event of the action. */
static void fire_long(struct walk *w) {
  uint32_t words[UNDO_MOST_WORDS];
  struct ts_edge edge;
  struct ts_event cursor = {w->action, 0};
  for (int32_t more = 1; more == 1 && !undo_is_over(w);) {
    struct ts_trace trace = {words, 0, UNDO_MOST_WORDS, TS_NONE};
    struct ts_batch one = {.edge = &edge,
                           .rows = w->fired,
                           .stride = ts_stride(w->u->shape),
                           .capacity = 1,
                           .trace = &trace};
    memset(w->fired, 0, one.stride);
    more = ts_code(w->ts)->successors(w->ts, w->row.at, w->before, &cursor, NULL, &one);
    if (one.n == 0 || edge.event.action != w->action)
      return;
    if (!leads_here(w, &edge) || !is_path(w, &trace))
      continue;
    w->event = edge.event;
    undo_found(w);
  }
}

void undo_fire_seats(struct walk *w) {
  struct ts_edge edge = {0};
  w->before = length_of(w);
  if (w->u->seats->is_long[w->action]) {
    fire_long(w);
    return;
  }
  memset(w->fired, 0, ts_stride(w->u->shape));
  if (ts_fire(w->ts, w->row.at, w->before, w->event, &edge, w->fired) && leads_here(w, &edge))
    undo_found(w);
}
