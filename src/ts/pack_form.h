/* pack_form.h - the tables that pack.c makes, for it and unpack.c. */
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

/* Of the row that this is, in bytes. */
static inline uint32_t pack_length(const struct pack *p, const uint8_t *packed) {
  uint32_t length = 0;
  if (p->header == 0)
    return p->max_bytes;
  memcpy(&length, packed, p->header);
  return length;
}

#endif
