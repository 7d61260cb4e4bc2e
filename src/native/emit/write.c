/* write.c - what an event writes: moves, assignments, messages.
 *
 * A row begins as a copy of the old state, and only what changes is written over
 * it. Variables that the event has not written yet are read from the old state,
 * which depends on no copy. In a synchronous system each edge works on a copy of
 * its own (it must not see the others' effects) and writes the common row as
 * well; `mark` remembers which process has written which byte of the globals.
 */
#include "native/emit/emit.h"

#include <stdio.h>

struct pending { /* a value at the end of `expr` that is about to be stored */
  size_t from;
  struct ir_range range;
};

void emit_begin_event(struct emit *e) {
  e->event++;
}

static bool within(struct ir_range inner, struct ir_range outer) {
  return inner.low >= outer.low && inner.high <= outer.high;
}

/* ---- cutting ---------------------------------------------------------------------- */

static void note_cut(struct emit *e, struct pending *value, const struct ir_type *type,
                     const void *key, struct span span) {
  struct ir_range r = ir_type_range(type);
  uint32_t number = emit_truncation(e, key, span);
  emit_spill(e, value->from);
  const char *t = e->expr.failed ? "0" : e->expr.at + value->from;
  emit_line(e, "if (%s < %d || %s > %d)", t, (int)r.low, t, (int)r.high);
  emit_line(e, "  cut(run, %uu, %s);", number, t);
  e->helpers |= EMIT_CUT;
}

/* The cut value takes the place of the value in `expr`. */
static void cut_value(struct emit *e, struct pending *value, const struct ir_type *type) {
  char head[48], tail[32] = ")";
  uint32_t bits = type->bits;
  if (bits == 8 || bits == 16)
    snprintf(head, sizeof head, "(%sint%u_t)(", type->is_signed ? "" : "u", bits);
  else if (!type->is_signed)
    snprintf(head, sizeof head, "%s", "("),
        snprintf(tail, sizeof tail, ") & %uu", bits < 32 ? (1u << bits) - 1 : UINT32_MAX);
  else
    snprintf(head, sizeof head, "(int32_t)((uint32_t)("),
        snprintf(tail, sizeof tail, ") << %u) >> %u", 32 - bits, 32 - bits);
  const char *text = e->expr.failed ? "0"
                                    : arena_text(e->arena, e->expr.at + value->from,
                                                 e->expr.length - value->from);
  emit_drop(e, value->from);
  text_puts(&e->expr, head);
  text_puts(&e->expr, text);
  text_puts(&e->expr, tail);
}

/* Makes a pending value fit a type. */
static void fit(struct emit *e, struct pending *value, const struct ir_type *type,
                const void *key, struct span span) {
  struct ir_range r = ir_type_range(type);
  if (!type || within(value->range, r))
    return;
  if (e->report_truncation)
    note_cut(e, value, type, key, span);
  cut_value(e, value, type);
  value->range = r;
}

/* ---- storing ------------------------------------------------------------------------ */

static void store_cell(struct emit *e, const struct emit_context *in,
                       const struct ir_variable *v, size_t index, size_t from) {
  const char *frame = in->target_frame;
  uint32_t bytes = ir_type_bytes(v->type);
  struct text *t = &e->place;
  if (t->at)
    t->length = 0;
  emit_cell(t, in->work, bytes, v->type->is_signed);
  if (v->owner && e->has_frames)
    text_printf(t, "%s + ", frame);
  emit_variable_name(t, v);
  if (index < e->expr.length && !e->expr.failed) {
    text_printf(t, bytes > 1 ? " + %u * " : " + ", bytes);
    text_add(t, e->expr.at + index, e->expr.length - index);
  }
  text_puts(t, emit_cell_end(bytes, v->type->is_signed));
  if (!t->failed && !e->expr.failed)
    emit_line(e, "%s = %.*s;", t->at, (int)(index - from), e->expr.at + from);
}

/* Two processes of a common step must not write one element. */
static void check_conflict(struct emit *e, const struct emit_context *in,
                           const struct ir_expr *target, size_t index) {
  const struct ir_variable *v = target->variable;
  if (v->owner || e->expr.failed)
    return;
  char place[160];
  snprintf(place, sizeof place, "mark[%u + %u * (%s)]", v->offset, ir_type_bytes(v->type),
           index < e->expr.length ? e->expr.at + index : "0");
  uint32_t fault = emit_fault(e, target, EMIT_CONFLICT, target->span,
                              "two processes of one common step assign the same variable");
  emit_check(e, in, fault, "%s != 0 && %s != %u", place, place, in->mover);
  emit_line(e, "%s = %u;", place, in->mover);
}

/* target = the pending value. */
static void store(struct emit *e, const struct emit_context *in, const struct ir_expr *target,
                  struct pending value, struct span span) {
  char frame[24];
  struct emit_context to = *in;
  to.target_frame = EMIT_OWN_FRAME;
  if (target->kind == IR_FOREIGN) {
    emit_foreign_frame(e, in, target, true, frame);
    to.target_frame = frame;
    target = target->b;
  }
  const struct ir_variable *v = target->variable;
  fit(e, &value, v->type, target, span);
  if (in->mover > 0)
    emit_spill(e, value.from);
  size_t index = e->expr.length;
  if (target->kind == IR_ELEMENT) {
    emit_index(e, in, target);
    if (in->mover > 0)
      emit_spill(e, index);
  }
  if (in->mover > 0) {
    check_conflict(e, in, target, index);
    to.work = "row";
    store_cell(e, &to, v, index, value.from);
  }
  to.work = in->work;
  store_cell(e, &to, v, index, value.from);
  emit_drop(e, value.from);
  emit_mark_written(e, v->first_slot);
}

void emit_store(struct emit *e, const struct emit_context *in, const struct ir_expr *target,
                const struct emit_value *value) {
  struct pending pending = {e->expr.length, value->range};
  text_puts(&e->expr, value->text);
  store(e, in, target, pending, value->span);
}

void emit_fit(struct emit *e, size_t from, struct ir_range range, const struct ir_type *type,
              const void *key, struct span span) {
  struct pending value = {from, range};
  fit(e, &value, type, key, span);
}

void emit_assign(struct emit *e, const struct emit_context *in,
                 const struct ir_effect *effect) {
  struct pending value = {e->expr.length, ir_range(effect->value)};
  emit_bare(e, in, effect->value);
  store(e, in, effect->target, value, effect->span);
}

/* ---- moves ----------------------------------------------------------------------------- */

static void store_location(struct emit *e, const char *base, const struct ir_process *p,
                           uint32_t to) {
  const char *frame = e->has_frames ? EMIT_OWN_FRAME " + " : "";
  if (p->location_bytes == 1)
    emit_line(e, "%s[%sp%u] = %u;", base, frame, p->index, to);
  else
    emit_line(e, "%c%u(%s, %sp%u) = %u;", p->location_bytes == 4 ? 'I' : 'U',
              p->location_bytes * 8, base, frame, p->index, to);
}

void emit_move(struct emit *e, const struct emit_context *in, const struct ir_process *p,
               const struct ir_edge *edge) {
  if (edge->from == edge->to)
    return;
  if (in->mover > 0)
    store_location(e, "row", p, edge->to);
  store_location(e, in->work, p, edge->to);
  emit_mark_written(e, p->location_slot);
}

/* ---- messages ---------------------------------------------------------------------------- */

/* Sent values, each cut to its field's type, as pending values one after the
 * other; all but a single one in temporaries, because assignments follow. */
static struct pending *sent_values(struct emit *e, const struct emit_context *in,
                                   const struct ir_edge *sender) {
  const struct ir_channel *c = sender->channel;
  struct pending *value = ARENA_ARRAY(e->arena, sender->n_values + (size_t)1, struct pending);
  for (uint32_t i = 0; i < sender->n_values; i++) {
    const struct ir_expr *x = sender->value[i];
    value[i] = (struct pending){e->expr.length, ir_range(x)};
    emit_bare(e, in, x);
    fit(e, &value[i], c->field[i], x, x->span);
    if (sender->n_values > 1)
      emit_spill(e, value[i].from);
  }
  value[sender->n_values].from = e->expr.length;
  return value;
}

/* Stores pending values i to n-1; the last is stored first in `expr`'s order, so each
 * is printed anew at the end. */
static void store_values(struct emit *e, const struct emit_context *in,
                         const struct ir_edge *receiver, const struct pending *value,
                         uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    struct pending copy = {e->expr.length, value[i].range};
    if (!e->expr.failed) {
      const char *text =
          arena_text(e->arena, e->expr.at + value[i].from, value[i + 1].from - value[i].from);
      text_puts(&e->expr, text);
    }
    store(e, in, receiver->value[i], copy, receiver->value[i]->span);
  }
}

void emit_pass(struct emit *e, const struct emit_context *in, const struct ir_edge *sender,
               const struct ir_edge *receiver) {
  size_t from = e->expr.length;
  struct pending *value = sent_values(e, in, sender);
  uint32_t n = sender->n_values < receiver->n_values ? sender->n_values : receiver->n_values;
  store_values(e, in, receiver, value, n);
  emit_drop(e, from);
}

static bool is_signed_field(const struct ir_channel *c, uint32_t field) {
  return !c->field[field] || c->field[field]->is_signed;
}

static void put_count(struct emit *e, const struct emit_context *in,
                      const struct ir_channel *c) {
  emit_cell(&e->expr, emit_base(e, in, c->count_slot), c->count_bytes, false);
  emit_count_name(&e->expr, c);
  text_puts(&e->expr, emit_cell_end(c->count_bytes, false));
}

/* count = the expression from `from` on. */
static void store_count(struct emit *e, const struct emit_context *in,
                        const struct ir_channel *c, size_t from) {
  char head[64];
  if (c->count_bytes == 1)
    snprintf(head, sizeof head, "%s[c%u_count] = ", in->work, c->index);
  else
    snprintf(head, sizeof head, "%c%u(%s, c%u_count) = ", c->count_bytes == 4 ? 'I' : 'U',
             c->count_bytes * 8, in->work, c->index);
  emit_statement(e, head, from, ";");
  emit_mark_written(e, c->count_slot);
}

static void store_field(struct emit *e, const struct emit_context *in,
                        const struct ir_channel *c, uint32_t field, const char *place,
                        size_t from) {
  char head[96];
  uint32_t bytes = ir_type_bytes(c->field[field]);
  bool is_signed = is_signed_field(c, field);
  if (bytes == 1 && !is_signed)
    snprintf(head, sizeof head, "%s[c%u_%u + %s] = ", in->work, c->index, field, place);
  else
    snprintf(head, sizeof head, "%c%u(%s, c%u_%u + %u * %s) = ", is_signed ? 'I' : 'U',
             bytes * 8, in->work, c->index, field, bytes, place);
  emit_statement(e, head, from, ";");
  emit_mark_written(e, ir_channel_cell(c, 0, field).slot);
}

static void send_message(struct emit *e, const struct emit_context *in,
                         const struct ir_edge *edge) {
  const struct ir_channel *c = edge->channel;
  size_t from = e->expr.length;
  struct pending *value = sent_values(e, in, edge);
  size_t place = e->expr.length;
  put_count(e, in, c);
  emit_spill(e, place);
  const char *at =
      e->expr.failed ? "0" : arena_text(e->arena, e->expr.at + place, e->expr.length - place);
  for (uint32_t i = 0; i < edge->n_values; i++) {
    size_t copy = e->expr.length;
    if (!e->expr.failed)
      text_puts(&e->expr, arena_text(e->arena, e->expr.at + value[i].from,
                                     value[i + 1].from - value[i].from));
    store_field(e, in, c, i, at, copy);
  }
  size_t more = e->expr.length;
  text_printf(&e->expr, "%s + 1", at);
  store_count(e, in, c, more);
  emit_drop(e, from);
}

/* All messages move up by one; the last cell becomes zero. */
static void shift_column(struct emit *e, const struct emit_context *in,
                         const struct ir_channel *c, uint32_t field) {
  uint32_t bytes = ir_type_bytes(c->field[field]);
  char column[32], place[16];
  snprintf(column, sizeof column, "c%u_%u", c->index, field);
  if (c->capacity > 1)
    emit_line(e, "memmove(%s + %s, %s + %s + %u, %u);", in->work, column, in->work, column,
              bytes, bytes * (c->capacity - 1));
  snprintf(place, sizeof place, "%u", c->capacity - 1);
  size_t from = e->expr.length;
  text_puts(&e->expr, "0");
  store_field(e, in, c, field, place, from);
  emit_mark_written(e, ir_channel_cell(c, 0, field).slot);
}

static void receive_message(struct emit *e, const struct emit_context *in,
                            const struct ir_edge *edge) {
  const struct ir_channel *c = edge->channel;
  size_t begin = e->expr.length;
  struct pending *value = ARENA_ARRAY(e->arena, edge->n_values + (size_t)1, struct pending);
  for (uint32_t i = 0; i < edge->n_values; i++) {
    uint32_t slot = ir_channel_cell(c, 0, i).slot, bytes = ir_type_bytes(c->field[i]);
    value[i] = (struct pending){e->expr.length, ir_type_range(c->field[i])};
    emit_cell(&e->expr, emit_base(e, in, slot), bytes, is_signed_field(c, i));
    emit_channel_name(&e->expr, c, i);
    text_puts(&e->expr, emit_cell_end(bytes, is_signed_field(c, i)));
    emit_spill(e, value[i].from);
  }
  value[edge->n_values].from = e->expr.length;
  for (uint32_t f = 0; f < c->n_fields; f++)
    shift_column(e, in, c, f);
  size_t from = e->expr.length;
  put_count(e, in, c);
  text_puts(&e->expr, " - 1");
  store_count(e, in, c, from);
  store_values(e, in, edge, value, edge->n_values);
  emit_drop(e, begin);
}

void emit_channel(struct emit *e, const struct emit_context *in, const struct ir_edge *edge) {
  if (edge->sync == IR_SEND)
    send_message(e, in, edge);
  else
    receive_message(e, in, edge);
}
