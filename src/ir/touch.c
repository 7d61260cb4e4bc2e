/* touch.c - what the actions of a model with instances read and write.
 *
 * The sets of a plain step are those of its edge, for the instance in its slot; channels and
 * indices that this instance has for ever count as constants. A run of steps may do whatever
 * its process does where it can get without giving control away, and once it shakes hands
 * whatever anybody does. Everything that may be written counts as read, because which way a
 * run takes decides whether it is.
 * References to other processes take all seats of the template. A process is there only
 * as long as the number of processes and its tag say so: every action reads both.
 */
#include "ir/touch.h"

#include "ir/value.h"

#include "ts/ts.h"

#include <string.h>

struct touch {
  const struct ir_model *model;
  const struct ts_shape *shape;
  struct arena *arena;
  struct touch_set *reads, *writes;
  const struct ir_seat *seat; /* whose own variables are meant; NULL: none, */
  uint32_t number;            /* and its slot */
  struct value_births *births;
  bool rendezvous; /* the model has such channels */
};

/* ---- sets ---------------------------------------------------------------------------- */

static void add(struct touch *t, struct touch_set *set, uint32_t first, uint32_t n) {
  for (uint32_t s = first; set && s < first + n; s++)
    if (set->mark[s] != set->stamp) {
      set->mark[s] = set->stamp;
      *ARENA_PUSH(t->arena, set) = s;
    }
}

static void add_everything(struct touch *t, struct touch_set *set) {
  add(t, set, 0, t->shape->n_slots);
}

static uint32_t frame_slots(const struct touch *t, const struct ir_seat *seat) {
  const struct ir_process *p = seat->process;
  uint32_t n = 1 + t->model->uses_priority;
  for (uint32_t i = 0; i < p->n_variables; i++)
    n += p->variable[i]->is_const ? 0 : p->variable[i]->length;
  for (uint32_t i = 0; i < t->model->n_channels; i++) {
    const struct ir_channel *c = t->model->channel[i];
    if (c->owner == p && c->capacity)
      n += 1 + c->capacity * c->n_fields;
  }
  return n;
}

static void add_frame(struct touch *t, struct touch_set *set, const struct ir_seat *seat) {
  add(t, set, seat->first_slot, frame_slots(t, seat));
}

/* The slots [first, first + n) of a template's first seat, in this seat. */
static void add_in_seat(struct touch *t, struct touch_set *set, const struct ir_seat *seat,
                        uint32_t first, uint32_t n) {
  add(t, set, seat->first_slot + (first - seat->process->frame_slot), n);
}

static void add_in_all_seats(struct touch *t, struct touch_set *set, const struct ir_process *p,
                             uint32_t first, uint32_t n) {
  for (uint32_t i = 0; i < t->model->n_slots; i++)
    for (uint32_t k = 0; k < t->model->slot[i].n_seats; k++)
      if (t->model->slot[i].seat[k].process == p)
        add_in_seat(t, set, &t->model->slot[i].seat[k], first, n);
}

/* Who is there. */
static void add_living(struct touch *t, struct touch_set *set) {
  const struct ir_model *m = t->model;
  if (m->live_varies)
    add(t, set, m->live_slot, 1);
  for (uint32_t i = 0; i < m->n_slots; i++)
    if (m->slot[i].tag_slot != TS_NONE)
      add(t, set, m->slot[i].tag_slot, 1);
}

/* ---- expressions --------------------------------------------------------------------- */

static void read_expr(struct touch *t, const struct ir_expr *e);

static struct ir_value fixed(const struct touch *t, const struct ir_expr *e) {
  return value_for(t->births, t->seat, t->number, e);
}

static void add_reference(struct touch *t, struct touch_set *set, const struct ir_expr *e,
                          bool own) {
  const struct ir_variable *v = e->variable;
  uint32_t first = v->first_slot, n = 1;
  if (v->is_const || !v->length)
    return;
  struct ir_value index = e->kind == IR_ELEMENT ? fixed(t, e->a) : value_known(0);
  if (!index.known)
    n = v->length;
  else if (index.at >= 0 && (uint32_t)index.at < v->length)
    first += (uint32_t)index.at;
  if (!v->owner)
    add(t, set, first, n);
  else if (own && t->seat && t->seat->process == v->owner)
    add_in_seat(t, set, t->seat, first, n);
  else
    add_in_all_seats(t, set, v->owner, first, n);
}

static uint32_t channel_slots(const struct ir_channel *c) {
  return c->capacity ? 1 + c->capacity * c->n_fields : 0;
}

static void add_channel(struct touch *t, struct touch_set *set, const struct ir_channel *c) {
  if (!c->capacity)
    return;
  if (c->owner)
    add_in_all_seats(t, set, c->owner, c->data_slot, channel_slots(c));
  else
    add(t, set, c->data_slot, channel_slots(c));
}

/* The channel of a number: one, or any. */
static void add_number(struct touch *t, struct touch_set *set, const struct ir_expr *number) {
  struct ir_value which = fixed(t, number);
  int32_t k = 0;
  bool found = false;
  for (uint32_t i = 0; which.known && i < t->model->n_channels; i++) {
    const struct ir_channel *c = t->model->channel[i];
    k += !c->owner;
    if (c->owner || k != which.at)
      continue;
    found = true;
    add_channel(t, set, c);
  }
  if (found)
    return;
  for (uint32_t i = 0; i < t->model->n_channels; i++)
    add_channel(t, set, t->model->channel[i]);
  add_living(t, t->reads);
}

static void read_operation(struct touch *t, const struct ir_operation *o) {
  read_expr(t, o->channel);
  add_number(t, t->reads, o->channel);
  for (uint32_t i = 0; i < o->n_values; i++)
    read_expr(t, o->value[i]);
}

static void read_expr(struct touch *t, const struct ir_expr *e) {
  if (!e)
    return;
  switch (e->kind) {
  case IR_VARIABLE:
  case IR_ELEMENT:
    add_reference(t, t->reads, e, true);
    break;
  case IR_FOREIGN:
    add_living(t, t->reads);
    read_expr(t, e->a);
    read_expr(t, e->b->a);
    add_reference(t, t->reads, e->b, false);
    return;
  case IR_LOCATED:
    add_living(t, t->reads);
    add_in_all_seats(t, t->reads, e->process, e->process->location_slot, 1);
    break;
  case IR_LIVE:
    add_living(t, t->reads);
    break;
  case IR_LAST:
    add(t, t->reads, t->model->last_slot, 1);
    break;
  case IR_PLACE:
  case IR_ENABLED:
  case IR_NONPROGRESS:
  case IR_PRIORITY:
  case IR_TIMEOUT:
    add_everything(t, t->reads);
    break;
  case IR_LENGTH:
  case IR_ROOM:
    add_number(t, t->reads, e->a);
    break;
  case IR_POLL:
    read_operation(t, e->operation);
    break;
  default:
    break;
  }
  read_expr(t, e->a);
  read_expr(t, e->b);
  read_expr(t, e->c);
}

/* ---- edges --------------------------------------------------------------------------- */

static void write_target(struct touch *t, const struct ir_expr *target) {
  if (!target || target->kind == IR_DROP || target->kind == IR_MATCH ||
      target->kind == IR_CONST)
    return;
  if (target->kind == IR_FOREIGN) {
    add_living(t, t->reads);
    read_expr(t, target->a);
    read_expr(t, target->b->a);
    add_reference(t, t->reads, target->b, false);
    add_reference(t, t->writes, target->b, false);
    return;
  }
  add_reference(t, t->writes, target, true);
  if (target->kind == IR_ELEMENT) {
    read_expr(t, target->a);
    if (!fixed(t, target->a).known)
      add_reference(t, t->reads, target, true);
  }
}

/* Making and ending a process writes the whole frame; what makes one reads it too, for the
 * bytes may have been another's. */
static void write_birth(struct touch *t, const struct ir_process *p) {
  add_living(t, t->reads);
  add_living(t, t->writes);
  for (uint32_t i = 0; i < t->model->n_slots; i++)
    for (uint32_t k = 0; k < t->model->slot[i].n_seats; k++)
      if (t->model->slot[i].seat[k].process == p) {
        add_frame(t, t->writes, &t->model->slot[i].seat[k]);
        add_frame(t, t->reads, &t->model->slot[i].seat[k]);
      }
  for (uint32_t i = 0; i < p->n_starts; i++)
    read_expr(t, p->start[i].value);
}

static void touch_effect(struct touch *t, const struct ir_effect *e) {
  write_target(t, e->target);
  read_expr(t, e->value);
  for (uint32_t i = 0; i < e->n_arguments; i++)
    read_expr(t, e->argument[i]);
  if (e->kind == IR_RUN)
    write_birth(t, e->process);
  if (e->kind == IR_SET_PRIORITY) {
    add_everything(t, t->reads);
    add_everything(t, t->writes);
  }
}

static void touch_operation(struct touch *t, const struct ir_operation *o) {
  read_operation(t, o);
  add_number(t, t->writes, o->channel);
  for (uint32_t i = 0; !o->is_send && i < o->n_values; i++)
    write_target(t, o->value[i]);
}

static void touch_condition(struct touch *t, const struct ir_edge *e) {
  read_expr(t, e->guard);
  if (e->operation)
    read_operation(t, e->operation);
}

/* Everything but the own location and who is there. */
static void touch_edge(struct touch *t, const struct ir_edge *e) {
  touch_condition(t, e);
  if (e->operation)
    touch_operation(t, e->operation);
  for (uint32_t i = 0; i < e->n_effects; i++)
    touch_effect(t, &e->effect[i]);
  if (t->model->uses_last)
    add(t, t->writes, t->model->last_slot, 1);
  if (e->flags & IR_ENDS) {
    add_living(t, t->reads);
    add_living(t, t->writes);
    if (t->seat)
      add_frame(t, t->writes, t->seat);
  }
}

static bool is_rendezvous(const struct touch *t, const struct ir_operation *o) {
  int32_t k = 0;
  if (!o || !t->rendezvous)
    return false;
  struct ir_value which = fixed(t, o->channel);
  for (uint32_t i = 0; which.known && i < t->model->n_channels; i++) {
    const struct ir_channel *c = t->model->channel[i];
    k += !c->owner;
    if (!c->owner && k == which.at)
      return c->capacity == 0;
  }
  return true;
}

static bool is_held(const struct touch *t, const struct ir_process *p,
                    const struct ir_edge *e) {
  return (e->flags & IR_KEEPS) || (p->location[e->to].flags & IR_IN_DSTEP) ||
         (is_rendezvous(t, e->operation) && e->operation->is_send);
}

static void add_all_of(struct touch *t, const struct ir_seat *seat, uint32_t number) {
  const struct ir_seat *kept = t->seat;
  uint32_t kept_number = t->number;
  t->seat = seat;
  t->number = number;
  add_frame(t, t->reads, seat);
  add_frame(t, t->writes, seat);
  read_expr(t, seat->process->provided);
  for (uint32_t i = 0; i < seat->process->n_edges; i++)
    touch_edge(t, &seat->process->edge[i]);
  t->seat = kept;
  t->number = kept_number;
}

/* ---- runs ---------------------------------------------------------------------------- */

struct touch_list {
  const uint32_t *at;
  uint32_t n;
  bool made;
};

struct touch_runs {
  struct touch_set reads, writes; /* room for making a list */
  struct touch_list **list; /* by seat: two per location, reads and writes from there on */
  uint32_t *seen, *open,
      stamp;                /* for walking: by location, when it was met; those to be done */
  struct touch_list all[2]; /* the same of everybody */
  uint32_t *first;          /* by slot, the number of its first seat */
  struct value_births *births;
  const struct ir_edge ***edge; /* by template: its edges by location, */
  const uint32_t **begin;       /* and where each location's begin */
  /* What the conditions of all edges of a location read: of the last one that was asked
   * about, for actions come by location. */
  struct touch_list others;
  const struct ir_seat *others_seat;
  uint32_t others_location;
};

struct touch_runs *touch_runs(const struct ir_model *m, const struct ts_shape *shape) {
  struct touch_runs *r = ARENA_NEW(m->arena, struct touch_runs);
  uint32_t n_seats = 0;
  r->first = ARENA_ARRAY(m->arena, m->n_slots, uint32_t);
  for (uint32_t i = 0; i < m->n_slots; i++) {
    r->first[i] = n_seats;
    n_seats += m->slot[i].n_seats;
  }
  r->list = ARENA_ARRAY(m->arena, n_seats + (size_t)1, struct touch_list *);
  r->births = value_births(m);
  r->edge = ARENA_ARRAY(m->arena, m->n_processes, const struct ir_edge **);
  r->begin = ARENA_ARRAY(m->arena, m->n_processes, const uint32_t *);
  uint32_t locations = 0;
  for (uint32_t i = 0; i < m->n_processes; i++) {
    if (m->process[i]->n_locations > locations)
      locations = m->process[i]->n_locations;
    r->edge[i] = ir_edges_in_order(m->arena, m->process[i]);
    r->begin[i] = ir_edges_first(m->arena, m->process[i]);
  }
  r->seen = ARENA_ARRAY(m->arena, locations, uint32_t);
  r->open = ARENA_ARRAY(m->arena, locations, uint32_t);
  r->reads.mark = ARENA_ARRAY(m->arena, shape->n_slots, uint32_t);
  r->writes.mark = ARENA_ARRAY(m->arena, shape->n_slots, uint32_t);
  return r;
}

/* What stands in the set from `from` on, which is taken out of it. */
static struct touch_list take_list(const struct touch *t, struct touch_set *set,
                                   uint32_t from) {
  uint32_t n = set->n - from;
  uint32_t *copy = ARENA_ARRAY(t->arena, n, uint32_t);
  if (n)
    memcpy(copy, set->at + from, n * sizeof *copy);
  set->n = from;
  return (struct touch_list){copy, n, true};
}

/* The two lists of what has just been put into the sets. */
static void keep_lists(const struct touch *t, struct touch_runs *r, uint32_t reads,
                       uint32_t writes, struct touch_list *list) {
  struct touch own = *t;
  own.reads = &r->reads;
  for (uint32_t i = writes; i < r->writes.n; i++)
    add(&own, own.reads, r->writes.at[i], 1);
  list[0] = take_list(t, &r->reads, reads);
  list[1] = take_list(t, &r->writes, writes);
}

static struct touch begin_lists(const struct touch *t, struct touch_runs *r) {
  struct touch own = *t;
  own.reads = &r->reads;
  own.writes = &r->writes;
  r->reads.stamp = ++r->writes.stamp;
  return own;
}

/* All that anybody can do. */
static const struct touch_list *everybody(const struct touch *t, struct touch_runs *r) {
  const struct ir_model *m = t->model;
  if (r->all[0].made)
    return r->all;
  struct touch own = begin_lists(t, r);
  uint32_t reads = r->reads.n, writes = r->writes.n;
  add_living(&own, own.reads);
  for (uint32_t i = 0; i < m->n_slots; i++)
    for (uint32_t k = 0; k < m->slot[i].n_seats; k++)
      add_all_of(&own, &m->slot[i].seat[k], i);
  keep_lists(t, r, reads, writes, r->all);
  return r->all;
}

/* Touches what the process can do from a location on until it gives control away. Where
 * the run ends is told by which conditions fail, so these count too. False: it may shake
 * hands, and then anything. */
static bool walk(struct touch *t, struct touch_runs *r, uint32_t location) {
  const struct ir_process *p = t->seat->process;
  const struct ir_edge **edge = r->edge[p->index];
  const uint32_t *begin = r->begin[p->index];
  uint32_t *open = r->open, n = 1;
  r->stamp++;
  open[0] = location;
  r->seen[location] = r->stamp;
  add_in_seat(t, t->writes, t->seat, p->location_slot, 1);
  while (n > 0) {
    uint32_t at = open[--n];
    for (uint32_t i = begin[at]; i < begin[at + 1]; i++) {
      if (is_rendezvous(t, edge[i]->operation))
        return false;
      touch_edge(t, edge[i]);
      if (!is_held(t, p, edge[i]) || r->seen[edge[i]->to] == r->stamp)
        continue;
      r->seen[edge[i]->to] = r->stamp;
      open[n++] = edge[i]->to;
    }
  }
  return true;
}

static const struct touch_list *from_on(const struct touch *t, struct touch_runs *r,
                                        uint32_t location) {
  const struct ir_slot *slot = &t->model->slot[t->number];
  struct touch_list **lists = &r->list[r->first[t->number] + (uint32_t)(t->seat - slot->seat)];
  if (*lists == NULL)
    *lists =
        ARENA_ARRAY(t->arena, 2 * (size_t)t->seat->process->n_locations, struct touch_list);
  struct touch_list *list = *lists + 2 * (size_t)location;
  if (list->made)
    return list;
  struct touch own = begin_lists(t, r);
  uint32_t reads = r->reads.n, writes = r->writes.n;
  bool alone = walk(&own, r, location);
  keep_lists(t, r, reads, writes, list);
  if (!alone)
    memcpy(list, everybody(t, r), 2 * sizeof *list);
  return list;
}

/* A run that goes on behind an edge. */
static void touch_run(struct touch *t, struct touch_runs *r, const struct ir_edge *edge) {
  const struct touch_list *list =
      is_rendezvous(t, edge->operation) ? everybody(t, r) : from_on(t, r, edge->to);
  for (uint32_t i = 0; i < list[0].n; i++)
    add(t, t->reads, list[0].at[i], 1);
  for (uint32_t i = 0; i < list[1].n; i++)
    add(t, t->writes, list[1].at[i], 1);
}

/* ---- all actions --------------------------------------------------------------------- */

/* Where an edge is only tried if others are not executable, it reads what they ask. */
static bool needs_others(const struct ir_edge *const *edge, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (edge[i]->escape || (edge[i]->guard && edge[i]->guard->kind == IR_ELSE))
      return true;
  return false;
}

static void make_others(const struct touch *t, struct touch_runs *r,
                        const struct ir_edge *const *edge, uint32_t n) {
  struct touch own = *t;
  own.reads = &r->reads;
  own.writes = &r->writes;
  r->reads.stamp = ++r->writes.stamp;
  uint32_t from = r->reads.n;
  for (uint32_t i = 0; i < n && needs_others(edge, n); i++) {
    touch_condition(&own, edge[i]);
    if (is_rendezvous(&own, edge[i]->operation))
      add_everything(&own, own.reads);
  }
  r->others = take_list(t, &r->reads, from);
}

static void touch_others(struct touch *t, struct touch_runs *r, uint32_t location) {
  const struct ir_process *p = t->seat->process;
  const uint32_t *begin = r->begin[p->index];
  if (r->others_seat != t->seat || r->others_location != location)
    make_others(t, r, r->edge[p->index] + begin[location],
                begin[location + 1] - begin[location]);
  r->others_seat = t->seat;
  r->others_location = location;
  for (uint32_t i = 0; i < r->others.n; i++)
    add(t, t->reads, r->others.at[i], 1);
}

/* The seat of a process that may sit in the slot. */
static const struct ir_seat *seat_of(const struct ir_slot *slot, const struct ir_process *p) {
  uint32_t k = 0;
  while (k + 1 < slot->n_seats && slot->seat[k].process != p)
    k++;
  return &slot->seat[k];
}

void touch_action(const struct ir_model *m, const struct ts_shape *shape,
                  const struct ir_move *move, struct touch_runs *runs, struct touch_set *reads,
                  struct touch_set *writes) {
  struct touch t = {.model = m,
                    .shape = shape,
                    .arena = m->arena,
                    .reads = reads,
                    .writes = writes,
                    .number = move->number,
                    .births = runs->births};
  const struct ir_slot *slot = &m->slot[move->number];
  const struct ir_edge *edge = move->edge;
  t.seat = seat_of(slot, move->process);
  for (uint32_t i = 0; i < m->n_channels; i++)
    t.rendezvous |= m->channel[i]->capacity == 0;
  if (m->live_varies)
    add(&t, reads, m->live_slot, 1);
  if (slot->tag_slot != TS_NONE)
    add(&t, reads, slot->tag_slot, 1);
  add_in_seat(&t, reads, t.seat, move->process->location_slot, 1);
  if (edge->from != edge->to)
    add_in_seat(&t, writes, t.seat, move->process->location_slot, 1);
  read_expr(&t, move->process->provided);
  if (m->uses_priority)
    add_everything(&t, reads);
  touch_others(&t, runs, edge->from);
  touch_edge(&t, edge);
  if (is_held(&t, move->process, edge))
    touch_run(&t, runs, edge);
}
