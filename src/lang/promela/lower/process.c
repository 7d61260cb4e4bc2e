/* process.c - locations and edges of a process.
 *
 * A d_step is one edge to inside of it, where locations are never stored; if it may begin
 * in several ways, the edge asks for one of them and a first location inside chooses.
 */
#include "lang/promela/lower/lower.h"
#include "lang/promela/parse/remark.h"

struct edges {
  struct ir_edge *at;
  uint32_t n, capacity;
};

struct making {
  struct promela_lower *l;
  const struct lower_frame *frame;
  struct edges edges;
  bool *used; /* by number of a node: an edge does its step */
};

/* ---- locations ---- */

/* How many locations each line of a source has had so far. */
struct lines {
  const struct source *source;
  uint32_t *used;
};

struct line_table {
  struct lines *at;
  uint32_t n, capacity;
};

static uint32_t *used_of_line(struct promela_lower *l, struct line_table *table,
                              const struct source *source, uint32_t line) {
  for (uint32_t i = 0; i < table->n; i++)
    if (table->at[i].source == source)
      return &table->at[i].used[line];
  struct lines *lines = ARENA_PUSH(l->arena, table);
  lines->source = source;
  lines->used = ARENA_ARRAY(l->arena, source->n_lines + 2, uint32_t);
  return &lines->used[line];
}

/* Its label, or its line, and which one of those of the line. */
static const char *location_name(struct promela_lower *l, const struct flow_node *node,
                                 struct line_table *table) {
  const struct span span = node->stmt->span;
  if (node->kind == FLOW_END || span.source == NULL)
    return "-end-";
  if (node->name != NULL && node->dstep == NULL)
    return node->name;
  uint32_t line = source_line(span.source, span.begin);
  uint32_t same = ++*used_of_line(l, table, span.source, line);
  return same == 1 ? arena_printf(l->arena, "line %u", line)
                   : arena_printf(l->arena, "line %u (%u)", line, same);
}

static void lower_locations(struct promela_lower *l, struct lower_frame *frame) {
  const struct flow *f = &frame->flow;
  struct ir_location *location = ARENA_ARRAY(l->arena, f->n_locations, struct ir_location);
  struct line_table table = {NULL, 0, 0};
  for (uint32_t i = 0; i < f->n_locations; i++) {
    const struct flow_node *node = f->location[i];
    location[i].name = location_name(l, node, &table);
    location[i].span = node->stmt->span;
    location[i].flags = node->marks | (node->dstep != NULL ? IR_IN_DSTEP : 0u);
  }
  frame->process->location = location;
  frame->process->n_locations = f->n_locations;
  frame->process->initial = f->start->location;
}

/* ---- edges ---- */

/* Whether the process keeps control after the step: into and inside a d_step, and as the
 * atomic sequence around wants it. */
static bool keeps(const struct flow_node *origin) {
  const struct flow_node *dstep = origin->dstep;
  if (origin->to != NULL && origin->to->dstep != NULL)
    return true;
  return ((dstep != NULL ? dstep : origin)->status & FLOW_ATOMIC) != 0;
}

static struct ir_edge *push_step(struct making *m, uint32_t from,
                                 const struct flow_node *origin) {
  struct ir_edge edge = {.from = from, .to = from};
  m->used[origin->number] = true;
  lower_step(m->l, origin, &edge);
  if (origin->to != NULL)
    edge.to = origin->to->location;
  if (keeps(origin))
    edge.flags |= IR_KEEPS;
  struct ir_edge *pushed = ARENA_PUSH(m->l->arena, &m->edges);
  *pushed = edge;
  return pushed;
}

/* Inside a d_step options are tried in order: nothing is left for else to ask. */
static void push_inside(struct making *m, uint32_t from, const struct flow_node *origin) {
  struct ir_edge *edge = push_step(m, from, origin);
  if (edge->guard != NULL && edge->guard->kind == IR_ELSE)
    edge->guard = NULL;
}

/* A handshake cannot be asked for without doing it: each receive that may be one is an
 * edge of its own. */
static void push_handshakes(struct making *m, uint32_t from, const struct flow_edges *guards,
                            uint32_t escape) {
  for (uint32_t i = 0; i < guards->n; i++) {
    struct ir_edge edge = {.from = from};
    lower_step(m->l, guards->at[i].origin, &edge);
    if (edge.operation == NULL || edge.operation->is_send)
      continue;
    struct ir_expr *is = lower_is_rendezvous(m->l, edge.operation->channel);
    if (is->kind == IR_CONST && is->value == 0)
      continue;
    struct ir_edge *pushed = push_step(m, from, guards->at[i].origin);
    pushed->guard = is->kind == IR_CONST ? NULL : is;
    pushed->escape = escape;
  }
}

/* Where Spin lets the d_step run in the middle of a handshake of others. */
static void note_dstep(struct promela_lower *l, const struct promela_stmt *first) {
  if (l->has_rendezvous && (first->kind == PROMELA_ASSERT || first->kind == PROMELA_PRINTF ||
                            first->kind == PROMELA_PRINTM))
    promela_remark(
        l->model, l->diag, first->span,
        "a d_step that begins with this waits while others shake hands; Spin may run "
        "it in the middle of a handshake, and counts further transitions",
        NULL);
}

/* The d_step begins with one step. Where that is the else of a selection, the only option
 * that can ever be taken, what else could be done outside of the d_step does not matter. */
static struct ir_edge *push_only_guard(struct making *m, uint32_t from,
                                       const struct flow_node *dstep,
                                       const struct flow_node *step) {
  note_dstep(m->l, step->stmt);
  struct ir_edge *edge = push_step(m, from, step);
  if (edge->guard != NULL && edge->guard->kind == IR_ELSE && flow_chooses(dstep, step))
    edge->guard = NULL;
  return edge;
}

static void push_dstep(struct making *m, uint32_t from, const struct flow_node *origin,
                       uint32_t escape) {
  struct flow_node *inside;
  const struct flow_edges *guards = flow_guards(origin, &inside);
  if (inside == NULL) {
    push_only_guard(m, from, origin, guards->at[0].origin)->escape = escape;
    return;
  }
  struct ir_expr *any = lower_constant(m->l, 0, origin->stmt->span);
  for (uint32_t i = 0; any != NULL && i < guards->n; i++) {
    struct ir_edge one = {.from = from};
    lower_step(m->l, guards->at[i].origin, &one);
    bool is_else = one.guard != NULL && one.guard->kind == IR_ELSE;
    struct ir_expr *can = is_else ? NULL : lower_possible(m->l, &one);
    any = can == NULL             ? NULL
          : any->kind == IR_CONST ? can
                                  : lower_binary(m->l, IR_OR, any, can);
  }
  struct ir_edge *edge = ARENA_PUSH(m->l->arena, &m->edges);
  edge->span = origin->stmt->span;
  edge->call = origin->stmt->call;
  edge->called = lower_called(origin->stmt);
  edge->from = from;
  edge->to = inside->location;
  edge->guard = any;
  edge->flags = IR_KEEPS;
  edge->escape = escape;
  push_handshakes(m, from, guards, escape);
}

static bool is_else(const struct flow_edge *e) {
  return e->origin->kind == FLOW_STEP && e->origin->stmt->kind == PROMELA_ELSE;
}

static void refuse_second_else(struct making *m, const struct flow_node *node) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < node->edges.n; i++) {
    const struct flow_edge *e = &node->edges.at[i];
    n += is_else(e);
    if (is_else(e) && n == 2) {
      diag_error(
          m->l->diag, e->origin->stmt->span,
          "two 'else' at one location: the selection is the first statement of an option "
          "of another one with an 'else'");
      diag_hint(m->l->diag, "put a statement in front of the inner selection");
    }
  }
}

static void push_edges(struct making *m, uint32_t from, const struct flow_node *node) {
  if (node->dstep == NULL)
    refuse_second_else(m, node);
  for (uint32_t i = 0; i < node->edges.n; i++) {
    const struct flow_edge *e = &node->edges.at[i];
    if (node->dstep != NULL)
      push_inside(m, from, e->origin);
    else if (e->origin->kind == FLOW_DSTEP)
      push_dstep(m, from, e->origin, e->escape);
    else
      push_step(m, from, e->origin)->escape = e->escape;
  }
}

/* ---- what no way leads to ---- */

static bool is_telling(const struct flow_node *node) {
  if (node->kind == FLOW_END)
    return true;
  if (node->kind != FLOW_STEP || node->stmt->span.source == NULL)
    return false;
  switch (node->stmt->kind) {
  case PROMELA_EXPR:
    return node->stmt->a->kind != PROMELA_CONST;
  case PROMELA_ASSIGN:
  case PROMELA_INCREMENT:
  case PROMELA_DECREMENT:
  case PROMELA_SEND:
  case PROMELA_RECEIVE:
  case PROMELA_ASSERT:
  case PROMELA_PRINTF:
  case PROMELA_PRINTM:
  case PROMELA_SET_PRIORITY:
    return true;
  default:
    return false;
  }
}

static void lower_dead(struct making *m) {
  const struct flow *f = &m->frame->flow;
  struct {
    struct ir_dead *at;
    uint32_t n, capacity;
  } list = {NULL, 0, 0};
  for (uint32_t i = 0; i < f->nodes.n; i++) {
    const struct flow_node *node = f->nodes.at[i];
    if (m->used[node->number] || !is_telling(node))
      continue;
    struct ir_dead *dead = ARENA_PUSH(m->l->arena, &list);
    dead->span = node->stmt->span;
    dead->call = node->stmt->call;
    dead->called = lower_called(node->stmt);
    dead->is_end = node->kind == FLOW_END;
  }
  m->frame->process->dead = list.at;
  m->frame->process->n_dead = list.n;
}

void lower_process(struct promela_lower *l, struct lower_frame *frame) {
  struct making m = {
      l, frame, {NULL, 0, 0}, ARENA_ARRAY(l->arena, frame->flow.nodes.n + (size_t)1, bool)};
  const struct promela_proctype *p = frame->proctype;
  l->process = frame->process;
  lower_locations(l, frame);
  for (uint32_t i = 0; i < frame->flow.n_locations; i++)
    push_edges(&m, i, frame->flow.location[i]);
  frame->process->edge = m.edges.at;
  frame->process->n_edges = m.edges.n;
  lower_dead(&m);
  if (p->provided != NULL)
    frame->process->provided = lower_expr(l, p->provided);
  l->process = NULL;
  frame->process->priority = p->priority != NULL ? p->priority->value : 1;
}
