/* test_report.c - numbers, JSON, files that appear whole, trail files, verdicts. */
#include "report/json.h"
#include "report/number.h"
#include "report/outcome.h"
#include "report/outfile.h"
#include "report/trailfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void test_numbers(void **state) {
  (void)state;
  assert_string_equal(number_grouped(0).at, "0");
  assert_string_equal(number_grouped(999).at, "999");
  assert_string_equal(number_grouped(1000).at, "1,000");
  assert_string_equal(number_grouped(UINT64_MAX).at, "18,446,744,073,709,551,615");
  assert_string_equal(number_bytes(1023).at, "1023 bytes");
  assert_string_equal(number_bytes(1536).at, "1.5 KiB");
  assert_string_equal(number_bytes(UINT64_MAX).at, "16.0 EiB");
  assert_string_equal(number_short(12345678).at, "12.3 million");
  assert_string_equal(number_seconds(0.0123).at, "12.3 ms");
  assert_string_equal(number_plural(1), "");
  assert_string_equal(number_plural(0), "s");
}

static char *json_of(const char *text) {
  char *out = NULL;
  size_t length;
  FILE *file = open_memstream(&out, &length);
  struct json json;
  json_begin(&json, file);
  json_string(&json, NULL, text);
  json_end(&json);
  fclose(file);
  return out;
}

static void expect_json(const char *text, const char *expected) {
  char *out = json_of(text);
  assert_string_equal(out, expected);
  free(out);
}

static void test_json_strings(void **state) {
  (void)state;
  expect_json("a\"b\\c\n\t\x01\x7f", "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\"\n");
  expect_json("\xc3\xa9\xf0\x9f\x98\x80", "\"\xc3\xa9\xf0\x9f\x98\x80\"\n");
  /* alone, cut, overlong, surrogate, beyond the last code point */
  expect_json("\x80", "\"\\ufffd\"\n");
  expect_json("\xc3", "\"\\ufffd\"\n");
  expect_json("\xe2\x82", "\"\\ufffd\\ufffd\"\n");
  expect_json("\xc0\x80", "\"\\ufffd\\ufffd\"\n");
  expect_json("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"\n");
  expect_json("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n");
}

static void test_json_groups(void **state) {
  (void)state;
  char *out = NULL;
  size_t length;
  FILE *file = open_memstream(&out, &length);
  struct json json;
  json_begin(&json, file);
  json_object(&json, NULL, false);
  json_unsigned(&json, "a", UINT64_MAX);
  json_array(&json, "b", true);
  json_signed(&json, NULL, -1);
  json_bool(&json, NULL, true);
  json_null(&json, NULL);
  json_close_array(&json);
  json_object(&json, "c", false);
  json_close_object(&json);
  json_real(&json, "d", 1.0 / 0.0);
  json_close_object(&json);
  json_end(&json);
  fclose(file);
  assert_string_equal(out, "{\n  \"a\": 18446744073709551615,\n  \"b\": [-1, true, null],\n"
                           "  \"c\": {},\n  \"d\": null\n}\n");
  free(out);
}

static void test_outfile(void **state) {
  (void)state;
  char folder[] = "/tmp/cairn-report-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/x", folder);
  struct outfile out;
  assert_true(outfile_open(&out, path));
  fputs("half", out.file);
  assert_int_not_equal(access(path, F_OK), 0);
  outfile_abandon(&out);
  assert_true(outfile_open(&out, path));
  fputs("whole", out.file);
  assert_true(outfile_commit(&out));
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_size, 5);
  assert_false(outfile_open(&out, folder));
  unlink(path);
  /* Nothing else was left behind, or the folder would not go. */
  assert_int_equal(rmdir(folder), 0);
  assert_true(outfile_open(&out, "/dev/full"));
  fputs("lost", out.file);
  assert_false(outfile_commit(&out));
}

static bool read_text(struct arena *arena, const char *text, struct trailfile *trail) {
  struct diag *diag = diag_open(arena);
  return trailfile_read(arena, diag, source_make(arena, "t", text, (uint32_t)strlen(text)),
                        trail);
}

static void test_trailfile(void **state) {
  (void)state;
  struct budget *budget = budget_open(UINT64_C(1) << 30);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  struct ts_event event[] = {{0, 0}, {UINT32_MAX, UINT32_MAX}, {7, 1}};
  const char *invariant[] = {"a\\b\n== 1", "c"};
  struct trailfile in = {.model = "odd \x01 name",
                         .model_hash = UINT64_C(0x0123456789abcdef),
                         .n_invariants = 2,
                         .invariant = invariant,
                         .error = {.kind = SEARCH_INVARIANT,
                                   .index = 1,
                                   .trail = {.initial = 0, .n_events = 3, .event = event}}};
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  trailfile_write(file, &in);
  fclose(file);
  struct trailfile back;
  assert_true(read_text(arena, text, &back));
  assert_string_equal(back.model, in.model);
  assert_true(back.model_hash == in.model_hash);
  assert_int_equal(back.n_invariants, 2);
  assert_string_equal(back.invariant[0], invariant[0]);
  assert_int_equal(back.error.kind, SEARCH_INVARIANT);
  assert_memory_equal(back.error.trail.event, event, sizeof event);
  for (size_t n = length; n-- > 0;) {
    text[n] = '\0';
    assert_false(read_text(arena, text, &back));
  }
  free(text);
  arena_close(arena);
  budget_close(budget);
}

static void expect_verdict(struct outcome *run, int status, const char *begin) {
  char *out = NULL;
  size_t length;
  outcome_judge(run);
  assert_int_equal(outcome_status(run), status);
  FILE *file = open_memstream(&out, &length);
  outcome_print_verdict(run, file, false);
  fclose(file);
  assert_int_equal(strncmp(out, begin, strlen(begin)), 0);
  free(out);
}

static void test_verdicts(void **state) {
  (void)state;
  const char *unchecked[] = {"ltl p"};
  struct ts_shape shape = {.name = "m"};
  struct search_result result = {.verdict = SEARCH_VERIFIED, .guarantee = SEARCH_EXACT};
  struct outcome run = {.shape = &shape, .result = &result};
  expect_verdict(&run, 0, "verified: no error in 0 states (exact)");
  shape.unchecked = unchecked;
  shape.n_unchecked = 1;
  expect_verdict(&run, 3, "inconclusive: not checked in this version: ltl p");
  run.asked = true;
  expect_verdict(&run, 0, "verified:");
  /* What is not exact is never verified, whatever the search may say. */
  result.guarantee = SEARCH_PROBABLE;
  expect_verdict(&run, 3, "inconclusive:");
  result.guarantee = SEARCH_EXACT;
  result.internal_error = "broken";
  expect_verdict(&run, 3, "inconclusive: broken");
  /* Why a search that changes its store ended all the same. */
  struct store_kind tree = {.name = "tree"}, compact = {.name = "compact"};
  struct search_result spent = {.verdict = SEARCH_INCONCLUSIVE,
                                .guarantee = SEARCH_PARTIAL,
                                .limit = SEARCH_MEMORY,
                                .store = &tree,
                                .next_kind = &compact};
  struct outcome ended = {.shape = &shape, .result = &spent, .asked = true};
  expect_verdict(&ended, 3,
                 "inconclusive: the memory budget was reached after 0 states; no error "
                 "so far; there was no room to move the states to the store compact");
  spent.cut_in_move = true;
  expect_verdict(&ended, 3,
                 "inconclusive: the memory budget was reached after 0 states; no error "
                 "so far; states were on their way to the store tree, and not all");
  struct outcome none = {.verdict = OUTCOME_REJECTED, .reason = "wrong"};
  expect_verdict(&none, 2, "rejected: wrong");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),     cmocka_unit_test(test_json_strings),
      cmocka_unit_test(test_json_groups), cmocka_unit_test(test_outfile),
      cmocka_unit_test(test_trailfile),   cmocka_unit_test(test_verdicts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
