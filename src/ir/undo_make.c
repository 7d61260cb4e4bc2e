/* undo_make.c - what is known of a model that is to go backward: made once, used by undo.c. */
#include "ir/undo_walk.h"

#include "ir/undo.h"

static const char *why_not(const struct ir_model *m, const struct ts_shape *shape) {
  if (m->synchronous)
    return "all of its processes move at once";
  if (shape->n_slots > TS_MAX_BYTES)
    return "its states are too long";
  if (m->n_merged > 0)
    return "some of its steps are merged";
  if (m->embedded != NULL)
    return "it has text in C";
  if (m->uses_last)
    return "it is asked who moved last";
  if (m->uses_priority)
    return "its processes have priorities";
  if (m->lossy)
    return "its channels may lose messages";
  if (m->trace != NULL)
    return "a trace follows its messages";
  return NULL;
}

/* No location is committed, and each message has all of its fields. */
static bool is_plain(const struct ir_model *m) {
  for (uint32_t p = 0; p < m->n_processes; p++) {
    const struct ir_process *process = m->process[p];
    for (uint32_t i = 0; i < process->n_locations; i++)
      if (process->location[i].flags & IR_COMMITTED)
        return false;
    for (uint32_t i = 0; i < process->n_edges; i++) {
      const struct ir_edge *e = &process->edge[i];
      if (e->sync != IR_NO_SYNC && e->channel->capacity > 0 &&
          e->n_values != e->channel->n_fields)
        return false;
    }
  }
  return true;
}

static uint32_t leads_to(const struct undo *u, uint32_t action) {
  const struct ir_move *move = u->actions->at[action].move;
  return move->edge->flags & IR_ENDS ? move->process->n_locations : move->edge->to;
}

/* The actions by where their first process is afterwards, but for those that are compiled:
 * where those of each location begin in the order that is given back. */
static const uint32_t *sort_actions(const struct undo *u, const uint32_t **start) {
  const struct ir_model *m = u->model;
  const uint32_t n = u->first[m->n_processes];
  uint32_t *at = ARENA_ARRAY(m->arena, n + (size_t)2, uint32_t);
  uint32_t *order = ARENA_ARRAY(m->arena, u->actions->n + (size_t)1, uint32_t);
  for (uint32_t i = 0; i < u->actions->n; i++) {
    at[u->first[u->actions->at[i].move->process->index] + leads_to(u, i) + 2] +=
        !u->compiled[i];
  }
  for (uint32_t i = 2; i <= n; i++)
    at[i] += at[i - 1];
  for (uint32_t i = 0; i < u->actions->n; i++) {
    if (!u->compiled[i])
      order[at[u->first[u->actions->at[i].move->process->index] + leads_to(u, i) + 1]++] = i;
  }
  *start = at;
  return order;
}

static const uint32_t *number_locations(const struct ir_model *m) {
  uint32_t *first = ARENA_ARRAY(m->arena, m->n_processes + (size_t)1, uint32_t);
  for (uint32_t p = 0; p < m->n_processes; p++)
    first[p + 1] =
        first[p] + m->process[p]->n_locations + 1; /* the last one: ends of processes */
  return first;
}

void undo_compiled(struct undo *u) {
  u->rest = sort_actions(u, &u->rest_start);
  u->has_rest = u->rest_start[u->first[u->model->n_processes]] > 0;
}

/* The same, and nothing is left out because it cannot be reached. */
static const struct undo *of_types(const struct undo *u) {
  struct undo *all = ARENA_NEW(u->model->arena, struct undo);
  *all = *u;
  all->bounds = bounds_of_types(u->model, u->shape);
  all->pairs = NULL;
  all->patience = UNDO_PATIENCE;
  return all;
}

struct undo *ir_undo(const struct ir_model *m, const struct ir_actions *actions,
                     const struct ts_shape *shape, const char **why) {
  *why = why_not(m, shape);
  if (*why != NULL)
    return NULL;
  struct undo *u = ARENA_NEW(m->arena, struct undo);
  u->shape = shape;
  if (m->has_instances && !undo_open_seats(u, m, actions, shape)) {
    *why = "it has too many actions";
    return NULL;
  }
  if (!m->has_instances) {
    struct small_steps *steps =
        ARENA_ARRAY(m->arena, actions->n + (size_t)1, struct small_steps);
    for (uint32_t i = 0; i < actions->n; i++)
      steps[i] = small_steps_of(m, &actions->at[i]);
    u->model = m;
    u->actions = actions;
    u->steps = steps;
    u->bounds = bounds_find(m, actions, shape, steps);
    u->pairs = pairs_find(m, actions, shape, steps, u->bounds, NULL);
    u->is_plain = is_plain(m);
  }
  u->patience = 1;
  u->first = number_locations(u->model);
  u->compiled = ARENA_ARRAY(m->arena, u->actions->n + (size_t)1, bool);
  u->order = sort_actions(u, &u->start);
  undo_compiled(u);
  u->all = m->has_instances ? u : of_types(u);
  return u;
}
