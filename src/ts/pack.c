/* pack.c - the bits of a row that some value needs, and back.
 *
 * Slots are naturally aligned and at most four bytes long, so none crosses an
 * 8-byte word, and a row packs word by word: the bits under the word's mask move
 * to the low end and are appended to a bit buffer. Where the processor has the
 * instructions pext and pdep (and does not emulate them in microcode, as the
 * first two generations of AMD's Zen do) they do it; elsewhere a word takes six
 * steps, step i moving by 2^i places the bits whose distance has bit i (Warren,
 * Hacker's Delight, sections 7-4 and 7-5; the moves are worked out once here).
 *
 * A packed string is a little-endian bit string without gaps between words, so
 * equal states have equal packed bytes and the other way round.
 */
#include "ts/pack.h"

#include <assert.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define PACK_BMI2 __attribute__((target("bmi2")))
#endif

struct pack_moves {
  uint64_t step[6];
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
  uint32_t n_narrow;
  bool native;                /* pext and pdep */
  uint64_t *mask;             /* [words] */
  struct pack_moves *moves;   /* [words] */
  struct pack_narrow *narrow; /* [n_narrow], ascending by offset is not required */
  uint32_t *end;              /* [words + 1]: bits of the words before */
};

static uint64_t load(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static void store(uint8_t *at, uint64_t word) {
  memcpy(at, &word, sizeof word);
}

static bool is_narrow(const struct ts_slot *slot) {
  return slot->is_signed && slot->bits > 0 && slot->bits < 8 * slot->bytes;
}

static struct pack_moves moves_for(uint64_t mask) {
  struct pack_moves moves = {{0}};
  uint32_t gap = 0;
  for (uint32_t bit = 0; bit < 64; bit++) {
    if (!(mask >> bit & 1)) {
      gap++;
      continue;
    }
    uint32_t place = bit;
    for (uint32_t i = 0; i < 6; i++) {
      if (gap >> i & 1) {
        moves.step[i] |= UINT64_C(1) << place;
        place -= 1u << i;
      }
    }
  }
  return moves;
}

static void add_slot(struct pack *p, const struct ts_slot *slot) {
  uint64_t low = slot->bits == 0 ? 0 : UINT64_MAX >> (64 - slot->bits);
  assert(slot->bits <= 8 * slot->bytes && slot->offset / 8 < p->words);
  p->mask[slot->offset / 8] |= low << (slot->offset % 8 * 8);
  if (is_narrow(slot))
    p->narrow[p->n_narrow++] = (struct pack_narrow){slot->offset, slot->bytes, slot->bits};
}

static bool has_native(void) {
#ifdef PACK_BMI2
  return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") &&
         !__builtin_cpu_is("znver2");
#else
  return false;
#endif
}

struct pack *pack_open(const struct ts_shape *shape, struct budget *budget) {
  size_t words = ts_stride(shape) / 8, narrow = 0;
  for (uint32_t i = 0; i < shape->n_slots; i++)
    narrow += is_narrow(&shape->slot[i]);
  size_t size = sizeof(struct pack) + words * (sizeof(uint64_t) + sizeof(struct pack_moves)) +
                narrow * sizeof(struct pack_narrow) + (words + 1) * sizeof(uint32_t);
  struct pack *p = budget_alloc(budget, BUDGET_MODEL, size);
  if (!p)
    return NULL;
  p->budget = budget;
  p->size = size;
  p->stride = ts_stride(shape);
  p->words = (uint32_t)words;
  p->max_bytes = shape->max_bytes;
  p->header = shape->fixed_length ? 0 : shape->max_bytes < 0xFFFF ? 2 : 4;
  p->native = has_native();
  p->mask = (uint64_t *)(p + 1);
  p->moves = (struct pack_moves *)(p->mask + words);
  p->narrow = (struct pack_narrow *)(p->moves + words);
  p->end = (uint32_t *)(p->narrow + narrow);
  for (uint32_t i = 0; i < shape->n_slots; i++)
    add_slot(p, &shape->slot[i]);
  for (uint32_t i = 0; i < p->words; i++) {
    p->moves[i] = moves_for(p->mask[i]);
    p->end[i + 1] = p->end[i] + (uint32_t)__builtin_popcountll(p->mask[i]);
  }
  return p;
}

void pack_close(struct pack *p) {
  if (p)
    budget_free(p->budget, BUDGET_MODEL, p, p->size);
}

void pack_force_portable(struct pack *p) {
  p->native = false;
}

static uint32_t whole_bytes(uint32_t bits) {
  return bits == 0 ? 1 : (bits + 7) / 8;
}

/* Bytes of the packed form of a row of so many bytes. */
static uint32_t bytes_for(const struct pack *p, uint32_t length) {
  return p->header + whole_bytes(p->end[(length + 7) / 8]);
}

uint32_t pack_bytes(const struct pack *p) {
  return bytes_for(p, p->max_bytes);
}

uint32_t pack_stride(const struct pack *p) {
  return p->stride;
}

uint32_t pack_header(const struct pack *p) {
  return p->header;
}

static uint32_t length_of(const struct pack *p, const uint8_t *packed) {
  uint32_t length = 0;
  if (p->header == 0)
    return p->max_bytes;
  memcpy(&length, packed, p->header);
  return length;
}

uint32_t pack_size(const struct pack *p, const uint8_t *packed) {
  return bytes_for(p, length_of(p, packed));
}

/* A string of bits that is written from its low end. */
struct tail {
  uint8_t *at;
  uint64_t buffer;
  uint32_t fill; /* bits in the buffer, below 64 */
};

static inline void append(struct tail *t, uint64_t value, uint32_t bits) {
  t->buffer |= value << t->fill;
  t->fill += bits;
  if (t->fill < 64)
    return;
  store(t->at, t->buffer);
  t->at += 8;
  t->fill -= 64;
  t->buffer = t->fill == 0 ? 0 : value >> (bits - t->fill);
}

static uint64_t squeeze(uint64_t word, uint64_t mask, const struct pack_moves *moves) {
  word &= mask;
  for (uint32_t i = 0; i < 6; i++) {
    uint64_t moved = word & moves->step[i];
    word = (word ^ moved) | moved >> (1u << i);
  }
  return word;
}

static void gather_portable(const struct pack *p, const uint8_t *row, uint32_t words,
                            uint8_t *out) {
  struct tail t = {out, 0, 0};
  for (uint32_t i = 0; i < words; i++)
    append(&t, squeeze(load(row + 8 * i), p->mask[i], &p->moves[i]), p->end[i + 1] - p->end[i]);
  store(t.at, t.buffer);
}

#ifdef PACK_BMI2
PACK_BMI2 static void gather_native(const struct pack *p, const uint8_t *row, uint32_t words,
                                    uint8_t *out) {
  struct tail t = {out, 0, 0};
  for (uint32_t i = 0; i < words; i++)
    append(&t, _pext_u64(load(row + 8 * i), p->mask[i]), p->end[i + 1] - p->end[i]);
  store(t.at, t.buffer);
}
#else
#define gather_native gather_portable
#endif

uint32_t pack_row(const struct pack *p, const uint8_t *row, uint32_t length, uint8_t *packed) {
  if (p->header == 0)
    length = p->max_bytes;
  memcpy(packed, &length, 4); /* overwritten where there is no or a short header */
  if (p->native)
    gather_native(p, row, (length + 7) / 8, packed + p->header);
  else
    gather_portable(p, row, (length + 7) / 8, packed + p->header);
  return bytes_for(p, length);
}

/* The 64 bits from bit `from` on; those behind the end of what is needed are
 * arbitrary. */
static inline uint64_t bits_from(const uint8_t *packed, uint32_t from, uint32_t bits) {
  const uint8_t *at = packed + from / 8;
  uint32_t shift = from % 8;
  uint64_t value = load(at) >> shift;
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

static void scatter_portable(const struct pack *p, const uint8_t *packed, uint32_t words,
                             uint8_t *row) {
  for (uint32_t i = 0; i < words; i++)
    store(row + 8 * i, spread(bits_from(packed, p->end[i], p->end[i + 1] - p->end[i]),
                              p->mask[i], &p->moves[i]));
}

#ifdef PACK_BMI2
PACK_BMI2 static void scatter_native(const struct pack *p, const uint8_t *packed,
                                     uint32_t words, uint8_t *row) {
  for (uint32_t i = 0; i < words; i++)
    store(row + 8 * i,
          _pdep_u64(bits_from(packed, p->end[i], p->end[i + 1] - p->end[i]), p->mask[i]));
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

uint32_t pack_unrow(const struct pack *p, const uint8_t *packed, uint8_t *row) {
  uint32_t length = length_of(p, packed), words = (length + 7) / 8;
  if (p->native)
    scatter_native(p, packed + p->header, words, row);
  else
    scatter_portable(p, packed + p->header, words, row);
  for (uint32_t i = 0; i < p->n_narrow; i++) {
    if (p->narrow[i].offset < length)
      extend_sign(&p->narrow[i], row);
  }
  if (words < p->words)
    memset(row + 8 * words, 0, p->stride - 8 * words);
  return length;
}
