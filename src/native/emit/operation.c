/* operation.c - operations on channels that are given by number.
 *
 * place.c finds the channel and prints the condition. What is here writes `row`.
 * Received values are kept in temporaries before the message is taken out, because a row
 * may be changed in place.
 */
#include "native/emit/emit.h"

#include <stdio.h>
#include <string.h>

/* ---- operations ---------------------------------------------------------------------- */

/* A message has as many values as the channel has fields. */
static void check_fields(struct emit *e, const struct emit_context *in,
                         const struct ir_operation *o, const char *condition) {
  const char *message = o->is_send ? "a message with another number of fields than its channel"
                                   : "a receive of another number of fields than its channel";
  emit_check(e, in, emit_fault(e, o, EMIT_FAULT, o->span, message), "%s", condition);
}

static const char *text_since(struct emit *e, size_t from) {
  return e->expr.failed ? "0" : arena_text(e->arena, e->expr.at + from, e->expr.length - from);
}

/* The sent values in temporaries, cut to the fields; `whole` (or NULL): before they are cut. */
static const char **sent_values(struct emit *e, const struct emit_context *in,
                                const struct ir_operation *o, const struct ir_channel *c,
                                const char **whole) {
  const char **value = ARENA_ARRAY(e->arena, c->n_fields + (size_t)1, const char *);
  for (uint32_t i = 0; i < c->n_fields; i++) {
    value[i] = "0";
    if (i >= o->n_values)
      continue;
    size_t from = e->expr.length;
    emit_bare(e, in, o->value[i]);
    if (whole != NULL) {
      emit_spill(e, from);
      whole[i] = text_since(e, from);
    }
    emit_fit(e, from, ir_range(o->value[i]), c->field[i], o->value[i], o->value[i]->span);
    emit_spill(e, from);
    value[i] = text_since(e, from);
    emit_drop(e, from);
  }
  return value;
}

static void trace_message(struct emit *e, bool sent, const char *number, const char **value,
                          uint32_t n) {
  emit_line(e, "if (run->trace && !run->muted) {");
  emit_line(e, "  word(run->trace, %s);", sent ? "TS_TRACE_SEND" : "TS_TRACE_RECEIVE");
  emit_line(e, "  word(run->trace, %u);", n + 1);
  emit_line(e, "  word(run->trace, (uint32_t)%s);", number);
  for (uint32_t i = 0; i < n; i++)
    emit_line(e, "  word(run->trace, (uint32_t)%s);", value[i]);
  emit_line(e, "}");
}

/* Columns of messages [m, m + n) move by one cell. */
static void shift(struct emit *e, const struct emit_place *p, const char *m, const char *n,
                  bool up) {
  const struct ir_channel *c = p->channel;
  for (uint32_t f = 0; f < c->n_fields; f++) {
    uint32_t bytes = ir_type_bytes(c->field[f]);
    emit_line(e,
              "memmove(row + %s + %u + %u * (uint32_t)(%s%s), row + %s + %u + %u * "
              "(uint32_t)(%s%s), (uint32_t)(%s) * %u);",
              p->at, emit_place_column(c, f), bytes, m, up ? " + 1" : "", p->at,
              emit_place_column(c, f), bytes, m, up ? "" : " + 1", n, bytes);
  }
}

/* m: where the message goes, in front of the first greater one. As in Spin's verifier its
 * values count as they were given, not as they are cut. */
static void sorted_place(struct emit *e, const struct emit_place *p, const char **value,
                         const char *m, const char *number) {
  const struct ir_channel *c = p->channel;
  char text[160];
  emit_line(e, "int32_t %s = 0;", m);
  emit_line(e, "for (; %s < %s; %s++) {", m, number, m);
  for (uint32_t f = 0; f < c->n_fields; f++) {
    emit_place_cell(text, sizeof text, p, "row", f, m);
    emit_line(e, "  if (%s > %s) break;", text, value[f]);
    emit_line(e, "  if (%s < %s) continue;", text, value[f]);
  }
  emit_line(e, "}");
}

static void send(struct emit *e, const struct emit_context *in, const struct ir_operation *o,
                 const struct emit_place *p) {
  const struct ir_channel *c = p->channel;
  const char **whole = ARENA_ARRAY(e->arena, c->n_fields + (size_t)1, const char *);
  const char **value = sent_values(e, in, o, c, o->sorted ? whole : NULL);
  char text[160], number[24], m[24];
  uint32_t label = e->labels++;
  snprintf(number, sizeof number, "cL%u", label);
  snprintf(m, sizeof m, "%sL%u", o->sorted ? "m" : "c", label);
  trace_message(e, true, p->number, value, c->n_fields);
  emit_line(e, "int32_t %s = %s;", number, emit_place_count(text, sizeof text, p, "row"));
  if (e->model->lossy) {
    emit_line(e, "if (%s < %u) {", number, c->capacity);
    e->depth++;
  }
  if (o->sorted) {
    sorted_place(e, p, whole, m, number);
    char n[56];
    snprintf(n, sizeof n, "%s - %s", number, m);
    shift(e, p, m, n, true);
  }
  for (uint32_t f = 0; f < c->n_fields; f++)
    emit_line(e, "%s = %s;",
              emit_place_cell(text, sizeof text, p, "row", f, c->capacity == 1 ? "0" : m),
              value[f]);
  emit_line(e, "%s = %s + 1;", emit_place_count(text, sizeof text, p, "row"), number);
  if (emit_is_observed(e, o, p->number, false))
    emit_observe_message(e, in, true, p->number, value, c->n_fields);
  if (e->model->lossy) {
    e->depth--;
    emit_line(e, "}");
  }
}

static void take_out(struct emit *e, const struct emit_place *p, const char *at) {
  const struct ir_channel *c = p->channel;
  char text[160], number[24], n[64];
  snprintf(number, sizeof number, "cL%u", e->labels++);
  emit_line(e, "int32_t %s = %s - 1;", number, emit_place_count(text, sizeof text, p, "row"));
  if (c->capacity > 1) {
    if (strcmp(at, "0") == 0)
      snprintf(n, sizeof n, "%s", number);
    else
      snprintf(n, sizeof n, "%s - %s", number, at);
    shift(e, p, at, n, false);
  }
  for (uint32_t f = 0; f < c->n_fields; f++)
    emit_line(e, "%s = 0;",
              emit_place_cell(text, sizeof text, p, "row", f, c->capacity == 1 ? "0" : number));
  emit_line(e, "%s = %s;", emit_place_count(text, sizeof text, p, "row"), number);
}

/* Assigns received values, each in a temporary. */
static void assign(struct emit *e, const struct emit_context *in, const struct ir_operation *o,
                   const char **value, const struct ir_channel *c, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const struct ir_expr *x = o->value[i];
    if (emit_is_match(x) || x->kind == IR_DROP)
      continue;
    emit_store(e, in, x, &(struct emit_value){value[i], ir_type_range(c->field[i]), x->span});
  }
}

static void take(struct emit *e, const struct emit_context *in, const struct ir_operation *o,
                 const struct emit_place *p, const char *at) {
  const struct ir_channel *c = p->channel;
  uint32_t n = emit_used_values(o, c);
  const char **value = ARENA_ARRAY(e->arena, c->n_fields + (size_t)1, const char *);
  for (uint32_t i = 0; i < c->n_fields; i++) {
    char text[160];
    value[i] = arena_printf(e->arena, "t%u", e->temps++);
    emit_line(e, "int32_t %s = %s;", value[i],
              emit_place_cell(text, sizeof text, p, "row", i, at));
  }
  trace_message(e, false, p->number, value, c->n_fields);
  if (emit_is_observed(e, o, p->number, false))
    emit_observe_message(e, in, false, p->number, value, c->n_fields);
  if (!o->keep)
    take_out(e, p, at);
  assign(e, in, o, value, c, n);
}

void emit_do(struct emit *e, const struct emit_context *in, const struct ir_operation *o,
             const struct emit_place *p, const char *at) {
  if (o->n_values != p->channel->n_fields) {
    check_fields(e, in, o, "1");
    return;
  }
  if (o->is_send)
    send(e, in, o, p);
  else
    take(e, in, o, p, at);
}

/* ---- handshakes ---------------------------------------------------------------------- */

void emit_give(struct emit *e, const struct emit_context *in, const struct ir_operation *o,
               const struct emit_place *p) {
  const struct ir_channel *c = p->channel;
  if (o->n_values != c->n_fields)
    check_fields(e, in, o, "1");
  const char **value = sent_values(e, in, o, c, NULL);
  for (uint32_t i = 0; i < c->n_fields; i++)
    emit_line(e, "run->value[%u] = %s;", i, value[i]);
  emit_line(e, "run->fields = %u;", c->n_fields);
  emit_line(e, "run->channel = %s;", p->number);
}

/* The effects of a rendezvous send: it has none but that dead variables become zero, arrays as
 * a whole (ir/clear.c). They happen when somebody takes the message. */
void emit_give_zeroes(struct emit *e, const struct ir_edge *edge) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < edge->n_effects; i++) {
    const struct ir_variable *v = edge->effect[i].target->variable;
    if (n > 0 && edge->effect[i - 1].target->variable == v)
      continue;
    struct text *t = &e->place;
    if (t->at)
      t->length = 0;
    emit_variable_name(t, v);
    if (!t->failed)
      emit_line(e, "run->zero[%u].at = %s%s, run->zero[%u].bytes = %u;", n,
                v->owner && e->has_frames ? "at + " : "", t->at, n,
                v->length * ir_type_bytes(v->type));
    n++;
  }
  if (n == 0)
    return;
  emit_line(e, "run->n_zeroes = %u;", n);
  e->helpers |= EMIT_ZEROES;
  e->most_zeroes = n > e->most_zeroes ? n : e->most_zeroes;
}

/* What is known of field i of the message that was given: its range, and whether every
 * rendezvous channel has it. */
static struct ir_range given_range(const struct emit *e, const struct ir_channel *c, uint32_t i,
                                   bool *always) {
  struct ir_range all = {INT32_MAX, INT32_MIN};
  *always = true;
  for (uint32_t k = 0; k < e->n_kinds; k++) {
    const struct ir_channel *one = c ? c : e->kind[k];
    if (one->capacity)
      continue;
    *always &= i < one->n_fields;
    struct ir_range r = {0, 0};
    if (i < one->n_fields)
      r = ir_type_range(one->field[i]);
    all.low = r.low < all.low ? r.low : all.low;
    all.high = r.high > all.high ? r.high : all.high;
  }
  return all;
}

void emit_take(struct emit *e, const struct emit_context *in, const struct ir_operation *o) {
  struct emit_place place;
  const struct ir_channel *c = emit_constant_channel(e, o->channel, &place);
  bool same = true;
  for (uint32_t k = 0; k < e->n_kinds; k++)
    same &= e->kind[k]->capacity > 0 || e->kind[k]->n_fields == o->n_values;
  char other[40];
  snprintf(other, sizeof other, "run->fields != %u", o->n_values);
  if (c != NULL ? c->n_fields != o->n_values : !same)
    check_fields(e, in, o, other);
  e->helpers |= EMIT_VALUES;
  emit_line(e, "if (run->trace && !run->muted) tell_values(run, TS_TRACE_RECEIVE);");
  if (emit_is_observed(e, o, c != NULL ? place.number : "", true)) {
    emit_observe(e, in, true, "run->channel", "run->value");
    emit_observe(e, in, false, "run->channel", "run->value");
  }
  for (uint32_t i = 0; i < o->n_values && i < e->most_fields; i++) {
    const struct ir_expr *x = o->value[i];
    bool always;
    char value[32];
    struct ir_range range = given_range(e, c, i, &always);
    if (emit_is_match(x) || x->kind == IR_DROP)
      continue;
    if (!always) {
      emit_line(e, "if (%u < run->fields) {", i);
      e->depth++;
    }
    snprintf(value, sizeof value, "run->value[%u]", i);
    emit_store(e, in, x, &(struct emit_value){value, range, x->span});
    if (!always) {
      e->depth--;
      emit_line(e, "}");
    }
  }
}
