/* sorts.c - declarations: sorts, variables, the constants of enumerations, partitions.
 *
 * A sort may use another that is declared further down, so declarations are only noted at
 * first, and read when they are needed; a sort that needs itself is an error.
 */
#include "lang/pnml/reader.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The most values of a basic sort. */
#define SORTS_MOST 1000000u
/* Sorts that are made of sorts: the most, one in the other. */
#define SORTS_DEEP 100u

void reader_error(struct reader *r, const struct xml_node *node, const char *format, ...) {
  char said[300];
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it was begun one line above */
  vsnprintf(said, sizeof said, format, list);
  va_end(list);
  diag_error(r->diag, xml_span(r->source, node), "%s", said);
}

bool reader_number(const char *text, int64_t *value) {
  char *end = NULL;
  long long number = strtoll(text, &end, 10);
  *value = number;
  return end != text && *end == '\0' && number > -(INT64_C(1) << 62) &&
         number < INT64_C(1) << 62;
}

const struct xml_node *reader_operand(const struct xml_node *node) {
  return xml_is(node, "subterm") ? node->child : node;
}

static const char *named(const struct xml_node *node) {
  const char *name = xml_attribute(node, "name");
  if (name == NULL || *name == '\0')
    name = xml_attribute(node, "id");
  return name == NULL ? "" : name;
}

/* ---- basic sorts -------------------------------------------------------------------- */

static struct symmetric_sort *make_basic(struct reader *r, uint32_t n) {
  struct symmetric_sort *sort = ARENA_NEW(r->arena, struct symmetric_sort);
  const struct symmetric_sort **cell = ARENA_ARRAY(r->arena, 1, const struct symmetric_sort *);
  cell[0] = sort;
  *sort = (struct symmetric_sort){.is_basic = true, .n_values = n, .n_cells = 1, .cell = cell};
  return sort;
}

static uint32_t count(const struct xml_node *node, const char *name) {
  uint32_t n = 0;
  for (const struct xml_node *at = node->child; at != NULL; at = at->next)
    n += xml_is(at, name);
  return n;
}

static bool add_constant(struct reader *r, const struct xml_node *node,
                         const struct symmetric_sort *sort, uint32_t value) {
  const char *id = xml_attribute(node, "id");
  if (id == NULL)
    return reader_fail(r, node, "this value has no id");
  if (!names_add(&r->constant_id, id, r->constant.n))
    return reader_fail(r, node, "the id '%s' is taken by another value", id);
  *ARENA_PUSH(r->arena, &r->constant) = (struct reader_constant){sort, value};
  return true;
}

/* Names of values are as in the file, where they tell the values apart; else their ids. */
static void name_values(struct reader *r, const struct xml_node *node, const char *element,
                        const char **value) {
  struct names seen = {.arena = r->arena};
  bool differ = true;
  uint32_t n = 0;
  for (const struct xml_node *at = node->child; at != NULL; at = at->next)
    if (xml_is(at, element)) {
      value[n] = named(at);
      differ = names_add(&seen, value[n], n) && differ;
      n++;
    }
  n = 0;
  for (const struct xml_node *at = node->child; !differ && at != NULL; at = at->next)
    if (xml_is(at, element)) {
      const char *id = xml_attribute(at, "id");
      value[n++] = id == NULL ? "" : id;
    }
}

static const struct symmetric_sort *read_enumeration(struct reader *r,
                                                     const struct xml_node *node,
                                                     const char *element) {
  uint32_t n = count(node, element);
  if (n == 0 || n > SORTS_MOST) {
    reader_fail(r, node, "an enumeration has 1 to %u values, this one %u", SORTS_MOST, n);
    return NULL;
  }
  struct symmetric_sort *sort = make_basic(r, n);
  const char **value = ARENA_ARRAY(r->arena, n, const char *);
  name_values(r, node, element, value);
  sort->value = value;
  uint32_t i = 0;
  bool fine = true;
  for (const struct xml_node *at = node->child; at != NULL; at = at->next)
    if (xml_is(at, element))
      fine = add_constant(r, at, sort, i++) && fine;
  return fine ? sort : NULL;
}

/* The only basic sort without a declaration of its own: a range of integers. */
static const struct symmetric_sort *range_sort(struct reader *r, const struct xml_node *node) {
  const char *start = xml_attribute(node, "start"), *end = xml_attribute(node, "end");
  int64_t low = 0, high = 0;
  if (start == NULL || end == NULL || !reader_number(start, &low) ||
      !reader_number(end, &high) || low > high || high - low >= SORTS_MOST) {
    reader_fail(r, node,
                "a range needs start and end, integers with at most %u values from one to the "
                "other",
                SORTS_MOST);
    return NULL;
  }
  struct symmetric_sort *sort = make_basic(r, (uint32_t)(high - low) + 1);
  sort->first = low;
  return sort;
}

static bool integer_value(struct reader *r, const struct xml_node *node,
                          const struct symmetric_sort **sort, uint32_t *value) {
  const char *text = xml_attribute(node, "value");
  const struct xml_node *range = xml_child(node, "finiteintrange");
  int64_t number = 0;
  if (text == NULL || range == NULL || !reader_number(text, &number))
    return reader_fail(r, node, "an integer of a range needs a value and its range");
  *sort = range_sort(r, range);
  if (*sort == NULL)
    return false;
  if (number < (*sort)->first || number >= (*sort)->first + (*sort)->n_values)
    return reader_fail(r, node, "%lld is not in its range", (long long)number);
  *value = (uint32_t)(number - (*sort)->first);
  return true;
}

bool reader_value(struct reader *r, const struct xml_node *node,
                  const struct symmetric_sort **sort, uint32_t *value) {
  if (xml_is(node, "finiteintrangeconstant"))
    return integer_value(r, node, sort, value);
  const char *id = xml_attribute(node, "declaration");
  uint32_t i = id == NULL ? NAMES_NONE : names_find(&r->constant_id, id);
  if (i == NAMES_NONE)
    return reader_fail(r, node, "there is no value '%s'", id == NULL ? "" : id);
  *sort = r->constant.at[i].sort;
  *value = r->constant.at[i].value;
  return true;
}

/* ---- partitions ------------------------------------------------------------------------ */

static bool read_part(struct reader *r, const struct xml_node *element, uint32_t number,
                      const struct symmetric_sort *of, uint32_t *part) {
  bool fine = true;
  for (const struct xml_node *at = element->child; at != NULL; at = at->next) {
    const struct xml_node *operand = reader_operand(at);
    const struct symmetric_sort *sort = NULL;
    uint32_t value = 0;
    if (operand == NULL || !reader_value(r, operand, &sort, &value))
      return false;
    int64_t moved = sort->first + value - of->first; /* of one range in another */
    bool fits = sort == of || (sort->value == NULL && of->value == NULL);
    if (!fits || moved < 0 || moved >= of->n_values)
      return reader_fail(r, at, "this is no value of the sort that is parted");
    if (part[moved] != NAMES_NONE)
      fine = reader_fail(r, at, "this value is in two parts");
    part[moved] = number;
  }
  return fine;
}

static const struct symmetric_sort *read_partition(struct reader *r,
                                                   const struct xml_node *node) {
  const struct xml_node *base = node->child;
  const struct symmetric_sort *of =
      base == NULL || xml_is(base, "partitionelement") ? NULL : reader_sort(r, base);
  if (of == NULL || !of->is_basic) {
    if (diag_errors(r->diag) == 0)
      reader_fail(r, node, "a partition begins with the sort that it parts, a basic one");
    return NULL;
  }
  const struct symmetric_sort *parts = read_enumeration(r, node, "partitionelement");
  if (parts == NULL)
    return NULL;
  struct symmetric_sort *sort = ARENA_NEW(r->arena, struct symmetric_sort);
  uint32_t *part = ARENA_ARRAY(r->arena, of->n_values, uint32_t);
  memset(part, 0xFF, of->n_values * sizeof *part);
  uint32_t number = 0;
  for (const struct xml_node *at = base->next; at != NULL; at = at->next)
    if (xml_is(at, "partitionelement") && !read_part(r, at, number++, of, part))
      return NULL;
  for (uint32_t i = 0; i < of->n_values; i++)
    if (part[i] == NAMES_NONE) {
      reader_fail(r, node, "a value of the sort is in no part: value %u", i + 1);
      return NULL;
    }
  *sort = *parts;
  sort->parted = of;
  sort->part = part;
  const struct symmetric_sort **cell = ARENA_ARRAY(r->arena, 1, const struct symmetric_sort *);
  cell[0] = sort;
  sort->cell = cell;
  for (uint32_t i = 0; i < r->constant.n; i++)
    if (r->constant.at[i].sort == parts)
      r->constant.at[i].sort = sort;
  return sort;
}

/* ---- sorts of any kind ------------------------------------------------------------------- */

static const struct symmetric_sort *read_product(struct reader *r,
                                                 const struct xml_node *node) {
  const struct symmetric_sort **cell =
      ARENA_ARRAY(r->arena, SYMMETRIC_CELLS, const struct symmetric_sort *);
  uint32_t n = 0;
  for (const struct xml_node *at = node->child; at != NULL; at = at->next) {
    const struct symmetric_sort *part = reader_sort(r, at);
    if (part == NULL)
      return NULL;
    if (n + part->n_cells > SYMMETRIC_CELLS) {
      reader_fail(r, node, "a product has at most %u parts", SYMMETRIC_CELLS);
      return NULL;
    }
    for (uint32_t i = 0; i < part->n_cells; i++)
      cell[n++] = part->cell[i];
  }
  struct symmetric_sort *sort = ARENA_NEW(r->arena, struct symmetric_sort);
  *sort = (struct symmetric_sort){.n_cells = n, .cell = cell};
  return sort;
}

static const struct symmetric_sort *used_sort(struct reader *r, const struct xml_node *node) {
  const char *id = xml_attribute(node, "declaration");
  uint32_t i = id == NULL ? NAMES_NONE : names_find(&r->sort_id, id);
  if (i == NAMES_NONE) {
    reader_fail(r, node, "there is no sort '%s'", id == NULL ? "" : id);
    return NULL;
  }
  if (r->sort.at[i].sort != NULL)
    return r->sort.at[i].sort;
  const struct xml_node *declared = r->sort.at[i].node;
  bool is_partition = xml_is(declared, "partition");
  if (r->deep == SORTS_DEEP) {
    reader_fail(r, node, "sorts are made of sorts more than %u deep", SORTS_DEEP);
    return NULL;
  }
  if (r->sort.at[i].is_open || (!is_partition && declared->child == NULL)) {
    reader_fail(r, declared, "the sort '%s' %s", id,
                declared->child == NULL ? "says nothing" : "is declared by itself");
    return NULL;
  }
  r->sort.at[i].is_open = true;
  r->deep++;
  const struct symmetric_sort *sort =
      is_partition ? read_partition(r, declared) : reader_sort(r, declared->child);
  r->deep--;
  if (sort != NULL && sort->id == NULL && sort != r->dot) {
    struct symmetric_sort *mine = (struct symmetric_sort *)sort; /* just made */
    mine->id = id;
    mine->name = named(declared);
  }
  r->sort.at[i].sort = sort;
  return sort;
}

const struct symmetric_sort *reader_sort(struct reader *r, const struct xml_node *node) {
  if (xml_is(node, "dot"))
    return r->dot;
  if (xml_is(node, "usersort"))
    return used_sort(r, node);
  if (xml_is(node, "cyclicenumeration") || xml_is(node, "finiteenumeration"))
    return read_enumeration(r, node, "feconstant");
  if (xml_is(node, "finiteintrange"))
    return range_sort(r, node);
  if (xml_is(node, "productsort"))
    return read_product(r, node);
  reader_fail(r, node,
              "'%s' is not supported: of sorts, those of symmetric nets are read (dot, "
              "enumerations, ranges of integers, products, partitions)",
              node->name);
  return NULL;
}

/* ---- declarations ---------------------------------------------------------------------------
 */

static void note_sort(struct reader *r, const struct xml_node *node) {
  const char *id = xml_attribute(node, "id");
  if (id == NULL)
    reader_fail(r, node, "this sort has no id");
  else if (!names_add(&r->sort_id, id, r->sort.n))
    reader_fail(r, node, "the id '%s' is taken by another sort", id);
  else
    *ARENA_PUSH(r->arena, &r->sort) = (struct reader_sort){.node = node};
}

static void read_variable(struct reader *r, const struct xml_node *node) {
  const char *id = xml_attribute(node, "id");
  const struct symmetric_sort *sort = node->child == NULL ? NULL : reader_sort(r, node->child);
  if (id == NULL || node->child == NULL)
    reader_fail(r, node, "a variable needs an id and a sort");
  else if (!names_add(&r->variable_id, id, r->variable.n))
    reader_fail(r, node, "the id '%s' is taken by another variable", id);
  else
    *ARENA_PUSH(r->arena, &r->variable) =
        (struct symmetric_variable){.id = id, .name = named(node), .sort = sort};
}

void reader_declare(struct reader *r, const struct xml_node *declarations) {
  for (const struct xml_node *at = declarations->child; at != NULL; at = at->next)
    if (xml_is(at, "namedsort") || xml_is(at, "partition"))
      note_sort(r, at);
  for (const struct xml_node *at = declarations->child; at != NULL; at = at->next) {
    if (xml_is(at, "variabledecl"))
      read_variable(r, at);
    else if (!xml_is(at, "namedsort") && !xml_is(at, "partition"))
      reader_fail(r, at,
                  "'%s' is not supported: of declarations, namedsort, variabledecl and "
                  "partition are read",
                  at->name);
  }
  /* Constants are known once their sorts are read. */
  for (uint32_t i = 0; i < r->sort.n; i++)
    if (r->sort.at[i].sort == NULL && !r->sort.at[i].is_open) {
      struct xml_attribute id = {"declaration", xml_attribute(r->sort.at[i].node, "id")};
      struct xml_node *use =
          arena_alloc(r->arena, sizeof(struct xml_node) + sizeof(struct xml_attribute));
      use->name = "usersort";
      use->begin = r->sort.at[i].node->begin;
      use->n_attributes = 1;
      use->attribute[0] = id;
      used_sort(r, use);
    }
}
