/* holes.c - a row of which some slots are not known. */
#include "ir/holes.h"

#include "ir/values.h"

#include "base/bits.h"

/* ---- the row -------------------------------------------------------------------------- */

int32_t holes_value(const struct holes *w, uint32_t slot) {
  return (int32_t)ts_value(&w->shape->slot[slot], w->at);
}

static void write_slot(const struct holes *w, uint32_t slot, int32_t value) {
  const struct ts_slot *s = &w->shape->slot[slot];
  ts_write(w->at + s->offset, s->bytes, (uint32_t)value);
}

static void note_change(struct holes *w, uint32_t slot) {
  if (w->n_changes == HOLES_CHANGES) {
    w->spent = true;
    return;
  }
  w->change[w->n_changes++] =
      (struct holes_change){slot, holes_value(w, slot), bits_test(w->hole, slot)};
}

bool holes_is(const struct holes *w, uint32_t slot) {
  return bits_test(w->hole, slot);
}

void holes_set(struct holes *w, uint32_t slot, int32_t value) {
  note_change(w, slot);
  bits_clear(w->hole, slot);
  write_slot(w, slot, value);
}

void holes_make(struct holes *w, uint32_t slot) {
  note_change(w, slot);
  bits_set(w->hole, slot);
  write_slot(w, slot, 0);
}

void holes_take_back(struct holes *w, uint32_t mark) {
  while (w->n_changes > mark) {
    const struct holes_change *c = &w->change[--w->n_changes];
    write_slot(w, c->slot, c->value);
    if (c->was_hole)
      bits_set(w->hole, c->slot);
    else
      bits_clear(w->hole, c->slot);
  }
}

/* ---- expressions ----------------------------------------------------------------------- */

uint32_t holes_slot(const struct holes *w, const struct ir_expr *e) {
  const struct ir_variable *v = e->variable;
  if (e->kind == IR_VARIABLE)
    return v->first_slot;
  const struct ir_value index = holes_known(w, e->a);
  return index.known && index.at >= 0 && (uint32_t)index.at < v->length
             ? v->first_slot + (uint32_t)index.at
             : TS_NONE;
}

static struct ir_value leaf(const void *context, const struct ir_expr *e) {
  const struct holes *w = context;
  uint32_t slot = TS_NONE;
  if (e->kind == IR_AT && !bits_test(w->hole, e->process->location_slot))
    return value_known(holes_value(w, e->process->location_slot) == (int32_t)e->location);
  if (e->kind == IR_COUNT && e->channel->capacity == 0)
    return value_known(0);
  if (e->kind == IR_COUNT)
    slot = e->channel->count_slot;
  if (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT)
    slot = holes_slot(w, e);
  return slot == TS_NONE || bits_test(w->hole, slot) ? ir_unknown
                                                     : value_known(holes_value(w, slot));
}

struct ir_value holes_known(const struct holes *w, const struct ir_expr *e) {
  return value_of(e, leaf, w);
}

uint32_t holes_in(const struct holes *w, const struct ir_expr *e) {
  if (e == NULL || e->kind == IR_CONST)
    return TS_NONE;
  if (e->kind == IR_AT || (e->kind == IR_COUNT && e->channel->capacity > 0)) {
    const uint32_t at = e->kind == IR_AT ? e->process->location_slot : e->channel->count_slot;
    return bits_test(w->hole, at) ? at : TS_NONE;
  }
  const bool is_reference = e->kind == IR_VARIABLE || e->kind == IR_ELEMENT;
  uint32_t slot = holes_in(w, e->a);
  if (slot != TS_NONE)
    return slot;
  if (is_reference) {
    slot = e->variable->is_const ? TS_NONE : holes_slot(w, e);
    return slot != TS_NONE && bits_test(w->hole, slot) ? slot : TS_NONE;
  }
  slot = holes_in(w, e->b);
  return slot != TS_NONE ? slot : holes_in(w, ir_third(e));
}

bool holes_solve(const struct holes *w, const struct ir_expr *e, uint32_t want, uint32_t bits,
                 uint32_t *slot, int32_t *value) {
  if (e->kind == IR_VARIABLE || e->kind == IR_ELEMENT) {
    const struct ir_type *type = e->variable->type;
    if (e->variable->is_const || ir_type_bits(type) > bits)
      return false;
    *slot = holes_slot(w, e);
    *value = values_cut_one((int32_t)want, type);
    return *slot != TS_NONE && bits_test(w->hole, *slot);
  }
  if (e->kind == IR_NEG)
    return holes_solve(w, e->a, 0u - want, bits, slot, value);
  if (e->kind == IR_CPL)
    return holes_solve(w, e->a, ~want, bits, slot, value);
  if (e->kind != IR_ADD && e->kind != IR_SUB && e->kind != IR_BXOR)
    return false;
  const struct ir_value a = holes_known(w, e->a), b = holes_known(w, e->b);
  const uint32_t other = (uint32_t)(a.known ? a.at : b.at);
  if (a.known == b.known)
    return false;
  const struct ir_expr *rest = a.known ? e->b : e->a;
  if (e->kind == IR_BXOR)
    return holes_solve(w, rest, want ^ other, bits, slot, value);
  if (e->kind == IR_ADD)
    return holes_solve(w, rest, want - other, bits, slot, value);
  return holes_solve(w, rest, a.known ? other - want : want + other, bits, slot, value);
}
