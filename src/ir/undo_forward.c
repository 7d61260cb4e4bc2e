/* undo_forward.c - what those who go backward stand on: rows that were found, values of holes,
 * and firing a row forward again, where processes come and go.
 */
#include "ir/undo_walk.h"

#include "base/bits.h"

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
  if (!undo_may_try(w, values))
    return;
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

static bool leads_here(const struct walk *w, const struct ts_edge *edge, const uint8_t *row) {
  return edge->kind != TS_MODEL_ERROR && edge->length == w->length &&
         memcmp(row, w->after, w->length) == 0;
}

/* Each event of the action. */
static void fire_long(struct walk *w) {
  struct ts_edge edge[UNDO_MOST_FIRED];
  struct ts_batch batch = {.edge = edge, .rows = w->fired, .stride = ts_stride(w->u->shape)};
  struct ts_event cursor = {w->action, 0};
  const uint64_t most = TS_MAX_BYTES / batch.stride;
  batch.capacity = most < UNDO_MOST_FIRED ? (uint32_t)most : UNDO_MOST_FIRED;
  bits_clear(w->others, w->action);
  for (int32_t more = 1; more == 1 && !undo_is_over(w);) {
    batch.n = 0;
    memset(w->fired, 0, batch.capacity * batch.stride);
    more = ts_code(w->ts)->successors(w->ts, w->row.at, w->before, &cursor, w->others, &batch);
    for (uint32_t i = 0; i < batch.n && !undo_is_over(w); i++) {
      w->event = edge[i].event;
      if (leads_here(w, &edge[i], w->fired + i * batch.stride))
        undo_found(w);
    }
  }
  bits_set(w->others, w->action);
}

/* ---- what was seen --------------------------------------------------------------------- */

static uint64_t hash_of(const uint64_t *record, uint32_t n) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < n; i++)
    hash = (hash ^ record[i]) * UINT64_C(0x9E3779B97F4A7C15), hash ^= hash >> 29;
  return hash;
}

bool undo_is_new(struct walk *w, uint32_t what_for) {
  struct undo_seen *seen = w->seen;
  const uint32_t bytes = ts_stride(w->u->shape), words = BITS_WORDS(w->u->shape->n_slots);
  const uint32_t size = 1 + bytes / 8 + words;
  if ((seen->n + 1) * size > UNDO_SEEN_WORDS || 2 * seen->n >= UNDO_SEEN_PLACES) {
    w->cannot = true;
    return false;
  }
  uint64_t *record = &seen->record[seen->n * size];
  record[0] = what_for;
  memcpy(record + 1, w->row.at, bytes);
  memcpy(record + 1 + bytes / 8, w->row.hole, words * sizeof *record);
  uint64_t at = hash_of(record, size);
  for (;; at++) {
    uint32_t *place = &seen->place[at % UNDO_SEEN_PLACES];
    if (*place == 0) {
      *place = ++seen->n;
      return true;
    }
    if (memcmp(&seen->record[(*place - 1) * size], record, size * sizeof *record) == 0)
      return false;
  }
}

void undo_fire_seats(struct walk *w) {
  struct ts_edge edge = {0};
  w->before = length_of(w);
  if (w->u->seats->is_long[w->action]) {
    if (undo_is_new(w, w->action))
      fire_long(w);
    return;
  }
  memset(w->fired, 0, ts_stride(w->u->shape));
  if (ts_fire(w->ts, w->row.at, w->before, w->event, &edge, w->fired) &&
      leads_here(w, &edge, w->fired))
    undo_found(w);
}
