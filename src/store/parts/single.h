/* single.h - the parts of one row by itself, at one top.
 *
 * Where it is known what a row differs in from a state whose parts have numbers, only these
 * tops are looked at, and whether a part is the one that has a certain number is seen from
 * the keys, without any search. parts.h is for rows of which nothing is known.
 */
#ifndef CAIRN_STORE_PARTS_SINGLE_H
#define CAIRN_STORE_PARTS_SINGLE_H

#include "store/parts/parts.h"

/* A row to be looked at. */
struct single {
  const uint8_t *row;
  uint32_t length;
};

/* `down` in this file: a worker's numbers of parts, see parts.h.
 *
 * Has the row the part at this top that has this number, which some part has? `native`
 * in this file is a constant, false if p->cut.native is. */
CUT_INLINE bool single_is(const struct parts *p, uint32_t *down, const struct single *row,
                          uint32_t top, uint32_t number, bool native) {
  const struct parts_span *span = &p->span[top];
  uint32_t place = p->top[top];
  uint64_t differs = 0;
  if (place < p->leaves)
    return p->place[place].nodes.key[number] ==
           cut_leaf(&p->cut, place, row->row, row->length, native);
  down[place] = number;
  for (; place >= span->inner; place--) {
    const struct parts_place *at = &p->place[place];
    uint64_t pair = at->nodes.key[down[place]];
    down[at->left] = (uint32_t)pair;
    down[at->right] = (uint32_t)(pair >> 32);
  }
  for (uint32_t k = span->leaf; k < span->leaf_end; k++)
    differs |=
        p->place[k].nodes.key[down[k]] ^ cut_leaf(&p->cut, k, row->row, row->length, native);
  return differs == 0;
}

/* The number of a key at a place, a new one if `add`. */
CUT_INLINE uint32_t single_key(struct parts *p, uint32_t place, uint64_t key, bool add) {
  struct nodes *nodes = &p->place[place].nodes;
  uint64_t hash = nodes_hash(nodes, key);
  uint32_t number = nodes_find(nodes, key, hash);
  if (number == NODES_NONE && add)
    number = nodes_add(nodes, p->budget, BUDGET_STORE, key, hash);
  return number;
}

/* The number of the row's part at a top; NODES_NONE: it has none or, if `add`, memory ran
 * out. */
CUT_INLINE uint32_t single_number(struct parts *p, uint32_t *down, const struct single *row,
                                  uint32_t top, bool add, bool native) {
  const struct parts_span *span = &p->span[top];
  uint32_t number = NODES_NONE;
  for (uint32_t k = span->leaf; k < span->leaf_end; k++) {
    uint64_t leaf = cut_leaf(&p->cut, k, row->row, row->length, native);
    number = down[k] = single_key(p, k, leaf, add);
    if (number == NODES_NONE)
      return NODES_NONE;
  }
  for (uint32_t k = span->inner; k <= p->top[top] && k >= p->leaves; k++) {
    uint64_t pair = down[p->place[k].left] | (uint64_t)down[p->place[k].right] << 32;
    number = down[k] = single_key(p, k, pair, add);
    if (number == NODES_NONE)
      return NODES_NONE;
  }
  return number;
}

#endif
