/* formulas.c - partial order reduction and formulas, on tiny random systems, against the search
 * without it.
 *
 *   formulas [-n SYSTEMS] [-s SECONDS] [-f FIRST-SEED]
 *
 * Atoms say that a part of the system has a value. Formulas have no next-time operator. Each
 * engine that the rules allow, with every store that they allow, must say the same as without
 * the reduction, and come to the same lassos or none. Exit status 1 if any differs, with the
 * seed.
 */
#include "seeds.h"
#include "table.h"

#include "../ltl/naive.h"

#include "base/bits.h"
#include "lang/ltl/claim.h"
#include "lang/ltl/stutter.h"
#include "search/engine.h"
#include "search/frontier/frontier.h"
#include "search/reduce/reduce.h"
#include "search/rules.h"
#include "search/search.h"
#include "ts/product.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ATOMS = 3, MOST = 300 };

/* What the atoms ask; the ts has no room for it. */
static struct {
  const struct table *table;
  uint8_t part[ATOMS], value[ATOMS];
} asked;

struct run {
  struct budget *budget;
  struct table *table;
  uint64_t searches, violated, holds, left_out, chosen, states, fewer;
};

static uint32_t below(uint64_t *random, uint32_t n) {
  return (uint32_t)(bits_next_random(random) % n);
}

static const struct reduction_kind *por(void) {
  uint32_t i = 0;
  while (!(reduction_kinds[i]->traits & REDUCTION_CHOOSES))
    i++;
  return reduction_kinds[i];
}

static uint64_t letter(const struct ts *ts, const uint8_t *state, uint32_t length,
                       uint32_t first, uint32_t n, uint32_t *fault) {
  const uint32_t i = table_state(asked.table, state, length);
  uint64_t set = 0;
  (void)ts;
  *fault = TS_NONE;
  for (uint32_t k = 0; k < n; k++)
    set |=
        (uint64_t)(asked.table->state[i].part[asked.part[first + k]] == asked.value[first + k])
        << k;
  return set;
}

/* An item for each part is that of its value. */
static void ask(struct table *t, uint64_t *random) {
  static struct ts_touch touch[ATOMS];
  static uint32_t first[ATOMS + 1];
  const struct system *s = t->system;
  asked.table = t;
  for (uint32_t k = 0; k < ATOMS; k++) {
    asked.part[k] = (uint8_t)below(random, s->n_parts);
    asked.value[k] = (uint8_t)below(random, s->values[asked.part[k]]);
    touch[k] = (struct ts_touch){.item = asked.part[k], .ways = TS_READ};
    first[k + 1] = k + 1;
  }
  t->control.control.first_asked = first;
  t->control.control.asked = touch;
}

static bool make_claim(struct arena *arena, uint64_t *random, struct claim *claim) {
  const struct ltl_node *f;
  const char *why;
  do
    f = naive_formula(arena, random, 1 + below(random, 5), ATOMS);
  while (!stutter_is_obvious(f));
  *claim = (struct claim){.name = "random", .what = "random", .n_atoms = ATOMS};
  return ltl_claim_make(arena, f, claim, &why);
}

/* What it comes to: an error or none. */
static bool is_violated(struct run *run, const struct ts *ts, const struct search_options *o,
                        struct search_figures *figures, const char **why) {
  struct search_result result;
  search_run(ts, o, run->budget, &result);
  const bool found = result.error.kind != SEARCH_NO_ERROR;
  *why = result.internal_error;
  if (*why == NULL && result.limit != SEARCH_NO_LIMIT)
    *why = "a limit";
  *figures = result.figures;
  search_result_free(&result);
  run->searches++;
  return found;
}

static bool complain(const char *what, uint64_t seed, const struct search_options *o) {
  printf("FAIL seed %" PRIu64 ", --cycles %s --order %s --store %s without %u: %s\n", seed,
         o->engine->name, o->order.kind->name, o->store.kind->name, o->reduce.without, what);
  return false;
}

static bool compare(struct run *run, const struct ts *ts, struct search_options *o,
                    uint64_t seed) {
  struct search_figures plain, reduced;
  const char *why;
  uint64_t random = seed;
  o->reduce.kind = NULL;
  const bool want = is_violated(run, ts, o, &plain, &why);
  if (why != NULL)
    return complain(why, seed, o);
  run->violated += want;
  run->holds += !want;
  o->reduce.kind = por();
  o->reduce.without = below(&random, 2) * below(&random, (1u << SEARCH_GRADES) - 1);
  if (below(&random, 2) == 0)
    o->reduce.judge_at = 4 + below(&random, 32);
  const bool found = is_violated(run, ts, o, &reduced, &why);
  for (uint32_t g = 0; g < SEARCH_GRADES; g++)
    run->chosen += reduced.choice.reduced[g];
  run->states += plain.stored;
  run->fewer += reduced.stored;
  if (why != NULL)
    return complain(why, seed, o);
  if (found != want && ((o->store.kind->has & STORE_EXACT) || found))
    return complain(want ? "an error was not found" : "an error that is none", seed, o);
  return true;
}

/* All engines, orders and stores that the rules allow. */
static bool compare_all(struct run *run, const struct ts *ts, const struct claim *claim,
                        uint64_t seed) {
  bool fine = true;
  for (uint32_t e = 0; engines[e] != NULL; e++)
    for (uint32_t k = 0; frontier_kinds[k] != NULL; k++)
      for (uint32_t s = 0; store_kinds[s] != NULL; s++) {
        struct search_options o = {.engine = engines[e],
                                   .order.kind = frontier_kinds[k],
                                   .order.parameter = {2, 2},
                                   .store.kind = store_kinds[s],
                                   .store.size = store_kinds[s]->sized ? 1 << 16 : 0,
                                   .seed = seed,
                                   .parents = true,
                                   .reduce.kind = por()};
        const bool cycles = (engines[e]->needs & ENGINE_CYCLES) != 0;
        if (cycles != claim->has_cycles || search_refusal(&o) != NULL || (seed + s) % 3 != 0 ||
            ((engines[e]->needs & ENGINE_ONE_MARK) && ts->shape->n_marks > 1))
          continue;
        fine = compare(run, ts, &o, seed) && fine;
      }
  return fine;
}

/* Most steps go forward: what goes back is never chosen, and little would be left out. */
static void go_forward(struct system *s, uint64_t random) {
  for (uint32_t a = 0; a < s->n_letters; a++)
    for (uint32_t k = 0; k < s->letter[a].n_choices; k++)
      for (uint32_t p = 0; p < s->n_parts; p++)
        for (int8_t v = 0; v + 1 < s->values[p]; v++) {
          int8_t *to = &s->letter[a].to[k][p][v];
          if (*to >= 0 && *to <= v && below(&random, 16) > 0)
            *to = (int8_t)(v + 1);
        }
}

static void make_system(struct run *run, struct system *s, uint64_t seed) {
  if (seed % 4 == 0)
    system_classical(s, seed);
  else
    system_random(s, seed);
  s->n_bad = 0;
  for (uint32_t i = 0; i < s->n_letters; i++)
    s->letter[i].fault.kind = TS_FINE;
  if (seed % 2 == 0)
    go_forward(s, seed);
  table_fill(run->table, s);
}

static bool try_claim(struct run *run, const struct claim *claim, uint64_t seed) {
  const char *why = NULL;
  struct ts *product = ts_product_open(&run->table->ts, claim, run->budget, &why);
  const bool fine = compare_all(run, product, claim, seed);
  ts_product_close(product);
  return fine;
}

static bool try_seed(void *context, uint64_t seed) {
  struct run *run = context;
  struct system system;
  struct claim claim;
  uint64_t random = seed * 2 + 1;
  make_system(run, &system, seed);
  if (run->table->too_large || run->table->n_states > MOST) {
    run->left_out++;
    return true;
  }
  table_watch(run->table);
  run->table->watch.most = UINT64_MAX;
  ask(run->table, &random);
  run->table->shape.control = &run->table->control.control;
  struct ts_code code = *ts_code(&run->table->ts);
  code.letter = letter;
  atomic_store(&run->table->ts.code, &code);
  struct arena *arena = arena_open(run->budget, BUDGET_OTHER);
  bool fine = true;
  if (make_claim(arena, &random, &claim)) {
    fine = try_claim(run, &claim, seed);
    if (claim.general != NULL) {
      const struct claim general = claim_general(&claim);
      fine = try_claim(run, &general, seed) && fine;
    }
  } else {
    run->left_out++;
  }
  arena_close(arena);
  return fine;
}

int main(int argc, char **argv) {
  struct run run = {.budget = budget_open(UINT64_C(1) << 30),
                    .table = calloc(1, sizeof *run.table)};
  const struct seeds seeds = seeds_try(argc, argv, try_seed, &run);
  printf("%" PRIu64 " systems, %" PRIu64 " left out; %" PRIu64 " searches, %" PRIu64
         " formulas violated, %" PRIu64 " not; %" PRIu64 " states, %" PRIu64
         " with the reduction, %" PRIu64 " of them reduced; %u failed\n",
         seeds.tried, run.left_out, run.searches, run.violated, run.holds, run.states,
         run.fewer, run.chosen, seeds.failed);
  free(run.table);
  budget_close(run.budget);
  return seeds.failed > 0 || run.chosen == 0;
}
