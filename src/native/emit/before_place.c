/* before_place.c - slots of the row before an action, and sets of their values, in C. */
#include "native/emit/before.h"

#include "base/bits.h"

#include <stdio.h>
#include <string.h>

/* ---- cells ------------------------------------------------------------------------------ */

static struct before_text cell(const struct before *b, uint32_t slot, const char *more) {
  const struct ts_slot *s = &b->e->shape->slot[slot];
  const char *base = emit_base(b->e, &b->in, slot);
  struct before_text text;
  if (s->bytes == 1 && !s->is_signed)
    snprintf(text.at, sizeof text.at, "%s[%u%s]", base, s->offset, more);
  else
    snprintf(text.at, sizeof text.at, "%c%u(%s, %u%s)",
             s->is_signed || s->bytes == 4 ? 'I' : 'U', s->bytes * 8, base, s->offset, more);
  return text;
}

struct before_text before_cell_of(const struct before *b, uint32_t slot) {
  return cell(b, slot, "");
}

struct before_text before_cell(const struct before *b, const struct before_slot *at) {
  char more[32] = "";
  if (at->array != NULL)
    snprintf(more, sizeof more, " + %u * i%u", b->e->shape->slot[at->slot].bytes, at->index);
  return cell(b, at->slot, more);
}

void before_reject(struct before *b, const char *format, ...) {
  char condition[320];
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it was begun one line above */
  vsnprintf(condition, sizeof condition, format, list);
  va_end(list);
  emit_line(b->e, "if (%s) continue;", condition);
}

struct before_slot *before_find(const struct before *b, uint32_t slot) {
  for (uint32_t i = 0; i < b->changed.n; i++)
    if (b->changed.at[i].array == NULL && b->changed.at[i].slot == slot)
      return &b->changed.at[i];
  return NULL;
}

/* An element of the array of this slot that is not to be looked at, if its index says so. */
static const struct before_slot *unknown_element(const struct before *b, uint32_t slot,
                                                 const struct before_slot *mine) {
  for (uint32_t i = 0; i < b->changed.n; i++) {
    const struct before_slot *c = &b->changed.at[i];
    if (c != mine && c->array != NULL && !c->checked && slot >= c->slot &&
        slot < c->slot + c->array->length)
      return c;
  }
  return NULL;
}

struct before_text before_unless(const struct before *b, uint32_t slot,
                                 const struct before_slot *mine) {
  const struct before_slot *c = unknown_element(b, slot, mine);
  struct before_text text = {""};
  if (c != NULL)
    snprintf(text.at, sizeof text.at, "i%u != %u && ", c->index, slot - c->slot);
  return text;
}

/* ---- values ------------------------------------------------------------------------------ */

/* What slots of channels' messages have is not known here. */
static struct values ever(const struct before *b, uint32_t slot) {
  const struct ir_model *m = b->u->model;
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (!m->process[p]->is_property && m->process[p]->location_slot == slot)
      return values_between(0, (int64_t)m->process[p]->n_locations - 1);
  for (uint32_t i = 0; i < m->n_channels; i++)
    if (m->channel[i]->capacity > 0 && m->channel[i]->count_slot == slot)
      return values_between(0, m->channel[i]->capacity);
  return *bounds_ever(b->u->bounds, slot);
}

const struct before_space *before_space(struct before *b, uint32_t slot) {
  const uint32_t variable = b->e->shape->slot[slot].variable;
  struct before_space *s = &b->space[variable];
  if (s->state != BEFORE_NEW)
    return s;
  const struct ts_variable *v = &b->e->shape->variable[variable];
  struct values all = values_none();
  for (uint32_t i = 0; i < v->n_slots; i++) {
    const struct values one = ever(b, v->first_slot + i);
    values_unite(&all, &one);
  }
  s->state = BEFORE_MANY;
  if (values_count(&all) > BEFORE_SPACE || values_is_none(&all))
    return s;
  for (int64_t at = INT64_MIN; values_next(&all, &at);)
    s->value[s->n++] = (int32_t)at;
  s->dense = (int64_t)s->value[s->n - 1] - s->value[0] == (int64_t)s->n - 1;
  const bool fits = s->dense || (s->value[0] >= VALUES_FIRST &&
                                 s->value[s->n - 1] < VALUES_FIRST + VALUES_BITS);
  s->state = fits ? BEFORE_NUMBERED : BEFORE_MANY;
  return s;
}

uint64_t before_bits(const struct before_space *s, const struct values *values) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < s->n; i++)
    bits |= (uint64_t)values_have(values, s->value[i]) << i;
  return bits;
}

bool before_is_numbered(struct before *b, const struct before_slot *at) {
  if (before_space(b, at->slot)->state == BEFORE_NUMBERED)
    return true;
  const struct values *first = bounds_at(b->u->bounds, at->slot, b->from);
  for (uint32_t i = 0; i < (at->array == NULL ? 1 : at->array->length); i++) {
    const struct values *one = bounds_at(b->u->bounds, at->slot + i, b->from);
    b->fails |= b->u->pairs != NULL && b->u->pairs->number[at->slot + i] != TS_NONE;
    b->fails |= memcmp(first, one, sizeof *one) != 0;
  }
  return false;
}

static void print_numbers(struct emit *e, const struct before_space *s, uint32_t variable) {
  text_printf(&e->tables, "static const uint8_t number_%u[%u] = {", variable, VALUES_BITS);
  for (uint32_t i = 0, k = 0; i < VALUES_BITS; i++) {
    const bool is_value = k < s->n && s->value[k] - s->value[0] == (int32_t)i;
    text_printf(&e->tables, "%u,", is_value ? k++ : 0);
  }
  text_puts(&e->tables, "};\n");
}

static void print_values(struct emit *e, const struct before_space *s, uint32_t variable) {
  text_printf(&e->tables, "static const int32_t value_%u[%u] = {", variable, s->n);
  for (uint32_t i = 0; i < s->n; i++)
    text_printf(&e->tables, "%d,", (int)s->value[i]);
  text_puts(&e->tables, "};\n");
}

struct before_text before_number(struct before *b, uint32_t slot, const char *cell_text) {
  const uint32_t variable = b->e->shape->slot[slot].variable;
  struct before_space *s = &b->space[variable];
  struct before_text text;
  before_space(b, slot);
  if (s->dense && s->value[0] == 0) {
    snprintf(text.at, sizeof text.at, "(%s & 63)", cell_text);
  } else if (s->dense) {
    snprintf(text.at, sizeof text.at, "(((uint32_t)%s - %uu) & 63)", cell_text,
             (unsigned)s->value[0]);
  } else {
    if (!s->has_numbers)
      print_numbers(b->e, s, variable);
    s->has_numbers = true;
    snprintf(text.at, sizeof text.at, "number_%u[((uint32_t)%s - %uu) & 255]", variable,
             cell_text, (unsigned)s->value[0]);
  }
  return text;
}

struct before_text before_value(struct before *b, uint32_t slot, const char *number) {
  const uint32_t variable = b->e->shape->slot[slot].variable;
  struct before_space *s = &b->space[variable];
  struct before_text text;
  if (s->dense) {
    snprintf(text.at, sizeof text.at, "(int32_t)%s + %d", number, (int)s->value[0]);
  } else {
    if (!s->has_values)
      print_values(b->e, s, variable);
    s->has_values = true;
    snprintf(text.at, sizeof text.at, "value_%u[%s]", variable, number);
  }
  return text;
}

struct values before_values(const struct before *b, const struct before_slot *at,
                            bool is_ever) {
  const uint32_t n = at->array == NULL ? 1 : at->array->length;
  struct values all = values_none();
  for (uint32_t i = 0; i < n; i++) {
    const struct values *one = is_ever ? bounds_ever(b->u->bounds, at->slot + i)
                                       : bounds_at(b->u->bounds, at->slot + i, b->from);
    values_unite(&all, one);
  }
  return all;
}

/* The word of bits of up to 64 values from `low` on. */
static uint64_t window(const struct values *values, int32_t low) {
  uint64_t bits = 0;
  for (int64_t at = INT64_MIN; values_next(values, &at);)
    bits |= UINT64_C(1) << ((uint32_t)((int32_t)at - low) & 63);
  return bits;
}

void before_need(struct before *b, const struct values *values, const char *name,
                 const char *unless) {
  if (values_is_none(values)) {
    before_reject(b, "%s1", unless);
    b->over |= unless[0] == 0;
    return;
  }
  before_reject(b, "%s(%s < %d || %s > %d)", unless, name, (int)values->low, name,
                (int)values->high);
  const uint64_t width = (uint64_t)((int64_t)values->high - values->low);
  if (values_count(values) == width + 1)
    return;
  if (width < 64) {
    before_reject(b, "%s!(0x%llxull >> (uint32_t)(%s - %d) & 1)", unless,
                  (unsigned long long)window(values, values->low), name, (int)values->low);
    return;
  }
  const uint32_t table = b->sets++;
  text_printf(&b->e->tables, "static const uint64_t set_%u[%u] = {", table, VALUES_WORDS);
  for (uint32_t i = 0; i < VALUES_WORDS; i++)
    text_printf(&b->e->tables, "0x%llxull,", (unsigned long long)values->bit[i]);
  text_puts(&b->e->tables, "};\n");
  before_reject(b, "%s%s >= %d && %s <= %d && !(set_%u[%s + %d >> 6] >> (%s + %d & 63) & 1)",
                unless, name, VALUES_FIRST, name, VALUES_FIRST + VALUES_BITS - 1, table, name,
                -VALUES_FIRST, name, -VALUES_FIRST);
}
