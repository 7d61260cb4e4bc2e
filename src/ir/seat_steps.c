/* seat_steps.c - what the edges of a model with instances do, cut into small steps.
 *
 * There are two cuts. To go backward each edge has its own steps, whatever comes before or
 * after it in an event, and an operation is one step whose channel is looked for in the state.
 * To find out what may happen at all there are actions as in a model without instances: one for
 * each channel that an operation may be on, and one for each handshake. What follows within an
 * event is another action there, so that states between are among those that may be reached.
 */
#include "ir/seat_steps.h"

enum { MOST_ACTIONS = 1 << 16 };

bool seat_keeps(const struct ir_process *p, const struct ir_edge *e) {
  return !(e->flags & IR_ENDS) &&
         ((e->flags & IR_KEEPS) || (p->location[e->to].flags & IR_IN_DSTEP));
}

/* Whether the operation may be on a channel with places, or on one without. */
static bool may_have(const struct apart *a, uint32_t action, bool places) {
  const struct ir_model *m = a->whole;
  if (a->constant[action] != NULL)
    return (a->constant[action]->capacity > 0) == places;
  int32_t number = 0;
  for (uint32_t i = 0; i < m->n_channels; i++) {
    number += m->channel[i]->owner == NULL;
    if ((m->channel[i]->capacity > 0) == places &&
        which_has(&a->which[action], m->channel[i], number))
      return true;
  }
  return false;
}

bool seat_is_long(const struct apart *a, uint32_t action) {
  const struct ir_move *move = a->actions->at[action].move;
  return seat_keeps(move->process, move->edge) ||
         (move->edge->operation != NULL && may_have(a, action, false));
}

/* ---- steps that both cuts have --------------------------------------------------------- */

static bool is_stored(const struct ir_expr *target) {
  return target->kind == IR_VARIABLE || target->kind == IR_ELEMENT;
}

static void store(struct making *m, const struct ir_expr *target, uint32_t temporary) {
  m->steps.more |= !is_stored(target) || target->variable->is_const ||
                   (target->kind == IR_ELEMENT && apart_is_unseen(target->a));
  if (is_stored(target) && !target->variable->is_const)
    making_store(m, target, temporary);
}

static void work_out(struct making *m, const struct ir_expr *value, const struct ir_type *type,
                     uint32_t temporary) {
  making_work_out(m, value, type, temporary)->is_unseen = apart_is_unseen(value);
}

static void move_to(struct making *m, const struct ir_move *move) {
  const bool ends = (move->edge->flags & IR_ENDS) != 0;
  struct small_step *step = making_add(m, ends ? SMALL_END : SMALL_MOVE);
  step->process = move->process;
  step->edge = move->edge;
  step->number = move->number;
}

static void store_received(struct making *m, const struct ir_operation *o, uint32_t first) {
  for (uint32_t i = 0; i < o->n_values; i++)
    if (o->value[i]->kind != IR_MATCH && o->value[i]->kind != IR_DROP &&
        o->value[i]->kind != IR_CONST)
      store(m, o->value[i], first + i);
}

static void work_out_sent(struct making *m, const struct ir_operation *o,
                          const struct ir_channel *c, uint32_t first) {
  for (uint32_t i = 0; i < o->n_values; i++)
    work_out(m, o->value[i], c == NULL ? NULL : c->field[i], first + i);
}

/* Who may begin: for analyses one seat, or (TS_NONE) any of the template's, of which nothing
 * is known then; to go backward whoever has. */
struct birth {
  bool is_analysis;
  uint32_t seat;
};

static void add_births(struct making *m, const struct apart *a, const struct ir_effect *run,
                       const struct birth *birth, uint32_t first) {
  for (uint32_t i = 0; i < a->plain->n_processes; i++) {
    if (a->seat[i].seat->process != run->process ||
        (birth->seat != TS_NONE && birth->seat != i))
      continue;
    struct small_step *step = making_add(m, SMALL_BIRTH);
    step->run = run;
    step->temporary = first;
    step->n = run->n_arguments;
    step->process = a->plain->process[i];
    step->number = a->seat[i].number;
    step->is_unseen = birth->seat == TS_NONE;
  }
}

static void begin_process(struct making *m, const struct apart *a, const struct ir_effect *run,
                          const struct birth *birth) {
  const uint32_t first = making_temporaries(m, run->n_arguments + 1);
  for (uint32_t i = 0; i < run->n_arguments; i++)
    work_out(m, run->argument[i],
             i < run->process->n_parameters ? run->process->variable[i]->type : NULL,
             first + i);
  if (birth->is_analysis) {
    struct ir_expr *number = ARENA_NEW(m->arena, struct ir_expr);
    *number = (struct ir_expr){.kind = IR_LIVE, .span = run->span};
    if (birth->seat != TS_NONE)
      *number =
          (struct ir_expr){.kind = IR_CONST, .value = (int32_t)a->seat[birth->seat].number};
    add_births(m, a, run, birth, first);
    work_out(m, number, NULL, first + run->n_arguments);
  } else {
    struct small_step *step = making_add(m, SMALL_RUN);
    step->run = run;
    step->temporary = first;
    step->n = run->n_arguments;
  }
  if (run->target != NULL)
    store(m, run->target, first + run->n_arguments);
}

static void effects(struct making *m, const struct apart *a, const struct ir_effect *effect,
                    uint32_t n, const struct birth *birth) {
  for (uint32_t i = 0; i < n; i++) {
    const struct ir_effect *e = &effect[i];
    if (e->kind == IR_ASSIGN) {
      const uint32_t temporary = making_temporaries(m, 1);
      work_out(m, e->value, NULL, temporary);
      store(m, e->target, temporary);
    } else if (e->kind == IR_RUN) {
      begin_process(m, a, e, birth);
    } else {
      m->steps.more |= e->kind != IR_ASSERT && e->kind != IR_PRINT;
    }
  }
}

static const struct birth backward = {false, TS_NONE}, anybody = {true, TS_NONE};

/* ---- to go backward ------------------------------------------------------------------- */

static struct small_steps steps_of(const struct apart *a, uint32_t action) {
  struct making m = {.arena = a->whole->arena};
  const struct ir_move *move = a->actions->at[action].move;
  const struct ir_operation *o = move->edge->operation;
  move_to(&m, move);
  if (move->edge->flags & IR_ENDS)
    return m.steps;
  if (o != NULL) {
    const uint32_t first = making_temporaries(&m, o->n_values);
    m.steps.more |= apart_is_unseen(o->channel) && a->constant[action] == NULL;
    if (o->is_send)
      work_out_sent(&m, o, a->constant[action], first);
    struct small_step *step = making_add(&m, SMALL_OPERATE);
    step->operation = o;
    step->channel = a->constant[action];
    step->process = move->process;
    step->temporary = first;
    step->n = o->n_values;
    if (!o->is_send)
      store_received(&m, o, first);
  }
  effects(&m, a, move->edge->effect, move->edge->n_effects, &backward);
  return m.steps;
}

const struct small_steps *seat_steps(const struct apart *a) {
  struct small_steps *steps =
      ARENA_ARRAY(a->whole->arena, a->actions->n + (size_t)1, struct small_steps);
  for (uint32_t i = 0; i < a->actions->n; i++)
    steps[i] = steps_of(a, i);
  return steps;
}

const struct small_steps *seat_starts(const struct apart *a) {
  struct small_steps *steps =
      ARENA_ARRAY(a->whole->arena, a->plain->n_processes + (size_t)1, struct small_steps);
  for (uint32_t i = 0; i < a->plain->n_processes; i++) {
    struct making m = {.arena = a->whole->arena};
    effects(&m, a, a->seat[i].start, a->plain->process[i]->n_starts, &backward);
    steps[i] = m.steps;
  }
  return steps;
}

/* ---- all that may happen --------------------------------------------------------------- */

struct all {
  const struct apart *a;
  struct {
    struct ir_action *at;
    uint32_t n, capacity;
  } action;
  struct {
    struct small_steps *at;
    uint32_t n, capacity;
  } steps;
};

/* The move or moves, which stay where they are. */
static void add_action(struct all *all, const struct ir_move *move, uint32_t n_moves,
                       const struct small_steps *steps) {
  struct arena *arena = all->a->whole->arena;
  *ARENA_PUSH(arena, &all->action) = (struct ir_action){n_moves, move};
  *ARENA_PUSH(arena, &all->steps) = *steps;
}

/* Whether the operation may be on this channel of the plain model. */
static bool may_be_on(const struct all *all, uint32_t action, uint32_t channel) {
  const struct apart *a = all->a;
  const struct ir_channel *c = a->plain->channel[channel];
  if (a->actions->at[action].move->edge->operation->n_values != c->n_fields)
    return false;
  if (a->constant[action] != NULL)
    return a->constant[action] == c;
  return which_has(&a->which[action], a->whole->channel[c->index],
                   channel < a->n_global_channels ? (int32_t)channel + 1 : 0);
}

static void add_buffered(struct all *all, uint32_t action, const struct ir_channel *c) {
  const struct ir_move *move = all->a->actions->at[action].move;
  const struct ir_operation *o = move->edge->operation;
  struct making m = {.arena = all->a->whole->arena};
  const uint32_t first = making_temporaries(&m, o->n_values);
  move_to(&m, move);
  if (o->is_send)
    work_out_sent(&m, o, c, first);
  for (int32_t put = o->is_send; put <= (o->is_send || o->keep); put++) {
    struct small_step *step = making_add(&m, put ? SMALL_PUT : SMALL_TAKE);
    step->channel = c;
    step->temporary = first;
    step->n = o->n_values;
  }
  if (!o->is_send)
    store_received(&m, o, first);
  effects(&m, all->a, move->edge->effect, move->edge->n_effects, &anybody);
  add_action(all, move, 1, &m.steps);
}

static void add_handshake(struct all *all, uint32_t sender, uint32_t receiver,
                          const struct ir_channel *c) {
  struct arena *arena = all->a->whole->arena;
  struct making m = {.arena = arena};
  struct ir_move *move = ARENA_ARRAY(arena, 2, struct ir_move);
  move[0] = *all->a->actions->at[sender].move;
  move[1] = *all->a->actions->at[receiver].move;
  const struct ir_operation *o = move[1].edge->operation;
  const uint32_t first = making_temporaries(&m, o->n_values);
  work_out_sent(&m, move[0].edge->operation, c, first);
  move_to(&m, &move[0]);
  effects(&m, all->a, move[0].edge->effect, move[0].edge->n_effects, &anybody);
  move_to(&m, &move[1]);
  store_received(&m, o, first);
  effects(&m, all->a, move[1].edge->effect, move[1].edge->n_effects, &anybody);
  add_action(all, move, 2, &m.steps);
}

static void add_handshakes(struct all *all, uint32_t sender, uint32_t channel) {
  const struct ir_actions *actions = all->a->actions;
  for (uint32_t i = 0; i < actions->n && all->action.n < MOST_ACTIONS; i++) {
    const struct ir_operation *o = actions->at[i].move->edge->operation;
    if (o != NULL && !o->is_send && !o->keep &&
        actions->at[i].move->number != actions->at[sender].move->number &&
        may_be_on(all, i, channel))
      add_handshake(all, sender, i, all->a->plain->channel[channel]);
  }
}

static void add_operation(struct all *all, uint32_t action) {
  const struct ir_model *plain = all->a->plain;
  const bool is_send = all->a->actions->at[action].move->edge->operation->is_send;
  for (uint32_t i = 0; i < plain->n_channels && all->action.n < MOST_ACTIONS; i++) {
    if (!may_be_on(all, action, i))
      continue;
    if (plain->channel[i]->capacity > 0)
      add_buffered(all, action, plain->channel[i]);
    else if (is_send)
      add_handshakes(all, action, i);
  }
}

static void add_plain(struct all *all, const struct ir_move *move, const struct birth *birth) {
  struct making m = {.arena = all->a->whole->arena};
  move_to(&m, move);
  effects(&m, all->a, move->edge->effect, move->edge->n_effects, birth);
  add_action(all, move, 1, &m.steps);
}

/* The template of the one process that it begins; NULL: none, or more. */
static const struct ir_process *only_run(const struct ir_edge *e) {
  const struct ir_process *only = NULL;
  for (uint32_t i = 0; i < e->n_effects; i++) {
    if (e->effect[i].kind == IR_RUN && only != NULL)
      return NULL;
    if (e->effect[i].kind == IR_RUN)
      only = e->effect[i].process;
  }
  return only;
}

static void add_edge(struct all *all, uint32_t action) {
  const struct ir_move *move = all->a->actions->at[action].move;
  const struct ir_process *run = only_run(move->edge);
  if (move->edge->operation != NULL) {
    add_operation(all, action);
    return;
  }
  if (run == NULL)
    add_plain(all, move, &anybody);
  for (uint32_t i = 0; run != NULL && i < all->a->plain->n_processes; i++)
    if (all->a->seat[i].seat->process == run)
      add_plain(all, move, &(struct birth){true, i});
}

/* Variables that get the number of a channel when it is made: its owner's (NULL: globals). */
static void store_handles(struct making *m, const struct apart *a,
                          const struct ir_process *owner) {
  for (uint32_t i = 0; i < a->plain->n_channels; i++) {
    const struct ir_channel *c = a->plain->channel[i];
    if (c->owner != owner || c->handle == NULL || c->handle->is_const || c->handle->length == 0)
      continue;
    struct ir_expr *e = ARENA_ARRAY(m->arena, 3, struct ir_expr);
    e[0] = (struct ir_expr){.kind = IR_CONST, .value = (int32_t)c->handle_element};
    e[1] = (struct ir_expr){.kind = IR_ELEMENT, .variable = c->handle, .a = &e[0]};
    e[2] = owner == NULL ? (struct ir_expr){.kind = IR_CONST, .value = (int32_t)i + 1}
                         : (struct ir_expr){.kind = IR_LIVE}; /* any number of a byte */
    const uint32_t temporary = making_temporaries(m, 1);
    work_out(m, &e[2], NULL, temporary);
    store(m, &e[1], temporary);
  }
}

/* Where a process begins, it does something to itself first; the first of all stands in for
 * the beginning of the model, too. */
static void add_start(struct all *all, uint32_t seat) {
  struct arena *arena = all->a->whole->arena;
  const struct ir_process *p = all->a->plain->process[seat];
  struct making m = {.arena = arena};
  struct ir_edge *edge = ARENA_NEW(arena, struct ir_edge);
  struct ir_move *move = ARENA_NEW(arena, struct ir_move);
  *edge = (struct ir_edge){.from = p->initial, .to = p->initial};
  *move = (struct ir_move){p, edge, all->a->seat[seat].number};
  move_to(&m, move);
  if (seat == 0)
    store_handles(&m, all->a, NULL);
  store_handles(&m, all->a, p);
  effects(&m, all->a, all->a->seat[seat].start, p->n_starts, &anybody);
  if (m.steps.n > 1)
    add_action(all, move, 1, &m.steps);
}

const struct seat_all *seat_all(const struct apart *a) {
  struct arena *arena = a->whole->arena;
  struct all all = {.a = a};
  for (uint32_t i = 0; i < a->plain->n_processes; i++)
    add_start(&all, i);
  for (uint32_t i = 0; i < a->actions->n && all.action.n < MOST_ACTIONS; i++)
    add_edge(&all, i);
  if (all.action.n >= MOST_ACTIONS)
    return NULL;
  struct ir_actions *actions = ARENA_NEW(arena, struct ir_actions);
  struct seat_all *found = ARENA_NEW(arena, struct seat_all);
  *actions = (struct ir_actions){all.action.n, all.action.at, NULL};
  *found = (struct seat_all){actions, all.steps.at};
  return found;
}
