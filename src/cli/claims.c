/* claims.c - which claims `cairn check` answers, one search for each, and what came of them.
 *
 * Without --claim and --property a model is asked everything that it says of itself: the
 * properties of its states, then each of its claims. Each is a task of its own, with a search
 * of its own; the first error is the one that is shown.
 */
#include "cli/check.h"
#include "cli/claim_names.h"
#include "cli/reducing.h"

#include "search/engine.h"
#include "search/fair.h"
#include "search/frontier/frontier.h"
#include "ts/product.h"

#include <stdlib.h>
#include <string.h>

/* What --property asks of runs without end; 0: nothing in particular. */
static uint64_t asked_of_runs(const struct options *o) {
  return o->value[OPTION_PROPERTY].number & (OPTIONS_ACCEPTANCE | OPTIONS_PROGRESS);
}

/* Formulas of the command line need not be named; the others are all asked about, unless some
 * are named or --property asks for less. */
static bool is_chosen(const struct options *o, const struct claim *claim) {
  const uint64_t runs = asked_of_runs(o);
  const bool named = o->value[OPTION_CLAIM].given;
  if (claim->kind == CLAIM_ACCEPTANCE)
    return (runs & OPTIONS_ACCEPTANCE) != 0;
  if (claim->kind == CLAIM_PROGRESS)
    return (runs & OPTIONS_PROGRESS) != 0;
  if (claim->is_asked)
    return true;
  if (named)
    return options_gives(o, OPTION_CLAIM, claim->name);
  return !o->value[OPTION_PROPERTY].given || (runs & OPTIONS_ACCEPTANCE) != 0;
}

/* Properties of states are part of every search, so that one for them alone is only made where
 * nothing else is in question. */
static bool asks_of_states(const struct check *c, uint32_t n_claims) {
  const struct options *o = c->o;
  const uint64_t property = o->value[OPTION_PROPERTY].number;
  const bool states = (property & ~(uint64_t)(OPTIONS_ACCEPTANCE | OPTIONS_PROGRESS)) != 0;
  if (c->queries.n > 0)
    return c->queries.n_open > 0 || n_claims == 0;
  if (n_claims == 0 || states)
    return true;
  return !o->value[OPTION_PROPERTY].given && !o->value[OPTION_CLAIM].given &&
         !o->value[OPTION_LTL].given;
}

/* Labels are Promela's; of others --property would be answered without having been asked. */
static const char *nothing_to_ask(const struct check *c, uint32_t n_claims) {
  const uint64_t runs = asked_of_runs(c->o);
  const struct ts_shape *shape = c->loaded.ts->shape;
  bool progress = false;
  for (uint32_t i = 0; i < shape->n_claims; i++)
    progress |= shape->claim[i].kind == CLAIM_PROGRESS;
  if ((runs & OPTIONS_PROGRESS) && !progress)
    return "--property progress is about labels, which only Promela has: use --ltl";
  if ((runs & OPTIONS_ACCEPTANCE) && n_claims == 0 && shape->n_unchecked == 0 &&
      strcmp(c->loaded.language->name, "promela") != 0)
    return "--property acceptance: the model has no property process and no accepting state: "
           "use "
           "--ltl";
  return NULL;
}

/* ---- its methods -------------------------------------------------------------------------
 */

static const struct engine *engine_of(const struct check *c, const struct claim *claim) {
  const char *name = c->o->value[OPTION_CYCLES].text;
  if (claim == NULL || !claim->has_cycles)
    return NULL;
  if (name == NULL || strcmp(name, "auto") == 0)
    name =
        c->search.fairness != SEARCH_UNFAIR ? "scc"
        : c->o->value[OPTION_ORDER].given && (c->search.order.kind->traits & FRONTIER_NUMBERED)
            ? "owcty"
            : "ndfs";
  return engine_by_name(name);
}

/* The claim as it runs: with several marks where the engine can use them, and fairness leaves
 * room for them. */
static const struct claim *form_of(const struct check *c, const struct claim *claim) {
  const struct engine *engine = engine_of(c, claim);
  const bool fair = c->search.fairness != SEARCH_UNFAIR;
  if (claim->general == NULL || engine == NULL || (engine->needs & ENGINE_ONE_MARK) ||
      (fair && fair_processes(c->loaded.ts->shape) + claim->general->n_marks > FAIR_GOALS))
    return claim;
  struct claim *general = ARENA_NEW(c->loaded.arena, struct claim);
  *general = claim_general(claim);
  return general;
}

/* Each process is a goal of a fair cycle, beside the marks. */
static const char *too_many(const struct check *c, const struct claim *claim) {
  const uint32_t n = fair_processes(c->loaded.ts->shape), most = FAIR_GOALS - claim->n_marks;
  if (c->search.fairness == SEARCH_UNFAIR || !claim->has_cycles || n <= most)
    return NULL;
  return arena_printf(c->loaded.arena,
                      "--fairness is for at most %u processes, and the model has %u: leave it "
                      "out",
                      most, n);
}

/* Where the user does not say, the order is one that the engine can use. */
static void choose_order(struct check *c, const struct engine *engine) {
  if (c->o->value[OPTION_ORDER].given)
    return;
  c->search.order.kind = methods_order(engine);
  c->now.outcome.order = c->search.order.kind->name;
}

/* Where the user leaves it open, what is sound for this task, and can bring something. */
static void choose_reduction(struct check *c) {
  if (c->search.reduce.automatic && c->loaded.ts->shape->control == NULL)
    c->search.reduce.kind = NULL;
  else if (c->search.reduce.automatic)
    reducing_choose_kind(&c->search, &c->methods.judged, c->methods.automatic);
}

static const struct claim *claim_of(const struct check *c, const struct check_task *task) {
  return task->claim == TS_NONE ? NULL : &c->loaded.ts->shape->claim[task->claim];
}

static void choose_methods(struct check *c, const struct check_task *task) {
  const struct claim *claim = claim_of(c, task);
  unsigned *asked = &c->methods.judged.asked;
  *asked &= ~(unsigned)(RULES_COUNTS | RULES_MERGED | RULES_FORWARD);
  *asked |= c->loaded.reductions & IR_MERGE ? RULES_MERGED : 0u;
  *asked |= claim != NULL && !claim->stutters ? RULES_COUNTS : 0u;
  const bool backward = claim == NULL && ts_code(c->loaded.ts)->predecessors != NULL;
  *asked |= backward ? 0u : RULES_FORWARD;
  c->methods.judged.why_forward =
      backward || claim != NULL ? NULL : loaded_why_forward(&c->loaded);
  c->search.engine = engine_of(c, claim);
  choose_order(c, c->search.engine);
  choose_reduction(c);
}

/* The sentence of a rule about the first task that breaks it. */
static const char *sentence_of(struct check *c, uint32_t rule) {
  uint32_t i = 0;
  do
    choose_methods(c, &c->task[i]);
  while (!rules[rule].broken(&c->methods.judged) && ++i < c->n_tasks);
  char *sentence = arena_alloc(c->loaded.arena, METHODS_SENTENCE);
  rules_print(&rules[rule], &c->methods.judged, sentence, METHODS_SENTENCE);
  return sentence;
}

/* All tasks are judged before the first one is searched. */
static const char *refusal(struct check *c) {
  uint64_t any = 0, all = UINT64_MAX;
  for (uint32_t i = 0; i < c->n_tasks; i++) {
    choose_methods(c, &c->task[i]);
    const uint64_t broken = rules_all_broken(&c->methods.judged);
    any |= broken;
    all &= broken;
  }
  for (uint32_t i = 0; rules[i].name != NULL; i++)
    if ((rules[i].is_idle ? all : any) >> i & 1)
      return sentence_of(c, i);
  for (uint32_t i = 0; i < c->n_tasks; i++) {
    const struct claim *claim = claim_of(c, &c->task[i]);
    const char *why = claim == NULL ? NULL : too_many(c, claim);
    if (why != NULL)
      return why;
  }
  return NULL;
}

const char *claims_choose(struct check *c) {
  const struct ts_shape *shape = c->loaded.ts->shape;
  struct check_task *task =
      ARENA_ARRAY(c->loaded.arena, shape->n_claims + 1u, struct check_task);
  uint32_t n = 0;
  for (uint32_t i = 0; i < shape->n_claims; i++)
    n += is_chosen(c->o, &shape->claim[i]);
  const bool states = asks_of_states(c, n);
  c->task = task;
  c->n_tasks = 0;
  if (states)
    task[c->n_tasks++] = (struct check_task){.claim = TS_NONE};
  for (uint32_t i = 0; i < shape->n_claims; i++)
    if (is_chosen(c->o, &shape->claim[i]))
      task[c->n_tasks++] = (struct check_task){.claim = i};
  if (c->n_tasks > 1)
    c->methods.judged.asked |= RULES_SEVERAL;
  if (n == 0 && shape->n_unchecked == 0)
    c->methods.judged.asked |= RULES_STATES;
  if (!states)
    c->methods.judged.asked |= RULES_RUNS_ONLY;
  const char *why = claim_names_unknown(c->loaded.arena, c->loaded.ts->shape, c->o);
  if (why == NULL)
    why = nothing_to_ask(c, n);
  if (why == NULL && n == 0 && shape->n_unchecked == 0 &&
      (asked_of_runs(c->o) & OPTIONS_ACCEPTANCE))
    fputs("warning: --property acceptance has no effect: the model has no label accept and no "
          "claim\n",
          c->o->messages);
  return why != NULL ? why : refusal(c);
}

/* ---- a task -------------------------------------------------------------------------------
 */

const char *claims_begin(struct check *c, const struct check_task *task) {
  const struct claim *claim = claim_of(c, task);
  const char *why = NULL;
  c->now.base = c->loaded.ts;
  c->now.product = NULL;
  choose_methods(c, task);
  if (claim == NULL)
    return NULL;
  c->now.product = ts_product_open(c->loaded.ts, form_of(c, claim), c->loaded.budget, &why);
  if (c->now.product != NULL)
    c->now.base = c->now.product;
  return c->now.product != NULL ? NULL : why;
}

/* Whether the error is one of the system, with or without the claim beside it. The faults and
 * the property of a claim come after those of the system. */
static bool is_of_system(const struct ts_shape *system, const struct search_error *error) {
  switch (error->kind) {
  case SEARCH_NO_ERROR:
  case SEARCH_ACCEPTANCE:
  case SEARCH_NONPROGRESS:
    return false;
  case SEARCH_ASSERTION:
  case SEARCH_CLAIM:
    return error->index < (error->in_last_event ? system->n_faults : system->n_properties);
  default:
    return true;
  }
}

/* Searches for claims look at assertions and ends too. Where one of these is the error, nothing
 * is known of the claim. */
void claims_end(struct check *c, struct check_task *task) {
  const struct search_result *r = &c->now.result;
  const struct claim *claim = claim_of(c, task);
  char *text = NULL;
  size_t size = 0;
  const bool undecided = claim != NULL && is_of_system(c->loaded.ts->shape, &r->error);
  FILE *out = open_memstream(&text, &size);
  if (out != NULL) {
    outcome_print_sentence(&c->now.outcome, out);
    fclose(out);
  }
  task->answer = (struct outcome_claim){
      .name = claim == NULL ? NULL : claim->name,
      .what = claim == NULL ? "properties of states" : claim->what,
      .sentence = text == NULL ? "" : arena_text(c->loaded.arena, text, strlen(text)),
      .verdict = undecided ? OUTCOME_INCONCLUSIVE : c->now.outcome.verdict,
      .is_undecided = undecided,
      .guarantee = r->guarantee,
      .error = r->error.kind,
      .has_trail = r->error.trail.initial != TS_NONE,
      .length = r->error.trail.n_events,
      .n_cycle = r->error.trail.n_cycle,
      .stored = r->figures.stored,
      .events = r->figures.events,
      .seconds = r->figures.seconds};
  free(text);
}

/* All answers, beside the one that is shown. */
void claims_tell(struct check *c) {
  if (c->n_tasks == 1 && c->task[0].claim == TS_NONE)
    return;
  struct outcome_claim *claim = ARENA_ARRAY(c->loaded.arena, c->n_tasks, struct outcome_claim);
  for (uint32_t i = 0; i < c->n_tasks; i++)
    claim[i] = c->task[i].answer;
  c->now.outcome.claim = claim;
  c->now.outcome.n_claims = c->n_tasks;
}
