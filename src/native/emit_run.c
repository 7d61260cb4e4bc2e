/* emit_run.c - the steps of a template: plain ones, those behind which control is
 * kept, handshakes, and d_steps.
 *
 * Per template that can live: a function for the steps that it can begin, with the
 * offset of the frame, the number of the first action and the process number as
 * parameters (constants where there is one place only); a function for the receives
 * that can take the message of an open handshake; a function that runs a d_step to
 * its end, in place. One case per control location, one block per edge, in order.
 * machine.inc has what is the same in all models, and the way of a run.
 */
#include "native/emit.h"

#include <stdio.h>

enum mode { ALONE, TAKING }; /* a step of its own; the receive of a handshake */

struct step { /* one edge while it is printed */
  const struct ir_process *process;
  const struct ir_edge *edge;
  uint32_t number; /* behind the first action of the template */
  enum mode mode;
  bool asks, escapes; /* the location has an ELSE; escapes */
  bool circle;
  uint32_t label;
};

static bool is_held(const struct ir_process *p, const struct ir_edge *e) {
  return !(e->flags & IR_ENDS) &&
         ((e->flags & IR_KEEPS) || (p->location[e->to].flags & IR_IN_DSTEP));
}

bool emit_has_dstep(const struct ir_process *p) {
  for (uint32_t i = 0; i < p->n_locations; i++)
    if (p->location[i].flags & IR_IN_DSTEP)
      return true;
  return false;
}

/* ---- edges that may close a circle of steps that are not stored ---------------------- */

struct circles {
  const struct ir_process *p;
  const struct ir_edge **sorted;
  uint32_t *first; /* by location, into sorted */
  uint8_t *color;
  bool *circle; /* by edge, in the order of the text */
  uint32_t *stack, *next;
};

/* Depth first: an edge to a location on the way there closes a circle. */
static void visit(struct circles *c, uint32_t root) {
  uint32_t n = 0;
  c->stack[n++] = root;
  c->next[root] = c->first[root];
  c->color[root] = 1;
  while (n) {
    uint32_t at = c->stack[n - 1];
    if (c->next[at] == c->first[at + 1]) {
      c->color[at] = 2;
      n--;
      continue;
    }
    const struct ir_edge *e = c->sorted[c->next[at]++];
    if (!is_held(c->p, e))
      continue;
    if (c->color[e->to] == 1) {
      c->circle[e - c->p->edge] = true;
    } else if (!c->color[e->to]) {
      c->color[e->to] = 1;
      c->next[e->to] = c->first[e->to];
      c->stack[n++] = e->to;
    }
  }
}

static bool *find_circles(struct emit *e, const struct ir_process *p,
                          const struct ir_edge **sorted) {
  struct circles c = {.p = p,
                      .sorted = sorted,
                      .first = ARENA_ARRAY(e->arena, p->n_locations + (size_t)1, uint32_t),
                      .color = ARENA_ARRAY(e->arena, p->n_locations, uint8_t),
                      .circle = ARENA_ARRAY(e->arena, p->n_edges, bool),
                      .stack = ARENA_ARRAY(e->arena, p->n_locations, uint32_t),
                      .next = ARENA_ARRAY(e->arena, p->n_locations, uint32_t)};
  for (uint32_t i = 0; i < p->n_edges; i++)
    c.first[p->edge[i].from + 1]++;
  for (uint32_t i = 0; i < p->n_locations; i++)
    c.first[i + 1] += c.first[i];
  for (uint32_t i = 0; i < p->n_locations; i++)
    if (!c.color[i])
      visit(&c, i);
  return c.circle;
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

static const char *mask_text(const struct emit *e, const struct ir_edge *edge, char out[48]) {
  bool globals = e->model->uses_last, own = edge->from != edge->to;
  if (edge->flags & IR_ENDS || has_effect(edge, IR_RUN))
    globals |= e->model->live_varies;
  own |= (edge->flags & IR_ENDS) != 0;
  for (uint32_t i = 0; i < edge->n_effects; i++)
    target_mask(edge->effect[i].target, &globals, &own);
  if (edge->operation && !edge->operation->is_send)
    for (uint32_t i = 0; i < edge->operation->n_values; i++)
      target_mask(edge->operation->value[i], &globals, &own);
  snprintf(out, 48, "%s", own && globals ? "own | 1" : own ? "own" : globals ? "1" : "0");
  return out;
}

/* ---- escapes from checks that fail --------------------------------------------------- */

/* In a condition: the step is executable, and a model error. */
static void escape_condition(struct emit *e, const struct step *s) {
  char head[96], tail[48];
  snprintf(head, sizeof head,
           "if (n < run->limit || wanted(run, n, act + %uu)) { n = failed(run, n, act + %uu, ",
           s->number, s->number);
  snprintf(tail, sizeof tail, "); } goto after_%u;", s->label);
  emit_escape(e, 0, head, tail);
}

static void escape_row(struct emit *e, const struct step *s) {
  char head[64], tail[48];
  snprintf(head, sizeof head, "n = failed(run, n, act + %uu, ", s->number);
  snprintf(tail, sizeof tail, "); goto after_%u;", s->label);
  emit_escape(e, 0, head, tail);
}

static void escape_run(struct emit *e, const struct step *s) {
  char tail[48];
  snprintf(tail, sizeof tail, "); goto end_%u;", s->label);
  emit_escape(e, 0, "n = stop(run, n, ", tail);
}

/* ---- the row ------------------------------------------------------------------------- */

static void clear_frame(struct emit *e, const struct ir_process *p) {
  emit_line(e, "memset(row + at, 0, %u);", p->frame_bytes);
  if (e->model->live_varies) {
    emit_line(e, "row[%u]--;", e->model->live_offset);
    emit_line(e, "length = slot_end[self] - slot_bytes[self];");
  }
}

/* All that the edge does to `row`. */
static void change_row(struct emit *e, const struct step *s, const struct emit_place *place,
                       const char *found) {
  const struct ir_edge *edge = s->edge;
  emit_line(e, "run->reached[%u] = 1;",
            e->statement[s->process->index] + (uint32_t)(edge - s->process->edge));
  e->now = "row";
  if (s->mode == TAKING)
    emit_line(e, "move_sender(run, row);");
  if (edge->flags & IR_ENDS) {
    clear_frame(e, s->process);
  } else {
    emit_move(e, s->process, edge);
    if (edge->operation && s->mode == TAKING)
      emit_take(e, edge->operation);
    else if (edge->operation)
      emit_do(e, edge->operation, place, found);
    emit_effects(e, edge);
  }
  if (e->model->uses_last)
    emit_line(e, "row[%u] = (uint8_t)self;", e->model->last_offset);
  e->now = "s";
}

static void open_row(struct emit *e, const struct step *s, const struct emit_place *place) {
  char mask[48];
  emit_begin_event(e, "row");
  emit_line(e, "uint32_t length = LENGTH_NOW, broken = TS_NONE;");
  emit_line(e, "uint64_t changed = %s;", mask_text(e, s->edge, mask));
  if (place && s->mode == ALONE)
    emit_line(e, "changed |= BIT(%s);", place->component);
}

/* A step to a state that is stored. */
static void plain_step(struct emit *e, const struct step *s, const struct emit_place *place,
                       const char *found) {
  emit_line(e, "if (n < run->limit || wanted(run, n, act + %uu)) {", s->number);
  e->depth++;
  emit_line(e, "uint8_t *const row = ROW(n);");
  open_row(e, s, place);
  emit_line(e, "COPY(row, s);");
  escape_row(e, s);
  change_row(e, s, place, found);
  emit_line(e, "CLEAR(row);");
  emit_line(e, "TELL(act + %uu, changed, length);", s->number);
  if (has_effect(s->edge, IR_ASSERT))
    emit_line(e, "if (broken != TS_NONE) broke(run, n, broken);");
  e->depth--;
  emit_line(e, "}");
}

/* A step behind which control is kept, or a d_step begins. */
static void held_step(struct emit *e, const struct step *s, const struct emit_place *place,
                      const char *found) {
  const struct ir_edge *edge = s->edge;
  bool dstep = s->process->location[edge->to].flags & IR_IN_DSTEP;
  uint32_t fault = emit_fault(e, edge, EMIT_CONFLICT, edge->span,
                              "too many steps in a row that are not stored");
  e->uses_runs = true;
  emit_line(e, "{");
  e->depth++;
  emit_line(e, "const uint32_t before = n;");
  emit_line(e, "const int32_t outer = begin(run, act + %uu);", s->number);
  emit_line(e, "if (passes(run)) {");
  e->depth++;
  emit_line(e, "uint8_t *const row = STACK(run->top);");
  open_row(e, s, place);
  escape_run(e, s);
  emit_check(e, fault, "run->top >= HELD");
  emit_line(e, "COPY(row, s);");
  change_row(e, s, place, found);
  emit_line(e, "run->changed = changed;");
  emit_line(e, "run->grown = length;");
  emit_line(e, "run->broken = broken;");
  if (dstep)
    emit_line(e, "n = proceed(run, n, self, inner_%u(run, row, at, act, self), %u);",
              s->process->index, s->circle);
  else
    emit_line(e, "n = proceed(run, n, self, 1, %u);", s->circle);
  e->depth--;
  emit_line(e, "}");
  emit_line(e, "end_%u:", s->label);
  emit_line(e, "if (outer) n = end(run, n, before);");
  e->depth--;
  emit_line(e, "}");
}

static void one_step(struct emit *e, const struct step *s, const struct emit_place *place,
                     const char *found) {
  if (s->asks)
    emit_line(e, "tried = 1;");
  if (s->escapes)
    emit_line(e, "group = %u;", s->edge->escape);
  if (is_held(s->process, s->edge))
    held_step(e, s, place, found);
  else
    plain_step(e, s, place, found);
}

/* ---- channels ------------------------------------------------------------------------ */

/* A rendezvous send: the message is offered to all others. */
static void offer(struct emit *e, const struct step *s, const struct emit_place *place) {
  char mask[48];
  const struct ir_process *p = s->process;
  e->uses_runs = e->uses_handshakes = true;
  emit_line(e, "{");
  e->depth++;
  escape_condition(e, s);
  emit_begin_event(e, "row");
  emit_give(e, s->edge->operation, place);
  emit_line(e, "const uint32_t before = n;");
  emit_line(e, "const int32_t outer = begin(run, act + %uu);", s->number);
  emit_line(e, "run->sender_at = at + %u;", p->location_offset);
  emit_line(e, "run->sender_bytes = %u;", p->location_bytes);
  emit_line(e, "run->sender_to = %u;", s->edge->to);
  emit_line(e, "if (run->trace && !run->muted) tell_values(run, TS_TRACE_SEND);");
  emit_line(e, "n = handshake(run, s, n, self, %s);", mask_text(e, s->edge, mask));
  emit_line(e, "if (run->partner) run->reached[%u] = 1;",
            e->statement[p->index] + (uint32_t)(s->edge - p->edge));
  if (s->asks)
    emit_line(e, "tried |= run->partner;");
  if (s->escapes)
    emit_line(e, "group = run->partner ? %u : 0;", s->edge->escape);
  emit_line(e, "if (outer) n = end(run, n, before);");
  e->depth--;
  emit_line(e, "}");
}

/* `if (condition) {` around a step with a channel at hand. */
static void channel_step(struct emit *e, const struct step *s, const struct emit_place *place) {
  const struct ir_operation *o = s->edge->operation;
  char found[24];
  if (!place->channel->capacity) {
    if (o->is_send)
      offer(e, s, place);
    return;
  }
  emit_line(e, "{");
  e->depth++;
  escape_condition(e, s);
  size_t from = e->expr.length;
  emit_can(e, o, place, found);
  emit_statement(e, "if (", from, ") {");
  e->depth++;
  one_step(e, s, place, found);
  e->depth--;
  emit_line(e, "}");
  e->depth--;
  emit_line(e, "}");
}

static void operation_step(struct emit *e, const struct step *s) {
  struct emit_place place;
  char kind[24];
  if (emit_constant_channel(e, s->edge->operation->channel, &place)) {
    channel_step(e, s, &place);
    return;
  }
  bool several = emit_search_channel(e, s->edge->operation->channel, &place, kind);
  for (uint32_t k = 0; k < e->n_kinds; k++) {
    struct step one = *s;
    place.channel = e->kind[k];
    if (!place.channel->capacity && !s->edge->operation->is_send)
      continue;
    emit_line(e, several ? "if (%s == %u) {" : "{", kind, k);
    e->depth++;
    if (k) {
      one.label = e->labels++;
      channel_step(e, &one, &place);
      emit_line(e, "after_%u:;", one.label);
    } else {
      channel_step(e, &one, &place);
    }
    e->depth--;
    emit_line(e, "}");
  }
}

/* The receive of an open handshake. */
static void taking_step(struct emit *e, const struct step *s) {
  const struct ir_operation *o = s->edge->operation;
  struct emit_place place;
  size_t from = e->expr.length;
  if (emit_constant_channel(e, o->channel, &place)) {
    text_printf(&e->expr, "run->channel == %s", place.number);
  } else {
    text_puts(&e->expr, "run->channel == ");
    emit_operand(e, o->channel);
  }
  emit_statement(e, "if (", from, ") {");
  e->depth++;
  emit_matches(e, o);
  emit_statement(e, "if (", from, ") {");
  e->depth++;
  one_step(e, s, NULL, "0");
  e->depth--;
  emit_line(e, "}");
  e->depth--;
  emit_line(e, "}");
}

/* ---- edges --------------------------------------------------------------------------- */

static void edge_block(struct emit *e, struct step *s) {
  const struct ir_edge *edge = s->edge;
  size_t from = e->expr.length;
  e->temps = 0;
  s->label = e->labels++;
  emit_begin_event(e, "row");
  emit_edge_comment(e, s->mode == TAKING ? "takes " : "", s->process, edge);
  if (s->escapes)
    emit_line(e, "if (group && group != %u) break;", edge->escape);
  emit_line(e, "{");
  e->depth++;
  e->now = "s";
  escape_condition(e, s);
  if (edge->flags & IR_ENDS) {
    text_puts(&e->expr, "self + 1 == LIVE(s)");
    if (edge->guard) {
      text_puts(&e->expr, " && ");
      emit_truth(e, edge->guard, false);
    }
  } else if (emit_decide(e, edge->guard) == EMIT_ALWAYS) {
    text_puts(&e->expr, "1");
  } else {
    emit_truth(e, edge->guard, true);
  }
  emit_statement(e, "if (", from, ") {");
  e->depth++;
  if (s->mode == TAKING)
    taking_step(e, s);
  else if (edge->operation)
    operation_step(e, s);
  else
    one_step(e, s, NULL, "0");
  e->depth--;
  emit_line(e, "}");
  e->depth--;
  emit_line(e, "}");
  emit_line(e, "after_%u:;", s->label);
}

/* Whether an edge may take part in a handshake. */
static bool may_take(const struct emit *e, const struct ir_edge *edge) {
  struct emit_place place;
  if (!edge->operation || edge->operation->is_send || edge->operation->keep)
    return false;
  const struct ir_channel *c = emit_constant_channel(e, edge->operation->channel, &place);
  if (c)
    return c->capacity == 0;
  for (uint32_t k = 0; k < e->n_kinds; k++)
    if (!e->kind[k]->capacity)
      return true;
  return false;
}

/* Whether it can do something without a partner. */
static bool may_begin(const struct emit *e, const struct ir_edge *edge) {
  struct emit_place place;
  if (!edge->operation || edge->operation->is_send)
    return true;
  const struct ir_channel *c = emit_constant_channel(e, edge->operation->channel, &place);
  return !c || c->capacity;
}

/* ---- functions ----------------------------------------------------------------------- */

/* The only place where the template can live: parameters become constants. */
static void fixed_frame(struct emit *e, const struct ir_process *p) {
  const struct ir_model *m = e->model;
  for (uint32_t i = 0; p->n_seats == 1 && i < m->n_slots; i++)
    for (uint32_t k = 0; k < m->slot[i].n_seats; k++)
      if (m->slot[i].seat[k].process == p)
        emit_line(e, "enum { at = %u, act = %u, self = %u };", m->slot[i].offset,
                  m->slot[i].seat[k].first_action, i);
}

static void function_head(struct emit *e, const struct ir_process *p, const char *name,
                          const char *row) {
  emit_line(e, "\nstatic uint32_t %s_%u(struct run *const run, %s, ", name, p->index, row);
  if (p->n_seats == 1)
    emit_line(e, "    uint32_t at_, uint32_t act_, uint32_t self_) {");
  else
    emit_line(e, "    const uint32_t at, const uint32_t act, const uint32_t self) {");
  e->depth = 1;
  fixed_frame(e, p);
  emit_line(e, "const uint64_t own = BIT(FIRST_SLOT + self);");
}

static void location_switch(struct emit *e, const struct ir_process *p, const char *base) {
  size_t from = e->expr.length;
  emit_cell(&e->expr, base, p->location_bytes, false);
  text_printf(&e->expr, "at + p%u", p->index);
  text_puts(&e->expr, emit_cell_end(p->location_bytes, false));
  emit_statement(e, "switch (", from, ") {");
}

/* No step of this process is executable while its condition does not hold, or, with
 * priorities, while one of a higher priority has a step. */
static void permission(struct emit *e, const struct ir_process *p) {
  e->now = "s";
  emit_begin_event(e, "row");
  if (p->provided) {
    size_t from = e->expr.length;
    emit_escape(e, 0, "(void)", "; return n;");
    emit_truth(e, p->provided, false);
    emit_statement(e, "if (run->probe != 1 && !", from, ") return n;");
  }
  if (e->model->uses_priority)
    emit_line(e, "if (!run->probe && !is_highest(run, s, self)) return n;");
}

static void location_case(struct emit *e, const struct ir_process *p,
                          const struct ir_edge **sorted, uint32_t i, uint32_t end,
                          const bool *circle, enum mode mode) {
  bool asks = false, escapes = false, any = false;
  for (uint32_t k = i; k < end; k++) {
    asks |= sorted[k]->guard && sorted[k]->guard->kind == IR_ELSE;
    escapes |= sorted[k]->escape != 0;
    any |= mode == TAKING ? may_take(e, sorted[k]) : may_begin(e, sorted[k]);
  }
  if (!any)
    return;
  emit_line(e, "case %u: {", sorted[i]->from);
  e->depth++;
  asks &= mode == ALONE;
  if (asks)
    emit_line(e, "uint32_t tried = 0;");
  if (escapes)
    emit_line(e, "uint32_t group = 0;");
  for (uint32_t k = i; k < end; k++) {
    if (mode == TAKING ? !may_take(e, sorted[k]) : !may_begin(e, sorted[k]))
      continue;
    struct step s = {.process = p,
                     .edge = sorted[k],
                     .number = k,
                     .mode = mode,
                     .asks = asks,
                     .escapes = escapes,
                     .circle = circle[sorted[k] - p->edge] || mode == TAKING};
    edge_block(e, &s);
  }
  emit_line(e, "break;");
  e->depth--;
  emit_line(e, "}");
}

static void steps_function(struct emit *e, const struct ir_process *p,
                           const struct ir_edge **sorted, const bool *circle, enum mode mode) {
  function_head(e, p, mode == TAKING ? "take" : "process",
                "const uint8_t *const s, uint32_t n");
  permission(e, p);
  location_switch(e, p, "s");
  for (uint32_t i = 0, j; i < p->n_edges; i = j) {
    for (j = i; j < p->n_edges && sorted[j]->from == sorted[i]->from;)
      j++;
    if (!(p->location[sorted[i]->from].flags & IR_IN_DSTEP))
      location_case(e, p, sorted, i, j, circle, mode);
  }
  emit_line(e, "default:\n    break;");
  emit_line(e, "}");
  emit_line(e, "return n;");
  e->depth = 0;
  emit_line(e, "}");
}

/* ---- d_steps ------------------------------------------------------------------------- */

/* The step was executable and is done, in place. */
static void inner_row(struct emit *e, struct step *s, const struct emit_place *place,
                      const char *found) {
  const struct ir_edge *edge = s->edge;
  char mask[48];
  uint32_t to = s->process->location[edge->to].flags;
  emit_line(e, "if (run->trace && !run->muted) tell_inner(run, act + %uu);", s->number);
  emit_line(e, "changed |= %s;", mask_text(e, edge, mask));
  if (place)
    emit_line(e, "changed |= BIT(%s);", place->component);
  emit_begin_event(e, "row");
  change_row(e, s, place, found);
  e->now = "row";
  if (s->circle && (to & IR_IN_DSTEP)) {
    uint32_t fault =
        emit_fault(e, edge, EMIT_CONFLICT, edge->span, "this d_step never comes to an end");
    e->uses_circles = true;
    emit_check(e, fault, "circles(run, row, &count)");
  }
  if (to & IR_IN_DSTEP)
    emit_line(e, "continue;");
  else
    emit_line(e, "how = %u;\n      goto left;", (edge->flags & IR_KEEPS) != 0);
}

static void inner_operation(struct emit *e, struct step *s) {
  const struct ir_operation *o = s->edge->operation;
  struct emit_place place;
  char kind[24], found[24];
  bool constant = emit_constant_channel(e, o->channel, &place) != NULL, several = false;
  if (!constant)
    several = emit_search_channel(e, o->channel, &place, kind);
  for (uint32_t k = 0; k < (constant ? 1 : e->n_kinds); k++) {
    if (!constant)
      place.channel = e->kind[k];
    emit_line(e, several ? "if (%s == %u) {" : "{", kind, k);
    e->depth++;
    if (place.channel->capacity) {
      size_t from = e->expr.length;
      emit_can(e, o, &place, found);
      emit_statement(e, "if (", from, ") {");
      e->depth++;
      inner_row(e, s, &place, found);
      e->depth--;
      emit_line(e, "}");
    } else if (o->is_send) {
      emit_check(
          e, emit_fault(e, s->edge, EMIT_FAULT, s->edge->span, "rendezvous inside a d_step"),
          "1");
    }
    e->depth--;
    emit_line(e, "}");
  }
}

static void inner_edge(struct emit *e, struct step *s) {
  const struct ir_edge *edge = s->edge;
  size_t from = e->expr.length;
  e->temps = 0;
  e->now = "row";
  emit_begin_event(e, "row");
  emit_edge_comment(e, "inside ", s->process, edge);
  emit_line(e, "{");
  e->depth++;
  emit_escape(e, 0, "run->fault = ", "; return 2;");
  if (emit_decide(e, edge->guard) == EMIT_ALWAYS)
    text_puts(&e->expr, "1");
  else
    emit_truth(e, edge->guard, true);
  emit_statement(e, "if (", from, ") {");
  e->depth++;
  if (edge->operation)
    inner_operation(e, s);
  else
    inner_row(e, s, NULL, "0");
  e->depth--;
  emit_line(e, "}");
  e->depth--;
  emit_line(e, "}");
}

static void inner_case(struct emit *e, const struct ir_process *p,
                       const struct ir_edge **sorted, uint32_t i, uint32_t end,
                       const bool *circle) {
  const struct ir_location *at = &p->location[sorted[i]->from];
  uint32_t fault = emit_fault(e, at, EMIT_FAULT, at->span.source ? at->span : sorted[i]->span,
                              "blocked inside a d_step");
  emit_line(e, "case %u: {", sorted[i]->from);
  e->depth++;
  for (uint32_t k = i; k < end; k++) {
    struct step s = {.process = p,
                     .edge = sorted[k],
                     .number = k,
                     .mode = ALONE,
                     .circle = circle[sorted[k] - p->edge]};
    inner_edge(e, &s);
  }
  emit_line(e, "run->fault = %uu;", fault);
  emit_line(e, "return 2;");
  e->depth--;
  emit_line(e, "}");
}

static void dstep_function(struct emit *e, const struct ir_process *p,
                           const struct ir_edge **sorted, const bool *circle) {
  function_head(e, p, "inner", "uint8_t *const row");
  emit_line(e, "const uint8_t *const s = row;");
  emit_line(e, "const uint32_t tried = 0;");
  emit_line(e, "uint64_t changed = run->changed;");
  emit_line(e, "uint32_t length = run->grown, broken = run->broken, count = 0, how = 0;");
  emit_line(e, "for (;;) {");
  e->depth++;
  location_switch(e, p, "row");
  for (uint32_t i = 0, j; i < p->n_edges; i = j) {
    for (j = i; j < p->n_edges && sorted[j]->from == sorted[i]->from;)
      j++;
    if (p->location[sorted[i]->from].flags & IR_IN_DSTEP)
      inner_case(e, p, sorted, i, j, circle);
  }
  emit_line(e, "default:");
  emit_line(e, "  goto left;");
  emit_line(e, "}");
  e->depth--;
  emit_line(e, "}");
  emit_line(e, "left:");
  emit_line(e, "run->changed = changed;");
  emit_line(e, "run->grown = length;");
  emit_line(e, "run->broken = broken;");
  emit_line(e, "return how;");
  e->depth = 0;
  emit_line(e, "}");
}

void emit_steps(struct emit *e, const struct ir_process *p) {
  const struct ir_edge **sorted = ir_edges_in_order(e->arena, p);
  bool *circle = find_circles(e, p, sorted), takes = false;
  e->self = p;
  e->frame = e->target_frame = EMIT_OWN_FRAME;
  for (uint32_t i = 0; i < p->n_edges; i++)
    takes |= may_take(e, &p->edge[i]);
  if (emit_has_dstep(p))
    dstep_function(e, p, sorted, circle);
  if (takes) {
    e->uses_runs = e->uses_handshakes = true;
    steps_function(e, p, sorted, circle, TAKING);
  }
  steps_function(e, p, sorted, circle, ALONE);
}
