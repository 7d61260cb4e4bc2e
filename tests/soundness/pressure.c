/* pressure.c - every way to search when memory is short: is the answer still true?
 *
 *   pressure [-n SEARCHES] [-s SECONDS] [-f FIRST-SEED] [-c WAY]
 *
 * Graphs of some thousand states under a budget that is nearly enough, or not: stores
 * that fill, states that move to other stores, caches that forget because memory is
 * spent, stacks and queues that find none. Whoever says "verified" must have expanded
 * every state, and there must be no error; an error must be real; and in the end all
 * memory must be given back. A search that gave up has not passed: it is repeated with more
 * memory, a larger cache and more visits, until it ends; and how many give up at first, and
 * why, has a ceiling.
 */
#include "combination.h"

#include "../toy.h"
#include "../unit/search_graph.h"

#include "base/bits.h"
#include "base/clock.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NODES = 12000, SLOW = 10 /* seconds, on a machine however busy */ };

enum { SEARCH_LIMITS = SEARCH_CYCLE + 1 };

/* What is watched: the graph's own code has no room for it. */
static struct {
  const struct graph *graph;
  const struct ts_code *code;
  uint8_t expanded[NODES];
  uint32_t n;
} watch;

static struct {
  uint64_t seed;
  const char *way;
} trying;

static int32_t watched_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                  struct ts_event *cursor, const uint64_t *skip,
                                  struct ts_batch *out) {
  uint8_t *expanded = &watch.expanded[graph_node(watch.graph, state)];
  watch.n += *expanded == 0;
  *expanded = 1;
  return watch.code->successors(ts, state, length, cursor, skip, out);
}

static void on_abort(int signal_number) {
  printf("FAIL: the search ended by signal %d\nrepeat: pressure -n 1 -f %" PRIu64 " -c '%s'\n",
         signal_number, trying.seed, trying.way);
  fflush(stdout);
  _exit(3);
}

static void make_graph(struct graph *g, uint64_t seed, uint64_t *random) {
  uint32_t nodes = 1000 + (uint32_t)(bits_next_random(random) % (NODES - 1000));
  uint64_t luck = bits_next_random(random);
  enum graph_kind kind = luck / 16384 % 3 == 0 ? KIND_PRODUCT
                         : luck % 2            ? KIND_NEAR
                                               : KIND_RANDOM;
  graph_make(g, kind, (enum graph_form)(luck / 2 % FORMS), seed, nodes,
             2 + (uint32_t)(luck / 16 % 4));
  g->shape.n_initial = 1 + (uint32_t)(luck / 64 % 3);
  /* All actions write the first slot: nothing is independent. But half of those of a product.
   */
  static uint32_t start[NODES + 1], item[NODES];
  for (uint32_t a = 0; a <= nodes; a++) {
    start[a] = a;
    if (a < nodes)
      item[a] = kind == KIND_PRODUCT && a >= g->shape.n_actions / 2;
  }
  g->shape.reads = g->shape.writes = (struct ts_rows){start, item};
  if (luck / 256 % 8 == 0)
    g->bad = 1;
  if (luck / 2048 % 8 == 0)
    g->broken_edges = 1;
}

/* What is wrong, or NULL. */
static const char *judge(const struct search_options *options, const struct toy_result *toy,
                         const struct search_result *r) {
  bool verified = r->verdict == SEARCH_VERIFIED, found = r->error.kind != SEARCH_NO_ERROR;
  if (r->internal_error != NULL)
    return r->internal_error;
  if (verified && (toy->errors > 0 || watch.n != toy->states || r->limit != SEARCH_NO_LIMIT))
    return "verified without a reason";
  if (found && toy->errors == 0)
    return "an error that is none";
  if (found != (r->verdict == SEARCH_VIOLATED))
    return "error and verdict do not fit";
  if (r->limit != SEARCH_NO_LIMIT && r->guarantee != SEARCH_PARTIAL)
    return "a limit was hit, and the guarantee is not partial";
  if (r->guarantee == SEARCH_EXACT && options->keep_going && watch.n != toy->states)
    return "exact, and states are missing";
  if (verified && options->forget.kind == NULL && r->figures.stored != toy->states)
    return "a wrong number of states";
  if (watch.n > toy->states)
    return "more states than there are";
  return NULL;
}

/* What one search is given. */
struct given {
  uint64_t memory; /* bytes, beyond what an empty budget takes */
  struct search_options options;
};

/* One search. NULL, or what is wrong; *limit: why it gave up. */
static const char *search_once(const struct ts *ts, const struct given *given,
                               const struct toy_result *toy, uint64_t base,
                               enum search_limit *limit) {
  memset(watch.expanded, 0, sizeof watch.expanded);
  watch.n = 0;
  *limit = SEARCH_NO_LIMIT;
  struct budget *budget = budget_open(base + given->memory);
  if (budget == NULL)
    return NULL;
  uint64_t before = budget_used_all(budget);
  struct search_result result;
  search_run(ts, &given->options, budget, &result);
  *limit = result.limit;
  const char *why = judge(&given->options, toy, &result);
  search_result_free(&result);
  if (why == NULL && result.figures.seconds > SLOW)
    why = "so small a graph took so long";
  if (why == NULL && budget_used_all(budget) != before)
    why = "memory is not given back";
  budget_close(budget);
  return why;
}

/* Whether more of everything helps; what leads back to the stack always does. */
static bool may_end(enum search_limit limit) {
  return limit == SEARCH_MEMORY || limit == SEARCH_TREE || limit == SEARCH_MAX_VISITS;
}

static struct given some_given(struct combination *how, const struct ts *ts, uint64_t states,
                               uint64_t seed, uint64_t *random) {
  struct given given = {.options = combination_options(how, ts, (uint32_t)states, seed)};
  struct search_options *options = &given.options;
  options->keep_going = *random >> 40 & 1;
  options->limit.visits = 8 * states;
  if (options->forget.kind != NULL && bits_next_random(random) % 2 == 0)
    options->forget.cache_size = 0;
  if (options->store.moves) {
    options->store.move_after =
        bits_next_random(random) % 2 == 0 ? 0 : options->store.move_after;
    options->store.allow_lossy = bits_next_random(random) % 2 == 0;
  }
  given.memory = 200000 + bits_next_random(random) % 1000000;
  return given;
}

/* One way, until a search ends; the seed decides all but the way. */
static bool try_way(struct combination *how, uint64_t seed, uint64_t limits[SEARCH_LIMITS]) {
  enum { ROUNDS = 12 };
  static struct graph g;
  struct toy_result toy;
  uint64_t random = seed * 2 + 1;
  make_graph(&g, seed, &random);
  if (!toy_check(&g.ts, false, &toy))
    return true;
  struct ts_code code = *(const struct ts_code *)g.ts.code;
  code.successors = watched_successors;
  watch.graph = &g;
  watch.code = g.ts.code;
  g.ts.code = &code;
  struct given given = some_given(how, &g.ts, toy.states, seed, &random);
  struct budget *probe = budget_open(0);
  uint64_t base = budget_used_all(probe);
  budget_close(probe);
  const char *why = NULL;
  enum search_limit limit = SEARCH_MEMORY;
  for (uint32_t round = 0; why == NULL && may_end(limit); round++) {
    why = round == ROUNDS ? "no memory and no cache is enough"
                          : search_once(&g.ts, &given, &toy, base, &limit);
    limits[limit] += round == 0;
    given.memory *= 2;
    given.options.forget.cache_size *= 2;
    given.options.limit.visits *= 2;
  }
  if (why != NULL)
    printf("FAIL: %s (%u of %" PRIu64 " states expanded)\nrepeat: pressure -n 1 -f %" PRIu64
           " -c '%s'\n",
           why, watch.n, toy.states, seed, how->name);
  return why == NULL;
}

/* Prints why searches gave up at first; false: too many for one cause, or for none that is
 * known. Of few searches nothing can be said. */
static bool counts_are_fine(const uint64_t limits[SEARCH_LIMITS], uint64_t searches) {
  static const uint32_t percent[SEARCH_LIMITS] = {[SEARCH_NO_LIMIT] = 100,
                                                  [SEARCH_MEMORY] = 21,
                                                  [SEARCH_TREE] = 5,
                                                  [SEARCH_MAX_VISITS] = 2,
                                                  [SEARCH_CYCLE] = 3};
  bool fine = true;
  for (uint32_t i = 0; i < SEARCH_LIMITS; i++) {
    if (limits[i] > 0)
      printf("%6" PRIu64 " %s\n", limits[i],
             i == SEARCH_NO_LIMIT ? "ended" : search_limit_text((enum search_limit)i));
    if (searches >= 1000 && limits[i] * 100 > searches * percent[i]) {
      printf("FAIL: that is more than %u %% of %" PRIu64 " searches\n", percent[i], searches);
      fine = false;
    }
  }
  return fine;
}

int main(int argc, char **argv) {
  uint64_t searches = 20000, first = 1, done = 0, limits[SEARCH_LIMITS] = {0};
  double seconds = 0, began = clock_now();
  const char *only = NULL;
  int option;
  while ((option = getopt(argc, argv, "n:f:s:c:")) != -1) {
    if (option == 'n')
      searches = strtoull(optarg, NULL, 10);
    else if (option == 'f')
      first = strtoull(optarg, NULL, 10);
    else if (option == 's')
      seconds = strtod(optarg, NULL);
    else if (option == 'c')
      only = optarg;
    else
      return 2;
  }
  uint32_t n;
  struct combination *list = combination_all(&n);
  if (only != NULL && (n = combination_keep(list, n, only)) == 0) {
    fprintf(stderr, "no way to search has '%s' in its name (soundness -l lists them)\n", only);
    return 2;
  }
  signal(SIGABRT, on_abort);
  signal(SIGSEGV, on_abort);
  bool fine = true;
  for (uint64_t seed = first; fine && seed < first + searches; seed++) {
    uint64_t random = seed;
    struct combination *how = &list[bits_next_random(&random) % n];
    how->narrow = false; /* too slow for that many states */
    trying.seed = seed;
    trying.way = how->name;
    fine = try_way(how, seed, limits);
    done++;
    if (seconds > 0 && clock_now() - began > seconds)
      break;
  }
  printf("%" PRIu64 " searches in %u ways, %.1f s; at first\n", done, n, clock_now() - began);
  fine = counts_are_fine(limits, done) && fine;
  return fine ? 0 : 1;
}
