/* test_pack.c - packing and unpacking random shapes, with and without the
 * processor's instructions, against a bit-by-bit packer, and patching against packing. */
#include "base/budget.h"
#include "ts/pack.h"
#include "ts/patch.h"

#include "shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define ROOM 2048u

/* Whether a byte is one of slot *at, which is moved on to the first that ends after it: slots
 * are in the order of their places. */
static bool is_in_slot(const struct shapes *s, uint32_t offset, uint32_t *at) {
  while (*at < s->shape.n_slots && offset >= s->slot[*at].offset + s->slot[*at].bytes)
    ++*at;
  return *at < s->shape.n_slots && offset >= s->slot[*at].offset;
}

/* What the header promises, one bit after the other. */
static uint32_t pack_plainly(const struct shapes *s, const uint8_t *row, uint32_t length,
                             uint32_t header, uint8_t *packed) {
  uint32_t n = 0, i = 0;
  memset(packed, 0, ROOM);
  memcpy(packed, &length, header);
  for (uint32_t bit = 0; bit < (length + 7) / 8 * 64; bit++) {
    if (!is_in_slot(s, bit / 8, &i) || bit - 8 * s->slot[i].offset >= s->slot[i].bits)
      continue;
    packed[header + n / 8] |= (uint8_t)((row[bit / 8] >> bit % 8 & 1) << n % 8);
    n++;
  }
  return header + (n == 0 ? 1 : (n + 7) / 8);
}

/* The same for the sparse form. */
static uint32_t pack_sparsely(const struct shapes *s, const uint8_t *row, uint32_t length,
                              uint8_t *packed) {
  uint32_t header = s->shape.fixed_length ? 0 : 2, words = ts_stride(&s->shape) / 8;
  uint32_t n = header + (words + 7) / 8, i = 0;
  memset(packed, 0, ROOM);
  memcpy(packed, &length, header);
  for (uint32_t w = 0; w < words; w++) {
    uint32_t bits = 0;
    bool zero = true;
    for (uint32_t bit = 64 * w; bit < 64 * w + 64; bit++) {
      if (!is_in_slot(s, bit / 8, &i) || bit - 8 * s->slot[i].offset >= s->slot[i].bits)
        continue;
      uint32_t one = row[bit / 8] >> bit % 8 & 1;
      zero = zero && !one;
      packed[n + bits / 8] |= (uint8_t)(one << bits % 8);
      bits++;
    }
    if (zero)
      continue;
    packed[header + w / 8] |= (uint8_t)(1 << w % 8);
    n += (bits + 7) / 8;
  }
  return n;
}

/* Many rows at once are what they are one by one. */
static void packs_many(const struct shapes *s, struct pack *pack, uint64_t *random) {
  uint8_t packed[ROOM], all[3 * ROOM];
  uint32_t stride = ts_stride(&s->shape), bytes[3], room = pack_room(pack);
  uint64_t rows[4 * ROOM / 8];
  struct ts_edge edge[4];
  struct ts_batch batch = {.edge = edge, .rows = (uint8_t *)rows, .stride = stride, .n = 4};
  for (uint32_t i = 0; i < 4; i++)
    edge[i].length = shapes_row(s, batch.rows + i * stride, random);
  assert_true(room >= pack_bytes(pack) && 3 * room <= sizeof all);
  pack_rows(pack, &batch, 1, 4, all, bytes);
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t alone = pack_row(pack, batch.rows + (i + 1) * stride, edge[i + 1].length, packed);
    assert_int_equal(bytes[i], alone);
    assert_memory_equal(all + i * room, packed, alone);
  }
}

static void round_trips(const struct shapes *s, struct pack *pack, uint64_t *random) {
  uint8_t row[ROOM], back[ROOM], packed[ROOM], plain[ROOM];
  uint32_t length = shapes_row(s, row, random);
  memset(packed, 0xAA, sizeof packed);
  uint32_t bytes = pack_row(pack, row, length, packed);
  assert_int_equal(bytes, pack_is_sparse(pack)
                              ? pack_sparsely(s, row, length, plain)
                              : pack_plainly(s, row, length, pack_header(pack), plain));
  assert_memory_equal(packed, plain, bytes);
  assert_int_equal(packed[pack_bytes(pack) + 8], 0xAA);
  assert_int_equal(pack_size(pack, packed), bytes);
  assert_true(bytes <= pack_bytes(pack));
  if (pack_header(pack) == 0)
    assert_int_equal(bytes, pack_bytes(pack));
  memset(packed + bytes, 0xFF, 16); /* what is after does not matter */
  memset(back, 0xAA, sizeof back);
  assert_int_equal(pack_unrow(pack, packed, back), length);
  assert_memory_equal(back, row, ts_stride(&s->shape));
  assert_int_equal(back[ts_stride(&s->shape)], 0xAA);
}

static void packs_what_it_unpacks(void **state) {
  (void)state;
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  uint64_t random = 1, sparse = 0;
  for (uint32_t i = 0; i < 400; i++) {
    struct shapes s;
    shapes_random(&s, 1 + i, i % 3 != 0, &random);
    for (uint32_t form = 0; form < 2; form++) {
      struct pack *pack = (form == 0 ? pack_open : pack_open_sparse)(&s.shape, budget);
      for (uint32_t j = 0; j < 20; j++) {
        if (j == 10)
          pack_force_portable(pack);
        round_trips(&s, pack, &random);
        packs_many(&s, pack, &random);
      }
      sparse += pack_is_sparse(pack);
      pack_close(pack);
    }
  }
  assert_true(sparse > 100 && sparse < 400);
  assert_int_equal(budget_used(budget, BUDGET_MODEL), 0);
  budget_close(budget);
}

/* The mask of components in which two rows differ, as an edge says it. */
static uint64_t changed_mask(const struct shapes *s, const uint8_t *a, const uint8_t *b) {
  uint64_t changed = 0;
  for (uint32_t i = 0; i < s->shape.n_components; i++) {
    const struct ts_component *c = &s->component[i];
    if (memcmp(a + c->offset, b + c->offset, c->bytes) != 0)
      changed |= UINT64_C(1) << (i < 63 ? i : 63);
  }
  return changed;
}

/* A row that is in most components as another one, mostly with its length. */
static uint32_t row_after(const struct shapes *s, const uint8_t *row, uint32_t length,
                          uint8_t *after, uint64_t *random) {
  uint32_t most = shapes_row(s, after, random);
  if (bits_next_random(random) % 4 > 0 && !s->shape.fixed_length) {
    memset(after + length, 0, ts_stride(&s->shape) - length);
    most = length;
  }
  for (uint32_t i = 0; i < s->shape.n_components; i++) {
    const struct ts_component *c = &s->component[i];
    if (c->offset + c->bytes <= length && c->offset + c->bytes <= most &&
        bits_next_random(random) % 8 > 0)
      memcpy(after + c->offset, row + c->offset, c->bytes);
  }
  return most;
}

static void patches(const struct shapes *s, struct pack *pack, struct patch *patch,
                    struct shapes_words *words, uint64_t *random) {
  uint8_t row[ROOM], after[ROOM], from[ROOM], packed[ROOM], patched[ROOM];
  uint32_t length = shapes_row(s, row, random);
  pack_row(pack, row, length, from);
  patch_from(patch, from);
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t next = row_after(s, row, length, after, random);
    memset(patched, 0xAA, sizeof patched);
    uint32_t bytes = pack_row(pack, after, next, packed);
    struct ts_edge edge = {.length = next, .changed = changed_mask(s, row, after)};
    shapes_list(words, 0, row, after, ts_stride(&s->shape) / 8, random);
    assert_int_equal(patch_row(patch, after, &edge, patched), bytes);
    assert_memory_equal(patched, packed, bytes);
    assert_int_equal(patched[pack_bytes(pack) + 8], 0xAA);
  }
}

static void patches_what_changed(void **state) {
  (void)state;
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  uint64_t random = 2, tried = 0, of_use = 0;
  struct shapes_words *words = calloc(1, sizeof *words);
  for (uint32_t i = 0; i < 400; i++) {
    struct shapes s;
    shapes_random(&s, 1 + i, i % 3 != 0, &random);
    struct pack *pack = pack_open_sparse(&s.shape, budget);
    of_use += patch_is_of_use(pack, &s.shape);
    if (i % 2 == 0)
      s.shape.words = (struct ts_rows){words->start, words->item};
    if (pack_is_sparse(pack)) {
      struct patch *patch = patch_open(pack, &s.shape, budget);
      for (uint32_t j = 0; j < 20; j++) {
        if (j == 10)
          pack_force_portable(pack);
        patches(&s, pack, patch, words, &random);
      }
      patch_close(patch);
      tried++;
    }
    pack_close(pack);
  }
  assert_true(tried > 100 && of_use > 50 && of_use < tried);
  assert_int_equal(budget_used(budget, BUDGET_MODEL), 0);
  assert_int_equal(budget_used(budget, BUDGET_STORE), 0);
  free(words);
  budget_close(budget);
}

/* Fixed and varying shapes of the longest vectors, and of no bits at all. */
static void packs_extremes(void **state) {
  (void)state;
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  uint8_t *row = calloc(1, TS_MAX_BYTES), *packed = calloc(1, TS_MAX_BYTES + 16);
  uint8_t *back = calloc(1, TS_MAX_BYTES);
  struct ts_slot last = {.offset = TS_MAX_BYTES - 4, .bytes = 4, .bits = 17, .is_signed = true};
  struct ts_shape shape = {.max_bytes = TS_MAX_BYTES, .n_slots = 1, .slot = &last};
  struct pack *pack = pack_open(&shape, budget);
  assert_int_equal(pack_header(pack), 4);
  assert_int_equal(pack_bytes(pack), 4 + 3);
  memset(row + TS_MAX_BYTES - 4, 0xFF, 4);
  assert_int_equal(pack_row(pack, row, TS_MAX_BYTES, packed), 7);
  assert_int_equal(pack_unrow(pack, packed, back), TS_MAX_BYTES);
  assert_memory_equal(row, back, TS_MAX_BYTES);
  pack_close(pack);
  last = (struct ts_slot){.offset = 0, .bytes = 1, .bits = 0};
  shape = (struct ts_shape){.max_bytes = 1, .fixed_length = true, .n_slots = 1, .slot = &last};
  pack = pack_open(&shape, budget);
  memset(row, 0, 8);
  assert_int_equal(pack_bytes(pack), 1);
  assert_int_equal(pack_row(pack, row, 1, packed), 1);
  assert_int_equal(packed[0], 0);
  assert_int_equal(pack_unrow(pack, packed, back), 1);
  pack_close(pack);
  budget_fail_after(budget, 1);
  assert_null(pack_open(&shape, budget));
  budget_close(budget);
  free(row);
  free(packed);
  free(back);
}

/* Argument: only the case of that name; it may contain * and ?. */
int main(int n, char **word) {
  cmocka_set_test_filter(n > 1 ? word[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packs_what_it_unpacks),
      cmocka_unit_test(packs_extremes),
      cmocka_unit_test(patches_what_changed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
