/* once.h - letting states go to which nothing leads any more. Private to this folder.
 *
 * Such a state may go when it is closed. Whether it is closed is a bit in the store, which
 * travels with the state.
 */
#ifndef CAIRN_SEARCH_FORGET_ONCE_H
#define CAIRN_SEARCH_FORGET_ONCE_H

#include "search/forget/forget.h"

struct once {
  struct forget_config config;
  uint8_t *row;
};

/* False if the budget is exhausted; it can be ended then, too. */
bool once_begin(struct once *, const struct forget_config *);
void once_end(struct once *);

static inline uint64_t once_bits(const struct once *o, uint64_t ref) {
  return o->config.store_kind->bits(o->config.work, ref);
}

static inline void once_set_bits(const struct once *o, uint64_t ref, uint64_t bits) {
  o->config.store_kind->set_bits(o->config.work, ref, bits);
}

/* The finished hash of a state; `row` NULL: it is asked for. */
uint64_t once_hash(const struct once *, uint64_t ref, const uint8_t *row, uint32_t length);
/* Takes a state out of the store. False: memory does not allow that, and it stays. */
bool once_forget(const struct once *, uint64_t ref, uint64_t hash);

#endif
