/* sim.c - `cairn sim`: one run of a model, at random or chosen by hand. */
#include "cli/sim.h"

#include "cli/beside.h"
#include "cli/command.h"

#include "base/array.h"
#include "base/bits.h"
#include "ts/product.h"

#include <sys/random.h>
#include <time.h>

/* A seed that is drawn is shorter than this, so that it can be typed. */
#define SIM_SEEDS 1000000u

static bool run_random(struct sim *s) {
  uint64_t steps = s->o->value[OPTION_STEPS].number;
  bool over = false;
  while (!over && s->taken < steps && !ferror(stdout)) {
    if (!expand_state(&s->expand, sim_state(s, s->n - 1), s->length[s->n - 1]))
      return false;
    if (s->expand.batch.n == 0) {
      sim_say_end(s);
      s->broke |= s->ts->shape->deadlock_is_error && s->end != SIM_PROPER;
      return true;
    }
    uint32_t i = (uint32_t)(bits_next_random(&s->random) % s->expand.batch.n);
    if (!sim_take(s, i, &over))
      return false;
  }
  return true;
}

/* ---- all of it -------------------------------------------------------------------------- */

/* A seed of its own, which is said, so that the run can be had again. */
static void draw_seed(struct sim *s) {
  uint64_t drawn = 0;
  if (getrandom(&drawn, sizeof drawn, GRND_NONBLOCK) != sizeof drawn)
    drawn = (uint64_t)time(NULL);
  s->seed = drawn % SIM_SEEDS;
  if (!s->is_silent)
    fprintf(s->shows || s->o->value[OPTION_SEQUENCE].given ? stdout : stderr,
            "a random run; --seed %llu gives it again\n", (unsigned long long)s->seed);
}

static void prepare(struct sim *s) {
  const struct option_value *v = s->o->value;
  const bool charts = v[OPTION_SEQUENCE].given || v[OPTION_SVG].given;
  s->is_silent = options_to_stdout(s->o, OPTION_JSON) || options_to_stdout(s->o, OPTION_SVG);
  s->by_hand = v[OPTION_INTERACTIVE].given;
  s->prints = v[OPTION_QUIET].given;
  s->shows = s->by_hand || (!s->is_silent && !s->prints && !charts);
  s->keeps_events = v[OPTION_JSON].given || charts;
  s->seed = v[OPTION_SEED].number;
}

static bool run(struct sim *s) {
  prepare(s);
  if (!beside_open(&s->loaded, s->o, &s->product))
    return false;
  s->ts = s->product != NULL ? s->product : s->loaded.ts;
  if (!s->by_hand && !s->o->value[OPTION_SEED].given)
    draw_seed(s);
  s->random = s->seed;
  bool fine = steps_open(&s->steps, s->ts, stdout, s->loaded.budget) &&
              expand_open(&s->expand, s->ts, s->loaded.budget);
  s->steps.color = loaded_color(s->o, stdout);
  fine = fine && sim_begin(s) && (s->by_hand ? by_hand_run(s) : run_random(s));
  if (!fine)
    return loaded_fail(&s->loaded, 3, "the memory budget was reached");
  return sim_show(s);
}

static void free_run(struct sim *s) {
  struct budget *budget = s->loaded.budget;
  if (s->states != NULL)
    budget_free(budget, BUDGET_OTHER, s->states, s->capacity * s->expand.batch.stride);
  if (s->length != NULL)
    budget_free(budget, BUDGET_OTHER, s->length, s->capacity * sizeof *s->length);
  if (s->event != NULL)
    array_free(budget, BUDGET_OTHER, s->event, s->event_capacity * sizeof *s->event);
  if (s->expand.budget != NULL)
    expand_close(&s->expand);
  steps_close(&s->steps, budget);
  ts_product_close(s->product);
}

int command_sim(const struct options *o) {
  struct sim s = {.o = o};
  uint32_t n = 0;
  bool fine = loaded_start(&s.loaded, o);
  if (fine) {
    const char *const *invariant = loaded_invariants(&s.loaded, o, &n);
    s.loaded.places = IR_MAX_LIVE;
    s.loaded.how.backward = o->value[OPTION_INTERACTIVE].given;
    fine = loaded_parse(&s.loaded, invariant, n) && loaded_compile(&s.loaded, o, false);
  }
  if (fine) {
    fine = run(&s);
    free_run(&s);
  }
  loaded_close(&s.loaded);
  if (!fine)
    return s.loaded.status;
  return s.broke && !s.by_hand ? 1 : 0; /* by hand, the user has seen it */
}
