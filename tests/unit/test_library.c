/* test_library.c - Cairn as a library: models of each kind, options, figures, counterexamples,
 * and several searches side by side. */
#include <cairn/cairn.h>
#include <cairn/model.h>

#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char rising[] =
    "byte x;\n"
    "process P { state a; init a; trans a -> a { guard x < 9; effect x = x + 1; }; }\n"
    "system async;\n";
/* 2 to the power of 32 states. */
static const char endless[] =
    "int x, y;\n"
    "process P { state a; init a; trans a -> a { effect x = x + 1; }; }\n"
    "process Q { state a; init a; trans a -> a { effect y = y + 1; }; }\n"
    "system async;\n";
static const char pml[] =
    "byte n;\n"
    "active [3] proctype p() { byte i; do :: i < 6 -> i++; n = (n + i) % 50 :: "
    "i == 6 -> break od }\n";

static struct cairn *open_text(const char *language, const char *text) {
  struct cairn *c = cairn_open();
  assert_non_null(c);
  assert_int_equal(cairn_model_text(c, "m", language, text, strlen(text)), 0);
  return c;
}

static double figure(struct cairn *c, const char *name) {
  double value = -1;
  assert_int_equal(cairn_figure(c, name, &value), 0);
  return value;
}

static void test_versions(void **state) {
  (void)state;
  assert_int_equal(cairn_abi(), CAIRN_ABI);
  assert_non_null(strchr(cairn_version(), '.'));
  cairn_close(NULL);
}

static void test_verdicts(void **state) {
  (void)state;
  struct cairn *c = open_text("dve", rising);
  assert_int_equal(cairn_run(c), CAIRN_VERIFIED);
  assert_string_equal(cairn_sentence(c), "verified: no error in 10 states (exact)");
  assert_string_equal(cairn_error(c), "");
  assert_int_equal((int)figure(c, "states.stored"), 10);
  assert_int_equal(cairn_steps(c), 0);
  assert_false(cairn_has_run(c));
  assert_null(cairn_run_json(c));
  assert_null(cairn_step_text(c, 1));
  /* More options, and once more. */
  assert_int_equal(cairn_set(c, "invariant", "x < 4"), 0);
  assert_int_equal(cairn_set(c, "store", "tree"), 0);
  assert_int_equal(cairn_run(c), CAIRN_VIOLATED);
  assert_int_equal(cairn_steps(c), 4);
  assert_int_equal(cairn_cycle_steps(c), 0);
  assert_string_equal(cairn_value(c, 0, "x"), "0");
  assert_string_equal(cairn_value(c, 4, "x"), "4");
  assert_null(cairn_value(c, 4, "y"));
  assert_null(cairn_value(c, 5, "x"));
  uint32_t line = 0;
  assert_string_equal(cairn_step_place(c, 4, &line), "m");
  assert_int_equal(line, 2);
  assert_int_equal(strncmp(cairn_step_text(c, 1), "P: a -> a", 9), 0);
  assert_non_null(strstr(cairn_run_json(c), "\"steps\""));
  assert_non_null(strstr(cairn_json(c), "\"verdict\": \"violated\""));
  assert_non_null(strstr(cairn_report(c), "violated: invariant"));
  assert_int_not_equal(access("m.trail", F_OK), 0);
  cairn_close(c);
}

static void count(void *context, const char *name, const char *value) {
  assert_true(*name != '\0' && *value != '\0');
  ++*(int *)context;
}

static void test_cycles(void **state) {
  (void)state;
  struct cairn *c = open_text("dve", "byte x;\nprocess P { state a; init a; trans a -> a { "
                                     "effect x = 1 - x; }; }\nsystem async;\n");
  int n = 0;
  assert_int_equal(cairn_set(c, "ltl", "<> [] (x == 1)"), 0);
  assert_int_equal(cairn_run(c), CAIRN_VIOLATED);
  assert_true(cairn_cycle_steps(c) > 0 && cairn_cycle_steps(c) <= cairn_steps(c));
  assert_int_equal(cairn_values(c, cairn_steps(c), count, &n), 0);
  assert_true(n >= 2);
  assert_int_equal(cairn_values(c, cairn_steps(c) + 1, count, &n), -1);
  cairn_close(c);
}

static void test_mistakes(void **state) {
  (void)state;
  struct cairn *c = cairn_open();
  double value;
  assert_int_equal(cairn_run(c), CAIRN_REJECTED);
  assert_non_null(strstr(cairn_error(c), "no model"));
  assert_int_equal(cairn_figure(c, "events", &value), -1);
  assert_null(cairn_json(c));
  assert_int_equal(cairn_model_text(c, "m", "cobol", "", 0), -1);
  assert_int_equal(cairn_model_file(c, ""), -1);
  assert_int_equal(cairn_model_functions(c, "m", NULL), -1);
  assert_int_equal(cairn_set(c, "stor", "tree"), -1);
  assert_non_null(strstr(cairn_error(c), "did you mean"));
  assert_int_equal(cairn_set(c, "--store", "tree"), -1);
  assert_int_equal(cairn_set(c, "help", NULL), -1);
  assert_int_equal(cairn_set(c, "json", "-"), -1);
  assert_int_equal(cairn_set(c, "max-states", "many"), -1);
  assert_int_equal(cairn_set(c, "max-states", "5"), 0);
  assert_string_equal(cairn_error(c), "");
  assert_int_equal(cairn_model_text(c, "m", "dve", "byte x\n", 7), 0);
  assert_int_equal(cairn_run(c), CAIRN_REJECTED);
  assert_non_null(strstr(cairn_messages(c), "m:"));
  assert_non_null(strstr(cairn_messages(c), "error"));
  assert_non_null(strstr(cairn_json(c), "\"rejected\""));
  assert_string_equal(cairn_report(c), "");
  assert_int_equal(cairn_model_file(c, "there/is/none.pml"), 0);
  assert_int_equal(cairn_run(c), CAIRN_REJECTED);
  assert_non_null(strstr(cairn_error(c), "none.pml"));
  assert_int_equal(cairn_model_text(c, "m", "dve", rising, strlen(rising)), 0);
  assert_int_equal(cairn_run(c), CAIRN_INCONCLUSIVE);
  assert_non_null(strstr(cairn_error(c), "states"));
  assert_int_equal(cairn_figure(c, "no.such", &value), -1);
  cairn_close(c);
}

/* ---- functions --------------------------------------------------------------------------- */

static void begin(uint32_t which, void *state) {
  *(uint16_t *)state = (uint16_t)which;
}

static void follow(const void *state, struct cairn_out *out) {
  const uint16_t at = *(const uint16_t *)state;
  for (uint32_t i = 0; i < 2; i++) {
    const uint16_t next = (uint16_t)((at * 2u + i) % 1000u);
    cairn_next(out, i, &next);
  }
}

static void print(const void *state, char *text, size_t size) {
  snprintf(text, size, "(%u)", *(const uint16_t *)state);
}

static const struct cairn_variable number = {.name = "n", .bytes = 2};
static const struct cairn_model functions = {.abi = CAIRN_MODEL_ABI,
                                             .state_bytes = 2,
                                             .initial = begin,
                                             .successors = follow,
                                             .variable = &number,
                                             .n_variables = 1,
                                             .n_actions = 2,
                                             .print_state = print};

static void test_functions(void **state) {
  (void)state;
  struct sigaction before, after;
  struct cairn *c = cairn_open();
  struct cairn_model old = functions;
  assert_int_equal(cairn_model_functions(c, "numbers", &functions), 0);
  sigaction(SIGSEGV, NULL, &before);
  assert_int_equal(cairn_run(c), CAIRN_VERIFIED);
  sigaction(SIGSEGV, NULL, &after);
  assert_true(before.sa_handler == after.sa_handler);
  assert_int_equal((int)figure(c, "states.stored"), 1000);
  assert_null(cairn_state_text(c, 0));
  assert_int_equal(cairn_set(c, "invariant", "n < 4"), 0);
  assert_int_equal(cairn_run(c), CAIRN_VIOLATED);
  assert_string_equal(cairn_state_text(c, 0), "(0)\n");
  assert_string_equal(cairn_state_text(c, cairn_steps(c)), "(4)\n");
  assert_null(cairn_state_text(c, cairn_steps(c) + 1));
  /* Of the first number of the header: what it had not is not looked at. */
  old.abi = 1;
  assert_int_equal(cairn_model_functions(c, "numbers", &old), 0);
  assert_int_equal(cairn_run(c), CAIRN_VIOLATED);
  assert_null(cairn_state_text(c, 0));
  old.abi = CAIRN_MODEL_ABI + 1;
  assert_int_equal(cairn_model_functions(c, "numbers", &old), 0);
  assert_int_equal(cairn_run(c), CAIRN_REJECTED);
  assert_non_null(strstr(cairn_messages(c), "another version"));
  cairn_close(c);
}

/* ---- stopping ---------------------------------------------------------------------------- */

static int stop_late(void *context, const struct cairn_progress *progress) {
  ++*(int *)context;
  return progress->states > 0;
}

static void *stop_it(void *c) {
  usleep(100000);
  cairn_stop(c);
  return NULL;
}

static void test_stops(void **state) {
  (void)state;
  struct cairn *c = open_text("dve", endless);
  int calls = 0;
  cairn_on_progress(c, stop_late, &calls);
  assert_int_equal(cairn_run(c), CAIRN_INCONCLUSIVE);
  assert_true(calls > 0);
  cairn_on_progress(c, NULL, NULL);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, stop_it, c), 0);
  assert_int_equal(cairn_run(c), CAIRN_INCONCLUSIVE);
  assert_non_null(strstr(cairn_error(c), "interrupted"));
  pthread_join(thread, NULL);
  /* Before it begins; and the one after that is not stopped. */
  cairn_stop(c);
  assert_int_equal(cairn_run(c), CAIRN_INCONCLUSIVE);
  assert_int_equal(cairn_set(c, "max-states", "1000"), 0);
  assert_int_equal(cairn_run(c), CAIRN_INCONCLUSIVE);
  assert_int_equal((int)figure(c, "states.stored"), 1000);
  cairn_close(c);
}

/* ---- side by side ------------------------------------------------------------------------ */

struct task {
  const char *language, *text, *option[3][2];
  double found[3]; /* states, events, depth */
};

static void *run_task(void *argument) {
  static const char *const name[] = {"states.stored", "events", "depth"};
  struct task *t = argument;
  struct cairn *c = cairn_open();
  int failed = c == NULL;
  if (!failed)
    failed = t->text == NULL ? cairn_model_functions(c, "numbers", &functions)
                             : cairn_model_text(c, "m", t->language, t->text, strlen(t->text));
  for (int i = 0; i < 3 && t->option[i][0] != NULL; i++)
    failed |= cairn_set(c, t->option[i][0], t->option[i][1]);
  failed |= cairn_set(c, "memory", "1G");
  if (!failed)
    cairn_run(c);
  for (int i = 0; i < 3 && !failed; i++)
    failed |= cairn_figure(c, name[i], &t->found[i]);
  if (failed && c != NULL)
    print_error("%s\n%s", cairn_error(c), cairn_messages(c));
  cairn_close(c);
  return failed ? argument : NULL;
}

#define TASKS 8

static void test_side_by_side(void **state) {
  (void)state;
  static const struct task task[TASKS] = {
      {"dve", rising, {{"store", "tree"}}, {0}},
      {"promela", pml, {{"store", "collapse"}}, {0}},
      {"promela", pml, {{"order", "dfs"}, {"reduce", "por"}}, {0}},
      {"promela", pml, {{"store", "automaton"}}, {0}},
      {"c", NULL, {{"order", "dfs"}}, {0}},
      {"c", NULL, {{"invariant", "n < 2000"}, {"compiler", "tcc"}}, {0}},
      {"promela", pml, {{"store", "compact"}, {"compiler", "tcc"}}, {0}},
      {"dve", endless, {{"max-states", "20000"}, {"self-check", NULL}}, {0}}};
  struct task alone[TASKS], beside[TASKS];
  pthread_t thread[TASKS];
  memcpy(alone, task, sizeof task);
  memcpy(beside, task, sizeof task);
  for (int i = 0; i < TASKS; i++)
    assert_null(run_task(&alone[i]));
  for (int i = 0; i < TASKS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, run_task, &beside[i]), 0);
  for (int i = 0; i < TASKS; i++) {
    void *failed;
    pthread_join(thread[i], &failed);
    assert_null(failed);
    assert_memory_equal(alone[i].found, beside[i].found, sizeof alone[i].found);
    assert_true(alone[i].found[0] > 1);
  }
}

/* Models in C, whose calls are guarded: good ones, one that crashes, one that never returns. */
#define C_MODEL(step)                                                                          \
  "#include <cairn/model.h>\n"                                                                 \
  "struct state { uint32_t x, y; };\n"                                                         \
  "static void initial(uint32_t which, void *state) { (void)which; (void)state; }\n"           \
  "static void successors(const void *state, struct cairn_out *out) {\n"                       \
  "  struct state s = *(const struct state *)state;\n"                                         \
  "  volatile uint32_t *nowhere = 0;\n"                                                        \
  "  (void)nowhere;\n"                                                                         \
  "  for (uint32_t i = 0; i < 2; i++) {\n"                                                     \
  "    struct state next = {(s.x * 2 + i) % 3000, s.y};\n"                                     \
  "    " step "\n"                                                                             \
  "    cairn_next(out, i, &next);\n"                                                           \
  "  }\n"                                                                                      \
  "}\n"                                                                                        \
  "const struct cairn_model cairn_model = {.abi = CAIRN_MODEL_ABI, .n_actions = 2,\n"          \
  "  .state_bytes = sizeof(struct state), .initial = initial, .successors = successors};\n"

static void test_guarded_side_by_side(void **state) {
  (void)state;
  static const char good[] = C_MODEL(""),
                    crash[] = C_MODEL("if (next.x % 5 == 4) *nowhere = 1;"),
                    stuck[] = C_MODEL("while (s.x == 2999) nowhere = 0;");
  enum { GUARDED = 6 };
  struct task alone[GUARDED] = {{"c", good, {{"compiler", "tcc"}}, {0}},
                                {"c", crash, {{"compiler", "tcc"}, {"keep-going", NULL}}, {0}},
                                {"c", stuck, {{"compiler", "tcc"}, {"time", "1"}}, {0}},
                                {"c", crash, {{"order", "dfs"}, {"keep-going", NULL}}, {0}},
                                {"c", stuck, {{"compiler", "tcc"}, {"time", "0.1"}}, {0}},
                                {"c", good, {{"store", "tree"}}, {0}}};
  struct task beside[GUARDED];
  pthread_t thread[GUARDED];
  struct sigaction before, after;
  memcpy(beside, alone, sizeof alone);
  sigaction(SIGSEGV, NULL, &before);
  for (int i = 0; i < GUARDED; i++)
    assert_null(run_task(&alone[i]));
  for (int i = 0; i < GUARDED; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, run_task, &beside[i]), 0);
  for (int i = 0; i < GUARDED; i++) {
    void *failed;
    pthread_join(thread[i], &failed);
    assert_null(failed);
    assert_memory_equal(alone[i].found, beside[i].found, sizeof alone[i].found);
  }
  assert_int_equal((int)alone[0].found[0], 3000);
  assert_true(alone[1].found[0] > 100 && alone[1].found[0] < 3000);
  sigaction(SIGSEGV, NULL, &after);
  assert_true(before.sa_handler == after.sa_handler);
}

/* Where a comma is in the numbers of the program's language, JSON has a point. */
static void test_locale(void **state) {
  (void)state;
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL)
    skip();
  struct cairn *c = open_text("dve", rising);
  assert_int_equal(cairn_run(c), CAIRN_VERIFIED);
  assert_true(figure(c, "seconds.parse") > 0);
  setlocale(LC_ALL, "C");
  cairn_close(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_versions),     cmocka_unit_test(test_verdicts),
      cmocka_unit_test(test_cycles),       cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_functions),    cmocka_unit_test(test_stops),
      cmocka_unit_test(test_side_by_side), cmocka_unit_test(test_guarded_side_by_side),
      cmocka_unit_test(test_locale)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
