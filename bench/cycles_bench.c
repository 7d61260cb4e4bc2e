/* cycles_bench.c - what looking for cycles costs, beside plain searches of the same product.
 *
 *   cycles_bench [-c tcc|cc] [-n RUNS] [-s STORE] [-D NAME=VALUE] [-l FORMULA] [-q] [-p] [-f]
 * [-g]
 *                [-w dfs,bfs,ndfs,scc,owcty,start] [-m] MODEL
 *
 * The model has one claim, or is given a formula (-l), or is asked whether it makes progress
 * (-q). The product is searched for states alone, depth- and breadth-first, and by each engine
 * of cycles in the order that it goes with; in turn, so that what disturbs one search disturbs
 * all, and of RUNS the least processor time counts. With -p errors do not end a search, so that
 * all states are visited, and no parents are kept, as nobody wants to know the way. A line for
 * each search: name, seconds, states, events, states of the nested search, 1 if there is an
 * error, events of its trail, and how many of these are the cycle's. `start` is a search that
 * ends with its first state. With -f lassos are not made shorter; with -g `scc` searches the
 * product with several marks, where there is one. With -m a last line, `least`, says how long a
 * shortest lasso is (least.h), with 0 for the error if that is only a lower bound.
 */
#include "least.h"

#include "lang/lang.h"
#include "native/native.h"
#include "search/engine.h"
#include "search/frontier/frontier.h"
#include "search/search.h"
#include "ts/claim.h"
#include "ts/product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DEFINES = 8 };

struct bench {
  enum native_compiler compiler;
  const struct store_kind *store;
  const char *formula, *which, *define[MOST_DEFINES];
  struct language_options how;
  bool keep_going, as_found, general, least;
  int runs;
};

/* A search that is measured; the engine NULL: for states alone. */
struct kind {
  const char *name, *engine, *order;
  uint64_t most;    /* states, or 0: as many as there are */
  bool takes_marks; /* several */
};

static const struct kind kinds[] = {
    {"dfs", NULL, "dfs", 0, false},      {"bfs", NULL, "bfs", 0, false},
    {"ndfs", "ndfs", "dfs", 0, false},   {"scc", "scc", "dfs", 0, true},
    {"owcty", "owcty", "bfs", 0, false}, {"start", "ndfs", "dfs", 1, false}};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_wanted(const struct bench *b, const struct kind *kind) {
  const char *at = b->which == NULL ? NULL : strstr(b->which, kind->name);
  for (; at != NULL; at = strstr(at + 1, kind->name)) {
    const char end = at[strlen(kind->name)];
    if ((at == b->which || at[-1] == ',') && (end == ',' || end == '\0'))
      return true;
  }
  return b->which == NULL;
}

static double search_once(const struct bench *b, const struct kind *kind, const struct ts *ts,
                          struct budget *budget, bool print, double best) {
  struct search_options options = {.store.kind = b->store,
                                   .order.kind = frontier_by_name(kind->order),
                                   .keep_going = b->keep_going,
                                   .as_found = b->as_found,
                                   .limit.states = kind->most,
                                   .parents = !b->keep_going};
  struct search_result result;
  options.engine = kind->engine == NULL ? NULL : engine_by_name(kind->engine);
  const double began = processor_seconds();
  search_run(ts, &options, budget, &result);
  const double took = processor_seconds() - began;
  const struct search_figures *f = &result.figures;
  if (best < 0 || took < best)
    best = took;
  if (print)
    printf("%s %.6f %llu %llu %llu %d %u %u\n", kind->name, best, (unsigned long long)f->stored,
           (unsigned long long)f->events, (unsigned long long)f->nested,
           result.error.kind != SEARCH_NO_ERROR, result.error.trail.n_events,
           result.error.trail.n_cycle);
  search_result_free(&result);
  return best;
}

static void measure(const struct bench *b, const struct ts *ts, const struct ts *general,
                    struct budget *budget) {
  double best[KINDS];
  for (int k = 0; k < KINDS; k++)
    best[k] = -1;
  for (int i = 0; i < b->runs; i++)
    for (int k = 0; k < KINDS; k++)
      if (is_wanted(b, &kinds[k]))
        best[k] = search_once(b, &kinds[k], b->general && kinds[k].takes_marks ? general : ts,
                              budget, i == b->runs - 1, best[k]);
}

static void measure_least(const struct ts *ts, struct budget *budget) {
  struct least least;
  const double began = processor_seconds();
  if (least_lasso(ts, budget, &least))
    printf("least %.6f %llu %llu 0 %d %u %u\n", processor_seconds() - began,
           (unsigned long long)least.states, (unsigned long long)least.arcs, least.exact,
           least.length, least.cycle);
}

/* The last claim, with one mark and with several. */
static const char *measure_products(const struct bench *b, const struct ts *ts,
                                    struct budget *budget) {
  const struct claim *claim = &ts->shape->claim[ts->shape->n_claims - 1];
  const struct claim other = claim->general == NULL ? *claim : claim_general(claim);
  const char *why = NULL;
  struct ts *product = ts_product_open(ts, claim, budget, &why);
  struct ts *general = ts_product_open(ts, &other, budget, &why);
  if (product != NULL && general != NULL)
    measure(b, product, general, budget);
  if (product != NULL && b->least)
    measure_least(product, budget);
  ts_product_close(product);
  ts_product_close(general);
  return product != NULL && general != NULL ? NULL : why;
}

static const char *measure_model(const struct bench *b, const char *path, struct arena *arena,
                                 struct budget *budget) {
  struct diag *diag = diag_open(arena);
  const char *why = "the model has errors";
  struct source *source = source_read(arena, path, &why);
  const struct language *language = language_of_file(path);
  if (source != NULL && language == NULL)
    language = language_of_text(source);
  struct ir_model *model =
      source && language ? language->parse(arena, diag, source, &b->how) : NULL;
  if (model != NULL && b->formula != NULL &&
      !language_add_formula(language, model, diag,
                            source_make(arena, "-l", b->formula, (uint32_t)strlen(b->formula))))
    model = NULL;
  diag_print(diag, stderr, false);
  if (model == NULL)
    return why;
  struct native_failure failure = {0};
  const struct native_options options = {.compiler = b->compiler, .patience = 1e9};
  struct native *native = native_open(model, &options, budget, &failure);
  if (native == NULL)
    return failure.why;
  why = "there is no claim";
  if (native_ts(native)->shape->n_claims > 0)
    why = measure_products(b, native_ts(native), budget);
  native_close(native);
  return why;
}

static bool read_options(struct bench *b, int argc, char **argv) {
  for (int option; (option = getopt(argc, argv, "c:n:s:l:w:D:fgmpq")) != -1;)
    switch (option) {
    case 'c':
      b->compiler = strcmp(optarg, "tcc") == 0 ? NATIVE_TCC : NATIVE_CC;
      break;
    case 'n':
      b->runs = atoi(optarg);
      break;
    case 's':
      b->store = store_by_name(optarg);
      break;
    case 'l':
      b->formula = optarg;
      break;
    case 'w':
      b->which = optarg;
      break;
    case 'D':
      if (b->how.n_defines == MOST_DEFINES)
        return false;
      b->define[b->how.n_defines++] = optarg;
      break;
    case 'f':
      b->as_found = true;
      break;
    case 'm':
      b->least = true;
      break;
    case 'g':
      b->general = true;
      break;
    case 'p':
      b->keep_going = true;
      break;
    case 'q':
      b->how.progress = true;
      break;
    default:
      return false;
    }
  return optind + 1 == argc && b->runs > 0 && b->store != NULL;
}

int main(int argc, char **argv) {
  struct bench bench = {.compiler = NATIVE_CC, .store = store_kinds[0], .runs = 3};
  bench.how.define = bench.define;
  if (!read_options(&bench, argc, argv)) {
    fprintf(stderr, "usage: cycles_bench [-c tcc|cc] [-n RUNS] [-s STORE] [-D NAME=VALUE] "
                    "[-l FORMULA] [-q] [-p] [-f] [-g] [-m] [-w NAMES] MODEL\n");
    return 2;
  }
  struct budget *budget = budget_open(0);
  struct arena *arena = arena_open(budget, BUDGET_MODEL);
  const char *why = measure_model(&bench, argv[optind], arena, budget);
  if (why != NULL)
    fprintf(stderr, "%s: %s\n", argv[optind], why);
  arena_close(arena);
  budget_close(budget);
  return why != NULL;
}
