/* actions.c - which edges, and which pairs of edges, are the system's actions.
 *
 * Every edge of a process is an action, except those on rendezvous channels: each
 * pair of a sender and a receiver in different processes is one. Pairs of which
 * only one side is at a committed location can never move together and are
 * left out. The numbering ascends the way the generated code looks for events, so
 * that the order of events needs no sorting.
 */
#include "ir/ir.h"

#include <string.h>

struct receivers { /* of one channel, by process, then in the order of the text */
  struct ir_move *at;
  uint32_t n, capacity;
};

struct builder {
  const struct ir_model *model;
  struct receivers *receiver; /* by channel */
  struct ir_action *action;   /* NULL while counting */
  struct ir_move *move;
  uint64_t n_actions, n_moves;
};

static bool is_committed(const struct ir_process *p, uint32_t location) {
  return p->location[location].flags & IR_COMMITTED;
}

static bool is_handshake(const struct ir_model *m, const struct ir_edge *e) {
  return !m->synchronous && e->sync != IR_NO_SYNC && e->channel->capacity == 0;
}

static void collect_receivers(struct builder *b) {
  const struct ir_model *m = b->model;
  b->receiver = ARENA_ARRAY(m->arena, m->n_channels, struct receivers);
  for (uint32_t p = 0; p < m->n_processes; p++) {
    const struct ir_process *process = m->process[p];
    for (uint32_t i = 0; !process->is_property && i < process->n_edges; i++) {
      const struct ir_edge *e = &process->edge[i];
      if (is_handshake(m, e) && e->sync == IR_RECEIVE) {
        struct receivers *list = &b->receiver[e->channel->index];
        *ARENA_PUSH(m->arena, list) = (struct ir_move){process, e, 0};
      }
    }
  }
}

static void add_action(struct builder *b, struct ir_move first, const struct ir_move *second) {
  if (b->action) {
    struct ir_move *move = &b->move[b->n_moves];
    b->action[b->n_actions] = (struct ir_action){second ? 2 : 1, move};
    move[0] = first;
    if (second)
      move[1] = *second;
  }
  b->n_actions++;
  b->n_moves += second ? 2 : 1;
}

static void add_handshakes(struct builder *b, struct ir_move sender) {
  const struct receivers *list = &b->receiver[sender.edge->channel->index];
  bool committed = is_committed(sender.process, sender.edge->from);
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i].process != sender.process &&
        is_committed(list->at[i].process, list->at[i].edge->from) == committed)
      add_action(b, sender, &list->at[i]);
}

static void add_edge(struct builder *b, const struct ir_process *p, const struct ir_edge *e) {
  struct ir_move move = {p, e, 0};
  if (!is_handshake(b->model, e))
    add_action(b, move, NULL);
  else if (e->sync == IR_SEND)
    add_handshakes(b, move);
}

const struct ir_edge **ir_edges_in_order(struct arena *arena, const struct ir_process *p) {
  const struct ir_edge **sorted = ARENA_ARRAY(arena, p->n_edges, const struct ir_edge *);
  uint32_t *next = ARENA_ARRAY(arena, p->n_locations + (size_t)1, uint32_t);
  for (uint32_t i = 0; i < p->n_edges; i++)
    next[p->edge[i].from + 1]++;
  for (uint32_t i = 1; i <= p->n_locations; i++)
    next[i] += next[i - 1];
  for (uint32_t i = 0; i < p->n_edges; i++)
    sorted[next[p->edge[i].from]++] = &p->edge[i];
  return sorted;
}

const uint32_t *ir_edges_first(struct arena *arena, const struct ir_process *p) {
  uint32_t *first = ARENA_ARRAY(arena, p->n_locations + (size_t)1, uint32_t);
  for (uint32_t i = 0; i < p->n_edges; i++)
    first[p->edge[i].from + 1]++;
  for (uint32_t i = 1; i <= p->n_locations; i++)
    first[i] += first[i - 1];
  return first;
}

/* One pass; false as soon as there are too many. */
static bool add_all(struct builder *b, const struct ir_edge ***sorted, uint32_t *first) {
  const struct ir_model *m = b->model;
  b->n_actions = b->n_moves = 0;
  for (uint32_t p = 0; p < m->n_processes; p++) {
    first[p] = (uint32_t)b->n_actions;
    for (uint32_t i = 0; !m->process[p]->is_property && i < m->process[p]->n_edges; i++) {
      add_edge(b, m->process[p], sorted[p][i]);
      if (b->n_actions >= IR_MAX_ACTIONS)
        return false;
    }
  }
  first[m->n_processes] = (uint32_t)b->n_actions;
  if (m->synchronous) {
    if (b->action)
      b->action[b->n_actions] = (struct ir_action){0, NULL};
    b->n_actions++;
  }
  return true;
}

static struct ir_actions *too_many(const struct ir_model *m, const char **why) {
  *why = arena_printf(m->arena, "the model has more than %u actions (edges and pairs of edges)",
                      IR_MAX_ACTIONS);
  return NULL;
}

/* Each edge of each seat, the highest slot first. */
static const struct ir_actions *seat_actions(const struct ir_model *m, const char **why) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < m->n_slots; i++)
    for (uint32_t k = 0; k < m->slot[i].n_seats; k++)
      n += m->slot[i].seat[k].process->n_edges;
  if (n > IR_MAX_ACTIONS)
    return too_many(m, why);
  const struct ir_edge ***sorted =
      ARENA_ARRAY(m->arena, m->n_processes, const struct ir_edge **);
  for (uint32_t p = 0; p < m->n_processes; p++)
    sorted[p] = ir_edges_in_order(m->arena, m->process[p]);
  struct ir_action *action = ARENA_ARRAY(m->arena, n, struct ir_action);
  struct ir_move *move = ARENA_ARRAY(m->arena, n, struct ir_move);
  uint32_t a = 0;
  for (uint32_t i = m->n_slots; i-- > 0;)
    for (uint32_t k = 0; k < m->slot[i].n_seats; k++) {
      const struct ir_process *p = m->slot[i].seat[k].process;
      m->slot[i].seat[k].first_action = a;
      for (uint32_t j = 0; j < p->n_edges; j++, a++) {
        move[a] = (struct ir_move){p, sorted[p->index][j], i};
        action[a] = (struct ir_action){1, &move[a]};
      }
    }
  struct ir_actions *actions = ARENA_NEW(m->arena, struct ir_actions);
  *actions = (struct ir_actions){a, action, NULL};
  return actions;
}

const struct ir_actions *ir_actions(const struct ir_model *m, const char **why) {
  struct builder b = {.model = m};
  if (m->has_instances)
    return seat_actions(m, why);
  collect_receivers(&b);
  const struct ir_edge ***sorted =
      ARENA_ARRAY(m->arena, m->n_processes, const struct ir_edge **);
  for (uint32_t p = 0; p < m->n_processes; p++)
    sorted[p] = ir_edges_in_order(m->arena, m->process[p]);
  uint32_t *first = ARENA_ARRAY(m->arena, m->n_processes + (size_t)1, uint32_t);
  if (!add_all(&b, sorted, first))
    return too_many(m, why);
  b.action = ARENA_ARRAY(m->arena, b.n_actions, struct ir_action);
  b.move = ARENA_ARRAY(m->arena, b.n_moves, struct ir_move);
  add_all(&b, sorted, first);
  struct ir_actions *actions = ARENA_NEW(m->arena, struct ir_actions);
  *actions = (struct ir_actions){(uint32_t)b.n_actions, b.action, first};
  return actions;
}
