/* vectors.c - adding packed states.
 *
 * Where lengths vary, a state that does not fit into the rest of a segment goes
 * to the next one, so a distance within a block is less than twice its longest states.
 */
#include "store/vectors.h"

#define VECTORS_LEAST 2048u /* bytes of the smallest segment */
#define VECTORS_SHORT 96u   /* up to so many bytes, all states get room for the longest */

void vectors_init(struct vectors *v, const struct pack *pack, struct budget *budget) {
  *v = (struct vectors){.pack = pack, .bytes = pack_bytes(pack), .header = pack_header(pack)};
  v->fixed = v->header == 0 || (!pack_is_sparse(pack) && v->bytes <= VECTORS_SHORT);
  v->distance = 2 * VECTORS_BLOCK * (uint64_t)v->bytes <= UINT16_MAX ? 2 : 4;
  if (v->fixed)
    segments_init(&v->data, budget, BUDGET_STORE, v->bytes, VECTORS_LEAST);
  else
    segments_init(&v->data, budget, BUDGET_STORE, 1,
                  v->bytes > VECTORS_LEAST ? v->bytes : VECTORS_LEAST);
  segments_init(&v->places, budget, BUDGET_STORE, 8 + VECTORS_BLOCK * v->distance,
                VECTORS_LEAST / VECTORS_BLOCK);
}

void vectors_free(struct vectors *v) {
  segments_free(&v->data);
  segments_free(&v->places);
}

/* Where a state of so many bytes goes. */
static uint64_t start_for(const struct vectors *v, uint32_t bytes) {
  uint64_t next = segments_next(&v->data, v->end);
  return next - v->end < bytes ? next : v->end;
}

uint8_t *vectors_reserve(struct vectors *v, uint32_t bytes) {
  if (v->fixed)
    return segments_make(&v->data, v->end);
  if (!segments_make(&v->places, v->n / VECTORS_BLOCK))
    return NULL;
  return segments_make(&v->data, start_for(v, bytes));
}

void vectors_commit(struct vectors *v, uint32_t bytes) {
  if (v->fixed) {
    v->n = ++v->end;
    return;
  }
  uint64_t start = start_for(v, bytes), first;
  uint8_t *place = segments_at(&v->places, v->n / VECTORS_BLOCK);
  if (v->n % VECTORS_BLOCK == 0)
    memcpy(place, &start, sizeof start);
  memcpy(&first, place, sizeof first);
  uint32_t distance = (uint32_t)(start - first);
  memcpy(place + 8 + v->n % VECTORS_BLOCK * v->distance, &distance, v->distance);
  v->end = start + bytes;
  v->n++;
}

uint64_t vectors_used(const struct vectors *v) {
  return v->fixed ? v->n * v->bytes
                  : v->end + (v->n + VECTORS_BLOCK - 1) / VECTORS_BLOCK * v->places.item;
}

uint64_t vectors_reserved(const struct vectors *v) {
  return v->data.reserved + v->places.reserved;
}
