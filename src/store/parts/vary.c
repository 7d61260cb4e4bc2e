/* vary.c - the units of a shape, and how they vary in a sample. See vary.h. */
#include "store/parts/vary.h"

#include "base/bits.h"

#include <string.h>

/* Slots are aligned by their size, so those that share bytes lie in the largest of them. */
static void find_extents(const struct ts_shape *shape, uint8_t *extent, uint32_t *mask) {
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    const struct ts_slot *slot = &shape->slot[i];
    if (extent[slot->offset] < slot->bytes)
      extent[slot->offset] = slot->bytes;
  }
  for (uint32_t i = 0, begin = 0, end = 0; i < ts_stride(shape); i++) {
    if (i >= end && extent[i] > 0) {
      begin = i;
      end = i + extent[i];
    } else if (i < end && i > begin) {
      extent[i] = 0;
    }
  }
  for (uint32_t i = 0; i < shape->n_slots; i++) {
    const struct ts_slot *slot = &shape->slot[i];
    uint32_t begin = slot->offset;
    while (extent[begin] == 0)
      begin--;
    if (slot->bits > 0)
      mask[begin] |= UINT32_MAX >> (32 - slot->bits) << 8 * (slot->offset - begin);
  }
}

static void list_units(struct vary *v, const struct ts_shape *shape, const uint8_t *extent,
                       const uint32_t *mask) {
  uint32_t component = 0;
  for (uint32_t i = 0; i < ts_stride(shape); i++) {
    while (component + 1 < shape->n_components && shape->component[component + 1].offset <= i)
      component++;
    if (mask[i] != 0)
      v->unit[v->n_units++] = (struct vary_unit){
          .offset = i, .bytes = extent[i], .component = component, .mask = mask[i]};
  }
}

static bool varies(const struct vary *v, const struct vary_unit *unit) {
  uint32_t first = vary_value(v, unit, 0), r = 1;
  while (r < v->n_rows && vary_value(v, unit, r) == first)
    r++;
  return r < v->n_rows;
}

bool vary_open(struct vary *v, const struct ts_shape *shape, const struct ts_batch *sample,
               uint32_t rows, struct budget *budget) {
  size_t stride = ts_stride(shape);
  size_t size = stride * (sizeof(uint32_t) + 1);
  *v = (struct vary){.budget = budget, .sample = sample};
  v->n_rows = sample->n < rows ? sample->n : rows;
  v->step = v->n_rows == 0 ? 0 : sample->n / v->n_rows * sample->stride;
  v->set_slots = 1u << bits_for(2 * (uint64_t)v->n_rows);
  v->size = v->set_slots * sizeof *v->set + shape->n_slots * sizeof *v->unit;
  uint32_t *mask = budget_alloc(budget, BUDGET_OTHER, size);
  v->set = mask == NULL ? NULL : budget_alloc(budget, BUDGET_OTHER, v->size);
  if (v->set != NULL) {
    uint8_t *extent = (uint8_t *)(mask + stride);
    v->unit = (struct vary_unit *)(v->set + v->set_slots);
    find_extents(shape, extent, mask);
    list_units(v, shape, extent, mask);
    for (uint32_t i = 0; i < v->n_units; i++)
      v->unit[i].varies = varies(v, &v->unit[i]);
  }
  budget_free(budget, BUDGET_OTHER, mask, size);
  return v->set != NULL;
}

void vary_close(struct vary *v) {
  budget_free(v->budget, BUDGET_OTHER, v->set, v->size);
  *v = (struct vary){0};
}

void vary_flip(const struct vary *v, uint32_t unit, uint64_t *sum) {
  for (uint32_t r = 0; r < v->n_rows; r++) {
    uint64_t value = vary_value(v, &v->unit[unit], r) | (uint64_t)(unit + 1) << 32;
    sum[r] ^= bits_next_random(&value);
  }
}

uint32_t vary_count(const struct vary *v, const uint64_t *sum, uint32_t rows) {
  uint32_t count = 0, mask = v->set_slots - 1;
  memset(v->set, 0, v->set_slots * sizeof *v->set);
  for (uint32_t r = 0; r < rows; r++) {
    uint64_t value = sum[r] | 1;
    uint32_t at = (uint32_t)(value >> 32) & mask;
    while (v->set[at] != 0 && v->set[at] != value)
      at = (at + 1) & mask;
    count += v->set[at] == 0;
    v->set[at] = value;
  }
  return count;
}
