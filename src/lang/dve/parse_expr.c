/* parse_expr.c - expressions, by precedence climbing.
 *
 * DiVinE's table of operators differs from C's in three places: `and` and `or`
 * share one level, so do `|`, `&` and `^`, and `not` binds as tightly as minus.
 * All binary operators group to the left.
 */
#include "lang/dve/parser.h"

struct binary {
  uint8_t level; /* 0: no binary operator; larger binds tighter */
  uint8_t op;    /* enum ir_expr_kind */
};

static const struct binary binaries[DVE_TOKENS] = {
    [DVE_IMPLY] = {1, IR_IMPLY},  [DVE_OR_WORD] = {2, IR_OR},   [DVE_OR_SIGN] = {2, IR_OR},
    [DVE_AND_WORD] = {2, IR_AND}, [DVE_AND_SIGN] = {2, IR_AND}, [DVE_BAR] = {3, IR_BOR},
    [DVE_AMP] = {3, IR_BAND},     [DVE_CARET] = {3, IR_BXOR},   [DVE_EQ] = {4, IR_EQ},
    [DVE_NE] = {4, IR_NE},        [DVE_LT] = {5, IR_LT},        [DVE_LE] = {5, IR_LE},
    [DVE_GT] = {5, IR_GT},        [DVE_GE] = {5, IR_GE},        [DVE_SHL] = {6, IR_SHL},
    [DVE_SHR] = {6, IR_SHR},      [DVE_PLUS] = {7, IR_ADD},     [DVE_MINUS] = {7, IR_SUB},
    [DVE_STAR] = {8, IR_MUL},     [DVE_SLASH] = {8, IR_DIV},    [DVE_PERCENT] = {8, IR_MOD},
};

static struct dve_expr *parse_level(struct dve_parser *, uint8_t level);

static struct dve_expr *new_expr(struct dve_parser *p, enum dve_form form, uint32_t begin) {
  struct dve_expr *e = ARENA_NEW(p->arena, struct dve_expr);
  e->form = (uint8_t)form;
  e->height = 1;
  e->span = dve_span_from(p, begin);
  return e;
}

/* No tree gets higher than one above DVE_MAX_DEPTH. */
static uint16_t height_over(const struct dve_expr *a, const struct dve_expr *b) {
  return (uint16_t)(1 + (b != NULL && b->height > a->height ? b->height : a->height));
}

/* Keeps trees shallow enough for everything that walks them. */
static struct dve_expr *check_height(struct dve_parser *p, struct dve_expr *e) {
  if (e->height <= DVE_MAX_DEPTH)
    return e;
  if (DVE_PARSE_ERROR(p, ((struct span){e->span.source, e->span.begin, e->span.begin + 1}),
                      "this expression is more than %u operators deep", DVE_MAX_DEPTH))
    diag_hint(p->diag, "split it into several");
  return NULL;
}

static bool enter(struct dve_parser *p) {
  if (++p->depth <= DVE_MAX_DEPTH)
    return true;
  (void)DVE_PARSE_ERROR(p, dve_token_span(p), "expressions may nest %u deep, not deeper",
                        DVE_MAX_DEPTH);
  return false;
}

/* index = "[" expr "]", or nothing */
static bool parse_index(struct dve_parser *p, struct dve_expr *e, uint32_t begin) {
  if (dve_take(p, DVE_OPEN_INDEX)) {
    if (!enter(p))
      return false;
    e->a = dve_parse_expr(p);
    p->depth--;
    if (e->a == NULL || !dve_expect(p, DVE_CLOSE_INDEX, "after the index"))
      return false;
    e->height = height_over(e->a, NULL);
    if (dve_at(p, DVE_OPEN_INDEX)) {
      (void)DVE_PARSE_ERROR(p, dve_token_span(p), "arrays have one dimension");
      return false;
    }
  }
  e->span = dve_span_from(p, begin);
  return check_height(p, e) != NULL;
}

/* place = name index | name "." name index | name "->" name index */
struct dve_expr *dve_parse_place(struct dve_parser *p) {
  uint32_t begin = p->token.begin;
  struct span first;
  if (!dve_expect_name(p, "the name of a variable", &first))
    return NULL;
  struct dve_expr *e = new_expr(p, DVE_FORM_NAME, begin);
  e->name = (struct dve_range){first.begin, first.end};
  if (dve_at(p, DVE_DOT) || dve_at(p, DVE_ARROW)) {
    bool is_dot = dve_at(p, DVE_DOT);
    struct span second;
    e->form = is_dot ? DVE_FORM_DOT : DVE_FORM_FOREIGN;
    e->process = e->name;
    dve_advance(p);
    const char *what = is_dot ? "the name of a state or variable after '.'"
                              : "the name of a variable after '->'";
    if (!dve_expect_name(p, what, &second))
      return NULL;
    e->name = (struct dve_range){second.begin, second.end};
  }
  return parse_index(p, e, begin) ? e : NULL;
}

static struct dve_expr *parse_constant(struct dve_parser *p, int32_t value) {
  uint32_t begin = p->token.begin;
  dve_advance(p);
  struct dve_expr *e = new_expr(p, DVE_FORM_NUMBER, begin);
  e->value = value;
  return e;
}

/* "(" expr ")" */
static struct dve_expr *parse_parentheses(struct dve_parser *p) {
  uint32_t begin = p->token.begin;
  if (!enter(p))
    return NULL;
  dve_advance(p);
  struct dve_expr *e = dve_parse_expr(p);
  p->depth--;
  if (e == NULL || !dve_expect(p, DVE_CLOSE, "to close '('"))
    return NULL;
  e->closed = true;
  e->span = dve_span_from(p, begin);
  return e;
}

/* primary = number | "true" | "false" | place | "(" expr ")" */
static struct dve_expr *parse_primary(struct dve_parser *p) {
  switch (p->token.kind) {
  case DVE_NUMBER:
    return parse_constant(p, p->token.value);
  case DVE_TRUE:
    return parse_constant(p, 1);
  case DVE_FALSE:
    return parse_constant(p, 0);
  case DVE_ID:
    return dve_parse_place(p);
  case DVE_OPEN:
    return parse_parentheses(p);
  default:
    dve_unexpected(p, "an expression");
    return NULL;
  }
}

/* unary = {"-" | "~" | "not" | "!"} primary */
static struct dve_expr *parse_unary(struct dve_parser *p) {
  enum ir_expr_kind op;
  switch (p->token.kind) {
  case DVE_MINUS:
    op = IR_NEG;
    break;
  case DVE_TILDE:
    op = IR_CPL;
    break;
  case DVE_NOT_WORD:
  case DVE_EXCLAM:
    op = IR_NOT;
    break;
  default:
    return parse_primary(p);
  }
  uint32_t begin = p->token.begin;
  if (!enter(p))
    return NULL;
  dve_advance(p);
  struct dve_expr *a = parse_unary(p);
  p->depth--;
  if (a == NULL)
    return NULL;
  struct dve_expr *e = new_expr(p, DVE_FORM_UNARY, begin);
  e->op = (uint8_t)op;
  e->a = a;
  e->height = height_over(a, NULL);
  return check_height(p, e);
}

/* `left op right` for and, or: one node for a run of the same operator. */
static struct dve_expr *join_chain(struct dve_parser *p, enum ir_expr_kind op,
                                   struct dve_expr *left, struct dve_expr *right) {
  struct dve_expr *e = left;
  if (left->form != DVE_FORM_CHAIN || left->op != op || left->closed) {
    e = new_expr(p, DVE_FORM_CHAIN, left->span.begin);
    e->op = (uint8_t)op;
    e->highest = left->height;
    *ARENA_PUSH(p->arena, &e->items) = left;
  }
  *ARENA_PUSH(p->arena, &e->items) = right;
  if (right->height > e->highest)
    e->highest = right->height;
  /* Lowered to a balanced tree: as high as the items and the logarithm. */
  e->height = e->highest;
  for (uint32_t n = e->items.n - 1; n > 0; n >>= 1)
    e->height++;
  e->span = dve_span_from(p, left->span.begin);
  return check_height(p, e);
}

static struct dve_expr *join(struct dve_parser *p, enum ir_expr_kind op, struct dve_expr *left,
                             struct dve_expr *right) {
  if (op == IR_AND || op == IR_OR)
    return join_chain(p, op, left, right);
  struct dve_expr *e = new_expr(p, DVE_FORM_BINARY, left->span.begin);
  e->op = (uint8_t)op;
  e->a = left;
  e->b = right;
  e->height = height_over(left, right);
  return check_height(p, e);
}

/* level = next_level {op next_level}, for the operators of this level and up */
static struct dve_expr *parse_level(struct dve_parser *p, uint8_t level) {
  struct dve_expr *left = parse_unary(p);
  while (left != NULL) {
    struct binary found = binaries[p->token.kind];
    if (found.level < level)
      return left;
    dve_advance(p);
    struct dve_expr *right = parse_level(p, (uint8_t)(found.level + 1));
    if (right == NULL)
      return NULL;
    left = join(p, (enum ir_expr_kind)found.op, left, right);
  }
  return NULL;
}

struct dve_expr *dve_parse_expr(struct dve_parser *p) {
  return parse_level(p, 1);
}

bool dve_parse_exprs(struct dve_parser *p, struct dve_exprs *list) {
  do {
    struct dve_expr *e = dve_parse_expr(p);
    if (e == NULL)
      return false;
    *ARENA_PUSH(p->arena, list) = e;
  } while (dve_take(p, DVE_COMMA));
  return true;
}
