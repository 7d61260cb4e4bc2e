/* marking.h - what can be asked of a marking: conditions and numbers over it.
 *
 * Built by the readers of invariants and of queries, evaluated for each new state. A term
 * is a tree; numbers of tokens are sums over places, so that a place with colours is one
 * node whatever their number.
 */
#ifndef CAIRN_NET_MARKING_H
#define CAIRN_NET_MARKING_H

#include "net/layout.h"

/*  kind            operands     value
 *  CONST           value
 *  TOKENS          place[n]     tokens in all of these places, and `value` more
 *  FIREABLE        place[n]     1 if one of these transitions is enabled
 *  BOUNDED         value        1 if no place holds more tokens than this
 *  DEAD            -            1 if no transition is enabled
 *  ADD SUB MUL     a, b
 *  NEG NOT         a
 *  LT LE EQ NE     a, b         0 or 1
 *  AND OR          a, b         0 or 1
 */
enum net_term_kind {
  NET_CONST,
  NET_TOKENS,
  NET_FIREABLE,
  NET_BOUNDED,
  NET_DEAD,
  NET_ADD,
  NET_SUB,
  NET_MUL,
  NET_NEG,
  NET_NOT,
  NET_LT,
  NET_LE,
  NET_EQ,
  NET_NE,
  NET_AND,
  NET_OR
};

struct net_term {
  enum net_term_kind kind;
  int64_t value;
  uint32_t n;
  const uint32_t *item; /* places or transitions of the net */
  const struct net_term *a, *b;
};

struct fire;

/* Numbers wrap at 64 bits. */
int64_t net_evaluate(const struct fire *, const struct net_term *, const uint8_t *state);

#endif
