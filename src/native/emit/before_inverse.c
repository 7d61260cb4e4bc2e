/* before_inverse.c - what was worked out from one hole and nothing else, undone by a table.
 *
 * Counters of time are often set by an expression that no addition undoes, as
 * `(t - 1) | ((t == 255) * 255)`. Where the hole has few values, each is tried once, while the
 * code is printed: for each result the table says which values give it.
 */
#include "native/emit/before.h"

#include "ir/value.h"

#include <stdio.h>

enum { RESULTS = 256, MOST = 256 };

/* A hole in an index is not the element that it names. */
static bool is_hole(const struct before *b, const struct ir_expr *e,
                    const struct before_slot *at) {
  bool certain = false;
  return (e->kind == IR_VARIABLE || before_hole_in(b, e->a, &certain) == NULL) &&
         before_hole_in(b, e, &certain) == at && certain;
}

/* Whether every variable in it is that hole. */
static bool is_of(const struct before *b, const struct ir_expr *e,
                  const struct before_slot *at) {
  if (e == NULL || e->kind == IR_CONST)
    return true;
  if (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT)
    return e->variable->is_const ? is_of(b, e->a, at) : is_hole(b, e, at);
  return e->kind >= IR_NOT && e->kind <= IR_COND && is_of(b, e->a, at) && is_of(b, e->b, at) &&
         is_of(b, ir_third(e), at);
}

static struct ir_value leaf(const void *context, const struct ir_expr *e) {
  (void)e;
  return value_known(*(const int32_t *)context);
}

/* Result i comes of the values from list[start[i]] to list[start[i + 1] - 1]. */
struct inverse {
  uint32_t start[RESULTS + 1];
  int32_t list[MOST];
};

static struct inverse invert(const struct values *values, const struct ir_expr *e,
                             const struct ir_type *first, const struct ir_type *second) {
  struct inverse found = {{0}, {0}};
  uint32_t n = 0;
  for (uint32_t i = 0; i < RESULTS; i++) {
    found.start[i] = n;
    for (int64_t v = INT64_MIN; values_next(values, &v);) {
      const int32_t x = (int32_t)v;
      const struct ir_value value = value_of(e, leaf, &x);
      if (value.known && (uint8_t)values_cut_one(values_cut_one(value.at, first), second) == i)
        found.list[n++] = x;
    }
  }
  found.start[RESULTS] = n;
  return found;
}

static void print(struct before *b, const struct inverse *inverse, uint32_t table) {
  struct text *out = &b->e->tables;
  const uint32_t n = inverse->start[RESULTS];
  text_printf(out, "static const uint16_t start_%u[%u] = {", table, RESULTS + 1);
  for (uint32_t i = 0; i <= RESULTS; i++)
    text_printf(out, "%u,", inverse->start[i]);
  text_printf(out, "};\nstatic const int32_t list_%u[%u] = {", table, n + 1);
  for (uint32_t i = 0; i < n; i++)
    text_printf(out, "%d,", (int)inverse->list[i]);
  text_puts(out, "0};\n");
  b->entries += RESULTS + n;
}

bool before_invert(struct before *b, const struct ir_expr *e, const struct ir_type *first,
                   const struct before_temporary *t) {
  bool certain = false;
  struct before_slot *at = before_hole_in(b, e, &certain);
  if (at == NULL || !certain || t->type == NULL || t->type->bits > 8 || !is_of(b, e, at) ||
      small_steps_may_fail(e)) /* `(1 / x) && 0` is no value where x is 0 */
    return false;
  const struct values values = before_values(b, at, true);
  if (values_count(&values) > MOST || b->entries > BEFORE_TABLES / 2)
    return false; /* room for what pairs need */
  const struct inverse inverse = invert(&values, e, first, t->type);
  const uint32_t name = b->names++, table = b->sets++;
  print(b, &inverse, table);
  emit_line(
      b->e,
      "for (uint32_t k%u = start_%u[(uint8_t)%s]; k%u < start_%u[(uint8_t)%s + 1]; k%u++) {",
      name, table, t->text, name, table, t->text, name);
  before_open(b);
  struct before_text value;
  snprintf(value.at, sizeof value.at, "list_%u[k%u]", table, name);
  before_set(b, at, value.at);
  return true;
}
