/* array.c - heap below 16 KiB, mappings above, huge pages from 32 MiB on. */
#include "base/array.h"

#include <string.h>

#define ARRAY_MAP (16u << 10) /* bytes from which on an array is a mapping */

uint64_t array_size(uint64_t bytes) {
  uint64_t unit = bytes >= 16 * BUDGET_HUGE ? BUDGET_HUGE : bytes >= ARRAY_MAP ? 4096 : 1;
  return (bytes + unit - 1) / unit * unit;
}

void *array_resize(struct budget *budget, enum budget_purpose purpose, void *old,
                   uint64_t old_bytes, uint64_t bytes) {
  old_bytes = array_size(old_bytes);
  bytes = array_size(bytes);
  if (bytes < ARRAY_MAP)
    return budget_realloc(budget, purpose, old, old_bytes, bytes);
  if (old_bytes >= ARRAY_MAP)
    return budget_remap(budget, purpose, old, old_bytes, bytes, bytes >= BUDGET_HUGE);
  void *new = budget_map(budget, purpose, bytes, bytes >= BUDGET_HUGE);
  if (new &&old) {
    memcpy(new, old, old_bytes);
    budget_free(budget, purpose, old, old_bytes);
  }
  return new;
}

void array_free(struct budget *budget, enum budget_purpose purpose, void *old, uint64_t bytes) {
  bytes = array_size(bytes);
  if (bytes >= ARRAY_MAP)
    budget_unmap(budget, purpose, old, bytes);
  else
    budget_free(budget, purpose, old, bytes);
}

void *array_grow(struct budget *budget, enum budget_purpose purpose, void *old, uint64_t *room,
                 size_t item) {
  uint64_t bytes = array_size((*room + *room / 2 + 8) * item);
  void *new = array_resize(budget, purpose, old, *room * item, bytes);
  if (new)
    *room = bytes / item;
  return new;
}
