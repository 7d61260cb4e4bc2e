/* search_bench.c - how fast the search is alone, on compiled models.
 *
 *   search_bench [-c tcc|cc] [-o bfs|dfs] [-p] [-n RUNS] [-s SECONDS] MODEL...
 *
 * Prints, for each model and order, the counts, the events per second of wall
 * clock and of processor time (on a machine that is busy otherwise only the
 * second says something; the best of RUNS counts), and the bytes per state in
 * the store, in the parents and in the stack or queue. -p: without parents.
 */
#include "base/clock.h"
#include "lang/lang.h"
#include "native/native.h"
#include "search/frontier/frontier.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct bench {
  enum native_compiler compiler;
  const struct frontier_kind *order; /* NULL: all */
  bool parents;
  int runs;
  double seconds;
};

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const struct bench *bench, const struct ts *ts, struct budget *budget,
                    const struct frontier_kind *order) {
  double wall = 0, processor = 0;
  struct search_options options = {.store.kind = store_kinds[0],
                                   .order.kind = order,
                                   .keep_going = true,
                                   .parents = bench->parents,
                                   .limit.seconds = bench->seconds};
  struct search_figures f = {0};
  const char *verdict = "";
  for (int i = 0; i < bench->runs; i++) {
    struct search_result result;
    double began = processor_seconds();
    search_run(ts, &options, budget, &result);
    double took = processor_seconds() - began;
    f = result.figures;
    verdict = search_verdict_name(result.verdict);
    processor = i == 0 || took < processor ? took : processor;
    wall = i == 0 || f.seconds < wall ? f.seconds : wall;
    search_result_free(&result);
  }
  double states = f.stored > 0 ? (double)f.stored : 1, events = (double)f.events / 1e6;
  printf("%-20s %-4s %10llu %11llu %7.2f %7.2f  %6.1f %5.1f %7.1f  %4u %s\n", ts->shape->name,
         order->name, (unsigned long long)f.stored, (unsigned long long)f.events, events / wall,
         events / processor, (double)f.memory.store.bytes / states,
         (double)f.memory.parents / states, (double)f.memory.open / states,
         ts->shape->max_bytes, verdict);
  fflush(stdout);
}

static bool bench_model(const struct bench *bench, const char *path) {
  struct budget *budget = budget_open(0);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  struct diag *diag = diag_open(arena);
  const char *why = "the model has errors";
  struct source *source = source_read(arena, path, &why);
  const struct language *language = language_of_file(path);
  struct ir_model *model =
      source && language ? language->parse(arena, diag, source, NULL) : NULL;
  struct native_failure failure = {0};
  struct native_options options = {.compiler = bench->compiler, .patience = 1e9};
  struct native *native = model ? native_open(model, &options, budget, &failure) : NULL;
  if (native == NULL)
    fprintf(stderr, "%s: %s\n", path, failure.why != NULL ? failure.why : why);
  for (uint32_t i = 0; native != NULL && frontier_kinds[i] != NULL; i++)
    if (bench->order == NULL || bench->order == frontier_kinds[i])
      measure(bench, native_ts(native), budget, frontier_kinds[i]);
  bool done = native != NULL;
  if (native != NULL)
    native_close(native);
  arena_close(arena);
  budget_close(budget);
  return done;
}

int main(int argc, char **argv) {
  struct bench bench = {.compiler = NATIVE_CC, .parents = true, .runs = 3};
  bool fine = true;
  for (int option; (option = getopt(argc, argv, "c:o:n:s:p")) != -1;)
    switch (option) {
    case 'c':
      bench.compiler = strcmp(optarg, "tcc") == 0 ? NATIVE_TCC : NATIVE_CC;
      break;
    case 'o':
      bench.order = frontier_by_name(optarg);
      fine = fine && bench.order != NULL;
      break;
    case 'n':
      bench.runs = atoi(optarg);
      break;
    case 's':
      bench.seconds = atof(optarg);
      break;
    case 'p':
      bench.parents = false;
      break;
    default:
      fine = false;
    }
  if (!fine || optind == argc || bench.runs < 1) {
    fprintf(stderr, "usage: search_bench [-c tcc|cc] [-o bfs|dfs] [-p] [-n RUNS] "
                    "[-s SECONDS] MODEL...\n");
    return 2;
  }
  printf("%-20s %-4s %10s %11s %7s %7s  %6s %5s %7s  %4s\n", "model", "", "states", "events",
         "M/s", "M/s cpu", "store", "par.", "open", "row");
  int status = 0;
  for (; optind < argc; optind++)
    if (!bench_model(&bench, argv[optind]))
      status = 1;
  return status;
}
