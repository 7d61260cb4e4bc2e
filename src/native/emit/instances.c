/* instances.c - the functions of a model with instances, in their order. */
#include "native/emit/emit.h"

static void number_statements(struct emit *e) {
  const struct ir_model *m = e->model;
  e->statement = ARENA_ARRAY(e->arena, m->n_processes + (size_t)1, uint32_t);
  for (uint32_t p = 0; p < m->n_processes; p++)
    e->statement[p + 1] = e->statement[p] + m->process[p]->n_edges;
}

void emit_instances(struct emit *e) {
  const struct ir_model *m = e->model;
  number_statements(e);
  emit_find_kinds(e);
  emit_frames(e);
  if (m->uses_priority) {
    e->helpers |= EMIT_PROBES;
    emit_line(e,
              "\nstatic int32_t is_highest(struct run *run, const uint8_t *s, uint32_t self);");
  }
  emit_starts(e);
  emit_trace(e);
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (m->process[p]->n_seats)
      emit_steps(e, m->process[p]);
  emit_door(e);
  emit_first(e);
}

/* Conditions of a receive may see where the sender is. */
static bool is_watched(const struct ir_model *m) {
  return emit_in_model(m, IR_LOCATED) || emit_in_model(m, IR_PLACE) ||
         emit_in_model(m, IR_ENABLED) || emit_in_model(m, IR_NONPROGRESS) ||
         emit_in_model(m, IR_ACCEPTED) || m->uses_priority;
}

void emit_needed(struct emit *e) {
  if ((e->helpers & EMIT_HANDSHAKES) && is_watched(e->model))
    e->helpers |= EMIT_WATCHED;
  emit_door_needed(e);
  emit_frame_functions(e);
  if (e->helpers & EMIT_CHANNELS)
    emit_find_channel(e);
}
