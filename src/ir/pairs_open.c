/* pairs_open.c - of which slots it is looked at what values they have together.
 */
#include "ir/pairs.h"

#include <string.h>

#define MOST_ENTRIES (UINT64_C(1) << 19)

static bool is_looked_at(const struct ir_process *p, const bool *looked) {
  return !p->is_property && (looked == NULL || looked[p->index]);
}

/* Variables alone: where a process may not be there, its place is zero. */
static void values_of_variables(const struct ir_model *m, const struct ts_shape *shape,
                                const struct bounds *bounds, const bool *looked,
                                struct values *all) {
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    const struct ts_variable *v = &shape->variable[shape->slot[i].variable];
    all[i] = v->channel > 0 || shape->slot[i].bits == 0 || v->given_most > 0
                 ? values_none()
                 : *bounds_ever(bounds, i);
  }
  for (uint32_t p = 0; p < m->n_processes; p++)
    for (uint32_t k = 0; is_looked_at(m->process[p], looked) && k < m->process[p]->n_variables;
         k++) {
      const struct ir_variable *v = m->process[p]->variable[k];
      const struct values zero = looked == NULL ? values_none() : values_one(0);
      for (uint32_t i = 0; !v->is_const && i < v->length; i++) {
        all[v->first_slot + i] = *bounds_ever(bounds, v->first_slot + i);
        values_unite(&all[v->first_slot + i], &zero);
      }
    }
}

/* By slot; none: it is not looked at. */
static struct values *values_of_slots(const struct ir_model *m, const struct ts_shape *shape,
                                      const struct bounds *bounds, const bool *looked) {
  struct values *all = ARENA_ARRAY(m->arena, shape->n_slots + (size_t)1, struct values);
  values_of_variables(m, shape, bounds, looked, all);
  for (uint32_t p = 0; p < m->n_processes; p++)
    if (is_looked_at(m->process[p], looked))
      all[m->process[p]->location_slot] =
          values_between(0, (int64_t)m->process[p]->n_locations - 1);
  for (uint32_t i = 0; i < m->n_channels; i++) {
    const struct ir_channel *c = m->channel[i];
    if (c->capacity > 0 && (c->owner == NULL || is_looked_at(c->owner, looked)))
      all[c->count_slot] = values_between(0, c->capacity);
  }
  return all;
}

static bool is_taken(const struct values *values, uint32_t most) {
  return values_count(values) > 1 && values_count(values) <= most &&
         values->low >= VALUES_FIRST && values->high < VALUES_FIRST + VALUES_BITS;
}

/* Slots with at most so many values, that the table is not too large. */
static uint32_t most_values(const struct values *values, uint32_t n_slots) {
  for (uint32_t most = PAIRS_VALUES; most > 1; most /= 2) {
    uint64_t n = 0, rows = 0;
    for (uint32_t i = 0; i < n_slots; i++)
      if (is_taken(&values[i], most)) {
        n++;
        rows += values_count(&values[i]);
      }
    if (n > 1 && n * rows <= MOST_ENTRIES)
      return most;
  }
  return 0;
}

static struct pairs *number_slots(struct arena *arena, const struct values *values,
                                  uint32_t n_slots, const uint32_t **n_values) {
  const uint32_t most = most_values(values, n_slots);
  if (most == 0)
    return NULL;
  struct pairs *p = ARENA_NEW(arena, struct pairs);
  uint32_t *number = ARENA_ARRAY(arena, n_slots, uint32_t), rows = 0;
  for (uint32_t i = 0; i < n_slots; i++)
    number[i] = is_taken(&values[i], most) ? p->n++ : TS_NONE;
  uint32_t *slot = ARENA_ARRAY(arena, p->n, uint32_t);
  uint32_t *first = ARENA_ARRAY(arena, p->n, uint32_t);
  uint32_t *count = ARENA_ARRAY(arena, p->n, uint32_t);
  uint8_t *index = arena_array(arena, p->n, 256);
  memset(index, PAIRS_NO_VALUE, 256 * (size_t)p->n);
  for (uint32_t i = 0; i < n_slots; i++) {
    const uint32_t k = number[i];
    if (k == TS_NONE)
      continue;
    slot[k] = i;
    first[k] = rows;
    for (int64_t v = INT64_MIN; values_next(&values[i], &v);)
      index[256 * k + (uint32_t)(v - VALUES_FIRST)] = (uint8_t)count[k]++;
    rows += count[k];
  }
  p->number = number;
  p->slot = slot;
  p->first = first;
  p->index = index;
  p->with = ARENA_ARRAY(arena, (uint64_t)rows * p->n, uint64_t);
  *n_values = count;
  return p;
}

struct pairs *pairs_open(const struct ir_model *m, const struct ts_shape *shape,
                         const struct bounds *bounds, const bool *looked,
                         const uint32_t **n_values) {
  return number_slots(m->arena, values_of_slots(m, shape, bounds, looked), shape->n_slots,
                      n_values);
}
