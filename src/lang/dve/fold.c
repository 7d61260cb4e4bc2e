/* fold.c - operators on constants, with the arithmetic of the checked model:
 * 32 bits, two's complement, overflow wraps. */
#include "lang/dve/lower.h"

static int32_t wrap(uint32_t value) {
  return (int32_t)value;
}

static bool divide(enum ir_expr_kind op, int32_t a, int32_t b, int32_t *value) {
  if (b == 0)
    return false;
  int64_t result = op == IR_DIV ? (int64_t)a / b : (int64_t)a % b;
  *value = wrap((uint32_t)result);
  return true;
}

static bool shift(enum ir_expr_kind op, int32_t a, int32_t b, int32_t *value) {
  if (b < 0 || b > 31)
    return false;
  *value = op == IR_SHL ? wrap((uint32_t)a << b) : a >> b;
  return true;
}

bool dve_fold(enum ir_expr_kind op, int32_t a, int32_t b, int32_t *value) {
  uint32_t ua = (uint32_t)a, ub = (uint32_t)b;
  switch (op) {
  case IR_NOT:
    *value = a == 0;
    return true;
  case IR_NEG:
    *value = wrap(0u - ua);
    return true;
  case IR_CPL:
    *value = ~a;
    return true;
  case IR_MUL:
    *value = wrap(ua * ub);
    return true;
  case IR_ADD:
    *value = wrap(ua + ub);
    return true;
  case IR_SUB:
    *value = wrap(ua - ub);
    return true;
  case IR_DIV:
  case IR_MOD:
    return divide(op, a, b, value);
  case IR_SHL:
  case IR_SHR:
    return shift(op, a, b, value);
  case IR_LT:
    *value = a < b;
    return true;
  case IR_LE:
    *value = a <= b;
    return true;
  case IR_GT:
    *value = a > b;
    return true;
  case IR_GE:
    *value = a >= b;
    return true;
  case IR_EQ:
    *value = a == b;
    return true;
  case IR_NE:
    *value = a != b;
    return true;
  case IR_BAND:
    *value = a & b;
    return true;
  case IR_BXOR:
    *value = a ^ b;
    return true;
  case IR_BOR:
    *value = a | b;
    return true;
  case IR_AND:
    *value = a != 0 && b != 0;
    return true;
  case IR_OR:
    *value = a != 0 || b != 0;
    return true;
  case IR_IMPLY:
    *value = a == 0 || b != 0;
    return true;
  default:
    return false;
  }
}
