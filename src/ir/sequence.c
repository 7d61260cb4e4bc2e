/* sequence.c - what atomic sequences read and write, and so whole actions.
 *
 * An action that keeps control may go on to whatever its process does where it can get without
 * giving control away, and once it shakes hands to whatever anybody does. Everything that may
 * be written counts as read there, because which way a sequence takes decides whether it is.
 * What can happen from a location on is worked out once for each place of a template, as one
 * group of slots; so are the conditions of the other edges of a location, where an edge is only
 * tried if they fail.
 */
#include "ir/touch.h"

struct both { /* groups, as items */
  uint32_t reads, writes;
  bool made;
};

struct touch_shared {
  const struct ir_model *model;
  struct set_groups *groups;
  struct value_births *births;
  bool rendezvous;
  struct set reads, writes;     /* room for making groups */
  struct both **from;           /* by seat: per location, what may happen from there on */
  struct both all;              /* the same of everybody */
  uint32_t *first;              /* by slot, the number of its first seat */
  uint32_t *seen, *open, stamp; /* for walking: by location, when it was reached; to be done */
  const struct ir_edge ***edge; /* by template: its edges by location, */
  const uint32_t **begin;       /* and where each location's begin */
  /* What the conditions of all edges of a location read: of the last one that was asked
   * about, for actions come by location. */
  struct set others;
  const struct ir_seat *others_seat;
  uint32_t others_location;
};

static void edges_in_order(struct touch_shared *s) {
  const struct ir_model *m = s->model;
  uint32_t locations = 0;
  s->edge = ARENA_ARRAY(m->arena, m->n_processes, const struct ir_edge **);
  s->begin = ARENA_ARRAY(m->arena, m->n_processes, const uint32_t *);
  for (uint32_t i = 0; i < m->n_processes; i++) {
    if (m->process[i]->n_locations > locations)
      locations = m->process[i]->n_locations;
    s->edge[i] = ir_edges_in_order(m->arena, m->process[i]);
    s->begin[i] = ir_edges_first(m->arena, m->process[i]);
  }
  s->seen = ARENA_ARRAY(m->arena, locations, uint32_t);
  s->open = ARENA_ARRAY(m->arena, locations, uint32_t);
}

struct touch_shared *touch_shared(const struct ir_model *m, struct set_groups *groups) {
  struct touch_shared *s = ARENA_NEW(m->arena, struct touch_shared);
  uint32_t n_seats = 0;
  s->model = m;
  s->groups = groups;
  s->first = ARENA_ARRAY(m->arena, m->n_slots, uint32_t);
  for (uint32_t i = 0; i < m->n_slots; i++) {
    s->first[i] = n_seats;
    n_seats += m->slot[i].n_seats;
  }
  for (uint32_t i = 0; i < m->n_channels; i++)
    s->rendezvous |= m->channel[i]->capacity == 0;
  s->from = ARENA_ARRAY(m->arena, n_seats + (size_t)1, struct both *);
  s->births = value_births(m);
  edges_in_order(s);
  set_open(&s->reads, groups);
  set_open(&s->writes, groups);
  set_open(&s->others, groups);
  return s;
}

static struct touch touch_of(struct touch_shared *s, const struct ir_seat *seat,
                             uint32_t number, struct set *reads, struct set *writes) {
  return (struct touch){.model = s->model,
                        .groups = s->groups,
                        .reads = reads,
                        .writes = writes,
                        .seat = seat,
                        .number = number,
                        .births = s->births,
                        .rendezvous = s->rendezvous};
}

/* ---- what may happen ----------------------------------------------------------------- */

/* Makes groups of what has been put into the sets from these items on. */
static void take_both(struct touch_shared *s, uint32_t reads, uint32_t writes,
                      struct both *both) {
  for (uint32_t i = writes; i < s->writes.n; i++)
    set_add(&s->reads, s->writes.at[i]);
  both->reads = set_take(&s->reads, reads);
  both->writes = set_take(&s->writes, writes);
  both->made = true;
}

static void add_all_of(struct touch *t, const struct ir_seat *seat) {
  touch_frame(t, t->reads, seat);
  touch_frame(t, t->writes, seat);
  touch_expr(t, seat->process->provided);
  for (uint32_t i = 0; i < seat->process->n_edges; i++)
    touch_edge(t, &seat->process->edge[i]);
}

/* All that anybody can do. */
static const struct both *everybody(struct touch_shared *s) {
  const struct ir_model *m = s->model;
  if (s->all.made)
    return &s->all;
  uint32_t reads = s->reads.n, writes = s->writes.n;
  set_begin(&s->reads);
  set_begin(&s->writes);
  struct touch t = touch_of(s, NULL, 0, &s->reads, &s->writes);
  touch_living(&t, &s->reads);
  for (uint32_t i = 0; i < m->n_slots; i++)
    for (uint32_t k = 0; k < m->slot[i].n_seats; k++) {
      t = touch_of(s, &m->slot[i].seat[k], i, &s->reads, &s->writes);
      add_all_of(&t, t.seat);
    }
  take_both(s, reads, writes, &s->all);
  return &s->all;
}

/* Touches what the process can do from a location on until it gives control away. Where
 * the sequence ends depends on which conditions fail, so these count too. False: it may shake
 * hands, and then anything. */
static bool walk(struct touch_shared *s, struct touch *t, uint32_t location) {
  const struct ir_process *p = t->seat->process;
  const struct ir_edge **edge = s->edge[p->index];
  const uint32_t *begin = s->begin[p->index];
  uint32_t *open = s->open, n = 1;
  s->stamp++;
  open[0] = location;
  s->seen[location] = s->stamp;
  touch_in_seat(t, t->writes, t->seat, p->location_slot, 1);
  while (n > 0) {
    uint32_t at = open[--n];
    for (uint32_t i = begin[at]; i < begin[at + 1]; i++) {
      if (touch_is_rendezvous(t, edge[i]->operation))
        return false;
      touch_edge(t, edge[i]);
      if (!touch_is_held(t, p, edge[i]) || s->seen[edge[i]->to] == s->stamp)
        continue;
      s->seen[edge[i]->to] = s->stamp;
      open[n++] = edge[i]->to;
    }
  }
  return true;
}

static const struct both *from_on(struct touch_shared *s, const struct ir_seat *seat,
                                  uint32_t number, uint32_t location) {
  const struct ir_slot *slot = &s->model->slot[number];
  struct both **list = &s->from[s->first[number] + (uint32_t)(seat - slot->seat)];
  if (*list == NULL)
    *list = ARENA_ARRAY(s->model->arena, seat->process->n_locations, struct both);
  struct both *both = *list + location;
  if (both->made)
    return both;
  uint32_t reads = s->reads.n, writes = s->writes.n;
  set_begin(&s->reads);
  set_begin(&s->writes);
  struct touch t = touch_of(s, seat, number, &s->reads, &s->writes);
  if (walk(s, &t, location)) {
    take_both(s, reads, writes, both);
  } else {
    s->reads.n = reads;
    s->writes.n = writes;
    *both = *everybody(s);
  }
  return both;
}

/* ---- actions ------------------------------------------------------------------------- */

/* Where an edge is only tried if others are not executable, it reads what they ask. */
static bool needs_others(const struct ir_edge *const *edge, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (edge[i]->escape || (edge[i]->guard && edge[i]->guard->kind == IR_ELSE))
      return true;
  return false;
}

static void make_others(struct touch_shared *s, const struct touch *action,
                        const struct ir_edge *const *edge, uint32_t n) {
  struct touch t = *action;
  t.reads = &s->others;
  t.writes = NULL;
  s->others.n = 0;
  set_begin(&s->others);
  for (uint32_t i = 0; i < n && needs_others(edge, n); i++) {
    touch_condition(&t, edge[i]);
    if (touch_is_rendezvous(&t, edge[i]->operation))
      touch_everything(&t, t.reads);
  }
}

static void touch_others(struct touch_shared *s, struct touch *t, uint32_t location) {
  const struct ir_process *p = t->seat->process;
  const uint32_t *begin = s->begin[p->index];
  if (s->others_seat != t->seat || s->others_location != location)
    make_others(s, t, s->edge[p->index] + begin[location],
                begin[location + 1] - begin[location]);
  s->others_seat = t->seat;
  s->others_location = location;
  for (uint32_t i = 0; i < s->others.n; i++)
    set_add(t->reads, s->others.at[i]);
}

/* The seat of a process that may sit in the slot. */
static const struct ir_seat *seat_of(const struct ir_slot *slot, const struct ir_process *p) {
  uint32_t k = 0;
  while (k + 1 < slot->n_seats && slot->seat[k].process != p)
    k++;
  return &slot->seat[k];
}

void touch_action(struct touch_shared *s, const struct ir_move *move, struct set *reads,
                  struct set *writes) {
  const struct ir_model *m = s->model;
  const struct ir_slot *slot = &m->slot[move->number];
  const struct ir_edge *edge = move->edge;
  set_begin(reads);
  set_begin(writes);
  struct touch t = touch_of(s, seat_of(slot, move->process), move->number, reads, writes);
  if (m->live_varies)
    set_add(reads, m->live_slot);
  if (slot->tag_slot != TS_NONE)
    set_add(reads, slot->tag_slot);
  touch_in_seat(&t, reads, t.seat, move->process->location_slot, 1);
  if (edge->from != edge->to)
    touch_in_seat(&t, writes, t.seat, move->process->location_slot, 1);
  touch_expr(&t, move->process->provided);
  if (m->uses_priority)
    touch_everything(&t, reads);
  touch_others(s, &t, edge->from);
  touch_edge(&t, edge);
  if (!touch_is_held(&t, move->process, edge))
    return;
  const struct both *on = touch_is_rendezvous(&t, edge->operation)
                              ? everybody(s)
                              : from_on(s, t.seat, move->number, edge->to);
  set_add(reads, on->reads);
  set_add(writes, on->writes);
}
