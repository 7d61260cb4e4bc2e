/* effect.c - the effects of an edge, one after the other.
 *
 * Assignments are in write.c. The others, which only models with instances have, are
 * here: assertions, which let the step go on; prints, which only the trace shows; the
 * making of a process; and its priority.
 */
#include "native/emit/emit.h"

#include <stdio.h>

static void assertion(struct emit *e, const struct emit_context *in,
                      const struct ir_effect *effect) {
  char message[240], tail[64];
  snprintf(message, sizeof message, "%.200s",
           effect->text ? effect->text : ir_expr_text(e->arena, effect->value));
  uint32_t fault = emit_fault(e, effect, EMIT_FAULT, effect->span, message);
  size_t from = e->expr.length;
  emit_truth(e, in, effect->value, false);
  snprintf(tail, sizeof tail, " && broken == TS_NONE) broken = %uu;", fault);
  emit_statement(e, "if (!", from, tail);
}

/* An argument that cannot be worked out is no error of the run, which does not print: its bit
 * is set in the last word. */
static void print_argument(struct emit *e, const struct emit_context *in,
                           const struct ir_expr *argument, uint32_t i) {
  const bool escaped = e->escaped;
  const uint32_t label = e->labels++;
  const size_t from = e->expr.length;
  struct emit_context own = *in;
  snprintf(own.escape.head, sizeof own.escape.head, "(void)");
  snprintf(own.escape.tail, sizeof own.escape.tail, "; goto unknown_%u;", label);
  own.escape.needs = 0;
  e->escaped = false;
  emit_bare(e, &own, argument);
  emit_statement(e, "word(run->trace, (uint32_t)(", from, "));");
  if (e->escaped) {
    emit_line(e, "if (0) {");
    emit_line(e, "unknown_%u:", label);
    emit_line(e, "  word(run->trace, 0);");
    emit_line(e, "  unknown |= %uu;", i < 31 ? 1u << i : 1u << 31);
    emit_line(e, "}");
  }
  e->escaped = escaped;
}

static void print(struct emit *e, const struct emit_context *in,
                  const struct ir_effect *effect) {
  uint32_t number = e->prints.n;
  *ARENA_PUSH(e->arena, &e->prints) =
      (struct ts_print){effect->text ? effect->text : "", ir_place(effect->span)};
  emit_line(e, "if (run->trace && !run->muted) {");
  e->depth++;
  emit_line(e, "word(run->trace, TS_TRACE_PRINT);");
  emit_line(e, "uint32_t unknown = 0;");
  emit_line(e, "word(run->trace, %u);", effect->n_arguments + 2);
  emit_line(e, "word(run->trace, %u);", number);
  for (uint32_t i = 0; i < effect->n_arguments; i++)
    print_argument(e, in, effect->argument[i], i);
  emit_line(e, "word(run->trace, unknown);");
  e->depth--;
  emit_line(e, "}");
}

static void set_priority(struct emit *e, const struct emit_context *in,
                         const struct ir_effect *effect) {
  char number[24], value[24];
  emit_spill_operand(e, in, effect->argument[0], number, sizeof number);
  emit_spill_operand(e, in, effect->value, value, sizeof value);
  const struct ir_range r = ir_range(effect->value);
  if (r.low < 1 || r.high > 255)
    emit_check(
        e, in,
        emit_fault(e, effect, EMIT_FAULT, effect->span, "priority out of range (1 to 255)"),
        "template_of(row, %s) && (uint32_t)(%s - 1) > 254u", number, value);
  emit_line(e, "if (template_of(row, %s)) {", number);
  emit_line(e, "  row[slot_at[%s] + PRIORITY] = (uint8_t)%s;", number, value);
  emit_line(e, "  changed |= BIT(FIRST_SLOT + (uint32_t)%s);", number);
  emit_line(e, "}");
}

/* The arguments are worked out first, then the place is taken. */
static void run(struct emit *e, const struct emit_context *in, const struct ir_effect *effect) {
  const struct ir_process *p = effect->process;
  uint32_t fault = emit_fault(e, effect, EMIT_FAULT, effect->span, "too many processes");
  uint32_t label = e->labels++;
  char number[24], arguments[24];
  if (p->n_seats == 0) { /* nobody ever gets here (ir/live.c) */
    emit_check(e, in, fault, "1");
    return;
  }
  for (uint32_t i = 0; i < effect->n_arguments && i < p->n_parameters; i++) {
    char name[24];
    emit_spill_operand(e, in, effect->argument[i], name, sizeof name);
    emit_line(e, "int32_t a%u_%u = %s;", label, i, name);
  }
  if (effect->value && e->model->uses_priority) {
    char name[24];
    emit_spill_operand(e, in, effect->value, name, sizeof name);
    emit_line(e, "int32_t p%u_ = %s;", label, name);
  }
  snprintf(number, sizeof number, "k%u", label);
  snprintf(arguments, sizeof arguments, "f%u", label);
  emit_line(e, "uint32_t %s = LIVE(row);", number);
  if (e->shape->no_place > 0)
    emit_check(e, in, e->shape->no_place - 1, "%s >= SLOTS", number);
  e->helpers |= EMIT_SEATS;
  emit_check(e, in, fault, "!can_seat(%s, %uu)", number, p->index + 1);
  if (p->n_own_channels) { /* their numbers have one byte */
    fault = emit_fault(e, &effect->process, EMIT_FAULT, effect->span, "too many channels");
    emit_check(e, in, fault, "own_channels(row, %s) + %uu > %uu", number, p->n_own_channels,
               IR_MAX_CHANNELS + 1);
  }
  size_t from = e->expr.length;
  text_printf(&e->expr, "start_%u(run, row, slot_at[%s], %s", p->index, number, number);
  for (uint32_t i = 0; i < p->n_parameters; i++)
    if (i < effect->n_arguments)
      text_printf(&e->expr, ", a%u_%u", label, i);
    else
      text_puts(&e->expr, ", 0");
  char head[80];
  snprintf(head, sizeof head, "uint32_t x%u = ", label);
  emit_statement(e, head, from, ");");
  if (p->n_starts) {
    e->escaped = true;
    e->helpers |= in->escape.needs;
    emit_line(e, "if (x%u != TS_NONE) {", label);
    emit_line(e, "  %sx%u%s", in->escape.head, label, in->escape.tail);
    emit_line(e, "}");
  } else {
    emit_line(e, "(void)x%u;", label);
  }
  if (effect->value && e->model->uses_priority)
    emit_line(e, "row[slot_at[%s] + PRIORITY] = (uint8_t)p%u_;", number, label);
  emit_line(e, "changed |= BIT(FIRST_SLOT + %s);", number);
  emit_line(e, "length = slot_end[%s];", number);
  if (effect->target) {
    char value[40];
    snprintf(value, sizeof value, "(int32_t)%s", number);
    emit_store(e, in, effect->target, &(struct emit_value){value, {0, 255}, effect->span});
  }
}

static void effect_of(struct emit *e, const struct emit_context *in,
                      const struct ir_effect *effect) {
  switch (effect->kind) {
  case IR_ASSIGN:
    emit_assign(e, in, effect);
    break;
  case IR_ASSERT:
    assertion(e, in, effect);
    break;
  case IR_PRINT:
    print(e, in, effect);
    break;
  case IR_RUN:
    run(e, in, effect);
    break;
  case IR_C_CODE:
    emit_c_code(e, in, effect);
    break;
  default:
    set_priority(e, in, effect);
    break;
  }
}

void emit_effect_list(struct emit *e, const struct emit_context *in,
                      const struct ir_effect *list, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    effect_of(e, in, &list[i]);
}

void emit_effects(struct emit *e, const struct emit_context *in, const struct ir_edge *edge) {
  emit_effect_list(e, in, edge->effect, edge->n_effects);
}
