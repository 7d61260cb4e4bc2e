/* cycles.c - engines of cycles, on tiny random systems beside random claims, against the
 * plainest answer.
 *
 *   cycles [-n SYSTEMS] [-s SECONDS] [-f FIRST-SEED]
 *
 * The product is listed state by state, who reaches whom is worked out for all pairs, and a
 * component with an event of each mark inside is what the engines have to find; with fairness,
 * parts of components are judged by the definition. Each engine
 * that the rules allow is tried with every store that they allow, and each lasso was gone again
 * by the search itself. Exit status 1 if any answer differs, with the seed.
 */
#include "resumed.h"
#include "seeds.h"
#include "table.h"

#include "base/bits.h"
#include "search/engine.h"
#include "search/frontier/frontier.h"
#include "search/rules.h"
#include "search/search.h"
#include "ts/list.h"
#include "ts/product.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ATOMS = 3, STATES = 4, EDGES = 32, MOST = 1500, STRIDE = TABLE_STRIDE + 8 };

/* ---- a claim at random ------------------------------------------------------------------ */

struct automaton {
  struct claim claim;
  struct claim_edge edge[EDGES];
  struct claim_cube cube[EDGES];
  uint32_t first[STATES + 1];
};

static uint32_t below(uint64_t *random, uint32_t n) {
  return (uint32_t)(bits_next_random(random) % n);
}

/* A set of atoms, the smaller the more often it is cut. */
static uint64_t few(uint64_t *random, uint32_t cuts) {
  uint64_t set = (UINT64_C(1) << ATOMS) - 1;
  while (cuts-- > 0)
    set &= below(random, 1u << ATOMS);
  return set;
}

/* Most edges read most letters, else there is little to find. */
static void make_automaton(struct automaton *a, uint64_t *random) {
  const uint32_t n = 1 + below(random, STATES), marks = below(random, 3) == 0 ? 2 : 1;
  const uint32_t rare = 1 + below(random, 4);
  uint32_t edges = 0;
  memset(a, 0, sizeof *a);
  for (uint32_t s = 0; s < n; s++) {
    a->first[s] = edges;
    for (uint32_t k = 1 + below(random, 3); k > 0; k--, edges++) {
      const uint64_t yes = few(random, 3);
      const uint64_t no = few(random, 2) & ~yes;
      uint64_t set = 0;
      for (uint32_t m = 0; m < marks; m++)
        set |= (uint64_t)(below(random, 1 + rare) == 0) << m;
      a->cube[edges] = (struct claim_cube){yes, no};
      a->edge[edges] = (struct claim_edge){s, below(random, n), set, &a->cube[edges], 1, 0, 0};
    }
  }
  a->first[n] = edges;
  a->claim = (struct claim){.kind = CLAIM_NEVER,
                            .name = "random",
                            .n_states = n,
                            .n_marks = marks,
                            .edge = a->edge,
                            .first = a->first,
                            .n_atoms = ATOMS,
                            .has_cycles = true};
}

static uint32_t component_of(const struct table *t, uint32_t part) {
  uint32_t c = 0;
  while (part >= t->component[c].first_slot + t->component[c].n_slots)
    c++;
  return c;
}

/* ---- the plainest answer ---------------------------------------------------------------- */

struct graph {
  uint8_t row[MOST][STRIDE];
  uint32_t length[MOST], n;
  uint64_t reach[MOST][BITS_WORDS(MOST)]; /* by one event or more */
  struct {
    uint32_t from, to;
    uint64_t marks;
    uint32_t movers;
  } edge[40 * MOST];
  uint32_t n_edges;
  uint32_t enabled[MOST]; /* parts of the system */
  bool left_out[MOST];
  bool too_large;
};

static uint32_t number_of(struct graph *g, const uint8_t *row, uint32_t length) {
  uint32_t i = 0;
  while (i < g->n && (g->length[i] != length || memcmp(g->row[i], row, length) != 0))
    i++;
  if (i == MOST) {
    g->too_large = true;
    return 0;
  }
  if (i == g->n) {
    memset(g->row[i], 0, sizeof g->row[i]);
    memcpy(g->row[i], row, length);
    g->length[i] = length;
    g->n++;
  }
  return i;
}

static void list_graph(struct graph *g, const struct ts *ts, struct budget *budget) {
  struct list list;
  uint8_t row[STRIDE];
  g->n = g->n_edges = 0;
  memset(g->enabled, 0, sizeof g->enabled);
  memset(g->left_out, 0, sizeof g->left_out);
  g->too_large = !list_open(&list, ts->shape, 64, budget);
  for (uint32_t i = 0; i < ts->shape->n_initial; i++) {
    memset(row, 0, sizeof row);
    const uint32_t length = ts_code(ts)->initial(ts, i, row);
    number_of(g, row, length);
  }
  for (uint32_t i = 0; i < g->n && !g->too_large; i++) {
    g->too_large = !list_fill(&list, ts, ts_code(ts), g->row[i], g->length[i], NULL);
    for (uint32_t k = 0; k < list.batch.n && !g->too_large; k++) {
      const struct ts_edge *e = &list.batch.edge[k];
      if (e->kind == TS_MODEL_ERROR)
        continue;
      uint32_t movers = 0;
      for (uint32_t m = 0; m < ts->shape->action[e->event.action].n_movers; m++)
        movers |= 1u << ts->shape->action[e->event.action].mover[m].component;
      movers &= ~1u; /* the claim */
      g->enabled[i] |= movers;
      g->too_large = g->n_edges == 40 * MOST;
      if (g->too_large)
        break;
      const uint32_t to = number_of(g, list_row(&list, k), e->length);
      g->edge[g->n_edges].from = i;
      g->edge[g->n_edges].to = to;
      g->edge[g->n_edges].movers = movers;
      g->edge[g->n_edges++].marks = ts_code(ts)->marks(ts, g->row[i], g->length[i], e->event);
    }
  }
  list_free(&list);
}

static bool reaches(const struct graph *g, uint32_t from, uint32_t to) {
  return bits_test(g->reach[from], to);
}

static void close_graph(struct graph *g) {
  const uint32_t words = BITS_WORDS(g->n);
  for (uint32_t i = 0; i < g->n; i++)
    memset(g->reach[i], 0, words * sizeof(uint64_t));
  for (uint32_t i = 0; i < g->n_edges; i++)
    if (!g->left_out[g->edge[i].from] && !g->left_out[g->edge[i].to])
      g->reach[g->edge[i].from][g->edge[i].to / 64] |= UINT64_C(1) << g->edge[i].to % 64;
  for (uint32_t k = 0; k < g->n; k++)
    for (uint32_t i = 0; i < g->n; i++)
      for (uint32_t w = 0; w < words && reaches(g, i, k); w++)
        g->reach[i][w] |= g->reach[k][w];
}

static bool has_cycle(struct graph *g, uint32_t n_marks) {
  static uint64_t marks[MOST];
  const uint64_t all = (UINT64_C(1) << n_marks) - 1;
  memset(marks, 0, sizeof marks);
  close_graph(g);
  for (uint32_t i = 0; i < g->n_edges; i++) {
    if (!reaches(g, g->edge[i].to, g->edge[i].from))
      continue;
    uint32_t first = 0; /* of the component */
    while (first != g->edge[i].from &&
           !(reaches(g, first, g->edge[i].from) && reaches(g, g->edge[i].from, first)))
      first++;
    marks[first] |= g->edge[i].marks;
    if (marks[first] == all)
      return true;
  }
  return false;
}

/* The component of a state that reaches itself: what is inside. */
struct inside {
  uint64_t marks;
  uint32_t moves, enabled, waits; /* waits: not enabled somewhere */
};

static bool together(const struct graph *g, uint32_t a, uint32_t b) {
  return reaches(g, a, b) && reaches(g, b, a);
}

static struct inside inside_of(const struct graph *g, uint32_t of) {
  struct inside in = {0};
  for (uint32_t i = 0; i < g->n; i++)
    if (together(g, of, i)) {
      in.enabled |= g->enabled[i];
      in.waits |= ~g->enabled[i];
    }
  for (uint32_t i = 0; i < g->n_edges; i++)
    if (together(g, of, g->edge[i].from) && together(g, of, g->edge[i].to)) {
      in.marks |= g->edge[i].marks;
      in.moves |= g->edge[i].movers;
    }
  return in;
}

/* By the definition: weakly, each process moves or waits; strongly, each that is enabled moves,
 * in some part of a component that is left when what cannot belong to a fair cycle is taken
 * out. */
static bool has_fair_cycle(struct graph *g, uint32_t n_marks, enum search_fairness fairness) {
  const uint64_t all = (UINT64_C(1) << n_marks) - 1;
  memset(g->left_out, 0, sizeof g->left_out);
  for (bool changed = true; changed;) {
    changed = false;
    close_graph(g);
    for (uint32_t i = 0; i < g->n && !changed; i++) {
      if (g->left_out[i] || !reaches(g, i, i))
        continue;
      const struct inside in = inside_of(g, i);
      if ((in.marks & all) != all)
        continue;
      const uint32_t wrong =
          fairness == SEARCH_WEAK ? in.enabled & ~in.moves & ~in.waits : in.enabled & ~in.moves;
      if (wrong == 0)
        return true;
      for (uint32_t k = 0; k < g->n && fairness == SEARCH_STRONG; k++)
        if (together(g, i, k) && (g->enabled[k] & wrong) != 0)
          changed = g->left_out[k] = true;
    }
  }
  return false;
}

enum { SHORT = 150 }; /* states, at most, where all lassos are compared */

/* By a pass over all events for each step away: events from a state to all others. */
static void distances(const struct graph *g, uint32_t from, uint32_t *far) {
  for (uint32_t i = 0; i < g->n; i++)
    far[i] = i == from ? 0 : TS_NONE;
  bool changed = true;
  for (uint32_t d = 0; changed; d++) {
    changed = false;
    for (uint32_t i = 0; i < g->n_edges; i++)
      if (far[g->edge[i].from] == d && far[g->edge[i].to] == TS_NONE) {
        far[g->edge[i].to] = d + 1;
        changed = true;
      }
  }
}

/* Events of a shortest lasso from a state: by all places where its cycle may begin, and all
 * accepting events. TS_NONE: there is none, or there are too many states or marks. */
static uint32_t least_lasso(const struct graph *g, uint32_t from, uint32_t n_marks) {
  static uint32_t far[SHORT][SHORT];
  uint32_t least = TS_NONE;
  for (uint32_t i = 0; i < g->n && g->n <= SHORT; i++)
    distances(g, i, far[i]);
  for (uint32_t i = 0; i < g->n_edges && g->n <= SHORT && n_marks == 1; i++)
    for (uint32_t b = 0; b < g->n && g->edge[i].marks != 0; b++) {
      const uint32_t u = g->edge[i].from, v = g->edge[i].to;
      if (far[from][b] == TS_NONE || far[b][u] == TS_NONE || far[v][b] == TS_NONE)
        continue;
      const uint32_t n = far[from][b] + far[b][u] + 1 + far[v][b];
      least = n < least ? n : least;
    }
  return least;
}

static uint32_t least_from(struct graph *g, const struct ts *ts, uint32_t initial) {
  uint8_t row[STRIDE] = {0};
  const uint32_t length = ts_code(ts)->initial(ts, initial, row);
  return least_lasso(g, number_of(g, row, length), ts->shape->n_marks);
}

/* ---- searches --------------------------------------------------------------------------- */

/* Memory that is refused from some expansion on until some later one. */
static struct {
  const struct ts_code *real;
  struct budget *budget;
  uint64_t calls, from, to, after; /* from 0: never */
} refusal;

static int32_t refused_successors(const struct ts *ts, const uint8_t *state, uint32_t length,
                                  struct ts_event *cursor, const uint64_t *skip,
                                  struct ts_batch *out) {
  refusal.calls++;
  if (refusal.calls == refusal.from)
    budget_fail_after(refusal.budget, 1 + refusal.after);
  if (refusal.calls == refusal.to)
    budget_fail_after(refusal.budget, 0);
  return refusal.real->successors(ts, state, length, cursor, skip, out);
}

struct run {
  struct budget *budget;
  struct table *table;
  struct graph *graph;
  uint32_t least[SYSTEM_INITIALS]; /* of lassos, by initial state; TS_NONE: not known */
  uint64_t searches, cyclic, plain, too_large, unfair, resumed, moved, cut_short, least_known;
};

static uint64_t letter(const struct ts *ts, const uint8_t *state, uint32_t length,
                       uint32_t first, uint32_t n, uint32_t *fault) {
  (void)ts;
  (void)first;
  *fault = TS_NONE;
  uint64_t hash = 77;
  for (uint32_t i = 0; i < length; i++)
    hash = hash * 31 + state[i] + 1;
  hash = bits_next_random(&hash);
  return hash >> 20 & ((UINT64_C(1) << n) - 1);
}

static bool complain(const char *what, uint64_t seed, const struct search_options *o) {
  printf("FAIL seed %" PRIu64 ", --cycles %s --order %s --store %s --move-after %" PRIu64
         "%s: %s\n",
         seed, o->engine->name, o->order.kind->name,
         o->store.moves ? "auto" : o->store.kind->name, o->store.move_after,
         o->store.allow_lossy ? " --allow-lossy" : "", what);
  return false;
}

/* Saved at some moment and resumed, it is the same. */
static bool resume_one(struct run *run, const struct ts *ts, const struct search_options *o,
                       uint64_t seed) {
  bool is_saved = false;
  struct search_options options = *o;
  if (!(o->store.kind->has & STORE_SAVES))
    return true;
  options.keep_going = seed % 2 == 0;
  const char *why = resumed_differs(ts, &options, run->budget, seed, &is_saved);
  run->resumed += is_saved;
  return why == NULL || complain(why, seed, o);
}

static bool is_least(struct run *run, const struct search_result *result) {
  const uint32_t least = run->least[result->error.trail.initial];
  run->least_known += least != TS_NONE;
  return least == TS_NONE || result->error.trail.n_events == least;
}

static bool search_one(struct run *run, const struct ts *ts, const struct search_options *o,
                       bool want, uint64_t seed) {
  struct search_result result;
  refusal.calls = 0;
  search_run(ts, o, run->budget, &result);
  budget_fail_after(run->budget, 0);
  const bool may_end = refusal.from > 0;
  refusal.from = 0;
  const bool found = result.error.kind == SEARCH_ACCEPTANCE;
  const bool exact = result.store != NULL && result.figures.memory.store.wrong_matches < 1e-6;
  run->moved += result.n_moves;
  run->cut_short += result.limit != SEARCH_NO_LIMIT;
  bool fine = true;
  if (result.internal_error != NULL)
    fine = complain(result.internal_error, seed, o);
  else if (result.limit != SEARCH_NO_LIMIT && !(may_end && result.limit == SEARCH_MEMORY))
    fine = complain("a limit", seed, o);
  else if (found && !want)
    fine = complain("a cycle that is none", seed, o);
  else if (!found && want && exact && result.limit == SEARCH_NO_LIMIT)
    fine = complain("a cycle was not found", seed, o);
  else if (found && result.error.trail.n_cycle == 0 && !may_end)
    fine = complain("a cycle without a lasso", seed, o);
  else if (found && !may_end && o->fairness == SEARCH_UNFAIR && !is_least(run, &result))
    fine = complain("a lasso that is not a shortest one", seed, o);
  search_result_free(&result);
  run->searches++;
  return fine && (run->searches % 16 != 0 || resume_one(run, ts, o, seed));
}

/* Some states go to another store, and some of these on to the next. */
static bool search_moving(struct run *run, const struct ts *ts, struct search_options options,
                          bool want, uint64_t seed) {
  bool fine = true;
  uint64_t random = seed;
  options.store.moves = true;
  for (uint32_t lossy = 0; lossy < 2; lossy++) {
    options.store.allow_lossy = lossy;
    options.store.move_after = 1 + below(&random, run->graph->n + 1);
    if (search_refusal(&options) != NULL)
      continue;
    fine = search_one(run, ts, &options, want, seed) && fine;
    options.store.move_after = 0;
    refusal.from = 1 + below(&random, run->graph->n + 1);
    refusal.to = refusal.from + 1 + below(&random, 4);
    refusal.after = below(&random, 3);
    fine = search_one(run, ts, &options, want, seed) && fine;
  }
  return fine;
}

/* All engines, orders and stores that the rules allow. */
static bool search_all(struct run *run, const struct ts *ts, bool want, uint64_t seed,
                       enum search_fairness fairness) {
  bool fine = true;
  for (uint32_t e = 0; engines[e] != NULL; e++)
    for (uint32_t o = 0; frontier_kinds[o] != NULL; o++)
      for (uint32_t s = 0; store_kinds[s] != NULL; s++) {
        struct search_options options = {.engine = engines[e],
                                         .fairness = fairness,
                                         .order.kind = frontier_kinds[o],
                                         .order.parameter = {2, 2},
                                         .store.kind = store_kinds[s],
                                         .store.size = store_kinds[s]->sized ? 1 << 16 : 0,
                                         .seed = seed,
                                         .parents = true};
        if (!(engines[e]->needs & ENGINE_CYCLES) || search_refusal(&options) != NULL ||
            ((engines[e]->needs & ENGINE_ONE_MARK) && ts->shape->n_marks > 1))
          continue;
        fine = search_one(run, ts, &options, want, seed) && fine;
        if (s == 0)
          fine = search_moving(run, ts, options, want, seed) && fine;
      }
  return fine;
}

/* A letter is a step of all parts of its mask. */
static void set_movers(struct table *t, struct ts_mover mover[][SYSTEM_PARTS],
                       struct ts_action *action) {
  for (uint32_t l = 0; l < t->system->n_letters; l++) {
    action[l] = (struct ts_action){0, mover[l]};
    for (uint32_t p = 0; p < t->system->n_parts; p++)
      if ((t->system->letter[l].mask >> p & 1) != 0)
        mover[l][action[l].n_movers++] = (struct ts_mover){.component = component_of(t, p)};
  }
  t->shape.action = action;
}

static bool try_seed(void *context, uint64_t seed) {
  struct run *run = context;
  struct system system;
  struct automaton a;
  uint64_t random = seed * 2 + 1;
  const char *why = NULL;
  system_random(&system, seed);
  system.n_bad = 0;
  for (uint32_t i = 0; i < system.n_letters; i++)
    if (system.letter[i].fault.kind == TS_ASSERTION)
      system.letter[i].fault.kind = TS_FINE;
  table_fill(run->table, &system);
  make_automaton(&a, &random);
  if (run->table->too_large || run->table->n_states > 300 || run->table->lost > 0) {
    run->too_large++;
    return true;
  }
  table_watch(run->table);
  run->table->watch.most = UINT64_MAX;
  struct ts_mover mover[SYSTEM_LETTERS][SYSTEM_PARTS];
  struct ts_action action[SYSTEM_LETTERS];
  set_movers(run->table, mover, action);
  struct ts_code code = *ts_code(&run->table->ts);
  code.letter = letter;
  atomic_store(&run->table->ts.code, &code);
  struct ts *product = ts_product_open(&run->table->ts, &a.claim, run->budget, &why);
  list_graph(run->graph, product, run->budget);
  bool fine = true;
  if (run->graph->too_large) {
    run->too_large++;
  } else {
    const bool want = has_cycle(run->graph, a.claim.n_marks);
    struct ts_code refused = *ts_code(product);
    refusal.real = ts_code(product);
    refusal.budget = run->budget;
    refused.successors = refused_successors;
    atomic_store(&product->code, &refused);
    run->cyclic += want;
    run->plain += !want;
    for (uint32_t i = 0; i < product->shape->n_initial; i++)
      run->least[i] = least_from(run->graph, product, i);
    fine = search_all(run, product, want, seed, SEARCH_UNFAIR);
    for (int f = SEARCH_WEAK; f <= SEARCH_STRONG && run->graph->n < 120; f++) {
      const enum search_fairness fairness = (enum search_fairness)f;
      const bool fair = want && has_fair_cycle(run->graph, a.claim.n_marks, fairness);
      run->unfair += want && !fair;
      fine = search_all(run, product, fair, seed, fairness) && fine;
    }
  }
  ts_product_close(product);
  return fine;
}

int main(int argc, char **argv) {
  struct run run = {.budget = budget_open(UINT64_C(1) << 30),
                    .table = calloc(1, sizeof *run.table),
                    .graph = calloc(1, sizeof *run.graph)};
  const struct seeds seeds = seeds_try(argc, argv, try_seed, &run);
  printf("%" PRIu64 " systems, %" PRIu64 " with a cycle, %" PRIu64 " without, %" PRIu64
         " left out, %" PRIu64 " times only unfair ones; %" PRIu64 " searches, %" PRIu64
         " saved and resumed, %" PRIu64 " moves, %" PRIu64 " cut short, %" PRIu64
         " lassos compared; %u failed\n",
         seeds.tried, run.cyclic, run.plain, run.too_large, run.unfair, run.searches,
         run.resumed, run.moved, run.cut_short, run.least_known, seeds.failed);
  free(run.table);
  free(run.graph);
  budget_close(run.budget);
  return seeds.failed > 0 || run.searches == 0 || run.moved == 0 || run.cut_short == 0 ||
         run.least_known == 0;
}
