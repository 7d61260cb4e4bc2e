/* test_cut.c - leaves cut from differences against leaves of packed rows. */
#include "store/parts/cut.h"
#include "ts/pack.h"

#include "shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BATCHES = 6, MOST_LEAVES = 600 };

/* The bits of a packed state, read one by one. */
static uint64_t packed_leaf(const uint8_t *packed, uint32_t from, uint32_t to) {
  uint64_t leaf = 0;
  for (uint32_t at = from; at < to; at++)
    leaf |= (uint64_t)(packed[at / 8] >> at % 8 & 1) << (at - from);
  return leaf;
}

struct plan {
  uint32_t end[MOST_LEAVES], leaves;
  uint64_t before[MOST_LEAVES]; /* the leaves of the row before */
  uint64_t *mask, *front; /* of a row's words: bits that are packed; front NULL: in order */
};

/* The first leaf has all of the header. */
static void plan_leaves(struct plan *plan, uint32_t header, uint32_t bits, uint64_t *random) {
  uint32_t most = 1 + (uint32_t)(bits_next_random(random) % 64);
  *plan = (struct plan){.leaves = 0};
  for (uint32_t at = 0; at < bits || plan->leaves == 0;) {
    uint32_t least = plan->leaves == 0 && header > 0 ? header : 1, more = most;
    more = least + more > 65 ? 65 - least : more;
    at += least + (uint32_t)(bits_next_random(random) % more);
    at = at < bits ? at : bits;
    assert_true(plan->leaves < MOST_LEAVES);
    plan->end[plan->leaves++] = at;
    most = plan->leaves > MOST_LEAVES / 2 ? 64 : most;
  }
}

/* Rows of which most differ little from the one before. */
static void draw(const struct shapes *s, struct ts_batch *batch, uint64_t *random) {
  batch->n = 1 + (uint32_t)(bits_next_random(random) % CUT_ROWS);
  for (uint32_t i = 0; i < batch->n; i++) {
    uint8_t *row = batch->rows + i * batch->stride;
    if (i == 0 || bits_next_random(random) % 4 == 0) {
      batch->edge[i].length = shapes_row(s, row, random);
      continue;
    }
    memcpy(row, row - batch->stride, batch->stride);
    batch->edge[i].length = batch->edge[i - 1].length;
    const struct ts_slot *slot = &s->slot[bits_next_random(random) % s->shape.n_slots];
    if (slot->offset < batch->edge[i].length)
      shapes_set(slot, row, bits_next_random(random));
  }
}

/* Each slot goes to either half. */
static void draw_front(struct plan *plan, const struct shapes *s, uint64_t *random) {
  plan->mask = calloc(ts_stride(&s->shape), 1);
  plan->front = calloc(ts_stride(&s->shape), 1);
  for (uint32_t i = 0; i < s->shape.n_slots; i++) {
    const struct ts_slot *slot = &s->slot[i];
    uint64_t ones = slot->bits == 0 ? 0 : UINT64_MAX >> (64 - slot->bits);
    ones <<= slot->offset % 8 * 8;
    plan->mask[slot->offset / 8] |= ones;
    if (bits_next_random(random) % 2 == 0)
      plan->front[slot->offset / 8] |= ones;
  }
}

/* A packed row bit by bit: its length, the bits of the front half, the others. */
static void pack_halves(const struct plan *plan, const struct cut *cut, const uint8_t *row,
                        uint32_t length, uint32_t header, uint8_t *packed) {
  uint32_t at = 0;
  for (; at < header; at++)
    packed[at / 8] |= (uint8_t)((length >> at & 1) << at % 8);
  for (uint32_t half = 0; half < 2; half++)
    for (uint32_t bit = 0; bit < 8 * cut->stride; bit++) {
      bool front = plan->front[bit / 64] >> bit % 64 & 1;
      if ((plan->mask[bit / 64] >> bit % 64 & 1) == 0 || front != (half == 0))
        continue;
      packed[at / 8] |= (uint8_t)((row[bit / 8] >> bit % 8 & 1) << at % 8);
      at++;
    }
}

/* The row from its leaves. */
static void check_join(const struct plan *plan, const struct cut *cut, const struct pack *pack,
                       const uint8_t *row, uint32_t length, const uint8_t *packed) {
  uint64_t *leaf = calloc(plan->leaves, sizeof *leaf);
  uint8_t *back = malloc(cut->stride);
  for (uint32_t k = 0; k < plan->leaves; k++) {
    leaf[k] = packed_leaf(packed, k == 0 ? 0 : plan->end[k - 1], plan->end[k]);
    assert_true(cut_leaf(cut, k, row, length, false) == leaf[k]);
  }
  cut_join(cut, leaf, back);
  assert_int_equal(pack_finish(pack, packed, back), length);
  assert_memory_equal(back, row, cut->stride);
  free(leaf);
  free(back);
}

static void compare(struct plan *plan, const struct cut *cut, const struct pack *pack,
                    const struct ts_batch *batch, const uint64_t *key,
                    const uint64_t *differs) {
  uint32_t room = pack_bytes(pack) + 8;
  uint8_t *packed = malloc(room);
  for (uint32_t i = 0; i < batch->n; i++) {
    memset(packed, 0, room);
    const uint8_t *row = batch->rows + i * batch->stride;
    if (plan->front == NULL)
      pack_row(pack, row, batch->edge[i].length, packed);
    else
      pack_halves(plan, cut, row, batch->edge[i].length, 8 * pack_header(pack), packed);
    check_join(plan, cut, pack, row, batch->edge[i].length, packed);
    for (uint32_t k = 0; k < plan->leaves; k++) {
      uint64_t leaf = packed_leaf(packed, k == 0 ? 0 : plan->end[k - 1], plan->end[k]);
      assert_int_equal(differs[k] >> i & 1, leaf != plan->before[k]);
      if (i == 0 || leaf != plan->before[k] || plan->leaves == 1)
        assert_true(key[k * CUT_ROWS + i] == leaf);
      plan->before[k] = leaf;
    }
  }
  free(packed);
}

static void cut_shape(const struct shapes *s, bool native, bool halves, uint64_t *random) {
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  struct pack *pack = pack_open(&s->shape, budget);
  struct plan plan;
  struct cut cut;
  struct cut_before before = {0};
  uint32_t header = 8 * pack_header(pack), bits = header, stride = ts_stride(&s->shape);
  for (uint32_t i = 0; i < s->shape.n_slots; i++)
    bits += s->slot[i].bits;
  plan_leaves(&plan, header, bits, random);
  if (halves)
    draw_front(&plan, s, random);
  assert_true(cut_open(&cut, &s->shape, budget,
                       &(struct cut_plan){.header = header,
                                          .leaves = plan.leaves,
                                          .end = plan.end,
                                          .front = plan.front,
                                          .native = native && pack_is_native(pack)}));
  struct ts_batch batch = {.edge = calloc(CUT_ROWS, sizeof *batch.edge),
                           .rows = calloc(CUT_ROWS, stride),
                           .stride = stride};
  uint64_t *key = calloc((size_t)plan.leaves * CUT_ROWS, sizeof *key);
  uint64_t *differs = calloc(plan.leaves, sizeof *differs);
  before.leaf = calloc(plan.leaves, sizeof *before.leaf);
  before.row = calloc(1, stride);
  for (uint32_t i = 0; i < BATCHES; i++) {
    draw(s, &batch, random);
    cut_rows(&cut, &before, &batch, 0, batch.n, key, differs);
    compare(&plan, &cut, pack, &batch, key, differs);
  }
  free(differs);
  free(before.leaf);
  free(before.row);
  free(key);
  free(batch.rows);
  free(batch.edge);
  free(plan.mask);
  free(plan.front);
  cut_close(&cut);
  pack_close(pack);
  assert_int_equal(budget_used(budget, BUDGET_STORE), 0);
  budget_close(budget);
}

static void cuts_as_packing_does(void **state) {
  (void)state;
  struct shapes s;
  uint64_t random = 11;
  for (uint32_t i = 0; i < 400; i++) {
    shapes_random(&s, 1 + (uint32_t)(bits_next_random(&random) % 60), i % 2 == 0, &random);
    cut_shape(&s, i % 4 < 2, i % 8 < 4, &random);
  }
}

static void opens_or_says_no(void **state) {
  (void)state;
  struct shapes s;
  uint32_t end[1] = {24};
  struct cut cut;
  shapes_bytes(&s, 3, true);
  struct budget *budget = budget_open(16);
  assert_false(cut_open(&cut, &s.shape, budget, &(struct cut_plan){.leaves = 1, .end = end}));
  cut_close(&cut);
  budget_close(budget);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cuts_as_packing_does),
                                     cmocka_unit_test(opens_or_says_no)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
