/* seats.c - slots of processes in sets: of one seat, of all seats of a template, of all.
 *
 * Read touch.h first. What is no slot of a variable is marked instead, where marks are kept.
 */
#include "ir/touch.h"

/* What is no slot, where marks are kept. */
static void mark(struct touch *t, const struct set *set, uint32_t item) {
  marks_add(t->marks, item, set == t->writes ? TS_WRITE : TS_READ);
}

void touch_everything(struct touch *t, struct set *set) {
  if (t->marks != NULL)
    mark(t, set, marks_all(t->marks));
  else
    set_add_slots(set, 0, t->groups->n_slots);
}

/* The same in every place where the template may be. */
uint32_t touch_frame_slots(const struct ir_model *m, const struct ir_process *p) {
  uint32_t n = 1 + m->uses_priority;
  for (uint32_t i = 0; i < p->n_variables; i++)
    n += p->variable[i]->is_const ? 0 : p->variable[i]->length;
  for (uint32_t i = 0; i < m->n_channels; i++) {
    const struct ir_channel *c = m->channel[i];
    if (c->owner == p && c->capacity)
      n += 1 + c->capacity * c->n_fields;
  }
  return n;
}

void touch_in_seat(struct touch *t, struct set *set, const struct ir_seat *seat, uint32_t first,
                   uint32_t n) {
  (void)t;
  set_add_slots(set, seat->first_slot + (first - seat->process->frame_slot), n);
}

void touch_frame(struct touch *t, struct set *set, const struct ir_seat *seat) {
  if (t->marks == NULL) /* whoever reads a variable of another process reads who lives */
    set_add_slots(set, seat->first_slot, touch_frame_slots(t->model, seat->process));
}

void touch_in_all_seats(struct touch *t, struct set *set, const struct ir_process *p,
                        uint32_t first, uint32_t n) {
  uint32_t item;
  if (!set_find(t->groups, p, first, n, &item)) {
    item = set_group(t->groups);
    for (uint32_t i = 0; i < t->model->n_slots; i++)
      for (uint32_t k = 0; k < t->model->slot[i].n_seats; k++) {
        const struct ir_seat *seat = &t->model->slot[i].seat[k];
        if (seat->process == p)
          set_extend(t->groups, seat->first_slot + (first - p->frame_slot), n);
      }
    set_keep(t->groups, p, first, n, item);
  }
  set_add(set, item);
}

void touch_living(struct touch *t, struct set *set) {
  const struct ir_model *m = t->model;
  uint32_t item;
  if (t->marks != NULL) {
    mark(t, set, marks_living(t->marks));
    return;
  }
  if (!set_find(t->groups, &m->n_slots, 0, 0, &item)) {
    item = set_group(t->groups);
    if (m->live_varies)
      set_extend(t->groups, m->live_slot, 1);
    for (uint32_t i = 0; i < m->n_slots; i++)
      if (m->slot[i].tag_slot != TS_NONE)
        set_extend(t->groups, m->slot[i].tag_slot, 1);
    set_keep(t->groups, &m->n_slots, 0, 0, item);
  }
  set_add(set, item);
}
