/* special.c - expressions that only models with instances have.
 *
 * What concerns other processes goes through small functions that frame.c prints
 * once per model (where process n lives, which template it is of); they look at the row
 * that is being made as soon as there is one, since a process may have been made or
 * have moved a moment ago.
 */
#include "native/emit/emit.h"

#include <stdio.h>
#include <string.h>

static void check_range(struct emit *e, const struct emit_context *in,
                        const struct ir_expr *x) {
  struct ir_range r = ir_range(x->a);
  char message[96], name[24];
  if (r.low >= 0 && r.high < x->value) {
    emit_operand(e, in, x->a);
    return;
  }
  snprintf(message, sizeof message, "index out of range (0 to %d)", (int)x->value - 1);
  emit_spill_operand(e, in, x->a, name, sizeof name);
  emit_check(e, in, emit_fault(e, x, EMIT_FAULT, x->span, message), "(uint32_t)%s >= %uu", name,
             (unsigned)x->value);
  text_puts(&e->expr, name);
}

/* ---- other processes ----------------------------------------------------------------- */

/* A process number: that of x->a, or of the first live instance (-1: none). */
static void process_number(struct emit *e, const struct emit_context *in,
                           const struct ir_expr *x, char *name, size_t size) {
  if (x->a) {
    emit_spill_operand(e, in, x->a, name, size);
    return;
  }
  snprintf(name, size, "t%u", e->temps++);
  e->helpers |= EMIT_FIRST;
  emit_line(e, "int32_t %s = first_of(%s, %uu);", name, in->now, x->process->index + 1);
}

/* The same, of a live instance; if there is none, a model error. */
static void living_number(struct emit *e, const struct emit_context *in,
                          const struct ir_expr *x, char number[24]) {
  char message[120];
  process_number(e, in, x, number, 24);
  snprintf(message, sizeof message, "no live process of type '%.60s' has this number",
           x->process->name);
  uint32_t fault = emit_fault(e, x, EMIT_FAULT, x->span, message);
  emit_check(e, in, fault, "template_of(%s, %s) != %uu", in->now, number,
             x->process->index + 1);
}

void emit_foreign_frame(struct emit *e, const struct emit_context *in, const struct ir_expr *x,
                        bool is_target, char name[24]) {
  char number[24];
  living_number(e, in, x, number);
  snprintf(name, 24, "f%u", e->temps++);
  emit_line(e, "uint32_t %s = slot_at[%s];", name, number);
  if (is_target)
    emit_line(e, "changed |= BIT(FIRST_SLOT + (uint32_t)%s);", number);
}

static uint32_t foreign(struct emit *e, const struct emit_context *in,
                        const struct ir_expr *x) {
  char frame[24];
  struct emit_context other = *in;
  if (x->kind == IR_NUMBER) {
    living_number(e, in, x, frame);
    text_puts(&e->expr, frame);
    return 0;
  }
  emit_foreign_frame(e, in, x, false, frame);
  other.frame = frame;
  emit_operand(e, &other, x->b);
  return 3;
}

static void located(struct emit *e, const struct emit_context *in, const struct ir_expr *x) {
  char number[24];
  process_number(e, in, x, number, sizeof number);
  text_printf(&e->expr, "(template_of(%s, %s) == %uu && ", in->now, number,
              x->process->index + 1);
  char base[64];
  snprintf(base, sizeof base, "%s", in->now);
  emit_cell(&e->expr, base, x->process->location_bytes, false);
  text_printf(&e->expr, "slot_at[%s] + %u", number, x->process->location_offset);
  text_puts(&e->expr, emit_cell_end(x->process->location_bytes, false));
  text_printf(&e->expr, " == %u)", x->location);
}

static void priority(struct emit *e, const struct emit_context *in, const struct ir_expr *x) {
  if (!e->model->uses_priority) {
    text_puts(&e->expr, "1");
  } else if (!x->a) {
    text_printf(&e->expr, "%s[at + PRIORITY]", in->now);
  } else {
    char number[24];
    emit_spill_operand(e, in, x->a, number, sizeof number);
    text_printf(&e->expr, "(template_of(%s, %s) ? %s[slot_at[%s] + PRIORITY] : 0)", in->now,
                number, in->now, number);
  }
}

/* ---- channels ------------------------------------------------------------------------ */

/* Whether a rival lives and has claimed the channel, whose number is in `number`. */
static void check_rival(struct emit *e, const struct emit_context *in, const struct ir_expr *x,
                        const struct ir_rival *rival, const char *number) {
  const struct ir_exclusive_claim *claim = rival->claim;
  char claimed[24], frame[24], message[260];
  bool receives = claim->use == IR_RECEIVES;
  snprintf(message, sizeof message,
           "%s %.40s of %.40s (process %u): no other process may %s the channel or look into "
           "it, and %.40s does",
           receives ? "xr" : "xs", claim->name, claim->process->name, rival->number,
           receives ? "receive from" : "send to", x->exclusion->process->name);
  uint32_t fault = emit_fault(e, rival, EMIT_FAULT, x->span, message);
  e->faults.at[fault].is_exclusive = true;
  emit_line(e, "if (self != %u && template_of(%s, %u) == %uu) {", rival->number, in->now,
            rival->number, claim->process->index + 1);
  e->depth++;
  snprintf(claimed, sizeof claimed, "%d", (int)rival->channel.at);
  if (!rival->channel.known) {
    struct emit_context other = *in;
    snprintf(frame, sizeof frame, "f%u", e->temps++);
    emit_line(e, "const uint32_t %s = slot_at[%u];", frame, rival->number);
    other.frame = frame;
    emit_spill_operand(e, &other, claim->channel, claimed, sizeof claimed);
  }
  emit_check(e, in, fault, "%s == %s", number, claimed);
  e->depth--;
  emit_line(e, "}");
}

void emit_exclusive(struct emit *e, const struct emit_context *in, const struct ir_expr *x) {
  char number[24];
  if (x->kind != IR_EXCLUSIVE)
    return;
  emit_spill_operand(e, in, x->a, number, sizeof number);
  for (uint32_t i = 0; i < x->exclusion->n; i++)
    check_rival(e, in, x, &x->exclusion->rival[i], number);
}

/* Messages in the channel, or free places. */
static void length(struct emit *e, const struct emit_context *in, const struct ir_expr *x) {
  emit_exclusive(e, in, x->a);
  struct emit_place place;
  const struct ir_channel *c = emit_constant_channel(e, x->a, &place);
  bool room = x->kind == IR_ROOM;
  char kind[24], result[24];
  if (c) {
    if (!c->capacity) {
      text_puts(&e->expr, "0");
      return;
    }
    text_printf(&e->expr, room ? "(%u - " : "(", c->capacity);
    emit_cell(&e->expr, in->now, c->count_bytes, false);
    text_printf(&e->expr, "%u", c->count_offset);
    text_puts(&e->expr, emit_cell_end(c->count_bytes, false));
    text_puts(&e->expr, ")");
    return;
  }
  bool several = emit_search_channel(e, in, x->a, &place, kind);
  snprintf(result, sizeof result, "t%u", e->temps++);
  emit_line(e, "int32_t %s = 0;", result);
  for (uint32_t k = 0; k < e->n_kinds; k++) {
    c = e->kind[k];
    if (!c->capacity)
      continue;
    size_t from = e->expr.length;
    emit_cell(&e->expr, in->now, c->count_bytes, false);
    text_printf(&e->expr, "%s + %u", place.at, c->count_offset - c->data_offset);
    text_puts(&e->expr, emit_cell_end(c->count_bytes, false));
    char head[80];
    int n = several ? snprintf(head, sizeof head, "if (%s == %u) ", kind, k) : 0;
    if (room)
      snprintf(head + n, sizeof head - (size_t)n, "%s = %u - ", result, c->capacity);
    else
      snprintf(head + n, sizeof head - (size_t)n, "%s = ", result);
    emit_statement(e, head, from, ";");
  }
  emit_end_search(e, &place, kind);
  text_puts(&e->expr, result);
}

/* Whether a step could be done may be asked of a rendezvous channel, too; what its messages
 * are may not. */
static void poll_rendezvous(struct emit *e, const struct emit_context *in,
                            const struct ir_operation *o) {
  if (o->keep)
    emit_check(e, in,
               emit_fault(e, o, EMIT_FAULT, o->span, "a rendezvous channel cannot be polled"),
               "1");
}

static void poll(struct emit *e, const struct emit_context *in,
                 const struct ir_operation *operation) {
  struct emit_place place;
  char at[24], kind[24], result[24];
  emit_exclusive(e, in, operation->channel);
  place.channel = emit_constant_channel(e, operation->channel, &place);
  if (place.channel) {
    if (place.channel->capacity) {
      emit_can(e, in, operation, &place, at);
    } else {
      poll_rendezvous(e, in, operation);
      text_puts(&e->expr, "0");
    }
    return;
  }
  bool several = emit_search_channel(e, in, operation->channel, &place, kind);
  snprintf(result, sizeof result, "t%u", e->temps++);
  emit_line(e, "int32_t %s = 0;", result);
  for (uint32_t k = 0; k < e->n_kinds; k++) {
    place.channel = e->kind[k];
    if (!place.channel->capacity && !operation->keep)
      continue;
    char head[80];
    if (several)
      emit_line(e, "if (%s == %u) {", kind, k);
    else
      emit_line(e, "{");
    e->depth++;
    if (place.channel->capacity) {
      size_t from = e->expr.length;
      emit_can(e, in, operation, &place, at);
      snprintf(head, sizeof head, "%s = ", result);
      emit_statement(e, head, from, ";");
    } else {
      poll_rendezvous(e, in, operation);
    }
    e->depth--;
    emit_line(e, "}");
  }
  emit_end_search(e, &place, kind);
  text_puts(&e->expr, result);
}

/* ---- all kinds ----------------------------------------------------------------------- */

static void enabled(struct emit *e, const struct emit_context *in, const struct ir_expr *x) {
  char number[24];
  emit_spill_operand(e, in, x->a, number, sizeof number);
  e->helpers |= EMIT_PROBES;
  text_printf(&e->expr, "can_move(run, %s, %s)", in->now, number);
}

static void place_number(struct emit *e, const struct emit_context *in,
                         const struct ir_expr *x) {
  char number[24];
  emit_spill_operand(e, in, x->a, number, sizeof number);
  text_printf(&e->expr, "place_of(%s, %s)", in->now, number);
}

static void of_all(struct emit *e, const struct emit_context *in, const struct ir_expr *x) {
  if (x->kind == IR_STUCK)
    text_printf(&e->expr, "is_stuck(ts, %s, length)", in->now);
  else
    text_printf(&e->expr, "%s(%s)", x->kind == IR_ACCEPTED ? "accepted" : "nonprogress",
                in->now);
}

static uint32_t c_expr(struct emit *e, const struct emit_context *in, const struct ir_expr *x) {
  char value[24];
  snprintf(value, sizeof value, "t%u", e->temps++);
  emit_line(e, "int32_t %s = 0;", value);
  emit_piece(e, in, x->piece, in->now, value);
  text_puts(&e->expr, value);
  return 0;
}

uint32_t emit_special(struct emit *e, const struct emit_context *in, const struct ir_expr *x) {
  switch (x->kind) {
  case IR_CHECKED:
    check_range(e, in, x);
    return 2;
  case IR_EXCLUSIVE: /* asked where the channel is used */
    emit_operand(e, in, x->a);
    return 1;
  case IR_SELF:
    text_puts(&e->expr, "((int32_t)self)");
    return 0;
  case IR_LIVE:
    text_printf(&e->expr, "((int32_t)LIVE(%s))", in->now);
    return 1;
  case IR_LAST:
    text_printf(&e->expr, "%s[%u]", in->now, e->model->last_offset);
    return 1;
  case IR_FOREIGN:
  case IR_NUMBER:
    return foreign(e, in, x);
  case IR_LOCATED:
    located(e, in, x);
    return 3;
  case IR_PLACE:
    place_number(e, in, x);
    return 2;
  case IR_ENABLED:
    enabled(e, in, x);
    return 2;
  case IR_STUCK:
  case IR_NONPROGRESS:
  case IR_ACCEPTED:
    of_all(e, in, x);
    return 2;
  case IR_PRIORITY:
    priority(e, in, x);
    return 3;
  case IR_LENGTH:
  case IR_ROOM:
    length(e, in, x);
    return 2;
  case IR_POLL:
    poll(e, in, x->operation);
    return 4;
  case IR_ELSE:
    text_puts(&e->expr, "(!tried)");
    return 1;
  case IR_TIMEOUT:
    text_puts(&e->expr, "((int32_t)run->timeout)");
    return 1;
  case IR_C_EXPR:
    return c_expr(e, in, x);
  case IR_MATCH:
    emit_operand(e, in, x->a);
    return 1;
  default:
    text_puts(&e->expr, "0");
    return 0;
  }
}
