/* before_guard.c - holes of the row before an action: what is solved for, what is tried, and in
 * the end how many ways there are to fill the rest. */
#include "native/emit/before.h"

#include "base/bits.h"

#include <stdio.h>

/* ---- expressions ---------------------------------------------------------------------------
 */

/* A hole that this reference may be. */
static struct before_slot *hole_at(const struct before *b, const struct ir_expr *e,
                                   bool *certain) {
  const struct ir_variable *v = e->variable;
  const struct ir_range r = e->kind == IR_ELEMENT ? ir_range(e->a) : (struct ir_range){0, 0};
  for (uint32_t i = 0; i < b->changed.n; i++) {
    struct before_slot *c = &b->changed.at[i];
    if (!c->is_hole || c->slot < v->first_slot || c->slot >= v->first_slot + v->length)
      continue;
    if (c->array == NULL) {
      const int64_t index = (int64_t)c->slot - v->first_slot;
      if (index < r.low || index > r.high)
        continue;
      *certain = r.low == r.high;
    } else {
      *certain = e->kind == IR_ELEMENT && c->expr != NULL && ir_same_sum(c->expr, e->a);
    }
    return c;
  }
  return NULL;
}

struct before_slot *before_hole_in(const struct before *b, const struct ir_expr *e,
                                   bool *certain) {
  if (e == NULL || e->kind == IR_CONST)
    return NULL;
  struct before_slot *found = before_hole_in(b, e->a, certain);
  if (found != NULL)
    return found;
  if (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT)
    return e->variable->is_const ? NULL : hole_at(b, e, certain);
  if (e->kind == IR_AT || e->kind == IR_COUNT)
    return NULL;
  found = before_hole_in(b, e->b, certain);
  return found != NULL ? found : before_hole_in(b, ir_third(e), certain);
}

static struct before_slot *hole_in(const struct before *b, const struct ir_expr *e) {
  bool certain;
  return before_hole_in(b, e, &certain);
}

/* ---- trying values
 * --------------------------------------------------------------------------- */

void before_set(struct before *b, struct before_slot *at, const char *value) {
  emit_line(b->e, "%s = %s;", before_cell(b, at).at, value);
  at->is_hole = false;
  at->loops = b->loops;
}

void before_open(struct before *b) {
  b->e->depth++;
  b->loops++;
  emit_line(b->e, "if (++turns > %u) return TS_NONE;", BEFORE_TURNS);
}

/* Few values: those of a word of bits, cut to what goes with the rest. */
static void loop_bits(struct before *b, struct before_slot *at, bool last,
                      const struct values *values) {
  const uint32_t name = b->names++;
  char number[16];
  snprintf(number, sizeof number, "x%u", name);
  emit_line(b->e, "uint64_t m%u = 0x%llxull;", name,
            (unsigned long long)before_bits(before_space(b, at->slot), values));
  if (last)
    before_cut(b, at, name);
  emit_line(b->e, "for (; m%u; m%u &= m%u - 1) {", name, name, name);
  before_open(b);
  emit_line(b->e, "const uint32_t x%u = lowest(m%u);", name, name);
  b->e->helpers |= EMIT_LOWEST;
  before_set(b, at, before_value(b, at->slot, number).at);
  at->checked = last;
}

/* Goes on with each value of the hole. `last`: it is what it was before the first step. */
static void loop(struct before *b, struct before_slot *at, bool last) {
  const struct values values = before_values(b, at, !last);
  if (values_is_none(&values)) {
    before_reject(b, "1");
    b->over = true;
    return;
  }
  if (before_is_numbered(b, at)) {
    loop_bits(b, at, last, &values);
    return;
  }
  const uint32_t name = b->names++;
  char value[16];
  snprintf(value, sizeof value, "x%u", name);
  if (values_count(&values) > BEFORE_TURNS) {
    emit_line(b->e, "return TS_NONE;");
    b->over = true;
    return;
  }
  emit_line(b->e, "for (int32_t x%u = %d; x%u <= %d; x%u++) {", name, (int)values.low, name,
            (int)values.high, name);
  before_open(b);
  const uint64_t width = (uint64_t)((int64_t)values.high - values.low) + 1;
  if (width != values_count(&values))
    before_need(b, &values, value, "");
  before_set(b, at, value);
  if (last)
    before_check(b, at);
}

void before_each(struct before *b, const struct ir_expr *e) {
  for (struct before_slot *at; !b->over && !b->fails && (at = hole_in(b, e)) != NULL;)
    loop(b, at, false);
}

/* ---- solving -------------------------------------------------------------------------------
 */

static struct before_slot *solvable(const struct before *b, const struct ir_expr *e,
                                    uint32_t bits) {
  bool certain = false;
  if (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT) {
    if (e->variable->is_const || ir_type_bits(e->variable->type) > bits ||
        (e->kind == IR_ELEMENT && hole_in(b, e->a) != NULL))
      return NULL;
    struct before_slot *at = hole_at(b, e, &certain);
    return certain ? at : NULL;
  }
  if (e->kind == IR_NEG || e->kind == IR_CPL)
    return solvable(b, e->a, bits);
  if (e->kind != IR_ADD && e->kind != IR_SUB && e->kind != IR_BXOR)
    return NULL;
  const bool left = hole_in(b, e->a) != NULL;
  if (hole_in(b, left ? e->b : e->a) != NULL)
    return NULL;
  return solvable(b, left ? e->a : e->b, bits);
}

/* The value of the hole, in `want`, as 32 bits. */
static void unwind(struct before *b, const struct ir_expr *e, char want[32]) {
  char other[32];
  const uint32_t name = b->names++;
  if (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT)
    return;
  if (e->kind == IR_NEG || e->kind == IR_CPL) {
    emit_line(b->e, "const int32_t w%u = (int32_t)(%s(uint32_t)%s);", name,
              e->kind == IR_NEG ? "0u - " : "~", want);
    snprintf(want, 32, "w%u", name);
    unwind(b, e->a, want);
    return;
  }
  const bool left = hole_in(b, e->a) != NULL;
  emit_spill_operand(b->e, &b->in, left ? e->b : e->a, other, sizeof other);
  if (e->kind == IR_SUB && !left)
    emit_line(b->e, "const int32_t w%u = (int32_t)((uint32_t)%s - (uint32_t)%s);", name, other,
              want);
  else
    emit_line(b->e, "const int32_t w%u = (int32_t)((uint32_t)%s %c (uint32_t)%s);", name, want,
              e->kind == IR_ADD   ? '-'
              : e->kind == IR_SUB ? '+'
                                  : '^',
              other);
  snprintf(want, 32, "w%u", name);
  unwind(b, left ? e->a : e->b, want);
}

static struct before_text cut(const char *value, const struct ir_type *type) {
  struct before_text text;
  if (type == NULL || type->bits == 32)
    snprintf(text.at, sizeof text.at, "%.60s", value);
  else if (type->bits == 8 || type->bits == 16)
    snprintf(text.at, sizeof text.at, "(%sint%u_t)%.60s", type->is_signed ? "" : "u",
             type->bits, value);
  else if (!type->is_signed)
    snprintf(text.at, sizeof text.at, "(int32_t)((uint32_t)%.60s & %uu)", value,
             (1u << type->bits) - 1);
  else
    snprintf(text.at, sizeof text.at, "((int32_t)((uint32_t)%.60s << %u) >> %u)", value,
             32u - type->bits, 32u - type->bits);
  return text;
}

bool before_solve(struct before *b, const struct ir_expr *e, const char *want, uint32_t bits) {
  struct before_slot *at = solvable(b, e, bits);
  char value[32];
  if (at == NULL)
    return false;
  const struct ir_expr *leaf = e;
  while (leaf->kind != IR_VARIABLE && leaf->kind != IR_ELEMENT)
    leaf = hole_in(b, leaf->a) != NULL ? leaf->a : leaf->b;
  snprintf(value, sizeof value, "%s", want);
  unwind(b, e, value);
  const uint32_t name = b->names++;
  emit_line(b->e, "const int32_t w%u = %s;", name, cut(value, leaf->variable->type).at);
  snprintf(value, sizeof value, "w%u", name);
  const struct values values = before_values(b, at, true);
  before_need(b, &values, value, "");
  if (!b->over)
    before_set(b, at, value);
  return true;
}

void before_compare(struct before *b, const struct ir_expr *e, const struct ir_type *first,
                    const struct ir_type *second, const char *want) {
  char value[32];
  emit_spill_operand(b->e, &b->in, e, value, sizeof value);
  const struct before_text once = cut(value, first);
  before_reject(b, "%s != %s", cut(once.at, second).at, want);
}

/* ---- guards
 * ---------------------------------------------------------------------------------- */

static void add_parts(struct before *b, const struct ir_expr *e) {
  if (e == NULL)
    return;
  if (e->kind == IR_AND) {
    add_parts(b, e->a);
    add_parts(b, e->b);
  } else {
    *ARENA_PUSH(b->e->arena, &b->part) = (struct before_part){e, false};
  }
}

static bool solve_part(struct before *b, const struct ir_expr *e) {
  if (e->kind != IR_EQ || (hole_in(b, e->a) != NULL) == (hole_in(b, e->b) != NULL))
    return false;
  const bool left = hole_in(b, e->a) != NULL;
  if (solvable(b, left ? e->a : e->b, 32) == NULL)
    return false;
  char want[32];
  emit_spill_operand(b->e, &b->in, left ? e->b : e->a, want, sizeof want);
  return before_solve(b, left ? e->a : e->b, want, 32);
}

/* All that is known is checked, and what has become known by that. */
static void settle(struct before *b) {
  for (bool more = true; more && !b->over;) {
    more = false;
    for (uint32_t i = 0; i < b->part.n && !b->over; i++) {
      struct before_part *part = &b->part.at[i];
      if (part->done)
        continue;
      more |= hole_in(b, part->expr) != NULL && solve_part(b, part->expr);
      if (b->over || hole_in(b, part->expr) != NULL)
        continue;
      const size_t from = b->e->expr.length;
      emit_truth(b->e, &b->in, part->expr, true);
      emit_statement(b->e, "if (!(", from, ")) continue;");
      part->done = true;
    }
    for (uint32_t i = 0; i < b->changed.n && !b->over; i++)
      if (!b->changed.at[i].is_hole && !b->changed.at[i].checked)
        before_check(b, &b->changed.at[i]);
  }
}

/* The hole to try next: one that a guard asks for, of few values; or NULL. */
static struct before_slot *next_of_guards(const struct before *b) {
  struct before_slot *best = NULL;
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < b->part.n; i++) {
    struct before_slot *at = b->part.at[i].done ? NULL : hole_in(b, b->part.at[i].expr);
    if (at == NULL)
      continue;
    const struct values values = before_values(b, at, false);
    if (values_count(&values) < least) {
      least = values_count(&values);
      best = at;
    }
  }
  return best;
}

/* ---- counting
 * ---------------------------------------------------------------------------------- */

/* A hole that is left, and says something of another one (`apart`: any one); or NULL. */
static struct before_slot *next_hole(struct before *b, bool apart) {
  for (uint32_t i = 0; i < b->changed.n; i++) {
    bool is_next = apart;
    for (uint32_t k = 0; !is_next && k < b->changed.n && b->changed.at[i].is_hole; k++)
      is_next = k != i && b->changed.at[k].is_hole &&
                !before_is_apart(b, &b->changed.at[i], &b->changed.at[k]);
    if (is_next && b->changed.at[i].is_hole)
      return &b->changed.at[i];
  }
  return NULL;
}

/* Multiplies by how many values the hole may have. */
static void multiply(struct before *b, struct before_slot *at) {
  const struct values values = before_values(b, at, false);
  if (before_is_numbered(b, at)) {
    const uint32_t name = b->names++;
    emit_line(b->e, "uint64_t m%u = 0x%llxull;", name,
              (unsigned long long)before_bits(before_space(b, at->slot), &values));
    before_cut(b, at, name);
    emit_line(b->e, "ways *= count(m%u);", name);
    b->e->helpers |= EMIT_COUNT;
  } else {
    const uint64_t n = values_count(&values);
    const uint64_t many = (uint64_t)UINT16_MAX + 1; /* is too many */
    emit_line(b->e, "ways *= %lluu;", (unsigned long long)(n > many ? many : n));
  }
  emit_line(b->e, "if (ways - 1 >= %u) { if (ways) return TS_NONE; continue; }", UINT16_MAX);
  at->is_hole = false;
}

void before_begin(struct before *b) {
  struct before_slot *at;
  for (uint32_t i = 0; i < b->action->n_moves; i++)
    add_parts(b, b->action->move[i].edge->guard);
  settle(b);
  while (!b->over && !b->fails && (at = next_of_guards(b)) != NULL) {
    loop(b, at, true);
    if (!b->over)
      settle(b);
  }
  while (!b->over && !b->fails && (at = next_hole(b, false)) != NULL)
    loop(b, at, true);
  if (b->over || b->fails)
    return;
  if (next_hole(b, true) == NULL) {
    emit_line(b->e, "n++;");
    return;
  }
  emit_line(b->e, "uint64_t ways = 1;");
  while (!b->fails && (at = next_hole(b, true)) != NULL)
    multiply(b, at);
  emit_line(b->e, "n += (uint32_t)ways;");
}
