/* test_lossy.c - stores that keep less than the state, against what they claim to
 * keep: compact is exactly the set of the hashes' high bits, bitstate forgets nothing;
 * through growth, narrowing, colliding hashes and memory that runs out. The truth of
 * their estimates is tested by test_truth.c. */
#include "base/bits.h"
#include "base/budget.h"
#include "base/sink.h"
#include "store/store.h"
#include "store/values/values.h"

#include "shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define ROWS 96u

static const uint64_t limit = UINT64_C(1) << 30;

/* A plain set of values, open addressing. */
struct plain {
  uint64_t *slot; /* value + 1; the value of all ones does not occur here */
  uint64_t n, mask;
};

static void plain_open(struct plain *p, uint64_t capacity) {
  p->mask = 1;
  while (p->mask < 2 * capacity)
    p->mask *= 2;
  p->slot = calloc(p->mask--, sizeof *p->slot);
  p->n = 0;
}

static bool plain_has(const struct plain *p, uint64_t value, uint64_t *at) {
  uint64_t i = (value ^ value >> 29) * UINT64_C(0x9E3779B97F4A7C15) >> 20 & p->mask;
  while (p->slot[i] != 0 && p->slot[i] != value + 1)
    i = (i + 1) & p->mask;
  *at = i;
  return p->slot[i] != 0;
}

static void plain_add(struct plain *p, uint64_t value) {
  uint64_t at;
  if (!plain_has(p, value, &at)) {
    p->slot[at] = value + 1;
    p->n++;
  }
}

struct run {
  struct shapes shapes;
  struct budget *budget;
  const struct store_kind *kind;
  struct store *store;
  struct store_work *work;
  struct rows rows; /* lossy stores see hashes only */
  struct ts_edge edge[ROWS];
  uint64_t key[ROWS], ref[ROWS], random, put;
  uint8_t answer[ROWS];
};

static void run_open(struct run *r, const char *name, struct store_config config) {
  memset(r, 0, sizeof *r);
  shapes_bytes(&r->shapes, 14, true);
  r->budget = budget_open(limit);
  r->kind = store_by_name(name);
  assert_non_null(r->kind);
  config.shape = &r->shapes.shape;
  config.budget = r->budget;
  r->store = r->kind->open(&config);
  assert_non_null(r->store);
  r->work = r->kind->begin(r->store);
  assert_non_null(r->work);
  r->rows = (struct rows){.batch = {.edge = r->edge, .n = ROWS, .capacity = ROWS},
                          .hash = r->key,
                          .ref = r->ref,
                          .answer = r->answer};
  r->random = 5;
}

static void run_close(struct run *r) {
  r->kind->end(r->work);
  r->kind->close(r->store);
  assert_int_equal(budget_used(r->budget, BUDGET_STORE), 0);
  budget_close(r->budget);
}

static void expect_sound(struct run *r) {
  struct store_usage usage;
  const char *broken = r->kind->check(r->work);
  if (broken)
    fail_msg("%s", broken);
  r->kind->usage(r->store, &usage);
  assert_int_equal(usage.states, r->put);
  assert_int_equal(usage.reserved, budget_used(r->budget, BUDGET_STORE));
  assert_true(usage.bytes <= usage.reserved);
}

/* New hashes, hashes put before, and equal ones within the batch. */
static void draw(struct run *r) {
  for (uint32_t i = 0; i < ROWS; i++) {
    uint64_t seed = bits_next_random(&r->random) % (2 * r->put + 1000);
    r->key[i] = i % 7 == 6 ? r->key[i / 2] : bits_next_random(&seed);
  }
}

static uint64_t value_of(uint64_t hash, uint32_t width, uint32_t hash_bits) {
  if (hash_bits != 0)
    hash = (hash & ((UINT64_C(1) << hash_bits) - 1)) * UINT64_C(0x9E3779B97F4A7C15);
  return hash >> (64 - width);
}

static void compact_is_a_set(uint32_t width, uint32_t hash_bits, uint64_t most,
                             uint64_t fail_each) {
  struct run r;
  struct plain plain;
  uint64_t at, batches = 0, failures = 0;
  run_open(&r, "compact", (struct store_config){.parameter = width, .hash_bits = hash_bits});
  plain_open(&plain, most + 4 * ROWS);
  while (plain.n < most && batches++ < 2 * most / ROWS + 400) {
    draw(&r);
    r.kind->find(r.work, &r.rows, 0, ROWS);
    for (uint32_t i = 0; i < ROWS; i++) {
      bool old = plain_has(&plain, value_of(r.key[i], width, hash_bits), &at);
      assert_int_equal(r.answer[i], old ? STORE_OLD : STORE_NEW);
      assert_int_equal(r.ref[i], old ? 0 : STORE_NONE);
    }
    if (fail_each > 0)
      budget_fail_after(r.budget, 1);
    uint32_t from = r.kind->put(r.work, &r.rows, 0, ROWS);
    budget_fail_after(r.budget, 0);
    failures += from < ROWS;
    if (from < ROWS) {
      for (uint32_t i = 0; i < from; i++)
        r.put += r.answer[i];
      expect_sound(&r);
    }
    assert_int_equal(r.kind->put(r.work, &r.rows, from, ROWS), ROWS);
    for (uint32_t i = 0; i < ROWS; i++) {
      uint64_t value = value_of(r.key[i], width, hash_bits);
      assert_int_equal(r.answer[i], plain_has(&plain, value, &at) ? STORE_OLD : STORE_NEW);
      plain_add(&plain, value);
    }
    r.put = plain.n;
    if (batches % 1000 == 1)
      expect_sound(&r);
  }
  assert_true(fail_each == 0 || failures > 3);
  expect_sound(&r);
  free(plain.slot);
  run_close(&r);
}

static void compact_keeps_its_bits(void **state) {
  (void)state;
  static const uint32_t widths[] = {16, 17, 20, 24, 31, 32, 33, 40, 48, 57, 63, 64};
  for (uint32_t i = 0; i < sizeof widths / sizeof *widths; i++)
    compact_is_a_set(widths[i], 0, widths[i] == 16 ? 65000 : 120000, 0);
  compact_is_a_set(40, 0, 1500000, 0);
}

static void compact_with_colliding_hashes(void **state) {
  (void)state;
  compact_is_a_set(40, 8, 1000, 0);
  compact_is_a_set(16, 3, 1000, 0);
  compact_is_a_set(64, 14, 16000, 0);
}

/* More numbers of one home than its lines hold: the others have no line, and are there all the
 * same, also when the set has grown. */
static void values_without_a_line(void **state) {
  (void)state;
  enum { HOME = 5, WIDTH = 40, STRAYS = 20 };
  struct budget *budget = budget_open(0);
  struct values v;
  assert_true(values_open(&v, budget, WIDTH));
  uint64_t n = (uint64_t)v.layout.slots * LINE_REACH + STRAYS, found = 0, t[ROWS];
  uint64_t step = UINT64_C(1) << (64 - WIDTH);
  uint64_t first = (UINT64_MAX / v.layout.homes * HOME / step + 2) * step;
  for (uint64_t i = 0; i < n; i++)
    values_add(&v, first + i * step);
  assert_int_equal(v.n_strays, STRAYS);
  for (uint32_t round = 0; round < 2; round++) {
    assert_null(values_check(&v));
    for (uint64_t i = 0; i < 2 * n; i++)
      assert_int_equal(values_has(&v, first + i * step), i < n);
    assert_true(values_grow(&v, 2));
  }
  uint64_t cursor = 0;
  for (uint32_t some; (some = values_list(&v, &cursor, t, ROWS)) > 0; found += some) {
    for (uint32_t i = 0; i < some; i++)
      assert_true(t[i] >= first && t[i] < first + n * step);
    values_release(&v, cursor);
  }
  assert_int_equal(found, n);
  values_close(&v);
  budget_close(budget);
}

static void compact_survives_failures(void **state) {
  (void)state;
  compact_is_a_set(36, 0, 200000, 1);
  compact_is_a_set(64, 0, 200000, 1);
}

/* With little memory the width shrinks, nothing put is forgotten, and the number of
 * states that were wrongly old is near the estimate; in the end memory is out. */
static void compact_narrows(void **state) {
  (void)state;
  struct run r;
  struct store_usage usage;
  uint64_t n = 0, next = 1, wrong = 0;
  uint32_t width = 64, narrowed = 0, done;
  run_open(&r, "compact", (struct store_config){0});
  uint64_t rest = budget_limit(r.budget) - budget_used_all(r.budget) - (UINT64_C(1) << 20);
  assert_true(budget_claim(r.budget, BUDGET_OTHER, rest));
  do {
    for (uint32_t i = 0; i < ROWS; i++, next++) {
      uint64_t seed = next;
      r.key[i] = bits_next_random(&seed);
    }
    done = r.kind->put(r.work, &r.rows, 0, ROWS);
    for (uint32_t i = 0; i < done; i++)
      wrong += r.answer[i] == STORE_OLD;
    n += done;
    r.put = n - wrong;
    r.kind->usage(r.store, &usage);
    if (usage.kept_bits < width) {
      width = usage.kept_bits;
      narrowed++;
      expect_sound(&r);
      for (uint64_t i = 1; i <= n; i += ROWS) {
        for (uint32_t j = 0; j < ROWS; j++) {
          uint64_t seed = i + j;
          r.key[j] = bits_next_random(&seed);
        }
        r.kind->find(r.work, &r.rows, 0, ROWS);
        for (uint32_t j = 0; j < ROWS && i + j <= n; j++)
          assert_int_equal(r.answer[j], STORE_OLD);
      }
    }
  } while (done == ROWS);
  print_message("1 MiB: %llu states, %u bits left, %llu wrong, %.1f expected\n",
                (unsigned long long)r.put, width, (unsigned long long)wrong,
                usage.wrong_matches);
  double off = (double)wrong - usage.wrong_matches;
  assert_true(off * off <= 16 * (usage.wrong_matches + 1));
  assert_true(narrowed > 2 && r.put > 300000);
  expect_sound(&r);
  run_close(&r);
}

/* Nothing that was put is ever new again; the estimate is near the truth. */
static void bits_forget_nothing(const char *name, uint32_t k, uint64_t size, uint64_t n,
                                uint32_t hash_bits) {
  struct run r;
  struct store_usage usage;
  uint64_t wrong = 0;
  run_open(&r, name,
           (struct store_config){.parameter = k, .size = size, .hash_bits = hash_bits});
  for (uint64_t next = 1; next < n;) {
    for (uint32_t i = 0; i < ROWS; i++, next++) {
      uint64_t seed = next;
      r.key[i] = bits_next_random(&seed);
    }
    assert_int_equal(r.kind->put(r.work, &r.rows, 0, ROWS), ROWS);
    for (uint32_t i = 0; i < ROWS; i++)
      wrong += r.answer[i] == STORE_OLD;
    r.put = next - 1 - wrong;
    r.kind->find(r.work, &r.rows, 0, ROWS);
    for (uint32_t i = 0; i < ROWS; i++)
      assert_int_equal(r.answer[i], STORE_OLD);
  }
  expect_sound(&r);
  r.kind->usage(r.store, &usage);
  assert_int_equal(usage.set_bits, k == 0 ? 3 : k);
  print_message("%s:%u, %.1f bits per state: %llu of %llu wrong, %.1f expected\n", name, k,
                (double)usage.table_bits / (double)n, (unsigned long long)wrong,
                (unsigned long long)n, usage.wrong_matches);
  double off = (double)wrong - usage.wrong_matches;
  assert_true(off * off <= 16 * (usage.wrong_matches * 2 + 1));
  run_close(&r);
}

/* States come from another store, which gives back a little less for each than a quarter more
 * than the table takes: it cannot grow by quarters. */
static void compact_grows_while_states_move(void **state) {
  (void)state;
  enum { STATES = 700000, PAGE = 4096, SPARE = 64 * PAGE };
  struct run r;
  run_open(&r, "compact", (struct store_config){.states = STATES, .room = 4 * STATES});
  size_t ballast = limit - budget_used_all(r.budget) - SPARE;
  ballast -= ballast % PAGE;
  void *held = budget_map(r.budget, BUDGET_OTHER, ballast, false);
  assert_non_null(held);
  const size_t all = ballast;
  while (r.put < STATES) {
    for (uint32_t i = 0; i < ROWS; i++)
      r.key[i] = bits_next_random(&r.random);
    assert_int_equal(r.kind->put(r.work, &r.rows, 0, ROWS), ROWS);
    for (uint32_t i = 0; i < ROWS; i++)
      r.put += r.answer[i] == STORE_NEW;
    const size_t keeps = all - r.put * 13 / 4 / PAGE * PAGE;
    if (keeps < ballast)
      held = budget_remap(r.budget, BUDGET_OTHER, held, ballast, keeps, false);
    ballast = keeps;
  }
  expect_sound(&r);
  budget_unmap(r.budget, BUDGET_OTHER, held, ballast);
  run_close(&r);
}

static void bitstate_tells_the_truth(void **state) {
  (void)state;
  static const char *const names[] = {"bitstate", "bitline"};
  for (uint32_t i = 0; i < 2; i++) {
    bits_forget_nothing(names[i], 0, 1 << 18, 200000, 0);
    bits_forget_nothing(names[i], 1, 1 << 18, 200000, 0);
    bits_forget_nothing(names[i], 2, 1 << 16, 400000, 0);
    bits_forget_nothing(names[i], 7, 1 << 18, 200000, 0);
    bits_forget_nothing(names[i], 8, 1 << 20, 200000, 0);
    bits_forget_nothing(names[i], 64, 1 << 21, 100000, 0);
    bits_forget_nothing(names[i], 3, 64, 1000, 0);
    bits_forget_nothing(names[i], 3, 1 << 20, 192, 8);
  }
}

/* Bits per state of a table of 64 KiB that is opened for that many states. */
static uint32_t chosen_bits(uint64_t states, uint32_t told) {
  const struct store_kind *kind = store_by_name("bitline");
  struct shapes s;
  shapes_bytes(&s, 14, true);
  struct budget *budget = budget_open(limit);
  struct store_config config = {.shape = &s.shape,
                                .budget = budget,
                                .parameter = told,
                                .states = states,
                                .room = states > 0 ? (64 << 10) / 3 * 4 : 0,
                                .size = 64 << 10};
  struct store *store = kind->open(&config);
  struct store_usage usage;
  kind->usage(store, &usage);
  kind->close(store);
  budget_close(budget);
  return usage.set_bits;
}

static void bits_fit_the_states(void **state) {
  (void)state;
  assert_int_equal(store_best_bits(1 << 20, 1 << 18), 3);
  assert_int_equal(store_best_bits(64, 1000), 1);
  assert_int_equal(store_best_bits(1 << 20, 0), 64);
  assert_int_equal(chosen_bits(0, 0), 3);
  assert_int_equal(chosen_bits(0, 5), 5);
  assert_int_equal(chosen_bits(1 << 16, 5), 5);
  assert_int_equal(chosen_bits(1 << 16, 0), 3); /* 8 bits for each, 4 with as many again */
  assert_int_equal(chosen_bits(1 << 20, 0), 1);
  assert_int_equal(chosen_bits(1 << 10, 0), 8);
}

/* Puts hashes from `next` on; which of them are old, as a sum that depends on the order. */
static uint64_t put_some(struct run *r, uint64_t next, uint32_t batches) {
  uint64_t sum = 0;
  for (uint32_t b = 0; b < batches; b++) {
    for (uint32_t i = 0; i < ROWS; i++, next++) {
      uint64_t seed = next % 50000;
      r->key[i] = bits_next_random(&seed);
    }
    assert_int_equal(r->kind->put(r->work, &r->rows, 0, ROWS), ROWS);
    for (uint32_t i = 0; i < ROWS; i++)
      sum = sum * 3 + r->answer[i];
  }
  return sum;
}

/* A store that was saved and loaded answers as one that was not, and has the same figures. */
static void save_beside(const char *name, struct store_config config, struct sink *sink,
                        const char *path) {
  struct run a, b;
  struct store_usage one, other;
  run_open(&a, name, config);
  run_open(&b, name, config);
  for (uint32_t i = 0; i < 6; i++) {
    assert_int_equal(put_some(&a, i * 9000, 99), put_some(&b, i * 9000, 99));
    assert_true(sink_create(sink, path, 1));
    b.kind->save(b.store, sink);
    assert_true(sink_commit(sink));
    run_close(&b);
    run_open(&b, name, config);
    assert_true(sink_read(sink, path, 1));
    assert_true(b.kind->load(b.store, sink));
    assert_true(sink_commit(sink));
    a.kind->usage(a.store, &one);
    b.kind->usage(b.store, &other);
    assert_memory_equal(&one, &other, sizeof one);
    assert_null(b.kind->check(b.work));
  }
  run_close(&a);
  run_close(&b);
}

static void goes_on_as_if_never_stopped(void **state) {
  (void)state;
  char path[] = "/tmp/test_lossy.XXXXXX";
  struct budget *budget = budget_open(limit);
  struct sink *sink = sink_open(budget);
  close(mkstemp(path));
  save_beside("compact", (struct store_config){0}, sink, path);
  save_beside("compact", (struct store_config){.parameter = 20}, sink, path);
  save_beside("bitstate", (struct store_config){.parameter = 3, .size = 1 << 16}, sink, path);
  save_beside("bitline", (struct store_config){.size = 1 << 16}, sink, path);
  save_beside("bitline", (struct store_config){.states = 1 << 20, .room = 1 << 28}, sink, path);
  sink_close(sink);
  budget_close(budget);
  unlink(path);
}

static void opens_or_says_no(void **state) {
  (void)state;
  static const char *const names[] = {"compact", "bitstate", "bitline"};
  struct shapes s;
  shapes_bytes(&s, 14, true);
  for (uint32_t i = 0; i < 3; i++)
    for (uint64_t n = 1;; n++) {
      const struct store_kind *kind = store_by_name(names[i]);
      struct budget *budget = budget_open(limit);
      struct store_config config = {.shape = &s.shape, .budget = budget, .size = 4096};
      budget_fail_after(budget, n);
      struct store *store = kind->open(&config);
      struct store_work *work = store ? kind->begin(store) : NULL;
      bool opened = work != NULL;
      if (work)
        kind->end(work);
      if (store)
        kind->close(store);
      assert_int_equal(budget_used(budget, BUDGET_STORE), 0);
      budget_close(budget);
      if (opened)
        break;
    }
}

static void takes_little_memory(void **state) {
  (void)state;
  static const uint32_t widths[] = {32, 40, 48, 64};
  for (uint32_t w = 0; w < 4; w++) {
    struct run r;
    struct store_usage usage;
    double worst = 0;
    run_open(&r, "compact", (struct store_config){.parameter = widths[w]});
    for (uint64_t next = 1; next < 2200000;) { /* all sizes from a million on */
      for (uint32_t i = 0; i < ROWS; i++, next++) {
        uint64_t seed = next;
        r.key[i] = bits_next_random(&seed);
      }
      assert_int_equal(r.kind->put(r.work, &r.rows, 0, ROWS), ROWS);
      r.kind->usage(r.store, &usage);
      double each = (double)usage.reserved / (double)usage.states;
      worst = usage.states >= 1000000 && each > worst ? each : worst;
    }
    print_message("compact:%u: at most %.2f bytes per state\n", widths[w], worst);
    assert_true(worst <= 1.6 * (widths[w] - 20 + 9) / 8);
    run_close(&r);
  }
}

/* Argument: only the case of that name; it may contain * and ?. */
int main(int n, char **word) {
  cmocka_set_test_filter(n > 1 ? word[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compact_keeps_its_bits),
      cmocka_unit_test(compact_with_colliding_hashes),
      cmocka_unit_test(values_without_a_line),
      cmocka_unit_test(compact_survives_failures),
      cmocka_unit_test(compact_narrows),
      cmocka_unit_test(compact_grows_while_states_move),
      cmocka_unit_test(bitstate_tells_the_truth),
      cmocka_unit_test(bits_fit_the_states),
      cmocka_unit_test(goes_on_as_if_never_stopped),
      cmocka_unit_test(opens_or_says_no),
      cmocka_unit_test(takes_little_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
