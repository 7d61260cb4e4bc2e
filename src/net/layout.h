/* layout.h - where the tokens of each place are in the state vector.
 *
 * A slot is a unit or a counter. A unit is a set of places that hold one token together in
 * every marking, as the states of a sequential part do: its value is which of them has it.
 * Any other place has a counter. (Units are known from nested-unit nets; here they are
 * found, not given.) So a philosopher of five places takes one byte, and which of his
 * transitions may be enabled is read from it.
 */
#ifndef CAIRN_NET_LAYOUT_H
#define CAIRN_NET_LAYOUT_H

#include "net/net.h"

struct net_slot {
  uint32_t offset;
  uint8_t bytes; /* 1, 2 or 4 */
  bool is_unit;
  bool is_bounded;       /* of a counter: `most` is proven, not only what there is room for */
  uint32_t most;         /* largest value */
  uint32_t n_places;     /* 1 for a counter */
  const uint32_t *place; /* of a unit: by value */
  uint32_t initial;
};

struct net_spot {       /* of a place */
  uint32_t slot, value; /* value: of the unit when the token is there */
};

struct net_layout {
  uint32_t n_slots, bytes; /* bytes: a multiple of 8 */
  struct net_slot *slot;   /* ascending by offset: 4 bytes, 2 bytes, units of one, others */
  struct net_spot *spot;   /* [place] */
  /* Offsets where slots of one byte begin, units and then counters, and where they end. */
  uint32_t unit_begin, counter_begin, counter_end;
};

/* Counters without a proven bound get this many bits: 8, 16 or 32. NULL, with a sentence in
 * *why, if the vector would be too long. */
struct net_layout *net_layout(const struct net *, uint32_t bits, const char **why);

/* Tokens of a place in a state. */
uint32_t net_tokens(const struct net_layout *, uint32_t place, const uint8_t *state);

#endif
