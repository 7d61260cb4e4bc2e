/* conditions.c - the conditions of transitions. */
#include "lang/pnml/reader.h"

#include <string.h>

/* The most operands of one "and" or "or": they make a tree of that depth. */
#define CONDITIONS_WIDE 5000u

static const struct {
  const char *name;
  enum symmetric_condition_kind kind;
} operators[] = {
    {"and", SYMMETRIC_AND},        {"or", SYMMETRIC_OR},
    {"not", SYMMETRIC_NOT},        {"imply", SYMMETRIC_IMPLY},
    {"equality", SYMMETRIC_EQ},    {"inequality", SYMMETRIC_NE},
    {"lessthan", SYMMETRIC_LT},    {"lessthanorequal", SYMMETRIC_LE},
    {"greaterthan", SYMMETRIC_GT}, {"greaterthanorequal", SYMMETRIC_GE},
    {"ltp", SYMMETRIC_LT},         {"gtp", SYMMETRIC_GT},
};

static struct symmetric_condition *make(struct reader *r, enum symmetric_condition_kind kind) {
  struct symmetric_condition *condition = ARENA_NEW(r->arena, struct symmetric_condition);
  condition->kind = kind;
  return condition;
}

static uint64_t cells_used(const struct symmetric_cell *cell, uint32_t n) {
  uint64_t uses = 0;
  for (uint32_t i = 0; i < n; i++)
    if (cell[i].kind == SYMMETRIC_VARIABLE)
      uses |= UINT64_C(1) << cell[i].value;
  return uses;
}

static bool is_value(const struct symmetric_sum *sum) {
  if (sum->n != 1 || sum->at[0].count != 1)
    return false;
  for (uint32_t i = 0; i < sum->sort->n_cells; i++)
    if (sum->at[0].cell[i].kind == SYMMETRIC_ALL)
      return false;
  return true;
}

static bool is_range(const struct symmetric_sort *sort) {
  return sort->value == NULL;
}

/* Two values can be compared if they are of one sort, or are integers. */
static bool fits(const struct symmetric_cell *a, const struct symmetric_cell *b) {
  const struct symmetric_sort *of_a = a->part != NULL ? a->part : a->sort;
  const struct symmetric_sort *of_b = b->part != NULL ? b->part : b->sort;
  return of_a == of_b || (is_range(of_a) && is_range(of_b));
}

static const struct symmetric_condition *compare(struct reader *r, const struct xml_node *node,
                                                 enum symmetric_condition_kind kind,
                                                 struct symmetric_transition *transition) {
  const struct xml_node *a = node->child, *b = a == NULL ? NULL : a->next;
  struct symmetric_sum left = {.n = 0}, right = {.n = 0};
  if (b == NULL || b->next != NULL || reader_operand(a) == NULL || reader_operand(b) == NULL) {
    reader_fail(r, node, "'%s' needs two operands", node->name);
    return NULL;
  }
  if (!reader_sum(r, reader_operand(a), transition, NULL, &left) ||
      !reader_sum(r, reader_operand(b), transition, NULL, &right))
    return NULL;
  bool fine = is_value(&left) && is_value(&right) && left.sort->n_cells == right.sort->n_cells;
  uint32_t n = fine ? left.sort->n_cells : 0;
  bool in_order = kind != SYMMETRIC_EQ && kind != SYMMETRIC_NE;
  for (uint32_t i = 0; i < n; i++)
    fine = fine && fits(&left.at[0].cell[i], &right.at[0].cell[i]);
  if (!fine || (in_order && n != 1)) {
    reader_fail(r, node, "'%s' cannot compare these: they are no two values of one sort",
                node->name);
    return NULL;
  }
  struct symmetric_condition *condition = make(r, kind);
  condition->n_cells = n;
  condition->left = left.at[0].cell;
  condition->right = right.at[0].cell;
  condition->uses = cells_used(condition->left, n) | cells_used(condition->right, n);
  return condition;
}

/* "and" and "or" take any number of operands, from the left. */
static const struct symmetric_condition *join(struct reader *r, const struct xml_node *node,
                                              enum symmetric_condition_kind kind,
                                              struct symmetric_transition *transition) {
  const struct symmetric_condition *all = NULL;
  uint32_t n = 0;
  for (const struct xml_node *at = node->child; at != NULL; at = at->next, n++) {
    const struct xml_node *operand = reader_operand(at);
    const struct symmetric_condition *one =
        operand == NULL ? NULL : reader_condition(r, operand, transition);
    if (one == NULL)
      return NULL;
    if (kind == SYMMETRIC_NOT || all != NULL) {
      struct symmetric_condition *both = make(r, kind);
      both->a = all == NULL ? one : all;
      both->b = all == NULL ? NULL : one;
      both->uses = one->uses | (all == NULL ? 0 : all->uses);
      all = both;
    } else {
      all = one;
    }
  }
  bool fine = kind == SYMMETRIC_NOT     ? n == 1
              : kind == SYMMETRIC_IMPLY ? n == 2
                                        : n > 0 && n <= CONDITIONS_WIDE;
  if (!fine)
    reader_fail(r, node, "'%s' has a wrong number of operands", node->name);
  return fine ? all : NULL;
}

const struct symmetric_condition *reader_condition(struct reader *r,
                                                   const struct xml_node *node,
                                                   struct symmetric_transition *transition) {
  if (xml_is(node, "booleanconstant")) {
    const char *value = xml_attribute(node, "value");
    return make(r,
                value != NULL && strcmp(value, "true") == 0 ? SYMMETRIC_TRUE : SYMMETRIC_FALSE);
  }
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (xml_is(node, operators[i].name))
      return operators[i].kind >= SYMMETRIC_EQ ? compare(r, node, operators[i].kind, transition)
                                               : join(r, node, operators[i].kind, transition);
  reader_fail(r, node,
              "'%s' is not supported: of conditions, comparisons of values, and, or, not, "
              "imply are read",
              node->name);
  return NULL;
}
