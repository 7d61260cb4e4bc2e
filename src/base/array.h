/* array.h - arrays that grow without a second copy where they are large.
 *
 * Small ones are blocks of the heap, larger ones mappings, which grow where they are or
 * are moved by page tables.
 */
#ifndef CAIRN_BASE_ARRAY_H
#define CAIRN_BASE_ARRAY_H

#include "base/budget.h"

#include <stdint.h>

/* An array of other size, new bytes zero; NULL, and nothing changed, if memory ran
 * out. Sizes are rounded up as array_size() does. */
void *array_resize(struct budget *, enum budget_purpose, void *old, uint64_t old_bytes,
                   uint64_t bytes);
void array_free(struct budget *, enum budget_purpose, void *, uint64_t bytes);

/* The least size for that many bytes. */
uint64_t array_size(uint64_t bytes);

/* An array of `*room` items of `item` bytes with room for half as many more, and for some more
 * at least; the same as array_resize otherwise. */
void *array_grow(struct budget *, enum budget_purpose, void *old, uint64_t *room, size_t item);

#endif
