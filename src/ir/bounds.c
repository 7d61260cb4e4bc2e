/* bounds.c - the values that slots can have, by an analysis of the flow of data.
 *
 * A slot that one process alone writes has a set of values for each location of that process;
 * another one has a single set. Actions are done on these sets in turn until none grows: their
 * guards cut the sets first. One is done again only if a set that it looked at has grown. What
 * depends on values of two slots together is not seen, so the sets may be too large, never too
 * small. A set that grows too often becomes all of its type; so do all sets that grow once the
 * work has become too much.
 *
 * The messages of a channel share one set for each field.
 */
#include "ir/bounds.h"

enum { MOST_GROWTH = 400 };
#define MOST_SETS (UINT32_C(1) << 20)
#define MOST_WORK (UINT32_C(4) << 20)

struct reading { /* what an action looked at, when it was done last */
  uint32_t *at;  /* sets */
  uint32_t n, capacity, done;
};

struct finding { /* one action, done on sets */
  struct bounds *b;
  const struct ir_action *action;
  struct values *now; /* by slot: what this action has made of it, */
  uint32_t *stamp;    /* if this is `round` */
  uint32_t round, work;
  struct values *temporary;
  struct reading *reading; /* of this action */
  uint32_t *read, *grew;   /* by set: the last rounds in which it was looked at, and grew */
  bool changed;
};

/* ---- which slots ----------------------------------------------------------------------- */

/* Slots that a target or a reference may be: n from the first one on. */
static struct ts_range reach(const struct ir_expr *e, const struct values *index) {
  const struct ir_variable *v = e->variable;
  if (e->kind == IR_VARIABLE)
    return (struct ts_range){v->first_slot, 1};
  const struct values in = values_within(index, 0, (int64_t)v->length - 1);
  if (values_is_none(&in))
    return (struct ts_range){v->first_slot, 0};
  return (struct ts_range){v->first_slot + (uint32_t)in.low, (uint32_t)(in.high - in.low) + 1};
}

static void note_writer(uint16_t *writer, struct ts_range slots, uint32_t process) {
  for (uint32_t i = slots.first; i < slots.first + slots.n; i++)
    writer[i] = process < BOUNDS_NOBODY && (writer[i] == BOUNDS_NOBODY || writer[i] == process)
                    ? (uint16_t)process
                    : BOUNDS_SHARED;
}

static void note_writers(const struct ir_action *action, const struct small_steps *steps,
                         uint16_t *writer) {
  /* Until the first one moves it is the receiver that stores; or the only one. */
  const struct ir_process *who = action->move[action->n_moves - 1].process;
  for (uint32_t i = 0; i < steps->n; i++) {
    const struct small_step *s = &steps->at[i];
    if (s->kind == SMALL_MOVE)
      who = s->process;
    if (s->kind != SMALL_STORE)
      continue;
    struct values index = values_none();
    if (s->expr->kind == IR_ELEMENT) {
      const struct ir_range r = ir_range(s->expr->a);
      index = values_between(r.low, r.high);
    }
    /* One that is hidden is set to zero by whatever comes to a state that is stored. */
    note_writer(writer, reach(s->expr, &index),
                s->expr->variable->is_hidden ? BOUNDS_NOBODY : who->index);
  }
}

/* ---- what is known in the midst of an action -----------------------------------------------
 */

static const struct ir_move *mover_of(const struct ir_action *action, uint32_t process) {
  for (uint32_t i = 0; i < action->n_moves; i++)
    if (action->move[i].process->index == process)
      return &action->move[i];
  return NULL;
}

/* Where nothing is known of the location of who writes the slot, any of them. */
static struct values at_any(const struct bounds *b, uint32_t slot) {
  struct values all = b->set[b->first[slot]];
  const uint32_t writer = b->writer[slot];
  for (uint32_t l = 1; writer < BOUNDS_NOBODY && l < b->model->process[writer]->n_locations;
       l++)
    values_unite(&all, &b->set[b->first[slot] + l]);
  return all;
}

static void note_read(struct finding *f, uint32_t set) {
  if (f->read[set] == f->round)
    return;
  f->read[set] = f->round;
  *ARENA_PUSH(f->b->model->arena, f->reading) = set;
}

static struct values now(struct finding *f, uint32_t slot) {
  const struct bounds *b = f->b;
  if (f->stamp[slot] == f->round)
    return f->now[slot];
  const struct ir_move *move =
      b->writer[slot] < BOUNDS_NOBODY ? mover_of(f->action, b->writer[slot]) : NULL;
  const uint32_t writer = b->writer[slot], first = b->first[slot];
  if (move != NULL) {
    note_read(f, first + move->edge->from);
    return b->set[first + move->edge->from];
  }
  const uint32_t n = writer < BOUNDS_NOBODY ? b->model->process[writer]->n_locations : 1;
  for (uint32_t l = 0; l < n || l == 0; l++)
    note_read(f, first + l);
  return at_any(b, slot);
}

static void set_now(struct finding *f, uint32_t slot, const struct values *values) {
  f->now[slot] = *values;
  f->stamp[slot] = f->round;
}

static struct values may_be(struct finding *f, const struct ir_expr *e);

static struct values entries(const struct ir_variable *v, const struct values *index) {
  struct values all = values_none();
  const struct values in = values_within(index, 0, (int64_t)v->length - 1);
  for (int64_t i = INT64_MIN; values_next(&in, &i);) {
    const struct values one = values_one(v->initial == NULL ? 0 : v->initial[i]);
    values_unite(&all, &one);
  }
  return all;
}

static struct values reference(struct finding *f, const struct ir_expr *e) {
  const struct ir_variable *v = e->variable;
  const struct values index = e->kind == IR_ELEMENT ? may_be(f, e->a) : values_one(0);
  if (v->is_const)
    return entries(v, &index);
  struct values all = values_none();
  const struct values in = values_within(&index, 0, (int64_t)v->length - 1);
  for (int64_t i = INT64_MIN; values_next(&in, &i);) {
    const struct values one = now(f, v->first_slot + (uint32_t)i);
    values_unite(&all, &one);
  }
  return all;
}

static struct values may_be(struct finding *f, const struct ir_expr *e) {
  f->work++;
  if (e->kind == IR_CONST)
    return values_one(e->value);
  if (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT)
    return reference(f, e);
  if (e->kind < IR_NOT || e->kind > IR_COND) {
    const struct ir_range r = ir_range(e);
    return values_between(r.low, r.high);
  }
  const struct values a = may_be(f, e->a);
  if (e->kind == IR_COND) {
    struct values b = may_be(f, e->b);
    const struct values c = may_be(f, ir_third(e));
    values_unite(&b, &c);
    return b;
  }
  const struct values b = e->kind <= IR_CPL ? values_one(0) : may_be(f, e->b);
  return values_of_operator(e->kind, &a, &b);
}

/* ---- guards -------------------------------------------------------------------------------
 */

/* The slot, if it is certain which one it is; or TS_NONE. */
static uint32_t certain_slot(struct finding *f, const struct ir_expr *e) {
  if ((e->kind != IR_VARIABLE && e->kind != IR_ELEMENT) || e->variable->is_const)
    return TS_NONE;
  if (e->kind == IR_VARIABLE)
    return e->variable->first_slot;
  const struct values index = may_be(f, e->a);
  const struct ts_range r = reach(e, &index);
  return r.n == 1 ? r.first : TS_NONE;
}

static enum ir_expr_kind turned(enum ir_expr_kind kind) {
  switch (kind) {
  case IR_LT:
    return IR_GT;
  case IR_LE:
    return IR_GE;
  case IR_GT:
    return IR_LT;
  case IR_GE:
    return IR_LE;
  default:
    return kind;
  }
}

/* Cuts what a guard allows; false: it does not hold in any state. */
static bool assume(struct finding *f, const struct ir_expr *e);

static bool assume_related(struct finding *f, enum ir_expr_kind kind, const struct ir_expr *a,
                           const struct ir_expr *b) {
  const uint32_t slot = certain_slot(f, a);
  if (slot == TS_NONE)
    return true;
  const struct values before = now(f, slot), other = may_be(f, b);
  if (values_is_none(&other))
    return false;
  const struct values rest = values_related(kind, &before, &other);
  set_now(f, slot, &rest);
  return !values_is_none(&rest);
}

static bool assume(struct finding *f, const struct ir_expr *e) {
  if (e == NULL)
    return true;
  if (e->kind == IR_AND)
    return assume(f, e->a) && assume(f, e->b);
  if (e->kind >= IR_LT && e->kind <= IR_NE && !assume_related(f, e->kind, e->a, e->b))
    return false;
  if (e->kind >= IR_LT && e->kind <= IR_NE && !assume_related(f, turned(e->kind), e->b, e->a))
    return false;
  const struct values truth = may_be(f, e);
  return truth.low != 0 || truth.high != 0;
}

/* ---- steps ---------------------------------------------------------------------------------
 */

/* All that the slot's type has, for a set that grows too much. */
static void give_up(struct bounds *b, uint32_t slot, struct values *set) {
  const struct ts_slot *s = &b->shape->slot[slot];
  const int64_t half = INT64_C(1) << (8 * s->bytes - 1);
  const bool is_signed = s->is_signed || s->bytes == 4;
  *set = is_signed ? values_between(-half, half - 1) : values_between(0, 2 * half - 1);
}

static void grow(struct finding *f, uint32_t slot, uint32_t which,
                 const struct values *values) {
  struct bounds *b = f->b;
  if (!values_unite(&b->set[which], values))
    return;
  f->changed = true;
  f->grew[which] = f->round;
  if (++b->grown[which] > MOST_GROWTH || f->work > MOST_WORK)
    give_up(b, slot, &b->set[which]);
}

static void store(struct finding *f, const struct small_step *step) {
  const struct ir_variable *v = step->expr->variable;
  const struct values index =
      step->expr->kind == IR_ELEMENT ? may_be(f, step->expr->a) : values_one(0);
  const struct values in = values_within(&index, 0, (int64_t)v->length - 1);
  const struct values put = values_cut(&f->temporary[step->temporary], v->type);
  for (int64_t i = INT64_MIN; values_next(&in, &i);) {
    const uint32_t slot = v->first_slot + (uint32_t)i;
    struct values after = in.low == in.high ? put : now(f, slot);
    values_unite(&after, &put);
    set_now(f, slot, &after);
    values_unite(&f->b->ever[slot], &after);
  }
}

static void put(struct finding *f, const struct small_step *step) {
  const struct values zero = values_one(0);
  for (uint32_t i = 0; i < step->channel->n_fields; i++) {
    const uint32_t slot = ir_channel_cell(step->channel, 0, i).slot;
    grow(f, slot, f->b->first[slot], i < step->n ? &f->temporary[step->temporary + i] : &zero);
  }
}

static void take(struct finding *f, const struct small_step *step) {
  for (uint32_t i = 0; i < step->n; i++) {
    const uint32_t slot = ir_channel_cell(step->channel, 0, i).slot;
    note_read(f, f->b->first[slot]);
    f->temporary[step->temporary + i] = f->b->set[f->b->first[slot]];
  }
}

/* Where it begins, the process has its arguments and initial values. */
static void be_born(struct finding *f, const struct small_step *step) {
  struct bounds *b = f->b;
  const struct ir_process *p = step->process;
  for (uint32_t k = 0; k < p->n_variables; k++) {
    const struct ir_variable *v = p->variable[k];
    for (uint32_t i = 0; !v->is_const && i < v->length; i++) {
      const uint32_t slot = v->first_slot + i;
      struct values values =
          values_one(v->initial == NULL || k < p->n_parameters ? 0 : v->initial[i]);
      if (k < step->n && k < p->n_parameters)
        values = values_cut(&f->temporary[step->temporary + k], v->type);
      grow(f, slot, b->first[slot] + (b->writer[slot] < BOUNDS_NOBODY ? p->initial : 0),
           &values);
    }
  }
}

static void do_step(struct finding *f, const struct small_step *step) {
  struct values value;
  switch (step->kind) {
  case SMALL_BIRTH:
    be_born(f, step);
    return;
  case SMALL_WORK_OUT:
    value = may_be(f, step->expr);
    f->temporary[step->temporary] = values_cut(&value, step->type);
    return;
  case SMALL_STORE:
    store(f, step);
    return;
  case SMALL_PUT:
    put(f, step);
    return;
  case SMALL_TAKE:
    take(f, step);
    return;
  default:
    return;
  }
}

/* What was stored in slots that nobody alone writes. */
static void keep_shared(struct finding *f, const struct small_steps *steps) {
  for (uint32_t i = 0; i < steps->n; i++) {
    const struct small_step *s = &steps->at[i];
    if (s->kind != SMALL_STORE)
      continue;
    const struct ir_variable *v = s->expr->variable;
    for (uint32_t k = 0; k < v->length; k++) {
      const uint32_t slot = v->first_slot + k;
      if (f->b->writer[slot] == BOUNDS_SHARED && f->stamp[slot] == f->round)
        grow(f, slot, f->b->first[slot], &f->now[slot]);
    }
  }
}

static void keep_own(struct finding *f, const struct ir_move *move) {
  const struct bounds *b = f->b;
  const uint32_t p = move->process->index;
  for (uint32_t i = 0; i < b->own[p].n; i++) {
    const uint32_t slot = b->own[p].at[i];
    const struct values values = now(f, slot);
    grow(f, slot, b->first[slot] + move->edge->to, &values);
  }
}

/* Done again, it would find the same: nothing that it looked at has grown since it began. */
static bool is_settled(const struct finding *f) {
  const struct reading *r = f->reading;
  bool settled = r->done > 0;
  for (uint32_t i = 0; settled && i < r->n; i++)
    settled = f->grew[r->at[i]] < r->done;
  return settled;
}

static void do_action(struct finding *f, const struct small_steps *steps, bool **reached) {
  const struct ir_action *a = f->action;
  f->round++;
  f->work++;
  for (uint32_t i = 0; i < a->n_moves; i++)
    if (!reached[a->move[i].process->index][a->move[i].edge->from])
      return;
  if (is_settled(f))
    return;
  f->reading->n = 0;
  f->reading->done = f->round;
  for (uint32_t i = 0; i < a->n_moves; i++)
    if (!assume(f, a->move[i].edge->guard))
      return;
  for (uint32_t i = 0; i < steps->n; i++)
    do_step(f, &steps->at[i]);
  keep_shared(f, steps);
  for (uint32_t i = 0; i < a->n_moves; i++) {
    bool *there = &reached[a->move[i].process->index][a->move[i].edge->to];
    f->changed |= !*there;
    *there = true;
    keep_own(f, &a->move[i]);
  }
}

/* ---- all ----------------------------------------------------------------------------------
 */

static void begin_variable(struct bounds *b, const struct ir_variable *v) {
  for (uint32_t i = 0; !v->is_const && i < v->length; i++) {
    const uint32_t slot = v->first_slot + i, writer = b->writer[slot];
    const uint32_t at = writer < BOUNDS_NOBODY ? b->model->process[writer]->initial : 0;
    b->set[b->first[slot] + at] =
        values_one(v->initial == NULL || v->is_hidden ? 0 : v->initial[i]);
    b->ever[slot] = b->set[b->first[slot] + at];
    if (writer < BOUNDS_NOBODY)
      *ARENA_PUSH(b->model->arena, &b->own[writer]) = slot;
  }
}

static void begin(struct bounds *b) {
  const struct ir_model *m = b->model;
  for (uint32_t i = 0; i < m->n_globals; i++)
    begin_variable(b, m->global[i]);
  for (uint32_t p = 0; p < m->n_processes; p++)
    for (uint32_t i = 0; !m->process[p]->is_property && i < m->process[p]->n_variables; i++)
      begin_variable(b, m->process[p]->variable[i]);
  if (m->live_varies)
    b->set[b->first[m->live_slot]] = values_between(0, m->n_slots);
}

/* Numbers the sets; where there would be too many, all slots have a single one. */
static uint32_t number_sets(const struct ir_model *m, uint16_t *writer, uint32_t *first,
                            uint32_t n_slots) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < n_slots; i++) {
    first[i] = (uint32_t)n;
    n += writer[i] < BOUNDS_NOBODY ? m->process[writer[i]]->n_locations : 1;
  }
  if (n <= MOST_SETS)
    return (uint32_t)n;
  for (uint32_t i = 0; i < n_slots; i++) {
    first[i] = i;
    writer[i] = BOUNDS_SHARED;
  }
  return n_slots;
}

static bool **initial_locations(const struct ir_model *m) {
  bool **reached = ARENA_ARRAY(m->arena, m->n_processes + (size_t)1, bool *);
  for (uint32_t p = 0; p < m->n_processes; p++) {
    reached[p] = ARENA_ARRAY(m->arena, m->process[p]->n_locations + (size_t)1, bool);
    reached[p][m->process[p]->initial] = true;
  }
  return reached;
}

static struct bounds *open_bounds(const struct ir_model *m, const struct ir_actions *actions,
                                  const struct ts_shape *shape,
                                  const struct small_steps *steps) {
  struct arena *arena = m->arena;
  struct bounds *b = ARENA_NEW(arena, struct bounds);
  uint16_t *writer = ARENA_ARRAY(arena, shape->n_slots + (size_t)1, uint16_t);
  uint32_t *first = ARENA_ARRAY(arena, shape->n_slots + (size_t)1, uint32_t);
  for (uint32_t i = 0; i < shape->n_slots; i++)
    writer[i] = BOUNDS_NOBODY;
  for (uint32_t i = 0; i < actions->n; i++)
    note_writers(&actions->at[i], &steps[i], writer);
  const uint32_t n = number_sets(m, writer, first, shape->n_slots);
  b->model = m;
  b->shape = shape;
  b->writer = writer;
  b->first = first;
  b->n_sets = n;
  b->set = ARENA_ARRAY(arena, n + (size_t)1, struct values);
  b->grown = ARENA_ARRAY(arena, n + (size_t)1, uint16_t);
  b->ever = ARENA_ARRAY(arena, shape->n_slots + (size_t)1, struct values);
  b->own = arena_array(arena, m->n_processes + (size_t)1, sizeof *b->own);
  for (uint32_t i = 0; i < n; i++)
    b->set[i] = values_none();
  for (uint32_t i = 0; i < shape->n_slots; i++)
    b->ever[i] = values_none();
  begin(b);
  return b;
}

const struct bounds *bounds_find(const struct ir_model *m, const struct ir_actions *actions,
                                 const struct ts_shape *shape,
                                 const struct small_steps *steps) {
  struct bounds *b = open_bounds(m, actions, shape, steps);
  bool **reached = initial_locations(m);
  const uint32_t most = small_steps_most_temporaries(steps, actions->n);
  struct reading *reading = arena_array(m->arena, actions->n + (size_t)1, sizeof *reading);
  struct finding f = {.b = b,
                      .now = ARENA_ARRAY(m->arena, shape->n_slots + (size_t)1, struct values),
                      .stamp = ARENA_ARRAY(m->arena, shape->n_slots + (size_t)1, uint32_t),
                      .temporary = ARENA_ARRAY(m->arena, most, struct values),
                      .read = ARENA_ARRAY(m->arena, b->n_sets + (size_t)1, uint32_t),
                      .grew = ARENA_ARRAY(m->arena, b->n_sets + (size_t)1, uint32_t)};
  do {
    f.changed = false;
    for (uint32_t i = 0; i < actions->n; i++) {
      f.action = &actions->at[i];
      f.reading = &reading[i];
      do_action(&f, &steps[i], reached);
    }
  } while (f.changed);
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    const struct values all = at_any(b, i);
    values_unite(&b->ever[i], &all);
  }
  return b;
}
