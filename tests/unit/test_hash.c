/* test_hash.c - hashes of successors from the parent's, and how even they are. */
#include "base/budget.h"
#include "ts/hash.h"

#include "shapes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define ROOM 2048u
#define ROWS 32u

/* Which components differ, as a ts has to tell. */
static uint64_t changes(const struct ts_shape *shape, const uint8_t *old, const uint8_t *new) {
  uint64_t changed = 0;
  for (uint32_t i = 0; i < shape->n_components; i++) {
    const struct ts_component *c = &shape->component[i];
    if (memcmp(old + c->offset, new + c->offset, c->bytes) != 0)
      changed |= UINT64_C(1) << (i < 63 ? i : 63);
  }
  return changed;
}

/* Successors of one parent: a few slots changed, or another length. */
static void make_successors(const struct shapes *s, const uint8_t *parent, uint32_t length,
                            struct ts_batch *batch, uint64_t *random) {
  for (uint32_t i = 0; i < ROWS; i++) {
    uint8_t *row = batch->rows + i * batch->stride;
    memcpy(row, parent, batch->stride);
    batch->edge[i] = (struct ts_edge){.length = length};
    if (!s->shape.fixed_length && i % 4 == 0)
      batch->edge[i].length = shapes_row(s, row, random);
    for (uint32_t j = 0; j < i % 5; j++) {
      const struct ts_slot *slot = &s->slot[bits_next_random(random) % s->shape.n_slots];
      if (slot->offset < batch->edge[i].length)
        shapes_set(slot, row, bits_next_random(random));
    }
    batch->edge[i].changed = changes(&s->shape, parent, row);
  }
  batch->n = ROWS;
}

static void successors_agree(void **state) {
  (void)state;
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  uint64_t random = 2, raw[ROWS], finished[ROWS];
  uint8_t parent[ROOM], *rows = calloc(ROWS, ROOM);
  struct ts_edge edge[ROWS];
  struct shapes_words *words = calloc(1, sizeof *words);
  for (uint32_t i = 0; i < 300; i++) {
    struct shapes s;
    shapes_random(&s, 1 + i, i % 3 != 0, &random);
    if (i % 7 == 0 && s.shape.n_components > 1) { /* components in another order */
      struct ts_component first = s.component[0];
      s.component[0] = s.component[s.shape.n_components - 1];
      s.component[s.shape.n_components - 1] = first;
    }
    struct ts_batch batch = {
        .edge = edge, .rows = rows, .stride = ts_stride(&s.shape), .capacity = ROWS};
    uint32_t length = shapes_row(&s, parent, &random);
    make_successors(&s, parent, length, &batch, &random);
    for (uint32_t j = 0; j < ROWS && i % 2 == 0; j++) {
      edge[j].event.action = j;
      shapes_list(words, j, parent, rows + j * batch.stride, ts_stride(&s.shape) / 8, &random);
      s.shape.words = words->rows;
    }
    struct hash *hash = hash_open(&s.shape, i, budget);
    uint32_t from = i % 4;
    struct hash_parent of = {parent, length, hash_raw(hash, parent, length)};
    hash_successors(hash, &of, &batch, from, raw, finished);
    for (uint32_t j = from; j < ROWS; j++) {
      assert_int_equal(raw[j], hash_raw(hash, rows + j * batch.stride, edge[j].length));
      assert_int_equal(finished[j], hash_finish(raw[j]));
    }
    hash_close(hash);
  }
  assert_int_equal(budget_used(budget, BUDGET_MODEL), 0);
  budget_close(budget);
  free(rows);
  free(words);
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Clustered states: no two hashes equal, and each half of the bits spread as
 * random numbers are. */
static void hashes_are_even(void **state) {
  (void)state;
  enum { N = 1 << 18, CELLS = 1 << 12 };
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  uint64_t *all = malloc(N * sizeof *all);
  struct shapes s;
  shapes_bytes(&s, 18, true);
  for (uint64_t seed = 0; seed < 4; seed++) {
    struct hash *hash = hash_open(&s.shape, seed, budget);
    uint32_t *high = calloc(CELLS, 4), *low = calloc(CELLS, 4);
    double spread_high = 0, spread_low = 0;
    for (uint32_t i = 0; i < N; i++) {
      uint8_t row[24] = {0};
      for (uint32_t j = 0; j < 18; j++)
        row[j] = (uint8_t)(i >> j & 1);
      all[i] = hash_finish(hash_raw(hash, row, 18));
      high[all[i] >> 52]++;
      low[all[i] % CELLS]++;
    }
    for (uint32_t i = 0; i < CELLS; i++) {
      double h = (double)high[i] - N / CELLS, l = (double)low[i] - N / CELLS;
      spread_high += h * h / (N / CELLS);
      spread_low += l * l / (N / CELLS);
    }
    /* chi-square, mean CELLS, deviation sqrt(2 CELLS) = 90 */
    assert_true(spread_high > CELLS - 600 && spread_high < CELLS + 600);
    assert_true(spread_low > CELLS - 600 && spread_low < CELLS + 600);
    qsort(all, N, sizeof *all, by_value);
    for (uint32_t i = 1; i < N; i++)
      assert_true(all[i - 1] != all[i]);
    free(high);
    free(low);
    hash_close(hash);
  }
  budget_close(budget);
  free(all);
}

enum { PATTERN_WORDS = 8, PATTERNS = 5 };

/* Rows of models: counters, one bit set in each word, words alike, words exchanged. */
static void make_pattern(uint32_t pattern, uint64_t i, uint64_t *word) {
  for (uint32_t k = 0; k < PATTERN_WORDS; k++)
    switch (pattern) {
    case 0: /* a counter in one word */
      word[k] = k == 3 ? i : 0;
      break;
    case 1: /* two counters far apart */
      word[k] = k == 0 ? i & 1023 : k == 7 ? (i >> 10) << 40 : 7;
      break;
    case 2: /* one-hot words, a digit of i each */
      word[k] = UINT64_C(1) << (8 * (i >> (3 * k) & 7));
      break;
    case 3: /* nearly all words alike */
      word[k] = k < 6 ? i % 1021 : i >> (k - 6);
      break;
    default: /* the same few words in every order */
      word[k] = UINT64_C(0x0101010101010101) * (i >> (3 * k) & 7);
    }
}

/* Among n hashes: pairs of equal high halves, of which n * n / 2^33 are to be expected,
 * and how unevenly the highest 12 bits are spread (mean 4096, deviation 90). A bad hash
 * fails in one or the other. */
static bool are_even(uint64_t *hash, uint32_t n) {
  enum { CELLS = 1 << 12 };
  static uint32_t cell[CELLS];
  double expected = (double)n * n / 0x1p33, each = (double)n / CELLS, spread = 0, pairs = 0;
  memset(cell, 0, sizeof cell);
  for (uint32_t i = 0; i < n; i++)
    cell[hash[i] >> 52]++;
  for (uint32_t i = 0; i < CELLS; i++)
    spread += (cell[i] - each) * (cell[i] - each) / each;
  qsort(hash, n, sizeof *hash, by_value);
  for (uint32_t i = 1, run = 0; i < n; i++) {
    run = hash[i] >> 32 == hash[i - 1] >> 32 ? run + 1 : 0;
    pairs += run;
  }
  return pairs < expected + 6 * sqrt(expected) && spread > CELLS - 600 && spread < CELLS + 600;
}

static uint64_t xor_of_words(const uint64_t *word) {
  uint64_t sum = 0;
  for (uint32_t k = 0; k < PATTERN_WORDS; k++)
    sum ^= word[k];
  return hash_finish(sum);
}

static void patterns_are_even(void **state) {
  (void)state;
  enum { N = 1 << 20 };
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  uint64_t *good = malloc(N * sizeof *good), *bad = malloc(N * sizeof *bad);
  uint64_t word[PATTERN_WORDS];
  struct shapes s;
  uint32_t caught = 0;
  shapes_bytes(&s, sizeof word, true);
  for (uint32_t pattern = 0; pattern < PATTERNS; pattern++) {
    struct hash *hash = hash_open(&s.shape, pattern, budget);
    for (uint32_t i = 0; i < N; i++) {
      make_pattern(pattern, i, word);
      good[i] = hash_finish(hash_raw(hash, (const uint8_t *)word, sizeof word));
      bad[i] = xor_of_words(word);
    }
    assert_true(are_even(good, N));
    caught += !are_even(bad, N);
    hash_close(hash);
  }
  assert_true(caught >= 2); /* the test can tell */
  budget_close(budget);
  free(good);
  free(bad);
}

static void seeds_and_lengths_matter(void **state) {
  (void)state;
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  struct shapes s;
  uint8_t row[16] = {0};
  shapes_bytes(&s, 16, false);
  struct hash *one = hash_open(&s.shape, 1, budget), *two = hash_open(&s.shape, 2, budget);
  for (uint32_t length = 1; length < 16; length++) {
    assert_true(hash_raw(one, row, length) != hash_raw(one, row, length + 1));
    assert_true(hash_raw(one, row, length) != hash_raw(two, row, length));
  }
  hash_close(one);
  hash_close(two);
  budget_fail_after(budget, 1);
  assert_null(hash_open(&s.shape, 1, budget));
  budget_close(budget);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(successors_agree),
      cmocka_unit_test(hashes_are_even),
      cmocka_unit_test(patterns_are_even),
      cmocka_unit_test(seeds_and_lengths_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
