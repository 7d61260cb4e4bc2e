/* before.c - how many states an action may have led from, as C code.
 *
 * What ir/undo.c does with each state is done here once, as far as the text of the action says
 * it: which slots an action has overwritten, which of these are solved for, and in which order
 * the rest is tried. One C function for each action is left, with a loop for each hole that
 * something depends on; other holes only multiply. What two slots cannot have together is
 * looked up as a word of 64 bits for all values of a hole at once. Nothing is fired forward:
 * what the code has undone leads there, and where working something out could be a model error,
 * that is tested.
 *
 * An action that is not taken here (channels with messages, two elements of one array, what
 * grows too large) is counted by undo.c. Counts of both are the same, where both can tell one.
 *
 * Actions are asked by where their first process came to.
 */
#include "native/emit/before.h"

#include <stdio.h>

static bool mentions(const struct ir_expr *e, const struct ir_variable *v) {
  if (e == NULL)
    return false;
  if ((e->kind == IR_VARIABLE || e->kind == IR_ELEMENT) && e->variable == v)
    return true;
  return mentions(e->a, v) || mentions(e->b, v) || mentions(ir_third(e), v);
}

/* ---- steps
 * ----------------------------------------------------------------------------------- */

static bool is_written(const struct before *b, uint32_t slot) {
  return b->e->written[b->e->shape->slot[slot].variable] == b->e->event;
}

/* The variable is in `row` from now on. */
static void bring(struct before *b, const struct ir_variable *v) {
  if (!is_written(b, v->first_slot) && v->length > 1)
    emit_line(b->e, "memcpy(row + %u, s + %u, %u);", v->offset, v->offset,
              v->length * ir_type_bytes(v->type));
  emit_mark_written(b->e, v->first_slot);
}

static struct before_slot *add_changed(struct before *b, uint32_t slot) {
  struct before_slot *at = ARENA_PUSH(b->e->arena, &b->changed);
  *at = (struct before_slot){.slot = slot, .is_hole = true};
  return at;
}

static void see(struct before *b, const struct small_step *step, const char *cell, bool copy) {
  struct before_temporary *t = &b->temporary[step->temporary];
  t->seen = true;
  t->type = step->expr->variable->type;
  if (copy) {
    const uint32_t name = b->names++;
    emit_line(b->e, "const int32_t v%u = %s;", name, cell);
    snprintf(t->text, sizeof t->text, "v%u", name);
  } else {
    snprintf(t->text, sizeof t->text, "%.31s", cell);
  }
}

/* How many changed slots belong to the variable, and are elements that only C knows if that is
 * asked. */
static bool is_changed(const struct before *b, const struct ir_variable *v, bool elements) {
  for (uint32_t i = 0; i < b->changed.n; i++) {
    const struct before_slot *c = &b->changed.at[i];
    if (c->slot >= v->first_slot && c->slot < v->first_slot + v->length &&
        (!elements || c->array != NULL))
      return true;
  }
  return false;
}

static void store_slot(struct before *b, const struct small_step *step, uint32_t slot) {
  struct before_slot *at = before_find(b, slot);
  if (is_changed(b, step->expr->variable, true)) {
    b->fails = true;
  } else if (at == NULL) {
    /* Its array is in the row: the next turn would read what this one leaves there. */
    b->fails |= b->loops > 0 && is_written(b, slot);
    const struct before from_state = {.e = b->e, .in = {.work = "s"}};
    see(b, step, before_cell_of(&from_state, slot).at, false);
    bring(b, step->expr->variable);
    add_changed(b, slot);
  } else if (!at->is_hole) {
    b->fails |= at->loops != b->loops; /* the next turn would read what this one writes */
    see(b, step, before_cell(b, at).at, true);
    *at = (struct before_slot){.slot = slot, .is_hole = true};
  }
}

static void store_element(struct before *b, const struct small_step *step) {
  const struct ir_expr *target = step->expr;
  const struct ir_variable *v = target->variable;
  if (is_changed(b, v, false) || mentions(target->a, v) || v->length > BEFORE_ELEMENTS) {
    b->fails = true;
    return;
  }
  before_each(b, target->a);
  if (b->over || b->fails)
    return;
  const uint32_t name = b->names++;
  char head[40];
  const size_t from = b->e->expr.length;
  emit_index(b->e, &b->in, target);
  snprintf(head, sizeof head, "const uint32_t i%u = (uint32_t)(", name);
  emit_statement(b->e, head, from, ");");
  const struct before from_state = {.e = b->e, .in = {.work = "s"}};
  struct before_slot *at = add_changed(b, v->first_slot);
  at->array = v;
  at->index = name;
  at->expr = target->a;
  see(b, step, before_cell(&from_state, at).at, true);
  bring(b, v);
}

static void undo_store(struct before *b, const struct small_step *step) {
  const struct ir_expr *target = step->expr;
  const struct ir_variable *v = target->variable;
  for (uint32_t i = 0; i < b->changed.n; i++)
    b->changed.at[i].expr = NULL;
  const struct ir_range r =
      target->kind == IR_ELEMENT ? ir_range(target->a) : (struct ir_range){0, 0};
  if (r.low != r.high)
    store_element(b, step);
  else if (r.low >= 0 && r.low < (int64_t)v->length)
    store_slot(b, step, v->first_slot + (uint32_t)r.low);
  else
    b->over = true;
}

static void undo_work_out(struct before *b, const struct small_step *step) {
  const struct before_temporary *t = &b->temporary[step->temporary];
  if (!t->seen) {
    if (!small_steps_may_fail(step->expr))
      return;
    before_each(b, step->expr);
    if (b->over || b->fails)
      return;
    char name[32];
    emit_spill_operand(b->e, &b->in, step->expr, name, sizeof name);
    emit_line(b->e, "(void)%s;", name);
    return;
  }
  const uint32_t bits = ir_type_bits(t->type), own = ir_type_bits(step->type);
  bool certain;
  if (before_invert(b, step->expr, step->type, t))
    return;
  if (before_hole_in(b, step->expr, &certain) != NULL &&
      !before_solve(b, step->expr, t->text, own < bits ? own : bits))
    before_each(b, step->expr);
  if (!b->over && !b->fails)
    before_compare(b, step->expr, step->type, t->type, t->text);
}

static void undo_move(struct before *b, const struct small_step *step) {
  const uint32_t slot = step->process->location_slot;
  if (step->edge->from == step->edge->to)
    return;
  struct before_slot *at = add_changed(b, slot);
  emit_mark_written(b->e, slot);
  emit_line(b->e, "%s = %u;", before_cell_of(b, slot).at, step->edge->from);
  *at = (struct before_slot){
      .slot = slot, .is_constant = true, .value = (int32_t)step->edge->from, .loops = b->loops};
}

static void undo_step(struct before *b, const struct small_step *step) {
  switch (step->kind) {
  case SMALL_WORK_OUT:
    undo_work_out(b, step);
    return;
  case SMALL_STORE:
    undo_store(b, step);
    return;
  case SMALL_MOVE:
    undo_move(b, step);
    return;
  default:
    b->fails = true;
    return;
  }
}

/* ---- one action
 * ------------------------------------------------------------------------------ */

/* Slots that the movers alone write and that this action leaves as they are. */
static void check_own(struct before *b) {
  uint8_t *to = arena_alloc(b->e->arena, ts_stride(b->e->shape));
  for (uint32_t i = 0; i < b->action->n_moves; i++)
    ts_write(to + b->action->move[i].process->location_offset,
             b->action->move[i].process->location_bytes, b->action->move[i].edge->to);
  for (uint32_t i = 0; i < b->action->n_moves && !b->over; i++) {
    uint32_t n;
    const uint32_t *slot = bounds_own(b->u->bounds, b->action->move[i].process, &n);
    for (uint32_t k = 0; k < n && !b->over; k++) {
      const struct values *then = bounds_at(b->u->bounds, slot[k], b->from);
      const struct values *now = bounds_at(b->u->bounds, slot[k], to);
      const struct values both = values_both(then, now);
      if (before_find(b, slot[k]) != NULL || values_count(&both) == values_count(now))
        continue;
      before_need(b, then, before_cell_of(b, slot[k]).at, before_unless(b, slot[k], NULL).at);
    }
  }
}

static void begin_action(struct before *b, uint32_t action) {
  struct emit *e = b->e;
  b->action = &b->u->actions->at[action];
  b->steps = &b->u->steps[action];
  b->changed.n = b->part.n = 0;
  b->loops = b->names = 0;
  b->over = b->fails = false;
  e->temps = 0;
  emit_begin_event(e);
  for (uint32_t i = 0; i < b->steps->n_temporaries && i < UNDO_MOST_TEMPORARIES; i++)
    b->temporary[i] = (struct before_temporary){.seen = false};
  for (uint32_t i = 0; i < b->action->n_moves; i++)
    ts_write(b->from + b->action->move[i].process->location_offset,
             b->action->move[i].process->location_bytes, b->action->move[i].edge->from);
}

/* Each message has all of its fields, and the small steps say all of it. */
static bool is_taken(const struct before *b) {
  return !b->steps->more && b->steps->n_temporaries <= UNDO_MOST_TEMPORARIES &&
         b->e->shape->max_bytes <= 4096;
}

/* The function of an action; false: there is none. */
static bool print_action(struct before *b, uint32_t action) {
  struct emit *e = b->e;
  const size_t begin = e->out->length, expr = e->expr.length;
  begin_action(b, action);
  if (!is_taken(b))
    return false;
  emit_line(e, "\nstatic uint32_t before_%u(const uint8_t *restrict const s) {", action);
  e->depth = 1;
  emit_line(e, "uint8_t row[STRIDE];");
  emit_line(e, "uint32_t n = 0, turns = 0;");
  emit_line(e, "(void)row; (void)turns;");
  emit_line(e, "do {");
  e->depth++;
  for (uint32_t k = b->steps->n; k > 0 && !b->over && !b->fails; k--)
    undo_step(b, &b->steps->at[k - 1]);
  if (!b->over && !b->fails)
    check_own(b);
  if (!b->over && !b->fails)
    before_begin(b);
  for (; b->loops > 0; b->loops--) {
    e->depth--;
    emit_line(e, "}");
  }
  emit_line(e, "} while (0);");
  emit_line(e, "return n;");
  e->depth = 0;
  emit_line(e, "}");
  if (!b->fails && e->out->length - begin < BEFORE_ROOM)
    return true;
  emit_drop(e, expr);
  if (!e->out->failed) {
    e->out->length = begin;
    e->out->at[begin] = 0;
  }
  return false;
}

/* ---- all of them
 * ----------------------------------------------------------------------------- */

static bool is_committed(const struct ir_process *p, uint32_t location) {
  return p->location[location].flags & IR_COMMITTED;
}

/* How many processes are at committed locations, if any ever is. */
static bool count_committed(struct before *b) {
  const struct ir_model *m = b->u->model;
  bool any = false;
  for (uint32_t p = 0; p < m->n_processes; p++) {
    const struct ir_process *process = m->process[p];
    for (uint32_t l = 0; !process->is_property && l < process->n_locations; l++) {
      if (!is_committed(process, l))
        continue;
      if (!any)
        emit_line(b->e, "uint32_t committed = 0;");
      any = true;
      emit_line(b->e, "committed += %s == %u;", before_cell_of(b, process->location_slot).at,
                l);
    }
  }
  return any;
}

/* Calls the function of an action, where the others allow that it was the last one. */
static void call(struct before *b, uint32_t action, bool committed) {
  const struct ir_action *a = &b->u->actions->at[action];
  uint32_t n = 0;
  char other[96] = "", alone[48] = "";
  for (uint32_t i = 0; i < a->n_moves; i++)
    n += is_committed(a->move[i].process, a->move[i].edge->to);
  if (a->n_moves == 2)
    snprintf(other, sizeof other, "if (%.48s == %u) ",
             before_cell_of(b, a->move[1].process->location_slot).at, a->move[1].edge->to);
  if (committed && !is_committed(a->move->process, a->move->edge->from)) {
    if (a->n_moves == 2 && is_committed(a->move[1].process, a->move[1].edge->from))
      return;
    snprintf(alone, sizeof alone, "if (committed == %u) ", n);
  }
  emit_line(b->e, "%s%sn += before_%u(s);", other, alone, action);
}

static void print_process(struct before *b, const struct ir_process *p, bool committed) {
  const struct undo *u = b->u;
  const uint32_t *start = &u->start[u->first[p->index]];
  emit_line(b->e, "switch (%s) {", before_cell_of(b, p->location_slot).at);
  for (uint32_t l = 0; l < p->n_locations; l++) {
    bool any = false;
    for (uint32_t i = start[l]; i < start[l + 1]; i++) {
      if (!u->compiled[u->order[i]])
        continue;
      if (!any)
        emit_line(b->e, "case %u:", l);
      any = true;
      b->e->depth++;
      call(b, u->order[i], committed);
      b->e->depth--;
    }
    if (any)
      emit_line(b->e, "  break;");
  }
  emit_line(b->e, "default:\n    break;\n  }");
  emit_line(b->e, "if (n >= TS_NONE) return TS_NONE;");
}

void emit_before(struct emit *e, struct undo *u) {
  const struct ir_model *m = u->model;
  struct before b = {.e = e, .u = u, .in = emit_context("s", "row")};
  const uint32_t n_pairs = u->pairs == NULL ? 0 : u->pairs->n;
  b.from = arena_alloc(e->arena, ts_stride(e->shape));
  b.space = ARENA_ARRAY(e->arena, e->shape->n_variables + (size_t)1, struct before_space);
  b.table = ARENA_ARRAY(e->arena, (size_t)n_pairs * n_pairs + 1, uint32_t);
  b.temporary = ARENA_ARRAY(e->arena, UNDO_MOST_TEMPORARIES, struct before_temporary);
  emit_escape(&b.in, 0, "(void)", "; continue;");
  for (uint32_t i = 0; i < u->actions->n; i++)
    u->compiled[i] = print_action(&b, i);
  emit_line(e, "\nstatic uint32_t n_compiled(const struct ts *ts, const uint8_t *s, uint32_t "
               "length) {");
  e->depth = 1;
  emit_begin_event(e);
  emit_line(e, "uint64_t n = 0;");
  const bool committed = count_committed(&b);
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (!m->process[p]->is_property)
      print_process(&b, m->process[p], committed);
  emit_line(e, "return (uint32_t)n;");
  e->depth = 0;
  emit_line(e, "}");
}
