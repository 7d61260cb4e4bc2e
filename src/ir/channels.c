/* channels.c - what the door says of channels: their messages in terms of the model.
 *
 * For people only. The list is in the order of the numbers of channels: those of the model
 * first, then for each place of a process those of every template that may sit there. Of
 * these only the ones of processes that live are there, so that a number is found by
 * counting.
 */
#include "ir/ir.h"

#include "ts/ts.h"

struct listing {
  const struct ir_model *model;
  struct ts_variable *variable;
  struct ts_shape *shape;
  struct {
    struct ts_channel *at;
    uint32_t n, capacity;
  } list;
};

static const struct ts_field *fields_of(struct listing *l, const struct ir_channel *c) {
  struct ts_field *field = ARENA_ARRAY(l->model->arena, c->n_fields, struct ts_field);
  for (uint32_t i = 0; i < c->n_fields; i++) {
    const struct ir_type *type = c->field[i];
    field[i] = type == NULL ? (struct ts_field){.is_signed = true, .bits = 32}
                            : (struct ts_field){.n_values = type->n_values,
                                                .values = type->values,
                                                .is_channel = type->is_channel,
                                                .is_signed = type->is_signed,
                                                .bits = type->bits};
  }
  return field;
}

/* `further`: how many slots after those that the channel's fields name. */
static void find_slots(struct listing *l, const struct ir_channel *c, uint32_t further,
                       struct ts_channel *out) {
  uint32_t *cells = ARENA_ARRAY(l->model->arena, c->n_fields, uint32_t);
  out->count = out->first = c->count_slot + further;
  for (uint32_t i = 0; i < c->n_fields; i++) {
    cells[i] = ir_channel_cell(c, 0, i).slot + further;
    if (cells[i] < out->first)
      out->first = cells[i];
  }
  out->cells = cells;
  out->n_slots = 1 + c->n_fields * c->capacity;
  for (uint32_t i = 0; i < out->n_slots; i++)
    l->variable[l->shape->slot[out->first + i].variable].channel = l->list.n;
}

static void add(struct listing *l, const struct ir_channel *c, const char *name,
                const struct ir_seat *seat) {
  struct ts_channel *out = ARENA_PUSH(l->model->arena, &l->list);
  *out = (struct ts_channel){
      .name = name, .capacity = c->capacity, .n_fields = c->n_fields, .field = fields_of(l, c)};
  uint32_t further = 0;
  if (seat != NULL) {
    const struct ts_variable *location = &l->variable[seat->first_variable];
    out->given = location->given;
    out->given_least = location->given_least;
    out->given_most = location->given_most;
    further = seat->first_slot - seat->process->frame_slot;
  }
  if (c->capacity > 0)
    find_slots(l, c, further, out);
}

static void add_own(struct listing *l, const struct ir_seat *seat, uint32_t number) {
  const struct ir_model *m = l->model;
  for (uint32_t i = 0; i < m->n_channels; i++)
    if (m->channel[i]->owner == seat->process)
      add(l, m->channel[i],
          arena_printf(m->arena, "%s[%u]:%s", seat->process->name, number, m->channel[i]->name),
          seat);
}

void ir_channels(const struct ir_model *m, struct ts_variable *variable,
                 struct ts_shape *shape) {
  struct listing l = {.model = m, .variable = variable, .shape = shape};
  for (uint32_t i = 0; i < m->n_channels; i++)
    if (m->channel[i]->owner == NULL)
      add(&l, m->channel[i], m->channel[i]->name, NULL);
  for (uint32_t i = 0; m->has_instances && i < m->n_slots; i++)
    for (uint32_t k = 0; k < m->slot[i].n_seats; k++)
      if (m->slot[i].seat[k].process->n_own_channels > 0)
        add_own(&l, &m->slot[i].seat[k], i);
  if (l.list.n > 0) {
    struct ts_notes *notes = ir_notes(m, shape);
    notes->channel = l.list.at;
    notes->n_channels = l.list.n;
  }
}
