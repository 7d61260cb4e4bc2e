/* test_base.c - the ground floor: what it promises, and what it does when memory
 * runs out or the text is odd. */
#include "base/arena.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/budget.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/machine.h"
#include "base/source.h"
#include "base/text.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MIB ((size_t)1 << 20)

struct world {
  struct budget *budget;
  uint64_t start; /* bytes in use before the test */
};

static int set_up(void **state) {
  struct world *world = calloc(1, sizeof *world);
  world->budget = budget_open(0);
  world->start = budget_used_all(world->budget);
  *state = world;
  return 0;
}

static int tear_down(void **state) {
  struct world *world = *state;
  const bool clean = budget_used_all(world->budget) == world->start;
  budget_close(world->budget);
  free(world);
  return clean ? 0 : -1;
}

static void test_budget_counts(void **state) {
  struct world *world = *state;
  struct budget *budget = world->budget;
  assert_true(budget_limit(budget) > 16 * MIB);
  assert_int_equal(budget_used(budget, BUDGET_OTHER), world->start);
  char *block = budget_alloc(budget, BUDGET_MODEL, 1000);
  assert_non_null(block);
  assert_int_equal(budget_used(budget, BUDGET_MODEL), 1000);
  for (int i = 0; i < 1000; i++)
    assert_int_equal(block[i], 0);
  memset(block, 1, 1000);
  block = budget_realloc(budget, BUDGET_MODEL, block, 1000, 3000);
  assert_int_equal(budget_used(budget, BUDGET_MODEL), 3000);
  for (int i = 0; i < 3000; i++)
    assert_int_equal(block[i], i < 1000);
  block = budget_realloc(budget, BUDGET_MODEL, block, 3000, 10);
  assert_int_equal(budget_used(budget, BUDGET_MODEL), 10);
  budget_free(budget, BUDGET_MODEL, block, 10);
  budget_free(budget, BUDGET_MODEL, NULL, 10);
  assert_int_equal(budget_used(budget, BUDGET_MODEL), 0);
  void *none = budget_alloc(budget, BUDGET_OPEN, 0);
  assert_non_null(none);
  budget_free(budget, BUDGET_OPEN, none, 0);
  for (int i = 0; i < BUDGET_PURPOSES; i++)
    assert_true(strlen(budget_purpose_name((enum budget_purpose)i)) > 0);
  assert_true(budget_peak_resident() > 100000);
}

static void test_budget_limit(void **state) {
  (void)state;
  const uint64_t own = machine_own_memory() + 16 * MIB;
  struct budget *budget = budget_open(own);
  const uint64_t rest = own - budget_used_all(budget);
  assert_true(budget_claim(budget, BUDGET_CODE, rest));
  assert_false(budget_claim(budget, BUDGET_CODE, 1));
  assert_null(budget_alloc(budget, BUDGET_STORE, 1));
  assert_null(budget_map(budget, BUDGET_STORE, 1, false));
  assert_int_equal(budget_used_all(budget), own);
  budget_return(budget, BUDGET_CODE, 4096);
  assert_null(budget_alloc(budget, BUDGET_STORE, 4097));
  assert_null(budget_map(budget, BUDGET_STORE, 4097, true));
  assert_null(budget_alloc(budget, BUDGET_STORE, SIZE_MAX));
  assert_null(budget_map(budget, BUDGET_STORE, SIZE_MAX, true));
  void *block = budget_alloc(budget, BUDGET_STORE, 4096);
  assert_non_null(block);
  assert_null(budget_realloc(budget, BUDGET_STORE, block, 4096, 4097));
  budget_free(budget, BUDGET_STORE, block, 4096);
  void *page = budget_map(budget, BUDGET_STORE, 1, false);
  assert_non_null(page);
  assert_int_equal(budget_used(budget, BUDGET_STORE), 4096);
  assert_null(budget_remap(budget, BUDGET_STORE, page, 1, 4097, false));
  assert_int_equal(budget_used(budget, BUDGET_STORE), 4096);
  budget_unmap(budget, BUDGET_STORE, page, 1);
  budget_close(budget);
  budget = budget_open(1); /* less than the process has: nothing more, but no crash */
  assert_false(budget_claim(budget, BUDGET_CODE, 1));
  budget_close(budget);
}

static void test_budget_injection(void **state) {
  struct budget *budget = ((struct world *)*state)->budget;
  budget_fail_after(budget, 3);
  void *first = budget_alloc(budget, BUDGET_MODEL, 8);
  void *second = budget_map(budget, BUDGET_MODEL, 8, false);
  assert_non_null(first);
  assert_non_null(second);
  assert_null(budget_alloc(budget, BUDGET_MODEL, 8));
  assert_null(budget_realloc(budget, BUDGET_MODEL, first, 8, 16));
  assert_null(budget_remap(budget, BUDGET_MODEL, second, 8, MIB, true));
  assert_false(budget_claim(budget, BUDGET_MODEL, 0));
  first = budget_realloc(budget, BUDGET_MODEL, first, 8, 4); /* shrinking asks for nothing */
  assert_non_null(first);
  budget_fail_after(budget, 0);
  assert_true(budget_claim(budget, BUDGET_MODEL, 5));
  budget_return(budget, BUDGET_MODEL, 5);
  budget_free(budget, BUDGET_MODEL, first, 4);
  budget_unmap(budget, BUDGET_MODEL, second, 8);
}

/* Grows a region step by step; contents must stay, new bytes must be zero. */
static void grow(struct budget *budget, bool huge, bool blocked) {
  size_t bytes = 5000;
  unsigned char *at = budget_map(budget, BUDGET_STORE, bytes, huge);
  assert_non_null(at);
  memset(at, 7, bytes);
  void *wall[8] = {0};
  for (int i = 0; i < 8; i++) {
    /* Something right after the region makes it move. */
    if (blocked)
      wall[i] = budget_map(budget, BUDGET_OPEN, MIB, huge);
    const size_t more = bytes * 3 + 1;
    at = budget_remap(budget, BUDGET_STORE, at, bytes, more, huge);
    assert_non_null(at);
    assert_int_equal(budget_used(budget, BUDGET_STORE), (more + 4095) / 4096 * 4096);
    if (huge && more >= BUDGET_HUGE)
      assert_int_equal((uintptr_t)at % BUDGET_HUGE, 0);
    for (size_t j = 0; j < more; j += j < bytes ? 1 : 97)
      if (at[j] != (j < bytes ? 7 : 0))
        fail_msg("byte %zu of %zu is %d", j, more, at[j]);
    memset(at, 7, more);
    bytes = more;
  }
  /* Down and up again: what had been cut off is zero. */
  at = budget_remap(budget, BUDGET_STORE, at, bytes, 6000, huge);
  at = budget_remap(budget, BUDGET_STORE, at, 6000, 20000, huge);
  for (size_t j = 0; j < 20000; j++)
    assert_int_equal(at[j], j < 6000 ? 7 : 0);
  budget_unmap(budget, BUDGET_STORE, at, 20000);
  for (int i = 0; i < 8; i++)
    budget_unmap(budget, BUDGET_OPEN, wall[i], MIB);
  assert_int_equal(budget_used(budget, BUDGET_STORE), 0);
}

static void test_budget_remap(void **state) {
  struct budget *budget = ((struct world *)*state)->budget;
  for (int i = 0; i < 4; i++)
    grow(budget, i & 1, i & 2);
  void *at = budget_remap(budget, BUDGET_STORE, NULL, 0, 100, false);
  assert_non_null(at);
  assert_null(budget_remap(budget, BUDGET_STORE, at, 100, SIZE_MAX, true));
  budget_unmap(budget, BUDGET_STORE, at, 100);
}

static void *use_budget(void *budget) {
  for (int i = 0; i < 20000; i++) {
    if (budget_claim(budget, BUDGET_CODE, 3))
      budget_return(budget, BUDGET_CODE, 3);
    void *block = budget_alloc(budget, BUDGET_OPEN, 24);
    budget_free(budget, BUDGET_OPEN, block, 24);
  }
  return NULL;
}

static void test_budget_threads(void **state) {
  struct budget *budget = ((struct world *)*state)->budget;
  pthread_t thread[4];
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, use_budget, budget), 0);
  for (int i = 0; i < 4; i++)
    pthread_join(thread[i], NULL);
  assert_int_equal(budget_used(budget, BUDGET_CODE), 0);
  assert_int_equal(budget_used(budget, BUDGET_OPEN), 0);
}

static void put_file(const char *root, const char *name, const char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s%s", root, name);
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void remove_tree(const char *root) {
  char command[300];
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  assert_int_equal(system(command), 0);
}

static void test_machine(void **state) {
  (void)state;
  char root[] = "/tmp/cairn-machine-XXXXXX";
  assert_non_null(mkdtemp(root));
  put_file(root, "/proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:   8000 kB\n");
  assert_int_equal(machine_free_memory(root), 8000 * 1024);
  /* Version 2: the group itself has no limit, the one above it has. */
  put_file(root, "/proc/self/cgroup", "0::/a/b\n");
  put_file(root, "/sys/fs/cgroup/a/b/memory.max", "max\n");
  put_file(root, "/sys/fs/cgroup/a/b/memory.current", "70000\n");
  assert_int_equal(machine_free_memory(root), 8000 * 1024);
  put_file(root, "/sys/fs/cgroup/a/memory.max", "900000\n");
  put_file(root, "/sys/fs/cgroup/a/memory.current", "300000\n");
  assert_int_equal(machine_free_memory(root), 600000);
  put_file(root, "/sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 100000\n");
  assert_int_equal(machine_free_memory(root), 700000);
  /* Version 1, whose group is not visible inside the container, but the top is. */
  put_file(root, "/proc/self/cgroup", "3:cpu:/x\n7:hugetlb,memory:/docker/1\n0::/none\n");
  put_file(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "500000\n");
  put_file(root, "/sys/fs/cgroup/memory/memory.usage_in_bytes", "600000\n");
  assert_int_equal(machine_free_memory(root), 0);
  put_file(root, "/proc/self/cgroup", "garbage\n:\n7:memory\n0::\n");
  assert_int_equal(machine_free_memory(root), 8000 * 1024);
  remove_tree(root);
  assert_true(machine_own_memory() > 4096);
}

static void test_arena(void **state) {
  struct budget *budget = ((struct world *)*state)->budget;
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  uint64_t seed = 1;
  for (int i = 0; i < 3000; i++) {
    const size_t bytes = bits_next_random(&seed) % (i % 100 == 0 ? 100000 : 200);
    unsigned char *block = arena_alloc(arena, bytes);
    assert_int_equal((uintptr_t)block % 16, 0);
    for (size_t j = 0; j < bytes; j++)
      assert_int_equal(block[j], 0);
    memset(block, 0xFF, bytes);
  }
  assert_string_equal(arena_printf(arena, "%d %s", 42, "x"), "42 x");
  assert_string_equal(arena_text(arena, "abcdef", 3), "abc");
  struct {
    uint32_t *at;
    uint32_t n, capacity;
  } vector = {0};
  for (uint32_t i = 0; i < 1000; i++) {
    assert_int_equal(*ARENA_PUSH(arena, &vector), 0);
    vector.at[i] = i;
  }
  for (uint32_t i = 0; i < 1000; i++)
    assert_int_equal(vector.at[i], i);
  arena_close(arena);
  arena_close(NULL);
}

static void test_arena_guard(void **state) {
  struct budget *budget = ((struct world *)*state)->budget;
  budget_fail_after(budget, 1);
  assert_null(arena_open(budget, BUDGET_MODEL));
  for (uint64_t n = 2; n < 6; n++) {
    budget_fail_after(budget, n);
    struct arena *arena = arena_open(budget, BUDGET_MODEL);
    jmp_buf at;
    if (setjmp(at) == 0) {
      arena_guard(arena, &at);
      for (;;)
        arena_alloc(arena, 5000);
    }
    arena_close(arena);
  }
  budget_fail_after(budget, 0);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  jmp_buf at;
  if (setjmp(at) == 0) {
    arena_guard(arena, &at);
    arena_array(arena, SIZE_MAX / 2, 3);
    fail();
  }
  arena_close(arena);
}

static void test_arena_inside(void **state) {
  struct budget *budget = ((struct world *)*state)->budget;
  const uint64_t before = budget_used_all(budget);
  struct arena *outer = arena_open(budget, BUDGET_MODEL);
  struct arena *first = arena_inside(outer), *second = arena_inside(outer);
  arena_alloc(outer, 100);
  const uint64_t without = budget_used_all(budget);
  arena_alloc(first, 100000);
  arena_alloc(arena_inside(second), 100000);
  arena_close(first);
  assert_true(budget_used_all(budget) - without < 150000);
  jmp_buf at;
  volatile bool jumped = false;
  if (setjmp(at) == 0) {
    arena_guard(outer, &at);
    budget_fail_after(budget, 1);
    arena_alloc(second, 100000);
    fail();
  } else {
    jumped = true;
  }
  budget_fail_after(budget, 0);
  assert_true(jumped);
  arena_close(outer);
  assert_int_equal(budget_used_all(budget), before);
}

static void test_text(void **state) {
  struct budget *budget = ((struct world *)*state)->budget;
  struct text text;
  text_init(&text, budget, BUDGET_CODE);
  text_puts(&text, "");
  assert_string_equal(text.at, "");
  for (int i = 0; i < 10000; i++)
    text_printf(&text, "%04d,", i);
  assert_int_equal(text.length, 50000);
  assert_memory_equal(text.at + 49990, "9998,9999,", 11);
  char wide[3000];
  memset(wide, 'w', sizeof wide - 1);
  wide[sizeof wide - 1] = '\0';
  text_printf(&text, "<%s>", wide); /* longer than the room that is tried first */
  text_add(&text, "a\0b", 3);
  assert_int_equal(text.length, 50000 + 3001 + 3);
  assert_memory_equal(text.at + 53001 - 4, "www>a\0b", 8);
  text_free(&text);
  assert_null(text.at);
  budget_fail_after(budget, 2);
  for (int i = 0; i < 1000; i++)
    text_puts(&text, "0123456789");
  assert_true(text.failed);
  assert_int_equal(text.length, strlen(text.at));
  assert_int_equal(text.length % 10, 0);
  budget_fail_after(budget, 0);
  text_free(&text);
}

static void test_source_places(void **state) {
  struct arena *arena = arena_open(((struct world *)*state)->budget, BUDGET_MODEL);
  const char text[] = "ab\n\r\n\0c\n";
  const struct source *source = source_make(arena, "x", text, 8);
  assert_int_equal(source->n_lines, 4);
  const uint32_t line[] = {1, 1, 1, 2, 2, 3, 3, 3, 4, 4};
  const uint32_t column[] = {1, 2, 3, 1, 2, 1, 2, 3, 1, 1};
  for (uint32_t i = 0; i < 10; i++) {
    assert_int_equal(source_line(source, i), line[i]);
    assert_int_equal(source_column(source, i), column[i]);
  }
  const struct source *empty = source_make(arena, "x", "", 0);
  assert_int_equal(source_line(empty, 0), 1);
  assert_int_equal(source_column(empty, 0), 1);
  arena_close(arena);
}

static void expect_squeeze(struct arena *arena, const char *text, uint32_t width,
                           const char *expected) {
  const struct source *source = source_make(arena, "x", text, (uint32_t)strlen(text));
  const struct span span = {source, 0, source->length};
  assert_string_equal(source_squeeze(arena, span, width), expected);
}

static void test_source_squeeze(void **state) {
  struct arena *arena = arena_open(((struct world *)*state)->budget, BUDGET_MODEL);
  expect_squeeze(arena, "  a  =\t\r\n b ; ", 80, "a = b ;");
  expect_squeeze(arena, "a /* x */ // y\n /**/ b// end", 80, "a b");
  expect_squeeze(arena, "a /* open", 80, "a");
  expect_squeeze(arena, "a / b /", 80, "a / b /");
  expect_squeeze(arena, "p(\"//  x\",  1)", 80, "p(\"//  x\", 1)");
  expect_squeeze(arena, "abcdef", 6, "abcdef");
  expect_squeeze(arena, "abcdef  ", 6, "abcdef");
  expect_squeeze(arena, "abcdefg", 6, "abcdef…");
  expect_squeeze(arena, "abcdeäg", 6, "abcde…");
  expect_squeeze(arena, "a\x01\x7F", 6, "a??");
  expect_squeeze(arena, "abc", 0, "…");
  expect_squeeze(arena, "", 5, "");
  const struct span nowhere = {NULL, 0, 4};
  assert_string_equal(source_squeeze(arena, nowhere, 9), "");
  const struct span beyond = {source_make(arena, "x", "ab", 2), 1, 900};
  assert_string_equal(source_squeeze(arena, beyond, 9), "b");
  arena_close(arena);
}

static void test_source_read(void **state) {
  struct arena *arena = arena_open(((struct world *)*state)->budget, BUDGET_MODEL);
  const char *why = NULL;
  assert_null(source_read(arena, "/no/such/file", &why));
  assert_string_equal(why, "No such file or directory");
  assert_null(source_read(arena, "/", &why));
  assert_string_equal(why, "it is a directory");
  char path[] = "/tmp/cairn-source-XXXXXX";
  const int file = mkstemp(path);
  assert_int_equal(write(file, "a\0b\n", 4), 4);
  const struct source *source = source_read(arena, path, &why);
  assert_non_null(source);
  assert_int_equal(source->length, 4);
  assert_memory_equal(source->text, "a\0b\n", 5);
  assert_string_equal(source->name, path);
  assert_int_equal(ftruncate(file, (off_t)SOURCE_MAX + 1), 0);
  assert_null(source_read(arena, path, &why));
  assert_string_equal(why, "it is larger than 256 MiB");
  assert_int_equal(ftruncate(file, 0), 0);
  assert_int_equal(source_read(arena, path, &why)->length, 0);
  close(file);
  unlink(path);
  arena_close(arena);
}

/* A pipe: the size is not known before. */
static void test_source_pipe(void **state) {
  struct arena *arena = arena_open(((struct world *)*state)->budget, BUDGET_MODEL);
  int end[2];
  assert_int_equal(pipe(end), 0);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 30000; i++)
      if (write(end[1], "0123456789", 10) != 10)
        _exit(1);
    _exit(0);
  }
  close(end[1]);
  char path[40];
  snprintf(path, sizeof path, "/dev/fd/%d", end[0]);
  const char *why = NULL;
  const struct source *source = source_read(arena, path, &why);
  assert_non_null(source);
  assert_int_equal(source->length, 300000);
  assert_memory_equal(source->text + 299990, "0123456789", 11);
  close(end[0]);
  arena_close(arena);
}

/* What diag prints for one error at [begin, end) of a text. */
static const char *printed(struct arena *arena, const char *text, size_t length, uint32_t begin,
                           uint32_t end) {
  struct diag *diag = diag_open(arena);
  const struct source *source = source_make(arena, "f.dve", text, (uint32_t)length);
  diag_error(diag, ((struct span){source, begin, end}), "bad");
  char *out = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&out, &size);
  diag_print(diag, file, false);
  fclose(file);
  const char *copy = arena_text(arena, out, size);
  free(out);
  return copy;
}

#define PRINTED(text, begin, end) printed(arena, text, sizeof text - 1, begin, end)

static void test_diag_excerpt(void **state) {
  struct arena *arena = arena_open(((struct world *)*state)->budget, BUDGET_MODEL);
  assert_string_equal(PRINTED("ab\ncd efg hi\n", 6, 9), "f.dve:2:4: error: bad\n"
                                                        "    2 | cd efg hi\n"
                                                        "      |    ^~~\n");
  assert_string_equal(PRINTED("\tx\ty", 3, 4), "f.dve:1:4: error: bad\n"
                                               "    1 |  x y\n"
                                               "      |    ^\n");
  assert_string_equal(PRINTED("a\0\x1b[1mc\r\nd", 6, 7), "f.dve:1:7: error: bad\n"
                                                         "    1 | a??[1mc\n"
                                                         "      |       ^\n");
  /* Several bytes, one column; and bytes that are no character. */
  assert_string_equal(PRINTED("ä\xff€ x\xc2", 7, 8), "f.dve:1:8: error: bad\n"
                                                     "    1 | ä?€ x?\n"
                                                     "      |     ^\n");
  /* Over several lines: only the first. */
  assert_string_equal(PRINTED("ab\ncd\n", 1, 5), "f.dve:1:2: error: bad\n"
                                                 "    1 | ab\n"
                                                 "      |  ^\n");
  assert_string_equal(PRINTED("abc\r\ncd\n", 1, 7), "f.dve:1:2: error: bad\n"
                                                    "    1 | abc\n"
                                                    "      |  ^~\n");
  /* The end of the file, with and without a newline before it, and beyond it. */
  assert_string_equal(PRINTED("ab", 2, 2), "f.dve:1:3: error: bad\n"
                                           "    1 | ab\n"
                                           "      |   ^\n");
  assert_string_equal(PRINTED("ab\n", 3, 3), "f.dve:2:1: error: bad\n"
                                             "    2 | \n"
                                             "      | ^\n");
  assert_string_equal(PRINTED("", 0, 0), "f.dve:1:1: error: bad\n"
                                         "    1 | \n"
                                         "      | ^\n");
  assert_string_equal(PRINTED("ab", 900, 1000), "f.dve:1:3: error: bad\n"
                                                "    1 | ab\n"
                                                "      |   ^\n");
  arena_close(arena);
}

static void test_diag_long_line(void **state) {
  struct arena *arena = arena_open(((struct world *)*state)->budget, BUDGET_MODEL);
  char *line = arena_alloc(arena, MIB);
  for (size_t i = 0; i < MIB; i++)
    line[i] = i % 3 == 0 ? '\xe2' : i % 3 == 1 ? '\x82' : '\xac'; /* € */
  const uint32_t places[] = {0, 3, 33, 99, 300000, (uint32_t)MIB - 40, (uint32_t)MIB - 1};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    line[places[i]] = 'X';
    const char *out = printed(arena, line, MIB, places[i], (uint32_t)MIB);
    assert_true(strlen(out) < 400);
    /* The caret is below the X: as many characters before it. */
    const char *text = strchr(out, '\n') + 1;
    const char *marks = strchr(text, '\n') + 1;
    size_t before = 0;
    for (const char *at = text; *at != 'X'; at++)
      before += ((unsigned char)*at & 0xC0) != 0x80;
    assert_int_equal(strchr(marks, '^') - marks, before);
    line[places[i]] = '\xe2';
  }
  arena_close(arena);
}

static char *print_all(const struct diag *diag, bool color) {
  char *out = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&out, &size);
  diag_print(diag, file, color);
  fclose(file);
  return out;
}

static void test_diag_messages(void **state) {
  struct arena *arena = arena_open(((struct world *)*state)->budget, BUDGET_MODEL);
  const struct span nowhere = {NULL, 0, 0};
  struct diag *diag = diag_open(arena);
  diag_hint(diag, "to nothing: dropped");
  diag_error(diag, nowhere, "first %s", "\x1b]2;x\n");
  diag_hint(diag, "one");
  diag_hint(diag, "two");
  diag_warning(diag, nowhere, "careful");
  diag_add(diag, DIAG_NOTE, nowhere, "noted");
  for (int i = 0; i < 12; i++) {
    diag_error(diag, nowhere, "again");
    diag_add(diag, DIAG_NOTE, nowhere, "so");
  }
  diag_hint(diag, "dropped with its message");
  assert_int_equal(diag_errors(diag), 13);
  char *out = print_all(diag, false);
  const char start[] = "error: first ?]2;x?\nhint: one\nhint: two\nwarning: careful\n"
                       "note: noted\nerror: again\nnote: so\n";
  assert_memory_equal(out, start, sizeof start - 1);
  const char end[] = "error: again\nnote: so\n3 more errors not shown\n";
  assert_string_equal(out + strlen(out) - strlen(end), end);
  assert_null(strstr(out, "dropped"));
  free(out);
  out = print_all(diag, true);
  assert_non_null(strstr(out, "\033[1;31merror:\033[0m first"));
  free(out);
  arena_close(arena);
}

static void test_diag_long_message(void **state) {
  struct arena *arena = arena_open(((struct world *)*state)->budget, BUDGET_MODEL);
  char *name = arena_alloc(arena, MIB);
  for (size_t shift = 0; shift < 2; shift++) {
    for (size_t i = 0; i + 2 < MIB; i += 2)
      memcpy(name + i + shift, "ä", 2);
    name[0] = shift == 1 ? 'x' : name[0];
    struct diag *diag = diag_open(arena);
    diag_error(diag, ((struct span){NULL, 0, 0}), "%s", name);
    char *out = print_all(diag, false);
    assert_true(strlen(out) < 520);
    assert_null(strchr(out, '?'));
    assert_string_equal(out + strlen(out) - 4, "…\n");
    free(out);
  }
  arena_close(arena);
}

static void test_diag_closest(void **state) {
  (void)state;
  const char *const names[] = {"", "choosing", "number", "i", "P_0"};
  assert_string_equal(diag_closest("chosing", names, 5), "choosing");
  assert_string_equal(diag_closest("nubmer", names, 5), "number");
  assert_string_equal(diag_closest("P0", names, 5), "P_0");
  assert_null(diag_closest("j", names, 5));
  assert_null(diag_closest("zzz", names, 5));
  assert_null(diag_closest("", names, 5));
  assert_null(diag_closest("number", names, 0));
  char huge[1000];
  memset(huge, 'i', sizeof huge - 1);
  huge[sizeof huge - 1] = '\0';
  assert_null(diag_closest(huge, names, 5));
}

static void test_clock(void **state) {
  (void)state;
  const double before = clock_now();
  assert_true(clock_now() >= before);
  assert_false(clock_stop_requested());
  clock_watch_signals();
  raise(SIGTERM);
  assert_true(clock_stop_requested());
  const pid_t child = fork(); /* a second signal ends the process */
  if (child == 0) {
    raise(SIGINT);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

static void test_bits(void **state) {
  (void)state;
  assert_int_equal(bits_for(0), 0);
  assert_int_equal(bits_for(1), 0);
  assert_int_equal(bits_for(2), 1);
  assert_int_equal(bits_for(256), 8);
  assert_int_equal(bits_for(257), 9);
  assert_int_equal(bits_for(UINT64_MAX), 64);
  uint64_t set[BITS_WORDS(130)] = {0};
  bits_set(set, 129);
  assert_true(bits_test(set, 129));
  assert_false(bits_test(set, 128));
}

/* Items of every size, also of more than a page, to where the budget counts in huge pages. */
static void test_array_grows(void **state) {
  struct world *world = *state;
  static const size_t items[] = {1, 12, 24, 5000, 300000};
  for (uint32_t k = 0; k < sizeof items / sizeof *items; k++) {
    size_t item = items[k];
    uint64_t room = 0, n = 0;
    uint8_t *at = NULL;
    while (n * item < 36 * MIB) {
      uint64_t before = room;
      if (n == room)
        at = array_grow(world->budget, BUDGET_OTHER, at, &room, item);
      assert_non_null(at);
      assert_true(room >= before + before / 2);
      for (; n < room; n++) {
        assert_int_equal(at[n * item], 0);
        assert_true(n == 0 || at[(n - 1) * item] == (n - 1) % 200 + 1);
        at[n * item] = (uint8_t)(n % 200 + 1);
      }
    }
    uint64_t held = room;
    budget_fail_after(world->budget, 1);
    assert_null(array_grow(world->budget, BUDGET_OTHER, at, &room, item));
    budget_fail_after(world->budget, 0);
    assert_int_equal(room, held);
    array_free(world->budget, BUDGET_OTHER, at, room * item);
    assert_int_equal(budget_used_all(world->budget), world->start);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_budget_counts),
      TEST(test_budget_limit),
      TEST(test_budget_injection),
      TEST(test_budget_remap),
      TEST(test_budget_threads),
      TEST(test_array_grows),
      TEST(test_machine),
      TEST(test_arena),
      TEST(test_arena_guard),
      TEST(test_arena_inside),
      TEST(test_text),
      TEST(test_source_places),
      TEST(test_source_squeeze),
      TEST(test_source_read),
      TEST(test_source_pipe),
      TEST(test_diag_excerpt),
      TEST(test_diag_long_line),
      TEST(test_diag_messages),
      TEST(test_diag_long_message),
      TEST(test_diag_closest),
      TEST(test_clock),
      TEST(test_bits),
  };
  return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
