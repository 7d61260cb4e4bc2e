/* steps.c - who moves from where, and what each step touches: facts for partial order
 * reduction.
 *
 * A step is an edge of a process, or of an instance in its seat. What it touches is worked out
 * as its read and write sets are (plain.c, touch.c), but finer (marks.c), and without what only
 * says that its own process is there: a process goes by its own last step alone. A step that
 * begins an atomic sequence touches all that the sequence may do until control is given away,
 * where operations on channels may find them full or empty. Where it meets a send of a
 * handshake on the way it depends on who waits for that; so whoever comes to a place where it
 * waits for one leaves a mark.
 *
 * A step whose guard begins with `timeout` is enabled only where nothing else is. Read
 * docs/por.md for what is made of this.
 */
#include "ir/guards.h"
#include "ir/plain.h"
#include "ir/touch.h"
#include "ir/watched.h"
#include "ir/which.h"

#include <string.h>

struct steps {
  const struct ir_model *model;
  struct ts_shape *shape;
  struct ts_control *control;
  struct marks marks;
  struct {
    struct ts_touch *at;
    uint32_t n, capacity;
  } touch;
  struct {
    uint32_t *at;
    uint32_t n, capacity;
  } start;
  struct ts_process *process;
  struct ts_step *step;
  uint32_t *first_step, *first_touch, *first_start, *first_guard, *first_pick;
  struct guards guards;
  uint32_t n_steps, n_locations, n_processes;
  const struct ir_edge ***edge; /* by template: its edges by location, */
  const uint32_t **begin;       /* and where each location's begin */
  bool *runs;                   /* by template: it runs something */
  uint32_t *seen, *open, stamp; /* for walking, by location */
  struct touch seat;            /* of instances */
};

/* ---- counting -------------------------------------------------------------------------- */

static void add_room(struct steps *s, const struct ir_process *p) {
  s->n_processes++;
  s->n_locations += p->n_locations;
  s->n_steps += p->n_edges;
}

static bool runs_something(const struct ir_process *p) {
  for (uint32_t k = 0; k < p->n_edges; k++)
    for (uint32_t i = 0; i < p->edge[k].n_effects; i++)
      if (p->edge[k].effect[i].kind == IR_RUN)
        return true;
  return false;
}

static void open_rooms(struct steps *s) {
  const struct ir_model *m = s->model;
  uint32_t most = 0;
  for (uint32_t i = 0; i < m->n_slots && m->has_instances; i++)
    for (uint32_t k = 0; k < m->slot[i].n_seats; k++)
      add_room(s, m->slot[i].seat[k].process);
  for (uint32_t i = 0; i < m->n_processes && !m->has_instances; i++)
    if (!m->process[i]->is_property)
      add_room(s, m->process[i]);
  s->edge = ARENA_ARRAY(m->arena, m->n_processes, const struct ir_edge **);
  s->begin = ARENA_ARRAY(m->arena, m->n_processes, const uint32_t *);
  s->runs = ARENA_ARRAY(m->arena, m->n_processes, bool);
  for (uint32_t i = 0; i < m->n_processes; i++) {
    s->edge[i] = ir_edges_in_order(m->arena, m->process[i]);
    s->begin[i] = ir_edges_first(m->arena, m->process[i]);
    s->runs[i] = runs_something(m->process[i]);
    most = m->process[i]->n_locations > most ? m->process[i]->n_locations : most;
  }
  s->seen = ARENA_ARRAY(m->arena, most, uint32_t);
  s->open = ARENA_ARRAY(m->arena, most, uint32_t);
  s->process = ARENA_ARRAY(m->arena, s->n_processes, struct ts_process);
  s->step = ARENA_ARRAY(m->arena, s->n_steps, struct ts_step);
  s->first_step = ARENA_ARRAY(m->arena, s->n_locations + (size_t)1, uint32_t);
  s->first_touch = ARENA_ARRAY(m->arena, s->n_steps + (size_t)1, uint32_t);
  s->first_start = ARENA_ARRAY(m->arena, s->n_steps + (size_t)1, uint32_t);
  s->first_guard = ARENA_ARRAY(m->arena, s->n_steps + (size_t)1, uint32_t);
  s->first_pick = ARENA_ARRAY(m->arena, s->n_steps + (size_t)1, uint32_t);
  s->n_processes = s->n_locations = s->n_steps = 0;
}

/* ---- making ------------------------------------------------------------------ */

/* The list of the marks is that of the next step. */
static void add_step(struct steps *s, const struct ir_edge *e, unsigned flags) {
  const struct ts_process *p = &s->process[s->n_processes];
  for (uint32_t i = 0; i < s->marks.list.n; i++)
    *ARENA_PUSH(s->model->arena, &s->touch) = s->marks.list.at[i];
  s->step[s->n_steps++] =
      (struct ts_step){s->n_processes, p->first + e->from, p->first + e->to, flags};
  s->first_touch[s->n_steps] = s->touch.n;
  s->first_start[s->n_steps] = s->start.n;
  s->first_guard[s->n_steps] = s->guards.guard.n;
  s->first_pick[s->n_steps] = s->marks.pick.n;
}

/* Locations of the process after its steps were added from `first` on. */
static void add_process(struct steps *s, const struct ir_process *p, uint32_t first) {
  for (uint32_t l = 0; l < p->n_locations; l++)
    s->first_step[s->n_locations + l] = first + s->begin[p->index][l];
  s->n_locations += p->n_locations;
  s->first_step[s->n_locations] = s->n_steps;
  s->n_processes++;
}

/* The process of the next step goes from one location to another. */
static void touch_move(struct steps *s, uint32_t from, uint32_t to) {
  if (from == to)
    return;
  marks_add(&s->marks, marks_location(&s->marks, s->n_processes, from), TS_WRITE);
  marks_add(&s->marks, marks_location(&s->marks, s->n_processes, to), TS_WRITE);
}

/* ---- without instances ------------------------------------------------------- */

static void plain_steps(struct steps *s) {
  const struct ir_model *m = s->model;
  struct plain plain = {m, &s->marks.reads, &s->marks.writes, &s->marks};
  for (uint32_t i = 0; i < m->n_processes; i++) {
    const struct ir_process *p = m->process[i];
    uint32_t first = s->n_steps;
    if (p->is_property)
      continue;
    s->process[s->n_processes] = (struct ts_process){.location_slot = p->location_slot,
                                                     .first = s->n_locations,
                                                     .n_locations = p->n_locations,
                                                     .initial = s->n_locations + p->initial,
                                                     .live_slot = TS_NONE,
                                                     .tag_slot = TS_NONE};
    for (uint32_t k = 0; k < p->n_edges; k++) {
      const struct ir_edge *e = s->edge[i][k];
      guards_add(&s->guards, e);
      marks_begin(&s->marks);
      plain_step(&plain, e);
      touch_move(s, e->from, e->to);
      add_step(s, s->edge[i][k], 0);
    }
    add_process(s, p, first);
  }
}

/* The steps of each action: those of its movers. */
static void plain_rows(struct steps *s, const struct ir_actions *actions, uint32_t *start,
                       uint32_t *item) {
  const struct ir_model *m = s->model;
  uint32_t *first = ARENA_ARRAY(m->arena, m->n_processes, uint32_t), n = 0;
  uint32_t *place = ARENA_ARRAY(m->arena, s->n_steps + (size_t)1, uint32_t);
  for (uint32_t i = 0; i < m->n_processes; i++) {
    first[i] = n;
    for (uint32_t k = 0; k < m->process[i]->n_edges && !m->process[i]->is_property; k++)
      place[first[i] + (uint32_t)(s->edge[i][k] - m->process[i]->edge)] = n++;
  }
  n = 0;
  for (uint32_t a = 0; a < actions->n; a++) {
    for (uint32_t k = 0; k < actions->at[a].n_moves; k++) {
      const struct ir_move *move = &actions->at[a].move[k];
      uint32_t edge = (uint32_t)(move->edge - move->process->edge);
      item[n++] = place[first[move->process->index] + edge];
    }
    start[a + 1] = n;
  }
}

/* ---- with instances ---------------------------------------------------------- */

/* Where an edge is only tried if others are not executable, all that these ask is asked. */
static void touch_others(struct steps *s, uint32_t location) {
  const struct ir_process *p = s->seat.seat->process;
  uint32_t first = s->begin[p->index][location], end = s->begin[p->index][location + 1];
  if (!guards_are_tried_last(&s->edge[p->index][first], end - first))
    return;
  s->marks.negative = true;
  for (uint32_t i = first; i < end; i++)
    touch_condition(&s->seat, s->edge[p->index][i]);
  s->marks.negative = false;
}

/* Whether other edges of its location are looked at before this one. */
static bool is_tried_late(const struct steps *s, const struct ir_edge *e) {
  const uint32_t *begin = s->begin[s->seat.seat->process->index];
  return guards_are_tried_last(&s->edge[s->seat.seat->process->index][begin[e->from]],
                               begin[e->from + 1] - begin[e->from]);
}

/* Whether control may be kept after an edge by the process itself. */
static bool keeps(const struct ir_process *p, const struct ir_edge *e) {
  return (e->flags & IR_KEEPS) || (p->location[e->to].flags & IR_IN_DSTEP);
}

/* The process may be left waiting here. */
static void touch_arrival(struct steps *s, uint32_t location) {
  const struct ir_process *p = s->seat.seat->process;
  for (uint32_t i = s->begin[p->index][location]; i < s->begin[p->index][location + 1]; i++) {
    const struct ir_operation *o = s->edge[p->index][i]->operation;
    if (!touch_is_rendezvous(&s->seat, o) || o->is_send)
      continue;
    struct which which =
        which_channels(s->model, s->seat.births, s->seat.seat, s->seat.number, o->channel);
    int32_t k = 0;
    for (uint32_t n = 0; n < s->model->n_channels; n++) {
      const struct ir_channel *c = s->model->channel[n];
      k += !c->owner;
      if (c->capacity == 0 && which_has(&which, c, k))
        marks_add(&s->marks, marks_offer(&s->marks, c), TS_LEAVE);
    }
  }
}

/* The places where control is kept after a location, itself the first: a list in `open`, and
 * how many. */
static uint32_t walk_sequence(struct steps *s, uint32_t location) {
  const struct ir_process *p = s->seat.seat->process;
  const uint32_t *begin = s->begin[p->index];
  uint32_t n = 1;
  s->stamp++;
  s->open[0] = location;
  s->seen[location] = s->stamp;
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = begin[s->open[k]]; i < begin[s->open[k] + 1]; i++) {
      const struct ir_edge *e = s->edge[p->index][i];
      if (!keeps(p, e) || s->seen[e->to] == s->stamp)
        continue;
      s->seen[e->to] = s->stamp;
      s->open[n++] = e->to;
    }
  return n;
}

/* Counts what a statement of the sequence may do on each channel. */
static void count_use(struct steps *s, const struct ir_operation *o) {
  const struct ir_model *m = s->model;
  int32_t k = 0;
  if (o == NULL)
    return;
  struct which which =
      which_channels(m, s->seat.births, s->seat.seat, s->seat.number, o->channel);
  for (uint32_t i = 0; i < m->n_channels; i++) {
    k += !m->channel[i]->owner;
    s->marks.uses[2 * i + o->is_send] += which_has(&which, m->channel[i], k);
  }
}

/* The same of all of it: `first`, and what is done at the n places in `open`. */
static void count_uses(struct steps *s, const struct ir_edge *first, uint32_t n) {
  const struct ir_process *p = s->seat.seat->process;
  const uint32_t *begin = s->begin[p->index];
  memset(s->marks.uses, 0, 2 * s->model->n_channels * sizeof *s->marks.uses);
  count_use(s, first->operation);
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = begin[s->open[k]]; i < begin[s->open[k] + 1]; i++)
      count_use(s, s->edge[p->index][i]->operation);
}

/* Whether the sequence may come to an edge of it again after it. The places are walked anew. */
static bool comes_again(struct steps *s, const struct ir_edge *e) {
  if (!keeps(s->seat.seat->process, e))
    return false;
  walk_sequence(s, e->to);
  return s->seen[e->from] == s->stamp;
}

/* Whether the n places in `open` come one after the other, and nobody else does anything in
 * between: then what was touched so far was done before what comes. */
static bool is_chain(struct steps *s, const struct ir_edge *first, uint32_t n) {
  const struct ir_process *p = s->seat.seat->process;
  const uint32_t *begin = s->begin[p->index];
  if (touch_is_rendezvous(&s->seat, first->operation))
    return false;
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = begin[s->open[k]]; i < begin[s->open[k] + 1]; i++) {
      const struct ir_edge *e = s->edge[p->index][i];
      if (touch_is_rendezvous(&s->seat, e->operation) ||
          (keeps(p, e) && (k + 1 == n || e->to != s->open[k + 1])))
        return false;
    }
  return true;
}

/* All that may follow in the sequence of an edge that keeps control, and where it may end. */
static void touch_sequence(struct steps *s, const struct ir_edge *first) {
  const struct ir_process *p = s->seat.seat->process;
  const uint32_t *begin = s->begin[p->index];
  uint32_t n = walk_sequence(s, first->to);
  if (s->marks.grants)
    count_uses(s, first, n);
  s->marks.inner = true;
  s->marks.early = is_chain(s, first, n);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = s->open[k];
    marks_take(&s->marks);
    touch_arrival(s, at);
    touch_others(s, at);
    for (uint32_t i = begin[at]; i < begin[at + 1]; i++) {
      const struct ir_edge *e = s->edge[p->index][i];
      s->marks.once = s->marks.grants && e->operation != NULL && !comes_again(s, e);
      touch_edge(&s->seat, e);
      touch_arrival(s, e->to);
      touch_move(s, e->from, e->to);
    }
    if (s->marks.grants)
      walk_sequence(s, first->to);
  }
  s->marks.inner = s->marks.once = s->marks.early = false;
}

static void touch_step(struct steps *s, const struct ir_edge *e) {
  const struct ir_process *p = s->seat.seat->process;
  struct marks *m = &s->marks;
  marks_begin(m);
  marks_add(m, marks_all(m), TS_LEAVE);
  m->guard = m->early = true;
  touch_expr(&s->seat, p->provided);
  touch_others(s, e->from);
  if (!guards_wait(e))
    touch_condition(&s->seat, e);
  if (e->flags & IR_ENDS)
    marks_add(m, marks_living(m), TS_LEAVE);
  marks_take(m);
  m->guard = false;
  struct ir_edge done = *e;
  if (guards_wait(e))
    done.guard = NULL;
  m->early &= !touch_is_rendezvous(&s->seat, e->operation);
  touch_edge(&s->seat, &done);
  touch_move(s, e->from, e->to);
  m->early = false;
  if (keeps(p, e))
    touch_sequence(s, e);
  touch_arrival(s, e->to);
  marks_take(m);
}

/* Every place where an instance of this template may begin. */
static void add_starts(struct steps *s, const struct ir_process *born) {
  uint32_t process = 0;
  for (uint32_t i = 0; i < s->model->n_slots; i++)
    for (uint32_t k = 0; k < s->model->slot[i].n_seats; k++, process++)
      if (s->model->slot[i].seat[k].process == born)
        *ARENA_PUSH(s->model->arena, &s->start) = process;
}

static void edge_starts(struct steps *s, const struct ir_edge *e) {
  for (uint32_t i = 0; i < e->n_effects; i++)
    if (e->effect[i].kind == IR_RUN)
      add_starts(s, e->effect[i].process);
}

/* What a step may begin, itself or later in its sequence. */
static void seat_starts(struct steps *s, const struct ir_edge *e) {
  const struct ir_process *p = s->seat.seat->process;
  edge_starts(s, e);
  if (!s->runs[p->index] || !keeps(p, e))
    return;
  for (uint32_t k = 0; k < p->n_edges; k++)
    if (s->seen[s->edge[p->index][k]->from] == s->stamp)
      edge_starts(s, s->edge[p->index][k]);
}

static unsigned seat_flags(const struct steps *s, const struct ir_edge *e) {
  bool answers = touch_is_rendezvous(&s->seat, e->operation) && !e->operation->is_send;
  return (guards_wait(e) ? TS_STEP_WAITS : 0u) | (answers ? TS_STEP_PART : 0u) |
         (e->flags & IR_ENDS ? TS_STEP_ENDS : 0u);
}

static void seat_process(struct steps *s, uint32_t number, const struct ir_seat *seat) {
  const struct ir_model *m = s->model;
  const struct ir_process *p = seat->process;
  const struct ir_slot *slot = &m->slot[number];
  uint32_t first = s->n_steps;
  s->seat.seat = seat;
  s->seat.number = number;
  exclusive_keep(&s->seat);
  s->process[s->n_processes] = (struct ts_process){
      .location_slot = seat->first_slot + (p->location_slot - p->frame_slot),
      .first = s->n_locations,
      .n_locations = p->n_locations,
      .initial = s->n_locations + p->initial,
      .live_slot = m->live_varies ? m->live_slot : TS_NONE,
      .number = number,
      .tag_slot = slot->tag_slot,
      .tag = p->index + 1};
  for (uint32_t k = 0; k < p->n_edges; k++) {
    const struct ir_edge *e = s->edge[p->index][k];
    s->marks.known = 0;
    if (!guards_wait(e) && !is_tried_late(s, e))
      guards_add(&s->guards, e);
    touch_step(s, e);
    seat_starts(s, e);
    add_step(s, e, seat_flags(s, e));
  }
  add_process(s, p, first);
}

static void seat_steps(struct steps *s) {
  const struct ir_model *m = s->model;
  s->guards.touch = &s->seat;
  s->seat = (struct touch){.model = m,
                           .groups = &s->marks.groups,
                           .reads = &s->marks.reads,
                           .writes = &s->marks.writes,
                           .births = value_births(m),
                           .marks = &s->marks};
  for (uint32_t i = 0; i < m->n_channels; i++)
    s->seat.rendezvous |= m->channel[i]->capacity == 0;
  for (uint32_t i = 0; i < m->n_slots; i++)
    for (uint32_t k = 0; k < m->slot[i].n_seats; k++)
      seat_process(s, i, &m->slot[i].seat[k]);
}

/* Each action is one step: the same edges in the same order, of one seat after the other. */
static void seat_rows(const struct steps *s, uint32_t *start, uint32_t *item) {
  uint32_t step = 0;
  for (uint32_t i = 0; i < s->model->n_slots; i++)
    for (uint32_t k = 0; k < s->model->slot[i].n_seats; k++) {
      const struct ir_seat *seat = &s->model->slot[i].seat[k];
      for (uint32_t j = 0; j < seat->process->n_edges; j++)
        item[seat->first_action + j] = step++;
    }
  for (uint32_t a = 0; a < s->n_steps; a++)
    start[a + 1] = a + 1;
}

/* ---- all --------------------------------------------------------------------- */

/* Of channels that are there all the time the number of messages. */
static void find_counts(struct steps *s) {
  const struct ir_model *m = s->model;
  uint32_t *filled = ARENA_ARRAY(m->arena, s->marks.n_items, uint32_t);
  for (uint32_t i = 0; i < s->marks.n_items; i++)
    filled[i] = TS_NONE;
  for (uint32_t i = 0; i < m->n_channels; i++)
    if (m->channel[i]->owner == NULL && m->channel[i]->capacity > 0)
      filled[marks_channel(&s->marks, m->channel[i])] = m->channel[i]->count_slot;
  s->control->filled = filled;
}

static void make_rows(struct steps *s, const struct ir_actions *actions) {
  uint32_t n = 0;
  for (uint32_t a = 0; a < actions->n; a++)
    n += actions->at[a].n_moves;
  uint32_t *start = ARENA_ARRAY(s->model->arena, actions->n + (size_t)1, uint32_t);
  uint32_t *item = ARENA_ARRAY(s->model->arena, n + (size_t)1, uint32_t);
  if (s->model->has_instances)
    seat_rows(s, start, item);
  else
    plain_rows(s, actions, start, item);
  s->control->of = (struct ts_rows){start, item};
}

void ir_control(const struct ir_model *m, const struct ir_actions *actions,
                struct ts_shape *shape) {
  if (m->synchronous || m->uses_priority || m->uses_last)
    return;
  struct steps s = {.model = m, .shape = shape};
  s.control = ARENA_NEW(m->arena, struct ts_control);
  open_rooms(&s);
  marks_open(&s.marks, m, shape);
  s.guards = (struct guards){.model = m, .marks = &s.marks};
  if (m->has_instances)
    seat_steps(&s);
  else
    plain_steps(&s);
  make_rows(&s, actions);
  s.seat.seat = NULL;
  watched_find(&s.seat, &s.marks, s.control);
  find_counts(&s);
  struct ts_control *c = s.control;
  c->n_processes = s.n_processes;
  c->n_locations = s.n_locations;
  c->n_steps = s.n_steps;
  c->n_items = s.marks.n_items;
  c->process = s.process;
  c->step = s.step;
  c->first_step = s.first_step;
  c->first_touch = s.first_touch;
  c->touch = s.touch.at;
  c->first_guard = s.first_guard;
  c->guard = s.guards.guard.at;
  c->guard_touch = s.guards.touches.at;
  c->term = s.guards.terms.at;
  c->n_slot_items = shape->n_slots;
  c->first_pick = s.first_pick;
  c->pick = s.marks.pick.at;
  c->starts = (struct ts_rows){s.first_start, s.start.at};
  shape->control = c;
}
