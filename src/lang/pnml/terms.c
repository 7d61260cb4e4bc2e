/* terms.c - inscriptions and conditions: sums of rows of cells.
 *
 * Terms are flattened while they are read: products of tuples are multiplied out, numbers
 * of tokens multiplied in, differences become negative numbers. So unfold.c sees one form.
 */
#include "lang/pnml/reader.h"

#include <string.h>

/* The most rows of one inscription. */
#define TERMS_ROWS   100000u
/* The most tokens that a row may be. */
#define TERMS_TOKENS (INT64_C(1) << 32)

struct term {
  struct reader *r;
  struct symmetric_transition *transition;
};

static bool read_term(const struct term *, const struct xml_node *, struct symmetric_sum *);

static bool fail_kind(const struct term *t, const struct xml_node *node) {
  return reader_fail(t->r, node,
                     "'%s' is not supported here: of terms, those of symmetric nets are read",
                     node->name);
}

static struct symmetric_row *add_row(const struct term *t, struct symmetric_sum *sum,
                                     int64_t count) {
  struct symmetric_row *row = ARENA_PUSH(t->r->arena, sum);
  row->count = count;
  row->cell = ARENA_ARRAY(t->r->arena, sum->sort->n_cells, struct symmetric_cell);
  return row;
}

static bool one_cell(const struct term *t, struct symmetric_sum *sum,
                     struct symmetric_cell cell) {
  sum->sort = cell.sort;
  add_row(t, sum, 1)->cell[0] = cell;
  return true;
}

/* ---- the smallest terms --------------------------------------------------------------- */

static bool read_constant(const struct term *t, const struct xml_node *node,
                          struct symmetric_sum *sum) {
  const char *id = xml_attribute(node, "declaration");
  uint32_t sort = id == NULL ? NAMES_NONE : names_find(&t->r->sort_id, id);
  struct symmetric_cell cell = {.kind = SYMMETRIC_CONST};
  if (sort == NAMES_NONE || t->r->sort.at[sort].sort != t->r->dot)
    return reader_value(t->r, node, &cell.sort, &cell.value) && one_cell(t, sum, cell);
  sum->sort = t->r->dot;
  add_row(t, sum, 1);
  return true;
}

/* The first of the transition's cells that the variable takes. */
static bool use_variable(const struct term *t, const struct xml_node *node,
                         const struct symmetric_variable *v, uint32_t *first) {
  struct symmetric_transition *transition = t->transition;
  for (uint32_t i = 0; i < transition->use.n; i++)
    if (transition->use.at[i].variable == v) {
      *first = transition->use.at[i].first;
      return true;
    }
  if (transition->n_cells + v->sort->n_cells > SYMMETRIC_CELLS)
    return reader_fail(t->r, node, "a transition has at most %u variables", SYMMETRIC_CELLS);
  *first = transition->n_cells;
  for (uint32_t i = 0; i < v->sort->n_cells; i++)
    transition->cell[transition->n_cells++] = v->sort->cell[i];
  *ARENA_PUSH(t->r->arena, &transition->use) = (struct symmetric_use){v, *first};
  return true;
}

static bool read_variable(const struct term *t, const struct xml_node *node,
                          struct symmetric_sum *sum) {
  const char *id = xml_attribute(node, "refvariable");
  uint32_t i = id == NULL ? NAMES_NONE : names_find(&t->r->variable_id, id), first = 0;
  if (i == NAMES_NONE)
    return reader_fail(t->r, node, "there is no variable '%s'", id == NULL ? "" : id);
  if (t->transition == NULL)
    return reader_fail(t->r, node, "only transitions and their arcs have variables");
  const struct symmetric_variable *v = &t->r->variable.at[i];
  if (v->sort == NULL || !use_variable(t, node, v, &first))
    return false;
  sum->sort = v->sort;
  struct symmetric_row *row = add_row(t, sum, 1);
  for (uint32_t k = 0; k < v->sort->n_cells; k++)
    row->cell[k] = (struct symmetric_cell){
        .kind = SYMMETRIC_VARIABLE, .sort = v->sort->cell[k], .value = first + k};
  return true;
}

static bool read_everything(const struct term *t, const struct xml_node *node,
                            struct symmetric_sum *sum) {
  const struct xml_node *of = node->child == NULL ? NULL : reader_operand(node->child);
  if (of == NULL)
    return reader_fail(t->r, node, "'all' needs a sort");
  sum->sort = reader_sort(t->r, of);
  if (sum->sort == NULL)
    return false;
  struct symmetric_row *row = add_row(t, sum, 1);
  for (uint32_t i = 0; i < sum->sort->n_cells; i++)
    row->cell[i] = (struct symmetric_cell){.kind = SYMMETRIC_ALL, .sort = sum->sort->cell[i]};
  return true;
}

/* ---- operators -----------------------------------------------------------------------------
 */

/* The one operand, a row of one cell that is no `all`. */
static bool read_one(const struct term *t, const struct xml_node *node,
                     struct symmetric_cell *cell) {
  struct symmetric_sum sum = {.n = 0};
  const struct xml_node *operand = node->child == NULL ? NULL : reader_operand(node->child);
  if (operand == NULL || node->child->next != NULL)
    return reader_fail(t->r, node, "'%s' needs one operand", node->name);
  if (!read_term(t, operand, &sum))
    return false;
  if (sum.n != 1 || sum.at[0].count != 1 || sum.sort->n_cells != 1 ||
      sum.at[0].cell[0].kind == SYMMETRIC_ALL)
    return reader_fail(t->r, operand, "'%s' needs one value of a basic sort", node->name);
  *cell = sum.at[0].cell[0];
  return true;
}

static bool read_neighbour(const struct term *t, const struct xml_node *node, bool next,
                           struct symmetric_sum *sum) {
  struct symmetric_cell cell;
  if (!read_one(t, node, &cell))
    return false;
  if (cell.part != NULL)
    return reader_fail(t->r, node, "the parts of a partition have no '%s'", node->name);
  uint32_t n = cell.sort->n_values, by = next ? 1 : n - 1;
  if (cell.kind == SYMMETRIC_CONST)
    cell.value = (cell.value + by) % n;
  else
    cell.shift = (cell.shift + by) % n;
  return one_cell(t, sum, cell);
}

static bool read_part(const struct term *t, const struct xml_node *node,
                      struct symmetric_sum *sum) {
  const char *id = xml_attribute(node, "refpartition");
  uint32_t i = id == NULL ? NAMES_NONE : names_find(&t->r->sort_id, id);
  const struct symmetric_sort *sort = i == NAMES_NONE ? NULL : t->r->sort.at[i].sort;
  struct symmetric_cell cell;
  if (sort == NULL || sort->parted == NULL)
    return reader_fail(t->r, node, "there is no partition '%s'", id == NULL ? "" : id);
  if (!read_one(t, node, &cell))
    return false;
  if (cell.sort != sort->parted || cell.part != NULL)
    return reader_fail(t->r, node, "the value is of another sort than the partition '%s' parts",
                       id);
  if (cell.kind == SYMMETRIC_CONST)
    cell = (struct symmetric_cell){
        .kind = SYMMETRIC_CONST, .sort = sort, .value = sort->part[cell.value]};
  else
    cell.part = sort;
  sum->sort = sort;
  add_row(t, sum, 1)->cell[0] = cell;
  return true;
}

/* left * right, cells side by side; `room` is for the sort. */
static bool multiply(const struct term *t, const struct xml_node *node,
                     struct symmetric_sum *left, const struct symmetric_sum *right) {
  struct symmetric_sort *sort = ARENA_NEW(t->r->arena, struct symmetric_sort);
  uint32_t a = left->sort->n_cells, b = right->sort->n_cells;
  if (a + b > SYMMETRIC_CELLS || (uint64_t)left->n * right->n > TERMS_ROWS)
    return reader_fail(t->r, node, "the tuple is too large");
  const struct symmetric_sort **cell =
      ARENA_ARRAY(t->r->arena, a + b, const struct symmetric_sort *);
  memcpy(cell, left->sort->cell, a * sizeof *cell);
  memcpy(cell + a, right->sort->cell, b * sizeof *cell);
  *sort = (struct symmetric_sort){.n_cells = a + b, .cell = cell};
  struct symmetric_sum product = {.sort = sort};
  for (uint32_t i = 0; i < left->n; i++)
    for (uint32_t k = 0; k < right->n; k++) {
      int64_t count = 0;
      if (__builtin_mul_overflow(left->at[i].count, right->at[k].count, &count))
        return reader_fail(t->r, node, "the numbers of tokens are too large");
      struct symmetric_row *row = add_row(t, &product, count);
      memcpy(row->cell, left->at[i].cell, a * sizeof *row->cell);
      memcpy(row->cell + a, right->at[k].cell, b * sizeof *row->cell);
    }
  *left = product;
  return true;
}

static bool read_tuple(const struct term *t, const struct xml_node *node,
                       struct symmetric_sum *sum) {
  sum->sort = t->r->dot;
  add_row(t, sum, 1);
  for (const struct xml_node *at = node->child; at != NULL; at = at->next) {
    struct symmetric_sum part = {.n = 0};
    const struct xml_node *operand = reader_operand(at);
    if (operand == NULL || !read_term(t, operand, &part) || !multiply(t, node, sum, &part))
      return false;
  }
  return true;
}

/* ---- numbers of tokens
 * ------------------------------------------------------------------------ */

static bool is_same(const struct symmetric_sort *a, const struct symmetric_sort *b) {
  if (a == b)
    return true;
  if (a->n_cells != b->n_cells)
    return false;
  if (a->is_basic && b->is_basic)
    return a->value == NULL && b->value == NULL && a->first == b->first &&
           a->n_values == b->n_values;
  for (uint32_t i = 0; i < a->n_cells; i++)
    if (!is_same(a->cell[i], b->cell[i]))
      return false;
  return true;
}

/* A constant of one range as one of another. */
static bool fit_cell(struct symmetric_cell *cell, const struct symmetric_sort *sort) {
  const struct symmetric_sort *own = cell->part != NULL ? cell->part : cell->sort;
  if (is_same(own, sort))
    return true;
  if (cell->kind != SYMMETRIC_CONST || own->value != NULL || sort->value != NULL)
    return false;
  int64_t value = own->first + cell->value - sort->first;
  if (value < 0 || value >= sort->n_values)
    return false;
  *cell =
      (struct symmetric_cell){.kind = SYMMETRIC_CONST, .sort = sort, .value = (uint32_t)value};
  return true;
}

/* Adds times * part to the sum. */
static bool add_sum(const struct term *t, const struct xml_node *node,
                    struct symmetric_sum *sum, const struct symmetric_sum *part,
                    int64_t times) {
  if (sum->sort == NULL)
    sum->sort = part->sort;
  bool fits = part->sort == NULL || part->sort->n_cells == sum->sort->n_cells;
  for (uint32_t i = 0; fits && i < part->n; i++) {
    int64_t count = 0;
    if (__builtin_mul_overflow(part->at[i].count, times, &count) || count > TERMS_TOKENS ||
        count < -TERMS_TOKENS || sum->n >= TERMS_ROWS)
      return reader_fail(t->r, node, "there are too many tokens");
    struct symmetric_row *row = add_row(t, sum, count);
    memcpy(row->cell, part->at[i].cell, sum->sort->n_cells * sizeof *row->cell);
    for (uint32_t k = 0; fits && k < sum->sort->n_cells; k++)
      fits = fit_cell(&row->cell[k], sum->sort->cell[k]);
  }
  return fits || reader_fail(t->r, node, "the term is of another sort than is wanted here");
}

static bool read_sum(const struct term *t, const struct xml_node *node, bool subtract,
                     struct symmetric_sum *sum) {
  for (const struct xml_node *at = node->child; at != NULL; at = at->next) {
    struct symmetric_sum part = {.n = 0};
    const struct xml_node *operand = reader_operand(at);
    if (operand == NULL || !read_term(t, operand, &part) ||
        !add_sum(t, operand, sum, &part, subtract && at != node->child ? -1 : 1))
      return false;
  }
  return sum->sort != NULL || reader_fail(t->r, node, "'%s' needs operands", node->name);
}

/* The standard has one term after the number; tools write several, and mean their sum. */
static bool read_multiple(const struct term *t, const struct xml_node *node,
                          struct symmetric_sum *sum) {
  int64_t times = 1;
  struct symmetric_sum all = {.n = 0};
  for (const struct xml_node *at = node->child; at != NULL; at = at->next) {
    const struct xml_node *operand = reader_operand(at);
    if (operand == NULL)
      continue;
    if (xml_is(operand, "numberconstant")) {
      const char *value = xml_attribute(operand, "value");
      if (value == NULL || !reader_number(value, &times) || times < 0)
        return reader_fail(t->r, operand, "a number of tokens is an integer from 0 on");
      continue;
    }
    struct symmetric_sum part = {.n = 0};
    if (!read_term(t, operand, &part) || !add_sum(t, operand, &all, &part, 1))
      return false;
  }
  if (all.sort == NULL)
    return reader_fail(t->r, node, "'%s' needs a number and a term", node->name);
  return add_sum(t, node, sum, &all, times);
}

static bool read_none(const struct term *t, const struct xml_node *node,
                      struct symmetric_sum *sum) {
  const struct xml_node *of = node->child == NULL ? NULL : reader_operand(node->child);
  sum->sort = of == NULL ? t->r->dot : reader_sort(t->r, of);
  return sum->sort != NULL;
}

static bool read_term(const struct term *t, const struct xml_node *node,
                      struct symmetric_sum *sum) {
  if (xml_is(node, "variable"))
    return read_variable(t, node, sum);
  if (xml_is(node, "useroperator") || xml_is(node, "finiteintrangeconstant"))
    return read_constant(t, node, sum);
  if (xml_is(node, "numberof") || xml_is(node, "scalarproduct"))
    return read_multiple(t, node, sum);
  if (xml_is(node, "tuple"))
    return read_tuple(t, node, sum);
  if (xml_is(node, "add") || xml_is(node, "subtract"))
    return read_sum(t, node, xml_is(node, "subtract"), sum);
  if (xml_is(node, "successor") || xml_is(node, "predecessor"))
    return read_neighbour(t, node, xml_is(node, "successor"), sum);
  if (xml_is(node, "all"))
    return read_everything(t, node, sum);
  if (xml_is(node, "partitionelementof"))
    return read_part(t, node, sum);
  if (xml_is(node, "empty"))
    return read_none(t, node, sum);
  if (!xml_is(node, "dotconstant"))
    return fail_kind(t, node);
  sum->sort = t->r->dot;
  add_row(t, sum, 1);
  return true;
}

bool reader_sum(struct reader *r, const struct xml_node *node,
                struct symmetric_transition *transition, const struct symmetric_sort *sort,
                struct symmetric_sum *sum) {
  struct term term = {r, transition};
  struct symmetric_sum read = {.n = 0};
  sum->sort = sort;
  return read_term(&term, node, &read) && add_sum(&term, node, sum, &read, 1);
}
