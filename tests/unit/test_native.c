/* test_native.c - compiling, swapping and caching code, and everything that can
 * go wrong with a compiler, a disk or a cache folder.
 *
 * The C texts are written by hand. They say who compiled them, so that a swap
 * can be seen. Compilers that fail, hang or eat memory are shell scripts in $CC.
 * Each test has a private folder for temporary files, and must leave it empty.
 */
#include "native/compile/build.h"
#include "native/compile/cache.h"
#include "native/compile/cc.h"

#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

__asm__(".pushsection .rodata\n"
        "abi_text: .incbin \"ts/abi.h\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char abi_text[];

#define BY_TCC 1u
#define BY_CC  2u

/* initial() says who compiled it; successors() counts up to `which` states. */
static const char model_text[] =
    "void *memcpy(void *, const void *, unsigned long);\n"
    "static uint32_t initial(const struct ts *ts, uint32_t which, uint8_t *row) {\n"
    "  (void)ts; (void)which; (void)row;\n"
    "#ifdef __TINYC__\n"
    "  return 1;\n"
    "#else\n"
    "  return 2;\n"
    "#endif\n"
    "}\n"
    "static int32_t successors(const struct ts *ts, const uint8_t *state, uint32_t length,\n"
    "    struct ts_event *cursor, const uint64_t *skip, struct ts_batch *out) {\n"
    "  (void)ts; (void)length; (void)skip; (void)cursor;\n"
    "  uint8_t *row = out->rows + out->n * out->stride;\n"
    "  memcpy(row, state, 8);\n"
    "  row[0]++;\n"
    "  out->edge[out->n].length = 8;\n"
    "  out->n++;\n"
    "  return 0;\n"
    "}\n";
static const char good_end[] =
    "const struct ts_code cairn_code = {TS_ABI, initial, successors, 0, 0};\n";

/* ---- a world for each test ------------------------------------------------------- */

struct world {
  struct budget *budget;
  uint64_t before;
  char folder[64], temporary[80], cache[80], script[80];
  char *old_path, *old_cc;
};

static char *copy_variable(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? NULL : strdup(value);
}

static int open_world(void **state) {
  struct world *world = calloc(1, sizeof *world);
  strcpy(world->folder, "/tmp/cairn-test-XXXXXX");
  if (mkdtemp(world->folder) == NULL)
    return -1;
  snprintf(world->temporary, sizeof world->temporary, "%s/tmp", world->folder);
  snprintf(world->cache, sizeof world->cache, "%s/cache", world->folder);
  snprintf(world->script, sizeof world->script, "%s/fakecc", world->folder);
  mkdir(world->temporary, 0777);
  chmod(world->folder, 0755);
  world->old_path = copy_variable("PATH");
  world->old_cc = copy_variable("CC");
  setenv("TMPDIR", world->temporary, 1);
  unsetenv("CC");
  world->budget = budget_open((uint64_t)2 << 30);
  world->before = budget_used_all(world->budget);
  *state = world;
  return 0;
}

static void restore(const char *name, char *value) {
  if (value != NULL)
    setenv(name, value, 1);
  else
    unsetenv(name);
  free(value);
}

/* Removes a folder's files; returns how many there were. */
static int empty_folder(const char *path) {
  DIR *list = opendir(path);
  if (list == NULL)
    return 0;
  int n = 0;
  for (struct dirent *entry; (entry = readdir(list)) != NULL;)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
      n++;
      unlinkat(dirfd(list), entry->d_name, 0);
    }
  closedir(list);
  return n;
}

static int close_world(void **state) {
  struct world *world = *state;
  int left = empty_folder(world->temporary);
  rmdir(world->temporary);
  empty_folder(world->cache);
  rmdir(world->cache);
  empty_folder(world->folder);
  rmdir(world->folder);
  restore("PATH", world->old_path);
  restore("CC", world->old_cc);
  unsetenv("TMPDIR");
  bool counted = budget_used_all(world->budget) == world->before;
  budget_close(world->budget);
  free(world);
  if (left > 0 || !counted)
    print_error("%d temporary files left; memory %s\n", left, counted ? "given back" : "kept");
  return left == 0 && counted ? 0 : -1;
}

static bool has_cc(void) {
  struct budget *budget = budget_open(0);
  struct reason why;
  reason_init(&why, budget);
  struct cc *cc = cc_find(budget, &why);
  bool found = cc != NULL;
  cc_close(cc);
  reason_free(&why);
  budget_close(budget);
  return found;
}

/* A compiler that is this shell script; SOURCE and OUT are set for it. */
static void fake_cc(const struct world *world, const char *body) {
  FILE *file = fopen(world->script, "w");
  assert_non_null(file);
  fprintf(file,
          "#!/bin/sh\n"
          "while [ $# -gt 1 ]; do if [ \"$1\" = -o ]; then OUT=$2; fi; shift; done\n"
          "SOURCE=$1\n%s\n",
          body);
  fclose(file);
  chmod(world->script, 0755);
  setenv("CC", world->script, 1);
}

/* A build of the model text and an ending, and its ts. */
struct trial {
  struct ts ts;
  struct build *build;
  struct reason why;
};

static void start(const struct world *world, struct trial *trial, const char *end,
                  enum native_compiler compiler, double patience, const char *cache) {
  struct native_options options = {.compiler = compiler, .patience = patience, .cache = cache};
  struct text source;
  *trial = (struct trial){0};
  reason_init(&trial->why, world->budget);
  text_init(&source, world->budget, BUDGET_CODE);
  text_printf(&source, "#define CAIRN_GENERATED\n%s%s%s", abi_text, model_text, end);
  trial->build = build_open(&trial->ts, &source, &options, NULL, world->budget, &trial->why);
}

static void finish(struct trial *trial) {
  build_close(trial->build);
  reason_free(&trial->why);
}

static uint32_t who(const struct trial *trial) {
  return ts_code(&trial->ts)->initial(&trial->ts, 0, NULL);
}

/* One call of the successor function. */
static uint8_t next(const struct ts *ts, uint8_t value) {
  _Alignas(8) uint8_t state[8] = {value}, row[8];
  struct ts_edge edge;
  struct ts_event cursor = {0, 0};
  struct ts_batch batch = {.edge = &edge, .rows = row, .stride = 8, .capacity = 1};
  ts_code(ts)->successors(ts, state, 8, &cursor, NULL, &batch);
  return row[0];
}

/* Waits until the remark or the swap is there. */
static struct native_figures settled(const struct trial *trial) {
  struct native_figures figures = {0};
  double end = clock_now() + 90;
  do {
    build_figures(trial->build, &figures);
    if (figures.swapped || figures.remark != NULL)
      return figures;
    usleep(2000);
  } while (clock_now() < end);
  return figures;
}

/* Whether the user is told so, sooner or later. */
static bool remarks(const struct trial *trial, const char *words) {
  const char *remark = settled(trial).remark;
  return remark != NULL && strstr(remark, words) != NULL;
}

/* ---- libtcc ------------------------------------------------------------------------ */

static void test_tcc(void **state) {
  struct world *world = *state;
  struct trial trial;
  start(world, &trial, good_end, NATIVE_TCC, 0, "");
  assert_non_null(trial.build);
  assert_int_equal(who(&trial), BY_TCC);
  assert_int_equal(next(&trial.ts, 41), 42);
  struct native_figures figures;
  build_figures(trial.build, &figures);
  assert_true(figures.tcc > 0 && !figures.swapped && figures.remark == NULL);
  finish(&trial);
}

static void refused(const struct world *world, const char *end, enum native_compiler compiler,
                    const char *reason) {
  struct trial trial;
  start(world, &trial, end, compiler, 0, "");
  if (trial.build != NULL || trial.why.text.at == NULL ||
      strstr(trial.why.text.at, reason) == NULL)
    fail_msg("expected '%s', got '%s'", reason,
             trial.why.text.at != NULL ? trial.why.text.at : "nothing");
  finish(&trial);
}

static void test_tcc_refuses(void **state) {
  struct world *world = *state;
  refused(world, "int f(void) { return nonsense; }", NATIVE_TCC, "'nonsense' undeclared");
  refused(world, "static char *f(int a) { return a; }", NATIVE_TCC, "warning");
  refused(world, "int g(void); int f(void) { return g(); }", NATIVE_TCC, "'g'");
  refused(world, "#include <stdio.h>\n", NATIVE_TCC, "stdio.h");
  refused(world, "", NATIVE_TCC, "could not be compiled");
  refused(world, "const struct ts_code cairn_code = {TS_ABI + 1, initial, successors, 0, 0};",
          NATIVE_TCC, "another version");
}

static void test_tcc_without_memory(void **state) {
  struct world *world = *state;
  struct trial trial;
  for (uint64_t n = 1;; n++) {
    budget_fail_after(world->budget, n);
    start(world, &trial, good_end, NATIVE_TCC, 0, "");
    budget_fail_after(world->budget, 0);
    bool opened = trial.build != NULL;
    if (!opened && trial.why.text.length > 0)
      assert_true(trial.why.is_limit);
    finish(&trial);
    assert_int_equal(budget_used_all(world->budget), world->before);
    if (opened)
      break;
    assert_true(n < 100);
  }
}

/* Puts a filter on this process's system calls. */
static bool forbid(struct sock_filter *filter, size_t n) {
  struct sock_fprog program = {.len = (unsigned short)n, .filter = filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/* From now on this process cannot make memory executable. */
static bool forbid_execution(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  return forbid(filter, sizeof filter / sizeof filter[0]);
}

/* Runs `body` in a child; its result, or 99 if it ended in another way. */
static int in_child(int (*body)(struct world *), struct world *world) {
  pid_t child = fork();
  if (child == 0)
    _exit(body(world));
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static int child_without_execution(struct world *world) {
  if (!forbid_execution())
    return 77;
  struct trial trial;
  start(world, &trial, good_end, NATIVE_AUTO, 0, "");
  return trial.build == NULL && strstr(trial.why.text.at, "forbids executable memory") ? 0 : 1;
}

static void test_executable_memory_forbidden(void **state) {
  int result = in_child(child_without_execution, *state);
  if (result == 77)
    skip();
  assert_int_equal(result, 0);
}

/* ---- the system compiler -------------------------------------------------------------- */

static void test_cc_and_cache(void **state) {
  struct world *world = *state;
  if (!has_cc())
    skip();
  struct native_figures figures;
  for (int round = 0; round < 3; round++) {
    struct trial trial;
    start(world, &trial, good_end, round < 2 ? NATIVE_CC : NATIVE_AUTO, 60, world->cache);
    if (trial.build == NULL)
      fail_msg("%s", trial.why.text.at);
    assert_int_equal(who(&trial), BY_CC);
    assert_int_equal(next(&trial.ts, 255), 0);
    build_figures(trial.build, &figures);
    assert_true(figures.swapped && figures.cc > 0 && figures.remark == NULL);
    assert_int_equal(figures.cc_from_cache, round > 0);
    finish(&trial);
  }
  struct stat status;
  assert_int_equal(stat(world->cache, &status), 0);
  assert_int_equal(status.st_mode & 0777, 0700);
  assert_int_equal(empty_folder(world->cache), 1);
}

static int child_without_memfd(struct world *world) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  if (!forbid(filter, sizeof filter / sizeof filter[0]))
    return 77;
  struct trial trial;
  start(world, &trial, good_end, NATIVE_CC, 0, "");
  bool good = trial.build != NULL && who(&trial) == BY_CC;
  finish(&trial);
  return good ? 0 : 1;
}

static void test_no_anonymous_files(void **state) {
  int result = has_cc() ? in_child(child_without_memfd, *state) : 77;
  if (result == 77)
    skip();
  assert_int_equal(result, 0);
}

/* Two models at once: the second must not be taken for the first. */
static void test_cc_two_models(void **state) {
  struct world *world = *state;
  if (!has_cc())
    skip();
  struct trial one, other;
  start(world, &one, good_end, NATIVE_CC, 0, "");
  start(world, &other,
        "static uint32_t first(const struct ts *ts, uint32_t which, uint8_t *row) {\n"
        "  return 7 + 0 * initial(ts, which, row); }\n"
        "const struct ts_code cairn_code = {TS_ABI, first, successors, 0, 0};\n",
        NATIVE_CC, 0, "");
  assert_true(one.build != NULL && other.build != NULL);
  assert_int_equal(who(&one), BY_CC);
  assert_int_equal(who(&other), 7);
  finish(&one);
  start(world, &one, good_end, NATIVE_CC, 0, "");
  assert_int_equal(who(&other), 7);
  assert_int_equal(who(&one), BY_CC);
  finish(&other);
  finish(&one);
}

struct caller {
  const struct trial *trial;
  _Atomic bool end;
  uint64_t calls, wrong, by_cc;
};

static void *call(void *context) {
  struct caller *caller = context;
  while (!atomic_load(&caller->end)) {
    uint8_t value = (uint8_t)caller->calls++;
    caller->wrong += next(&caller->trial->ts, value) != (uint8_t)(value + 1);
    caller->by_cc += who(caller->trial) == BY_CC;
  }
  return NULL;
}

static void test_swap_during_calls(void **state) {
  struct world *world = *state;
  if (!has_cc())
    skip();
  struct trial trial;
  start(world, &trial, good_end, NATIVE_AUTO, 0.05, world->cache);
  assert_non_null(trial.build);
  assert_int_equal(who(&trial), BY_TCC);
  struct caller caller = {.trial = &trial};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, call, &caller), 0);
  struct native_figures figures = settled(&trial);
  usleep(20000);
  atomic_store(&caller.end, true);
  pthread_join(thread, NULL);
  assert_true(figures.swapped && !figures.cc_from_cache);
  assert_int_equal(who(&trial), BY_CC);
  assert_true(caller.by_cc > 0 && caller.by_cc < caller.calls);
  assert_int_equal(caller.wrong, 0);
  finish(&trial);
}

static void test_no_compiler(void **state) {
  struct world *world = *state;
  setenv("PATH", "", 1);
  struct trial trial;
  start(world, &trial, good_end, NATIVE_AUTO, 0, world->cache);
  assert_non_null(trial.build);
  assert_int_equal(who(&trial), BY_TCC);
  assert_true(remarks(&trial, "no system compiler (cc) was found"));
  finish(&trial);
  refused(world, good_end, NATIVE_CC, "no system compiler (cc) was found");
  setenv("CC", "no-such-compiler -m64", 1);
  refused(world, good_end, NATIVE_CC, "named by $CC (no-such-compiler -m64) was not found");
  setenv("CC", world->folder, 1);
  refused(world, good_end, NATIVE_CC, "was not found");
}

/* A compiler in the background that fails in some way: the search goes on. */
static void background_fails(const struct world *world, const char *body, const char *remark) {
  fake_cc(world, body);
  struct trial trial;
  start(world, &trial, good_end, NATIVE_AUTO, 0, world->cache);
  assert_non_null(trial.build);
  struct native_figures figures = settled(&trial);
  if (figures.remark == NULL || strstr(figures.remark, remark) == NULL)
    fail_msg("expected '%s', got '%s'", remark, figures.remark ? figures.remark : "nothing");
  assert_false(figures.swapped);
  assert_int_equal(who(&trial), BY_TCC);
  finish(&trial);
  assert_int_equal(empty_folder(world->cache), 0);
}

static void test_compiler_fails(void **state) {
  struct world *world = *state;
  background_fails(world, "echo \"it is $((1 + 1)) late\"; exit 1", "failed: it is 2 late;");
  background_fails(world, "exit 1", "the system compiler failed;");
  background_fails(world, "kill -9 $$", "the system compiler failed;");
  background_fails(world, "exit 0", "made no usable file");
  background_fails(world, ": > $OUT", "made no usable file");
  background_fails(world, "echo this is no object > $OUT", "cannot be loaded");
  background_fails(world, "x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done", "compiler failed");
  background_fails(world, "mkdir -p $TMPDIR/a/b; ln -s / $TMPDIR/a/c; exit 1", "failed");
  fake_cc(world, "exit 1");
  refused(world, good_end, NATIVE_CC, "the system compiler failed");
}

static bool never(void *context, double wait) {
  (void)context;
  usleep((useconds_t)(wait * 1e6));
  return false;
}

static void test_compiler_bounded(void **state) {
  struct world *world = *state;
  struct text object;
  struct reason why;
  text_init(&object, world->budget, BUDGET_CODE);
  reason_init(&why, world->budget);
  fake_cc(world, "while :; do :; done");
  struct cc *cc = cc_find(world->budget, &why);
  struct cc_limits limits = {.cpu_seconds = 1, .seconds = 90, .memory_bytes = 256 << 20};
  const struct unit empty = {.text = ""};
  assert_false(cc_compile(cc, &empty, &limits, never, NULL, &object, &why));
  assert_non_null(strstr(why.text.at, "compiler failed"));
  assert_false(why.is_limit);
  cc_close(cc);
  fake_cc(world, "sleep 1000 & sleep 1000");
  cc = cc_find(world->budget, &why);
  limits.seconds = 0.2;
  assert_false(cc_compile(cc, &empty, &limits, never, NULL, &object, &why));
  assert_non_null(strstr(why.text.at, "took too long"));
  assert_true(why.is_limit);
  limits.memory_bytes = (uint64_t)4 << 30;
  assert_false(cc_compile(cc, &empty, &limits, never, NULL, &object, &why));
  assert_non_null(strstr(why.text.at, "no room for the system compiler"));
  cc_close(cc);
  text_free(&object);
  reason_free(&why);
}

/* Closing kills the compiler and all that it started, at once. */
static void test_cancel(void **state) {
  struct world *world = *state;
  char started[100], body[400];
  snprintf(started, sizeof started, "%s/started", world->folder);
  snprintf(body, sizeof body, "sleep 1000 & echo $! > %s.new; mv %s.new %s; sleep 1000",
           started, started, started);
  fake_cc(world, body);
  struct trial trial;
  start(world, &trial, good_end, NATIVE_AUTO, 0, world->cache);
  assert_non_null(trial.build);
  for (double end = clock_now() + 20; access(started, F_OK) != 0 && clock_now() < end;)
    usleep(1000);
  FILE *file = fopen(started, "r");
  assert_non_null(file);
  int sleeper = 0;
  assert_int_equal(fscanf(file, "%d", &sleeper), 1);
  fclose(file);
  double begin = clock_now();
  finish(&trial);
  assert_true(clock_now() - begin < 2);
  /* Dead, or not reaped yet by whoever inherits it. */
  bool gone = false;
  for (int i = 0; i < 1000 && !gone; i++) {
    char name[64], line[200] = "";
    snprintf(name, sizeof name, "/proc/%d/stat", sleeper);
    file = fopen(name, "r");
    gone =
        file == NULL || fgets(line, sizeof line, file) == NULL || strstr(line, ") Z") != NULL;
    if (file != NULL)
      fclose(file);
    usleep(1000);
  }
  assert_true(gone);
  assert_int_equal(empty_folder(world->temporary), 0);
  assert_int_equal(empty_folder(world->cache), 0);
}

static void test_cancel_while_waiting(void **state) {
  struct world *world = *state;
  fake_cc(world, "exit 1");
  struct trial trial;
  start(world, &trial, good_end, NATIVE_AUTO, 1000, world->cache);
  assert_non_null(trial.build);
  double begin = clock_now();
  finish(&trial);
  assert_true(clock_now() - begin < 1);
}

/* The search needs its memory: too little room for a compiler. */
static void test_no_room_for_compiler(void **state) {
  struct world *world = *state;
  fake_cc(world, "exit 1");
  uint64_t most = budget_limit(world->budget) - budget_used_all(world->budget) - (100 << 20);
  assert_true(budget_claim(world->budget, BUDGET_STORE, most));
  struct trial trial;
  start(world, &trial, good_end, NATIVE_AUTO, 0, "");
  assert_non_null(trial.build);
  assert_true(remarks(&trial, "leave its memory to the search"));
  finish(&trial);
  budget_return(world->budget, BUDGET_STORE, most);
}

/* ---- the cache ----------------------------------------------------------------------------
 */

static const struct cache_key key = {{1, 2}}, other_key = {{3, 4}};
static const char entry[] = "00000000000000020000000000000001.so";

static struct cache *open_cache(const struct world *world) {
  struct text remark;
  text_init(&remark, world->budget, BUDGET_CODE);
  struct cache *cache = cache_open(world->cache, world->budget, &remark);
  assert_int_equal(remark.length, 0);
  text_free(&remark);
  return cache;
}

static bool put(struct world *world, struct cache *cache, struct cache_key at, char fill,
                size_t n, uint64_t most) {
  struct text object;
  text_init(&object, world->budget, BUDGET_CODE);
  for (size_t i = 0; i < n; i++)
    text_add(&object, &fill, 1);
  bool done = cache_put(cache, at, &object, most);
  text_free(&object);
  return done;
}

/* 0: nothing; else what the object is filled with; -1: a mixture. */
static int got(struct world *world, struct cache *cache, struct cache_key at, size_t n) {
  struct text object;
  text_init(&object, world->budget, BUDGET_CODE);
  int result = 0;
  if (cache_get(cache, at, &object)) {
    result = object.length == n ? object.at[0] : -1;
    for (size_t i = 0; i < object.length; i++)
      if (object.at[i] != object.at[0])
        result = -1;
  } else {
    assert_int_equal(object.length, 0);
  }
  text_free(&object);
  return result;
}

static void in_cache(const struct world *world, const char *name, char path[200]) {
  snprintf(path, 200, "%s/%s", world->cache, name);
}

static void test_cache_round_trip(void **state) {
  struct world *world = *state;
  struct cache *cache = open_cache(world);
  assert_non_null(cache);
  assert_int_equal(got(world, cache, key, 5000), 0);
  assert_true(put(world, cache, key, 'a', 5000, CACHE_MOST));
  assert_int_equal(got(world, cache, key, 5000), 'a');
  assert_true(put(world, cache, key, 'b', 70000, CACHE_MOST));
  assert_int_equal(got(world, cache, key, 70000), 'b');
  assert_int_equal(got(world, cache, other_key, 5000), 0);
  cache_close(cache);
  assert_int_equal(empty_folder(world->cache), 1);
}

/* Whatever was done to the file, it is not taken, and can be replaced. */
static void test_cache_distrusts(void **state) {
  struct world *world = *state;
  struct cache *cache = open_cache(world);
  char path[200], foreign[200];
  in_cache(world, entry, path);
  in_cache(world, "elsewhere", foreign);
  for (int kind = 0; kind < 9; kind++) {
    assert_true(put(world, cache, key, 'a', 5000, CACHE_MOST));
    assert_int_equal(got(world, cache, key, 5000), 'a');
    int fd = open(path, O_RDWR);
    if (kind == 0)
      assert_int_equal(pwrite(fd, "b", 1, 4999), 1);
    else if (kind == 1)
      assert_int_equal(ftruncate(fd, 4000), 0);
    else if (kind == 2)
      assert_int_equal(ftruncate(fd, 0), 0);
    else if (kind == 3)
      assert_int_equal(fchmod(fd, 0620), 0);
    else if (kind == 4)
      assert_int_equal(pwrite(fd, "more", 4, 6000), 4);
    else if (kind == 5)
      assert_true(rename(path, foreign) == 0 && symlink(foreign, path) == 0);
    else if (kind == 6)
      assert_true(unlink(path) == 0 && mkfifo(path, 0600) == 0);
    else if (kind == 7 && geteuid() == 0)
      assert_int_equal(fchown(fd, 65534, 65534), 0);
    else
      assert_true(put(world, cache, other_key, 'a', 5000, CACHE_MOST) && unlink(path) == 0 &&
                  (in_cache(world, "00000000000000040000000000000003.so", foreign),
                   rename(foreign, path) == 0));
    close(fd);
    assert_int_equal(got(world, cache, key, 5000), 0);
    unlink(foreign);
  }
  assert_true(put(world, cache, key, 'c', 5000, CACHE_MOST));
  assert_int_equal(got(world, cache, key, 5000), 'c');
  cache_close(cache);
}

static void test_cache_folder_of_others(void **state) {
  struct world *world = *state;
  struct text remark;
  text_init(&remark, world->budget, BUDGET_CODE);
  mkdir(world->cache, 0700);
  chmod(world->cache, 0770);
  assert_null(cache_open(world->cache, world->budget, &remark));
  assert_non_null(strstr(remark.at, "is not used"));
  rmdir(world->cache);
  assert_int_equal(symlink("/tmp", world->cache), 0);
  assert_null(cache_open(world->cache, world->budget, &remark));
  unlink(world->cache);
  assert_null(cache_open("/proc/cairn", world->budget, &remark));
  assert_null(cache_open("", world->budget, &remark));
  text_free(&remark);
}

static void test_cache_usual_folder(void **state) {
  struct world *world = *state;
  char *old = copy_variable("XDG_CACHE_HOME"), *home = copy_variable("HOME");
  char path[200];
  struct text remark;
  text_init(&remark, world->budget, BUDGET_CODE);
  setenv("XDG_CACHE_HOME", world->cache, 1);
  cache_close(cache_open(NULL, world->budget, &remark));
  in_cache(world, "cairn", path);
  assert_int_equal(rmdir(path), 0);
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", world->cache, 1);
  cache_close(cache_open(NULL, world->budget, &remark));
  in_cache(world, ".cache/cairn", path);
  assert_int_equal(rmdir(path), 0);
  in_cache(world, ".cache", path);
  assert_int_equal(rmdir(path), 0);
  unsetenv("HOME");
  assert_null(cache_open(NULL, world->budget, &remark));
  assert_int_equal(remark.length, 0);
  text_free(&remark);
  restore("XDG_CACHE_HOME", old);
  restore("HOME", home);
}

static int child_read_only(struct world *world) {
  struct cache *cache = open_cache(world);
  if (geteuid() == 0 && (chown(world->cache, 65534, 65534) != 0 || setuid(65534) != 0))
    return 77;
  chmod(world->cache, 0500);
  bool done = put(world, cache, key, 'a', 100, CACHE_MOST);
  return done || got(world, cache, key, 100) != 0;
}

/* No write may pass the limit, and no signal may end the process. */
static int child_full_disk(struct world *world) {
  struct cache *cache = open_cache(world);
  struct rlimit limit = {3000, 3000};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
    return 77;
  if (put(world, cache, key, 'a', 5000, CACHE_MOST) || got(world, cache, key, 5000) != 0)
    return 1;
  if (!put(world, cache, key, 'a', 500, CACHE_MOST) || got(world, cache, key, 500) != 'a')
    return 2;
  struct trial trial;
  start(world, &trial, good_end, NATIVE_AUTO, 0, world->cache);
  if (trial.build == NULL || who(&trial) != BY_TCC)
    return 3;
  bool told = !has_cc() || remarks(&trial, "no room on the disk");
  finish(&trial);
  return told ? 0 : 4;
}

static void test_cache_read_only(void **state) {
  int result = in_child(child_read_only, *state);
  if (result == 77)
    skip();
  assert_int_equal(result, 0);
}

static void test_cache_full_disk(void **state) {
  struct world *world = *state;
  int result = in_child(child_full_disk, world);
  if (result == 77)
    skip();
  assert_int_equal(result, 0);
  assert_int_equal(empty_folder(world->cache), 1);
}

static void test_cache_bounded(void **state) {
  struct world *world = *state;
  struct cache *cache = open_cache(world);
  char path[200];
  for (uint64_t i = 0; i < 5; i++) {
    assert_true(put(world, cache, (struct cache_key){{i, 0}}, 'a', 1000, 4000));
    usleep(20000);
    if (i == 2)
      assert_int_equal(got(world, cache, (struct cache_key){{0, 0}}, 1000), 'a');
  }
  /* Three fit; number 0 was used again before 3 and 4 came. */
  assert_int_equal(got(world, cache, (struct cache_key){{0, 0}}, 1000), 'a');
  assert_int_equal(got(world, cache, (struct cache_key){{1, 0}}, 1000), 0);
  assert_int_equal(got(world, cache, (struct cache_key){{2, 0}}, 1000), 0);
  assert_int_equal(got(world, cache, (struct cache_key){{4, 0}}, 1000), 'a');
  /* What a killed run left, and a file of somebody's that is no business of ours. */
  in_cache(world, ".new-1-2-3", path);
  close(open(path, O_CREAT | O_WRONLY, 0600));
  struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
  utimensat(AT_FDCWD, path, old, 0);
  in_cache(world, "notes.txt", path);
  close(open(path, O_CREAT | O_WRONLY, 0600));
  assert_true(put(world, cache, key, 'a', 1000, 100));
  cache_close(cache);
  assert_int_equal(empty_folder(world->cache), 1);
}

/* Puts and gets under one key, each process its own letter. */
static int child_cache_user(struct world *world) {
  struct cache *cache = open_cache(world);
  char letter = (char)('a' + getpid() % 26);
  for (int i = 0; i < 60; i++) {
    if (!put(world, cache, key, letter, 20000, CACHE_MOST))
      return 1;
    if (got(world, cache, key, 20000) <= 0)
      return 2;
  }
  return 0;
}

static void test_cache_many_processes(void **state) {
  struct world *world = *state;
  pid_t child[3];
  mkdir(world->cache, 0700);
  for (int i = 0; i < 3; i++) {
    child[i] = fork();
    if (child[i] == 0)
      _exit(child_cache_user(world));
  }
  for (int i = 0; i < 3; i++) {
    int status = 0;
    waitpid(child[i], &status, 0);
    assert_int_equal(status, 0);
  }
  assert_int_equal(empty_folder(world->cache), 1);
}

/* Several runs that compile the same model at the same time. */
static int child_compiles(struct world *world) {
  struct trial trial;
  start(world, &trial, good_end, NATIVE_CC, 0, world->cache);
  return trial.build != NULL && who(&trial) == BY_CC && next(&trial.ts, 1) == 2 ? 0 : 1;
}

static void test_compile_in_two_processes(void **state) {
  struct world *world = *state;
  if (!has_cc())
    skip();
  pid_t child = fork();
  if (child == 0)
    _exit(child_compiles(world));
  assert_int_equal(in_child(child_compiles, world), 0);
  int status = 0;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  assert_int_equal(empty_folder(world->cache), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_tcc),
      TEST(test_tcc_refuses),
      TEST(test_tcc_without_memory),
      TEST(test_executable_memory_forbidden),
      TEST(test_cc_and_cache),
      TEST(test_no_anonymous_files),
      TEST(test_cc_two_models),
      TEST(test_swap_during_calls),
      TEST(test_no_compiler),
      TEST(test_compiler_fails),
      TEST(test_compiler_bounded),
      TEST(test_cancel),
      TEST(test_cancel_while_waiting),
      TEST(test_no_room_for_compiler),
      TEST(test_cache_round_trip),
      TEST(test_cache_distrusts),
      TEST(test_cache_folder_of_others),
      TEST(test_cache_usual_folder),
      TEST(test_cache_read_only),
      TEST(test_cache_full_disk),
      TEST(test_cache_bounded),
      TEST(test_cache_many_processes),
      TEST(test_compile_in_two_processes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
