/* test_sink.c - files that are whole or refused: what is put is taken, any damage of any byte
 * is found, and a file that is not committed changes nothing. */
#include "base/bits.h"
#include "base/sink.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { FORMAT = 7, SMALL = 1000, LARGE = 700001 };

struct world {
  char folder[64], path[96], part[112];
  struct budget *budget;
  struct sink *sink;
  uint8_t *bytes, *taken; /* LARGE */
};

static int set_up(void **state) {
  struct world *w = calloc(1, sizeof *w);
  uint64_t random = 3;
  strcpy(w->folder, "/tmp/test_sink.XXXXXX");
  if (mkdtemp(w->folder) == NULL)
    return -1;
  snprintf(w->path, sizeof w->path, "%s/file", w->folder);
  snprintf(w->part, sizeof w->part, "%s.part", w->path);
  w->budget = budget_open(0);
  w->sink = sink_open(w->budget);
  w->bytes = malloc(LARGE);
  w->taken = malloc(LARGE);
  for (uint32_t i = 0; i < LARGE; i++)
    w->bytes[i] = (uint8_t)bits_next_random(&random);
  *state = w;
  return 0;
}

static int tear_down(void **state) {
  struct world *w = *state;
  bool clean = access(w->part, F_OK) != 0;
  sink_close(w->sink);
  budget_close(w->budget);
  unlink(w->path);
  rmdir(w->folder);
  free(w->bytes);
  free(w->taken);
  free(w);
  return clean ? 0 : -1;
}

static bool write_file(struct world *w, uint32_t n) {
  return sink_create(w->sink, w->path, FORMAT) &&
         (sink_section(w->sink, "first"), sink_put_number(w->sink, n),
          sink_put(w->sink, w->bytes, n), sink_section(w->sink, "second"),
          sink_commit(w->sink));
}

/* True: all was as it was written. */
static bool read_file(struct world *w) {
  struct sink *sink = w->sink;
  memset(w->taken, 0xEE, LARGE);
  if (!sink_read(sink, w->path, FORMAT))
    return false;
  sink_section(sink, "first");
  uint32_t n = (uint32_t)sink_take_count(sink, LARGE);
  sink_take(sink, w->taken, n);
  sink_section(sink, "second");
  return sink_commit(sink) && memcmp(w->taken, w->bytes, n) == 0;
}

static size_t load(const struct world *w, uint8_t **file) {
  FILE *in = fopen(w->path, "rb");
  *file = malloc(2 * LARGE);
  size_t n = fread(*file, 1, 2 * LARGE, in);
  fclose(in);
  return n;
}

static void store(const struct world *w, const uint8_t *file, size_t n) {
  FILE *out = fopen(w->path, "wb");
  assert_int_equal(fwrite(file, 1, n, out), n);
  fclose(out);
}

static void refuses(struct world *w, const char *word) {
  assert_false(read_file(w));
  assert_false(sink_is_fine(w->sink));
  assert_non_null(strstr(sink_why(w->sink), w->path));
  if (word != NULL && strstr(sink_why(w->sink), word) == NULL)
    fail_msg("%s: no \"%s\"", sink_why(w->sink), word);
}

static void takes_what_was_put(void **state) {
  struct world *w = *state;
  struct stat info;
  static const uint32_t sizes[] = {0, 1, SMALL, (256 << 10) - 56, 256 << 10, LARGE};
  for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    assert_true(write_file(w, sizes[i]));
    assert_int_equal(stat(w->path, &info), 0);
    assert_int_equal(sink_bytes(w->sink), info.st_size);
    assert_true(read_file(w));
    assert_int_equal(sink_bytes(w->sink), info.st_size);
  }
}

/* One bit of each byte, and each byte left out at the end or in the middle. */
static void finds_damage(void **state) {
  struct world *w = *state;
  uint8_t *file;
  assert_true(write_file(w, SMALL));
  size_t n = load(w, &file);
  for (size_t i = 0; i < n; i++) {
    file[i] ^= (uint8_t)(1 << i % 8);
    store(w, file, n);
    refuses(w, NULL);
    file[i] ^= (uint8_t)(1 << i % 8);
    store(w, file, i);
    refuses(w, i < 8 ? "no file that this program wrote" : NULL);
  }
  file[n] = 0;
  store(w, file, n + 1);
  refuses(w, "damaged");
  store(w, file, n);
  assert_true(read_file(w));
  free(file);
}

/* Whole blocks exchanged, left out, or repeated. */
static void finds_moved_blocks(void **state) {
  enum { HEADER = 24, BLOCK = 16 + (256 << 10) };
  struct world *w = *state;
  uint8_t *file, *other = malloc(2 * LARGE);
  assert_true(write_file(w, LARGE));
  size_t n = load(w, &file);
  memcpy(other, file, n);
  memcpy(other + HEADER, file + HEADER + BLOCK, BLOCK);
  memcpy(other + HEADER + BLOCK, file + HEADER, BLOCK);
  store(w, other, n);
  refuses(w, "damaged");
  memcpy(other + HEADER, file + HEADER + BLOCK, n - HEADER - BLOCK);
  store(w, other, n - BLOCK);
  refuses(w, "damaged");
  memcpy(other + HEADER, file + HEADER, BLOCK);
  memcpy(other + HEADER + BLOCK, file + HEADER, n - HEADER);
  store(w, other, n + BLOCK);
  refuses(w, "damaged");
  free(other);
  free(file);
}

static void says_what_is_wrong(void **state) {
  struct world *w = *state;
  refuses(w, "No such file");
  store(w, (const uint8_t *)"proctype P() { skip }", 21);
  refuses(w, "no file that this program wrote");
  assert_true(sink_create(w->sink, w->path, FORMAT - 1) && sink_commit(w->sink));
  refuses(w, "an older version");
  assert_true(sink_create(w->sink, w->path, FORMAT + 1) && sink_commit(w->sink));
  refuses(w, "a newer version");
  assert_true(sink_create(w->sink, w->path, FORMAT));
  sink_section(w->sink, "other");
  assert_true(sink_commit(w->sink));
  refuses(w, "\"first\"");
  assert_true(sink_create(w->sink, w->path, FORMAT));
  sink_section(w->sink, "first");
  sink_put_number(w->sink, LARGE + 1);
  assert_true(sink_commit(w->sink));
  refuses(w, "damaged");
}

static void refuses_for_its_user(void **state) {
  struct world *w = *state;
  assert_true(sink_create(w->sink, w->path, FORMAT));
  sink_same(w->sink, 5, "never");
  assert_true(sink_commit(w->sink));
  assert_true(sink_read(w->sink, w->path, FORMAT));
  sink_same(w->sink, 6, "is of six");
  assert_false(sink_commit(w->sink));
  assert_non_null(strstr(sink_why(w->sink), "is of six"));
}

static void reads_to_the_end(void **state) {
  struct world *w = *state;
  assert_true(write_file(w, SMALL));
  assert_true(sink_read(w->sink, w->path, FORMAT));
  sink_section(w->sink, "first");
  assert_false(sink_commit(w->sink));
  assert_non_null(strstr(sink_why(w->sink), "more in it"));
}

/* What is not committed leaves the file of before, and nothing else. */
static void keeps_the_file_before(void **state) {
  struct world *w = *state;
  assert_true(write_file(w, SMALL));
  assert_true(sink_create(w->sink, w->path, FORMAT));
  sink_put(w->sink, w->bytes, LARGE);
  assert_int_equal(access(w->part, F_OK), 0);
  assert_true(read_file(w)); /* drops what was begun */
  assert_int_not_equal(access(w->part, F_OK), 0);
  assert_true(sink_create(w->sink, w->path, FORMAT));
  sink_refuse(w->sink, "is not wanted");
  assert_false(sink_commit(w->sink));
  assert_true(read_file(w));
}

static void writes_to_files_only(void **state) {
  struct world *w = *state;
  assert_false(sink_create(w->sink, w->folder, FORMAT));
  assert_non_null(strstr(sink_why(w->sink), "not a regular file"));
  assert_false(sink_create(w->sink, "/dev/null", FORMAT));
  assert_false(sink_create(w->sink, "/tmp/no/such/folder/file", FORMAT));
  assert_non_null(strstr(sink_why(w->sink), "cannot be written"));
  assert_false(sink_read(w->sink, w->folder, FORMAT));
}

/* A limit on the size of files stands for a full disk. */
static void says_that_the_disk_is_full(void **state) {
  struct world *w = *state;
  struct rlimit before, now;
  assert_true(write_file(w, SMALL));
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  for (rlim_t most = 0; most <= LARGE; most += LARGE / 2) {
    now = (struct rlimit){.rlim_cur = most, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
    bool written = write_file(w, LARGE);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(written);
    assert_non_null(strstr(sink_why(w->sink), "cannot be written: File too large"));
    assert_int_not_equal(access(w->part, F_OK), 0);
    assert_true(read_file(w));
  }
}

/* Nobody's link is followed. */
static void follows_no_link(void **state) {
  struct world *w = *state;
  assert_true(write_file(w, SMALL));
  assert_int_equal(symlink(w->path, w->part), 0);
  assert_false(write_file(w, LARGE));
  assert_int_equal(unlink(w->part), 0);
  assert_true(read_file(w));
}

int main(void) {
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(takes_what_was_put),    TEST(finds_damage),         TEST(finds_moved_blocks),
      TEST(says_what_is_wrong),    TEST(refuses_for_its_user), TEST(reads_to_the_end),
      TEST(keeps_the_file_before), TEST(writes_to_files_only), TEST(says_that_the_disk_is_full),
      TEST(follows_no_link),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
