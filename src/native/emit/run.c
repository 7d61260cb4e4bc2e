/* run.c - the functions of a template: its steps, the receives of handshakes, and
 * d_steps.
 *
 * Per template that can live: a function for the steps that it can begin, with the
 * offset of the frame, the number of the first action and the process number as
 * parameters (constants where there is one place only); a function for the receives
 * that can take the message of an open handshake; a function that runs a d_step to
 * its end, in place. One case per control location, one block per edge, in order.
 * machine.inc has what is the same in all models, and follows sequences.
 */
#include "native/emit/fold.h"
#include "native/emit/step.h"

#include <stdio.h>

static bool has_dstep(const struct ir_process *p) {
  for (uint32_t i = 0; i < p->n_locations; i++)
    if (p->location[i].flags & IR_IN_DSTEP)
      return true;
  return false;
}

struct steps { /* of a template, while its functions are printed */
  const struct ir_process *process;
  const struct ir_edge **sorted;
  const bool *cycle;
  struct emit_fold *fold; /* of the function that is printed now, or NULL */
};

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
}

static void location_switch(struct emit *e, const struct emit_fold *fold,
                            const struct ir_process *p, const char *base) {
  size_t from = e->expr.length;
  emit_cell(&e->expr, base, p->location_bytes, false);
  text_printf(&e->expr, "at + p%u", p->index);
  text_puts(&e->expr, emit_cell_end(p->location_bytes, false));
  if (fold == NULL) {
    emit_statement(e, "switch (", from, ") {");
    return;
  }
  emit_fold_switch(e, fold, e->expr.failed ? "" : e->expr.at + from);
  emit_drop(e, from);
}

/* A case and what it needs to be closed. */
struct case_head {
  uint32_t location, label;
  size_t from;
};

static struct case_head open_case(struct emit *e, const struct emit_fold *fold,
                                  uint32_t location) {
  if (fold == NULL)
    emit_line(e, "case %u: {", location);
  e->depth++;
  return (struct case_head){location, e->labels, e->out->length};
}

static void close_case(struct emit *e, struct emit_fold *fold, const struct case_head *c) {
  e->depth--;
  if (fold == NULL)
    emit_line(e, "}");
  else
    emit_fold_case(e, fold, c->location, c->from, c->label);
}

/* No step of this process is executable while its condition does not hold, or, with
 * priorities, while one of a higher priority has a step. */
static void permission(struct emit *e, const struct ir_process *p) {
  emit_begin_event(e);
  if (p->provided) {
    size_t from = e->expr.length;
    struct emit_context in = emit_context("s", "row");
    emit_escape(&in, 0, "(void)", "; return n;");
    emit_truth(e, &in, p->provided, false);
    emit_statement(e, "if (run->probe != 1 && !", from, ") return n;");
  }
  if (e->model->uses_priority)
    emit_line(e, "if (!run->probe && !is_highest(run, s, self)) return n;");
}

static void location_case(struct emit *e, struct steps *f, uint32_t i, uint32_t end,
                          enum emit_mode mode) {
  const struct ir_process *p = f->process;
  const struct ir_edge **sorted = f->sorted;
  bool asks = false, escapes = false, any = false;
  for (uint32_t k = i; k < end; k++) {
    asks |= sorted[k]->guard && sorted[k]->guard->kind == IR_ELSE;
    escapes |= sorted[k]->escape != 0;
    any |= mode == EMIT_TAKING ? may_take(e, sorted[k]) : may_begin(e, sorted[k]);
  }
  if (!any)
    return;
  struct case_head head = open_case(e, f->fold, sorted[i]->from);
  asks &= mode == EMIT_ALONE;
  if (asks)
    emit_line(e, "uint32_t tried = 0;");
  if (escapes)
    emit_line(e, "uint32_t group = 0;");
  for (uint32_t k = i; k < end; k++) {
    if (mode == EMIT_TAKING ? !may_take(e, sorted[k]) : !may_begin(e, sorted[k]))
      continue;
    struct emit_step s = {.process = p,
                          .edge = sorted[k],
                          .number = k,
                          .mode = mode,
                          .asks = asks,
                          .escapes = escapes,
                          .cycle = f->cycle[sorted[k] - p->edge] || mode == EMIT_TAKING};
    emit_edge_block(e, &s);
  }
  emit_line(e, "break;");
  close_case(e, f->fold, &head);
}

static void steps_function(struct emit *e, struct steps *f, enum emit_mode mode) {
  const struct ir_process *p = f->process;
  const struct ir_edge **sorted = f->sorted;
  const char *name = mode == EMIT_TAKING ? "take" : "process";
  function_head(e, p, name, "const uint8_t *const s, uint32_t n");
  permission(e, p);
  f->fold = emit_fold_open(e, p, name);
  location_switch(e, f->fold, p, "s");
  for (uint32_t i = 0, j; i < p->n_edges; i = j) {
    for (j = i; j < p->n_edges && sorted[j]->from == sorted[i]->from;)
      j++;
    if (!(p->location[sorted[i]->from].flags & IR_IN_DSTEP))
      location_case(e, f, i, j, mode);
  }
  if (f->fold != NULL)
    emit_fold_close(e, f->fold);
  emit_line(e, "default:\n    break;");
  emit_line(e, "}");
  emit_line(e, "return n;");
  e->depth = 0;
  emit_line(e, "}");
}

/* ---- d_steps ------------------------------------------------------------------------- */

/* The step was executable and is done, in place. */
static void inner_row(struct emit *e, const struct emit_context *in,
                      const struct emit_step *s) {
  const struct ir_edge *edge = s->edge;
  char mask[48];
  uint32_t to = s->process->location[edge->to].flags;
  e->helpers |= EMIT_INNER;
  emit_line(e, "if (run->trace && !run->muted) tell_inner(run, act + %uu);", s->number);
  emit_line(e, "changed |= %s;", emit_mask_text(e, edge, mask));
  if (s->place)
    emit_line(e, "changed |= BIT(%s);", s->place->component);
  emit_begin_event(e);
  emit_change_row(e, in, s);
  if (s->cycle && (to & IR_IN_DSTEP)) {
    uint32_t fault =
        emit_fault(e, edge, EMIT_CONFLICT, edge->span, "this d_step never comes to an end");
    e->helpers |= EMIT_CYCLES | EMIT_RUNS;
    emit_check(e, in, fault, "cycles(run, row, &count)");
  }
  if (to & IR_IN_DSTEP)
    emit_line(e, "continue;");
  else
    emit_line(e, "how = %u;\n      goto left;", (edge->flags & IR_KEEPS) != 0);
}

static void inner_operation(struct emit *e, const struct emit_context *in,
                            const struct emit_step *s) {
  const struct ir_operation *o = s->edge->operation;
  struct emit_place place;
  struct emit_step one = *s;
  char kind[24], found[24];
  emit_exclusive(e, in, o->channel);
  bool constant = emit_constant_channel(e, o->channel, &place) != NULL, several = false;
  if (!constant)
    several = emit_search_channel(e, in, o->channel, &place, kind);
  for (uint32_t k = 0; k < (constant ? 1 : e->n_kinds); k++) {
    if (!constant)
      place.channel = e->kind[k];
    emit_line(e, several ? "if (%s == %u) {" : "{", kind, k);
    e->depth++;
    if (place.channel->capacity) {
      size_t from = e->expr.length;
      emit_can(e, in, o, &place, found);
      emit_statement(e, "if (", from, ") {");
      e->depth++;
      one.place = &place;
      one.found = found;
      inner_row(e, in, &one);
      e->depth--;
      emit_line(e, "}");
    } else if (o->is_send) {
      emit_check(
          e, in,
          emit_fault(e, s->edge, EMIT_FAULT, s->edge->span, "rendezvous inside a d_step"), "1");
    }
    e->depth--;
    emit_line(e, "}");
  }
  if (!constant)
    emit_end_search(e, &place, kind);
}

static void inner_edge(struct emit *e, struct emit_step *s) {
  const struct ir_edge *edge = s->edge;
  size_t from = e->expr.length;
  e->temps = 0;
  emit_begin_event(e);
  emit_edge_comment(e, "inside ", s->process, edge);
  emit_line(e, "{");
  e->depth++;
  struct emit_context in = emit_context("row", "row");
  emit_escape(&in, 0, "run->fault = ", "; return 2;");
  bool depends = emit_decide(e, &in, edge->guard) != EMIT_ALWAYS;
  if (depends) {
    emit_truth(e, &in, edge->guard, true);
    emit_statement(e, "if (", from, ") {");
    e->depth++;
  }
  if (edge->operation)
    inner_operation(e, &in, s);
  else
    inner_row(e, &in, s);
  if (depends) {
    e->depth--;
    emit_line(e, "}");
  }
  e->depth--;
  emit_line(e, "}");
}

static void inner_case(struct emit *e, struct steps *f, uint32_t i, uint32_t end) {
  const struct ir_process *p = f->process;
  const struct ir_edge **sorted = f->sorted;
  const struct ir_location *at = &p->location[sorted[i]->from];
  uint32_t fault = emit_fault(e, at, EMIT_FAULT, at->span.source ? at->span : sorted[i]->span,
                              "blocked inside a d_step");
  struct case_head head = open_case(e, f->fold, sorted[i]->from);
  for (uint32_t k = i; k < end; k++) {
    struct emit_step s = {.process = p,
                          .edge = sorted[k],
                          .number = k,
                          .mode = EMIT_ALONE,
                          .cycle = f->cycle[sorted[k] - p->edge]};
    inner_edge(e, &s);
  }
  emit_line(e, "run->fault = %uu;", fault);
  emit_line(e, "return 2;");
  close_case(e, f->fold, &head);
}

static void dstep_function(struct emit *e, struct steps *f) {
  const struct ir_process *p = f->process;
  const struct ir_edge **sorted = f->sorted;
  function_head(e, p, "inner", "uint8_t *const row");
  size_t begin = e->out->length;
  emit_line(e, "uint64_t changed = run->changed;");
  emit_line(e, "uint32_t length = run->grown, broken = run->broken, how = 0;");
  emit_line(e, "for (;;) {");
  e->depth++;
  f->fold = emit_fold_open(e, p, "inner");
  location_switch(e, f->fold, p, "row");
  for (uint32_t i = 0, j; i < p->n_edges; i = j) {
    for (j = i; j < p->n_edges && sorted[j]->from == sorted[i]->from;)
      j++;
    if (p->location[sorted[i]->from].flags & IR_IN_DSTEP)
      inner_case(e, f, i, j);
  }
  if (f->fold != NULL)
    emit_fold_close(e, f->fold);
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
  emit_declare(e, begin, "s", "const uint8_t *const s = row;");
  emit_declare(e, begin, "tried", "const uint32_t tried = 0;");
  emit_declare(e, begin, "count", "uint32_t count = 0;");
  e->depth = 0;
  emit_line(e, "}");
}

void emit_steps(struct emit *e, const struct ir_process *p) {
  const struct ir_edge **sorted = ir_edges_in_order(e->arena, p);
  struct steps steps = {.process = p, .sorted = sorted, .cycle = emit_cycles(e, p, sorted)};
  bool takes = false;
  for (uint32_t i = 0; i < p->n_edges; i++)
    takes |= may_take(e, &p->edge[i]);
  if (has_dstep(p))
    dstep_function(e, &steps);
  if (takes) {
    e->helpers |= EMIT_RUNS | EMIT_HANDSHAKES;
    steps_function(e, &steps, EMIT_TAKING);
  }
  steps_function(e, &steps, EMIT_ALONE);
}
