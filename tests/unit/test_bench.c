/* test_bench.c - the parts of `cairn bench`: JSON read back, tables, formulas, results. */
#include "cli/bench/formula.h"
#include "cli/bench/results.h"
#include "report/json_read.h"
#include "report/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- JSON ------------------------------------------------------------------------- */

struct heard {
  char text[4096];
  size_t length;
};

static void hear(void *data, const struct json_leaf *leaf) {
  struct heard *h = data;
  int n = snprintf(h->text + h->length, sizeof h->text - h->length, "%s%s=%c%.*s\n", leaf->path,
                   leaf->in_array ? "[]" : "", "#\"?"[leaf->kind], (int)leaf -> length,
                   leaf -> text);
  h->length += (size_t)n;
}

/* What is read is in memory of exactly its size, so that a look after it is found. */
static bool read_json(const char *text, size_t length, struct heard *h) {
  char *copy = malloc(length + (length == 0));
  memcpy(copy, text, length);
  *h = (struct heard){0};
  bool fine = json_read(copy, length, hear, h);
  free(copy);
  return fine;
}

static void test_json_parts(void **state) {
  (void)state;
  struct heard h;
  static const char text[] =
      " {\"a\": {\"b\" : -1.5e+3, \"c\":[1,{\"d\":true}]},\t\"e\":\"x\\\"y\", "
      "\"f\":null, \"g\":[], \"h\":{} , \"i\":false}\r\n";
  assert_true(read_json(text, strlen(text), &h));
  assert_string_equal(h.text, "a.b=#-1.5e+3\na.c[]=#1\na.c.d[]=?true\ne=\"x\\\"y\nf=?null\n"
                              "i=?false\n");
  assert_true(read_json("0", 1, &h));
  assert_string_equal(h.text, "=#0\n");
}

static void test_json_mistakes(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "",        " ",         "{",         "}",        "[1,]",      "{\"a\":1,}", "{\"a\"}",
      "{a:1}",   "[1 2]",     "1 2",       "\"a",      "\"\\",      "\"\\q\"",    "\"\\u12g4\"",
      "\"\\u12", "tru",       "nul",       "-",        "+1",        "1.",         ".5",
      "1e",      "1e+",       "01",        "1.e3",     "--1",       "1-2",        "\"a\nb\"",
      "[1}",     "{\"a\":]}", "truefalse", "{\"a\":1", "\"\\u000",  "NaN",        "Infinity",
      "'a'",     "{,}",       "[,1]",      "1e5.5",    "{\"a\" 1}", "[\"a\":1]",  "0x10"};
  struct heard h;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (read_json(wrong[i], strlen(wrong[i]), &h))
      fail_msg("taken: %s", wrong[i]);
  assert_false(read_json("1\0", 2, &h));
  assert_false(read_json("\"a\0b\"", 5, &h));
  /* Every beginning of a text is a mistake, and is not read beyond its end. */
  static const char whole[] = "{\"k\":[1.5e-3,\"\\u00e9\",true,null,{\"l\":-0}]}";
  for (size_t n = 0; n + 1 < sizeof whole; n++)
    assert_false(read_json(whole, n, &h));
  assert_true(read_json(whole, sizeof whole - 1, &h));
}

static void test_json_depth(void **state) {
  (void)state;
  struct heard h;
  char text[200];
  memset(text, '[', 100);
  memset(text + 100, ']', 100);
  assert_false(read_json(text, 200, &h));
  assert_true(read_json(text + 80, 40, &h));
  /* A way that is too long for its place is a mistake as well. */
  char *keys = malloc(6000);
  size_t n = 0;
  for (int i = 0; i < 8; i++)
    n += (size_t)sprintf(keys + n, "{\"%0100d\":", i);
  n += (size_t)sprintf(keys + n, "1}}}}}}}}");
  assert_false(read_json(keys, n, &h));
  free(keys);
}

static void test_json_escapes(void **state) {
  (void)state;
  char to[16];
  static const char text[] = "a\\n\\t\\\"\\\\\\/\\u0041\\u00e9\\u0000";
  json_unescape(text, strlen(text), to, sizeof to);
  assert_string_equal(to, "a\n\t\"\\/A??");
  json_unescape("abcdef", 6, to, 4);
  assert_string_equal(to, "abc");
  json_unescape("\\u00", 4, to, sizeof to);
  assert_string_equal(to, "?");
  json_unescape("a\\", 2, to, sizeof to);
  assert_string_equal(to, "a\\");
}

/* ---- tables ----------------------------------------------------------------------- */

static struct table *make_table(struct arena *arena) {
  struct table *t = table_open(arena, "T|1");
  table_column(t, "name");
  table_column(t, "µs");
  table_column(t, "x");
  table_text(t, "a|b\tc\n");
  table_number(t, 12345678901.0);
  table_unknown(t);
  table_text(t, "µµ");
  table_number(t, 999.6);
  table_number(t, -0.25);
  return t;
}

static void expect_table(const struct table *t, enum table_format format,
                         const char *expected) {
  char *out = NULL;
  size_t length;
  FILE *file = open_memstream(&out, &length);
  table_write(t, format, file);
  fclose(file);
  assert_string_equal(out, expected);
  free(out);
}

static void test_tables(void **state) {
  (void)state;
  struct budget *budget = budget_open(0);
  struct arena *arena = arena_open(budget, BUDGET_OTHER);
  struct table *t = make_table(arena);
  expect_table(t, TABLE_TEXT,
               "T|1\n\nname                µs       x\na|b c   12,345,678,901       -\n"
               "µµ               1,000  -0.250\n\n");
  expect_table(t, TABLE_TSV, "name\tµs\tx\na|b c \t12345678901\t\nµµ\t999.6\t-0.25\n");
  expect_table(t, TABLE_MARKDOWN,
               "**T|1**\n\n| name | µs | x |\n|---|---:|---:|\n"
               "| a\\|b c  | 12,345,678,901 | - |\n| µµ | 1,000 | -0.250 |\n\n");
  expect_table(t, TABLE_JSON,
               "{\n  \"title\": \"T|1\",\n  \"rows\": [\n"
               "    {\"name\": \"a|b c \", \"µs\": 12345678901, \"x\": null},\n"
               "    {\"name\": \"µµ\", \"µs\": 999.6, \"x\": -0.25}\n  ]\n}\n");
  struct table *empty = table_open(arena, "none");
  expect_table(empty, TABLE_TSV, "");
  table_column(empty, "c");
  expect_table(empty, TABLE_TSV, "c\n");
  expect_table(empty, TABLE_JSON, "{\n  \"title\": \"none\",\n  \"rows\": []\n}\n");
  arena_close(arena);
  budget_close(budget);
}

/* Numbers as people see them. */
static void test_table_numbers(void **state) {
  (void)state;
  static const struct {
    double number;
    const char *text;
  } cases[] = {{0, "0"},
               {-0.0, "0"},
               {1, "1"},
               {-3, "-3"},
               {0.1234, "0.123"},
               {1.234, "1.23"},
               {12.34, "12.3"},
               {123.4, "123"},
               {999.4, "999"},
               {999.5, "1,000"},
               {-1234.5, "-1,235"},
               {1e15, "1e+15"},
               {-2.5e20, "-2.5e+20"},
               {1e-9, "0.000"}};
  struct budget *budget = budget_open(0);
  struct arena *arena = arena_open(budget, BUDGET_OTHER);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char expected[80];
    struct table *t = table_open(arena, "t");
    table_column(t, "c");
    table_number(t, cases[i].number);
    snprintf(expected, sizeof expected, "**t**\n\n| c |\n|---:|\n| %s |\n\n", cases[i].text);
    expect_table(t, TABLE_MARKDOWN, expected);
  }
  arena_close(arena);
  budget_close(budget);
}

/* ---- formulas --------------------------------------------------------------------- */

/* n is 10, 30, 20 in three repetitions, odd only in the second; of the baseline always 5. */
static struct formula_value look(const struct formula_scope *scope, const char *name,
                                 size_t length) {
  static const double runs[] = {10, 30, 20};
  const bool *baseline = scope->data;
  char copy[32];
  snprintf(copy, sizeof copy, "%.*s", (int)length, name);
  if (strcmp(copy, "n") == 0)
    return (struct formula_value){.kind = FORMULA_NUMBER,
                                  .number = *baseline ? 5 : runs[scope->repeat % 3]};
  if (strcmp(copy, "odd") == 0 && scope->repeat == 1)
    return (struct formula_value){.kind = FORMULA_NUMBER, .number = 7};
  if (strcmp(copy, "a.b") == 0)
    return (struct formula_value){.kind = FORMULA_TEXT, .text = "tree", .length = 4};
  return (struct formula_value){0};
}

static const bool yes = true, no = false;
static const struct formula_scope base_scope = {
    .look = look, .data = &yes, .repeats = 1, .repeat = 0};
static const struct formula_scope scope = {
    .look = look, .data = &no, .repeats = 3, .repeat = 2, .base = &base_scope};

static void test_formulas(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double number;
  } cases[] = {{"1 + 2 * 3 - 4 / 8", 6.5},
               {"(1 + 2) * -3", -9},
               {"10 - 3 - 2", 5},
               {"16 / 4 / 2", 2},
               {"2e3 + 1.5e-1", 2000.15},
               {"n", 20},
               {"min(n)", 10},
               {"max(n) - min(n)", 20},
               {"median(n)", 20},
               {"median(odd)", 7},
               {"min(n + 1)", 11},
               {"base(n)", 5},
               {"n / base(n) * 100", 400},
               {"max(n / base(n))", 6},
               {"base(max(n))", 5},
               {"1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 != 2", 1},
               {"1 == 2 || 3 == 3", 1},
               {"1 || 0 && 0", 1},
               {"!0 + 1", 2},
               {"!!7", 1},
               {"a.b == \"tree\"", 1},
               {"a.b < \"tres\"", 1},
               {"a.b > \"tre\"", 1},
               {"a.b == 3", 0},
               {"a.b != 3", 1},
               {"!a.b", 0},
               {"\"\" || 0", 0},
               /* what is not known, where it does not decide */
               {"0 && nothing", 0},
               {"nothing && 0", 0},
               {"nothing || 2", 1},
               {"1 || nothing", 1}};
  uint32_t at;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct formula_value v = formula_evaluate(cases[i].text, &scope);
    if (formula_problem(cases[i].text, &at) != NULL || v.kind != FORMULA_NUMBER ||
        v.number < cases[i].number - 1e-9 || v.number > cases[i].number + 1e-9)
      fail_msg("%s: kind %d, %g", cases[i].text, v.kind, v.number);
  }
}

static void test_formulas_unknown(void **state) {
  (void)state;
  static const char *const texts[] = {
      "nothing",       "nothing + 1",  "1 / 0",        "0 / 0",
      "-nothing",      "!nothing",     "nothing == 1", "!(nothing > 0)",
      "nothing && 1",  "nothing || 0", "max(nothing)", "base(none)",
      "base(base(n))", "a.b + 1",      "-a.b",         "base(n) / (n - n)"};
  uint32_t at;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (formula_problem(texts[i], &at) != NULL ||
        formula_evaluate(texts[i], &scope).kind != FORMULA_UNKNOWN ||
        formula_holds(texts[i], &scope))
      fail_msg("known: %s", texts[i]);
  }
  /* Without a scope there is only grammar. */
  assert_int_equal(formula_evaluate("n", NULL).kind, FORMULA_UNKNOWN);
  assert_int_equal(formula_evaluate("min(n) + base(n)", NULL).kind, FORMULA_UNKNOWN);
}

static void test_formula_mistakes(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t at;
  } cases[] = {{"", 0},       {"  ", 2},        {"1 +", 3},      {"(1", 2},    {"1)", 1},
               {"min(1", 5},  {"1 2", 2},       {"a b", 2},      {"\"a", 1},   {"1.2.3", 0},
               {"3 ** 4", 3}, {"1 < 2 < 3", 6}, {"$", 0},        {"1 & 2", 2}, {"n = 3", 2},
               {"1e", 0},     {"base()", 5},    {"12e99999", 0}, {"é", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t at = UINT32_MAX;
    const char *problem = formula_problem(cases[i].text, &at);
    if (problem == NULL || at != cases[i].at)
      fail_msg("%s: %s at %u", cases[i].text, problem == NULL ? "fine" : problem, at);
    assert_int_equal(formula_evaluate(cases[i].text, &scope).kind, FORMULA_UNKNOWN);
  }
  uint32_t at;
  assert_non_null(formula_problem("min(max(n))", &at));
  assert_non_null(formula_problem("base(min(base(median(n))))", &at));
  /* Nesting must not eat the stack. */
  char *deep = malloc(100001);
  for (const char *mark = "(-!"; *mark != '\0'; mark++) {
    memset(deep, *mark, 100000);
    deep[100000] = '\0';
    assert_non_null(formula_problem(deep, &at));
    assert_in_range(at, 1, 1000);
  }
  free(deep);
}

static void test_values(void **state) {
  (void)state;
  assert_int_equal(formula_value_of("12", 2).kind, FORMULA_NUMBER);
  assert_int_equal(formula_value_of("-0.5", 4).kind, FORMULA_NUMBER);
  assert_true(formula_value_of("12 apples", 2).number == 12); /* cut by its length */
  static const char *const texts[] = {"",    "-",   "tree", "3x", "1e999",
                                      "nan", "inf", "+3",   ".5", "- 5"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_int_equal(formula_value_of(texts[i], strlen(texts[i])).kind, FORMULA_TEXT);
  assert_int_equal(formula_name("states.stored + 1"), 13);
  assert_int_equal(formula_name("states. "), 6);
  assert_int_equal(formula_name("1a"), 0);
}

/* ---- results ---------------------------------------------------------------------- */

static void test_results(void **state) {
  (void)state;
  char path[] = "/tmp/cairn-bench-XXXXXX";
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  close(handle);
  FILE *file;
  assert_int_equal(results_append(path, true, &file), RESULTS_FINE);
  struct results_line line = {.key = "m \"1\"/r",
                              .repeat = 1,
                              .fingerprint = UINT64_MAX,
                              .good = true,
                              .message = "a\nb",
                              .figures = "{\n  \"states\": {\"stored\": 7},\n  \"list\": [1],\n"
                                         "  \"note\": \"a \\\" b\", \"none\": null\n}\n"};
  FILE *second;
  assert_int_equal(results_append(path, false, &second), RESULTS_IN_USE);
  assert_true(results_write(file, &line));
  fputs("{\"key\": \"m/r\", \"rep", file);
  fclose(file);
  assert_int_equal(results_append(path, false, &file), RESULTS_FINE);
  line.fingerprint = 5;
  assert_true(results_write(file, &line));
  fclose(file);
  struct budget *budget = budget_open(0);
  struct arena *arena = arena_open(budget, BUDGET_OTHER);
  struct results *results = results_read(arena, path, true);
  assert_int_equal(results->runs.n, 2);
  assert_int_equal(results->damaged, 1);
  const struct results_run *run = results_find(results, "m \"1\"/r", 1, UINT64_MAX);
  assert_ptr_equal(run, &results->runs.at[0]);
  assert_ptr_equal(results_find(results, "m \"1\"/r", 1, 0), &results->runs.at[1]);
  assert_null(results_find(results, "m \"1\"/r", 0, 0));
  assert_null(results_find(results, "m \"1\"/r", 1, 6));
  assert_true(run->good && results_field(run, "states.stored", 13).number == 7);
  assert_string_equal(results_field(run, "note", 4).text, "a \" b");
  assert_string_equal(results_field(run, "message", 7).text, "a\nb");
  assert_int_equal(results_field(run, "none", 4).kind, FORMULA_UNKNOWN);
  assert_int_equal(results_field(run, "list", 4).kind, FORMULA_UNKNOWN);
  unlink(path);
  assert_int_equal(results_read(arena, path, true)->runs.n, 0);
  assert_null(results_read(arena, "/", true));
  arena_close(arena);
  budget_close(budget);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_json_parts),       cmocka_unit_test(test_json_mistakes),
      cmocka_unit_test(test_json_depth),       cmocka_unit_test(test_json_escapes),
      cmocka_unit_test(test_tables),           cmocka_unit_test(test_table_numbers),
      cmocka_unit_test(test_formulas),         cmocka_unit_test(test_formulas_unknown),
      cmocka_unit_test(test_formula_mistakes), cmocka_unit_test(test_values),
      cmocka_unit_test(test_results)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
