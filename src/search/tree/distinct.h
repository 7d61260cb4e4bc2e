/* distinct.h - how many different states were reached, as an estimate.
 *
 * A search that forgets cannot tell a revisited state from a new one. From 16,384 bytes
 * the number of different ones is estimated with a standard error of 0.8 %.
 */
#ifndef CAIRN_SEARCH_TREE_DISTINCT_H
#define CAIRN_SEARCH_TREE_DISTINCT_H

#include <stdint.h>

#define DISTINCT_REGISTERS 16384u

/* Notes a state by its finished hash, in DISTINCT_REGISTERS bytes, zero at first. */
static inline void distinct_note(uint8_t *registers, uint64_t hash) {
  hash *= UINT64_C(0x9E3779B97F4A7C15); /* the store goes by the high bits as they are */
  uint8_t rank = (uint8_t)(__builtin_clzll((hash << 14) | 1u << 13) + 1);
  uint8_t *at = &registers[hash >> 50];
  *at = rank > *at ? rank : *at;
}

uint64_t distinct_count(const uint8_t *registers);

#endif
