/* vectors.c - adding packed states, and finding those of varying length.
 *
 * Where lengths vary, a state that does not fit into the rest of a segment goes
 * to the next one. Walking sees that from a header of all ones, which no length
 * has, or from a rest that is shorter than a header.
 */
#include "store/vectors.h"

#define VECTORS_LEAST 2048u /* bytes of the smallest segment */

void vectors_init(struct vectors *v, const struct pack *pack, struct budget *budget) {
  *v = (struct vectors){.pack = pack, .bytes = pack_bytes(pack), .header = pack_header(pack)};
  if (v->header == 0)
    segments_init(&v->data, budget, BUDGET_STORE, v->bytes, VECTORS_LEAST);
  else
    segments_init(&v->data, budget, BUDGET_STORE, 1,
                  v->bytes > VECTORS_LEAST ? v->bytes : VECTORS_LEAST);
  segments_init(&v->places, budget, BUDGET_STORE, 8, VECTORS_LEAST / 2);
}

void vectors_free(struct vectors *v) {
  segments_free(&v->data);
  segments_free(&v->places);
}

static uint64_t rest_of(const struct vectors *v, uint64_t at) {
  return segments_next(&v->data, at) - at;
}

static uint64_t no_length(const struct vectors *v) {
  return UINT64_MAX >> (64 - 8 * v->header);
}

static bool is_jump(const struct vectors *v, uint64_t at) {
  uint64_t header = 0;
  if (rest_of(v, at) < v->header)
    return true;
  memcpy(&header, segments_at(&v->data, at), v->header);
  return header == no_length(v);
}

const uint8_t *vectors_walk(const struct vectors *v, uint64_t i) {
  uint64_t at;
  memcpy(&at, segments_at(&v->places, i / VECTORS_BLOCK), sizeof at);
  for (uint32_t step = i % VECTORS_BLOCK;; step--) {
    if (is_jump(v, at))
      at = segments_next(&v->data, at);
    if (step == 0)
      return segments_at(&v->data, at);
    at += pack_size(v->pack, segments_at(&v->data, at));
  }
}

/* Where a state of so many bytes goes. */
static uint64_t start_for(const struct vectors *v, uint32_t bytes) {
  return rest_of(v, v->end) < bytes ? segments_next(&v->data, v->end) : v->end;
}

uint8_t *vectors_reserve(struct vectors *v, uint32_t bytes) {
  if (v->header == 0)
    return segments_make(&v->data, v->end);
  if (!segments_make(&v->places, v->n / VECTORS_BLOCK))
    return NULL;
  return segments_make(&v->data, start_for(v, bytes));
}

void vectors_commit(struct vectors *v, uint32_t bytes) {
  if (v->header == 0) {
    v->n = ++v->end;
    return;
  }
  uint64_t start = start_for(v, bytes), mark = UINT64_MAX;
  if (v->n % VECTORS_BLOCK == 0)
    memcpy(segments_at(&v->places, v->n / VECTORS_BLOCK), &start, sizeof start);
  else if (start != v->end && rest_of(v, v->end) >= v->header)
    memcpy(segments_at(&v->data, v->end), &mark, v->header);
  v->end = start + bytes;
  v->n++;
}

uint64_t vectors_used(const struct vectors *v) {
  return v->header == 0 ? v->n * v->bytes
                        : v->end + (v->n + VECTORS_BLOCK - 1) / VECTORS_BLOCK * 8;
}

uint64_t vectors_reserved(const struct vectors *v) {
  return v->data.reserved + v->places.reserved;
}
