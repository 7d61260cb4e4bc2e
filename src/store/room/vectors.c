/* vectors.c - adding packed states.
 *
 * Where lengths vary, a state that does not fit into the rest of a segment goes
 * to the next one, so a distance within a block is less than twice its longest states.
 */
#include "store/room/vectors.h"

#define VECTORS_LEAST 2048u /* bytes of the smallest segment */
#define VECTORS_SHORT 96u   /* up to that many bytes, all states get room for the longest */

void vectors_init(struct vectors *v, const struct pack *pack, struct budget *budget) {
  *v = (struct vectors){.pack = pack, .bytes = pack_bytes(pack), .header = pack_header(pack)};
  v->fixed = v->header == 0 || (!pack_is_sparse(pack) && v->bytes <= VECTORS_SHORT);
  uint64_t most = v->bytes + UINT64_C(16); /* a user may round sizes up */
  v->distance = 2 * VECTORS_BLOCK * most <= UINT16_MAX ? 2 : 4;
  if (v->fixed)
    segments_init(&v->data, budget, BUDGET_STORE, v->bytes, VECTORS_LEAST);
  else
    segments_init(&v->data, budget, BUDGET_STORE, 1,
                  most > VECTORS_LEAST ? most : VECTORS_LEAST);
  segments_init(&v->places, budget, BUDGET_STORE, 8 + VECTORS_BLOCK * v->distance,
                VECTORS_LEAST / VECTORS_BLOCK);
}

void vectors_free(struct vectors *v) {
  segments_free(&v->data);
  segments_free(&v->places);
}

bool vectors_extend(struct vectors *v, uint32_t bytes) {
  if (!v->fixed && v->n % VECTORS_BLOCK == 0) {
    v->place = segments_make(&v->places, v->n / VECTORS_BLOCK);
    if (!v->place)
      return false;
  }
  if (v->left >= (v->fixed ? 1 : bytes))
    return true;
  uint64_t start = v->left > 0 ? segments_next(&v->data, v->end) : v->end;
  uint8_t *at = segments_make(&v->data, start);
  if (!at)
    return false;
  v->at = at;
  v->end = start;
  v->left = segments_next(&v->data, start) - start;
  return true;
}

/* Keeps where the next state, of varying length, is. */
void vectors_commit_distance(struct vectors *v) {
  uint64_t first;
  if (v->n % VECTORS_BLOCK == 0)
    memcpy(v->place, &v->end, sizeof v->end);
  memcpy(&first, v->place, sizeof first);
  uint32_t distance = (uint32_t)(v->end - first);
  memcpy(v->place + 8 + v->n % VECTORS_BLOCK * v->distance, &distance, v->distance);
}

void vectors_release(struct vectors *v, uint64_t i) {
  if (v->fixed) {
    segments_release(&v->data, i);
    return;
  }
  uint64_t start;
  memcpy(&start, segments_at(&v->places, i / VECTORS_BLOCK), sizeof start);
  segments_release(&v->data, start);
  segments_release(&v->places, i / VECTORS_BLOCK);
}

uint64_t vectors_used(const struct vectors *v) {
  return v->fixed ? v->n * v->bytes
                  : v->end + (v->n + VECTORS_BLOCK - 1) / VECTORS_BLOCK * v->places.item;
}

uint64_t vectors_reserved(const struct vectors *v) {
  return v->data.reserved + v->places.reserved;
}
