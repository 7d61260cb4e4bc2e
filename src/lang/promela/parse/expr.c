/* expr.c - operators.
 *
 *   condition  expr, but empty full nempty nfull are allowed under && and ||
 *   expr       unary {operator expr}, by strength; all associate to the left
 *
 * From weak to strong: <-> and -> (formulas), ||, &&, U W V (formulas), |, ^, &, == !=,
 * comparisons, shifts, + -, * / %, then the unary - ~ !. The unary [] <> X are weaker than
 * all of an expression: [] x == 1 speaks of x == 1.
 */
#include "lang/promela/parse/parser.h"

#include <string.h>

struct sign {
  enum promela_token_kind token;
  enum promela_expr_kind kind;
  int strength;
};

static const struct sign operators[] = {
    {PROMELA_T_OR, PROMELA_OR, 2},      {PROMELA_T_AND, PROMELA_AND, 3},
    {PROMELA_T_BOR, PROMELA_BOR, 5},    {PROMELA_T_BXOR, PROMELA_BXOR, 6},
    {PROMELA_T_BAND, PROMELA_BAND, 7},  {PROMELA_T_EQ, PROMELA_EQ, 8},
    {PROMELA_T_NE, PROMELA_NE, 8},      {PROMELA_T_LT, PROMELA_LT, 9},
    {PROMELA_T_LE, PROMELA_LE, 9},      {PROMELA_T_GT, PROMELA_GT, 9},
    {PROMELA_T_GE, PROMELA_GE, 9},      {PROMELA_T_SHL, PROMELA_SHL, 10},
    {PROMELA_T_SHR, PROMELA_SHR, 10},   {PROMELA_T_PLUS, PROMELA_ADD, 11},
    {PROMELA_T_MINUS, PROMELA_SUB, 11}, {PROMELA_T_STAR, PROMELA_MUL, 12},
    {PROMELA_T_SLASH, PROMELA_DIV, 12}, {PROMELA_T_PERCENT, PROMELA_MOD, 12},
};

/* Of the weakest sign whose value is that of a state, not of a run. */
#define STATE_STRENGTH 5

struct word_sign {
  const char *text;
  enum promela_expr_kind kind;
  int strength;
};

static const struct word_sign word_operators[] = {
    {"implies", PROMELA_IMPLIES, 1},
    {"equivalent", PROMELA_EQUIVALENT, 1},
    {"U", PROMELA_UNTIL, 4},
    {"until", PROMELA_UNTIL, 4},
    {"stronguntil", PROMELA_UNTIL, 4},
    {"W", PROMELA_WEAK_UNTIL, 4},
    {"weakuntil", PROMELA_WEAK_UNTIL, 4},
    {"V", PROMELA_RELEASE, 4},
    {"release", PROMELA_RELEASE, 4},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct promela_expr *promela_new_expr(struct promela_parser *p, enum promela_expr_kind kind,
                                      struct promela_place begin) {
  struct promela_expr *e = ARENA_NEW(p->tree, struct promela_expr);
  e->kind = kind;
  e->span = promela_span_from(p, begin);
  e->call = begin.call;
  e->height = 1;
  e->type = (struct promela_type){.base = PROMELA_INT, .bits = 32, .is_signed = true};
  return e;
}

/* Whether the next tokens are this sign of formulas, written without blanks. */
static bool at_pair(struct promela_parser *p, enum promela_token_kind first,
                    enum promela_token_kind second) {
  if (!promela_at(p, first))
    return false;
  const struct promela_token *next = promela_peek(p);
  return next->kind == second && !next->space && !next->newline;
}

/* A binary operator that is next, without its tokens taken: how many it has, or 0. */
static uint32_t binary_operator(struct promela_parser *p, struct sign *op) {
  *op = (struct sign){0};
  if (p->in_formula) {
    if (promela_at(p, PROMELA_T_ARROW)) {
      *op = (struct sign){PROMELA_T_ARROW, PROMELA_IMPLIES, 1};
      return 1;
    }
    if (at_pair(p, PROMELA_T_LT, PROMELA_T_ARROW)) {
      *op = (struct sign){PROMELA_T_ARROW, PROMELA_EQUIVALENT, 1};
      return 2;
    }
    if (promela_at(p, PROMELA_T_SLASH) && promela_spells(promela_peek(p), "\\")) {
      *op = (struct sign){PROMELA_T_AND, PROMELA_AND, 3};
      return 2;
    }
    if (promela_spells(&p->token, "\\") && promela_peek(p)->kind == PROMELA_T_SLASH) {
      *op = (struct sign){PROMELA_T_OR, PROMELA_OR, 2};
      return 2;
    }
    if (promela_at(p, PROMELA_T_NAME))
      for (size_t i = 0; i < COUNT(word_operators); i++)
        if (promela_spells(&p->token, word_operators[i].text)) {
          op->kind = word_operators[i].kind;
          op->strength = word_operators[i].strength;
          return 1;
        }
  }
  for (size_t i = 0; i < COUNT(operators); i++)
    if (operators[i].token == p->token.kind) {
      *op = operators[i];
      return 1;
    }
  return 0;
}

static bool is_probe(const struct promela_expr *e) {
  return e->kind >= PROMELA_EMPTY && e->kind <= PROMELA_NFULL;
}

static bool has_probe(const struct promela_expr *e) {
  return is_probe(e) || ((e->kind == PROMELA_AND || e->kind == PROMELA_OR) && e->random);
}

/* An operand under which no full() may be. */
static bool check_operand(struct promela_parser *p, const struct promela_expr *e) {
  if (!has_probe(e))
    return true;
  if (promela_error(p, promela_place_of(e),
                    "empty, full, nempty and nfull may only be combined by && and ||"))
    promela_hint(p, "instead of !full(q) write nfull(q), instead of !empty(q) write nempty(q)");
  return false;
}

static bool set_height(struct promela_parser *p, struct promela_expr *e) {
  uint32_t height = e->a->height;
  if (e->b != NULL && e->b->height > height)
    height = e->b->height;
  e->height = height + 1;
  if (e->height <= 2 * PROMELA_MAX_DEPTH)
    return true;
  promela_error(p, promela_place_of(e), "this expression has too many operators");
  return promela_stop(p);
}

static struct promela_expr *join(struct promela_parser *p, const struct sign *op,
                                 struct promela_expr *a, struct promela_expr *b) {
  const bool may_probe = op->kind == PROMELA_AND || op->kind == PROMELA_OR;
  if (!may_probe && (!check_operand(p, a) || !check_operand(p, b)))
    return NULL;
  struct promela_expr *e = promela_new_expr(p, op->kind, promela_place_of(a));
  e->a = a;
  e->b = b;
  /* Remembered in a field that is free for these kinds. */
  e->random = may_probe && (has_probe(a) || has_probe(b));
  if (op->kind == PROMELA_AND || op->kind == PROMELA_OR ||
      (op->kind >= PROMELA_LT && op->kind <= PROMELA_NE) || op->kind >= PROMELA_ALWAYS)
    e->type = (struct promela_type){.base = PROMELA_BIT, .is_bool = true, .bits = 1};
  return set_height(p, e) ? e : NULL;
}

static struct promela_expr *parse_unary(struct promela_parser *);

static struct promela_expr *parse_binary(struct promela_parser *p, int strength) {
  struct promela_expr *left = parse_unary(p);
  while (left != NULL) {
    struct sign op;
    const uint32_t n = binary_operator(p, &op);
    if (n == 0 || op.strength < strength)
      return left;
    for (uint32_t i = 0; i < n; i++)
      promela_advance(p);
    struct promela_expr *right = parse_binary(p, op.strength + 1);
    left = right == NULL ? NULL : join(p, &op, left, right);
  }
  return NULL;
}

struct promela_expr *promela_parse_condition(struct promela_parser *p) {
  if (!promela_deeper(p))
    return NULL;
  struct promela_expr *e = parse_binary(p, 1);
  p->depth--;
  return e;
}

struct promela_expr *promela_parse_expr(struct promela_parser *p) {
  struct promela_expr *e = promela_parse_condition(p);
  return e == NULL || !check_operand(p, e) ? NULL : e;
}

bool promela_parse_exprs(struct promela_parser *p, struct promela_exprs *list) {
  do {
    struct promela_expr *e = promela_parse_expr(p);
    if (e == NULL)
      return false;
    *ARENA_PUSH(p->tree, list) = e;
  } while (promela_take(p, PROMELA_T_COMMA));
  return true;
}

/* The unary operator that is next, how many tokens it has, and its sign. */
static uint32_t unary_operator(struct promela_parser *p, enum promela_expr_kind *kind) {
  *kind = PROMELA_NOT;
  if (promela_at(p, PROMELA_T_SEND) || (p->in_formula && promela_at(p, PROMELA_T_SORTED_SEND)))
    return 1;
  *kind = promela_at(p, PROMELA_T_MINUS) ? PROMELA_NEG : PROMELA_CPL;
  if (promela_at(p, PROMELA_T_MINUS) || promela_at(p, PROMELA_T_TILDE))
    return 1;
  if (!p->in_formula)
    return 0;
  *kind = PROMELA_ALWAYS;
  if (at_pair(p, PROMELA_T_OPEN_INDEX, PROMELA_T_CLOSE_INDEX))
    return 2;
  *kind = PROMELA_EVENTUALLY;
  if (at_pair(p, PROMELA_T_LT, PROMELA_T_GT))
    return 2;
  if (!promela_at(p, PROMELA_T_NAME))
    return 0;
  if (promela_spells(&p->token, "eventually"))
    return 1;
  *kind = PROMELA_ALWAYS;
  if (promela_spells(&p->token, "always"))
    return 1;
  *kind = PROMELA_NEXT;
  return promela_spells(&p->token, "X") || promela_spells(&p->token, "next");
}

/* unary: (- | ~ | !) unary | ([] | <> | X) expr, but of signs stronger than U | primary */
static struct promela_expr *parse_unary(struct promela_parser *p) {
  enum promela_expr_kind kind;
  const struct promela_place begin = p->token.place;
  const uint32_t n = unary_operator(p, &kind);
  if (n == 0)
    return p->grammar->primary(p);
  const bool twice = promela_at(p, PROMELA_T_SORTED_SEND);
  if (!promela_deeper(p))
    return NULL;
  for (uint32_t i = 0; i < n; i++)
    promela_advance(p);
  struct promela_expr *a =
      kind >= PROMELA_ALWAYS ? parse_binary(p, STATE_STRENGTH) : parse_unary(p);
  p->depth--;
  if (a == NULL || !check_operand(p, a))
    return NULL;
  struct promela_expr *e = a;
  for (uint32_t i = 0; i < (twice ? 2u : 1u); i++) {
    e = promela_new_expr(p, kind, begin);
    e->a = a;
    if (kind == PROMELA_NOT || kind >= PROMELA_ALWAYS)
      e->type = (struct promela_type){.base = PROMELA_BIT, .is_bool = true, .bits = 1};
    if (!set_height(p, e))
      return NULL;
    a = e;
  }
  return e;
}

/* ---- constants --------------------------------------------------------------------- */

static int32_t wrap(int64_t value) {
  return (int32_t)(uint32_t)(uint64_t)value;
}

static bool fold_binary(enum promela_expr_kind kind, int32_t a, int32_t b, int32_t *value) {
  switch (kind) {
  case PROMELA_ADD:
    *value = wrap((int64_t)a + b);
    return true;
  case PROMELA_SUB:
    *value = wrap((int64_t)a - b);
    return true;
  case PROMELA_MUL:
    *value = wrap((int64_t)a * b);
    return true;
  case PROMELA_DIV:
  case PROMELA_MOD:
    if (b == 0)
      return false;
    *value = wrap(kind == PROMELA_DIV ? (int64_t)a / b : (int64_t)a % b);
    return true;
  case PROMELA_SHL:
  case PROMELA_SHR:
    if (b < 0 || b > 31)
      return false;
    *value = kind == PROMELA_SHL ? wrap((int64_t)((uint64_t)(uint32_t)a << b)) : a >> b;
    return true;
  case PROMELA_BAND:
    *value = a & b;
    return true;
  case PROMELA_BOR:
    *value = a | b;
    return true;
  case PROMELA_BXOR:
    *value = a ^ b;
    return true;
  default:
    return false;
  }
}

bool promela_fold(const struct promela_expr *e, int32_t *value) {
  int32_t a;
  int32_t b;
  switch (e->kind) {
  case PROMELA_CONST:
    *value = e->value;
    return true;
  case PROMELA_NEG:
  case PROMELA_CPL:
    if (!promela_fold(e->a, &a))
      return false;
    *value = e->kind == PROMELA_NEG ? wrap(-(int64_t)a) : ~a;
    return true;
  default:
    return e->kind >= PROMELA_MUL && e->kind <= PROMELA_BOR && promela_fold(e->a, &a) &&
           promela_fold(e->b, &b) && fold_binary(e->kind, a, b, value);
  }
}

/* constant: an expression of numbers | one scalar with a constant initial value */
bool promela_parse_const(struct promela_parser *p, const char *what, int32_t *value,
                         bool *is_name) {
  struct promela_expr *e = promela_parse_expr(p);
  *is_name = false;
  if (e == NULL)
    return false;
  if (promela_fold(e, value))
    return true;
  if (e->kind == PROMELA_VARIABLE && e->a == NULL && !e->variable->is_array) {
    *is_name = true;
    *value = 0;
    if (e->variable->initial == NULL || promela_fold(e->variable->initial, value))
      return true;
  }
  promela_error(p, promela_place_of(e), "%s must be a constant", what);
  return false;
}
