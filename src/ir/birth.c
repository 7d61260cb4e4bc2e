/* birth.c - what an instance of a template knows of itself permanently.
 *
 * Its number, and the values of own scalars that nobody writes once it was made: above all
 * channels and places of arrays that were given as parameters. The values follow from what
 * whoever runs it gives to it (live.c), and from what it does to itself when it is made.
 */
#include "ir/value.h"

#include "ir/embedded.h"

#include <string.h>

struct value_births {
  const struct ir_model *model;
  bool **written;           /* by template and variable, once it was made */
  struct ir_value ***value; /* by slot and seat; NULL: not worked out yet */
};

/* Who asks: for the leaves. */
struct asking {
  const struct ir_process *process;
  const struct ir_value *value; /* of its variables */
  uint32_t number;
};

static uint32_t index_of(const struct ir_process *p, const struct ir_variable *v) {
  uint32_t i = 0;
  while (i < p->n_variables && p->variable[i] != v)
    i++;
  return i;
}

static void note_write(struct value_births *b, const struct ir_expr *target) {
  if (target != NULL && target->kind == IR_FOREIGN)
    target = target->b;
  if (target == NULL || (target->kind != IR_VARIABLE && target->kind != IR_ELEMENT) ||
      target->variable->owner == NULL)
    return;
  const struct ir_process *p = target->variable->owner;
  uint32_t i = index_of(p, target->variable);
  if (i < p->n_variables)
    b->written[p->index][i] = true;
}

static void note_piece(struct value_births *b, const struct ir_piece *piece) {
  for (uint32_t i = 0; i < piece->n_views; i++) {
    struct ir_expr target = {.kind = IR_VARIABLE, .variable = piece->view[i]->variable};
    note_write(b, &target);
  }
}

static void note_edge(struct value_births *b, const struct ir_edge *e) {
  for (uint32_t i = 0; i < e->n_effects; i++) {
    note_write(b, e->effect[i].target);
    if (e->effect[i].kind == IR_C_CODE)
      note_piece(b, e->effect[i].piece);
  }
  for (uint32_t i = 0; e->sync == IR_RECEIVE && i < e->n_values; i++)
    note_write(b, e->value[i]);
  if (e->operation == NULL || e->operation->is_send)
    return;
  for (uint32_t i = 0; i < e->operation->n_values; i++)
    note_write(b, e->operation->value[i]);
}

struct value_births *value_births(const struct ir_model *m) {
  struct value_births *b = ARENA_NEW(m->arena, struct value_births);
  b->model = m;
  b->written = ARENA_ARRAY(m->arena, m->n_processes, bool *);
  b->value = ARENA_ARRAY(m->arena, m->n_slots, struct ir_value **);
  for (uint32_t p = 0; p < m->n_processes; p++)
    b->written[p] = ARENA_ARRAY(m->arena, m->process[p]->n_variables, bool);
  for (uint32_t i = 0; i < m->n_slots; i++)
    b->value[i] = ARENA_ARRAY(m->arena, m->slot[i].n_seats, struct ir_value *);
  for (uint32_t p = 0; p < m->n_processes; p++)
    for (uint32_t i = 0; i < m->process[p]->n_edges; i++)
      note_edge(b, &m->process[p]->edge[i]);
  return b;
}

static struct ir_value leaf(const void *context, const struct ir_expr *e) {
  const struct asking *a = context;
  if (a->process == NULL)
    return ir_unknown;
  if (e->kind == IR_SELF)
    return value_known((int32_t)a->number);
  if (e->kind != IR_VARIABLE || e->variable->owner != a->process)
    return ir_unknown;
  uint32_t i = index_of(a->process, e->variable);
  return i < a->process->n_variables ? a->value[i] : ir_unknown;
}

/* Numbers of own channels depend on who lives. */
static void forget_handles(const struct ir_model *m, const struct ir_process *p,
                           struct ir_value *value) {
  for (uint32_t c = 0; c < m->n_channels; c++) {
    const struct ir_channel *channel = m->channel[c];
    uint32_t i =
        channel->owner == p && channel->handle ? index_of(p, channel->handle) : p->n_variables;
    if (i < p->n_variables)
      value[i] = ir_unknown;
  }
}

static void begin(const struct ir_seat *seat, struct ir_value *value) {
  const struct ir_process *p = seat->process;
  for (uint32_t i = 0; i < p->n_variables; i++) {
    const struct ir_variable *v = p->variable[i];
    if (i < p->n_parameters)
      value[i] = seat->argument != NULL ? seat->argument[i] : ir_unknown;
    else
      value[i] = v->is_array ? ir_unknown : value_known(v->initial ? v->initial[0] : 0);
  }
}

/* Begins with what is given and initial, does what the instance does to itself, and forgets
 * what changes later. */
static struct ir_value *give_birth(const struct value_births *b, const struct ir_seat *seat,
                                   uint32_t number) {
  const struct ir_process *p = seat->process;
  struct ir_value *value =
      ARENA_ARRAY(b->model->arena, p->n_variables + (size_t)1, struct ir_value);
  struct asking own = {p, value, number};
  begin(seat, value);
  forget_handles(b->model, p, value);
  for (uint32_t i = 0; i < p->n_starts; i++) {
    const struct ir_expr *target = p->start[i].target;
    if (target == NULL || target->kind != IR_VARIABLE || target->variable->owner != p)
      continue;
    struct ir_value v =
        p->start[i].value != NULL ? value_of(p->start[i].value, leaf, &own) : ir_unknown;
    value[index_of(p, target->variable)] = value_fitting(v, target->variable->type);
  }
  forget_handles(b->model, p, value);
  for (uint32_t i = 0; i < p->n_variables; i++)
    if (b->written[p->index][i])
      value[i] = ir_unknown;
  return value;
}

struct ir_value value_for(struct value_births *b, const struct ir_seat *seat, uint32_t number,
                          const struct ir_expr *e) {
  struct asking who = {NULL, NULL, number};
  if (seat != NULL) {
    struct ir_value **value = &b->value[number][seat - b->model->slot[number].seat];
    if (*value == NULL)
      *value = give_birth(b, seat, number);
    who = (struct asking){seat->process, *value, number};
  }
  return value_of(e, leaf, &who);
}

const struct ir_channel *value_own_channel(struct value_births *b, const struct ir_seat *seat,
                                           uint32_t number, const struct ir_expr *e) {
  if (seat == NULL || (e->kind != IR_VARIABLE && e->kind != IR_ELEMENT) ||
      e->variable->owner != seat->process)
    return NULL;
  uint32_t i = index_of(seat->process, e->variable);
  struct ir_value element =
      e->kind == IR_ELEMENT ? value_for(b, seat, number, e->a) : value_known(0);
  if (i == seat->process->n_variables || b->written[seat->process->index][i] || !element.known)
    return NULL;
  for (uint32_t c = 0; c < b->model->n_channels; c++) {
    const struct ir_channel *channel = b->model->channel[c];
    if (channel->owner == seat->process && channel->handle == e->variable &&
        channel->handle_element == (uint32_t)element.at)
      return channel;
  }
  return NULL;
}
