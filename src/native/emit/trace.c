/* trace.c - what a trace of the model does at each send and receive that it is about.
 *
 * The function observe() is called with the message, where it is sent or taken out: the trace
 * moves by the one edge that the message fits. None, or for a trace that must not be followed
 * the end of it, is a fault of the event like a failed assertion; two are a model error.
 */
#include "native/emit/emit.h"

#include <stdio.h>

bool emit_is_observed(const struct emit *e, const struct ir_operation *o, const char *number,
                      bool handshake) {
  const struct ir_trace *t = e->model->trace;
  unsigned known = 0;
  if (t == NULL || o->keep)
    return false;
  if (sscanf(number, "%u", &known) != 1 || known >= t->n_channels)
    return sscanf(number, "%u", &known) != 1;
  return handshake
             ? t->watched[known] != 0
             : (t->watched[known] & (o->is_send ? IR_TRACE_SENDS : IR_TRACE_RECEIVES)) != 0;
}

void emit_observe(struct emit *e, const struct emit_context *in, bool sends, const char *number,
                  const char *values) {
  const uint32_t label = e->labels++;
  emit_line(e, "const uint32_t e%u = observe(row, %u, %s, %s, &broken);", label, sends, number,
            values);
  emit_line(e, "changed |= 1;");
  e->escaped = true;
  e->helpers |= in->escape.needs;
  emit_line(e, "if (e%u != TS_NONE) {", label);
  emit_line(e, "  %se%u%s", in->escape.head, label, in->escape.tail);
  emit_line(e, "}");
}

void emit_observe_message(struct emit *e, const struct emit_context *in, bool sends,
                          const char *number, const char *const *value, uint32_t n) {
  char name[24];
  snprintf(name, sizeof name, "v%u", e->labels++);
  emit_line(e, "const int32_t %s[] = {%s", name, n == 0 ? "0" : value[0]);
  for (uint32_t i = 1; i < n; i++)
    emit_line(e, "  , %s", value[i]);
  emit_line(e, "};");
  emit_observe(e, in, sends, number, name);
}

static void print_edge(struct emit *e, const struct emit_context *in,
                       const struct ir_trace_edge *edge) {
  uint32_t open = 0;
  if (!edge->any) {
    emit_line(e, "if (sends == %u && channel == %u) {", edge->is_send, edge->channel);
    e->depth++;
    open++;
  }
  for (uint32_t i = 0; i < edge->n_values; i++) {
    if (edge->value[i] == NULL)
      continue;
    char head[48];
    snprintf(head, sizeof head, "if (value[%u] == ", i);
    const size_t from = e->expr.length;
    emit_operand(e, in, edge->value[i]);
    emit_statement(e, head, from, ") {");
    e->depth++;
    open++;
  }
  emit_line(e, "if (found++ == 0) to = %u;", edge->to);
  for (; open > 0; open--) {
    e->depth--;
    emit_line(e, "}");
  }
}

static void print_scope(struct emit *e) {
  const struct ir_trace *t = e->model->trace;
  emit_line(e, "static const uint8_t watched[] = {0");
  for (uint32_t i = 1; i < t->n_channels; i++)
    emit_line(e, ", %u", t->watched[i]);
  emit_line(e, "};");
  emit_line(
      e,
      "if ((uint32_t)channel >= %u || !(watched[channel] >> sends & 1))\n    return TS_NONE;",
      t->n_channels);
}

/* What becomes of the trace. */
static void print_move(struct emit *e, const struct emit_context *in) {
  const struct ir_trace *t = e->model->trace;
  const uint32_t fault = emit_fault(e, t, EMIT_FAULT, t->span, t->message);
  const uint32_t several =
      emit_fault(e, t, EMIT_CONFLICT, t->span, "two events of the trace fit one message");
  const struct ir_expr target = {.kind = IR_VARIABLE, .span = t->span, .variable = t->at};
  const struct emit_value value = {"(int32_t)to", {0, (int32_t)t->over}, t->span};
  e->faults.at[fault].is_trace = true;
  if (t->negated) {
    emit_line(e, "if (found == 0) to = %u;", t->over);
    emit_line(e, "else if (to == %u && *broken == TS_NONE) *broken = %u;", t->over, fault);
    emit_line(e, "if (found > 1 && to != %u) return %u;", t->over, several);
  } else {
    emit_line(e, "if (found == 0 && *broken == TS_NONE) *broken = %u;", fault);
    emit_line(e, "if (found == 0) return TS_NONE;");
    emit_line(e, "if (found > 1) return %u;", several);
  }
  emit_store(e, in, &target, &value);
  emit_line(e, "return TS_NONE;");
}

void emit_trace(struct emit *e) {
  const struct ir_trace *t = e->model->trace;
  if (t == NULL)
    return;
  emit_line(e, "\nstatic uint32_t observe(uint8_t *row, uint32_t sends, int32_t channel, "
               "const int32_t *value,\n                        uint32_t *broken) {");
  e->depth = 1;
  emit_line(e, "const uint8_t *const s = row;");
  emit_line(e, "uint32_t found = 0, to = 0;");
  emit_line(e, "struct run nothing, *const run = &nothing;");
  emit_line(e, "memset(run, 0, sizeof *run);");
  struct emit_context in = emit_context("s", "row");
  emit_escape(&in, 0, "return ", ";");
  print_scope(e);
  struct ir_expr at = {.kind = IR_VARIABLE, .span = t->span, .variable = t->at};
  e->temps = 0;
  emit_begin_event(e);
  size_t from = e->expr.length;
  emit_operand(e, &in, &at);
  emit_statement(e, "switch (", from, ") {");
  for (uint32_t i = 0, k; i < t->n_edges; i = k) {
    emit_line(e, "case %u: {", t->edge[i].from);
    e->depth++;
    for (k = i; k < t->n_edges && t->edge[k].from == t->edge[i].from; k++)
      print_edge(e, &in, &t->edge[k]);
    emit_line(e, "break;");
    e->depth--;
    emit_line(e, "}");
  }
  emit_line(e, "}");
  print_move(e, &in);
  e->depth = 0;
  emit_line(e, "}");
}
