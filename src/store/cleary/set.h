/* set.h - what a cleary set consists of, for the files below cleary.c. */
#ifndef CAIRN_STORE_CLEARY_SET_H
#define CAIRN_STORE_CLEARY_SET_H

#include "base/budget.h"

struct cleary_key {
  uint32_t order, a, b;
};

struct cleary_entry {
  struct cleary_key key;
  uint64_t extra; /* the opaque bits */
};

/* How entries are laid out in memory, which changes as the set grows. */
struct cleary_layout {
  uint64_t homes;      /* buckets that an order may lead to */
  uint32_t slots;      /* per bucket */
  uint32_t width;      /* bits of a slot, without the opaque ones */
  uint32_t order_bits; /* low bits of the order that are kept */
  uint32_t a_bits, b_bits;
};

struct cleary {
  uint8_t *memory;
  struct cleary_layout layout;
  uint32_t total_bits; /* of `order` */
  uint32_t extra_bits;
  uint64_t entries; /* strays included */
  uint64_t grow_at;
  uint64_t lost;       /* entries for which there was no memory while growing */
  uint64_t taken;      /* buckets taken from the end, for good */
  uint64_t given_back; /* bytes of them */
  uint64_t n_strays, stray_capacity;
  struct cleary_entry *stray; /* entries that found no place within reach */
  struct budget *budget;
  enum budget_purpose purpose;
};

#endif
