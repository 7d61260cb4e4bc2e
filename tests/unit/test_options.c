/* test_options.c - the option table makes sense, and parsing keeps to it. */
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WORDS 16

struct line {
  char *argv[WORDS];
  struct option_given room[WORDS];
  struct options options;
  char text[256];
};

/* Parses words parted by blanks. */
static bool parse(struct line *line, const char *text) {
  int argc = 1;
  line->argv[0] = line->text;
  snprintf(line->text, sizeof line->text, "%s", text);
  for (char *word = strtok(line->text, " "); word != NULL; word = strtok(NULL, " "))
    line->argv[argc++] = word;
  return options_parse(&line->options, argc, line->argv, line->room);
}

static void test_table(void **state) {
  (void)state;
  for (uint32_t i = 0; i < OPTIONS; i++) {
    const struct option_entry *e = options_entry((enum option)i);
    assert_true((e->commands & ~(OPTIONS_RARE | OPTIONS_MODEL)) != 0 &&
                (e->commands & ~(OPTIONS_RARE | OPTIONS_MODEL)) < 1u << COMMANDS);
    assert_true(e->low <= e->high);
    assert_int_equal(e->kind == OPTION_FLAG, e->argument[0] == '\0');
    size_t words = strlen(e->argument);
    size_t left = strlen(e->name) + words + 5 + (e->letter != '\0' ? 4 : 0);
    assert_true(left < 31 || e->kind == OPTION_CHOICE || e->kind == OPTION_CHOICES);
    for (uint32_t k = 0; k < i; k++) {
      const struct option_entry *other = options_entry((enum option)k);
      /* Two commands may have options of one name, one command may not. */
      if ((e->commands & other->commands & ((1u << COMMANDS) - 1)) != 0)
        assert_string_not_equal(e->name, other->name);
      assert_true(e->letter == '\0' || e->letter != other->letter);
    }
  }
}

static void test_values(void **state) {
  (void)state;
  struct line line;
  assert_true(parse(&line,
                    "check --memory 4G --time=1.5 --order dfs --seed 18446744073709551615 "
                    "--property safety --property deadlock m"));
  const struct option_value *v = line.options.value;
  assert_int_equal(line.options.command, COMMAND_CHECK);
  assert_string_equal(line.options.operand[0], "m");
  assert_true(v[OPTION_MEMORY].number == UINT64_C(4) << 30);
  assert_true(v[OPTION_TIME].seconds == 1.5);
  assert_string_equal(v[OPTION_ORDER].text, "dfs");
  assert_true(v[OPTION_SEED].number == UINT64_MAX);
  assert_int_equal(v[OPTION_PROPERTY].number, OPTIONS_DEADLOCK | OPTIONS_SAFETY);
}

static void test_defaults(void **state) {
  (void)state;
  struct line line;
  assert_true(parse(&line, "sim m"));
  assert_int_equal(line.options.value[OPTION_STEPS].number, 100);
  assert_int_equal(line.options.value[OPTION_COMPILER].number, OPTIONS_AUTO);
  assert_false(line.options.value[OPTION_STEPS].given);
  assert_true(parse(&line, "check m"));
  assert_string_equal(line.options.value[OPTION_ORDER].text, "bfs");
  assert_string_equal(line.options.value[OPTION_STORE].text, "auto");
}

static void test_repeated(void **state) {
  (void)state;
  struct line line;
  uint32_t cursor = 0;
  assert_true(parse(&line, "check --invariant a m --invariant=b"));
  assert_string_equal(options_next(&line.options, OPTION_INVARIANT, &cursor), "a");
  assert_string_equal(options_next(&line.options, OPTION_INVARIANT, &cursor), "b");
  assert_null(options_next(&line.options, OPTION_INVARIANT, &cursor));
}

static void test_words(void **state) {
  (void)state;
  struct line line;
  assert_true(parse(&line, "check -- --order"));
  assert_string_equal(line.options.operand[0], "--order");
  assert_true(parse(&line, "graph -og.dot -"));
  assert_string_equal(line.options.value[OPTION_OUTPUT].text, "g.dot");
  assert_string_equal(line.options.operand[0], "-");
  assert_true(parse(&line, "check --bogus --help"));
  assert_true(line.options.wants_help);
}

static void test_operands(void **state) {
  (void)state;
  struct line line;
  assert_true(parse(&line, "check a --order dfs b -- -c d"));
  assert_int_equal(line.options.n_operands, 4);
  static const char *const operand[] = {"a", "b", "-c", "d"};
  for (uint32_t i = 0; i < 4; i++)
    assert_string_equal(options_operand(&line.options, i), operand[i]);
  assert_string_equal(line.options.operand[1], "b");
  assert_int_equal(line.options.n_given, 1);
}

static void test_refused(void **state) {
  (void)state;
  static const char *const lines[] = {
      "",
      "nothing m",
      "check",
      "sim m n",
      "check --memory 0 m",
      "check --memory 2048T m",
      "check --memory 1.5 m",
      "check --time 0 m",
      "check --time . m",
      "check --order m",
      "check --order bfs",
      "check --max-states 0 m",
      "check --seed -1 m",
      "check --full m",
      "check --seed 18446744073709551616 m",
      "check --quiet=1 m",
      "check -qi m",
      "trail m",
      "sim -i --steps 3 m",
      "check --json",
      "check --order bfs --order bfs m",
  };
  struct line line;
  for (uint32_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    assert_false(parse(&line, lines[i]));
    assert_true(line.options.problem[0] != '\0');
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),    cmocka_unit_test(test_values),
      cmocka_unit_test(test_defaults), cmocka_unit_test(test_repeated),
      cmocka_unit_test(test_words),    cmocka_unit_test(test_operands),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
