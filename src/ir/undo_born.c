/* undo_born.c - undoing that a process begins, or ends.
 *
 * Who has begun is the youngest, and where it begins, with its arguments and initial values;
 * before that its place was empty. Who has ended was the youngest, at its end, with values that
 * nobody knows any more: they are holes.
 */
#include "ir/undo_walk.h"

/* A process that begins, while what it does to itself is undone. */
struct undo_born {
  const struct undo_born *outer;
  void (*then)(struct walk *);
  const struct small_steps *steps; /* of the one who runs it */
  struct temporary *temporary;
  uint32_t k, seat;
};

/* Whether a slot may have had the value. */
static bool may_be(const struct walk *w, uint32_t slot, int32_t value) {
  return holes_is(&w->row, slot) || holes_value(&w->row, slot) == value;
}

/* ---- what a new process has ------------------------------------------------------------- */

/* Which of the channels of its own is kept in that element of a variable; TS_NONE: none. */
static uint32_t handle_of(const struct walk *w, uint32_t seat, const struct ir_variable *v,
                          uint32_t element) {
  const struct apart *a = w->u->seats->apart;
  for (uint32_t i = 0; i < a->plain->process[seat]->n_own_channels; i++) {
    const struct ir_channel *c = a->seat[seat].channel[i];
    if (c->handle == v && c->handle_element == element)
      return i;
  }
  return TS_NONE;
}

/* The number of its first channel. */
static uint32_t first_channel(const struct walk *w, uint32_t seat) {
  const struct apart *a = w->u->seats->apart;
  uint32_t n = a->n_global_channels + 1;
  for (uint32_t i = 0; i < a->plain->n_processes; i++)
    if (a->seat[i].number < a->seat[seat].number && undo_lives(w, i))
      n += a->plain->process[i]->n_own_channels;
  return n;
}

static bool is_initial(const struct walk *w, uint32_t seat, const struct ir_variable *v) {
  for (uint32_t i = 0; i < v->length; i++) {
    const uint32_t handle = handle_of(w, seat, v, i);
    int32_t value = v->initial == NULL ? 0 : v->initial[i];
    if (handle != TS_NONE)
      value = values_cut_one((int32_t)(first_channel(w, seat) + handle), v->type);
    if (!may_be(w, v->first_slot + i, value))
      return false;
  }
  return true;
}

static bool is_empty(const struct walk *w, const struct ir_channel *c) {
  return c->capacity == 0 || holes_value(&w->row, c->count_slot) == 0;
}

static bool is_new(struct walk *w, const struct small_step *step, uint32_t seat) {
  const struct ir_process *p = w->u->model->process[seat];
  if (!may_be(w, p->location_slot, (int32_t)p->initial))
    return false;
  for (uint32_t i = 0; i < p->n_variables; i++) {
    const struct ir_variable *v = p->variable[i];
    if (v->is_const || v->length == 0)
      continue;
    if (i < p->n_parameters && i < step->n) {
      const bool is_known = !holes_is(&w->row, v->first_slot);
      w->temporary[step->temporary + i] = (struct temporary){
          is_known ? holes_value(&w->row, v->first_slot) : 0, is_known, v->type};
    } else if (i < p->n_parameters ? !may_be(w, v->first_slot, 0) : !is_initial(w, seat, v)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < p->n_own_channels; i++)
    if (!is_empty(w, w->u->seats->apart->seat[seat].channel[i]))
      return false;
  return true;
}

/* ---- places ---------------------------------------------------------------------------- */

/* Nobody lives there, after all. */
static void clear_place(struct walk *w, uint32_t seat) {
  const struct ir_process *p = w->u->model->process[seat];
  const struct apart_seat *s = &w->u->seats->apart->seat[seat];
  const struct ir_slot *slot = &w->u->model->slot[s->number];
  holes_set(&w->row, w->u->model->live_slot, (int32_t)s->number);
  if (slot->tag_slot != TS_NONE)
    holes_set(&w->row, slot->tag_slot, 0);
  holes_set(&w->row, p->location_slot, 0);
  for (uint32_t i = 0; i < p->n_variables; i++)
    for (uint32_t k = 0; !p->variable[i]->is_const && k < p->variable[i]->length; k++)
      holes_set(&w->row, p->variable[i]->first_slot + k, 0);
}

static void remove_process(struct walk *w, uint32_t k, uint32_t seat) {
  const uint32_t mark = w->row.n_changes;
  if (is_new(w, &w->steps->at[k], seat)) {
    clear_place(w, seat);
    w->undo_before(w, k);
  }
  holes_take_back(&w->row, mark);
}

/* What it did to itself is undone. */
static void was_born(struct walk *w) {
  const struct undo_born *born = w->born;
  const struct small_steps *steps = w->steps;
  struct temporary *temporary = w->temporary;
  w->born = born->outer;
  w->then = born->then;
  w->steps = born->steps;
  w->temporary = born->temporary;
  remove_process(w, born->k, born->seat);
  w->temporary = temporary;
  w->steps = steps;
  w->then = was_born;
  w->born = born;
}

static void undo_start(struct walk *w, uint32_t k, uint32_t seat) {
  const struct undo_born born = {w->born, w->then, w->steps, w->temporary, k, seat};
  w->born = &born;
  w->then = was_born;
  undo_with_room(w, &w->u->seats->start[seat]);
  w->steps = born.steps;
  w->then = born.then;
  w->born = born.outer;
}

/* The youngest process that there is, if it is of that template; or TS_NONE. */
static uint32_t youngest(const struct walk *w, const struct ir_process *template) {
  const struct apart *a = w->u->seats->apart;
  const uint32_t live = undo_live(w);
  for (uint32_t i = live == 0 ? 0 : a->first[live - 1]; live > 0 && i < a->first[live]; i++)
    if (a->seat[i].seat->process == template && undo_lives(w, i))
      return i;
  return TS_NONE;
}

void undo_run(struct walk *w, uint32_t k) {
  const struct small_step *step = &w->steps->at[k];
  const struct ir_model *m = w->u->model;
  const uint32_t seat = m->live_varies ? youngest(w, step->run->process) : TS_NONE;
  if (seat == TS_NONE)
    return;
  const struct temporary *number = &w->temporary[step->temporary + step->n];
  const int32_t own = (int32_t)w->u->seats->apart->seat[seat].number;
  if (step->run->target != NULL && number->known &&
      values_cut_one(own, number->type) != number->value)
    return;
  if (w->u->seats->start[seat].n > 0)
    undo_start(w, k, seat);
  else
    remove_process(w, k, seat);
}

void undo_end(struct walk *w, uint32_t k) {
  const struct small_step *step = &w->steps->at[k];
  const struct ir_process *p = step->process;
  const struct apart_seat *s = &w->u->seats->apart->seat[p->index];
  const struct ir_slot *slot = &w->u->model->slot[s->number];
  const uint32_t mark = w->row.n_changes;
  if (s->number != undo_live(w))
    return;
  for (uint32_t i = 0; i < p->n_own_channels; i++)
    w->cannot |= s->channel[i]->capacity > 0; /* whose messages nobody knows any more */
  if (w->cannot)
    return;
  holes_set(&w->row, w->u->model->live_slot, (int32_t)s->number + 1);
  if (slot->tag_slot != TS_NONE)
    holes_set(&w->row, slot->tag_slot, (int32_t)s->seat->process->index + 1);
  holes_set(&w->row, p->location_slot, (int32_t)step->edge->from);
  for (uint32_t i = 0; i < p->n_variables; i++)
    for (uint32_t n = 0; !p->variable[i]->is_const && n < p->variable[i]->length; n++)
      holes_make(&w->row, p->variable[i]->first_slot + n);
  w->undo_before(w, k);
  holes_take_back(&w->row, mark);
}
