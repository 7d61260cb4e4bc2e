/* bounds_ask.c - the values that slots can have: what is known of them, or only their types. */
#include "ir/bounds.h"

static void have_types(struct values *set, struct ir_variable *const *variable, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; !variable[i]->is_const && k < variable[i]->length; k++)
      set[variable[i]->first_slot + k] = values_of_type(variable[i]->type);
}

const struct bounds *bounds_of_types(const struct ir_model *m, const struct ts_shape *shape) {
  struct bounds *b = ARENA_NEW(m->arena, struct bounds);
  uint16_t *writer = ARENA_ARRAY(m->arena, shape->n_slots + (size_t)1, uint16_t);
  uint32_t *first = ARENA_ARRAY(m->arena, shape->n_slots + (size_t)1, uint32_t);
  struct values *set = ARENA_ARRAY(m->arena, shape->n_slots + (size_t)1, struct values);
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    writer[i] = BOUNDS_SHARED;
    first[i] = i;
  }
  have_types(set, m->global, m->n_globals);
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (!m->process[p]->is_property)
      have_types(set, m->process[p]->variable, m->process[p]->n_variables);
  for (uint32_t c = 0; c < m->n_channels; c++)
    for (uint32_t i = 0; m->channel[c]->capacity > 0 && i < m->channel[c]->n_fields; i++)
      set[ir_channel_cell(m->channel[c], 0, i).slot] = values_of_type(m->channel[c]->field[i]);
  *b = (struct bounds){.model = m, .shape = shape, .writer = writer, .first = first};
  b->set = b->ever = set;
  b->own = arena_array(m->arena, m->n_processes + (size_t)1, sizeof *b->own);
  return b;
}

const struct values *bounds_at(const struct bounds *b, uint32_t slot, const uint8_t *state) {
  const uint32_t writer = b->writer[slot];
  uint32_t at = 0;
  if (writer < BOUNDS_NOBODY)
    at = (uint32_t)ts_value(&b->shape->slot[b->model->process[writer]->location_slot], state);
  return &b->set[b->first[slot] + at];
}

const struct values *bounds_ever(const struct bounds *b, uint32_t slot) {
  return &b->ever[slot];
}

const uint32_t *bounds_own(const struct bounds *b, const struct ir_process *p, uint32_t *n) {
  *n = b->own[p->index].n;
  return b->own[p->index].at;
}
