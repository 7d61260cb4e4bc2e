/* pairs.c - which values two slots can have at the same time, by an analysis of the flow of
 * data.
 *
 * For each two slots of few values (variables, locations, counts of messages) it is known which
 * pairs of values a reachable state may have: at first those of the initial state. Each action
 * is done again and again, until no pair is added. It is done on a row of which only the
 * locations of its processes are known; where a guard or a step needs a slot, the action is
 * gone through with each value of it that goes with what is known so far. What is not looked at
 * is not known. In the end each value that was written goes with each value of another slot
 * that went with all that was known before, or was written, too.
 *
 * So mutual exclusion, and what a lock says about where its owner is, are found. The pairs may
 * be too many, never too few.
 */
#include "ir/pairs.h"

#include "base/bits.h"

#include <string.h>

enum { MOST_BRANCHES = 2048, MOST_DEPTH = 24, GUARDS = UINT16_MAX };
#define MOST_WORK (UINT64_C(60) << 20)

struct temporary {
  int32_t value;
  bool known;
};

struct search {
  struct pairs *p;
  const struct ir_model *model;
  const struct ir_action *action;
  const struct small_steps *steps;
  const struct ts_shape *shape;
  const uint32_t *n_values; /* by number */
  struct holes row;
  uint64_t *cur; /* [depth * n + number]: the values that go with all that is known */
  uint32_t depth, branches;
  struct temporary *temporary;
  uint32_t *written, n_written; /* numbers */
  bool *is_written;
  uint64_t work;
  bool changed;
};

/* The value of that index; there is one. */
static int32_t value_of_index(const struct pairs *p, uint32_t number, uint32_t index) {
  uint32_t at = 0;
  while (p->index[256 * number + at] != index)
    at++;
  return (int32_t)at + VALUES_FIRST;
}

static uint64_t *current(const struct search *s) {
  return &s->cur[(uint64_t)s->depth * s->p->n];
}

/* ---- what an action does to pairs ------------------------------------------------------- */

static void add(struct search *s, uint32_t number, uint32_t index, uint32_t other,
                uint64_t values) {
  uint64_t *with = &pairs_row(s->p, number, index)[other];
  s->work++;
  if ((*with | values) == *with)
    return;
  *with |= values;
  s->changed = true;
}

/* What is left in a slot: all that it ever has, where that is not known. */
static uint64_t left_in(const struct search *s, uint32_t number) {
  const uint32_t slot = s->p->slot[number];
  if (!s->is_written[number])
    return current(s)[number];
  if (holes_is(&s->row, slot))
    return bits_lowest(s->n_values[number]);
  const uint32_t index = pairs_index(s->p, number, holes_value(&s->row, slot));
  return index == PAIRS_NO_VALUE ? 0 : UINT64_C(1) << index;
}

static void add_pairs(struct search *s, uint32_t number) {
  const uint64_t mine = left_in(s, number);
  for (uint32_t t = 0; t < s->p->n; t++) {
    const uint64_t other = left_in(s, t);
    for (uint64_t rest = mine; rest != 0; rest &= rest - 1) {
      const uint32_t index = (uint32_t)__builtin_ctzll(rest);
      add(s, number, index, t, t == number ? UINT64_C(1) << index : other);
    }
    for (uint64_t rest = t == number ? 0 : other; rest != 0; rest &= rest - 1)
      add(s, t, (uint32_t)__builtin_ctzll(rest), number, mine);
  }
}

static void end_of_action(struct search *s) {
  for (uint32_t i = 0; i < s->n_written; i++)
    add_pairs(s, s->written[i]);
}

/* ---- going through an action ---------------------------------------------------------------
 */

/* Goes on at a step, or with the guards. */
static void go_on(struct search *s, uint32_t at);

static bool can_branch(const struct search *s, uint32_t slot) {
  const uint32_t number = slot == TS_NONE ? TS_NONE : s->p->number[slot];
  return number != TS_NONE && !s->is_written[number] && s->branches < MOST_BRANCHES &&
         s->depth + 1 < MOST_DEPTH && holes_is(&s->row, slot);
}

/* One more slot is known; false: that value does not go with what was known before. */
static bool learn(struct search *s, uint32_t number, uint32_t index) {
  const uint64_t *now = current(s), *with = pairs_row(s->p, number, index);
  uint64_t *next = &s->cur[(uint64_t)(s->depth + 1) * s->p->n];
  s->depth++;
  s->work += s->p->n;
  for (uint32_t t = 0; t < s->p->n; t++) {
    next[t] = now[t] & with[t];
    if (next[t] == 0)
      return false;
  }
  return true;
}

static void branch(struct search *s, uint32_t slot, uint32_t at) {
  const uint32_t number = s->p->number[slot], mark = s->row.n_changes, n_written = s->n_written;
  for (uint64_t rest = current(s)[number]; rest != 0; rest &= rest - 1) {
    const uint32_t index = (uint32_t)__builtin_ctzll(rest);
    s->branches++;
    if (learn(s, number, index)) {
      holes_set(&s->row, slot, value_of_index(s->p, number, index));
      go_on(s, at);
      holes_take_back(&s->row, mark);
    }
    s->depth--;
    while (s->n_written > n_written)
      s->is_written[s->written[--s->n_written]] = false;
  }
}

static void write(struct search *s, uint32_t slot, struct temporary value) {
  const uint32_t number = s->p->number[slot];
  if (number != TS_NONE && !s->is_written[number]) {
    s->is_written[number] = true;
    s->written[s->n_written++] = number;
  }
  if (value.known)
    holes_set(&s->row, slot, value.value);
  else if (!holes_is(&s->row, slot))
    holes_make(&s->row, slot);
}

enum outcome { GOES_ON, BRANCHED, FAILS };

static enum outcome work_out(struct search *s, uint32_t at) {
  const struct small_step *step = &s->steps->at[at];
  const struct ir_value value = holes_known(&s->row, step->expr);
  if (!value.known) {
    const uint32_t slot = holes_in(&s->row, step->expr);
    if (can_branch(s, slot)) {
      branch(s, slot, at);
      return BRANCHED;
    }
  }
  s->temporary[step->temporary] =
      (struct temporary){value.known ? values_cut_one(value.at, step->type) : 0, value.known};
  return GOES_ON;
}

static enum outcome store(struct search *s, uint32_t at) {
  const struct small_step *step = &s->steps->at[at];
  const struct ir_variable *v = step->expr->variable;
  struct temporary value = s->temporary[step->temporary];
  value.value = values_cut_one(value.value, v->type);
  const uint32_t slot = holes_slot(&s->row, step->expr);
  if (slot != TS_NONE) {
    write(s, slot, value);
    return GOES_ON;
  }
  if (holes_known(&s->row, step->expr->a).known)
    return FAILS;
  const uint32_t in_index = holes_in(&s->row, step->expr->a);
  if (can_branch(s, in_index)) {
    branch(s, in_index, at);
    return BRANCHED;
  }
  for (uint32_t i = 0; i < v->length; i++)
    write(s, v->first_slot + i, (struct temporary){0, false});
  return GOES_ON;
}

static enum outcome change_count(struct search *s, uint32_t at) {
  const struct small_step *step = &s->steps->at[at];
  const struct ir_channel *c = step->channel;
  const bool is_put = step->kind == SMALL_PUT;
  if (can_branch(s, c->count_slot)) {
    branch(s, c->count_slot, at);
    return BRANCHED;
  }
  struct temporary count = {0, !holes_is(&s->row, c->count_slot)};
  if (count.known) {
    const int32_t n = holes_value(&s->row, c->count_slot);
    if (n == (is_put ? (int32_t)c->capacity : 0))
      return FAILS;
    count.value = is_put ? n + 1 : n - 1;
  }
  write(s, c->count_slot, count);
  for (uint32_t i = 0; !is_put && i < step->n; i++)
    s->temporary[step->temporary + i] = (struct temporary){0, false};
  return GOES_ON;
}

/* ---- processes that come and go ---------------------------------------------------------- */

/* Goes on where so many live; then it is another number. */
static enum outcome change_live(struct search *s, uint32_t at, int32_t from, int32_t to) {
  const uint32_t slot = s->model->live_slot;
  if (!s->model->live_varies)
    return FAILS;
  if (can_branch(s, slot)) {
    branch(s, slot, at);
    return BRANCHED;
  }
  if (!holes_is(&s->row, slot) && holes_value(&s->row, slot) != from)
    return FAILS;
  write(s, slot, (struct temporary){to, true});
  return GOES_ON;
}

static void write_variable(struct search *s, const struct ir_variable *v,
                           const struct temporary *given, bool is_born) {
  for (uint32_t i = 0; !v->is_const && i < v->length; i++) {
    struct temporary value = {is_born && v->initial != NULL ? v->initial[i] : 0, true};
    if (given != NULL) {
      value = *given;
      value.value = values_cut_one(value.value, v->type);
    }
    write(s, v->first_slot + i, value);
  }
}

static enum outcome end_process(struct search *s, uint32_t at) {
  const struct ir_process *p = s->steps->at[at].process;
  const int32_t number = (int32_t)s->steps->at[at].number;
  const enum outcome outcome = change_live(s, at, number + 1, number);
  if (outcome != GOES_ON)
    return outcome;
  write(s, p->location_slot, (struct temporary){0, true});
  for (uint32_t i = 0; i < p->n_variables; i++)
    write_variable(s, p->variable[i], NULL, false);
  for (uint32_t i = 0; i < s->model->n_channels; i++)
    if (s->model->channel[i]->owner == p && s->model->channel[i]->capacity > 0)
      write(s, s->model->channel[i]->count_slot, (struct temporary){0, true});
  return GOES_ON;
}

static void forget_process(struct search *s, const struct ir_process *p) {
  const struct temporary any = {0, false};
  write(s, p->location_slot, any);
  for (uint32_t i = 0; i < p->n_variables; i++)
    write_variable(s, p->variable[i], &any, false);
}

static enum outcome begin_process(struct search *s, uint32_t at) {
  const struct small_step *step = &s->steps->at[at];
  const struct ir_process *p = step->process;
  const int32_t number = (int32_t)step->number;
  if (step->is_unseen) { /* it, or another one */
    write(s, s->model->live_slot, (struct temporary){0, false});
    forget_process(s, p);
    return GOES_ON;
  }
  const enum outcome outcome = change_live(s, at, number, number + 1);
  if (outcome != GOES_ON)
    return outcome;
  write(s, p->location_slot, (struct temporary){(int32_t)p->initial, true});
  for (uint32_t i = 0; i < p->n_variables; i++) {
    const struct temporary none = {0, true};
    const struct temporary *given = i >= p->n_parameters ? NULL : &none;
    if (i < p->n_parameters && i < step->n)
      given = &s->temporary[step->temporary + i];
    write_variable(s, p->variable[i], given, true);
  }
  return GOES_ON;
}

static enum outcome do_step(struct search *s, uint32_t at) {
  const struct small_step *step = &s->steps->at[at];
  switch (step->kind) {
  case SMALL_WORK_OUT:
    return work_out(s, at);
  case SMALL_STORE:
    return store(s, at);
  case SMALL_MOVE:
    write(s, step->process->location_slot, (struct temporary){(int32_t)step->edge->to, true});
    return GOES_ON;
  case SMALL_END:
    return end_process(s, at);
  case SMALL_BIRTH:
    return begin_process(s, at);
  default:
    return change_count(s, at);
  }
}

/* One part of a guard after the other. */
static enum outcome hold(struct search *s, const struct ir_expr *e) {
  if (e == NULL)
    return GOES_ON;
  if (e->kind == IR_AND) {
    const enum outcome first = hold(s, e->a);
    return first == GOES_ON ? hold(s, e->b) : first;
  }
  const struct ir_value value = holes_known(&s->row, e);
  if (value.known)
    return value.at != 0 ? GOES_ON : FAILS;
  const uint32_t slot = holes_in(&s->row, e);
  if (!can_branch(s, slot))
    return GOES_ON;
  branch(s, slot, GUARDS);
  return BRANCHED;
}

static void go_on(struct search *s, uint32_t at) {
  enum outcome outcome = GOES_ON;
  s->work += s->steps->size;
  if (at == GUARDS) {
    for (uint32_t i = 0; outcome == GOES_ON && i < s->action->n_moves; i++)
      outcome = hold(s, s->action->move[i].edge->guard);
    at = 0;
  }
  for (; outcome == GOES_ON && at < s->steps->n; at++)
    outcome = do_step(s, at);
  if (outcome == GOES_ON)
    end_of_action(s);
}

/* Nobody may be at a committed location, unless the action begins at one. */
static void learn_committed(struct search *s) {
  const struct ir_move *move = s->action->move;
  if (move->process->location[move->edge->from].flags & IR_COMMITTED)
    return;
  for (uint32_t p = 0; p < s->model->n_processes; p++) {
    const struct ir_process *process = s->model->process[p];
    const uint32_t number =
        process->is_property ? TS_NONE : s->p->number[process->location_slot];
    for (uint32_t l = 0; number != TS_NONE && l < process->n_locations; l++)
      if (process->location[l].flags & IR_COMMITTED)
        current(s)[number] &= ~(UINT64_C(1) << l);
  }
}

/* Who moves lives. */
static void learn_live(struct search *s) {
  const struct ir_model *m = s->model;
  const uint32_t number = m->live_varies ? s->p->number[m->live_slot] : TS_NONE;
  for (uint32_t i = 0; number != TS_NONE && i < s->action->n_moves; i++)
    current(s)[number] &= ~bits_lowest(s->action->move[i].number + 1); /* from 0 on */
}

static void do_action(struct search *s) {
  s->depth = s->branches = 0;
  for (uint32_t t = 0; t < s->p->n; t++)
    current(s)[t] = bits_lowest(s->n_values[t]);
  learn_committed(s);
  learn_live(s);
  const uint32_t mark = s->row.n_changes;
  bool possible = true;
  for (uint32_t i = 0; possible && i < s->action->n_moves; i++) {
    const struct ir_move *move = &s->action->move[i];
    const uint32_t slot = move->process->location_slot;
    holes_set(&s->row, slot, (int32_t)move->edge->from);
    if (s->p->number[slot] != TS_NONE)
      possible = learn(s, s->p->number[slot], move->edge->from);
  }
  if (possible)
    go_on(s, GUARDS);
  while (s->n_written > 0)
    s->is_written[s->written[--s->n_written]] = false;
  holes_take_back(&s->row, mark);
}

/* ---- all ------------------------------------------------------------------------------------
 */

static void begin_variable(struct search *s, const struct ir_variable *v) {
  for (uint32_t i = 0; !v->is_const && i < v->length; i++)
    holes_set(&s->row, v->first_slot + i, v->initial == NULL ? 0 : v->initial[i]);
}

/* Whether it is there at first. */
static bool is_active(const struct ir_model *m, const struct ir_process *p) {
  bool is = !m->live_varies;
  for (uint32_t i = 0; i < m->n_active; i++)
    is |= m->active[i] == p;
  return is;
}

/* The pairs of the initial state; then nothing of the row is known. */
static void begin(struct search *s, const struct ir_model *m) {
  const struct pairs *p = s->p;
  uint8_t *now = ARENA_ARRAY(m->arena, p->n, uint8_t);
  for (uint32_t i = 0; i < m->n_globals; i++, s->row.n_changes = 0)
    begin_variable(s, m->global[i]);
  for (uint32_t k = 0; k < m->n_processes; k++) {
    if (m->process[k]->is_property || !is_active(m, m->process[k]))
      continue;
    for (uint32_t i = 0; i < m->process[k]->n_variables; i++, s->row.n_changes = 0)
      begin_variable(s, m->process[k]->variable[i]);
    holes_set(&s->row, m->process[k]->location_slot, (int32_t)m->process[k]->initial);
  }
  s->row.n_changes = 0;
  pairs_read(p, &s->row, now);
  for (uint32_t a = 0; a < p->n; a++)
    for (uint32_t b = 0; b < p->n; b++)
      pairs_row(p, a, now[a])[b] = UINT64_C(1) << now[b];
  memset(s->row.hole, 0xFF, BITS_WORDS(s->shape->n_slots) * sizeof *s->row.hole);
}

/* Until no pair is added; false: it takes too long. */
static bool find_all(struct search *s, const struct ir_actions *actions,
                     const struct small_steps *steps) {
  do {
    s->changed = false;
    for (uint32_t i = 0; i < actions->n; i++) {
      s->action = &actions->at[i];
      s->steps = &steps[i];
      do_action(s);
      if (s->work > MOST_WORK || s->row.spent)
        return false;
    }
  } while (s->changed);
  return true;
}

const struct pairs *pairs_find(const struct ir_model *m, const struct ir_actions *actions,
                               const struct ts_shape *shape, const struct small_steps *steps,
                               const struct bounds *bounds, const bool *looked) {
  struct arena *arena = m->arena;
  struct search s = {.model = m, .shape = shape};
  s.p = pairs_open(m, shape, bounds, looked, &s.n_values);
  if (s.p == NULL)
    return NULL;
  s.row = (struct holes){
      .shape = shape,
      .at = (uint8_t *)ARENA_ARRAY(arena, ts_stride(shape) / 8 + (size_t)1, uint64_t),
      .hole = ARENA_ARRAY(arena, BITS_WORDS(shape->n_slots) + (size_t)1, uint64_t),
      .change = ARENA_ARRAY(arena, HOLES_CHANGES, struct holes_change)};
  s.cur = ARENA_ARRAY(arena, (uint64_t)MOST_DEPTH * s.p->n, uint64_t);
  s.temporary =
      ARENA_ARRAY(arena, small_steps_most_temporaries(steps, actions->n), struct temporary);
  s.written = ARENA_ARRAY(arena, s.p->n, uint32_t);
  s.is_written = ARENA_ARRAY(arena, s.p->n, bool);
  begin(&s, m);
  return find_all(&s, actions, steps) ? s.p : NULL;
}
