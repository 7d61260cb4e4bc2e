/* apart.c - a model with instances as one without.
 *
 * Each seat becomes a process, whose variables and channels have the slots of that seat. Its
 * expressions name these; its own number is a constant, and how many live a variable. So what
 * is worked out for models without instances, slot by slot, can be asked of these, too. Checks
 * that an index is in its range are left out: whoever uses this fires what it finds.
 */
#include "ir/apart.h"

struct making {
  const struct ir_model *whole;
  struct arena *arena;
  struct value_births *births;
  struct ir_variable *live; /* NULL: their number is always the same */
  /* of the seat that is made */
  const struct ir_seat *seat;
  uint32_t number;
  struct ir_process *process;
  struct ir_channel **channel;
};

/* How far the slots of the seat are from those that the template names. */
static uint32_t further(const struct making *m) {
  return m->seat->first_slot - m->seat->process->frame_slot;
}

static uint32_t index_of(const struct ir_process *p, const struct ir_variable *v) {
  uint32_t i = 0;
  while (i < p->n_variables && p->variable[i] != v)
    i++;
  return i;
}

static struct ir_variable *own_variable(const struct making *m, struct ir_variable *v) {
  const struct ir_process *p = m->seat->process;
  const uint32_t i = v->owner == p ? index_of(p, v) : p->n_variables;
  return i < p->n_variables ? m->process->variable[i] : v;
}

/* ---- expressions ----------------------------------------------------------------------- */

static struct ir_expr *copy(const struct making *m, const struct ir_expr *e) {
  struct ir_expr *own = ARENA_NEW(m->arena, struct ir_expr);
  *own = *e;
  return own;
}

static struct ir_expr *constant(const struct making *m, const struct ir_expr *e,
                                int32_t value) {
  struct ir_expr *own = ARENA_NEW(m->arena, struct ir_expr);
  *own = (struct ir_expr){.kind = IR_CONST, .value = value, .span = e->span};
  return own;
}

static struct ir_expr *how_many_live(const struct making *m, const struct ir_expr *e) {
  if (m->live == NULL)
    return constant(m, e, (int32_t)m->whole->n_active);
  struct ir_expr *own = ARENA_NEW(m->arena, struct ir_expr);
  *own = (struct ir_expr){.kind = IR_VARIABLE, .span = e->span, .variable = m->live};
  return own;
}

static struct ir_channel *own_channel(const struct making *m, const struct ir_channel *c) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < c->index; i++)
    k += m->whole->channel[i]->owner == c->owner;
  return c->owner != NULL ? m->channel[k] : m->whole->channel[c->index];
}

/* LENGTH or ROOM of a channel that is always the same. */
static struct ir_expr *messages(const struct making *m, struct ir_expr *e) {
  const struct which w = which_channels(m->whole, m->births, m->seat, m->number, e->a);
  if (w.one == NULL)
    return e;
  struct ir_expr *count = ARENA_NEW(m->arena, struct ir_expr);
  *count =
      (struct ir_expr){.kind = IR_COUNT, .span = e->span, .channel = own_channel(m, w.one)};
  if (w.one->capacity == 0)
    return constant(m, e, 0);
  if (e->kind == IR_LENGTH)
    return count;
  struct ir_expr *room = ARENA_NEW(m->arena, struct ir_expr);
  *room = (struct ir_expr){.kind = IR_SUB,
                           .span = e->span,
                           .a = constant(m, e, (int32_t)w.one->capacity),
                           .b = count};
  return room;
}

static struct ir_expr *own(const struct making *m, struct ir_expr *e);

static struct ir_expr *with_own_parts(const struct making *m, struct ir_expr *e) {
  struct ir_expr *a = own(m, e->a), *b = own(m, e->b);
  struct ir_expr *c = e->kind == IR_COND ? own(m, e->c) : NULL;
  if (a == e->a && b == e->b && (e->kind != IR_COND || c == e->c))
    return e;
  struct ir_expr *x = copy(m, e);
  x->a = a;
  x->b = b;
  if (e->kind == IR_COND)
    x->c = c;
  return x;
}

static struct ir_expr *own(const struct making *m, struct ir_expr *e) {
  if (e == NULL)
    return NULL;
  switch (e->kind) {
  case IR_SELF:
    return constant(m, e, (int32_t)m->number);
  case IR_LIVE:
    return how_many_live(m, e);
  case IR_CHECKED:
  case IR_EXCLUSIVE:
    return own(m, e->a);
  case IR_LENGTH:
  case IR_ROOM:
    return messages(m, e);
  case IR_MATCH:
    return with_own_parts(m, e);
  case IR_VARIABLE:
  case IR_ELEMENT: {
    struct ir_variable *v = own_variable(m, e->variable);
    struct ir_expr *a = own(m, e->a);
    if (v == e->variable && a == e->a)
      return e;
    struct ir_expr *x = copy(m, e);
    x->variable = v;
    x->a = a;
    return x;
  }
  default:
    return e->kind >= IR_NOT && e->kind <= IR_COND ? with_own_parts(m, e) : e;
  }
}

bool apart_is_unseen(const struct ir_expr *e) {
  if (e == NULL)
    return false;
  if (e->kind > IR_COND || e->kind == IR_AT)
    return true;
  return apart_is_unseen(e->a) || apart_is_unseen(e->b) || apart_is_unseen(ir_third(e));
}

/* ---- edges ----------------------------------------------------------------------------- */

static struct ir_expr *const *own_list(const struct making *m, struct ir_expr *const *list,
                                       uint32_t n) {
  struct ir_expr **mine = ARENA_ARRAY(m->arena, n + (size_t)1, struct ir_expr *);
  for (uint32_t i = 0; i < n; i++)
    mine[i] = own(m, list[i]);
  return mine;
}

static const struct ir_effect *own_effects(const struct making *m,
                                           const struct ir_effect *effect, uint32_t n) {
  struct ir_effect *mine = ARENA_ARRAY(m->arena, n + (size_t)1, struct ir_effect);
  for (uint32_t i = 0; i < n; i++) {
    mine[i] = effect[i];
    mine[i].target = own(m, effect[i].target);
    mine[i].value = own(m, effect[i].value);
    mine[i].argument = own_list(m, effect[i].argument, effect[i].n_arguments);
  }
  return mine;
}

static const struct ir_operation *own_operation(const struct making *m,
                                                const struct ir_operation *o) {
  if (o == NULL)
    return NULL;
  struct ir_operation *mine = ARENA_NEW(m->arena, struct ir_operation);
  *mine = *o;
  mine->channel = own(m, o->channel);
  mine->value = own_list(m, o->value, o->n_values);
  return mine;
}

static const struct ir_edge *own_edges(const struct making *m) {
  const struct ir_process *p = m->seat->process;
  struct ir_edge *edge = ARENA_ARRAY(m->arena, p->n_edges + (size_t)1, struct ir_edge);
  for (uint32_t i = 0; i < p->n_edges; i++) {
    edge[i] = p->edge[i];
    edge[i].guard = own(m, p->edge[i].guard);
    edge[i].operation = own_operation(m, p->edge[i].operation);
    edge[i].effect = own_effects(m, p->edge[i].effect, p->edge[i].n_effects);
  }
  return edge;
}

/* ---- seats ----------------------------------------------------------------------------- */

static struct ir_variable **own_variables(const struct making *m) {
  const struct ir_process *p = m->seat->process;
  struct ir_variable **list =
      ARENA_ARRAY(m->arena, p->n_variables + (size_t)1, struct ir_variable *);
  for (uint32_t i = 0; i < p->n_variables; i++) {
    list[i] = ARENA_NEW(m->arena, struct ir_variable);
    *list[i] = *p->variable[i];
    list[i]->owner = m->process;
    list[i]->first_slot += further(m);
  }
  return list;
}

static struct ir_channel **own_channels(const struct making *m) {
  const struct ir_process *p = m->seat->process;
  struct ir_channel **list =
      ARENA_ARRAY(m->arena, p->n_own_channels + (size_t)1, struct ir_channel *);
  for (uint32_t i = 0, k = 0; i < m->whole->n_channels; i++) {
    if (m->whole->channel[i]->owner != p)
      continue;
    list[k] = ARENA_NEW(m->arena, struct ir_channel);
    *list[k] = *m->whole->channel[i];
    list[k]->owner = m->process;
    list[k]->count_slot += further(m);
    list[k]->data_slot += further(m);
    if (list[k]->handle != NULL)
      list[k]->handle = own_variable(m, list[k]->handle);
    k++;
  }
  return list;
}

static void make_seat(struct making *m, const struct ir_seat *seat, uint32_t number,
                      struct ir_process *process, struct apart_seat *as) {
  const struct ir_process *p = seat->process;
  const uint32_t index = process->index;
  *process = *p;
  process->index = index;
  m->seat = seat;
  m->number = number;
  m->process = process;
  process->variable = own_variables(m);
  process->location_slot += further(m);
  process->frame_slot = seat->first_slot;
  m->channel = own_channels(m);
  process->edge = own_edges(m);
  process->start = own_effects(m, p->start, p->n_starts);
  as->seat = seat;
  as->number = number;
  as->channel = m->channel;
  as->start = process->start;
}

/* ---- all ------------------------------------------------------------------------------- */

static struct ir_variable *live_variable(const struct ir_model *m) {
  static const struct ir_type byte = {.name = "byte", .bits = 8, .is_signed = false};
  if (!m->live_varies)
    return NULL;
  struct ir_variable *v = ARENA_NEW(m->arena, struct ir_variable);
  int32_t *initial = ARENA_NEW(m->arena, int32_t);
  *initial = (int32_t)m->n_active;
  *v = (struct ir_variable){.name = "processes",
                            .type = &byte,
                            .length = 1,
                            .initial = initial,
                            .first_slot = m->live_slot};
  return v;
}

/* Who lives at first, as processes of the plain model. */
static struct ir_process **own_active(const struct apart *a) {
  const struct ir_model *m = a->whole;
  struct ir_process **active =
      ARENA_ARRAY(m->arena, m->n_active + (size_t)1, struct ir_process *);
  for (uint32_t i = 0; i < m->n_active; i++)
    for (uint32_t s = a->first[i]; s < a->first[i + 1]; s++)
      if (a->seat[s].seat->process == m->active[i])
        active[i] = a->plain->process[s];
  return active;
}

static const struct ir_channel *channel_of_seat(const struct apart *a, uint32_t seat,
                                                const struct ir_channel *c) {
  uint32_t k = 0;
  for (uint32_t i = 0; c->owner != NULL && i < c->index; i++)
    k += a->whole->channel[i]->owner == c->owner;
  return c->owner == NULL ? c : a->seat[seat].channel[k];
}

/* The channels of operations. */
static void find_channels(struct apart *a, struct value_births *births,
                          const struct ir_actions *actions) {
  struct arena *arena = a->whole->arena;
  const struct ir_channel **constant =
      ARENA_ARRAY(arena, actions->n + (size_t)1, const struct ir_channel *);
  struct which *which = ARENA_ARRAY(arena, actions->n + (size_t)1, struct which);
  for (uint32_t i = 0; i < actions->n; i++) {
    const struct ir_move *move = actions->at[i].move;
    const struct ir_operation *o = move->edge->operation;
    const uint32_t seat = a->actions->at[i].move->process->index;
    if (o == NULL)
      continue;
    which[i] = which_channels(a->whole, births, a->seat[seat].seat, move->number, o->channel);
    if (which[i].one != NULL)
      constant[i] = channel_of_seat(a, seat, which[i].one);
  }
  a->constant = constant;
  a->which = which;
}

static const struct ir_actions *own_actions(const struct apart *a,
                                            const struct ir_actions *actions) {
  struct arena *arena = a->whole->arena;
  struct ir_action *at = ARENA_ARRAY(arena, actions->n + (size_t)1, struct ir_action);
  struct ir_move *move = ARENA_ARRAY(arena, actions->n + (size_t)1, struct ir_move);
  for (uint32_t i = 0; i < actions->n; i++) {
    const struct ir_move *m = actions->at[i].move;
    uint32_t seat = a->first[m->number];
    while (a->seat[seat].seat->process != m->process)
      seat++;
    const struct ir_process *p = a->plain->process[seat];
    move[i] = (struct ir_move){p, &p->edge[m->edge - m->process->edge], m->number};
    at[i] = (struct ir_action){1, &move[i]};
  }
  struct ir_actions *own = ARENA_NEW(arena, struct ir_actions);
  *own = (struct ir_actions){actions->n, at, NULL};
  return own;
}

static void list_channels(struct apart *a, struct ir_model *plain) {
  const struct ir_model *m = a->whole;
  struct ir_channel **global =
      ARENA_ARRAY(m->arena, m->n_channels + (size_t)1, struct ir_channel *);
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->n_channels; i++)
    if (m->channel[i]->owner == NULL)
      global[a->n_global_channels++] = m->channel[i];
  n = a->n_global_channels;
  for (uint32_t i = 0; i < plain->n_processes; i++)
    n += plain->process[i]->n_own_channels;
  struct ir_channel **all = ARENA_ARRAY(m->arena, n + (size_t)1, struct ir_channel *);
  n = 0;
  for (uint32_t i = 0; i < a->n_global_channels; i++)
    all[n++] = global[i];
  for (uint32_t i = 0; i < plain->n_processes; i++)
    for (uint32_t k = 0; k < plain->process[i]->n_own_channels; k++)
      all[n++] = a->seat[i].channel[k];
  a->global_channel = global;
  plain->channel = all;
  plain->n_channels = n;
}

const struct apart *apart_of(const struct ir_model *m, const struct ir_actions *actions) {
  struct arena *arena = m->arena;
  struct apart *a = ARENA_NEW(arena, struct apart);
  struct ir_model *plain = ARENA_NEW(arena, struct ir_model);
  uint32_t *first = ARENA_ARRAY(arena, m->n_slots + (size_t)1, uint32_t), n = 0;
  for (uint32_t i = 0; i < m->n_slots; first[++i] = n)
    n += m->slot[i].n_seats;
  struct apart_seat *seat = ARENA_ARRAY(arena, n + (size_t)1, struct apart_seat);
  struct making making = {m, arena, value_births(m), live_variable(m), NULL, 0, NULL, NULL};
  *plain = *m;
  plain->has_instances = false;
  plain->process = ARENA_ARRAY(arena, n + (size_t)1, struct ir_process *);
  plain->n_processes = n;
  plain->global = ARENA_ARRAY(arena, m->n_globals + (size_t)1, struct ir_variable *);
  for (uint32_t i = 0; i < m->n_globals; i++)
    plain->global[i] = m->global[i];
  if (making.live != NULL)
    plain->global[plain->n_globals++] = making.live;
  for (uint32_t i = 0; i < m->n_slots; i++)
    for (uint32_t k = 0; k < m->slot[i].n_seats; k++) {
      struct ir_process *p = ARENA_NEW(arena, struct ir_process);
      p->index = first[i] + k;
      plain->process[p->index] = p;
      make_seat(&making, &m->slot[i].seat[k], i, p, &seat[p->index]);
      seat[p->index].is_alone = m->slot[i].n_seats == 1;
    }
  *a = (struct apart){.whole = m, .plain = plain, .seat = seat, .first = first};
  list_channels(a, plain);
  plain->active = own_active(a);
  a->actions = own_actions(a, actions);
  find_channels(a, making.births, actions);
  return a;
}
