/* undo_seats.c - going backward where processes come and go, and an event may be several steps.
 *
 * The model was taken apart (apart.h): each seat is a process with slots of its own, and each
 * of its edges an action. An event is a chain of them: while a process keeps control it goes
 * on, and who receives in a handshake goes on for the one who sent. So the last step is undone
 * first; where it began, each step after which control is kept may have come before it, and
 * before the receive of a handshake each send that fits. Where a state may be stored the chain
 * may have begun: the row is fired forward, and each event of its first action that leads to
 * the state by just these steps leads here. What a chain has done is told by a trace of it, so
 * no event is found twice.
 */
#include "ir/undo_walk.h"

#include "ir/seat_steps.h"

/* ---- chains ---------------------------------------------------------------------------- */

uint32_t undo_where(const struct walk *w, uint32_t process) {
  const struct ir_process *p = w->u->model->process[process];
  if (undo_lives(w, process))
    return (uint32_t)holes_value(&w->row, p->location_slot);
  return w->u->seats->apart->seat[process].number == undo_live(w) && w->u->model->live_varies
             ? p->n_locations
             : TS_NONE;
}

/* Undoes one more step, before those that are undone. */
static void undo_edge(struct walk *w, uint32_t action);

/* Each step after which its process has control where the action begins. */
static void go_back(struct walk *w, const struct ir_move *move) {
  const struct undo *u = w->u;
  const uint32_t *start = &u->start[u->first[move->process->index] + move->edge->from];
  for (uint32_t i = start[0]; i < start[1] && !undo_is_over(w); i++)
    if (seat_keeps(move->process, u->actions->at[u->order[i]].move->edge))
      undo_edge(w, u->order[i]);
}

/* Each send of a process that is where that would lead to. */
static void find_sender(struct walk *w) {
  const struct undo *u = w->u;
  for (uint32_t p = 0; p < u->model->n_processes && !undo_is_over(w); p++) {
    if (u->seats->apart->seat[p].number == w->offer.receiver || !undo_lives(w, p))
      continue;
    const uint32_t at = (uint32_t)holes_value(&w->row, u->model->process[p]->location_slot);
    const uint32_t *start = &u->start[u->first[p] + at];
    for (uint32_t i = start[0]; i < start[1] && !undo_is_over(w); i++) {
      const struct ir_operation *o = u->actions->at[u->order[i]].move->edge->operation;
      if (o != NULL && o->is_send)
        undo_edge(w, u->order[i]);
    }
  }
}

/* All steps of an edge are undone: what was before it. */
static void link(struct walk *w) {
  const uint32_t action = w->path[w->n_path - 1], mark = w->row.n_changes;
  const struct ir_move *move = w->u->actions->at[action].move;
  if (undo_holds(w, move->edge->guard)) {
    if (w->offer.is != NULL) {
      find_sender(w);
    } else {
      if (w->u->seats->rests[action]) {
        w->action = action;
        undo_begin(w);
      }
      if (w->u->seats->follows[action] && !undo_is_over(w) &&
          undo_is_new(w, w->u->actions->n + move->process->index))
        go_back(w, move);
    }
  }
  holes_take_back(&w->row, mark);
}

static void undo_edge(struct walk *w, uint32_t action) {
  const struct small_steps *steps = w->steps;
  if (w->n_path == UNDO_MOST_STEPS || ++w->work > UNDO_MOST_WORK) {
    w->cannot = true;
    return;
  }
  w->path[w->n_path++] = action;
  undo_with_room(w, &w->u->steps[action]);
  w->steps = steps;
  w->n_path--;
}

void undo_with_room(struct walk *w, const struct small_steps *steps) {
  struct temporary *const before = w->temporary;
  if (steps->more || w->n_temporaries + steps->n_temporaries > UNDO_ROOM_TEMPORARIES) {
    w->cannot = true;
    return;
  }
  w->temporary = w->all_temporaries + w->n_temporaries;
  w->n_temporaries += steps->n_temporaries;
  w->steps = steps;
  w->undo_before(w, steps->n);
  w->n_temporaries -= steps->n_temporaries;
  w->temporary = before;
}

void undo_last(struct walk *w, uint32_t action) {
  w->n_path = w->work = w->n_temporaries = 0;
  w->then = link;
  w->offer.is = NULL;
  if (!w->u->seats->goes_on[action])
    undo_edge(w, action);
}

/* ---- making it ------------------------------------------------------------------------- */

/* Whether an edge is executable wherever its process is there. */
static bool is_always_executable(const struct ir_process *p, const struct ir_edge *e) {
  return e->guard == NULL && e->operation == NULL && (e->flags & IR_ENDS) == 0 &&
         p->provided == NULL;
}

/* By location: whether its process can never be left without a step there. */
static const bool *never_blocks(const struct ir_model *m, const struct ir_process *p) {
  bool *never = ARENA_ARRAY(m->arena, p->n_locations + (size_t)1, bool);
  for (uint32_t i = 0; i < p->n_edges; i++)
    never[p->edge[i].from] |= is_always_executable(p, &p->edge[i]);
  return never;
}

/* By location: whether a state may be stored with its process there. */
static const bool *may_rest(const struct ir_model *m, const struct ir_process *p,
                            const bool *never) {
  bool *rests = ARENA_ARRAY(m->arena, p->n_locations + (size_t)1, bool);
  for (uint32_t i = 0; i < p->n_locations; i++)
    rests[i] = !never[i] || i == p->initial;
  for (uint32_t i = 0; i < p->n_edges; i++) {
    const struct ir_operation *o = p->edge[i].operation;
    rests[p->edge[i].to] |= !seat_keeps(p, &p->edge[i]) || (o != NULL && o->is_send);
  }
  for (uint32_t i = 0; i < p->n_locations; i++)
    rests[i] &= (p->location[i].flags & IR_IN_DSTEP) == 0;
  return rests;
}

/* By location: whether its process may have control when it comes there. */
static const bool *is_kept(const struct ir_model *m, const struct ir_process *p) {
  bool *kept = ARENA_ARRAY(m->arena, p->n_locations + (size_t)1, bool);
  for (uint32_t i = 0; i < p->n_edges; i++)
    kept[p->edge[i].to] |= seat_keeps(p, &p->edge[i]);
  return kept;
}

static void find_rests(struct undo_seats *s, const struct ir_model *plain) {
  const struct ir_actions *actions = s->apart->actions;
  bool *is_long = ARENA_ARRAY(plain->arena, actions->n + (size_t)1, bool);
  bool *rests = ARENA_ARRAY(plain->arena, actions->n + (size_t)1, bool);
  bool *goes_on = ARENA_ARRAY(plain->arena, actions->n + (size_t)1, bool);
  bool *follows = ARENA_ARRAY(plain->arena, actions->n + (size_t)1, bool);
  const bool *may = NULL, *never = NULL, *kept = NULL;
  for (uint32_t i = 0; i < actions->n; i++) {
    const struct ir_move *move = actions->at[i].move;
    const struct ir_process *p = move->process;
    if (i == 0 || p != actions->at[i - 1].move->process) {
      never = never_blocks(plain, p);
      may = may_rest(plain, p, never);
      kept = is_kept(plain, p);
    }
    is_long[i] = seat_is_long(s->apart, i);
    s->any_long |= is_long[i];
    rests[i] = may[move->edge->from];
    follows[i] = kept[move->edge->from];
    goes_on[i] = seat_keeps(p, move->edge) &&
                 (never[move->edge->to] || p->location[move->edge->to].flags & IR_IN_DSTEP);
  }
  s->is_long = is_long;
  s->rests = rests;
  s->goes_on = goes_on;
  s->follows = follows;
}

static void find_hidden(struct undo_seats *s, const struct ir_model *m) {
  struct {
    uint32_t *at;
    uint32_t n, capacity;
  } hidden = {NULL, 0, 0};
  for (uint32_t i = 0; i < m->n_globals; i++)
    for (uint32_t k = 0;
         m->global[i]->is_hidden && !m->global[i]->is_const && k < m->global[i]->length; k++)
      *ARENA_PUSH(m->arena, &hidden) = m->global[i]->first_slot + k;
  s->hidden = hidden.at;
  s->n_hidden = hidden.n;
}

bool undo_open_seats(struct undo *u, const struct ir_model *m, const struct ir_actions *actions,
                     const struct ts_shape *shape) {
  struct undo_seats *s = ARENA_NEW(m->arena, struct undo_seats);
  s->apart = apart_of(m, actions);
  const struct seat_all *all = seat_all(s->apart);
  if (all == NULL)
    return false;
  bool *looked = ARENA_ARRAY(m->arena, s->apart->plain->n_processes + (size_t)1, bool);
  for (uint32_t i = 0; i < s->apart->plain->n_processes; i++)
    looked[i] = s->apart->seat[i].is_alone;
  s->start = seat_starts(s->apart);
  find_rests(s, s->apart->plain);
  find_hidden(s, m);
  u->seats = s;
  u->model = s->apart->plain;
  u->actions = s->apart->actions;
  u->steps = seat_steps(s->apart);
  u->bounds = bounds_find(u->model, all->actions, shape, all->steps);
  u->pairs = pairs_find(u->model, all->actions, shape, all->steps, u->bounds, looked);
  return true;
}
