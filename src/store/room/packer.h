/* packer.h - rows packed by a worker, those that are long from the state they were reached
 * from.
 *
 * The states are vectors by number, which stay where they are; see ts/patch.h.
 */
#ifndef CAIRN_STORE_ROOM_PACKER_H
#define CAIRN_STORE_ROOM_PACKER_H

#include "store/room/vectors.h"
#include "store/rows.h"

#include "ts/patch.h"

struct packer {
  const struct vectors *vectors;
  struct patch *patch; /* NULL: rows are packed whole */
  uint64_t from;       /* the number of the state that it packs from, UINT64_MAX: none */
};

/* shape NULL: rows are always packed whole. False if the budget is exhausted. */
static inline bool packer_open(struct packer *p, const struct vectors *vectors,
                               const struct ts_shape *shape, struct budget *budget) {
  *p = (struct packer){.vectors = vectors, .from = UINT64_MAX};
  if (shape == NULL)
    return true;
  p->patch = patch_open(vectors->pack, shape, budget);
  return p->patch != NULL;
}

/* What it takes of BUDGET_STORE. */
static inline size_t packer_bytes(const struct pack *pack, const struct ts_shape *shape) {
  return shape == NULL ? 0 : patch_bytes(pack);
}

static inline void packer_close(struct packer *p) {
  patch_close(p->patch);
}

/* A row whose parent is not known is packed whole. */
static inline uint32_t packer_patch(struct packer *p, const struct rows *rows, uint32_t i,
                                    uint8_t *packed) {
  const struct ts_edge *edge = &rows->batch.edge[i];
  uint64_t parent = rows->has_parents ? rows->parent[i] : UINT64_MAX;
  if (parent >= p->vectors->n)
    return pack_row(p->vectors->pack, rows_at(rows, i), edge->length, packed);
  if (p->from != parent)
    patch_from(p->patch, vectors_at(p->vectors, parent));
  p->from = parent;
  return patch_row(p->patch, rows_at(rows, i), edge, packed);
}

/* Row i; returns its bytes. As pack_row(). */
static inline uint32_t packer_row(struct packer *p, const struct rows *rows, uint32_t i,
                                  uint8_t *packed) {
  return __builtin_expect(p->patch != NULL, 0)
             ? packer_patch(p, rows, i, packed)
             : pack_row(p->vectors->pack, rows_at(rows, i), rows->batch.edge[i].length, packed);
}

/* Rows [from, to); as pack_rows(). */
static inline void packer_rows(struct packer *p, const struct rows *rows, uint32_t from,
                               uint32_t to, uint8_t *packed, uint32_t *bytes) {
  if (p->patch == NULL) {
    pack_rows(p->vectors->pack, &rows->batch, from, to, packed, bytes);
    return;
  }
  for (; from < to; from++, packed += pack_room(p->vectors->pack))
    *bytes++ = packer_patch(p, rows, from, packed);
}

#endif
