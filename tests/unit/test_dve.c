/* test_dve.c - the DVE front end: what it makes of models, what it says about
 * mistakes, and that no text breaks it.
 *
 * tests/dve/NAME.dve has its model and warnings in NAME.txt, and
 * tests/dve/errors/NAME.dve its messages. After a wanted change, write them anew
 * with CAIRN_UPDATE=1 and read the difference.
 */
#include "dve_dump.h"
#include "golden.h"

#include "base/bits.h"
#include "lang/lang.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One model being read, and what was said about it. */
struct reading {
  struct budget *budget;
  struct arena *arena;
  struct diag *diag;
  struct ir_model *model;
};

static void open_reading(struct reading *r) {
  r->budget = budget_open((uint64_t)1 << 31);
  r->arena = arena_open(r->budget, BUDGET_MODEL);
  r->diag = diag_open(r->arena);
  r->model = NULL;
}

static void close_reading(struct reading *r) {
  arena_close(r->arena);
  budget_close(r->budget);
}

static void read_bytes(struct reading *r, const char *name, const char *text, size_t length) {
  const struct language *dve = language_of_file("m.dve");
  assert_non_null(dve);
  open_reading(r);
  struct source *source = source_make(r->arena, name, text, (uint32_t)length);
  r->model = dve->parse(r->arena, r->diag, source, NULL);
  assert_int_equal(r->model == NULL, diag_errors(r->diag) > 0);
}

static void read_text(struct reading *r, const char *text) {
  read_bytes(r, "m.dve", text, strlen(text));
}

/* Messages, then the model. The caller frees. */
static char *describe(const struct reading *r) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  diag_print(r->diag, out, false);
  if (r->model != NULL)
    dump_model(out, r->model);
  fclose(out);
  return text;
}

/* ---- files ---- */

static void source_path(char *path, size_t size, const char *inside) {
  const char *root = getenv("CAIRN_SOURCE");
  snprintf(path, size, "%s/%s", root == NULL ? "." : root, inside);
}

static bool is_model(const char *name) {
  size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".dve") == 0;
}

static char *say(const char *name, const char *text, size_t length, bool fine) {
  struct reading r;
  read_bytes(&r, name, text, length);
  char *found = describe(&r);
  assert_int_equal(r.model != NULL, fine);
  close_reading(&r);
  return found;
}

static char *say_good(const char *name, const char *text, size_t length) {
  return say(name, text, length, true);
}

static char *say_bad(const char *name, const char *text, size_t length) {
  return say(name, text, length, false);
}

static void test_models(void **state) {
  (void)state;
  assert_true(golden_check("tests/dve", ".dve", say_good) >= 8);
}

static void test_mistakes(void **state) {
  (void)state;
  assert_true(golden_check("tests/dve/errors", ".dve", say_bad) >= 20);
}

/* Every model of the shared set is accepted. */
static void test_shared(void **state) {
  (void)state;
  char dir[2048], path[4096];
  if (getenv("CAIRN_SHARED") != NULL)
    snprintf(dir, sizeof dir, "%s/models/dve", getenv("CAIRN_SHARED"));
  else
    source_path(dir, sizeof dir, "../shared/models/dve");
  DIR *folder = opendir(dir);
  if (folder == NULL) {
    print_message("skipped: no models in %s\n", dir);
    skip();
    return;
  }
  uint32_t n = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (!is_model(entry->d_name))
      continue;
    size_t length;
    snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
    char *text = golden_read(path, &length);
    struct reading r;
    read_bytes(&r, entry->d_name, text, length);
    if (r.model == NULL)
      diag_print(r.diag, stderr, false);
    assert_non_null(r.model);
    close_reading(&r);
    free(text);
    n++;
  }
  closedir(folder);
  print_message("%u models\n", n);
  assert_true(n > 0);
}

/* ---- expressions ---- */

#define SMALL                                                                                  \
  "byte x, y, z; process P { byte l; state s, t; init s; trans s -> t { guard %s; }; }"        \
  " system async;"

static void check_guard(const char *guard, const char *wanted) {
  char text[1000];
  struct reading r;
  snprintf(text, sizeof text, SMALL, guard);
  read_text(&r, text);
  assert_non_null(r.model);
  char *found = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&found, &length);
  dump_expr(out, r.model->process[0]->edge[0].guard);
  fclose(out);
  assert_string_equal(found, wanted);
  free(found);
  close_reading(&r);
}

static void test_operators(void **state) {
  (void)state;
  check_guard("x or y and z", "((x || y) && z)");
  check_guard("x and y or z", "((x && y) || z)");
  check_guard("x imply y imply z", "((x => y) => z)");
  check_guard("x or y imply z and x", "((x || y) => (z && x))");
  check_guard("x | y & z", "((x | y) & z)");
  check_guard("x & y == z", "(x & (y == z))");
  check_guard("x == y < z", "(x == (y < z))");
  check_guard("x < y << z", "(x < (y << z))");
  check_guard("x << y + z", "(x << (y + z))");
  check_guard("x + y * z - x", "((x + (y * z)) - x)");
  check_guard("not x == y", "((! x) == y)");
  check_guard("not not -~x", "(! (! (- (~ x))))");
  check_guard("!P.t && P.l == 1", "((! P@t) && (P.l == 1))");
  check_guard("x and y and z and x", "((x && y) && (z && x))");
  check_guard("x and (y and z)", "(x && (y && z))");
  check_guard("2 + 3 * 4 == 14", "1");
  check_guard("2147483647 + 1 < 0", "1");
  check_guard("0 and x", "0");
  check_guard("1 or x", "1");
  check_guard("7 / -2 == -3 and 7 % -2 == 1", "1");
  check_guard("x / 0", "(x / 0)");
}

/* ---- conditions beside the model ---- */

static bool add(struct reading *r, const char *text) {
  struct source *source = source_make(r->arena, "invariant", text, (uint32_t)strlen(text));
  return language_add_invariant(language_of_file("m.dve"), r->model, r->diag, source);
}

static void test_invariants(void **state) {
  (void)state;
  struct reading r;
  char text[1000];
  snprintf(text, sizeof text, "const byte N = 7; " SMALL, "x == 1");
  read_text(&r, text);
  uint64_t hash = r.model->hash;
  assert_true(add(&r, "P.l + x <= N  and\n P.s"));
  assert_int_equal(r.model->n_properties, 1);
  assert_string_equal(r.model->property[0].text, "P.l + x <= N and P.s");
  assert_false(r.model->property[0].is_assertion);
  assert_true(r.model->hash != hash);
  assert_true(add(&r, "P->l != 300"));
  assert_int_equal(r.model->n_properties, 2);
  hash = r.model->hash;
  assert_false(add(&r, "l == 1"));
  assert_false(add(&r, "x = 1"));
  assert_false(add(&r, "x == 1;"));
  assert_false(add(&r, ""));
  assert_false(add(&r, "Q.s"));
  assert_int_equal(r.model->n_properties, 2);
  assert_true(r.model->hash == hash);
  char *said = describe(&r);
  assert_non_null(strstr(said, "invariant:1:1: error: unknown variable 'l'"));
  assert_non_null(strstr(said, "hint: process P has one: write P.l"));
  assert_non_null(strstr(said, "invariant:1:3: error: expected an operator"));
  assert_non_null(strstr(said, "hint: did you mean '=='?"));
  free(said);
  close_reading(&r);
}

/* ---- texts that mean harm ---- */

/* HEAD, `times` times MIDDLE, TAIL. */
static char *repeat(const char *head, const char *middle, size_t times, const char *tail) {
  size_t n = strlen(middle);
  size_t length = strlen(head) + n * times + strlen(tail);
  char *text = malloc(length + 1);
  assert_non_null(text);
  char *at = stpcpy(text, head);
  for (size_t i = 0; i < times; i++, at += n)
    memcpy(at, middle, n);
  strcpy(at, tail);
  return text;
}

/* The text is rejected with a message that holds `wanted`; NULL: it is accepted. */
static void check_repeated(char *text, const char *wanted) {
  struct reading r;
  read_text(&r, text);
  char *said = describe(&r);
  if (wanted == NULL)
    assert_non_null(r.model);
  else
    assert_non_null(strstr(said, wanted));
  free(said);
  close_reading(&r);
  free(text);
}

#define HEAD "byte x; process P { state s; init s; trans s -> s { "
#define TAIL "; }; } system async;"

static void test_large(void **state) {
  (void)state;
  const size_t many = 100000;
  check_repeated(repeat(HEAD "guard ", "(", many, TAIL), "not deeper");
  check_repeated(repeat(HEAD "guard ", "not ", many, "x" TAIL), "not deeper");
  check_repeated(repeat(HEAD "guard ", "x[", many, TAIL), "not deeper");
  check_repeated(repeat(HEAD "guard x", " + x", many, TAIL), "operators deep");
  check_repeated(repeat(HEAD "guard x", " and x or x", many, TAIL), "operators deep");
  check_repeated(repeat(HEAD "guard x", " and x", many, TAIL), NULL);
  check_repeated(repeat(HEAD "guard x", ", x", many, TAIL), NULL);
  check_repeated(repeat(HEAD "guard x", " + x", 900, TAIL), NULL);
  check_repeated(repeat(HEAD "effect x = 1", ", x = 1", many, TAIL), NULL);
  check_repeated(repeat(HEAD "guard ", "a", 1 << 20, TAIL), "has 1048576 bytes");
  check_repeated(repeat(HEAD "guard ", "9", 1 << 20, TAIL), "too large");
  check_repeated(repeat(HEAD "guard ", "@", 1 << 20, TAIL), "has no meaning");
  check_repeated(repeat("", "{", many, ""), "error");
  check_repeated(repeat("", "process P {", many, ""), "error");
  check_repeated(repeat("byte a[2] = {1", ", 1", many, "}; " HEAD TAIL), "error");
  check_repeated(repeat("", "byte x;", many, HEAD "guard y" TAIL), "declared twice");
  check_repeated(repeat("process P { state s", ", s", many, "; } system async;"), "twice");
  check_repeated(repeat("/*", "*", 1 << 20, ""), "never closed");
}

/* A text with a bit of everything, for what follows. */
static const char sample[] =
    "const byte N = 2; byte x = N, a[N + 1] = {1, 2}; int i = -1; channel c, d; // end\n"
    "channel {byte, int} t[2]; /* c */ process P { byte l; state s, t; init s; commit t;\n"
    "assert s: x < 3, t: not P.s; trans s -> t { guard a[l] == 1 imply x; sync c!x + 1;\n"
    "effect x = l, a[x % 3] = 2; }, -> s { sync t!{x, 1}; }, t -> s { sync t?{x, i}; }; }\n"
    "process Q { state s; init s; accept s; trans s -> s { sync c?x; }; }\r\n"
    "process R { state q; init q; accept buchi q; trans q -> q { guard P->l == 1; }; }\n"
    "system async property R;";

static void check_survives(const char *text, size_t length) {
  char *copy = malloc(length + 1); /* so that reads after the end are noticed */
  assert_non_null(copy);
  memcpy(copy, text, length);
  copy[length] = '\0';
  struct reading r;
  read_bytes(&r, "m.dve", copy, length);
  close_reading(&r);
  free(copy);
}

static void test_broken(void **state) {
  (void)state;
  char text[sizeof sample];
  uint64_t random = 1;
  struct reading r;
  read_text(&r, sample);
  assert_non_null(r.model);
  close_reading(&r);
  for (size_t length = 0; length < sizeof sample; length++)
    check_survives(sample, length);
  for (uint32_t i = 0; i < 3000; i++) {
    memcpy(text, sample, sizeof sample);
    for (uint32_t changes = 0; changes < 1 + i % 4; changes++) {
      size_t at = bits_next_random(&random) % (sizeof sample - 1);
      size_t from = bits_next_random(&random) % (sizeof sample - 1);
      text[at] = i % 2 == 0 ? (char)bits_next_random(&random) : sample[from];
    }
    check_survives(text, sizeof sample - 1);
  }
}

static void test_no_memory(void **state) {
  (void)state;
  volatile bool done = false; /* volatile: they outlive a longjmp */
  for (volatile uint64_t n = 1; n < 1000 && !done; n++) {
    struct reading r;
    jmp_buf at;
    open_reading(&r);
    struct source *source = source_make(r.arena, "m.dve", sample, sizeof sample - 1);
    budget_fail_after(r.budget, n);
    if (setjmp(at) == 0) {
      arena_guard(r.arena, &at);
      done = language_of_file("m.dve")->parse(r.arena, r.diag, source, NULL) != NULL;
    }
    close_reading(&r);
  }
  assert_true(done);
}

static void test_language(void **state) {
  (void)state;
  assert_ptr_equal(language_of_file("a/b.dve"), languages[0]);
  assert_null(language_of_file(".dve"));
  assert_null(language_of_file("dve"));
  assert_null(language_of_file("m.dvex"));
  for (uint32_t i = 0; languages[i] != NULL; i++)
    assert_null(language_broken(languages[i]));
  struct language language = *languages[0];
  language.read = NULL;
  assert_string_equal(language_broken(&language), "read");
  language = *languages[0];
  language.traits = LANGUAGE_RUNS;
  assert_string_equal(language_broken(&language), "parse");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_language),   cmocka_unit_test(test_models),
      cmocka_unit_test(test_mistakes),   cmocka_unit_test(test_operators),
      cmocka_unit_test(test_invariants), cmocka_unit_test(test_large),
      cmocka_unit_test(test_broken),     cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_shared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
