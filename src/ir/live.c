/* live.c - which processes may live at once, and where.
 *
 * A process has the number of the free place above the others, and place n of the
 * vector holds process n. So that the vector is no longer than it must be, this
 * works out an upper bound on the templates that may ever sit in each slot.
 *
 * What a template can run is found by following the control of one instance with
 * the values of its own variables, as far as they are known: constants, and what is
 * computed from known ones. All else is unknown, and an unknown condition goes both
 * ways. That is an abstract interpretation of one process (every real run of it is
 * among those followed), so `do :: i < 7 -> run P(i); i++ …` is known to run seven.
 * If that takes too long or does not end, there may be any number of them.
 *
 * The order matters too: where one process runs all others before anything can end,
 * the template of each slot is known. Else each slot above the last initial process
 * that cannot end may have whatever is run somewhere.
 */
#include "ir/value.h"

#include <string.h>

#define LIVE_NODES 4000u /* states of one process that are followed */

struct node { /* one process: where it is, how many it has run, its scalars */
  uint32_t location, runs;
  bool free;     /* others may have moved since the first run */
  uint32_t done; /* the value of `free` that it was followed with, plus one */
  struct ir_value *value;
};

struct follow {
  const struct ir_model *model;
  const struct ir_process *process;
  const struct ir_edge **edge; /* by location */
  const uint32_t *first;       /* of each location */
  struct arena *arena;
  struct {
    struct node *at;
    uint32_t n, capacity;
  } nodes;
  uint32_t *table; /* of nodes, by hash; node + 1 */
  bool endless;    /* gave up */
  bool apart;      /* a run may come when others have moved since the first one */
  uint32_t most;   /* runs on one path */
  bool *foreign;   /* by variable: another process writes it */
  uint8_t *runs;   /* runs[k * n_processes + q]: its run number k may be of template q, */
  struct ir_value **argument; /* and what this one is then given, if always the same */
};

/* ---- values -------------------------------------------------------------------------- */

static const struct ir_value unknown = {0, false};

static bool is_own_scalar(const struct follow *f, const struct ir_expr *e) {
  return e->kind == IR_VARIABLE && e->variable->owner == f->process && !e->variable->is_const &&
         !e->variable->is_array;
}

static uint32_t index_of(const struct follow *f, const struct ir_variable *v) {
  for (uint32_t i = 0; i < f->process->n_variables; i++)
    if (f->process->variable[i] == v)
      return i;
  return 0;
}

/* What a node knows: its own scalars. */
struct knowledge {
  const struct follow *follow;
  const struct node *node;
};

static struct ir_value own_scalar(const void *context, const struct ir_expr *e) {
  const struct knowledge *k = context;
  return is_own_scalar(k->follow, e) ? k->node->value[index_of(k->follow, e->variable)]
                                     : unknown;
}

static struct ir_value evaluate(const struct follow *f, const struct node *n,
                                const struct ir_expr *e) {
  return value_of(e, own_scalar, &(struct knowledge){f, n});
}

static void assign(const struct follow *f, struct node *n, const struct ir_expr *target,
                   struct ir_value v) {
  if (!target || !is_own_scalar(f, target))
    return;
  n->value[index_of(f, target->variable)] = value_fitting(v, target->variable->type);
}

/* Variables that another process writes, by a reference into this one, are never known. */
static void find_foreign(struct follow *f) {
  const struct ir_model *m = f->model;
  f->foreign = ARENA_ARRAY(f->arena, f->process->n_variables, bool);
  for (uint32_t p = 0; p < m->n_processes; p++)
    for (uint32_t i = 0; i < m->process[p]->n_edges; i++)
      for (uint32_t k = 0; k < m->process[p]->edge[i].n_effects; k++) {
        const struct ir_expr *t = m->process[p]->edge[i].effect[k].target;
        if (t && t->kind == IR_FOREIGN && t->process == f->process && t->b)
          f->foreign[index_of(f, t->b->variable)] = true;
      }
}

static void forget_foreign(const struct follow *f, struct node *n) {
  for (uint32_t i = 0; i < f->process->n_variables; i++)
    if (f->foreign[i])
      n->value[i] = unknown;
}

/* ---- following one process ----------------------------------------------------------- */

static uint64_t hash_of(const struct follow *f, const struct node *n) {
  uint64_t h = n->location * UINT64_C(0x9E3779B97F4A7C15) + n->runs;
  for (uint32_t i = 0; i < f->process->n_variables; i++)
    h = (h ^ (uint64_t)(uint32_t)n->value[i].at ^ ((uint64_t)n->value[i].known << 32)) *
        UINT64_C(0xBF58476D1CE4E5B9);
  return h ^ h >> 29;
}

static bool same(const struct follow *f, const struct node *a, const struct node *b) {
  if (a->location != b->location || a->runs != b->runs)
    return false;
  for (uint32_t i = 0; i < f->process->n_variables; i++)
    if (a->value[i].known != b->value[i].known || a->value[i].at != b->value[i].at)
      return false;
  return true;
}

static void add_node(struct follow *f, const struct node *n) {
  uint32_t i = (uint32_t)hash_of(f, n) % (2 * LIVE_NODES);
  for (; f->table[i]; i = (i + 1) % (2 * LIVE_NODES)) {
    struct node *old = &f->nodes.at[f->table[i] - 1];
    if (same(f, old, n)) {
      old->free |= n->free;
      return;
    }
  }
  if (f->nodes.n == LIVE_NODES) {
    f->endless = true;
    return;
  }
  uint32_t variables = f->process->n_variables;
  struct node *kept = ARENA_PUSH(f->arena, &f->nodes);
  *kept = *n;
  kept->value = ARENA_ARRAY(f->arena, variables, struct ir_value);
  if (variables)
    memcpy(kept->value, n->value, variables * sizeof *n->value);
  f->table[i] = f->nodes.n;
}

/* What is known of parameters in both cases; *all NULL: there was none so far. */
static void join(struct arena *arena, struct ir_value **all, const struct ir_value *one,
                 uint32_t n) {
  bool first = *all == NULL;
  if (first)
    *all = ARENA_ARRAY(arena, n + (size_t)1, struct ir_value);
  for (uint32_t i = 0; i < n; i++)
    if (first)
      (*all)[i] = one[i];
    else if (!one[i].known || one[i].at != (*all)[i].at)
      (*all)[i] = unknown;
}

static void note_arguments(struct follow *f, const struct node *n, const struct ir_effect *e) {
  const struct ir_process *child = e->process;
  struct ir_value *given = ARENA_ARRAY(f->arena, child->n_parameters, struct ir_value);
  for (uint32_t i = 0; i < child->n_parameters && i < e->n_arguments; i++)
    given[i] = value_fitting(evaluate(f, n, e->argument[i]), child->variable[i]->type);
  join(f->arena, &f->argument[n->runs * f->model->n_processes + child->index], given,
       child->n_parameters);
}

static void note_run(struct follow *f, struct node *n, const struct ir_effect *e) {
  if (n->runs >= IR_MAX_LIVE) {
    f->endless = true;
    return;
  }
  f->apart |= n->runs > 0 && n->free;
  if (n->runs == 0)
    n->free = false;
  f->runs[n->runs * f->model->n_processes + e->process->index] = 1;
  note_arguments(f, n, e);
  if (++n->runs > f->most)
    f->most = n->runs;
}

static void follow_effects(struct follow *f, struct node *n, const struct ir_effect *effect,
                           uint32_t n_effects) {
  for (uint32_t i = 0; i < n_effects; i++) {
    const struct ir_effect *e = &effect[i];
    if (e->kind == IR_RUN) {
      note_run(f, n, e);
      assign(f, n, e->target, unknown);
    } else if (e->kind == IR_ASSIGN) {
      assign(f, n, e->target, evaluate(f, n, e->value));
    }
  }
}

static void follow_edge(struct follow *f, const struct node *from, const struct ir_edge *e,
                        struct ir_value *room) {
  if (e->guard) {
    struct ir_value guard = evaluate(f, from, e->guard);
    if (guard.known && !guard.at)
      return;
  }
  struct node n = *from;
  n.value = room;
  if (f->process->n_variables)
    memcpy(room, from->value, f->process->n_variables * sizeof *room);
  n.location = e->to;
  n.done = 0;
  if (e->operation && !e->operation->is_send)
    for (uint32_t i = 0; i < e->operation->n_values; i++)
      assign(f, &n, e->operation->value[i], unknown);
  for (uint32_t i = 0; e->sync == IR_RECEIVE && i < e->n_values; i++)
    assign(f, &n, e->value[i], unknown);
  follow_effects(f, &n, e->effect, e->n_effects);
  forget_foreign(f, &n);
  bool keeps = (e->flags & IR_KEEPS) || (f->process->location[e->to].flags & IR_IN_DSTEP);
  n.free = !keeps || (from->free && n.runs == from->runs) || e->operation != NULL;
  add_node(f, &n);
}

/* Others can move when control is given away; within a sequence that may block as well. */
static bool may_block(const struct follow *f, const struct node *n) {
  const struct ir_process *p = f->process;
  if (p->provided)
    return true;
  for (uint32_t i = f->first[n->location]; i < f->first[n->location + 1]; i++) {
    const struct ir_edge *e = f->edge[i];
    if (!e->guard && !e->operation && !(e->flags & IR_ENDS))
      return false;
    if (e->guard && e->guard->kind == IR_ELSE)
      return false;
    if (e->guard && !e->operation) {
      struct ir_value v = evaluate(f, n, e->guard);
      if (v.known && v.at)
        return false;
    }
  }
  return true;
}

static bool can_run(const struct ir_process *p) {
  for (uint32_t i = 0; i < p->n_edges; i++)
    for (uint32_t k = 0; k < p->edge[i].n_effects; k++)
      if (p->edge[i].effect[k].kind == IR_RUN)
        return true;
  return false;
}

static void start_node(struct follow *f, struct node *n) {
  const struct ir_process *p = f->process;
  *n = (struct node){.location = p->initial, .free = true};
  n->value = ARENA_ARRAY(f->arena, p->n_variables, struct ir_value);
  for (uint32_t i = 0; i < p->n_variables; i++)
    n->value[i] = i < p->n_parameters
                      ? unknown
                      : value_known(p->variable[i]->initial ? p->variable[i]->initial[0] : 0);
  for (uint32_t i = 0; i < p->n_starts; i++)
    assign(f, n, p->start[i].target, unknown);
  for (uint32_t c = 0; c < f->model->n_channels; c++)
    if (f->model->channel[c]->owner == p && f->model->channel[c]->handle)
      n->value[index_of(f, f->model->channel[c]->handle)] = unknown;
  forget_foreign(f, n);
}

static void follow_process(struct follow *f) {
  const struct ir_process *p = f->process;
  const struct ir_model *m = f->model;
  f->runs = ARENA_ARRAY(f->arena, IR_MAX_LIVE * (size_t)m->n_processes, uint8_t);
  if (!can_run(p))
    return;
  f->argument = ARENA_ARRAY(f->arena, IR_MAX_LIVE * (size_t)m->n_processes, struct ir_value *);
  f->table = ARENA_ARRAY(f->arena, 2 * LIVE_NODES, uint32_t);
  struct ir_value *room = ARENA_ARRAY(f->arena, p->n_variables, struct ir_value);
  struct node first;
  find_foreign(f);
  start_node(f, &first);
  add_node(f, &first);
  for (bool again = true; again && !f->endless;) {
    again = false;
    for (uint32_t i = 0; i < f->nodes.n && !f->endless; i++) {
      if (may_block(f, &f->nodes.at[i]))
        f->nodes.at[i].free = true;
      struct node n = f->nodes.at[i];
      if (n.done == n.free + 1u)
        continue;
      f->nodes.at[i].done = n.free + 1u;
      again = true;
      for (uint32_t k = f->first[n.location]; k < f->first[n.location + 1]; k++)
        follow_edge(f, &n, f->edge[k], room);
    }
  }
}

/* ---- all processes ------------------------------------------------------------------- */

/* Whether control can get from the beginning to an end. */
static bool reaches_end(struct follow *f) {
  const struct ir_process *p = f->process;
  bool *seen = ARENA_ARRAY(f->arena, p->n_locations, bool);
  uint32_t *open = ARENA_ARRAY(f->arena, p->n_locations, uint32_t), n = 1;
  seen[p->initial] = true;
  open[0] = p->initial;
  while (n > 0) {
    const uint32_t at = open[--n];
    for (uint32_t i = f->first[at]; i < f->first[at + 1]; i++) {
      const struct ir_edge *e = f->edge[i];
      if (e->flags & IR_ENDS)
        return true;
      if (!seen[e->to])
        open[n++] = e->to;
      seen[e->to] = true;
    }
  }
  return false;
}

struct living {
  struct ir_model *model;
  struct follow *follow;
  uint32_t *instances; /* by template: at most so many are ever made */
  uint8_t *run;        /* by template: some process may run it */
  uint32_t total;
};

static uint32_t bounded_add(uint64_t a, uint64_t b) {
  return a + b > IR_MAX_LIVE ? IR_MAX_LIVE : (uint32_t)(a + b);
}

/* Runs of template q that one instance of p may do. */
static uint64_t runs_of(const struct living *l, uint32_t p, uint32_t q) {
  const struct follow *f = &l->follow[p];
  uint64_t n = 0;
  for (uint32_t k = 0; k < IR_MAX_LIVE; k++)
    n += f->runs[k * l->model->n_processes + q];
  if (n && f->endless)
    return IR_MAX_LIVE;
  return n;
}

/* What an endless one has not shown may still be in its edges. */
static void note_all_runs(struct follow *f) {
  const struct ir_process *p = f->process;
  for (uint32_t i = 0; f->endless && i < p->n_edges; i++)
    for (uint32_t k = 0; k < p->edge[i].n_effects; k++)
      if (p->edge[i].effect[k].kind == IR_RUN)
        f->runs[p->edge[i].effect[k].process->index] = 1;
}

static void count_instances(struct living *l) {
  struct ir_model *m = l->model;
  uint32_t n = m->n_processes;
  for (bool again = true; again;) {
    again = false;
    l->total = 0;
    for (uint32_t q = 0; q < n; q++) {
      uint64_t made = 0;
      for (uint32_t i = 0; i < m->n_active; i++)
        made += m->active[i]->index == q;
      for (uint32_t p = 0; p < n; p++) {
        uint64_t runs = runs_of(l, p, q);
        l->run[q] |= runs > 0 && l->instances[p] > 0;
        made = bounded_add(made, runs * l->instances[p]);
      }
      made = bounded_add(made, 0);
      if (made != l->instances[q])
        again = true;
      l->instances[q] = (uint32_t)made;
      l->total = bounded_add(l->total, made);
    }
  }
}

static void add_seat(struct ir_model *m, uint32_t slot, struct ir_process *p,
                     const struct ir_value *argument) {
  struct ir_slot *s = &m->slot[slot];
  for (uint32_t i = 0; i < s->n_seats; i++)
    if (s->seat[i].process == p)
      return;
  s->seat[s->n_seats++] = (struct ir_seat){.process = p, .argument = argument};
  p->n_seats++;
}

/* The only instance that runs others, if no process can end before it has run the last
 * one; then its run number k goes to slot n_active + k. UINT32_MAX: there is none. */
static uint32_t only_runner(const struct living *l) {
  const struct ir_model *m = l->model;
  uint32_t runner = UINT32_MAX, instances = 0, place = 0;
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (l->instances[p] && can_run(m->process[p])) {
      runner = p;
      instances += l->instances[p];
    }
  if (runner == UINT32_MAX || instances != 1 || l->follow[runner].endless || l->run[runner])
    return UINT32_MAX;
  for (uint32_t i = 0; i < m->n_active; i++)
    if (m->active[i]->index == runner)
      place = i;
  for (uint32_t i = place + 1; i < m->n_active; i++)
    if (m->active[i]->can_end)
      return UINT32_MAX;
  if (!l->follow[runner].apart)
    return runner;
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (l->run[p] && m->process[p]->can_end)
      return UINT32_MAX;
  return runner;
}

static void seat_in_order(const struct living *l, uint32_t runner) {
  struct ir_model *m = l->model;
  const struct follow *f = &l->follow[runner];
  for (uint32_t i = 0; i < m->n_active; i++)
    add_seat(m, i, m->active[i], NULL);
  for (uint32_t k = 0; m->n_active + k < m->n_slots; k++)
    for (uint32_t q = 0; q < m->n_processes; q++)
      if (f->runs[k * m->n_processes + q])
        add_seat(m, m->n_active + k, m->process[q], f->argument[k * m->n_processes + q]);
}

/* What every run of template q gives it; NULL: not known. */
static const struct ir_value *always_given(const struct living *l, uint32_t q) {
  const struct ir_model *m = l->model;
  struct ir_value *all = NULL;
  for (uint32_t p = 0; p < m->n_processes; p++) {
    const struct follow *f = &l->follow[p];
    if (f->endless)
      return NULL;
    for (uint32_t k = 0; f->argument != NULL && k < IR_MAX_LIVE; k++)
      if (f->argument[k * m->n_processes + q] != NULL)
        join(m->arena, &all, f->argument[k * m->n_processes + q], m->process[q]->n_parameters);
  }
  return all;
}

static void seat_anywhere(const struct living *l) {
  struct ir_model *m = l->model;
  uint32_t fixed = 0;
  for (uint32_t i = 0; i < m->n_active; i++) {
    add_seat(m, i, m->active[i], NULL);
    if (!m->active[i]->can_end)
      fixed = i + 1;
  }
  for (uint32_t q = 0; q < m->n_processes; q++) {
    const struct ir_value *given = l->run[q] ? always_given(l, q) : NULL;
    for (uint32_t i = fixed ? fixed : 1; l->run[q] && i < m->n_slots; i++)
      add_seat(m, i, m->process[q], given);
  }
}

void ir_live(struct ir_model *m) {
  uint32_t n = m->n_processes;
  struct living l = {.model = m,
                     .follow = ARENA_ARRAY(m->arena, n, struct follow),
                     .instances = ARENA_ARRAY(m->arena, n, uint32_t),
                     .run = ARENA_ARRAY(m->arena, n, uint8_t)};
  for (uint32_t p = 0; p < n; p++) {
    m->process[p]->n_seats = 0;
    l.follow[p] = (struct follow){.model = m,
                                  .process = m->process[p],
                                  .edge = ir_edges_in_order(m->arena, m->process[p]),
                                  .first = ir_edges_first(m->arena, m->process[p]),
                                  .arena = m->arena};
    m->process[p]->can_end = reaches_end(&l.follow[p]);
    follow_process(&l.follow[p]);
    note_all_runs(&l.follow[p]);
  }
  count_instances(&l);
  uint32_t runner = only_runner(&l);
  m->n_slots = m->n_active;
  if (runner != UINT32_MAX)
    m->n_slots = bounded_add(m->n_active, l.follow[runner].most);
  else if (l.total > m->n_active)
    m->n_slots = l.total;
  m->slot = ARENA_ARRAY(m->arena, m->n_slots, struct ir_slot);
  for (uint32_t i = 0; i < m->n_slots; i++)
    m->slot[i].seat = ARENA_ARRAY(m->arena, n, struct ir_seat);
  if (runner != UINT32_MAX)
    seat_in_order(&l, runner);
  else
    seat_anywhere(&l);
  m->live_varies = false;
  for (uint32_t p = 0; p < n; p++)
    m->live_varies |= l.instances[p] && (m->process[p]->can_end || l.run[p]);
}
