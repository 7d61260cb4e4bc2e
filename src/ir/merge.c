/* merge.c - statement merging: a step that nobody else can notice is joined to the one before
 * it, and the states in between are not stored.
 *
 * The method is that of Holzmann, "The engineering of a model checker: the Gnu i-protocol case
 * study revisited" (SPIN 1999), after Schoot and Ural; what may be merged is decided here by
 * the facts of partial order reduction (ts/control.h). A location is *quiet* if of no step from
 * there it makes a difference whether others move before or after it: nobody else touches what
 * it touches in a way that conflicts, nobody can enable it where it is not enabled, and neither
 * properties nor claims look at what it changes. Then the steps of the process are a persistent
 * set wherever it is there, and are done at once: each edge to a quiet location keeps control,
 * as in an atomic sequence (ir.h), so that whatever knows such sequences knows merged steps.
 * Where none of the steps is enabled, the state is stored after all; it may be a deadlock.
 *
 * That an event of another process is put off permanently is ruled out by a location that is
 * not quiet on each cycle of control. Why all this is sound: docs/merging.md.
 */
#include "ir/ir.h"

#include "ts/control.h"
#include "ts/facts.h"

#include <string.h>

/* A location at which control may divide is merged while one event has no more ends. */
#define MERGE_MOST_WAYS 8u

enum { NOBODY = 0, MANY = UINT32_MAX };

struct merge {
  const struct ir_model *model;
  const struct ts_control *control;
  uint32_t *user;    /* by item: the one process that touches it + 1, or NOBODY, or MANY, */
  uint16_t *ways;    /* in which ways anybody does, */
  uint16_t *watched; /* and those of properties and claims */
};

/* ---- what nobody else can notice ------------------------------------------------------- */

/* The facts of the model where claims are properties, too. */
static const struct ts_control *control_with_claims(const struct ir_model *m,
                                                    const struct ir_actions *actions,
                                                    const struct ts_shape *shape) {
  struct ir_model asked = *m;
  struct ts_shape facts = *shape;
  asked.n_properties = m->n_properties + m->atoms.n;
  asked.property = ARENA_ARRAY(m->arena, asked.n_properties + (size_t)1, struct ir_property);
  for (uint32_t i = 0; i < asked.n_properties; i++)
    asked.property[i] = i < m->n_properties ? m->property[i] : m->atoms.at[i - m->n_properties];
  ir_control(&asked, actions, &facts);
  return facts.control;
}

static void find_users(struct merge *m) {
  const struct ts_control *c = m->control;
  struct arena *arena = m->model->arena;
  m->user = ARENA_ARRAY(arena, c->n_items + (size_t)1, uint32_t);
  m->ways = ARENA_ARRAY(arena, c->n_items + (size_t)1, uint16_t);
  m->watched = ARENA_ARRAY(arena, c->n_items + (size_t)1, uint16_t);
  for (uint32_t s = 0; s < c->n_steps; s++)
    for (uint32_t i = c->first_touch[s]; i < c->first_touch[s + 1]; i++) {
      uint32_t item = c->touch[i].item, process = c->step[s].process + 1;
      m->ways[item] |= c->touch[i].ways;
      m->user[item] = m->user[item] == NOBODY || m->user[item] == process ? process : MANY;
    }
  for (uint32_t i = 0; i < c->n_watched; i++)
    m->watched[c->watched[i].item] |= c->watched[i].ways;
}

static bool is_noticed(const struct merge *m, const struct ts_touch *t) {
  static const unsigned conflicts[] = TS_TOUCH_CONFLICTS, enables[] = TS_TOUCH_ENABLES;
  unsigned minds = ts_touch_against(t->ways, conflicts);
  if (minds & m->watched[t->item])
    return true;
  if (m->user[t->item] != MANY)
    return false;
  return ((minds | ts_touch_against(t->guard, enables)) & m->ways[t->item]) != 0;
}

/* Whether nobody notices when the steps from here are taken; locations are those of the
 * control. */
static bool is_quiet_there(const struct merge *m, uint32_t location) {
  const struct ts_control *c = m->control;
  for (uint32_t s = c->first_step[location]; s < c->first_step[location + 1]; s++) {
    if (c->step[s].flags != 0 || c->starts.start[s] != c->starts.start[s + 1])
      return false;
    for (uint32_t i = c->first_touch[s]; i < c->first_touch[s + 1]; i++)
      if (is_noticed(m, &c->touch[i]))
        return false;
  }
  return c->first_step[location] < c->first_step[location + 1];
}

/* ---- the control graph of a template ------------------------------------------------------
 */

struct graph {
  const struct ir_process *process;
  const struct ir_edge **edge; /* by location, */
  const uint32_t *first;       /* and where those of each begin */
  bool *quiet;                 /* by location */
  uint8_t *color;
  uint32_t *stack, *next;
  uint32_t *order, n_order; /* as they were left: each after those that it leads to */
  uint32_t *ways;
};

enum { NEW, ON_THE_WAY, LEFT };

static void open_graph(struct graph *g, const struct ir_model *m, const struct ir_process *p) {
  uint32_t n = p->n_locations;
  *g = (struct graph){.process = p,
                      .edge = ir_edges_in_order(m->arena, p),
                      .first = ir_edges_first(m->arena, p),
                      .quiet = ARENA_ARRAY(m->arena, n, bool),
                      .color = ARENA_ARRAY(m->arena, n, uint8_t),
                      .stack = ARENA_ARRAY(m->arena, n, uint32_t),
                      .next = ARENA_ARRAY(m->arena, n, uint32_t),
                      .order = ARENA_ARRAY(m->arena, n, uint32_t),
                      .ways = ARENA_ARRAY(m->arena, n, uint32_t)};
}

static void enter(struct graph *g, uint32_t *n, uint32_t location) {
  g->color[location] = ON_THE_WAY;
  g->next[location] = g->first[location];
  g->stack[(*n)++] = location;
}

/* Depth first from here. Among quiet locations only (`cuts`), and then an edge back to the way
 * makes its target one that is not quiet: where a loop is entered it begins. */
static void visit(struct graph *g, uint32_t root, bool cuts) {
  uint32_t n = 0;
  enter(g, &n, root);
  while (n > 0) {
    uint32_t at = g->stack[n - 1];
    if (g->next[at] == g->first[at + 1]) {
      g->color[at] = LEFT;
      g->order[g->n_order++] = at;
      n--;
      continue;
    }
    uint32_t to = g->edge[g->next[at]++]->to;
    if (cuts && g->color[to] == ON_THE_WAY)
      g->quiet[to] = false;
    else if (g->color[to] == NEW && (!cuts || g->quiet[to]))
      enter(g, &n, to);
  }
}

/* No cycle of control is quiet everywhere. Locations are tried as control comes to them. */
static void cut_cycles(struct graph *g, struct arena *arena) {
  uint32_t n = g->process->n_locations;
  uint32_t *reached = ARENA_ARRAY(arena, n, uint32_t);
  visit(g, g->process->initial, false);
  uint32_t n_reached = g->n_order;
  memcpy(reached, g->order, n_reached * sizeof *reached);
  memset(g->color, NEW, n);
  g->n_order = 0;
  for (uint32_t i = n_reached; i-- > 0;)
    if (g->quiet[reached[i]] && g->color[reached[i]] == NEW)
      visit(g, reached[i], true);
}

/* Control is kept after the edge in any case. */
static bool is_held(const struct ir_process *p, const struct ir_edge *e) {
  return (e->flags & IR_KEEPS) != 0 || (p->location[e->to].flags & IR_IN_DSTEP) != 0;
}

/* Whether control, kept, gets from one location to another. */
static bool leads_to(struct graph *g, uint32_t from, uint32_t to) {
  uint32_t n = 0;
  memset(g->color, NEW, g->process->n_locations);
  enter(g, &n, from);
  while (n > 0 && g->color[to] == NEW) {
    uint32_t at = g->stack[--n];
    for (uint32_t k = g->first[at]; k < g->first[at + 1]; k++)
      if (g->color[g->edge[k]->to] == NEW &&
          (g->quiet[g->edge[k]->to] || is_held(g->process, g->edge[k])))
        enter(g, &n, g->edge[k]->to);
  }
  return g->color[to] != NEW;
}

/* The same with the atomic sequences that the model has: no merged step is on a cycle on which
 * control is always kept. */
static void cut_sequences(struct graph *g) {
  const struct ir_process *p = g->process;
  bool any = false, again = true;
  for (uint32_t k = 0; k < p->n_edges; k++)
    any |= is_held(p, &p->edge[k]);
  while (any && again) {
    again = false;
    for (uint32_t k = 0; k < p->n_edges; k++) {
      const struct ir_edge *e = &p->edge[k];
      if (g->quiet[e->to] && !is_held(p, e) && leads_to(g, e->to, e->from)) {
        g->quiet[e->to] = false;
        again = true;
      }
    }
  }
}

/* An event does not have more ends than a few: where control divides again and again, there
 * would be more of them than states are spared. */
static void bound_ways(struct graph *g) {
  for (uint32_t i = 0; i < g->n_order; i++) {
    uint32_t at = g->order[i], ways = 0;
    for (uint32_t k = g->first[at]; k < g->first[at + 1] && ways <= MERGE_MOST_WAYS; k++) {
      uint32_t to = g->edge[k]->to;
      ways += g->quiet[to] ? g->ways[to] : 1;
    }
    g->ways[at] = ways;
    g->quiet[at] &= ways <= MERGE_MOST_WAYS;
  }
}

/* Quiet in each place where the template may be. */
static void find_quiet(const struct merge *m, struct graph *g) {
  const struct ir_model *model = m->model;
  const struct ir_process *p = g->process;
  uint32_t process = 0;
  for (uint32_t l = 0; l < p->n_locations; l++)
    g->quiet[l] = p->n_seats > 0 && (p->location[l].flags & IR_IN_DSTEP) == 0;
  for (uint32_t k = 0; k < p->n_edges; k++)
    g->quiet[p->edge[k].from] &= (p->edge[k].flags & IR_ENDS) == 0;
  for (uint32_t i = 0; i < model->n_slots; i++)
    for (uint32_t k = 0; k < model->slot[i].n_seats; k++, process++) {
      uint32_t first = m->control->process[process].first;
      if (model->slot[i].seat[k].process != p)
        continue;
      for (uint32_t l = 0; l < p->n_locations; l++)
        g->quiet[l] &= is_quiet_there(m, first + l);
    }
}

/* ---- edges --------------------------------------------------------------------------- */

/* A handshake takes control away from its sender, whatever the flags say. */
static bool gives_control(const struct ir_model *m, const struct ir_edge *e) {
  if (e->operation == NULL || !e->operation->is_send)
    return false;
  const struct ir_expr *c = e->operation->channel;
  return c->kind == IR_CONST && c->value >= 1 && (uint32_t)c->value <= m->n_channels &&
         m->channel[c->value - 1]->capacity == 0;
}

static bool is_merged(const struct ir_model *m, const struct graph *g,
                      const struct ir_edge *e) {
  return g->quiet[e->to] && (e->flags & (IR_KEEPS | IR_ENDS)) == 0 && !gives_control(m, e);
}

static uint32_t merge_process(const struct merge *m, struct ir_process *p) {
  struct graph g;
  uint32_t n = 0;
  open_graph(&g, m->model, p);
  find_quiet(m, &g);
  cut_cycles(&g, m->model->arena);
  cut_sequences(&g);
  bound_ways(&g);
  for (uint32_t k = 0; k < p->n_edges; k++)
    n += is_merged(m->model, &g, &p->edge[k]);
  if (n == 0)
    return 0;
  struct ir_edge *edge = ARENA_ARRAY(m->model->arena, p->n_edges, struct ir_edge);
  for (uint32_t k = 0; k < p->n_edges; k++) {
    edge[k] = p->edge[k];
    if (is_merged(m->model, &g, &edge[k]))
      edge[k].flags |= IR_KEEPS;
  }
  p->plain = p->plain == NULL ? p->edge : p->plain;
  p->edge = edge;
  return n;
}

static bool open_merge(struct merge *m, struct ir_model *model,
                       const struct ir_actions *actions, const struct ts_shape *shape) {
  *m = (struct merge){.model = model};
  if (!model->has_instances)
    return false;
  m->control = control_with_claims(model, actions, shape);
  if (m->control == NULL)
    return false;
  find_users(m);
  return true;
}

bool ir_merge(struct ir_model *model, const struct ir_actions *actions,
              const struct ts_shape *shape) {
  struct merge m;
  if (!open_merge(&m, model, actions, shape))
    return false;
  for (uint32_t i = 0; i < model->n_processes; i++)
    model->n_merged += merge_process(&m, model->process[i]);
  return model->n_merged > 0;
}

/* ---- facts for a test ---------------------------------------------------------------------
 */

static uint32_t quiet_of_seat(const struct ir_model *m, uint32_t number,
                              const struct ir_seat *seat, const struct graph *g,
                              struct ts_quiet *quiet) {
  const struct ir_process *p = seat->process;
  uint32_t n = 0;
  for (uint32_t l = 0; l < p->n_locations; l++) {
    if (!g->quiet[l])
      continue;
    quiet[n] = (struct ts_quiet){
        .at = {.location_slot = seat->first_slot + (p->location_slot - p->frame_slot),
               .location = l,
               .live_slot = m->live_varies ? m->live_slot : TS_NONE,
               .number = number,
               .tag_slot = m->slot[number].tag_slot,
               .tag = p->index + 1},
        .first = seat->first_action + g->first[l],
        .n = g->first[l + 1] - g->first[l]};
    n++;
  }
  return n;
}

void ir_merge_facts(struct ir_model *model, const struct ir_actions *actions,
                    struct ts_shape *shape) {
  struct merge m;
  struct ts_facts *facts = ARENA_NEW(model->arena, struct ts_facts);
  if (shape->facts != NULL)
    *facts = *shape->facts;
  shape->facts = facts;
  if (!open_merge(&m, model, actions, shape))
    return;
  struct ts_quiet *quiet = ARENA_ARRAY(model->arena, m.control->n_locations, struct ts_quiet);
  for (uint32_t i = 0; i < model->n_slots; i++)
    for (uint32_t k = 0; k < model->slot[i].n_seats; k++) {
      const struct ir_seat *seat = &model->slot[i].seat[k];
      struct graph g;
      open_graph(&g, model, seat->process);
      find_quiet(&m, &g);
      facts->n_quiet += quiet_of_seat(model, i, seat, &g, quiet + facts->n_quiet);
    }
  facts->quiet = quiet;
}
