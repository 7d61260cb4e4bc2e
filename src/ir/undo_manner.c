/* undo_manner.c - what it takes to undo an action, said without a state.
 *
 * The steps are gone through as undo.c does, the last one first, but on a list of holes instead
 * of a row: each says which slot is not known, or which array has an element that is not. Where
 * undo.c would try the values of a hole, their number is counted in, and the hole is crossed
 * off. Whatever is not certain here, such as which element an index names, counts as the worse:
 * so the number may be too large, never too small.
 */
#include "ir/undo.h"

#include "ir/undo_walk.h"

struct hole {
  const struct ir_variable *variable;
  uint32_t slot;               /* TS_NONE: that of some element, */
  const struct ir_expr *index; /* which this says, until another step may change it; or NULL */
};

struct seen { /* a temporary: whether what was stored of it is still to be seen */
  enum { NEVER, PERHAPS, ALWAYS } when;
  uint32_t bits;
};

struct manner {
  const struct undo *u;
  struct hole *hole;
  struct seen *seen; /* by temporary */
  uint32_t n_holes;
  uint64_t ways;    /* of filling those that were crossed off */
  uint64_t changes; /* of the row */
  bool limited;
};

/* The slot of a reference; TS_NONE: that depends on the state. */
static uint32_t slot_of(const struct ir_expr *e) {
  const struct ir_variable *v = e->variable;
  if (e->kind == IR_VARIABLE)
    return v->first_slot;
  const struct ir_range r = ir_range(e->a);
  return r.low == r.high && r.low >= 0 && r.low < (int64_t)v->length
             ? v->first_slot + (uint32_t)r.low
             : TS_NONE;
}

static bool is_reference(const struct ir_expr *e) {
  return (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT) && !e->variable->is_const;
}

static bool may_be(const struct hole *h, const struct ir_expr *reference) {
  const uint32_t slot = slot_of(reference);
  return h->variable == reference->variable &&
         (h->slot == TS_NONE || slot == TS_NONE || h->slot == slot);
}

/* A hole that the value of the expression may depend on; as many as there are: none does. */
static uint32_t hole_in(const struct manner *m, const struct ir_expr *e) {
  uint32_t found = m->n_holes;
  if (e == NULL)
    return found;
  for (uint32_t i = 0; is_reference(e) && i < m->n_holes; i++)
    if (may_be(&m->hole[i], e))
      return i;
  const struct ir_expr *part[] = {e->a, e->b, ir_third(e)};
  for (uint32_t i = 0; i < 3 && found == m->n_holes; i++)
    found = hole_in(m, part[i]);
  return found;
}

static bool is_open(const struct manner *m, const struct ir_expr *e) {
  return hole_in(m, e) < m->n_holes;
}

static void cross_off(struct manner *m, uint32_t i) {
  m->hole[i] = m->hole[--m->n_holes];
}

static void try_values(struct manner *m, uint64_t n) {
  m->ways = n > 0 && m->ways > UINT64_MAX / n ? UINT64_MAX : m->ways * n;
  m->changes++;
}

/* The most values that any slot it may be has. */
static uint64_t values_of(const struct manner *m, const struct hole *h, const uint8_t *row) {
  const uint32_t first = h->slot == TS_NONE ? h->variable->first_slot : h->slot;
  const uint32_t n = h->slot == TS_NONE ? h->variable->length : 1;
  uint64_t most = 0;
  for (uint32_t slot = first; slot < first + n; slot++) {
    const uint64_t values = values_count(row == NULL ? bounds_ever(m->u->bounds, slot)
                                                     : bounds_at(m->u->bounds, slot, row));
    most = values > most ? values : most;
  }
  return most;
}

/* Whatever holes it depends on are filled with each value. */
static void with_each(struct manner *m, const struct ir_expr *e) {
  for (uint32_t i; (i = hole_in(m, e)) < m->n_holes; cross_off(m, i)) {
    const uint64_t n = values_of(m, &m->hole[i], NULL);
    m->limited |= n > UNDO_MOST_VALUES;
    try_values(m, n);
  }
}

/* Whether holes_solve() is certain to find the value of the hole, which is this one. */
static bool is_solved(const struct manner *m, const struct ir_expr *e, uint32_t bits,
                      uint32_t *hole) {
  if (e->kind == IR_NEG || e->kind == IR_CPL)
    return is_solved(m, e->a, bits, hole);
  if (is_reference(e)) {
    *hole = hole_in(m, e);
    if (*hole == m->n_holes || ir_type_bits(e->variable->type) > bits)
      return false;
    const struct hole *h = &m->hole[*hole];
    if (e->kind == IR_ELEMENT && (is_open(m, e->a) || small_steps_may_fail(e->a)))
      return false;
    return h->slot != TS_NONE ? h->slot == slot_of(e)
                              : h->index != NULL && ir_same_sum(h->index, e->a);
  }
  if (e->kind != IR_ADD && e->kind != IR_SUB && e->kind != IR_BXOR)
    return false;
  const bool left = is_open(m, e->a);
  const struct ir_expr *other = left ? e->b : e->a;
  return !is_open(m, other) && !small_steps_may_fail(other) &&
         is_solved(m, left ? e->a : e->b, bits, hole);
}

/* ---- steps ----------------------------------------------------------------------------- */

/* What was stored there cannot be seen where something was stored to it afterwards. */
static struct seen seen_in(const struct manner *m, const struct ir_expr *target) {
  struct seen seen = {ALWAYS, ir_type_bits(target->variable->type)};
  for (uint32_t i = 0; i < m->n_holes && seen.when != NEVER; i++)
    if (may_be(&m->hole[i], target))
      seen.when =
          m->hole[i].slot != TS_NONE && m->hole[i].slot == slot_of(target) ? NEVER : PERHAPS;
  return seen;
}

static void undo_store(struct manner *m, const struct small_step *s) {
  const struct ir_expr *target = s->expr;
  const struct ir_variable *v = target->variable;
  struct hole any = {v, TS_NONE, NULL};
  const struct manner of_itself = {.hole = &any, .n_holes = 1};
  const bool is_element = target->kind == IR_ELEMENT;
  const bool varies = is_element && is_open(&of_itself, target->a);
  if (varies) /* the index may be another one by now */
    try_values(m, v->length);
  else if (is_element)
    with_each(m, target->a);
  const struct seen seen = seen_in(m, target);
  m->seen[s->temporary] = seen;
  m->changes++;
  if (seen.when != NEVER)
    m->hole[m->n_holes++] =
        (struct hole){v, slot_of(target), is_element && !varies ? target->a : NULL};
  if (varies)
    with_each(m, target->a);
}

static void undo_work_out(struct manner *m, const struct small_step *s) {
  const struct seen seen = m->seen[s->temporary];
  const uint32_t bits = seen.bits < ir_type_bits(s->type) ? seen.bits : ir_type_bits(s->type);
  uint32_t hole;
  if (seen.when == NEVER || s->is_unseen)
    return;
  if (seen.when == ALWAYS && is_open(m, s->expr) && is_solved(m, s->expr, bits, &hole)) {
    m->changes++;
    cross_off(m, hole);
  } else {
    with_each(m, s->expr);
  }
}

static void undo_take(struct manner *m, const struct small_step *s) {
  const struct ir_channel *c = s->channel;
  m->changes += 1 + (uint64_t)c->n_fields * (c->capacity + 1);
  for (uint32_t i = 0; i < c->n_fields; i++) {
    const struct seen seen = i < s->n ? m->seen[s->temporary + i] : (struct seen){NEVER, 0};
    if (seen.when == ALWAYS && ir_type_bits(c->field[i]) <= seen.bits)
      continue;
    const uint64_t n = values_count(bounds_ever(m->u->bounds, ir_channel_cell(c, 0, i).slot));
    m->limited |= n > UNDO_MOST_VALUES;
    try_values(m, n);
  }
}

/* ---- with instances -------------------------------------------------------------------- */

/* The most values that this field has in a channel that it may be; NULL: in any. */
static uint64_t values_of_field(const struct manner *m, const struct ir_channel *c,
                                uint32_t i) {
  const struct ir_model *model = m->u->model;
  uint64_t most = 1;
  for (uint32_t k = 0; k < model->n_channels; k++) {
    const struct ir_channel *one = model->channel[k];
    if ((c != NULL && c != one) || one->capacity == 0 || i >= one->n_fields)
      continue;
    const uint64_t n = values_count(bounds_ever(m->u->bounds, ir_channel_cell(one, 0, i).slot));
    most = n > most ? n : most;
  }
  return most;
}

/* Whether what was received there follows from the state. */
static bool is_told(const struct manner *m, const struct small_step *s, uint32_t i) {
  const struct ir_expr *e = s->operation->value[i];
  if (e->kind == IR_MATCH || e->kind == IR_CONST)
    return e->kind == IR_CONST || !is_open(m, e->a);
  const struct seen *seen = &m->seen[s->temporary + i];
  return e->kind != IR_DROP && seen->when == ALWAYS && s->channel != NULL &&
         ir_type_bits(s->channel->field[i]) <= seen->bits;
}

static void operate(struct manner *m, const struct small_step *s) {
  const struct ir_operation *o = s->operation;
  const uint64_t places = s->channel == NULL ? 255 : s->channel->capacity;
  if (s->channel == NULL)
    with_each(m, o->channel);
  if (s->channel != NULL && places > 0)
    m->changes += 1 + (places + 1) * s->channel->n_fields;
  if ((o->is_send ? o->sorted : o->random && !o->keep) && places > 0)
    try_values(m, places);
  for (uint32_t i = 0; i < s->n; i++) {
    if (o->is_send)
      m->seen[s->temporary + i] = (struct seen){ALWAYS, 32};
    else if (places > 0 && !o->keep && !is_told(m, s, i))
      try_values(m, values_of_field(m, s->channel, i));
  }
}

/* Its variables are holes, which nothing tells. */
static void end_process(struct manner *m, const struct small_step *s) {
  uint64_t at[TS_MAX_BYTES / 8] = {0}, hole[TS_MAX_BYTES / 64] = {0};
  struct holes_change change[1];
  struct holes row = {m->u->shape, (uint8_t *)at, hole, change, 0, false};
  holes_set(&row, s->process->location_slot, (int32_t)s->edge->from);
  for (uint32_t i = 0; i < s->process->n_variables; i++) {
    const struct ir_variable *v = s->process->variable[i];
    for (uint32_t k = 0; !v->is_const && k < v->length; k++)
      try_values(m, values_count(bounds_at(m->u->bounds, v->first_slot + k, row.at)));
  }
}

/* An index means the same element only until something else was stored. */
static void forget_indexes(struct manner *m) {
  for (uint32_t i = 0; i < m->n_holes; i++)
    m->hole[i].index = NULL;
}

static void undo_step(struct manner *m, const struct small_step *s) {
  switch (s->kind) {
  case SMALL_WORK_OUT:
    undo_work_out(m, s);
    return;
  case SMALL_STORE:
    forget_indexes(m);
    undo_store(m, s);
    return;
  case SMALL_TAKE:
    undo_take(m, s);
    return;
  case SMALL_PUT:
    for (uint32_t i = 0; i < s->n; i++)
      m->seen[s->temporary + i] = (struct seen){ALWAYS, 32};
    m->changes += 1 + (uint64_t)s->n;
    return;
  case SMALL_OPERATE:
    operate(m, s);
    return;
  case SMALL_RUN:
    for (uint32_t i = 0; i <= s->n; i++)
      m->seen[s->temporary + i] = (struct seen){ALWAYS, 32};
    return;
  case SMALL_END:
    end_process(m, s);
    return;
  default:
    m->changes++;
    return;
  }
}

/* ---- before the first step ------------------------------------------------------------- */

/* The parts of a guard that leave one value only. */
static void hold(struct manner *m, const struct ir_expr *e) {
  if (e == NULL)
    return;
  if (e->kind == IR_AND) {
    hold(m, e->a);
    hold(m, e->b);
  } else if (e->kind == IR_EQ && is_open(m, e->a) != is_open(m, e->b)) {
    const bool left = is_open(m, e->a);
    uint32_t hole;
    if (!small_steps_may_fail(left ? e->b : e->a) &&
        is_solved(m, left ? e->a : e->b, 32, &hole))
      cross_off(m, hole);
  }
}

/* The rest of the holes, with what their slots may have where the processes were. */
static void fill(struct manner *m, const struct ir_action *action) {
  uint64_t at[TS_MAX_BYTES / 8] = {0}, hole[TS_MAX_BYTES / 64] = {0};
  struct holes_change change[2]; /* it has no more moves */
  struct holes row = {m->u->shape, (uint8_t *)at, hole, change, 0, false};
  for (uint32_t i = 0; i < action->n_moves; i++)
    holes_set(&row, action->move[i].process->location_slot,
              (int32_t)action->move[i].edge->from);
  for (uint32_t i = 0; i < action->n_moves; i++)
    hold(m, action->move[i].edge->guard);
  const uint32_t n = m->n_holes;
  for (; m->n_holes > 0; m->n_holes--)
    try_values(m, values_of(m, &m->hole[m->n_holes - 1], row.at));
  m->limited |= m->ways > UNDO_MOST_TRIES || n * m->ways > UNDO_MOST_FILLED;
}

/* The end of a process that leaves messages, which nobody knows any more. */
static bool leaves_messages(const struct undo *u, const struct ir_action *action) {
  const struct ir_process *p = action->move->process;
  bool any = false;
  for (uint32_t i = 0; u->seats != NULL && i < p->n_own_channels; i++)
    any |= u->seats->apart->seat[p->index].channel[i]->capacity > 0;
  return any && (action->move->edge->flags & IR_ENDS) != 0;
}

struct undo_manner undo_manner(const struct undo *u, uint32_t action) {
  const struct small_steps *steps = &u->steps[action];
  struct hole hole[UNDO_MOST_TEMPORARIES];
  struct seen seen[UNDO_MOST_TEMPORARIES] = {{NEVER, 0}};
  struct manner m = {.u = u, .hole = hole, .seen = seen, .ways = 1};
  if (steps->more || steps->n_temporaries > UNDO_MOST_TEMPORARIES ||
      leaves_messages(u, &u->actions->at[action]))
    return (struct undo_manner){UNDO_CANNOT, 0};
  for (uint32_t k = steps->n; k > 0; k--)
    undo_step(&m, &steps->at[k - 1]);
  fill(&m, &u->actions->at[action]);
  m.limited |= m.changes > HOLES_CHANGES;
  const enum undo_way way = m.limited ? UNDO_LIMITED : m.ways <= 1 ? UNDO_EXACT : UNDO_TRIES;
  return (struct undo_manner){way, m.ways};
}
