/* cut.h - the leaves of many rows, from what differs between them.
 *
 * A leaf is up to 64 neighbouring bits of the packed state. Rows that follow each other
 * are successors of one state or of two, so nearly all words of a long row are those of the
 * row before: only what differs is packed, and only the leaves that it is in are touched.
 * Packing moves bits and is linear, so a leaf changes by the packed difference. Short rows
 * are packed whole. See cut.c.
 */
#ifndef CAIRN_STORE_PARTS_CUT_H
#define CAIRN_STORE_PARTS_CUT_H

#include "ts/ts.h"

#include "base/budget.h"

#include <string.h>

#define CUT_ROWS 64u /* at once */

#if defined(__x86_64__)
#include <immintrin.h>
#define CUT_NATIVE __attribute__((target("avx2,bmi,bmi2")))
#endif

#define CUT_INLINE static inline __attribute__((always_inline))

/* Bits of a word that go to one leaf, in their order. */
struct cut_piece {
  uint64_t mask;
  uint32_t leaf;
  uint16_t word;
  uint16_t shift; /* to their place there */
};

struct cut {
  struct budget *budget;
  uint32_t words, leaves, stride;
  bool fixed;  /* rows are equally long: no leaf has the length */
  bool native; /* pext, pdep */
  bool whole;  /* there are so few pieces that rows are packed whole */
  size_t size;
  struct cut_piece *piece; /* word by word, */
  uint32_t *start;         /* [words + 2]: of each word the first; the last one is the length */
  struct cut_piece *of;    /* the same leaf by leaf, without those of the length, */
  uint32_t *first;         /* [leaves + 1]: of each leaf the first */
  uint64_t length_mask;    /* of the first leaf */
};

/* What one who cuts rows remembers of the row before; at first zeros, and so are its leaves. */
struct cut_before {
  uint64_t *leaf; /* [leaves] */
  uint8_t *row;   /* [stride] */
  uint32_t length;
};

struct cut_plan {
  uint32_t header;       /* bits of a row's length, in front */
  uint32_t leaves;       /* at least one, which the header is in */
  const uint32_t *end;   /* [leaves]: leaf k ends in front of this bit */
  const uint64_t *front; /* masks of the words of a row: these bits are in the front half of the
                          * packed state, and all others follow them; NULL: words follow each
                          * other */
  bool native;           /* the processor has pext, pdep and 32-byte vectors */
};

/* False if the budget is exhausted. The plan is read only now. */
bool cut_open(struct cut *, const struct ts_shape *, struct budget *, const struct cut_plan *);
void cut_close(struct cut *);

/* The bits of a word that a mask names, next to each other. */
static inline uint64_t cut_bits_portable(uint64_t word, uint64_t mask) {
  uint64_t bits = 0;
  for (word &= mask; word; word &= word - 1) {
    uint64_t bit = word & -word;
    bits |= UINT64_C(1) << __builtin_popcountll(mask & (bit - 1));
  }
  return bits;
}

#ifdef CUT_NATIVE
CUT_NATIVE static inline uint64_t cut_bits_native(uint64_t word, uint64_t mask) {
  return _pext_u64(word, mask);
}
#else
#define cut_bits_native cut_bits_portable
#endif

/* One leaf of one row. `native` is a constant, false if cut->native is. */
CUT_INLINE uint64_t cut_leaf(const struct cut *c, uint32_t leaf, const uint8_t *row,
                             uint32_t length, bool native) {
  const struct cut_piece *piece = c->of + c->first[leaf], *end = c->of + c->first[leaf + 1];
  uint64_t bits = leaf == 0 && !c->fixed ? length : 0;
  for (; piece < end; piece++) {
    uint64_t word;
    memcpy(&word, row + 8 * piece->word, sizeof word);
    word = native ? cut_bits_native(word, piece->mask) : cut_bits_portable(word, piece->mask);
    bits |= word << piece->shift;
  }
  return bits;
}

/* Rows [from, from + n), n at most CUT_ROWS: bit i of differs[k] shows whether leaf k of row
 * from + i is not that of the row before, which for the first one is the last of the call
 * before. Leaf k of row from + i is put to key[k * CUT_ROWS + i] where it differs, for the
 * first row, and if there is only one leaf. */
void cut_rows(const struct cut *, struct cut_before *, const struct ts_batch *, uint32_t from,
              uint32_t n, uint64_t *key, uint64_t *differs);

/* The reverse: the words of a row from its leaves, up to the stride, without the copies of
 * signs. */
void cut_join(const struct cut *, const uint64_t *leaf, uint8_t *row);

#endif
