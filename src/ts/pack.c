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
 *
 * In the sparse form words are in whole bytes, so that each is one store, and where the
 * next goes is an addition: which words are zero cannot be predicted, and decides on no
 * branch.
 */
#include "ts/pack.h"
#include "ts/pack_form.h"

#include <assert.h>
#include <string.h>

/* Rows of that many words are long. */
#define PACK_LONG     17u
/* Rows of up to that many words are packed without a loop. */
#define PACK_UNROLLED 8u
#define PACK_APART    __attribute__((noinline))

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
  p->word[slot->offset / 8].mask |= low << (slot->offset % 8 * 8);
  if (is_narrow(slot))
    p->narrow[p->n_narrow++] = (struct pack_narrow){slot->offset, slot->bytes, slot->bits};
}

static bool has_native(void) {
#ifdef PACK_BMI2
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("bmi") && !__builtin_cpu_is("znver1") &&
         !__builtin_cpu_is("znver2");
#else
  return false;
#endif
}

static uint32_t whole_bytes(uint32_t bits) {
  return bits == 0 ? 1 : (bits + 7) / 8;
}

static uint32_t bytes_for(const struct pack *p, uint32_t length);

/* What follows from the masks. */
static void finish_words(struct pack *p, bool sparse) {
  p->marks = sparse ? (p->words + 7) / 8 : 0;
  p->most = p->header + p->marks;
  for (uint32_t i = 0; i < p->words; i++) {
    uint32_t bits = (uint32_t)__builtin_popcountll(p->word[i].mask);
    p->moves[i] = moves_for(p->word[i].mask);
    p->end[i + 1] = p->end[i] + bits;
    p->word[i].fill = p->end[i] % 64;
    p->word[i].spill = (uint8_t)(p->end[i] % 64 + bits < 64 ? 0 : 64 - p->end[i] % 64);
    p->word[i].bytes = (uint8_t)((bits + 7) / 8);
    p->most += p->word[i].bytes;
  }
  if (!sparse)
    p->most = bytes_for(p, p->max_bytes);
}

static struct pack *open_form(const struct ts_shape *shape, struct budget *budget,
                              bool sparse) {
  size_t words = ts_stride(shape) / 8, narrow = 0;
  for (uint32_t i = 0; i < shape->n_slots; i++)
    narrow += is_narrow(&shape->slot[i]);
  size_t size = sizeof(struct pack) +
                words * (sizeof(struct pack_word) + sizeof(struct pack_moves)) +
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
  p->word = (struct pack_word *)(p + 1);
  p->moves = (struct pack_moves *)(p->word + words);
  p->narrow = (struct pack_narrow *)(p->moves + words);
  p->end = (uint32_t *)(p->narrow + narrow);
  for (uint32_t i = 0; i < shape->n_slots; i++)
    add_slot(p, &shape->slot[i]);
  finish_words(p, sparse);
  return p;
}

struct pack *pack_open(const struct ts_shape *shape, struct budget *budget) {
  return open_form(shape, budget, false);
}

struct pack *pack_open_sparse(const struct ts_shape *shape, struct budget *budget) {
  return open_form(shape, budget, ts_stride(shape) / 8 >= PACK_LONG);
}

void pack_close(struct pack *p) {
  if (p)
    budget_free(p->budget, BUDGET_MODEL, p, p->size);
}

void pack_force_portable(struct pack *p) {
  p->native = false;
}

/* Bytes of the dense form of a row of that many bytes. */
static uint32_t bytes_for(const struct pack *p, uint32_t length) {
  return p->header + whole_bytes(p->end[(length + 7) / 8]);
}

uint32_t pack_bytes(const struct pack *p) {
  return p->most;
}

bool pack_is_sparse(const struct pack *p) {
  return p->marks > 0;
}

bool pack_is_native(const struct pack *p) {
  return p->native;
}

uint32_t pack_room(const struct pack *p) {
  return (p->most + 8 + 7) & ~7u;
}

uint32_t pack_stride(const struct pack *p) {
  return p->stride;
}

uint32_t pack_header(const struct pack *p) {
  return p->header + p->marks;
}

uint32_t pack_size(const struct pack *p, const uint8_t *packed) {
  if (p->marks == 0)
    return bytes_for(p, pack_length(p, packed));
  uint32_t size = p->header + p->marks;
  for (uint32_t i = 0; i < p->words; i++)
    size += packed[p->header + i / 8] >> i % 8 & 1 ? p->word[i].bytes : 0;
  return size;
}

/* The words of a row without gaps; `words` may be more than the row has. */
PACK_INLINE void gather(const struct pack *p, const uint8_t *row, uint32_t words, uint8_t *out,
                        pack_word_of *word) {
  const struct pack_word *w = p->word;
  const struct pack_moves *moves = p->moves;
  uint64_t buffer = 0;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t value = word(&w[i], &moves[i], pack_load(row + 8 * i));
    buffer |= value << w[i].fill;
    if (w[i].spill > 0) { /* for one layout always the same way */
      pack_store(out, buffer);
      out += 8;
      buffer = value >> 1 >> (w[i].spill - 1);
    }
  }
  pack_store(out, buffer);
}

typedef uint32_t row_of(const struct pack *, const uint8_t *row, uint32_t length,
                        uint8_t *packed);

/* Marks, and the words that are not zero. Returns the bytes of both. */
PACK_INLINE uint32_t gather_sparse(const struct pack *p, const uint8_t *row, uint32_t words,
                                   uint8_t *out, pack_word_of *word, pack_marks_of *find) {
  const struct pack_moves *moves = p->moves;
  uint8_t *at = out + p->marks;
  for (uint32_t from = 0; from < p->words; from += 64, row += 512) {
    const struct pack_word *w = p->word + from;
    uint64_t marks = find(row, words <= from ? 0 : words - from < 64 ? words - from : 64);
    for (uint64_t left = marks; left != 0; left &= left - 1) {
      uint32_t i = (uint32_t)__builtin_ctzll(left);
      pack_store(at, word(&w[i], &moves[from + i], pack_load(row + 8 * i)));
      at += w[i].bytes;
    }
    for (uint32_t i = from / 8; i < p->marks && i < from / 8 + 8; i++, marks >>= 8)
      out[i] = (uint8_t)marks;
  }
  return (uint32_t)(at - out);
}

/* A row after its header; returns the size of both. */
PACK_INLINE uint32_t pack_one(const struct pack *p, const uint8_t *row, uint32_t length,
                              uint8_t *packed, pack_word_of *word, pack_marks_of *find) {
  uint8_t *out = packed + p->header;
  memcpy(packed, &length, 4); /* overwritten where there is no or a short header */
  if (p->marks > 0)
    return p->header + gather_sparse(p, row, (length + 7) / 8, out, word, find);
  gather(p, row, (length + 7) / 8, out, word);
  return bytes_for(p, length);
}

/* Dense rows of that many words, a constant. */
PACK_INLINE void pack_short(const struct pack *p, const struct ts_batch *batch, uint32_t from,
                            uint32_t to, uint8_t *packed, uint32_t *bytes, uint32_t words,
                            pack_word_of *word) {
  uint32_t room = pack_room(p), header = p->header, most = p->most;
  const uint8_t *row = batch->rows + from * batch->stride;
  for (uint32_t i = from; i < to; i++, packed += room, row += batch->stride) {
    uint32_t length = batch->edge[i].length;
    memcpy(packed, &length, 4);
    gather(p, row, words, packed + header, word);
    *bytes++ = header == 0 ? most : bytes_for(p, length);
  }
}

PACK_INLINE void pack_all(const struct pack *p, const struct ts_batch *batch, uint32_t from,
                          uint32_t to, uint8_t *packed, uint32_t *bytes, pack_word_of *word,
                          pack_marks_of *find) {
  static_assert(PACK_UNROLLED == 8, "one case each");
  switch (p->marks > 0 ? 0 : p->words) {
  case 1:
    pack_short(p, batch, from, to, packed, bytes, 1, word);
    return;
  case 2:
    pack_short(p, batch, from, to, packed, bytes, 2, word);
    return;
  case 3:
    pack_short(p, batch, from, to, packed, bytes, 3, word);
    return;
  case 4:
    pack_short(p, batch, from, to, packed, bytes, 4, word);
    return;
  case 5:
    pack_short(p, batch, from, to, packed, bytes, 5, word);
    return;
  case 6:
    pack_short(p, batch, from, to, packed, bytes, 6, word);
    return;
  case 7:
    pack_short(p, batch, from, to, packed, bytes, 7, word);
    return;
  case 8:
    pack_short(p, batch, from, to, packed, bytes, 8, word);
    return;
  default:
    for (uint32_t i = from; i < to; i++, packed += pack_room(p))
      *bytes++ =
          pack_one(p, batch->rows + i * batch->stride,
                   p->header == 0 ? p->max_bytes : batch->edge[i].length, packed, word, find);
  }
}

static void pack_all_portable(const struct pack *p, const struct ts_batch *batch, uint32_t from,
                              uint32_t to, uint8_t *packed, uint32_t *bytes) {
  pack_all(p, batch, from, to, packed, bytes, pack_squeezed, pack_marks_portable);
}

#ifdef PACK_BMI2
PACK_BMI2 static void pack_all_native(const struct pack *p, const struct ts_batch *batch,
                                      uint32_t from, uint32_t to, uint8_t *packed,
                                      uint32_t *bytes) {
  pack_all(p, batch, from, to, packed, bytes, pack_extracted, pack_marks_native);
}
#else
#define pack_all_native pack_all_portable
#endif

void pack_rows(const struct pack *p, const struct ts_batch *batch, uint32_t from, uint32_t to,
               uint8_t *packed, uint32_t *bytes) {
  (p->native ? pack_all_native : pack_all_portable)(p, batch, from, to, packed, bytes);
}

/* A row by itself, if it is dense and has few words: then everything fits into registers, and
 * a search that packs one row after the other spends little on the call. Else `rest` does. */
PACK_INLINE uint32_t pack_alone(const struct pack *p, const uint8_t *row, uint32_t length,
                                uint8_t *packed, pack_word_of *word, row_of *rest) {
  uint8_t *out = packed + p->header;
  memcpy(packed, &length, 4);
  switch (p->marks > 0 ? 0 : p->words) {
  case 1:
    gather(p, row, 1, out, word);
    break;
  case 2:
    gather(p, row, 2, out, word);
    break;
  case 3:
    gather(p, row, 3, out, word);
    break;
  case 4:
    gather(p, row, 4, out, word);
    break;
  default:
    return rest(p, row, length, packed);
  }
  return p->header == 0 ? p->most : bytes_for(p, length);
}

static PACK_APART uint32_t pack_rest_portable(const struct pack *p, const uint8_t *row,
                                              uint32_t length, uint8_t *packed) {
  return pack_one(p, row, p->header == 0 ? p->max_bytes : length, packed, pack_squeezed,
                  pack_marks_portable);
}

static uint32_t pack_row_portable(const struct pack *p, const uint8_t *row, uint32_t length,
                                  uint8_t *packed) {
  return pack_alone(p, row, length, packed, pack_squeezed, pack_rest_portable);
}

#ifdef PACK_BMI2
PACK_BMI2 static PACK_APART uint32_t pack_rest_native(const struct pack *p, const uint8_t *row,
                                                      uint32_t length, uint8_t *packed) {
  return pack_one(p, row, p->header == 0 ? p->max_bytes : length, packed, pack_extracted,
                  pack_marks_native);
}

PACK_BMI2 static uint32_t pack_row_native(const struct pack *p, const uint8_t *row,
                                          uint32_t length, uint8_t *packed) {
  return pack_alone(p, row, length, packed, pack_extracted, pack_rest_native);
}
#else
#define pack_row_native pack_row_portable
#endif

uint32_t pack_row(const struct pack *p, const uint8_t *row, uint32_t length, uint8_t *packed) {
  return (p->native ? pack_row_native : pack_row_portable)(p, row, length, packed);
}
