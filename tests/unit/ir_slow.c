/* ir_slow.c - the checked model interpreted, one action at a time.
 *
 * Written from the words of ir.h; slow and plain on purpose. A model error sets a
 * flag that ends everything.
 */
#include "ir_random.h"

#include <string.h>

struct step {
  const struct slow *slow;
  uint8_t *row;
  bool fault;
};

/* ---- cells -------------------------------------------------------------------------- */

static int32_t get(const uint8_t *row, uint32_t offset, uint32_t bytes, bool is_signed) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < bytes; i++)
    value |= (uint32_t)row[offset + i] << (8 * i);
  if (is_signed && bytes < 4 && value >> (8 * bytes - 1))
    value |= UINT32_MAX << (8 * bytes);
  return (int32_t)value;
}

static void put(uint8_t *row, uint32_t offset, uint32_t bytes, int32_t value) {
  for (uint32_t i = 0; i < bytes; i++)
    row[offset + i] = (uint8_t)((uint32_t)value >> (8 * i));
}

static int32_t cut_to(const struct ir_type *type, int32_t value) {
  if (!type || type->bits == 32)
    return value;
  int64_t size = INT64_C(1) << type->bits, v = value % size;
  if (v < 0)
    v += size;
  return (int32_t)(type->is_signed && v >= size / 2 ? v - size : v);
}

static bool field_signed(const struct ir_type *type) {
  return !type || type->is_signed;
}

/* ---- expressions ----------------------------------------------------------------------- */

static int32_t divide(const struct ir_expr *e, int64_t a, int64_t b, bool *fault) {
  if (b == 0) {
    *fault = true;
    return 0;
  }
  return (int32_t)(uint32_t)(uint64_t)(e->kind == IR_DIV ? a / b : a % b);
}

static int32_t shift(const struct ir_expr *e, int32_t a, int32_t b, bool *fault) {
  if (b < 0 || b > 31) {
    *fault = true;
    return 0;
  }
  return e->kind == IR_SHL ? (int32_t)((uint32_t)a << b) : a >> b;
}

static int32_t strict(const struct ir_expr *e, int32_t a, int32_t b, bool *fault) {
  uint32_t x = (uint32_t)a, y = (uint32_t)b;
  switch (e->kind) {
  case IR_MUL:
    return (int32_t)(x * y);
  case IR_ADD:
    return (int32_t)(x + y);
  case IR_SUB:
    return (int32_t)(x - y);
  case IR_DIV:
  case IR_MOD:
    return divide(e, a, b, fault);
  case IR_SHL:
  case IR_SHR:
    return shift(e, a, b, fault);
  case IR_LT:
    return a < b;
  case IR_LE:
    return a <= b;
  case IR_GT:
    return a > b;
  case IR_GE:
    return a >= b;
  case IR_EQ:
    return a == b;
  case IR_NE:
    return a != b;
  case IR_BAND:
    return a & b;
  case IR_BXOR:
    return a ^ b;
  default:
    return a | b;
  }
}

static int32_t reference(const struct ir_expr *e, const uint8_t *row, bool *fault) {
  const struct ir_variable *v = e->variable;
  uint32_t bytes = ir_type_bytes(v->type);
  int32_t index = e->kind == IR_ELEMENT ? slow_value(e->a, row, fault) : 0;
  if (*fault || index < 0 || (uint32_t)index >= v->length) {
    *fault = true;
    return 0;
  }
  if (v->is_const)
    return v->initial ? v->initial[index] : 0;
  return get(row, v->offset + (uint32_t)index * bytes, bytes, v->type->is_signed);
}

static int32_t unary(const struct ir_expr *e, const uint8_t *row, bool *fault) {
  int32_t a = slow_value(e->a, row, fault);
  return e->kind == IR_NOT   ? !a
         : e->kind == IR_NEG ? (int32_t)(0u - (uint32_t)a)
                             : (int32_t) ~(uint32_t)a;
}

static int32_t lazy(const struct ir_expr *e, const uint8_t *row, bool *fault) {
  bool a = slow_value(e->a, row, fault) != 0;
  if (*fault)
    return 0;
  if (e->kind == IR_COND)
    return slow_value(a ? e->b : e->c, row, fault);
  if (e->kind == IR_AND ? !a : e->kind == IR_OR ? a : !a)
    return e->kind != IR_AND;
  return slow_value(e->b, row, fault) != 0;
}

int32_t slow_value(const struct ir_expr *e, const uint8_t *row, bool *fault) {
  int32_t a, b;
  switch (e->kind) {
  case IR_CONST:
    return e->value;
  case IR_VARIABLE:
  case IR_ELEMENT:
    return reference(e, row, fault);
  case IR_AT:
    return get(row, e->process->location_offset, e->process->location_bytes, false) ==
           (int32_t)e->location;
  case IR_COUNT:
    return e->channel->capacity
               ? get(row, e->channel->count_offset, e->channel->count_bytes, false)
               : 0;
  case IR_NOT:
  case IR_NEG:
  case IR_CPL:
    return unary(e, row, fault);
  case IR_AND:
  case IR_OR:
  case IR_IMPLY:
  case IR_COND:
    return lazy(e, row, fault);
  default:
    a = slow_value(e->a, row, fault);
    b = *fault ? 0 : slow_value(e->b, row, fault);
    return *fault ? 0 : strict(e, a, b, fault);
  }
}

/* ---- moves ---------------------------------------------------------------------------------
 */

static bool holds(struct step *s, const struct ir_expr *e) {
  return !e || slow_value(e, s->row, &s->fault) != 0;
}

static void assign(struct step *s, const struct ir_expr *target, int32_t value) {
  const struct ir_variable *v = target->variable;
  uint32_t bytes = ir_type_bytes(v->type);
  int32_t index =
      target->kind == IR_ELEMENT && !s->fault ? slow_value(target->a, s->row, &s->fault) : 0;
  if (s->fault || index < 0 || (uint32_t)index >= v->length)
    s->fault = true;
  else
    put(s->row, v->offset + (uint32_t)index * bytes, bytes, cut_to(v->type, value));
}

static void move(struct step *s, const struct ir_move *m) {
  if (s->fault)
    return;
  put(s->row, m->process->location_offset, m->process->location_bytes, (int32_t)m->edge->to);
  for (uint32_t i = 0; i < m->edge->n_effects && !s->fault; i++) {
    int32_t value = slow_value(m->edge->effect[i].value, s->row, &s->fault);
    if (!s->fault)
      assign(s, m->edge->effect[i].target, value);
  }
}

static void sent(struct step *s, const struct ir_edge *e, int32_t *value) {
  for (uint32_t i = 0; i < e->n_values && !s->fault; i++)
    value[i] = cut_to(e->channel->field[i], slow_value(e->value[i], s->row, &s->fault));
}

static int32_t count_of(const struct ir_channel *c, const uint8_t *row) {
  return get(row, c->count_offset, c->count_bytes, false);
}

static void send(struct step *s, const struct ir_edge *e) {
  const struct ir_channel *c = e->channel;
  int32_t value[8] = {0}, n = count_of(c, s->row);
  sent(s, e, value);
  for (uint32_t f = 0; f < c->n_fields && !s->fault; f++)
    put(s->row, ir_channel_cell(c, (uint32_t)n, f).offset, ir_type_bytes(c->field[f]),
        value[f]);
  put(s->row, c->count_offset, c->count_bytes, n + 1);
}

static void receive(struct step *s, const struct ir_edge *e) {
  const struct ir_channel *c = e->channel;
  int32_t value[8] = {0}, n = count_of(c, s->row);
  for (uint32_t f = 0; f < c->n_fields; f++) {
    uint32_t bytes = ir_type_bytes(c->field[f]);
    value[f] = get(s->row, ir_channel_cell(c, 0, f).offset, bytes, field_signed(c->field[f]));
    for (uint32_t k = 0; k < c->capacity; k++)
      put(s->row, ir_channel_cell(c, k, f).offset, bytes,
          k + 1 < c->capacity ? get(s->row, ir_channel_cell(c, k + 1, f).offset, bytes, false)
                              : 0);
  }
  put(s->row, c->count_offset, c->count_bytes, n - 1);
  for (uint32_t i = 0; i < e->n_values && !s->fault; i++)
    assign(s, e->value[i], value[i]);
}

static void operate(struct step *s, const struct ir_edge *e) {
  if (s->fault)
    return;
  if (e->sync == IR_SEND)
    send(s, e);
  else
    receive(s, e);
}

static bool channel_ready(const struct ir_edge *e, const uint8_t *row) {
  int32_t n = count_of(e->channel, row);
  return e->sync == IR_SEND ? n < (int32_t)e->channel->capacity : n > 0;
}

static bool at_location(const struct ir_move *m, const uint8_t *row) {
  return get(row, m->process->location_offset, m->process->location_bytes, false) ==
         (int32_t)m->edge->from;
}

static bool may_move(const struct slow *slow, const struct ir_move *m, const uint8_t *row) {
  bool committed = false;
  for (uint32_t p = 0; p < slow->model->n_processes; p++) {
    const struct ir_process *other = slow->model->process[p];
    int32_t at = get(row, other->location_offset, other->location_bytes, false);
    committed = committed || other->location[at].flags & IR_COMMITTED;
  }
  return at_location(m, row) &&
         (!committed || m->process->location[m->edge->from].flags & IR_COMMITTED);
}

/* ---- actions
 * ---------------------------------------------------------------------------------- */

static enum slow_outcome outcome(const struct step *s) {
  return s->fault ? SLOW_ERROR : SLOW_SUCCESSOR;
}

static enum slow_outcome fire_single(struct step *s, const struct ir_move *m) {
  const struct ir_edge *e = m->edge;
  if (!may_move(s->slow, m, s->row))
    return SLOW_NOT_ENABLED;
  if (!holds(s, e->guard) && !s->fault)
    return SLOW_NOT_ENABLED;
  if (s->fault)
    return SLOW_ERROR;
  if (e->sync != IR_NO_SYNC && !channel_ready(e, s->row))
    return SLOW_NOT_ENABLED;
  if (e->sync != IR_NO_SYNC && !e->late)
    operate(s, e);
  move(s, m);
  if (e->sync != IR_NO_SYNC && e->late)
    operate(s, e);
  return outcome(s);
}

static enum slow_outcome fire_pair(struct step *s, const struct ir_move *m) {
  int32_t value[8] = {0};
  if (!may_move(s->slow, &m[0], s->row) || !may_move(s->slow, &m[1], s->row))
    return SLOW_NOT_ENABLED;
  for (int i = 0; i < 2; i++) {
    bool open = holds(s, m[i].edge->guard);
    if (s->fault)
      return SLOW_ERROR;
    if (!open)
      return SLOW_NOT_ENABLED;
  }
  sent(s, m[0].edge, value);
  uint32_t n =
      m[0].edge->n_values < m[1].edge->n_values ? m[0].edge->n_values : m[1].edge->n_values;
  for (uint32_t i = 0; i < n && !s->fault; i++)
    assign(s, m[1].edge->value[i], value[i]);
  move(s, &m[1]);
  move(s, &m[0]);
  return outcome(s);
}

/* ---- the common step
 * ------------------------------------------------------------------------- */

/* The enabled edges of process p, as actions; -1 if a guard fails. */
static int enabled(const struct slow *slow, const uint8_t *state, uint32_t p, uint32_t *list) {
  int n = 0;
  for (uint32_t i = slow->actions->first[p]; i < slow->actions->first[p + 1]; i++) {
    const struct ir_move *m = slow->actions->at[i].move;
    bool fault = false;
    if (!at_location(m, state))
      continue;
    bool open = !m->edge->guard || slow_value(m->edge->guard, state, &fault) != 0;
    if (fault)
      return -1;
    if (open)
      list[n++] = i;
  }
  return n;
}

static uint32_t common_choices(const struct slow *slow, const uint8_t *state) {
  uint32_t total = 1, list[64];
  bool fault = false;
  for (uint32_t p = 0; p < slow->model->n_processes; p++) {
    int n = enabled(slow, state, p, list);
    fault = fault || n < 0;
    total *= n < 0 ? 1 : (uint32_t)n;
  }
  return fault ? 1 : total;
}

/* Runs an edge on its own copy and merges what it assigned; false: it failed, or
 * wrote a global that another edge had written. */
static bool merge(const struct slow *slow, const uint8_t *state, const struct ir_move *m,
                  uint8_t *row, uint8_t *written) {
  uint8_t own[1024], mine[1024] = {0};
  memcpy(own, state, ts_stride(slow->shape));
  struct step s = {slow, own, false};
  put(own, m->process->location_offset, m->process->location_bytes, (int32_t)m->edge->to);
  put(row, m->process->location_offset, m->process->location_bytes, (int32_t)m->edge->to);
  for (uint32_t i = 0; i < m->edge->n_effects && !s.fault; i++) {
    const struct ir_expr *target = m->edge->effect[i].target;
    int32_t value = slow_value(m->edge->effect[i].value, own, &s.fault);
    int32_t index =
        target->kind == IR_ELEMENT && !s.fault ? slow_value(target->a, own, &s.fault) : 0;
    if (!s.fault)
      assign(&s, target, value);
    if (s.fault)
      return false;
    uint32_t bytes = ir_type_bytes(target->variable->type);
    uint32_t at = target->variable->offset + (uint32_t)index * bytes;
    if (!target->variable->owner && written[at])
      return false;
    mine[at] = !target->variable->owner;
    memcpy(row + at, own + at, bytes);
  }
  for (uint32_t i = 0; i < sizeof mine; i++)
    written[i] |= mine[i];
  return true;
}

static enum slow_outcome fire_common(const struct slow *slow, const uint8_t *state,
                                     uint32_t choice, uint8_t *row) {
  uint32_t n_processes = slow->model->n_processes, list[8][64], digit[8];
  uint8_t written[1024] = {0};
  if (choice >= common_choices(slow, state))
    return SLOW_NOT_ENABLED;
  for (uint32_t p = 0; p < n_processes; p++)
    if (enabled(slow, state, p, list[p]) < 0)
      return SLOW_ERROR;
  for (uint32_t p = n_processes; p-- > 0;) {
    int n = enabled(slow, state, p, list[p]);
    digit[p] = choice % (uint32_t)n;
    choice /= (uint32_t)n;
  }
  for (uint32_t p = 0; p < n_processes; p++)
    if (!merge(slow, state, slow->actions->at[list[p][digit[p]]].move, row, written))
      return SLOW_ERROR;
  return SLOW_SUCCESSOR;
}

enum slow_outcome slow_fire(const struct slow *slow, const uint8_t *state,
                            struct ts_event event, uint8_t *row) {
  const struct ir_action *action = &slow->actions->at[event.action];
  memcpy(row, state, ts_stride(slow->shape));
  struct step s = {slow, row, false};
  if (slow->model->synchronous)
    return action->n_moves ? SLOW_NOT_ENABLED : fire_common(slow, state, event.choice, row);
  if (event.choice)
    return SLOW_NOT_ENABLED;
  return action->n_moves == 2 ? fire_pair(&s, action->move) : fire_single(&s, action->move);
}

uint32_t slow_choices(const struct slow *slow, const uint8_t *state, uint32_t action) {
  if (!slow->model->synchronous)
    return 1;
  return slow->actions->at[action].n_moves ? 0 : common_choices(slow, state);
}
