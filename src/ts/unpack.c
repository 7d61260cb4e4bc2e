/* unpack.c - from the bits of a packed row to the row. See pack.c. */
#include "ts/pack.h"
#include "ts/pack_form.h"

/* The 64 bits from bit `from` on; those after the end of what is needed are
 * arbitrary. */
static inline uint64_t bits_from(const uint8_t *packed, uint32_t from, uint32_t bits) {
  const uint8_t *at = packed + from / 8;
  uint32_t shift = from % 8;
  uint64_t value = pack_load(at) >> shift;
  if (shift + bits > 64)
    value |= (uint64_t)at[8] << (64 - shift);
  return value;
}

static uint64_t spread(uint64_t word, uint64_t mask, const struct pack_moves *moves) {
  uint32_t bits = (uint32_t)__builtin_popcountll(mask);
  word &= bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
  for (uint32_t i = 6; i-- > 0;) {
    uint64_t moved = word & moves->step[i] >> (1u << i);
    word = (word ^ moved) | moved << (1u << i);
  }
  return word;
}

typedef uint64_t bits_of(const struct pack_word *, const struct pack_moves *, uint64_t bits);

PACK_INLINE uint64_t spread_out(const struct pack_word *w, const struct pack_moves *moves,
                                uint64_t bits) {
  return spread(bits, w->mask, moves);
}

#ifdef PACK_BMI2
PACK_BMI2 static inline uint64_t deposited(const struct pack_word *w,
                                           const struct pack_moves *moves, uint64_t bits) {
  (void)moves;
  return _pdep_u64(bits, w->mask);
}
#else
#define deposited spread_out
#endif

PACK_INLINE void scatter(const struct pack *p, const uint8_t *packed, uint32_t words,
                         uint8_t *restrict row, bits_of *word) {
  const struct pack_word *w = p->word;
  const struct pack_moves *moves = p->moves;
  const uint32_t *end = p->end;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t bits = bits_from(packed, end[i], end[i + 1] - end[i]);
    pack_store(row + 8 * i, word(&w[i], &moves[i], bits));
  }
}

PACK_INLINE void scatter_sparse(const struct pack *p, const uint8_t *packed, uint32_t words,
                                uint8_t *restrict row, bits_of *word) {
  const uint8_t *at = packed + p->marks;
  memset(row, 0, (size_t)8 * words);
  for (uint32_t from = 0; from < words; from += 64, row += 512) {
    const struct pack_word *w = p->word + from;
    const struct pack_moves *moves = p->moves + from;
    uint64_t marks = 0;
    uint32_t bytes = p->marks - from / 8;
    memcpy(&marks, packed + from / 8, bytes < 8 ? bytes : 8);
    for (; marks != 0; marks &= marks - 1) {
      uint32_t i = (uint32_t)__builtin_ctzll(marks);
      pack_store(row + 8 * i, word(&w[i], &moves[i], pack_load(at)));
      at += w[i].bytes;
    }
  }
}

PACK_INLINE void scatter_any(const struct pack *p, const uint8_t *packed, uint32_t words,
                             uint8_t *row, bits_of *word) {
  if (p->marks > 0)
    scatter_sparse(p, packed, words, row, word);
  else
    scatter(p, packed, words, row, word);
}

static void scatter_portable(const struct pack *p, const uint8_t *packed, uint32_t words,
                             uint8_t *row) {
  scatter_any(p, packed, words, row, spread_out);
}

#ifdef PACK_BMI2
PACK_BMI2 static void scatter_native(const struct pack *p, const uint8_t *packed,
                                     uint32_t words, uint8_t *row) {
  scatter_any(p, packed, words, row, deposited);
}
#else
#define scatter_native scatter_portable
#endif

static void extend_sign(const struct pack_narrow *slot, uint8_t *row) {
  uint32_t value = 0, sign = 1u << (slot->bits - 1);
  memcpy(&value, row + slot->offset, slot->bytes);
  value = (value ^ sign) - sign;
  memcpy(row + slot->offset, &value, slot->bytes);
}

uint32_t pack_finish(const struct pack *p, const uint8_t *packed, uint8_t *row) {
  uint32_t length = pack_length(p, packed);
  for (uint32_t i = 0; i < p->n_narrow; i++) {
    if (p->narrow[i].offset < length)
      extend_sign(&p->narrow[i], row);
  }
  return length;
}

uint32_t pack_unrow(const struct pack *p, const uint8_t *packed, uint8_t *row) {
  uint32_t length = pack_length(p, packed), words = (length + 7) / 8;
  if (p->native)
    scatter_native(p, packed + p->header, words, row);
  else
    scatter_portable(p, packed + p->header, words, row);
  if (words < p->words)
    memset(row + 8 * words, 0, p->stride - 8 * words);
  return pack_finish(p, packed, row);
}
