/* alter.c - what a step may make of a guard. See alter.h.
 *
 * Of a guard with one slot only the values that the step may write are tried. Of several slots
 * all values that make a difference: where slots are compared with constants only, these and
 * their neighbours. Whatever a step writes it may also leave as it is.
 */
#include "search/reduce/alter.h"

enum { RANGE_MOST = 64, TRIES_MOST = 1024, VALUES = 3 * ALTER_CONSTS + 3 };

/* ---- what a guard looks at --------------------------------------------------------------- */

enum sort { SORT_SLOT, SORT_KNOWN, SORT_CONDITION };

struct operand {
  enum sort sort;
  int32_t value; /* if known */
};

static bool is_touched(const struct alter *a, uint32_t slot) {
  const struct ts_control *c = a->shape->control;
  if (slot >= c->n_slot_items)
    return false;
  for (uint32_t i = 0; i < a->guard->n_touches; i++)
    if (c->guard_touch[a->guard->first_touch + i].item == slot)
      return true;
  return false;
}

/* One more slot; what may change it is among the touches of the guard, or nothing is known. */
static bool add_slot(struct alter *a, uint32_t slot) {
  for (uint32_t i = 0; i < a->n; i++)
    if (a->slot[i] == slot)
      return true;
  if (a->n == ALTER_SLOTS || !is_touched(a, slot))
    return false;
  a->slot[a->n++] = slot;
  return true;
}

static bool add_const(struct alter *a, int32_t value) {
  for (uint32_t i = 0; i < a->n_consts; i++)
    if (a->constant[i] == value)
      return true;
  if (a->n_consts == ALTER_CONSTS)
    return false;
  a->constant[a->n_consts++] = value;
  return true;
}

static const int32_t *known_value(const struct alter *a, uint32_t slot) {
  for (uint32_t i = 0; i < a->n_known; i++)
    if (a->known_slot[i] == slot)
      return &a->known_value[i];
  return NULL;
}

/* The operand of a slot; false: too many. */
static bool take_slot(struct alter *a, uint32_t slot, struct operand *operand) {
  const int32_t *value = known_value(a, slot);
  *operand = (struct operand){value == NULL ? SORT_SLOT : SORT_KNOWN, value ? *value : 0};
  return add_slot(a, slot) && (value == NULL || add_const(a, *value));
}

static bool take_two(struct alter *a, enum ts_term_kind kind, struct operand *left,
                     const struct operand *right) {
  bool compares = kind >= TS_TERM_LT && kind <= TS_TERM_NE, joins = kind >= TS_TERM_AND;
  if (left->sort == SORT_KNOWN && right->sort == SORT_KNOWN && !joins && !compares) {
    int64_t x = left->value, y = right->value;
    left->value = (int32_t)(uint32_t)(kind == TS_TERM_ADD   ? x + y
                                      : kind == TS_TERM_SUB ? x - y
                                                            : x * y);
    return true;
  }
  a->is_simple &=
      joins || (compares && (left->sort == SORT_KNOWN || right->sort == SORT_KNOWN));
  left->sort = SORT_CONDITION;
  return true;
}

static bool take_term(struct alter *a, const struct ts_term *term, struct operand *stack,
                      uint32_t *n) {
  struct operand *top = &stack[*n > 0 ? *n - 1 : 0];
  switch ((enum ts_term_kind)term->kind) {
  case TS_TERM_CONST:
    stack[(*n)++] = (struct operand){SORT_KNOWN, term->value};
    return add_const(a, term->value);
  case TS_TERM_SLOT:
    return take_slot(a, (uint32_t)term->value, &stack[(*n)++]);
  case TS_TERM_ELEMENT:
    return top->sort == SORT_KNOWN && (uint32_t)top->value < term->length &&
           take_slot(a, (uint32_t)term->value + (uint32_t)top->value, top);
  case TS_TERM_NOT:
    top->sort = SORT_CONDITION;
    return true;
  case TS_TERM_NEG:
    a->is_simple = false;
    top->sort = SORT_CONDITION;
    return true;
  default:
    --*n;
    return take_two(a, (enum ts_term_kind)term->kind, &stack[*n - 1], &stack[*n]);
  }
}

void alter_open(struct alter *a) {
  const struct ts_term *term = a->shape->control->term + a->guard->first_term;
  struct operand stack[TS_TERM_DEPTH] = {{SORT_KNOWN, 0}};
  uint32_t n = 0;
  a->n = a->n_consts = 0;
  a->is_simple = true;
  a->fine = add_const(a, 0);
  for (uint32_t i = 0; i < a->guard->n_terms && a->fine; i++)
    a->fine = take_term(a, &term[i], stack, &n);
}

/* ---- its value ------------------------------------------------------------------------------
 */

/* With these values of its slots. Where an index leads to another slot: -1, it is not known. */
static int value_of(const struct alter *a, const int32_t *value) {
  const struct ts_term *term = a->shape->control->term + a->guard->first_term;
  int32_t stack[TS_TERM_DEPTH] = {0};
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->guard->n_terms; i++, term++) {
    if (term->kind != TS_TERM_SLOT && term->kind != TS_TERM_ELEMENT) {
      n = ts_term_apply(term, stack, n);
      continue;
    }
    bool element = term->kind == TS_TERM_ELEMENT;
    uint32_t slot = (uint32_t)term->value, k = 0;
    if (element && (uint32_t)stack[n - 1] >= term->length)
      return 1;
    slot += element ? (uint32_t)stack[n - 1] : 0;
    while (k < a->n && a->slot[k] != slot)
      k++;
    if (k == a->n)
      return -1;
    n -= element;
    stack[n++] = value[k];
  }
  return stack[0] != 0;
}

/* ---- steps ------------------------------------------------------------------------------- */

/* What a step may do to a slot. */
enum deed { DEED_NOTHING, DEED_RANGE, DEED_ANY };

static enum deed deed_of(const struct ts_control *c, uint32_t step, uint32_t slot,
                         const struct ts_touch **touch) {
  *touch = c->touch;
  for (uint32_t i = c->first_touch[step]; i < c->first_touch[step + 1]; i++) {
    *touch = &c->touch[i];
    if ((*touch)->item != slot)
      continue;
    if (((*touch)->ways & ~(unsigned)TS_TOUCH_READS) == 0)
      return DEED_NOTHING;
    bool writes = ((*touch)->ways & ~(unsigned)TS_TOUCH_READS) == TS_WRITE;
    return writes && (*touch)->bounded && (int64_t)(*touch)->high - (*touch)->low < RANGE_MOST
               ? DEED_RANGE
               : DEED_ANY;
  }
  return DEED_NOTHING;
}

/* Whether it may do more together with a step of another process than alone. */
static bool is_part(const struct ts_control *c, uint32_t step) {
  for (uint32_t i = c->first_touch[step]; i < c->first_touch[step + 1]; i++)
    if (c->touch[i].ways & (TS_CALL | TS_ANSWER))
      return true;
  return false;
}

/* What is tried for a slot: values before and after; no `after`: as before. */
struct trial {
  int32_t before[VALUES], after[RANGE_MOST > VALUES ? RANGE_MOST : VALUES];
  uint32_t n_before, n_after;
};

static void add_value(int32_t *value, uint32_t *n, int32_t one) {
  for (uint32_t i = 0; i < *n; i++)
    if (value[i] == one)
      return;
  value[(*n)++] = one;
}

static void add_values(const struct alter *a, int32_t *value, uint32_t *n) {
  for (uint32_t i = 0; i < a->n_consts; i++)
    for (int32_t by = -1; by <= 1; by++)
      add_value(value, n, (int32_t)((uint32_t)a->constant[i] + (uint32_t)by));
}

static void make_trial(const struct alter *a, uint32_t slot, enum deed deed,
                       const struct ts_touch *touch, struct trial *t) {
  const int32_t *known = known_value(a, slot);
  t->n_before = t->n_after = 0;
  if (known != NULL)
    t->before[t->n_before++] = *known;
  else
    add_values(a, t->before, &t->n_before);
  if (deed == DEED_ANY)
    add_values(a, t->after, &t->n_after);
  for (int64_t v = touch->low; deed == DEED_RANGE && v <= touch->high; v++)
    t->after[t->n_after++] = (int32_t)v;
}

/* All ways to go on from slot `k`. */
static bool try_from(const struct alter *a, const struct trial *trial, uint32_t k,
                     int32_t *before, int32_t *after, bool to) {
  if (k == a->n) {
    int was = value_of(a, before), is = value_of(a, after);
    return is != !to && was != to;
  }
  for (uint32_t i = 0; i < trial[k].n_before; i++) {
    before[k] = after[k] = trial[k].before[i];
    if (try_from(a, trial, k + 1, before, after, to))
      return true;
    for (uint32_t j = 0; j < trial[k].n_after; j++) {
      after[k] = trial[k].after[j];
      if (try_from(a, trial, k + 1, before, after, to))
        return true;
    }
  }
  return false;
}

/* Of one slot: it becomes one of the values that are written. */
static bool becomes(const struct alter *a, const struct ts_touch *touch, bool to) {
  for (int64_t v = touch->low; v <= touch->high; v++) {
    int32_t value = (int32_t)v;
    if (value_of(a, &value) == to)
      return true;
  }
  return false;
}

bool alter_may(const struct alter *a, uint32_t step, bool to) {
  const struct ts_control *c = a->shape->control;
  struct trial trial[ALTER_SLOTS];
  int32_t before[ALTER_SLOTS], after[ALTER_SLOTS];
  const struct ts_touch *touch = c->touch;
  uint64_t tries = 1;
  if (!a->fine || a->n == 0)
    return true;
  if (a->n == 1) {
    enum deed deed = deed_of(c, step, a->slot[0], &touch);
    return deed == DEED_ANY || (deed == DEED_RANGE && becomes(a, touch, to));
  }
  if (!a->is_simple || is_part(c, step))
    return true;
  for (uint32_t i = 0; i < a->n; i++) {
    enum deed deed = deed_of(c, step, a->slot[i], &touch);
    make_trial(a, a->slot[i], deed, touch, &trial[i]);
    tries *= (uint64_t)trial[i].n_before * (1 + trial[i].n_after);
  }
  return tries > TRIES_MOST || try_from(a, trial, 0, before, after, to);
}
