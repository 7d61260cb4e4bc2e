/* trace.c - trace and notrace.
 *
 * A trace is an automaton over the messages of the channels that it names: its places are kept
 * in a global of its own, and sends and receives move it (native/emit/trace.c). As in Spin, a
 * receive in it compares constants and eval(…) only, a send constants, and a goto that is an
 * option by itself, or a label at the end, takes any message. A trace whose channels are not
 * known beforehand is named as unchecked.
 */
#include "lang/lang.h"
#include "lang/promela/lower/lower.h"

#include <string.h>

struct tracing {
  struct promela_lower *l;
  struct {
    struct ir_trace_edge *at;
    uint32_t n, capacity;
  } edges;
  uint8_t *watched;
  uint32_t n_channels; /* that there are, and one */
  const char *why;
};

static bool is_compared(const struct ir_expr *e) {
  return e->kind == IR_CONST || e->kind == IR_MATCH;
}

/* Of a receive: what is compared, and nothing else. */
static void add_received(struct tracing *t, const struct promela_stmt *stmt,
                         struct lower_exprs *values) {
  const struct ir_operation *o =
      lower_receive(t->l, stmt->span, stmt->a, &stmt->arguments, false, false);
  for (uint32_t i = 0; i < o->n_values; i++) {
    struct ir_expr *e = o->value[i];
    *ARENA_PUSH(t->l->arena, values) = !is_compared(e) ? NULL : e->kind == IR_MATCH ? e->a : e;
  }
}

/* Of a send only constants are compared. */
static void add_sent(struct tracing *t, const struct promela_stmt *stmt,
                     struct lower_exprs *values) {
  for (uint32_t i = 0; i < stmt->arguments.n; i++) {
    struct promela_expr *one[1] = {stmt->arguments.at[i]};
    struct lower_exprs scalars = {NULL, 0, 0};
    if (one[0]->kind == PROMELA_SCRATCH)
      scalars.n = 1;
    else
      lower_arguments(t->l, &(struct promela_exprs){one, 1, 1}, &scalars);
    for (uint32_t k = 0; k < scalars.n; k++)
      *ARENA_PUSH(t->l->arena, values) = one[0]->kind == PROMELA_CONST ? scalars.at[k] : NULL;
  }
}

static bool is_message(const struct flow_node *node) {
  return node->kind == FLOW_STEP &&
         (node->stmt->kind == PROMELA_SEND || node->stmt->kind == PROMELA_RECEIVE);
}

static uint32_t channel_of(struct tracing *t, const struct promela_stmt *stmt) {
  const struct ir_expr *channel = lower_expr(t->l, stmt->a);
  const bool known = channel->kind == IR_CONST && channel->value >= 1 &&
                     (uint32_t)channel->value < t->n_channels;
  if (!known)
    t->why = "a channel in it is not known beforehand";
  return known ? (uint32_t)channel->value : 0;
}

/* What is named anywhere in it, though the trace may never get there. */
static void watch(struct tracing *t, const struct flow *f) {
  for (uint32_t i = 0; i < f->nodes.n; i++)
    if (is_message(f->nodes.at[i]))
      t->watched[channel_of(t, f->nodes.at[i]->stmt)] |=
          f->nodes.at[i]->stmt->kind == PROMELA_SEND ? IR_TRACE_SENDS : IR_TRACE_RECEIVES;
}

static void add_message(struct tracing *t, const struct promela_stmt *stmt,
                        struct ir_trace_edge *edge) {
  struct lower_exprs values = {NULL, 0, 0};
  edge->channel = channel_of(t, stmt);
  edge->is_send = stmt->kind == PROMELA_SEND;
  if (edge->is_send)
    add_sent(t, stmt, &values);
  else
    add_received(t, stmt, &values);
  edge->n_values = values.n;
  edge->value = values.at;
}

static void add_edge(struct tracing *t, uint32_t from, const struct flow_node *origin) {
  if (origin->kind == FLOW_END || origin->to == NULL)
    return;
  struct ir_trace_edge edge = {.from = from, .to = origin->to->location};
  if (is_message(origin))
    add_message(t, origin->stmt, &edge);
  else if (origin->kind == FLOW_DSTEP ||
           (origin->kind == FLOW_STEP && origin->stmt->kind != PROMELA_EXPR))
    t->why = "it has a step that is no message";
  edge.any = !is_message(origin);
  *ARENA_PUSH(t->l->arena, &t->edges) = edge;
}

/* Where the trace is, as a global; `over` is the last value. */
static struct ir_variable *place_of(struct promela_lower *l, const struct flow *f,
                                    const char *name, uint32_t over) {
  const uint32_t n = (over < f->n_locations ? f->n_locations : over + 1);
  struct ir_type *type = ARENA_NEW(l->arena, struct ir_type);
  struct ir_variable *v = ARENA_NEW(l->arena, struct ir_variable);
  int32_t *initial = ARENA_NEW(l->arena, int32_t);
  *type = (struct ir_type){.name = "place", .bits = n > 256 ? 16 : 8};
  *initial = (int32_t)f->start->location;
  *v = (struct ir_variable){
      .name = name, .span = f->proctype->span, .type = type, .length = 1, .initial = initial};
  struct ir_variable **all =
      ARENA_ARRAY(l->arena, l->ir.n_globals + (size_t)1, struct ir_variable *);
  for (uint32_t i = 0; i < l->ir.n_globals; i++)
    all[i] = l->ir.global[i];
  all[l->ir.n_globals++] = v;
  l->ir.global = all;
  return v;
}

static const char *make(struct promela_lower *l, struct lower_frame *frame) {
  const bool negated = frame->proctype->kind == PROMELA_NOTRACE;
  const struct flow *f = &frame->flow;
  struct tracing t = {.l = l, .n_channels = 1};
  if (!flow_make(&frame->flow))
    return "";
  for (uint32_t i = 0; i < l->channels.n; i++)
    t.n_channels += l->channels.at[i]->owner == NULL;
  t.watched = ARENA_ARRAY(l->arena, t.n_channels, uint8_t);
  watch(&t, f);
  uint32_t over = f->n_locations;
  for (uint32_t i = 0; i < f->n_locations && t.why == NULL; i++) {
    if (f->location[i]->kind == FLOW_END)
      over = i;
    for (uint32_t k = 0; k < f->location[i]->edges.n; k++)
      add_edge(&t, i, f->location[i]->edges.at[k].origin);
  }
  if (t.why != NULL)
    return t.why;
  struct ir_trace *trace = ARENA_NEW(l->arena, struct ir_trace);
  *trace =
      (struct ir_trace){.span = frame->proctype->span,
                        .message = negated ? "the run is one that notrace forbids"
                                           : "the trace has no event that fits this message",
                        .at = place_of(l, f, negated ? "notrace" : "trace", over),
                        .negated = negated,
                        .over = over,
                        .n_edges = t.edges.n,
                        .edge = t.edges.at,
                        .n_channels = t.n_channels,
                        .watched = t.watched};
  l->ir.trace = trace;
  return NULL;
}

void lower_trace(struct promela_lower *l, const struct language_options *o) {
  for (uint32_t i = 0; i < o->n_claims; i++)
    if (strcmp(o->claim[i], "none") == 0)
      return;
  for (uint32_t i = 0; i < l->model->proctypes.n; i++) {
    const enum promela_process_kind kind = l->model->proctypes.at[i]->kind;
    if (kind != PROMELA_TRACE && kind != PROMELA_NOTRACE)
      continue;
    const char *why = make(l, &l->frame[i]);
    if (why != NULL)
      l->ir.unchecked[l->ir.n_unchecked++] =
          arena_printf(l->arena, "%s (%s)", kind == PROMELA_TRACE ? "trace" : "notrace", why);
  }
}
