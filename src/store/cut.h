/* cut.h - the leaves of many rows, from what differs between them.
 *
 * A leaf is up to 64 neighbouring bits of the packed state. Rows that follow each other
 * are successors of one state or of two, so nearly all words of a row are those of the
 * row before: only what differs is packed, and only the leaves that it lies in are touched.
 * Packing moves bits and is linear, so a leaf changes by the packed difference. See cut.c.
 */
#ifndef CAIRN_STORE_CUT_H
#define CAIRN_STORE_CUT_H

#include "ts/ts.h"

#include "base/budget.h"

#define CUT_ROWS 64u /* at once */

/* Bits of a word that go to one leaf. */
struct cut_piece {
  uint64_t mask;
  uint32_t leaf;
  uint32_t shift; /* to their place there */
};

struct cut {
  struct budget *budget;
  uint32_t words, leaves;
  bool fixed, native; /* native: pext */
  size_t size;
  struct cut_piece *piece;
  uint32_t *start; /* [words + 2]: first piece of each word; the last one is the length */
  uint64_t *now;   /* [leaves]: of the row before */
  uint8_t *last;   /* the row before; at first zeros, and so are its leaves */
  uint32_t length, stride; /* length: of the row before */
};

/* Leaf k of the packed state, which begins with `header` bits of the row's length, ends in
 * front of bit end[k]. False if the budget is spent. `native`: the processor has
 * pext and 32-byte vectors. */
bool cut_open(struct cut *, const struct ts_shape *, struct budget *, uint32_t header,
              const uint32_t *end, uint32_t leaves, bool native);
void cut_close(struct cut *);

/* Rows [from, from + n), n at most CUT_ROWS: bit i of differs[k] tells whether leaf k of row
 * from + i is not that of the row before, which for the first one is the last of the call
 * before. Leaf k of row from + i is put to key[k * CUT_ROWS + i] where it differs, for the
 * first row, and if there is only one leaf. */
void cut_rows(struct cut *, const struct ts_batch *, uint32_t from, uint32_t n, uint64_t *key,
              uint64_t *differs);

#endif
