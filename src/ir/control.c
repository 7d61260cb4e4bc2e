/* control.c - what the control graph of a template says about what it runs.
 *
 * Without a look at any value: an edge that is on no cycle is taken at most once by each
 * instance, so a template that is run on such edges only is run at most as often as they
 * follow each other on one path. The strongly connected components are found by Tarjan's
 * algorithm
 * ("Depth-first search and linear graph algorithms", SIAM J. Comput. 1, 1972), which numbers
 * them so that each edge between two leads to the smaller number: one pass in that order
 * finds the longest paths.
 */
#include "ir/control.h"

#include <string.h>

struct tarjan {
  struct control *control;
  uint32_t *order, *low; /* by location; order 0: not reached yet */
  uint32_t *stack,
      *next;      /* locations whose component is not known; by location, its next edge */
  uint32_t *path; /* locations whose edges are being followed */
  uint32_t n_order, n_stack, n_path;
};

#define CONTROL_NONE UINT32_MAX

static void enter(struct tarjan *t, uint32_t location) {
  t->order[location] = t->low[location] = ++t->n_order;
  t->next[location] = t->control->first[location];
  t->stack[t->n_stack++] = location;
  t->path[t->n_path++] = location;
}

/* All edges of the location on top of the path have been followed. */
static void leave(struct tarjan *t) {
  uint32_t location = t->path[--t->n_path];
  if (t->n_path > 0) {
    uint32_t above = t->path[t->n_path - 1];
    t->low[above] = t->low[location] < t->low[above] ? t->low[location] : t->low[above];
  }
  if (t->low[location] != t->order[location])
    return;
  uint32_t member;
  do {
    member = t->stack[--t->n_stack];
    t->control->group[member] = t->control->n_groups;
  } while (member != location);
  t->control->n_groups++;
}

static void find_groups(struct tarjan *t) {
  struct control *c = t->control;
  enter(t, c->process->initial);
  while (t->n_path > 0) {
    uint32_t at = t->path[t->n_path - 1];
    if (t->next[at] == c->first[at + 1]) {
      leave(t);
      continue;
    }
    uint32_t to = c->edge[t->next[at]++]->to;
    if (t->order[to] == 0)
      enter(t, to);
    else if (c->group[to] == CONTROL_NONE && t->order[to] < t->low[at])
      t->low[at] = t->order[to];
  }
}

static void groups(const struct ir_model *m, struct control *c) {
  uint32_t n = c->process->n_locations;
  struct tarjan t = {.control = c};
  uint32_t **const list[] = {&t.order, &t.low, &t.stack, &t.next, &t.path};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    *list[i] = ARENA_ARRAY(m->arena, n, uint32_t);
  c->group = ARENA_ARRAY(m->arena, n, uint32_t);
  for (uint32_t i = 0; i < n; i++)
    c->group[i] = CONTROL_NONE;
  find_groups(&t);
}

/* Edges by the component where they begin, smallest first; those that control never reaches
 * are left out. */
static const struct ir_edge **in_order(const struct ir_model *m, const struct control *c,
                                       uint32_t *n) {
  const struct ir_process *p = c->process;
  uint32_t *at = ARENA_ARRAY(m->arena, c->n_groups + (size_t)1, uint32_t);
  const struct ir_edge **sorted = ARENA_ARRAY(m->arena, p->n_edges, const struct ir_edge *);
  for (uint32_t i = 0; i < p->n_edges; i++)
    if (c->group[p->edge[i].from] != CONTROL_NONE)
      at[c->group[p->edge[i].from] + 1]++;
  for (uint32_t g = 1; g <= c->n_groups; g++)
    at[g] += at[g - 1];
  *n = at[c->n_groups];
  for (uint32_t i = 0; i < p->n_edges; i++)
    if (c->group[p->edge[i].from] != CONTROL_NONE)
      sorted[at[c->group[p->edge[i].from]]++] = &p->edge[i];
  return sorted;
}

static uint32_t runs_on(const struct ir_edge *e, const struct ir_process *child) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < e->n_effects; i++)
    n += e->effect[i].kind == IR_RUN && (child == NULL || e->effect[i].process == child);
  return n;
}

/* Most instances of `child` that are run on one path from each component on. */
static uint32_t longest(const struct control *c, const struct ir_edge *const *edge, uint32_t n,
                        const struct ir_process *child, uint32_t *best) {
  memset(best, 0, c->n_groups * sizeof *best);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t from = c->group[edge[i]->from], to = c->group[edge[i]->to];
    uint32_t here = runs_on(edge[i], child);
    if (from == to && here > 0)
      best[from] = IR_MAX_LIVE;
    uint64_t sum = (uint64_t)here + best[to];
    if (from != to && sum > best[from])
      best[from] = sum > IR_MAX_LIVE ? IR_MAX_LIVE : (uint32_t)sum;
  }
  return best[c->group[c->process->initial]];
}

static void bounds(const struct ir_model *m, struct control *c) {
  uint32_t n;
  const struct ir_edge **edge = in_order(m, c, &n);
  uint32_t *best = ARENA_ARRAY(m->arena, c->n_groups, uint32_t);
  c->most = ARENA_ARRAY(m->arena, m->n_processes, uint32_t);
  c->runs = ARENA_ARRAY(m->arena, c->n_groups, bool);
  bool any = false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t from = c->group[edge[i]->from];
    c->runs[from] |= runs_on(edge[i], NULL) > 0 || c->runs[c->group[edge[i]->to]];
    c->can_end |= (edge[i]->flags & IR_ENDS) != 0;
    any |= c->runs[from];
  }
  for (uint32_t q = 0; any && q < m->n_processes; q++)
    c->most[q] = longest(c, edge, n, m->process[q], best);
}

struct control *control_of(const struct ir_model *m, const struct ir_process *p) {
  struct control *c = ARENA_NEW(m->arena, struct control);
  c->process = p;
  c->edge = ir_edges_in_order(m->arena, p);
  c->first = ir_edges_first(m->arena, p);
  groups(m, c);
  bounds(m, c);
  return c;
}
