/* pack_form.h - the tables that pack.c makes, for it, unpack.c and patch.c. */
#ifndef CAIRN_TS_PACK_FORM_H
#define CAIRN_TS_PACK_FORM_H

#include "ts/ts.h"

#include "base/budget.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define PACK_BMI2 __attribute__((target("avx2,bmi,bmi2")))
#endif

#define PACK_INLINE static inline __attribute__((always_inline))

struct pack_moves {
  uint64_t step[6];
};

struct pack_word {
  uint64_t mask;
  uint8_t fill;  /* dense: bits of earlier words in the eight bytes being filled */
  uint8_t spill; /* and, if these become full, bits of this word that go in, else 0 */
  uint8_t bytes; /* sparse: whole bytes of the word's bits */
};

struct pack_narrow { /* a signed slot with fewer bits than its bytes hold */
  uint32_t offset;
  uint8_t bytes, bits;
};

struct pack {
  struct budget *budget;
  size_t size;        /* of this block, all tables included */
  uint32_t stride;    /* of rows */
  uint32_t words;     /* of the longest row */
  uint32_t max_bytes; /* of a row */
  uint32_t header;    /* bytes of the length in front; 0: fixed length */
  uint32_t marks;     /* bytes of the marks after it; 0: not sparse */
  uint32_t most;      /* bytes of the longest packed row */
  uint32_t n_narrow;
  bool native;                /* pext and pdep */
  struct pack_word *word;     /* [words] */
  struct pack_moves *moves;   /* [words] */
  struct pack_narrow *narrow; /* [n_narrow], ascending by offset is not required */
  uint32_t *end;              /* [words + 1]: bits of the words before */
};

static inline uint64_t pack_load(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static inline void pack_store(uint8_t *at, uint64_t word) {
  memcpy(at, &word, sizeof word);
}

static inline uint64_t pack_squeeze(uint64_t word, uint64_t mask,
                                    const struct pack_moves *moves) {
  word &= mask;
  for (uint32_t i = 0; i < 6; i++) {
    uint64_t moved = word & moves->step[i];
    word = (word ^ moved) | moved >> (1u << i);
  }
  return word;
}

/* The bits of a word under its mask. */
PACK_INLINE uint64_t pack_squeezed(const struct pack_word *w, const struct pack_moves *moves,
                                   uint64_t word) {
  return pack_squeeze(word, w->mask, moves);
}

#ifdef PACK_BMI2
PACK_BMI2 static inline uint64_t pack_extracted(const struct pack_word *w,
                                                const struct pack_moves *moves, uint64_t word) {
  (void)moves;
  return _pext_u64(word, w->mask);
}
#else
#define pack_extracted pack_squeezed
#endif

typedef uint64_t pack_word_of(const struct pack_word *, const struct pack_moves *,
                              uint64_t word);

/* Which of n words, at most 64, are not zero. Bits outside of the mask are zero too, or
 * copies of one that is inside. */
PACK_INLINE uint64_t pack_marks_plain(const uint8_t *row, uint32_t from, uint32_t n) {
  uint64_t marks = 0;
  for (uint32_t i = from; i < n; i++)
    marks |= (uint64_t)(pack_load(row + 8 * i) != 0) << i;
  return marks;
}

static inline uint64_t pack_marks_portable(const uint8_t *row, uint32_t n) {
  return pack_marks_plain(row, 0, n);
}

#ifdef PACK_BMI2
PACK_BMI2 static inline uint64_t pack_marks_native(const uint8_t *row, uint32_t n) {
  const __m256i zero = _mm256_setzero_si256();
  uint64_t marks = 0;
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4) {
    __m256i four = _mm256_loadu_si256((const __m256i *)(const void *)(row + 8 * i));
    __m256d same = _mm256_castsi256_pd(_mm256_cmpeq_epi64(four, zero));
    marks |= (uint64_t)(~(uint32_t)_mm256_movemask_pd(same) & 15) << i;
  }
  return marks | pack_marks_plain(row, i, n);
}
#else
#define pack_marks_native pack_marks_portable
#endif

typedef uint64_t pack_marks_of(const uint8_t *row, uint32_t n);

/* Of the row that this is, in bytes. */
static inline uint32_t pack_length(const struct pack *p, const uint8_t *packed) {
  uint32_t length = 0;
  if (p->header == 0)
    return p->max_bytes;
  memcpy(&length, packed, p->header);
  return length;
}

#endif
