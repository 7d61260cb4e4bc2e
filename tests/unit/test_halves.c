/* test_halves.c - the halves of a state are those between which least is shared. */
#include "store/parts/halves.h"
#include "store/parts/vary.h"

#include "shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PAIRS = 10, STATES = 8192 };

struct world {
  struct budget *budget;
  uint64_t used; /* of it at first */
  struct shapes shapes;
  struct ts_batch sample;
  uint64_t front[8];
};

static void world_open(struct world *w, uint32_t slots) {
  *w = (struct world){.budget = budget_open(UINT64_C(1) << 30)};
  w->used = budget_used(w->budget, BUDGET_OTHER);
  shapes_bytes(&w->shapes, slots, true);
  w->sample = (struct ts_batch){.edge = calloc(STATES, sizeof *w->sample.edge),
                                .rows = calloc(STATES, ts_stride(&w->shapes.shape)),
                                .stride = ts_stride(&w->shapes.shape),
                                .capacity = STATES};
}

static void world_close(struct world *w) {
  assert_int_equal(budget_used(w->budget, BUDGET_OTHER), w->used);
  budget_close(w->budget);
  free(w->sample.edge);
  free(w->sample.rows);
}

/* The slots in front of this one are in the front half. */
static void cut_at(struct world *w, uint32_t slot) {
  memset(w->front, 0, sizeof w->front);
  memset(w->front, 0xFF, slot);
}

static bool is_front(const struct world *w, uint32_t slot) {
  return w->front[slot / 8] >> slot % 8 * 8 & 0xFF;
}

static bool choose(struct world *w) {
  return halves_choose(&w->shapes.shape, &w->sample, w->budget, w->front);
}

/* Two arrays, and element i of one depends on that of the other. */
static void keeps_together_what_varies_together(void **state) {
  (void)state;
  struct world w;
  uint64_t random = 1;
  world_open(&w, 2 * PAIRS);
  shapes_paired(&w.shapes, &w.sample, STATES, &random);
  cut_at(&w, PAIRS);
  assert_true(choose(&w));
  uint32_t front = 0;
  for (uint32_t i = 0; i < PAIRS; i++) {
    assert_int_equal(is_front(&w, i), is_front(&w, PAIRS + i));
    front += is_front(&w, i);
  }
  assert_in_range(front, PAIRS / 2 - 1, PAIRS / 2 + 1);
  world_close(&w);
}

/* What never varies goes with its neighbours: each half of them has a whole array. */
static void keeps_neighbours(void **state) {
  (void)state;
  struct world w;
  uint64_t random = 1;
  world_open(&w, 6 * PAIRS);
  w.shapes.shape.n_components = 2;
  w.shapes.component[0].bytes = 3 * PAIRS;
  w.shapes.component[1].offset = 3 * PAIRS;
  w.shapes.component[1].bytes = 3 * PAIRS;
  for (w.sample.n = 0; w.sample.n < STATES; w.sample.n++) {
    uint8_t *row = w.sample.rows + w.sample.n * w.sample.stride;
    for (uint32_t i = 0; i < PAIRS; i++)
      row[3 * i] = row[3 * (PAIRS - 1 - i) + 3 * PAIRS] = bits_next_random(&random) % 4;
  }
  cut_at(&w, 3 * PAIRS);
  assert_true(choose(&w));
  for (uint32_t i = 0; i < 6 * PAIRS; i++)
    if (i % 3 == 0 && i + 1 < 6 * PAIRS)
      assert_int_equal(is_front(&w, i), is_front(&w, i + 1));
  world_close(&w);
}

/* Nothing depends on anything, and the halves are equal. */
static void leaves_what_is_good(void **state) {
  (void)state;
  struct world w;
  uint64_t random = 1, before[8];
  world_open(&w, 2 * PAIRS);
  for (w.sample.n = 0; w.sample.n < STATES; w.sample.n++)
    for (uint32_t i = 0; i < 2 * PAIRS; i++)
      w.sample.rows[w.sample.n * w.sample.stride + i] = bits_next_random(&random) % 2;
  cut_at(&w, PAIRS);
  memcpy(before, w.front, sizeof before);
  assert_false(choose(&w));
  assert_memory_equal(before, w.front, sizeof before);
  world_close(&w);
}

static void says_no_where_it_cannot_know(void **state) {
  (void)state;
  struct world w;
  uint64_t random = 1, before[8];
  world_open(&w, 2 * PAIRS);
  shapes_paired(&w.shapes, &w.sample, HALVES_LEAST - 1, &random);
  cut_at(&w, PAIRS);
  memcpy(before, w.front, sizeof before);
  assert_false(choose(&w));
  shapes_paired(&w.shapes, &w.sample, STATES, &random);
  bool chosen = false;
  for (uint32_t request = 1; !chosen; request++) {
    budget_fail_after(w.budget, request);
    chosen = choose(&w);
    budget_fail_after(w.budget, 0);
    if (!chosen)
      assert_memory_equal(before, w.front, sizeof before);
  }
  world_close(&w);
}

/* Slots that share bytes are one unit. */
static void units_share_no_bytes(void **state) {
  (void)state;
  struct world w;
  uint64_t random = 1;
  struct vary v;
  world_open(&w, 8);
  w.shapes.slot[2] = (struct ts_slot){.offset = 4, .bytes = 4, .bits = 32};
  w.shapes.slot[3] = (struct ts_slot){.offset = 5, .bytes = 1, .bits = 3};
  w.shapes.slot[4] = (struct ts_slot){.offset = 4, .bytes = 2, .bits = 11};
  w.shapes.shape.n_slots = 5;
  shapes_paired(&w.shapes, &w.sample, 100, &random);
  assert_true(vary_open(&v, &w.shapes.shape, &w.sample, 50, w.budget));
  assert_int_equal(v.n_units, 3);
  assert_int_equal(v.unit[2].offset, 4);
  assert_int_equal(v.unit[2].bytes, 4);
  assert_true(v.unit[2].mask == UINT32_MAX);
  vary_close(&v);
  world_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_together_what_varies_together), cmocka_unit_test(keeps_neighbours),
      cmocka_unit_test(leaves_what_is_good), cmocka_unit_test(says_no_where_it_cannot_know),
      cmocka_unit_test(units_share_no_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
