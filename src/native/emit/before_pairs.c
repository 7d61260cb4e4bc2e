/* before_pairs.c - two values that never come together (ir/pairs.h), looked up in C.
 *
 * Most pairs of slots say nothing, and most that do say it about a constant: where the process
 * was. Those are a mask of 64 bits in the code. Of the others a table is printed once: by the
 * number of a value of one slot the values that the other one may have.
 */
#include "native/emit/before.h"

#include <stdio.h>

enum { UNKNOWN, TRIVIAL, PRINTED };

/* ---- what pairs say --------------------------------------------------------------------- */

/* The values of slot number `other` that go with that one, as bits of its space. */
static uint64_t with(struct before *b, uint32_t number, int32_t value, uint32_t other) {
  const struct pairs *p = b->u->pairs;
  const struct before_space *s = before_space(b, p->slot[other]);
  const uint32_t index = pairs_index(p, number, value);
  uint64_t bits = 0;
  if (s->state != BEFORE_NUMBERED)
    b->fails = true;
  if (index >= PAIRS_VALUES)
    return 0;
  const uint64_t row = pairs_row(p, number, index)[other];
  for (uint32_t i = 0; i < s->n; i++) {
    const uint32_t at = pairs_index(p, other, s->value[i]);
    bits |= at < PAIRS_VALUES ? (row >> at & 1) << i : 0;
  }
  return bits;
}

/* Those that the slot has at all. */
static uint64_t possible(struct before *b, uint32_t number) {
  const struct before_space *s = before_space(b, b->u->pairs->slot[number]);
  uint64_t bits = 0;
  for (uint32_t i = 0; i < s->n; i++)
    bits |= with(b, number, s->value[i], number);
  return bits;
}

static uint32_t size_of(const struct before_space *s) {
  uint32_t size = 1;
  while (size < s->n)
    size *= 2;
  return size;
}

static void print_table(struct before *b, uint32_t of, uint32_t by) {
  const struct before_space *s = before_space(b, b->u->pairs->slot[by]);
  struct text *out = &b->e->tables;
  const uint32_t size = size_of(s);
  b->entries += size;
  b->fails |= b->entries > BEFORE_TABLES;
  text_printf(out, "static const uint64_t with_%u_%u[%u] = {", of, by, size);
  for (uint32_t i = 0; i < s->n; i++)
    text_printf(out, "0x%llxull,", (unsigned long long)with(b, by, s->value[i], of));
  text_puts(out, "};\n");
}

/* Whether what slot number `by` has says anything about `of`. */
static bool says(struct before *b, uint32_t of, uint32_t by) {
  uint32_t *known = &b->table[of * b->u->pairs->n + by];
  if (*known != UNKNOWN)
    return *known != TRIVIAL;
  const struct before_space *s = before_space(b, b->u->pairs->slot[by]);
  const uint64_t all = possible(b, of), left = possible(b, by);
  *known = TRIVIAL;
  for (uint32_t i = 0; i < s->n && *known == TRIVIAL; i++)
    if ((left >> i & 1) && (all & ~with(b, by, s->value[i], of)) != 0)
      *known = PRINTED;
  if (*known == PRINTED)
    print_table(b, of, by);
  return *known == PRINTED;
}

static struct before_text look_up(struct before *b, uint32_t of, uint32_t by) {
  const uint32_t slot = b->u->pairs->slot[by];
  const struct before_text number = before_number(b, slot, before_cell_of(b, slot).at);
  struct before_text text;
  snprintf(text.at, sizeof text.at, "with_%u_%u[%.56s & %u]", of, by, number.at,
           size_of(before_space(b, slot)) - 1);
  return text;
}

/* ---- which slots are known
 * -------------------------------------------------------------------
 */

/* Slot number t is to be looked at when `mine` is: it is not the same, and known. *entry: where
 * it was changed, or NULL. */
static bool is_known(const struct before *b, uint32_t t, uint32_t mine,
                     const struct before_slot **entry) {
  const uint32_t slot = b->u->pairs->slot[t];
  *entry = before_find(b, slot);
  return slot != mine && (*entry == NULL || (*entry)->checked);
}

/* ---- a value that is known --------------------------------------------------------------- */

/* What slot t may have now, as far as the location says to which a process came. */
static uint64_t now(struct before *b, uint32_t k, uint32_t t, bool is_changed) {
  const uint32_t slot = b->u->pairs->slot[k];
  for (uint32_t i = 0; i < b->action->n_moves && !is_changed; i++) {
    const struct ir_move *move = &b->action->move[i];
    if (move->process->location_slot == slot)
      return with(b, k, (int32_t)move->edge->to, t);
  }
  return possible(b, t);
}

/* Also where it is an element that only C knows. */
static bool may_be_changed(const struct before *b, uint32_t slot) {
  for (uint32_t i = 0; i < b->changed.n; i++) {
    const struct before_slot *c = &b->changed.at[i];
    if (slot >= c->slot && slot < c->slot + (c->array == NULL ? 1 : c->array->length))
      return true;
  }
  return false;
}

/* Whether the slot is ever known to have that. */
static bool is_possible(const struct before *b, uint32_t number, int32_t value) {
  const uint32_t index = pairs_index(b->u->pairs, number, value);
  return index < PAIRS_VALUES &&
         (pairs_row(b->u->pairs, number, index)[number] >> index & 1) != 0;
}

static void check_constant(struct before *b, const struct before_slot *at, uint32_t k) {
  const struct pairs *p = b->u->pairs;
  if (!is_possible(b, k, at->value)) {
    b->over = true;
    before_reject(b, "1");
    return;
  }
  for (uint32_t t = 0; t < p->n && !b->over; t++) {
    const struct before_slot *entry;
    if (!is_known(b, t, at->slot, &entry))
      continue;
    const uint64_t mask = with(b, k, at->value, t);
    const uint32_t slot = p->slot[t];
    if ((now(b, k, t, may_be_changed(b, slot)) & ~mask) == 0)
      continue;
    if (entry != NULL && entry->is_constant) {
      if ((mask & with(b, t, entry->value, t)) != 0)
        continue;
      b->over = true;
      before_reject(b, "1");
      return;
    }
    const struct before_text number = before_number(b, slot, before_cell_of(b, slot).at);
    before_reject(b, "%s!(0x%llxull >> %s & 1)", before_unless(b, slot, at).at,
                  (unsigned long long)mask, number.at);
  }
}

static void check_worked_out(struct before *b, const struct before_slot *at, uint32_t slot) {
  const struct pairs *p = b->u->pairs;
  const uint32_t k = p->number[slot];
  const struct before_text mine = before_number(b, slot, before_cell(b, at).at);
  const uint64_t bounds =
      before_bits(before_space(b, slot), bounds_at(b->u->bounds, slot, b->from));
  if ((bounds & ~possible(b, k)) != 0)
    before_reject(b, "!(0x%llxull >> %s & 1)", (unsigned long long)possible(b, k), mine.at);
  for (uint32_t t = 0; t < p->n; t++) {
    const struct before_slot *entry;
    if (is_known(b, t, slot, &entry) && says(b, k, t))
      before_reject(b, "%s!(%s >> %s & 1)", before_unless(b, p->slot[t], at).at,
                    look_up(b, k, t).at, mine.at);
  }
}

static void check_slot(struct before *b, const struct before_slot *at, uint32_t slot) {
  const struct pairs *p = b->u->pairs;
  const bool is_paired = p != NULL && p->number[slot] != TS_NONE;
  const struct ts_variable *v = &b->e->shape->variable[b->e->shape->slot[slot].variable];
  const bool is_counted =
      bounds_ever(b->u->bounds, slot)->low > bounds_ever(b->u->bounds, slot)->high;
  const struct values *values = bounds_at(b->u->bounds, slot, b->from);
  if (at->is_constant) {
    b->over |= !v->is_location && !is_counted && !values_have(values, at->value);
    if (b->over)
      before_reject(b, "1");
    else if (is_paired)
      check_constant(b, at, p->number[slot]);
    return;
  }
  if (!is_counted)
    before_need(b, values, before_cell(b, at).at, "");
  if (is_paired)
    check_worked_out(b, at, slot);
}

void before_check(struct before *b, struct before_slot *at) {
  if (at->array == NULL) {
    check_slot(b, at, at->slot);
  } else {
    emit_line(b->e, "switch (i%u) {", at->index);
    for (uint32_t i = 0; i < at->array->length; i++) {
      emit_line(b->e, "case %u:", i);
      b->e->depth++;
      check_slot(b, at, at->slot + i);
      b->over = false;
      emit_line(b->e, "break;");
      b->e->depth--;
    }
    emit_line(b->e, "}");
  }
  at->checked = true;
}

/* ---- values of a hole
 * ------------------------------------------------------------------------
 */

static void cut_slot(struct before *b, const struct before_slot *at, uint32_t slot,
                     uint32_t set) {
  const struct pairs *p = b->u->pairs;
  uint64_t left = before_bits(before_space(b, slot), bounds_at(b->u->bounds, slot, b->from));
  if (p == NULL || p->number[slot] == TS_NONE) {
    emit_line(b->e, "m%u &= 0x%llxull;", set, (unsigned long long)left);
    return;
  }
  const uint32_t k = p->number[slot];
  left &= possible(b, k);
  for (uint32_t t = 0; t < p->n; t++) {
    const struct before_slot *entry;
    if (!is_known(b, t, slot, &entry) || !says(b, k, t))
      continue;
    const struct before_text condition = before_unless(b, p->slot[t], at);
    if (entry != NULL && entry->is_constant && condition.at[0] == 0)
      left &= with(b, t, entry->value, k);
    else if (condition.at[0] != 0)
      emit_line(b->e, "if (%s1) m%u &= %s;", condition.at, set, look_up(b, k, t).at);
    else
      emit_line(b->e, "m%u &= %s;", set, look_up(b, k, t).at);
  }
  emit_line(b->e, "m%u &= 0x%llxull;", set, (unsigned long long)left);
}

void before_cut(struct before *b, const struct before_slot *at, uint32_t set) {
  if (at->array == NULL) {
    cut_slot(b, at, at->slot, set);
    return;
  }
  emit_line(b->e, "switch (i%u) {", at->index);
  for (uint32_t i = 0; i < at->array->length; i++) {
    emit_line(b->e, "case %u:", i);
    b->e->depth++;
    cut_slot(b, at, at->slot + i, set);
    emit_line(b->e, "break;");
    b->e->depth--;
  }
  emit_line(b->e, "}");
}

bool before_is_apart(struct before *b, const struct before_slot *x,
                     const struct before_slot *y) {
  const struct pairs *p = b->u->pairs;
  const uint32_t n_x = x->array == NULL ? 1 : x->array->length;
  const uint32_t n_y = y->array == NULL ? 1 : y->array->length;
  for (uint32_t i = 0; p != NULL && i < n_x; i++)
    for (uint32_t k = 0; k < n_y; k++) {
      const uint32_t first = p->number[x->slot + i], second = p->number[y->slot + k];
      if (first != TS_NONE && second != TS_NONE && says(b, first, second))
        return false;
    }
  return true;
}
