/* control.c - what touching conflicts with, and the value of a guard. See control.h.
 *
 * A stack of numbers, in 32 bits that wrap. Whoever makes guards sees to it that the stack
 * suffices.
 */
#include "ts/control.h"

#include <assert.h>

unsigned ts_touch_against(unsigned ways, const unsigned table[TS_TOUCH_WAYS]) {
  unsigned all = 0;
  for (uint32_t way = 0; way < TS_TOUCH_WAYS; way++)
    if (ways >> way & 1)
      all |= table[way];
  return all;
}

static int32_t of_two(enum ts_term_kind kind, int32_t a, int32_t b) {
  switch (kind) {
  case TS_TERM_ADD:
    return (int32_t)((uint32_t)a + (uint32_t)b);
  case TS_TERM_SUB:
    return (int32_t)((uint32_t)a - (uint32_t)b);
  case TS_TERM_MUL:
    return (int32_t)((uint32_t)a * (uint32_t)b);
  case TS_TERM_AND:
    return a != 0 && b != 0;
  case TS_TERM_OR:
    return a != 0 || b != 0;
  default:
    return ts_relation_holds(kind, a, b);
  }
}

uint32_t ts_term_apply(const struct ts_term *term, int32_t stack[TS_TERM_DEPTH], uint32_t n) {
  if (term->kind >= TS_TERM_ADD) {
    assert(n >= 2);
    n--;
    stack[n - 1] = of_two((enum ts_term_kind)term->kind, stack[n - 1], stack[n]);
    return n;
  }
  if (term->kind == TS_TERM_CONST)
    stack[n++] = 0;
  assert(n > 0 && n <= TS_TERM_DEPTH);
  int32_t *top = &stack[n - 1];
  if (term->kind == TS_TERM_CONST)
    *top = term->value;
  else if (term->kind == TS_TERM_NOT)
    *top = *top == 0;
  else
    *top = (int32_t)(0 - (uint32_t)*top);
  return n;
}

bool ts_guard_holds(const struct ts_shape *shape, const struct ts_guard *guard,
                    const uint8_t *state) {
  const struct ts_term *term = shape->control->term + guard->first_term;
  int32_t stack[TS_TERM_DEPTH] = {0};
  uint32_t n = 0;
  for (uint32_t i = 0; i < guard->n_terms; i++, term++) {
    if (term->kind == TS_TERM_SLOT) {
      assert(n < TS_TERM_DEPTH);
      stack[n++] = (int32_t)ts_value(&shape->slot[term->value], state);
    } else if (term->kind == TS_TERM_ELEMENT) {
      int32_t *top = &stack[n - 1];
      if ((uint32_t)*top >= term->length)
        return true;
      *top = (int32_t)ts_value(&shape->slot[term->value + *top], state);
    } else {
      n = ts_term_apply(term, stack, n);
    }
  }
  return stack[0] != 0;
}
