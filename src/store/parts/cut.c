/* cut.c - leaves of packed states without packing.
 *
 * The pieces of a word are worked out once: which of its bits go to which leaf, and where
 * there. For a row the words that differ from the row before are found by vector
 * instructions; of each, every piece of the difference is moved into place (by pext, or
 * bit by bit, for there are few) and flips what it names in its leaf. A state whose
 * packed form is as long as thirty words is so cut at the cost of the three that changed.
 *
 * Which words differ cannot be predicted. Of short rows it is therefore cheaper to move every
 * piece, leaf by leaf, for all rows of a batch that is no small one, and to compare the leaves.
 *
 * If the bits are in two halves, a word has pieces of both, and their order is that of the
 * packed state of a row that has all words twice, with the bits of either half.
 */
#include "store/parts/cut.h"

#include <assert.h>
#include <string.h>

#define CUT_WHOLE 24u /* rows of up to that many pieces are packed whole, */
#define CUT_MANY  6u  /* if there are at least that many rows */

/* The bits of a row's word that are packed. */
static uint64_t mask_of(const struct ts_slot *slot) {
  uint64_t low = slot->bits == 0 ? 0 : UINT64_MAX >> (64 - slot->bits);
  return low << (slot->offset % 8 * 8);
}

/* The lowest n set bits. */
static uint64_t lowest(uint64_t mask, uint32_t n) {
  uint64_t rest = mask;
  for (; n > 0 && rest; n--)
    rest &= rest - 1;
  return mask ^ rest;
}

static uint32_t bits_in(uint64_t mask) {
  return (uint32_t)__builtin_popcountll(mask);
}

static uint64_t front_of(const struct cut_plan *plan, uint32_t word) {
  return plan->front == NULL ? UINT64_MAX : plan->front[word];
}

/* Adds the pieces of a word whose bits are packed from bit `at` on. */
static uint32_t add_pieces(struct cut *c, uint32_t n, uint32_t word, uint64_t mask, uint32_t at,
                           const uint32_t *end) {
  uint32_t leaf = 0;
  while (mask) {
    while (end[leaf] <= at)
      leaf++;
    uint32_t begin = leaf == 0 ? 0 : end[leaf - 1];
    uint64_t bits = lowest(mask, end[leaf] - at);
    c->piece[n++] = (struct cut_piece){bits, leaf, (uint16_t)word, (uint16_t)(at - begin)};
    at += bits_in(bits);
    mask ^= bits;
  }
  return n;
}

/* The first n pieces leaf by leaf, each leaf's in the order of words. */
static void sort_pieces(struct cut *c, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    c->first[c->piece[i].leaf + 1]++;
  for (uint32_t leaf = 0; leaf < c->leaves; leaf++)
    c->first[leaf + 1] += c->first[leaf];
  for (uint32_t i = 0; i < n; i++)
    c->of[c->first[c->piece[i].leaf]++] = c->piece[i];
  for (uint32_t leaf = c->leaves; leaf > 0; leaf--)
    c->first[leaf] = c->first[leaf - 1];
  c->first[0] = 0;
  c->whole = c->native && n <= CUT_WHOLE;
}

/* `mask`: zeros, a word for each of a row's. */
static void find_pieces(struct cut *c, const struct ts_shape *shape,
                        const struct cut_plan *plan, uint64_t *mask) {
  uint32_t n = 0, slots = shape->n_slots, front = plan->header, back = front;
  for (uint32_t i = 0; i < slots; i++)
    mask[shape->slot[i].offset / 8] |= mask_of(&shape->slot[i]);
  for (uint32_t w = 0; w < c->words; w++)
    back += bits_in(mask[w] & front_of(plan, w));
  for (uint32_t w = 0; w < c->words; w++) {
    uint64_t first = mask[w] & front_of(plan, w), second = mask[w] ^ first;
    c->start[w] = n;
    n = add_pieces(c, n, w, first, front, plan->end);
    n = add_pieces(c, n, w, second, back, plan->end);
    front += bits_in(first);
    back += bits_in(second);
  }
  assert(plan->header <= plan->end[0]);
  c->start[c->words] = n;
  c->start[c->words + 1] = add_pieces(c, n, 0, (UINT64_C(1) << plan->header) - 1, 0, plan->end);
  sort_pieces(c, n);
}

bool cut_open(struct cut *c, const struct ts_shape *shape, struct budget *budget,
              const struct cut_plan *plan) {
  uint32_t stride = ts_stride(shape), words = stride / 8, leaves = plan->leaves;
  size_t pieces = (size_t)words * (plan->front == NULL ? 1 : 2) + 1 + leaves;
  *c = (struct cut){.budget = budget,
                    .words = words,
                    .leaves = leaves,
                    .stride = stride,
                    .fixed = plan->header == 0,
                    .native = plan->native,
                    .length_mask = (UINT64_C(1) << plan->header) - 1};
  c->size = 2 * pieces * sizeof *c->piece + (words + 2) * sizeof *c->start +
            (leaves + 1) * sizeof *c->first;
  uint64_t *mask = budget_alloc(budget, BUDGET_OTHER, stride);
  if (mask != NULL)
    c->piece = budget_alloc(budget, BUDGET_STORE, c->size);
  if (mask != NULL && c->piece != NULL) {
    c->of = c->piece + pieces;
    c->start = (uint32_t *)(c->of + pieces);
    c->first = c->start + words + 2;
    find_pieces(c, shape, plan, mask);
  }
  budget_free(budget, BUDGET_OTHER, mask, stride);
  return c->piece != NULL;
}

void cut_close(struct cut *c) {
  if (c->piece)
    budget_free(c->budget, BUDGET_STORE, c->piece, c->size);
  *c = (struct cut){0};
}

typedef uint64_t bits_of(uint64_t word, uint64_t mask);

/* Takes over the difference of one word of row i. */
CUT_INLINE void flip(const struct cut *c, uint64_t *before, uint32_t w, uint64_t difference,
                     uint32_t i, uint64_t *key, uint64_t *differs, bits_of *bits) {
  const struct cut_piece *piece = c->piece + c->start[w], *end = c->piece + c->start[w + 1];
  for (; piece < end; piece++) {
    uint64_t flips = bits(difference, piece->mask) << piece->shift;
    uint64_t now = before[piece->leaf] ^ flips;
    before[piece->leaf] = now;
    key[piece->leaf * CUT_ROWS + i] = now;
    differs[piece->leaf] |= (uint64_t)(flips != 0) << i;
  }
}

static inline uint64_t load(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

/* Words [from, words) one by one. */
CUT_INLINE void cut_words(const struct cut *c, uint64_t *before, const uint8_t *row,
                          const uint8_t *last, uint32_t from, uint32_t i, uint64_t *key,
                          uint64_t *differs, bits_of *bits) {
  for (uint32_t w = from; w < c->words; w++) {
    uint64_t difference = load(row + 8 * w) ^ load(last + 8 * w);
    if (difference != 0)
      flip(c, before, w, difference, i, key, differs, bits);
  }
}

typedef void cut_of(const struct cut *, uint64_t *before, const uint8_t *row,
                    const uint8_t *last, uint32_t i, uint64_t *key, uint64_t *differs);

static inline void cut_portable(const struct cut *c, uint64_t *before, const uint8_t *row,
                                const uint8_t *last, uint32_t i, uint64_t *key,
                                uint64_t *differs) {
  cut_words(c, before, row, last, 0, i, key, differs, cut_bits_portable);
}

#ifdef CUT_NATIVE
CUT_NATIVE static inline void cut_native(const struct cut *c, uint64_t *before,
                                         const uint8_t *row, const uint8_t *last, uint32_t i,
                                         uint64_t *key, uint64_t *differs) {
  uint32_t w = 0;
  for (; w + 4 <= c->words; w += 4) {
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(row + 8 * w));
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(last + 8 * w));
    __m256d same = _mm256_castsi256_pd(_mm256_cmpeq_epi64(a, b));
    for (uint32_t on = ~(uint32_t)_mm256_movemask_pd(same) & 15; on; on &= on - 1) {
      uint32_t at = w + (uint32_t)__builtin_ctz(on);
      flip(c, before, at, load(row + 8 * at) ^ load(last + 8 * at), i, key, differs,
           cut_bits_native);
    }
  }
  cut_words(c, before, row, last, w, i, key, differs, cut_bits_native);
}
#else
#define cut_native cut_portable
#endif

CUT_INLINE void cut_all(const struct cut *c, struct cut_before *b, const struct ts_batch *batch,
                        uint32_t from, uint32_t n, uint64_t *key, uint64_t *differs,
                        cut_of *one) {
  const uint8_t *last = b->row;
  uint64_t *before = b->leaf;
  for (uint32_t i = 0; i < n; i++) {
    const uint8_t *row = batch->rows + (from + i) * batch->stride;
    uint32_t length = c->fixed ? 0 : batch->edge[from + i].length;
    if (length != b->length)
      flip(c, before, c->words, length ^ b->length, i, key, differs, cut_bits_portable);
    one(c, before, row, last, i, key, differs);
    for (uint32_t k = 0; k < c->leaves && (i == 0 || c->leaves == 1); k++)
      key[k * CUT_ROWS + i] = before[k];
    b->length = length;
    last = row;
  }
  if (n > 0)
    memcpy(b->row, last, c->stride);
}

static void all_portable(const struct cut *c, struct cut_before *b,
                         const struct ts_batch *batch, uint32_t from, uint32_t n, uint64_t *key,
                         uint64_t *differs) {
  cut_all(c, b, batch, from, n, key, differs, cut_portable);
}

#ifdef CUT_NATIVE
CUT_NATIVE static void all_native(const struct cut *c, struct cut_before *b,
                                  const struct ts_batch *batch, uint32_t from, uint32_t n,
                                  uint64_t *key, uint64_t *differs) {
  cut_all(c, b, batch, from, n, key, differs, cut_native);
}
#else
#define all_native all_portable
#endif

#ifdef CUT_NATIVE
/* Adds two pieces of a leaf to its column, for n rows. */
CUT_NATIVE static void gather_two(const struct cut_piece *piece, const uint8_t *row,
                                  size_t stride, uint32_t n, uint64_t *key) {
  const uint8_t *a = row + 8 * piece[0].word, *b = row + 8 * piece[1].word;
  uint64_t a_mask = piece[0].mask, b_mask = piece[1].mask;
  uint32_t a_shift = piece[0].shift, b_shift = piece[1].shift;
  for (uint32_t i = 0; i < n; i++, a += stride, b += stride)
    key[i] |= _pext_u64(load(a), a_mask) << a_shift | _pext_u64(load(b), b_mask) << b_shift;
}

/* The same of one or two, which are the first ones. */
CUT_NATIVE static void gather_first(const struct cut_piece *piece, uint32_t pieces,
                                    const uint8_t *row, size_t stride, uint32_t n,
                                    uint64_t *key) {
  struct cut_piece two[2] = {piece[0], piece[pieces > 1]};
  const uint8_t *a = row + 8 * two[0].word, *b = row + 8 * two[1].word;
  uint64_t a_mask = two[0].mask, b_mask = two[1].mask;
  uint32_t a_shift = two[0].shift, b_shift = two[1].shift;
  for (uint32_t i = 0; i < n; i++, a += stride, b += stride)
    key[i] = _pext_u64(load(a), a_mask) << a_shift | _pext_u64(load(b), b_mask) << b_shift;
}

/* Which of n keys are not the one before. */
CUT_NATIVE static uint64_t compare_keys(const uint64_t *key, uint64_t before, uint32_t n) {
  uint64_t differs = key[0] != before;
  uint32_t i = 1;
  for (; i + 4 <= n; i += 4) {
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(key + i));
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(key + i - 1));
    __m256d same = _mm256_castsi256_pd(_mm256_cmpeq_epi64(a, b));
    differs |= (uint64_t)(~(uint32_t)_mm256_movemask_pd(same) & 15) << i;
  }
  for (; i < n; i++)
    differs |= (uint64_t)(key[i] != key[i - 1]) << i;
  return differs;
}

/* All leaves of n rows, at least one. */
CUT_NATIVE static void gather(const struct cut *c, struct cut_before *b,
                              const struct ts_batch *batch, uint32_t from, uint32_t n,
                              uint64_t *key, uint64_t *differs) {
  const uint8_t *row = batch->rows + from * batch->stride;
  for (uint32_t k = 0; k < c->leaves; k++, key += CUT_ROWS) {
    const struct cut_piece *piece = c->of + c->first[k], *end = c->of + c->first[k + 1];
    if (piece == end)
      memset(key, 0, n * sizeof *key);
    else
      gather_first(piece, (uint32_t)(end - piece), row, batch->stride, n, key);
    for (piece += 2; piece < end; piece += 2)
      gather_two(piece - (piece + 1 == end), row, batch->stride, n, key);
    for (uint32_t i = 0; i < n && k == 0 && !c->fixed; i++)
      key[i] |= batch->edge[from + i].length;
    differs[k] = compare_keys(key, b->leaf[k], n);
    b->leaf[k] = key[n - 1];
  }
  b->length = c->fixed ? 0 : batch->edge[from + n - 1].length;
  memcpy(b->row, row + (n - 1) * batch->stride, c->stride);
}
#endif

void cut_rows(const struct cut *c, struct cut_before *b, const struct ts_batch *batch,
              uint32_t from, uint32_t n, uint64_t *key, uint64_t *differs) {
#ifdef CUT_NATIVE
  if (c->whole && n >= CUT_MANY) {
    gather(c, b, batch, from, n, key, differs);
    return;
  }
#endif
  memset(differs, 0, c->leaves * sizeof *differs);
  (c->native ? all_native : all_portable)(c, b, batch, from, n, key, differs);
}

/* Puts the lowest bits to where a mask has ones: in a packed row these are few runs. */
static inline uint64_t spread_portable(uint64_t bits, uint64_t mask) {
  uint64_t word = 0;
  while (mask != 0) {
    uint32_t low = (uint32_t)__builtin_ctzll(mask);
    uint64_t above = ~(mask >> low); /* ones, from the end of the run on */
    uint32_t run = above == 0 ? 64 : (uint32_t)__builtin_ctzll(above);
    uint64_t ones = UINT64_MAX >> (64 - run);
    word |= (bits & ones) << low;
    bits = run == 64 ? 0 : bits >> run;
    mask &= ~(ones << low);
  }
  return word;
}

#ifdef CUT_NATIVE
CUT_NATIVE static inline uint64_t spread_native(uint64_t bits, uint64_t mask) {
  return _pdep_u64(bits, mask);
}
#endif

CUT_INLINE void join(const struct cut *c, const uint64_t *leaf, uint8_t *row, bits_of *spread) {
  const struct cut_piece *piece = c->piece;
  for (uint32_t w = 0; w < c->words; w++) {
    uint64_t word = 0;
    for (const struct cut_piece *end = c->piece + c->start[w + 1]; piece < end; piece++)
      word |= spread(leaf[piece->leaf] >> piece->shift, piece->mask);
    memcpy(row + 8 * w, &word, sizeof word);
  }
}

static void join_portable(const struct cut *c, const uint64_t *leaf, uint8_t *row) {
  join(c, leaf, row, spread_portable);
}

#ifdef CUT_NATIVE
CUT_NATIVE static void join_native(const struct cut *c, const uint64_t *leaf, uint8_t *row) {
  join(c, leaf, row, spread_native);
}
#else
#define join_native join_portable
#endif

void cut_join(const struct cut *c, const uint64_t *leaf, uint8_t *row) {
  (c->native ? join_native : join_portable)(c, leaf, row);
}
