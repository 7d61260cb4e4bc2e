/* test_cleary.c - the set of numbers that grows in place, and memory that runs out. */
#include "base/budget.h"
#include "store/cleary/cleary.h"
#include "store/cleary/grow.h"
#include "store/cleary/slots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const uint64_t limit = UINT64_C(1) << 30;

/* The i-th of many keys, all different. */
static struct cleary_key nth_key(uint32_t i) {
  return (struct cleary_key){i * 0x9E3779B1u, i % 7, i / 1000};
}

static void fill(struct cleary *set, struct budget *budget, uint32_t n, uint32_t extra_bits) {
  assert_true(cleary_open(set, budget, BUDGET_STORE, 32, extra_bits));
  for (uint32_t i = 0; i < n; i++) {
    assert_int_equal(cleary_put(set, nth_key(i)), CLEARY_NEW);
    cleary_set_extra(set, nth_key(i), i & slots_mask(extra_bits));
  }
  assert_null(cleary_check(set));
}

/* How many of the first n keys are there, with the bits they carry. */
static uint64_t count_found(const struct cleary *set, uint32_t n) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (!cleary_has(set, nth_key(i)))
      continue;
    assert_int_equal(cleary_extra(set, nth_key(i)), i & slots_mask(set->extra_bits));
    found++;
  }
  return found;
}

static void holds_what_was_put(void **state) {
  (void)state;
  struct budget *budget = budget_open(limit);
  static const uint32_t extra[] = {0, 1, 13, 64};
  for (uint32_t k = 0; k < sizeof extra / sizeof *extra; k++) {
    struct cleary set;
    fill(&set, budget, 50000, extra[k]);
    assert_int_equal(count_found(&set, 60000), 50000);
    for (uint32_t i = 0; i < 50000; i += 2)
      assert_true(cleary_remove(&set, nth_key(i)));
    assert_int_equal(count_found(&set, 60000), 25000);
    assert_null(cleary_check(&set));
    cleary_close(&set);
  }
  assert_int_equal(budget_used(budget, BUDGET_STORE), 0);
  budget_close(budget);
}

/* Spreads a set over half as much memory again, for whose strays no room was taken;
 * requests for it fail from the n-th on. */
static void spread_unprepared(struct cleary *set, uint64_t fail) {
  struct cleary_layout old = set->layout;
  uint64_t before = slots_bytes(old.homes), after = before / 4096 / 2 * 3 * 4096;
  set->memory = budget_remap(set->budget, set->purpose, set->memory, before, after, false);
  assert_non_null(set->memory);
  set->layout = slots_layout(set, slots_homes(after), old.a_bits, old.b_bits);
  set->grow_at = slots_load(&set->layout, 90);
  budget_fail_after(set->budget, fail);
  cleary_spread(set, &old);
  budget_fail_after(set->budget, 0);
}

/* More strays than there is room for, and no memory: entries are lost, but the set says
 * that memory ran out, and keeps saying so when there is memory again. */
static void loses_entries_honestly(void **state) {
  (void)state;
  enum { N = 30000 };
  struct budget *budget = budget_open(limit);
  for (uint64_t fail = 1; fail <= 8; fail++) {
    struct cleary set;
    fill(&set, budget, N, 5);
    spread_unprepared(&set, fail);
    assert_true(fail > 1 || set.lost > 0);
    assert_int_equal(set.entries, N - set.lost);
    assert_null(cleary_check(&set));
    assert_int_equal(count_found(&set, N), set.entries);
    for (uint32_t i = 0; set.lost > 0 && i < 2 * N; i++) {
      bool there = cleary_has(&set, nth_key(i));
      assert_int_equal(cleary_put(&set, nth_key(i)), there ? CLEARY_OLD : CLEARY_SPENT);
    }
    if (set.lost > 0) { /* not even wider slots */
      struct cleary_key wide = {1, UINT32_MAX, UINT32_MAX - 1};
      assert_int_equal(cleary_put(&set, wide), CLEARY_SPENT);
      assert_false(cleary_make_room(&set));
    }
    cleary_close(&set);
  }
  assert_int_equal(budget_used(budget, BUDGET_STORE), 0);
  budget_close(budget);
}

/* Room that was not taken, but memory for it: nothing is lost. */
static void takes_room_for_strays_late(void **state) {
  (void)state;
  struct budget *budget = budget_open(limit);
  struct cleary set;
  fill(&set, budget, 30000, 5);
  spread_unprepared(&set, 0);
  assert_int_equal(set.lost, 0);
  assert_null(cleary_check(&set));
  assert_int_equal(count_found(&set, 30000), 30000);
  assert_int_equal(cleary_put(&set, nth_key(30000)), CLEARY_NEW);
  cleary_close(&set);
  budget_close(budget);
}

/* More keys of one home than have a place within reach of it: the others are kept, whatever is
 * put, removed and settled beside them. */
static void keeps_strays(void **state) {
  (void)state;
  enum { N = 1000, OTHERS = 3000 };
  struct budget *budget = budget_open(limit);
  struct cleary set;
  assert_true(cleary_open(&set, budget, BUDGET_STORE, 32, 0));
  for (uint32_t i = 0; i < N; i++)
    assert_int_equal(cleary_put(&set, (struct cleary_key){1u << 30, i, 0}), CLEARY_NEW);
  assert_true(set.n_strays > 0);
  for (uint32_t i = 0; i < OTHERS; i++)
    assert_int_equal(cleary_put(&set, (struct cleary_key){i * 0x9E3779B1u, i, 1}), CLEARY_NEW);
  for (uint32_t i = 0; i < OTHERS; i += 2)
    assert_true(cleary_remove(&set, (struct cleary_key){i * 0x9E3779B1u, i, 1}));
  assert_true(set.n_strays > 0);
  assert_null(cleary_check(&set));
  for (uint32_t i = 0; i < N; i++)
    assert_true(cleary_has(&set, (struct cleary_key){1u << 30, i, 0}));
  for (uint32_t i = 0; i < N; i++)
    assert_true(cleary_remove(&set, (struct cleary_key){1u << 30, i, 0}));
  assert_int_equal(set.n_strays, 0);
  assert_int_equal(set.entries, OTHERS / 2);
  assert_null(cleary_check(&set));
  cleary_close(&set);
  budget_close(budget);
}

/* Also those without a place; what was listed may be given up at once. */
static void lists_each_entry_once(void **state) {
  (void)state;
  enum { N = 1000 };
  struct budget *budget = budget_open(limit);
  struct cleary_entry entry[CLEARY_LISTED];
  for (uint32_t releases = 0; releases < 2; releases++) {
    struct cleary set;
    bool seen[N] = {false};
    uint64_t cursor = 0, listed = 0;
    assert_true(cleary_open(&set, budget, BUDGET_STORE, 32, 10));
    for (uint32_t i = 0; i < N; i++) {
      struct cleary_key key = {1u << 30, i, 0};
      assert_int_equal(cleary_put(&set, key), CLEARY_NEW);
      cleary_set_extra(&set, key, i);
    }
    assert_true(set.n_strays > CLEARY_LISTED);
    for (uint32_t n; (n = cleary_list(&set, &cursor, entry)) > 0; listed += n) {
      for (uint32_t k = 0; k < n; k++) {
        assert_true(entry[k].key.a < N && !seen[entry[k].key.a]);
        assert_int_equal(entry[k].extra, entry[k].key.a);
        seen[entry[k].key.a] = true;
      }
      if (releases)
        cleary_release(&set, cursor, n);
    }
    assert_int_equal(listed, N);
    assert_int_equal(set.entries, releases ? 0 : N);
    cleary_close(&set);
  }
  assert_int_equal(budget_used(budget, BUDGET_STORE), 0);
  budget_close(budget);
}

/* When memory runs out, nothing changes, and with memory again all goes on. */
static void goes_on_after_failures(void **state) {
  (void)state;
  struct budget *budget = budget_open(limit);
  struct cleary set;
  uint32_t spent = 0;
  assert_true(cleary_open(&set, budget, BUDGET_STORE, 32, 0));
  for (uint32_t i = 0; i < 50000; i++) {
    budget_fail_after(budget, 1 + i % 3);
    enum cleary_answer answer = cleary_put(&set, nth_key(i));
    budget_fail_after(budget, 0);
    assert_int_equal(set.lost, 0);
    assert_int_equal(set.entries, i + (answer == CLEARY_NEW));
    if (answer == CLEARY_SPENT) {
      spent++;
      assert_null(cleary_check(&set));
      assert_int_equal(cleary_put(&set, nth_key(i)), CLEARY_NEW);
    }
  }
  assert_true(spent > 0);
  assert_int_equal(count_found(&set, 50000), 50000);
  cleary_close(&set);
  budget_close(budget);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(holds_what_was_put),         cmocka_unit_test(loses_entries_honestly),
      cmocka_unit_test(takes_room_for_strays_late), cmocka_unit_test(keeps_strays),
      cmocka_unit_test(lists_each_entry_once),      cmocka_unit_test(goes_on_after_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
