/* step.c - one edge of a template: a plain step, one after which control is kept, an
 * offered message, or the receive of a handshake.
 *
 * A plain step goes to a state that is stored. One after which control is kept, or that
 * enters a d_step, is made on a stack of rows, and machine.inc goes on from there.
 */
#include "native/emit/step.h"

#include "ir/embedded.h"

#include <stdio.h>

static void close_brace(struct emit *e) {
  e->depth--;
  emit_line(e, "}");
}

/* Where a failed check goes, if there is one. */
static void emit_label(struct emit *e, uint32_t label) {
  if (e->escaped)
    emit_line(e, "afterL%u:;", label);
}

/* ---- what an edge changes ------------------------------------------------------------ */

static bool has_effect(const struct ir_edge *e, enum ir_effect_kind kind) {
  for (uint32_t i = 0; i < e->n_effects; i++)
    if (e->effect[i].kind == kind)
      return true;
  return false;
}

/* Components known beforehand: 0 the globals, and `own`. Others join in at run time. */
static void target_mask(const struct ir_expr *t, bool *globals, bool *own) {
  if (!t || (t->kind != IR_VARIABLE && t->kind != IR_ELEMENT))
    return;
  if (t->variable->owner)
    *own = true;
  else
    *globals = true;
}

/* Tracked memory is among the globals. */
static void piece_mask(const struct emit *e, const struct ir_piece *piece, bool *globals,
                       bool *own) {
  for (uint32_t i = 0; i < piece->n_views; i++)
    *(piece->view[i]->variable->owner ? own : globals) = true;
  for (uint32_t i = 0; i < e->model->embedded->kept.n; i++)
    *globals |= e->model->embedded->kept.at[i].address != NULL;
}

const char *emit_mask_text(const struct emit *e, const struct ir_edge *edge, char out[48]) {
  bool globals = e->model->uses_last, own = edge->from != edge->to;
  if (edge->flags & IR_ENDS || has_effect(edge, IR_RUN))
    globals |= e->model->live_varies;
  own |= (edge->flags & IR_ENDS) != 0;
  for (uint32_t i = 0; i < edge->n_effects; i++) {
    target_mask(edge->effect[i].target, &globals, &own);
    if (edge->effect[i].kind == IR_C_CODE)
      piece_mask(e, edge->effect[i].piece, &globals, &own);
  }
  if (edge->operation && !edge->operation->is_send)
    for (uint32_t i = 0; i < edge->operation->n_values; i++)
      target_mask(edge->operation->value[i], &globals, &own);
  const char *mine = own ? "BIT(FIRST_SLOT + self)" : "";
  snprintf(out, 48, "%s%s%s", mine, own && globals ? " | " : "",
           globals ? "1"
           : own   ? ""
                   : "0");
  return out;
}

/* ---- escapes from checks that fail --------------------------------------------------- */

/* In a condition: the step is executable, and a model error. */
static void escape_condition(struct emit_context *in, const struct emit_step *s) {
  char head[96], tail[48];
  snprintf(head, sizeof head, "if (WANTED(n, act + %uu)) { n = failed(run, n, act + %uu, ",
           s->number, s->number);
  snprintf(tail, sizeof tail, "); } goto afterL%u;", s->label);
  emit_escape(in, EMIT_FAILED, head, tail);
}

static void escape_row(struct emit_context *in, const struct emit_step *s) {
  char head[64], tail[48];
  snprintf(head, sizeof head, "n = failed(run, n, act + %uu, ", s->number);
  snprintf(tail, sizeof tail, "); goto afterL%u;", s->label);
  emit_escape(in, EMIT_FAILED, head, tail);
}

static void escape_run(struct emit_context *in, const struct emit_step *s, const char *head) {
  char tail[48];
  snprintf(tail, sizeof tail, "); goto endL%u;", s->label);
  emit_escape(in, 0, head, tail);
}

/* ---- the row ------------------------------------------------------------------------- */

static void clear_frame(struct emit *e, const struct ir_process *p) {
  emit_line(e, "memset(row + at, 0, %u);", p->frame_bytes);
  if (e->model->live_varies) {
    emit_line(e, "row[%u]--;", e->model->live_offset);
    emit_line(e, "length = slot_end[self] - slot_bytes[self];");
  }
}

void emit_change_row(struct emit *e, const struct emit_context *in, const struct emit_step *s) {
  const struct ir_edge *edge = s->edge;
  struct emit_context after = *in;
  after.now = "row";
  emit_line(e, "run->reached[%u] = 1;",
            e->statement[s->process->index] + (uint32_t)(edge - s->process->edge));
  if (s->mode == EMIT_TAKING)
    emit_line(e, "move_sender(run, row);");
  if (edge->flags & IR_ENDS) {
    clear_frame(e, s->process);
  } else {
    emit_move(e, &after, s->process, edge);
    if (edge->operation && s->mode == EMIT_TAKING)
      emit_take(e, &after, edge->operation);
    else if (edge->operation)
      emit_do(e, &after, edge->operation, s->place, s->found);
    emit_effects(e, &after, edge);
  }
  /* A d_step is one move: inside, the last mover is still the one before it. */
  bool is_inside = (s->process->location[edge->to].flags & IR_IN_DSTEP) != 0;
  if (e->model->uses_last && !is_inside)
    emit_line(e, "row[%u] = (uint8_t)self;", e->model->last_offset);
}

/* Whether the step may be a fault that has a successor. */
static bool may_break(const struct emit *e, const struct ir_edge *edge) {
  return has_effect(edge, IR_ASSERT) || (e->model->trace != NULL && edge->operation != NULL);
}

static void open_row(struct emit *e, const struct emit_step *s) {
  char mask[48];
  emit_begin_event(e);
  bool breaks = may_break(e, s->edge) || emit_is_held(s->process, s->edge);
  emit_line(e, "uint32_t length = LENGTH_NOW%s;", breaks ? ", broken = TS_NONE" : "");
  emit_line(e, "uint64_t changed = %s;", emit_mask_text(e, s->edge, mask));
  if (s->place && s->mode == EMIT_ALONE)
    emit_line(e, "changed |= BIT(%s);", s->place->component);
}

/* A step to a state that is stored. */
static void plain_step(struct emit *e, const struct emit_context *in,
                       const struct emit_step *s) {
  emit_line(e, "if (WANTED(n, act + %uu)) {", s->number);
  e->depth++;
  emit_line(e, "uint8_t *const row = ROW(n);");
  open_row(e, s);
  emit_line(e, "COPY(row, s);");
  struct emit_context row = *in;
  escape_row(&row, s);
  emit_change_row(e, &row, s);
  emit_line(e, "CLEAR(row);");
  emit_line(e, "TELL(act + %uu, changed, length);", s->number);
  if (may_break(e, s->edge)) {
    e->helpers |= EMIT_BROKE;
    emit_line(e, "if (broken != TS_NONE) broke(run, n, broken);");
  }
  e->depth--;
  emit_line(e, "}");
}

/* The body of a step that is not plain: the row is changed, and then its d_step is done. */
static void change_held(struct emit *e, const struct emit_context *in,
                        const struct emit_step *s, bool dstep) {
  emit_line(e, "COPY(row, s);");
  emit_change_row(e, in, s);
  emit_line(e, "run->changed = changed;");
  emit_line(e, "run->grown = length;");
  emit_line(e, "run->broken = broken;");
  if (dstep)
    emit_line(e, "const uint32_t how = inner_%u(run, row, at, act, self);", s->process->index);
}

/* A step after which control is kept. */
static void held_step(struct emit *e, const struct emit_context *in, const struct emit_step *s,
                      uint32_t fault) {
  emit_line(e, "const int32_t outer = begin(run, act + %uu);", s->number);
  emit_line(e, "if (passes(run)) {");
  e->depth++;
  emit_line(e, "uint8_t *const row = STACK(run->top);");
  open_row(e, s);
  struct emit_context row = *in;
  escape_run(&row, s, "n = stop(run, n, ");
  emit_check(e, &row, fault, "run->top >= HELD");
  change_held(e, &row, s, false);
  emit_line(e, "n = proceed(run, n, self, 1, %u);", s->cycle);
}

/* A step that enters a d_step. Nearly always control is given up where that ends, nothing
 * is held, and every event is wanted: then its row is made where it stays. */
static void dstep(struct emit *e, const struct emit_context *in, const struct emit_step *s,
                  uint32_t fault) {
  char head[64];
  e->helpers |= EMIT_INNER;
  emit_line(e, "const int32_t quick = n < run->limit || PASSES(n, act + %uu);", s->number);
  emit_line(e, "int32_t outer = quick ? 0 : begin(run, act + %uu);", s->number);
  emit_line(e, "if (quick || passes(run)) {");
  e->depth++;
  emit_line(e, "uint8_t *const row = quick ? ROW(n) : STACK(run->top);");
  open_row(e, s);
  snprintf(head, sizeof head, "n = fails(run, n, act + %uu, quick, ", s->number);
  struct emit_context row = *in;
  escape_run(&row, s, head);
  emit_check(e, &row, fault, "!quick && run->top >= HELD");
  change_held(e, &row, s, true);
  emit_line(e, "if (quick && how == 0) {");
  emit_line(e, "  CLEAR(row);");
  emit_line(e, "  TELL(act + %uu, run->changed, run->grown);", s->number);
  emit_line(e, "  if (run->broken != TS_NONE) broke(run, n, run->broken);");
  emit_line(e, "} else if (quick && how == 2) {");
  emit_line(e, "  n = failed(run, n, act + %uu, run->fault);", s->number);
  emit_line(e, "} else {");
  emit_line(e, "  if (quick) outer = hold(run, act + %uu, row);", s->number);
  emit_line(e, "  n = proceed(run, n, self, how, %u);", s->cycle);
  emit_line(e, "}");
}

/* A step after which control is kept, or a d_step begins. */
static void long_step(struct emit *e, const struct emit_context *in,
                      const struct emit_step *s) {
  const struct ir_edge *edge = s->edge;
  uint32_t fault = emit_fault(e, edge, EMIT_CONFLICT, edge->span,
                              "too many steps in a row that are not stored");
  e->helpers |= EMIT_RUNS;
  bool escaped = e->escaped; /* what follows goes to a label of its own */
  emit_line(e, "{");
  e->depth++;
  emit_line(e, "const uint32_t before = n;");
  if (s->process->location[edge->to].flags & IR_IN_DSTEP)
    dstep(e, in, s, fault);
  else
    held_step(e, in, s, fault);
  e->depth--;
  emit_line(e, "}");
  emit_line(e, "endL%u:", s->label);
  emit_line(e, "if (outer) n = end(run, n, before);");
  e->depth--;
  emit_line(e, "}");
  e->escaped = escaped;
}

static void one_step(struct emit *e, const struct emit_context *in, const struct emit_step *s) {
  if (s->asks)
    emit_line(e, "tried = 1;");
  if (s->escapes)
    emit_line(e, "group = %u;", s->edge->escape);
  if (emit_is_held(s->process, s->edge))
    long_step(e, in, s);
  else
    plain_step(e, in, s);
}

/* ---- channels ------------------------------------------------------------------------ */

/* Whether an edge may receive from a rendezvous channel. */
static bool listens(const struct emit *e, const struct ir_edge *edge, uint32_t channel) {
  const struct ir_operation *o = edge->operation;
  struct emit_place place;
  return o && !o->is_send && !o->keep &&
         (!emit_constant_channel(e, o->channel, &place) || place.value == channel);
}

/* In `expr`: the bit of slot i if who lives there is where it may receive. */
static void find_listener(struct emit *e, uint32_t i, uint32_t channel) {
  const struct ir_slot *slot = &e->model->slot[i];
  const struct ir_process *p = slot->seat[0].process;
  uint32_t n = 0, at = slot->offset + p->location_offset;
  for (uint32_t k = 0; k < slot->n_seats; k++)
    for (uint32_t j = 0; j < slot->seat[k].process->n_edges; j++)
      n += listens(e, &slot->seat[k].process->edge[j], channel);
  if (n == 0)
    return;
  if (slot->n_seats > 1 || p->location_bytes > 1 || n > 8) {
    text_printf(&e->expr, " | 1ull << %u", i);
    return;
  }
  uint64_t where = 0;
  text_puts(&e->expr, " | (uint64_t)(0");
  for (uint32_t j = 0; j < p->n_edges; j++) {
    if (!listens(e, &p->edge[j], channel))
      continue;
    if (p->edge[j].from < 64)
      where |= UINT64_C(1) << p->edge[j].from;
    else
      text_printf(&e->expr, " | (s[%u] == %u)", at, p->edge[j].from);
  }
  if (where != 0 && p->n_locations > 64)
    text_printf(&e->expr, " | (s[%u] < 64 && (0x%llxull >> s[%u] & 1))", at,
                (unsigned long long)where, at);
  else if (where != 0)
    text_printf(&e->expr, " | (0x%llxull >> s[%u] & 1)", (unsigned long long)where, at);
  text_printf(&e->expr, ") << %u", i);
}

/* In `expr`: who is where the offered message may be received, one bit each, which costs
 * far less than asking all. False: the channel is not known, or there are too many. */
static bool find_listeners(struct emit *e, const struct emit_place *place) {
  if (place->value == 0 || e->model->n_slots > 64)
    return false;
  text_puts(&e->expr, "0ull");
  for (uint32_t i = 0; i < e->model->n_slots; i++)
    find_listener(e, i, place->value);
  return true;
}

/* A rendezvous send: the message is offered to all others. */
static void offer(struct emit *e, const struct emit_context *in, const struct emit_step *s) {
  char mask[48];
  const struct ir_process *p = s->process;
  e->helpers |= EMIT_RUNS | EMIT_HANDSHAKES;
  emit_line(e, "{");
  e->depth++;
  emit_begin_event(e);
  emit_give(e, in, s->edge->operation, s->place);
  size_t from = e->expr.length;
  bool asked = find_listeners(e, s->place);
  if (asked) {
    emit_statement(e, "const uint64_t who = ", from, ";");
    emit_line(e, "if (who || run->probe) {");
    e->depth++;
  }
  emit_line(e, "const uint32_t before = n;");
  emit_line(e, "const int32_t outer = begin(run, act + %uu);", s->number);
  emit_line(e, "run->sender_at = at + %u;", p->location_offset);
  emit_line(e, "run->sender_bytes = %u;", p->location_bytes);
  emit_line(e, "run->sender_to = %u;", s->edge->to);
  emit_give_zeroes(e, s->edge);
  e->helpers |= EMIT_VALUES;
  emit_line(e, "if (run->trace && !run->muted) tell_values(run, TS_TRACE_SEND);");
  emit_line(e, "n = handshake(run, s, n, self, %s, %s);", emit_mask_text(e, s->edge, mask),
            asked ? "who" : "~0ull");
  emit_line(e, "if (run->partner) run->reached[%u] = 1;",
            e->statement[p->index] + (uint32_t)(s->edge - p->edge));
  if (s->asks)
    emit_line(e, "tried |= run->partner;");
  if (s->escapes)
    emit_line(e, "group = run->partner ? %u : 0;", s->edge->escape);
  emit_line(e, "if (outer) n = end(run, n, before);");
  if (asked) {
    e->depth--;
    emit_line(e, "} else {");
    emit_line(e, s->escapes ? "  run->channel = 0, group = 0;" : "  run->channel = 0;");
    emit_line(e, "}");
  }
  e->depth--;
  emit_line(e, "}");
}

/* `if (condition) {` around a step with a channel at hand. */
static void channel_step(struct emit *e, const struct emit_context *in,
                         const struct emit_step *step) {
  const struct ir_operation *o = step->edge->operation;
  struct emit_step s = *step;
  struct emit_context own = *in;
  char found[24];
  escape_condition(&own, &s);
  if (!s.place->channel->capacity) {
    if (o->is_send)
      offer(e, &own, &s);
    return;
  }
  emit_line(e, "{");
  e->depth++;
  emit_begin_event(e); /* what the step writes with a channel of another kind */
  size_t from = e->expr.length;
  emit_can(e, &own, o, s.place, found);
  s.found = found;
  emit_statement(e, "if (", from, ") {");
  e->depth++;
  one_step(e, &own, &s);
  close_brace(e);
  close_brace(e);
}

/* One of several kinds of channels that it may be; failed checks of the first one go where
 * those of the edge go, the others have labels of their own. */
static void kind_step(struct emit *e, const struct emit_context *in, struct emit_step *s,
                      uint32_t kind) {
  bool escaped = e->escaped;
  if (kind == 0) {
    channel_step(e, in, s);
    return;
  }
  s->label = e->labels++;
  e->escaped = false;
  channel_step(e, in, s);
  emit_label(e, s->label);
  e->escaped = escaped;
}

static void operation_step(struct emit *e, const struct emit_context *in,
                           const struct emit_step *s) {
  struct emit_place place;
  struct emit_step one = *s;
  char kind[24];
  one.place = &place;
  emit_exclusive(e, in, s->edge->operation->channel);
  if (emit_constant_channel(e, s->edge->operation->channel, &place)) {
    channel_step(e, in, &one);
    return;
  }
  bool several = emit_search_channel(e, in, s->edge->operation->channel, &place, kind);
  for (uint32_t k = 0; k < e->n_kinds; k++) {
    place.channel = e->kind[k];
    if (!place.channel->capacity && !s->edge->operation->is_send)
      continue;
    emit_line(e, several ? "if (%s == %u) {" : "{", kind, k);
    e->depth++;
    kind_step(e, in, &one, k);
    close_brace(e);
  }
  emit_end_search(e, &place, kind);
}

/* The receive of an open handshake. */
static void taking_step(struct emit *e, const struct emit_context *in,
                        const struct emit_step *s) {
  const struct ir_operation *o = s->edge->operation;
  struct emit_place place;
  size_t from = e->expr.length;
  if (emit_constant_channel(e, o->channel, &place)) {
    text_printf(&e->expr, "run->channel == %s", place.number);
  } else {
    text_puts(&e->expr, "run->channel == ");
    emit_operand(e, in, o->channel);
  }
  emit_statement(e, "if (", from, ") {");
  e->depth++;
  bool matches = emit_matches(e, in, o);
  if (matches) {
    emit_statement(e, "if (", from, ") {");
    e->depth++;
  }
  emit_exclusive(e, in, o->channel);
  one_step(e, in, s);
  if (matches)
    close_brace(e);
  close_brace(e);
}

/* ---- edges --------------------------------------------------------------------------- */

/* `if (guard) {`; false: it is always true, and nothing was printed. */
static bool open_guard(struct emit *e, const struct emit_context *in,
                       const struct ir_edge *edge, size_t from) {
  bool ends = (edge->flags & IR_ENDS) != 0;
  bool depends = edge->guard != NULL && emit_decide(e, in, edge->guard) != EMIT_ALWAYS;
  if (!ends && !depends)
    return false;
  text_puts(&e->expr, ends ? "self + 1 == LIVE(s)" : "");
  text_puts(&e->expr, ends && depends ? " && " : "");
  if (depends)
    emit_truth(e, in, edge->guard, !ends);
  emit_statement(e, "if (", from, ") {");
  e->depth++;
  return true;
}

void emit_edge_block(struct emit *e, struct emit_step *s) {
  const struct ir_edge *edge = s->edge;
  size_t from = e->expr.length;
  e->temps = 0;
  s->label = e->labels++;
  emit_begin_event(e);
  emit_edge_comment(e, s->mode == EMIT_TAKING ? "takes " : "", s->process, edge);
  if (s->escapes)
    emit_line(e, "if (group && group != %u) break;", edge->escape);
  emit_line(e, "{");
  e->depth++;
  e->escaped = false;
  struct emit_context in = emit_context("s", "row");
  escape_condition(&in, s);
  bool asks = open_guard(e, &in, edge, from);
  if (s->mode == EMIT_TAKING)
    taking_step(e, &in, s);
  else if (edge->operation)
    operation_step(e, &in, s);
  else
    one_step(e, &in, s);
  if (asks)
    close_brace(e);
  close_brace(e);
  emit_label(e, s->label);
}
