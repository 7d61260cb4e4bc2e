/* soundness.c - every way to search, on tiny random systems, against the truth.
 *
 *   soundness [-n SYSTEMS] [-s SECONDS] [-f FIRST-SEED] [-c WAY] [-w WAYS] [-r] [-l] [-v]
 *
 * System number k of a run has the seed FIRST-SEED + k. Of all ways to search that are
 * allowed, each system is searched by WAYS (0: all) that follow each other in a list
 * shuffled by the seed, so that all have their turn equally often. A failure is
 * printed with the command that repeats it, then the system is made smaller as long as
 * it fails, each trial in a process of its own, for failed assertions and endless
 * loops fail there, too. -r: each search is saved and resumed as well. -l lists the ways, whose
 * marks combination.h explains; -c leaves only those whose names have this part. Exit status 1
 * if anything failed.
 */
#include "judge.h"

#include "base/bits.h"
#include "base/clock.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct run {
  uint64_t systems, first;
  double seconds;
  const char *only;
  uint32_t ways;
  bool verbose;
  struct judge judge;
  struct combination *list;
  uint32_t n_list;
  struct table *table;
  uint64_t done, states, cyclic, too_large, pairs;
};

/* What is being tried, for the message of a failed assertion. */
static struct {
  uint64_t seed;
  const char *name;
  bool resumes;
} trying;

static void make(struct system *s, uint64_t seed) {
  if (seed % 4 == 0)
    system_classical(s, seed);
  else
    system_random(s, seed);
}

static void say_command(uint64_t seed, const char *name) {
  printf("repeat: soundness %s-n 1 -f %" PRIu64 " -c '%s'\n", trying.resumes ? "-r " : "", seed,
         name);
}

/* A failed assertion in the searched program: how to repeat it. Only what is safe in a
 * signal handler may be done, and printing is not, but the process ends anyway. */
static void on_abort(int signal_number) {
  printf("FAIL: the search ended by signal %d\n", signal_number);
  say_command(trying.seed, trying.name);
  fflush(stdout);
  _exit(3);
}

static bool try_one(struct run *run, const struct system *s, struct combination *how) {
  table_fill(run->table, s);
  return run->table->too_large || judge_search(&run->judge, run->table, how, s->seed);
}

/* Whether it fails, in a process of its own. */
static bool fails_apart(struct run *run, const struct system *s, struct combination *how) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGABRT, SIG_DFL);
    signal(SIGSEGV, SIG_DFL);
    freopen("/dev/null", "w", stderr);
    alarm(5);
    _exit(try_one(run, s, how) ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status != 0;
}

/* Takes pieces out while it still fails. */
static void shrink(struct run *run, struct system *s, struct combination *how) {
  struct system smaller;
  bool applied, again = true;
  while (again) {
    again = false;
    for (uint32_t piece = 0; system_reduce(s, piece, &smaller, &applied); piece++)
      if (applied && fails_apart(run, &smaller, how)) {
        *s = smaller;
        again = true;
        piece--;
      }
  }
}

static void report(struct run *run, const struct system *s, struct combination *how) {
  struct system small = *s;
  printf("FAIL: seed %" PRIu64 ", %s: %s\n", s->seed, how->name, run->judge.why);
  say_command(s->seed, how->name);
  shrink(run, &small, how);
  try_one(run, &small, how);
  printf("made smaller: %s\n", run->judge.why);
  table_fill(run->table, &small);
  table_print(stdout, run->table);
}

/* Where in the shuffled list a system begins: all ways have their turn. */
static bool search_system(struct run *run, uint64_t seed) {
  struct system s;
  make(&s, seed);
  table_fill(run->table, &s);
  run->done++;
  if (run->table->too_large) {
    run->too_large++;
    return true;
  }
  run->states += run->table->n_states;
  run->cyclic += !run->table->acyclic;
  for (uint32_t a = 0; a < s.n_letters; a++)
    run->pairs += (uint64_t)__builtin_popcount(run->table->independent[a]);
  for (uint32_t i = 0; i < run->ways; i++) {
    struct combination *how = &run->list[(seed * run->ways + i) % run->n_list];
    trying.seed = seed;
    trying.name = how->name;
    if (judge_search(&run->judge, run->table, how, seed))
      continue;
    report(run, &s, how);
    return false;
  }
  return true;
}

static void shuffle(struct run *run) {
  uint64_t random = 1;
  for (uint32_t i = run->n_list; i > 1; i--) {
    uint32_t k = (uint32_t)(bits_next_random(&random) % i);
    struct combination kept = run->list[i - 1];
    run->list[i - 1] = run->list[k];
    run->list[k] = kept;
  }
}

static int usage(void) {
  fprintf(stderr, "usage: soundness [-n SYSTEMS] [-s SECONDS] [-f FIRST-SEED] [-c WAY] "
                  "[-w WAYS] [-r] [-l] [-v]\n");
  return 2;
}

static bool read_options(struct run *run, int argc, char **argv, bool *list) {
  int option;
  while ((option = getopt(argc, argv, "n:s:f:c:w:rlv")) != -1)
    switch (option) {
    case 'n':
      run->systems = strtoull(optarg, NULL, 10);
      break;
    case 's':
      run->seconds = strtod(optarg, NULL);
      break;
    case 'f':
      run->first = strtoull(optarg, NULL, 10);
      break;
    case 'c':
      run->only = optarg;
      break;
    case 'w':
      run->ways = (uint32_t)strtoul(optarg, NULL, 10);
      break;
    case 'r':
      trying.resumes = true;
      break;
    case 'l':
      *list = true;
      break;
    case 'v':
      run->verbose = true;
      break;
    default:
      return false;
    }
  return optind == argc;
}

int main(int argc, char **argv) {
  static struct run run = {.systems = 1000000, .first = 1, .ways = 8};
  bool list = false;
  if (!read_options(&run, argc, argv, &list))
    return usage();
  run.table = calloc(1, sizeof *run.table);
  if (run.table == NULL || !judge_open(&run.judge))
    return 2;
  run.judge.resumes = trying.resumes;
  run.list = combination_all(&run.n_list);
  if (run.only != NULL)
    run.n_list = combination_keep(run.list, run.n_list, run.only);
  if (run.n_list == 0) {
    fprintf(stderr, "no way to search has '%s' in its name (-l lists them)\n", run.only);
    return 2;
  }
  for (uint32_t i = 0; list && i < run.n_list; i++)
    printf("%s\n", run.list[i].name);
  if (list)
    return 0;
  shuffle(&run);
  if (run.ways == 0 || run.ways > run.n_list)
    run.ways = run.n_list;
  signal(SIGABRT, on_abort);
  signal(SIGSEGV, on_abort);
  double began = clock_now();
  bool fine = true;
  for (uint64_t k = 0; fine && k < run.systems; k++) {
    fine = search_system(&run, run.first + k);
    if (run.seconds > 0 && k % 64 == 0 && clock_now() - began > run.seconds)
      break;
  }
  double n = run.done > run.too_large ? (double)(run.done - run.too_large) : 1;
  printf("%" PRIu64 " systems, %" PRIu64
         " searches in %u ways, %.1f s; per system %.1f states, "
         "%.1f independent pairs, %.0f%% have cycles; %" PRIu64 " too large\n",
         run.done, run.judge.searches, run.n_list, clock_now() - began, (double)run.states / n,
         (double)run.pairs / 2 / n, 100 * (double)run.cyclic / n, run.too_large);
  const char *why = judge_counts(&run.judge, run.only == NULL);
  if (why != NULL)
    printf("FAIL: %s\n", why);
  judge_close(&run.judge);
  free(run.list);
  free(run.table);
  return fine && why == NULL ? 0 : 1;
}
