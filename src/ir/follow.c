/* follow.c - what one process runs, found by following its control.
 *
 * Control is followed with the values of the process's own variables and of globals that it can
 * trust (globals.c), as far as they are known: constants, and what is computed from known
 * ones. All else is unknown, and an unknown condition goes both ways. That is an abstract
 * interpretation of one process (every real run of it is among those followed), so
 * `do :: i < 7 -> run P(i); i++ …` is known to run seven. Only values that conditions or
 * arguments on the way to a run depend on are kept, and only places from which a run can be
 * reached are followed. If that takes too long or does not end, the control graph still bounds
 * what no cycle runs (control.c).
 */
#include "ir/follow.h"

#include "ir/embedded.h"

#include <string.h>

#define FOLLOW_NODES  16000u     /* states of one process that are followed, */
#define FOLLOW_VALUES (1u << 18) /* and values in them */

struct node { /* one process: where it is, how many it has run, what it knows */
  uint32_t location, runs;
  bool free;     /* others may have moved since the first run */
  uint32_t done; /* the value of `free` that it was followed with, plus one */
  uint32_t from; /* the node before it; itself: none */
  struct ir_value *value;
};

struct way {
  const struct ir_model *model;
  const struct ir_process *process;
  const struct control *control;
  struct follow *out;
  struct arena *arena;
  struct ir_variable **tracked; /* variables whose values are followed */
  uint32_t n_tracked, most_nodes;
  struct {
    struct node *at;
    uint32_t n, capacity;
  } nodes;
  uint32_t *table, table_size; /* of nodes, by hash; node + 1 */
};

/* ---- what is tracked ----------------------------------------------------------------- */

static uint32_t index_of(const struct way *w, const struct ir_variable *v) {
  uint32_t i = 0;
  while (i < w->n_tracked && w->tracked[i] != v)
    i++;
  return i;
}

/* Variables that another process writes, by a reference into this one, are never known. */
static bool is_foreign(const struct ir_model *m, const struct ir_variable *v) {
  for (uint32_t p = 0; p < m->n_processes; p++)
    for (uint32_t i = 0; i < m->process[p]->n_edges; i++)
      for (uint32_t k = 0; k < m->process[p]->edge[i].n_effects; k++) {
        const struct ir_expr *t = m->process[p]->edge[i].effect[k].target;
        if (t != NULL && t->kind == IR_FOREIGN && t->b != NULL && t->b->variable == v)
          return true;
      }
  return false;
}

static bool may_track(const struct way *w, const struct follow_globals *globals,
                      const struct ir_variable *v) {
  if (v->is_const || v->is_array)
    return false;
  if (v->owner == w->process)
    return !is_foreign(w->model, v);
  for (uint32_t i = 0; i < globals->n; i++)
    if (globals->at[i].variable == v)
      return globals->at[i].owner == NULL || globals->at[i].owner == w->process;
  return false;
}

static void track(struct way *w, const struct follow_globals *globals,
                  const struct ir_expr *e) {
  if (e == NULL)
    return;
  if (e->kind == IR_VARIABLE && index_of(w, e->variable) == w->n_tracked &&
      may_track(w, globals, e->variable))
    w->tracked[w->n_tracked++] = e->variable;
  track(w, globals, e->a);
  track(w, globals, e->b);
  track(w, globals, ir_third(e));
}

static bool leads_on(const struct way *w, uint32_t location) {
  return w->control->runs[w->control->group[location]];
}

/* Whatever conditions and arguments look at, and what that is computed from. */
static void find_tracked(struct way *w, const struct follow_globals *globals) {
  const struct control *c = w->control;
  w->tracked = ARENA_ARRAY(w->arena, w->process->n_variables + (size_t)w->model->n_globals,
                           struct ir_variable *);
  for (uint32_t before = UINT32_MAX; before != w->n_tracked;) {
    before = w->n_tracked;
    for (uint32_t i = 0; i < w->process->n_edges; i++) {
      const struct ir_edge *e = &w->process->edge[i];
      if (c->group[e->from] == UINT32_MAX || !leads_on(w, e->from))
        continue;
      track(w, globals, e->guard);
      for (uint32_t k = 0; k < e->n_effects; k++) {
        const struct ir_effect *effect = &e->effect[k];
        for (uint32_t j = 0; effect->kind == IR_RUN && j < effect->n_arguments; j++)
          track(w, globals, effect->argument[j]);
        if (effect->kind == IR_ASSIGN && effect->target->kind == IR_VARIABLE &&
            index_of(w, effect->target->variable) < w->n_tracked)
          track(w, globals, effect->value);
      }
    }
  }
}

/* ---- values -------------------------------------------------------------------------- */

struct knowledge {
  const struct way *way;
  const struct node *node;
};

static struct ir_value tracked_value(const void *context, const struct ir_expr *e) {
  const struct knowledge *k = context;
  if (e->kind != IR_VARIABLE)
    return ir_unknown;
  uint32_t i = index_of(k->way, e->variable);
  return i < k->way->n_tracked ? k->node->value[i] : ir_unknown;
}

static struct ir_value evaluate(const struct way *w, const struct node *n,
                                const struct ir_expr *e) {
  return value_of(e, tracked_value, &(struct knowledge){w, n});
}

static void assign(const struct way *w, struct node *n, const struct ir_expr *target,
                   struct ir_value v) {
  if (target == NULL || target->kind != IR_VARIABLE)
    return;
  uint32_t i = index_of(w, target->variable);
  if (i < w->n_tracked)
    n->value[i] = value_fitting(v, target->variable->type);
}

/* ---- nodes --------------------------------------------------------------------------- */

static uint64_t hash_of(const struct way *w, const struct node *n) {
  uint64_t h = n->location * UINT64_C(0x9E3779B97F4A7C15) + n->runs;
  for (uint32_t i = 0; i < w->n_tracked; i++)
    h = (h ^ (uint64_t)(uint32_t)n->value[i].at ^ ((uint64_t)n->value[i].known << 32)) *
        UINT64_C(0xBF58476D1CE4E5B9);
  return h ^ h >> 29;
}

static bool is_alike(const struct way *w, const struct node *a, const struct node *b) {
  if (a->location != b->location)
    return false;
  for (uint32_t i = 0; i < w->n_tracked; i++)
    if (a->value[i].known != b->value[i].known || a->value[i].at != b->value[i].at)
      return false;
  return true;
}

/* Whether the process has been in the same state with fewer runs on the way here: then it can
 * go round for as long as it likes. */
static bool goes_round(const struct way *w, const struct node *n) {
  uint32_t i = n->from;
  while (!(w->nodes.at[i].runs < n->runs && is_alike(w, &w->nodes.at[i], n))) {
    if (w->nodes.at[i].from == i)
      return false;
    i = w->nodes.at[i].from;
  }
  return true;
}

/* Makes the table of nodes twice as large. */
static void grow_table(struct way *w) {
  w->table_size = w->table_size == 0 ? 64 : 2 * w->table_size;
  w->table = ARENA_ARRAY(w->arena, w->table_size, uint32_t);
  for (uint32_t k = 0; k < w->nodes.n; k++) {
    uint32_t i = (uint32_t)hash_of(w, &w->nodes.at[k]) % w->table_size;
    while (w->table[i] != 0)
      i = (i + 1) % w->table_size;
    w->table[i] = k + 1;
  }
}

static void add_node(struct way *w, const struct node *n) {
  if (2 * w->nodes.n >= w->table_size)
    grow_table(w);
  uint32_t i = (uint32_t)hash_of(w, n) % w->table_size;
  for (; w->table[i] != 0; i = (i + 1) % w->table_size) {
    struct node *old = &w->nodes.at[w->table[i] - 1];
    if (old->runs == n->runs && is_alike(w, old, n)) {
      old->free |= n->free;
      return;
    }
  }
  if (w->nodes.n == w->most_nodes ||
      (w->nodes.n > 0 && n->runs > w->nodes.at[n->from].runs && goes_round(w, n))) {
    w->out->endless = true;
    return;
  }
  struct node *kept = ARENA_PUSH(w->arena, &w->nodes);
  *kept = *n;
  kept->value = ARENA_ARRAY(w->arena, w->n_tracked, struct ir_value);
  if (w->n_tracked > 0)
    memcpy(kept->value, n->value, w->n_tracked * sizeof *n->value);
  w->table[i] = w->nodes.n;
}

/* ---- runs ---------------------------------------------------------------------------- */

void follow_join(struct arena *arena, struct ir_value **all, const struct ir_value *one,
                 uint32_t n) {
  bool first = *all == NULL;
  if (first)
    *all = ARENA_ARRAY(arena, n + (size_t)1, struct ir_value);
  for (uint32_t i = 0; i < n; i++)
    if (first)
      (*all)[i] = one[i];
    else if (!one[i].known || one[i].at != (*all)[i].at)
      (*all)[i] = ir_unknown;
}

static void note_arguments(struct way *w, const struct node *n, const struct ir_effect *e) {
  const struct ir_process *child = e->process;
  struct ir_value *given = ARENA_ARRAY(w->arena, child->n_parameters, struct ir_value);
  for (uint32_t i = 0; i < child->n_parameters && i < e->n_arguments; i++)
    given[i] = value_fitting(evaluate(w, n, e->argument[i]), child->variable[i]->type);
  follow_join(w->arena, &w->out->run[n->runs].argument[child->index], given,
              child->n_parameters);
}

static void note_run(struct way *w, struct node *n, const struct ir_effect *e) {
  if (n->runs >= IR_MAX_LIVE) {
    w->out->endless = true;
    return;
  }
  w->out->apart |= n->runs > 0 && n->free;
  if (n->runs == 0)
    n->free = false;
  struct follow_run *run = &w->out->run[n->runs];
  if (run->may_be == NULL) {
    run->may_be = ARENA_ARRAY(w->arena, w->model->n_processes, bool);
    run->argument = ARENA_ARRAY(w->arena, w->model->n_processes, struct ir_value *);
  }
  run->may_be[e->process->index] = true;
  note_arguments(w, n, e);
  if (++n->runs > w->out->most)
    w->out->most = n->runs;
}

/* ---- edges --------------------------------------------------------------------------- */

static void forget_views(const struct way *w, struct node *n, const struct ir_piece *piece) {
  for (uint32_t i = 0; i < piece->n_views; i++) {
    const struct ir_expr target = {.kind = IR_VARIABLE, .variable = piece->view[i]->variable};
    assign(w, n, &target, ir_unknown);
  }
}

static void follow_effects(struct way *w, struct node *n, const struct ir_edge *edge) {
  for (uint32_t i = 0; i < edge->n_effects; i++) {
    const struct ir_effect *e = &edge->effect[i];
    if (e->kind == IR_RUN) {
      note_run(w, n, e);
      assign(w, n, e->target, ir_unknown);
    } else if (e->kind == IR_ASSIGN) {
      assign(w, n, e->target, evaluate(w, n, e->value));
    } else if (e->kind == IR_C_CODE) {
      forget_views(w, n, e->piece);
    }
  }
}

static void follow_edge(struct way *w, uint32_t number, const struct node *from,
                        const struct ir_edge *e, struct ir_value *room) {
  if (e->guard != NULL) {
    struct ir_value guard = evaluate(w, from, e->guard);
    if (guard.known && !guard.at)
      return;
  }
  struct node n = *from;
  n.value = room;
  if (w->n_tracked > 0)
    memcpy(room, from->value, w->n_tracked * sizeof *room);
  n.location = e->to;
  n.done = 0;
  n.from = number;
  if (e->operation != NULL && !e->operation->is_send)
    for (uint32_t i = 0; i < e->operation->n_values; i++)
      assign(w, &n, e->operation->value[i], ir_unknown);
  for (uint32_t i = 0; e->sync == IR_RECEIVE && i < e->n_values; i++)
    assign(w, &n, e->value[i], ir_unknown);
  follow_effects(w, &n, e);
  bool keeps = (e->flags & IR_KEEPS) || (w->process->location[e->to].flags & IR_IN_DSTEP);
  n.free = !keeps || (from->free && n.runs == from->runs) || e->operation != NULL;
  if (leads_on(w, e->to))
    add_node(w, &n);
}

/* Others can move when control is given away; within a sequence that may block as well. */
static bool may_block(const struct way *w, const struct node *n) {
  const struct control *c = w->control;
  if (w->process->provided != NULL)
    return true;
  for (uint32_t i = c->first[n->location]; i < c->first[n->location + 1]; i++) {
    const struct ir_edge *e = c->edge[i];
    if (e->guard == NULL && e->operation == NULL && !(e->flags & IR_ENDS))
      return false;
    if (e->guard != NULL && e->guard->kind == IR_ELSE)
      return false;
    if (e->guard != NULL && e->operation == NULL) {
      struct ir_value v = evaluate(w, n, e->guard);
      if (v.known && v.at)
        return false;
    }
  }
  return true;
}

/* ---- all of it ----------------------------------------------------------------------- */

static struct ir_value begins_with(const struct way *w, const struct ir_variable *v) {
  struct ir_value initial = value_known(v->initial != NULL ? v->initial[0] : 0);
  if (v->owner == NULL) { /* private globals begin as they are declared */
    for (uint32_t i = 0; i < w->model->n_active; i++)
      if (w->model->active[i] == w->process)
        return initial;
    return ir_unknown;
  }
  for (uint32_t i = 0; i < w->process->n_parameters; i++)
    if (w->process->variable[i] == v)
      return ir_unknown;
  for (uint32_t i = 0; i < w->process->n_starts; i++)
    if (w->process->start[i].target != NULL && w->process->start[i].target->variable == v)
      return ir_unknown;
  for (uint32_t i = 0; i < w->model->n_channels; i++)
    if (w->model->channel[i]->owner == w->process && w->model->channel[i]->handle == v)
      return ir_unknown;
  return initial;
}

static void first_node(struct way *w, const struct follow_globals *globals) {
  struct node n = {.location = w->process->initial, .free = true};
  n.value = ARENA_ARRAY(w->arena, w->n_tracked, struct ir_value);
  for (uint32_t i = 0; i < w->n_tracked; i++)
    n.value[i] = begins_with(w, w->tracked[i]);
  for (uint32_t i = 0; i < globals->n; i++) /* settled ones may have been written before */
    if (globals->at[i].owner == NULL && index_of(w, globals->at[i].variable) < w->n_tracked)
      n.value[index_of(w, globals->at[i].variable)] = ir_unknown;
  add_node(w, &n);
}

static void follow_nodes(struct way *w) {
  struct ir_value *room = ARENA_ARRAY(w->arena, w->n_tracked, struct ir_value);
  for (bool again = true; again && !w->out->endless;) {
    again = false;
    for (uint32_t i = 0; i < w->nodes.n && !w->out->endless; i++) {
      if (may_block(w, &w->nodes.at[i]))
        w->nodes.at[i].free = true;
      struct node n = w->nodes.at[i];
      if (n.done == n.free + 1u)
        continue;
      w->nodes.at[i].done = n.free + 1u;
      again = true;
      for (uint32_t k = w->control->first[n.location]; k < w->control->first[n.location + 1];
           k++)
        follow_edge(w, i, &n, w->control->edge[k], room);
    }
  }
}

/* Of both bounds the smaller one. */
static void bound_runs(struct follow *f, uint32_t n_processes) {
  for (uint32_t q = 0; q < n_processes; q++) {
    uint32_t seen = 0;
    for (uint32_t k = 0; k < IR_MAX_LIVE; k++)
      seen += f->run[k].may_be != NULL && f->run[k].may_be[q];
    f->of[q] = f->control->most[q];
    if (!f->endless && seen < f->of[q])
      f->of[q] = seen;
  }
}

struct follow *follow_process(const struct ir_model *m, const struct ir_process *p,
                              const struct follow_globals *globals) {
  struct follow *f = ARENA_NEW(m->arena, struct follow);
  f->control = control_of(m, p);
  f->of = ARENA_ARRAY(m->arena, m->n_processes, uint32_t);
  f->any = f->control->runs[f->control->group[p->initial]];
  if (!f->any)
    return f;
  f->run = ARENA_ARRAY(m->arena, IR_MAX_LIVE, struct follow_run);
  struct way w = {.model = m, .process = p, .control = f->control, .out = f, .arena = m->arena};
  find_tracked(&w, globals);
  w.most_nodes =
      w.n_tracked * FOLLOW_NODES > FOLLOW_VALUES ? FOLLOW_VALUES / w.n_tracked : FOLLOW_NODES;
  first_node(&w, globals);
  follow_nodes(&w);
  bound_runs(f, m->n_processes);
  return f;
}
