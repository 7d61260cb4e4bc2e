/* access.c - what actions mean: texts for people, read and write sets for reductions.
 *
 * Sets may be too large but never too small. An access by an index that is not
 * constant takes the whole array; such a write counts as a read too, because the
 * elements it does not hit keep their values. Where some location is committed,
 * every action reads the locations of the processes that have such locations:
 * they decide whether it may move.
 */
#include "ir/ir.h"

#include "ir/plain.h"
#include "ir/touch.h"

#include "ts/ts.h"

#include <string.h>

#define MOVER_WIDTH 160 /* bytes of an edge's text that are shown */

struct access {
  const struct ir_model *model;
  struct ts_shape *shape;
  struct set_groups groups;
  struct set reads, writes;
  uint32_t *start[2]; /* of the rows of both */
};

/* ---- all actions --------------------------------------------------------------------- */

static void open_sets(struct access *a, uint32_t n_actions) {
  struct arena *arena = a->model->arena;
  set_groups_open(&a->groups, arena, a->shape);
  set_open(&a->reads, &a->groups);
  set_open(&a->writes, &a->groups);
  for (int i = 0; i < 2; i++)
    a->start[i] = ARENA_ARRAY(arena, n_actions + (size_t)1, uint32_t);
}

/* The row of an action is made. */
static void end_row(struct access *a, uint32_t action) {
  a->start[0][action + 1] = a->reads.n;
  a->start[1][action + 1] = a->writes.n;
}

static void close_sets(struct access *a) {
  a->shape->reads = (struct ts_rows){a->start[0], a->reads.at};
  a->shape->writes = (struct ts_rows){a->start[1], a->writes.at};
  set_groups_close(&a->groups, a->shape);
}

/* The common step of a synchronous system: all that its edges do. */
static void access_all(struct plain *plain, const struct ir_actions *actions) {
  for (uint32_t i = 0; i < actions->n; i++)
    for (uint32_t k = 0; k < actions->at[i].n_moves; k++)
      plain_move(plain, &actions->at[i].move[k]);
}

static void access_sets(struct access *a, const struct ir_actions *actions) {
  const struct ir_model *m = a->model;
  uint32_t *committed = ARENA_ARRAY(m->arena, m->n_processes, uint32_t);
  uint32_t n_committed = plain_committed(m, committed);
  struct plain plain = {m, &a->reads, &a->writes, NULL};
  for (uint32_t i = 0; i < actions->n; i++) {
    set_begin(&a->reads);
    set_begin(&a->writes);
    for (uint32_t k = 0; k < actions->at[i].n_moves; k++)
      plain_move(&plain, &actions->at[i].move[k]);
    if (!actions->at[i].n_moves)
      access_all(&plain, actions);
    for (uint32_t k = 0; k < n_committed; k++)
      set_add(&a->reads, committed[k]);
    end_row(a, i);
  }
}

/* ---- texts ----------------------------------------------------------------------------- */

static const char *part_text(struct arena *arena, const struct ir_expr *e) {
  return e->span.source ? source_squeeze(arena, e->span, MOVER_WIDTH) : ir_expr_text(arena, e);
}

/* An edge without a place of its own: put together from its parts. */
static const char *assembled_text(struct arena *arena, const struct ir_edge *e) {
  const char *text = e->guard ? part_text(arena, e->guard) : "";
  const char *gap = *text ? "; " : "";
  if (e->sync != IR_NO_SYNC) {
    text = arena_printf(arena, "%s%s%s%c", text, gap, e->channel->name,
                        e->sync == IR_SEND ? '!' : '?');
    for (uint32_t i = 0; i < e->n_values && strlen(text) < MOVER_WIDTH; i++)
      text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", part_text(arena, e->value[i]));
    gap = "; ";
  }
  for (uint32_t i = 0; i < e->n_effects && strlen(text) < MOVER_WIDTH; i++) {
    if (e->effect[i].kind != IR_ASSIGN)
      continue;
    text = arena_printf(arena, "%s%s%s = %s", text, gap, part_text(arena, e->effect[i].target),
                        part_text(arena, e->effect[i].value));
    gap = ", ";
  }
  return text;
}

/* What is between the edge's braces. */
static const char *edge_text(struct arena *arena, const struct ir_edge *e, bool statement) {
  struct span inner = e->span;
  if (statement && (e->flags & IR_ENDS))
    return "";
  if (statement && e->shown != NULL)
    return e->shown;
  if (!inner.source)
    return assembled_text(arena, e);
  if (statement)
    return source_squeeze(arena, inner, MOVER_WIDTH);
  const char *text = inner.source->text;
  const char *open = memchr(text + inner.begin, '{', inner.end - inner.begin);
  uint32_t end = inner.end;
  while (end > inner.begin && text[end - 1] != '}')
    end--;
  if (!open || end <= inner.begin || (uint32_t)(open - text) + 1 >= end)
    return assembled_text(arena, e);
  inner.begin = (uint32_t)(open - text) + 1;
  inner.end = end - 1;
  return source_squeeze(arena, inner, MOVER_WIDTH);
}

const char *ir_edge_text(struct arena *arena, const struct ir_model *m,
                         const struct ir_edge *e) {
  return edge_text(arena, e, m->has_instances);
}

static void fill_mover(const struct ir_model *m, struct ts_mover *mover,
                       const struct ir_move *move, const char *text) {
  const struct ir_process *p = move->process;
  *mover = (struct ts_mover){.component = p->component,
                             .from = p->location[move->edge->from].name,
                             .to = p->location[move->edge->to].name,
                             .text = text,
                             .place = ir_place(move->edge->span)};
  if (m->has_instances)
    mover->component = m->slot[move->number].component;
}

/* The name of an instance is made once: its actions follow each other. */
static const char *instance_name(const struct ir_model *m, const struct ir_move *move,
                                 const struct ir_move *last, const char *name) {
  if (last != NULL && last->process == move->process && last->number == move->number)
    return name;
  return arena_printf(m->arena, "%s[%u]", move->process->name, move->number);
}

static bool is_same_text(const struct ir_edge *a, const struct ir_edge *b) {
  return a->span.source != NULL && a->span.source == b->span.source &&
         a->span.begin == b->span.begin && a->span.end == b->span.end && a->shown == NULL &&
         b->shown == NULL && ((a->flags ^ b->flags) & IR_ENDS) == 0;
}

/* Each edge is in many actions of a handshake, and what a macro expands to has one place: a
 * text is made once. */
static const char **edge_texts(const struct ir_model *m) {
  uint64_t n = 0;
  for (uint32_t p = 0; p < m->n_processes; p++)
    n += m->process[p]->n_edges;
  const char **text = ARENA_ARRAY(m->arena, n, const char *);
  for (uint32_t p = 0, k = 0; p < m->n_processes; p++)
    for (uint32_t i = 0; i < m->process[p]->n_edges; i++, k++) {
      const struct ir_edge *e = ir_plain_edge(m->process[p], i);
      if (m->process[p]->is_property)
        text[k] = "";
      else if (m->has_instances && i > 0 && is_same_text(e - 1, e))
        text[k] = text[k - 1];
      else
        text[k] = edge_text(m->arena, e, m->has_instances);
    }
  return text;
}

static bool is_active(const struct ir_model *m, const struct ir_process *p) {
  for (uint32_t i = 0; i < m->n_active; i++)
    if (m->active[i] == p)
      return true;
  return false;
}

/* `first`: by template, the number of its first place. */
static struct ts_statement statement(const struct ir_process *p, const struct ir_edge *e,
                                     const char *text, const uint32_t *first) {
  bool is_else = e->guard && e->guard->kind == IR_ELSE;
  bool is_end = (e->flags & IR_ENDS) != 0;
  struct ts_statement s = {.process = p->name,
                           .text = is_end ? "-end-" : text,
                           .place = ir_place(e->span),
                           .called = ir_place(e->called),
                           .call = e->call,
                           .is_end = is_end,
                           .is_plain = !is_end && !e->operation && !e->n_effects &&
                                       (!e->guard || is_else),
                           .from = first[p->index] + e->from,
                           .to = first[p->index] + e->to,
                           .starts = TS_NONE};
  for (uint32_t i = 0; i < e->n_effects; i++)
    if (e->effect[i].kind == IR_RUN)
      s.starts = first[e->effect[i].process->index] + e->effect[i].process->initial;
  return s;
}

static struct ts_statement dead_statement(const struct ir_model *m, const struct ir_process *p,
                                          const struct ir_dead *d) {
  return (struct ts_statement){
      .process = p->name,
      .text = d->is_end ? "-end-" : source_squeeze(m->arena, d->span, MOVER_WIDTH),
      .place = ir_place(d->span),
      .called = ir_place(d->called),
      .call = d->call,
      .is_end = d->is_end,
      .from = TS_NONE,
      .to = TS_NONE,
      .starts = TS_NONE};
}

/* Every edge, for what was never reached, after them what no edge does, and the names of
 * symbols. */
static void statements(const struct ir_model *m, const char **text, struct ts_shape *shape) {
  uint32_t n = 0;
  struct ts_notes *notes = ir_notes(m, shape);
  uint32_t *first = ARENA_ARRAY(m->arena, m->n_processes, uint32_t);
  for (uint32_t p = 0; p < m->n_processes; p++) {
    n += m->process[p]->n_edges + m->process[p]->n_dead;
    first[p] = notes->n_places;
    notes->n_places += m->process[p]->n_locations;
  }
  struct ts_statement *at = ARENA_ARRAY(m->arena, n, struct ts_statement);
  n = 0;
  for (uint32_t p = 0; p < m->n_processes; p++) {
    bool active = is_active(m, m->process[p]);
    for (uint32_t i = 0; i < m->process[p]->n_edges; i++, n++) {
      const struct ir_edge *e = ir_plain_edge(m->process[p], i);
      at[n] = statement(m->process[p], e, text[n], first);
      at[n].is_first = active && e->from == m->process[p]->initial;
    }
  }
  for (uint32_t p = 0; p < m->n_processes; p++)
    for (uint32_t i = 0; i < m->process[p]->n_dead; i++)
      at[n++] = dead_statement(m, m->process[p], &m->process[p]->dead[i]);
  notes->statement = at;
  notes->n_statements = n;
  notes->symbol = m->symbol;
  notes->n_symbols = m->n_symbols;
  shape->has_ends = true;
}

static void action_texts(const struct ir_model *m, const struct ir_actions *actions,
                         struct ts_shape *shape) {
  const char **text = edge_texts(m);
  uint32_t *first = ARENA_ARRAY(m->arena, m->n_processes + (size_t)1, uint32_t);
  for (uint32_t p = 0; p < m->n_processes; p++)
    first[p + 1] = first[p] + m->process[p]->n_edges;
  struct ts_action *at = ARENA_ARRAY(m->arena, actions->n, struct ts_action);
  const struct ir_move *last = NULL; /* the move before, */
  const char *name = NULL;           /* and the name of who made it */
  for (uint32_t i = 0; i < actions->n; i++) {
    const struct ir_action *action = &actions->at[i];
    struct ts_mover *mover = ARENA_ARRAY(m->arena, action->n_moves, struct ts_mover);
    for (uint32_t k = 0; k < action->n_moves; k++) {
      const struct ir_process *p = action->move[k].process;
      fill_mover(m, &mover[k], &action->move[k],
                 text[first[p->index] + (uint32_t)(action->move[k].edge - p->edge)]);
      if (!m->has_instances)
        continue;
      name = instance_name(m, &action->move[k], last, name);
      mover[k].name = name;
      last = &action->move[k];
    }
    at[i] = (struct ts_action){action->n_moves, mover};
  }
  shape->action = at;
  shape->n_actions = actions->n;
  if (m->has_instances)
    statements(m, text, shape);
}

/* ---- the bound on events ----------------------------------------------------------------- */

/* Events of one sender and one receiving process, actions [i, end): at most as many
 * as the receiver has partners at one location. `count` is zero and stays so. */
static uint32_t most_partners(const struct ir_action *at, uint32_t i, uint32_t end,
                              uint32_t *count) {
  uint32_t most = 0;
  for (uint32_t k = i; k < end; k++)
    if (++count[at[k].move[1].edge->from] > most)
      most = count[at[k].move[1].edge->from];
  for (uint32_t k = i; k < end; k++)
    count[at[k].move[1].edge->from] = 0;
  return most;
}

/* The most events that have an action of [i, end), all of one process. */
static uint64_t most_of_process(const struct ir_action *at, uint32_t i, uint32_t end,
                                uint32_t *count) {
  uint64_t most = 0, here = 0;
  while (i < end) {
    const struct ir_move *m = at[i].move;
    uint32_t j = i + 1;
    if (at[i].n_moves == 2)
      while (j < end && at[j].n_moves == 2 && at[j].move[0].edge == m[0].edge &&
             at[j].move[1].process == m[1].process)
        j++;
    here += at[i].n_moves == 2 ? most_partners(at, i, j, count) : 1;
    most = here > most ? here : most;
    if (j < end && at[j].move[0].edge->from != m[0].edge->from)
      here = 0;
    i = j;
  }
  return most;
}

static uint32_t most_events(const struct ir_model *m, const struct ir_actions *actions) {
  uint32_t locations = 0;
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (m->process[p]->n_locations > locations)
      locations = m->process[p]->n_locations;
  uint32_t *count = ARENA_ARRAY(m->arena, locations, uint32_t);
  uint64_t most = m->synchronous;
  for (uint32_t p = 0; p < m->n_processes; p++) {
    uint64_t here =
        most_of_process(actions->at, actions->first[p], actions->first[p + 1], count);
    if (m->synchronous)
      most = here ? most * here : most;
    else
      most += here;
    if (most >= TS_NONE)
      return TS_NONE;
  }
  return (uint32_t)most;
}

static void seat_sets(struct access *a, const struct ir_actions *actions) {
  struct touch_shared *shared = touch_shared(a->model, &a->groups);
  for (uint32_t i = 0; i < actions->n; i++) {
    touch_action(shared, actions->at[i].move, &a->reads, &a->writes);
    end_row(a, i);
  }
}

void ir_access(const struct ir_model *m, const struct ir_actions *actions,
               struct ts_shape *shape) {
  struct access a = {.model = m, .shape = shape};
  action_texts(m, actions, shape);
  open_sets(&a, actions->n);
  if (m->has_instances)
    seat_sets(&a, actions);
  else
    access_sets(&a, actions);
  close_sets(&a);
  shape->most_events = m->has_instances ? TS_NONE : most_events(m, actions);
}
