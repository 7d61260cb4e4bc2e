/* fold.c - operators on constants: the one place that says what they give.
 *
 * Front ends fold with it, the passes that follow a process work values out with it, and
 * the generated code (native/emit/expr.c) does the same at run time: 32 bits, two's
 * complement, overflow wraps. The two divisions that a processor refuses are the smallest
 * number by -1, which wraps to itself with remainder 0, and division by zero, which is a model
 * error and so has no value; nor has a shift by less than 0 or more than 31.
 */
#include "ir/ir.h"

static bool divide(enum ir_expr_kind kind, int32_t a, int32_t b, int32_t *value) {
  if (b == 0)
    return false;
  int64_t exact = kind == IR_DIV ? (int64_t)a / b : (int64_t)a % b;
  *value = (int32_t)(uint32_t)(uint64_t)exact;
  return true;
}

static bool shift(enum ir_expr_kind kind, int32_t a, int32_t b, int32_t *value) {
  if (b < 0 || b > 31)
    return false;
  *value = kind == IR_SHL ? (int32_t)((uint32_t)a << b) : a >> b;
  return true;
}

static int32_t compare(enum ir_expr_kind kind, int32_t a, int32_t b) {
  switch (kind) {
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
  default:
    return a != b;
  }
}

static int32_t bitwise(enum ir_expr_kind kind, int32_t a, int32_t b) {
  return kind == IR_BAND ? a & b : kind == IR_BOR ? a | b : a ^ b;
}

static int32_t decide(enum ir_expr_kind kind, bool a, bool b) {
  return kind == IR_AND ? a && b : kind == IR_OR ? a || b : !a || b;
}

static int32_t wrap(enum ir_expr_kind kind, uint32_t a, uint32_t b) {
  return (int32_t)(kind == IR_MUL ? a * b : kind == IR_ADD ? a + b : a - b);
}

bool ir_fold(enum ir_expr_kind kind, int32_t a, int32_t b, int32_t *value) {
  switch (kind) {
  case IR_NOT:
    return *value = a == 0, true;
  case IR_NEG:
    return *value = wrap(IR_SUB, 0, (uint32_t)a), true;
  case IR_CPL:
    return *value = ~a, true;
  case IR_MUL:
  case IR_ADD:
  case IR_SUB:
    return *value = wrap(kind, (uint32_t)a, (uint32_t)b), true;
  case IR_DIV:
  case IR_MOD:
    return divide(kind, a, b, value);
  case IR_SHL:
  case IR_SHR:
    return shift(kind, a, b, value);
  case IR_LT:
  case IR_LE:
  case IR_GT:
  case IR_GE:
  case IR_EQ:
  case IR_NE:
    return *value = compare(kind, a, b), true;
  case IR_BAND:
  case IR_BXOR:
  case IR_BOR:
    return *value = bitwise(kind, a, b), true;
  case IR_AND:
  case IR_OR:
  case IR_IMPLY:
    return *value = decide(kind, a != 0, b != 0), true;
  default:
    return false;
  }
}
